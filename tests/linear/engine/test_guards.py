"""Steps that fail for once: each guard is made to act, and the answer is as right as without."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import (
    MODELS,
    class_models,
    encode,
    equivalent_models,
    oracle_ends,
    reference_norm,
    with_columns,
)
from oracle import FullProblem
from privileged_cases import oracle_of

from allrelevant.linear.engine.baseline import boxed_path, euclidean
from allrelevant.linear.engine.baseline.euclidean import EuclideanProgram
from allrelevant.linear.engine.batch.solver import ManySolver
from allrelevant.linear.engine.interior import centred, vertex
from allrelevant.linear.engine.interior import solver as interior
from allrelevant.linear.engine.interior.below import BelowPath
from allrelevant.linear.engine.program import refine
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.program.optimum import Candidate, SolverError, UnprovenError
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.ranges import restricted
from allrelevant.linear.engine.ranges import solver as ranges
from allrelevant.linear.engine.ranges.nearest import nearest_member
from allrelevant.linear.engine.ranges.restricted import RestrictedRanges
from allrelevant.linear.engine.ranges.screening import ScreeningSolver
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.simplex import growth
from allrelevant.linear.engine.simplex.reduced import ReducedProgram
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.rows.sample import Sample


def singular(*_, **__):
    raise np.linalg.LinAlgError("singular matrix")


@pytest.fixture(scope="module")
def models():
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 5))
    score = X[:, 0] - X[:, 1] + random.normal(size=60)
    model = MODELS["classification"]
    return equivalent_models(model, X, encode(model, score), 0.3, 0.1, "split", np.ones(60))


@pytest.fixture(scope="module")
def ends(models):
    return oracle_ends(models)[0]


def assert_right(solver, models, ends):
    found = np.array([solver.weight_range(k).ends for k in range(models.n_features)])
    np.testing.assert_allclose(found, ends, rtol=0, atol=1e-6 * reference_norm(models))


# The interior point fails, and the simplex method answers


@pytest.mark.parametrize(
    "place",
    [
        pytest.param((interior.WideStart, "start"), id="no start"),
        pytest.param((interior.NewtonSystem, "advanced"), id="no step"),
    ],
)
def test_where_the_interior_point_fails_the_simplex_method_answers(
    place, models, ends, monkeypatch
):
    solver = RangeSolver(models, solver="interior")
    monkeypatch.setattr(*place, singular)
    assert_right(solver, models, ends)


def test_a_larger_program_that_fails_begins_at_the_start(models, ends, monkeypatch):
    """Pieces join a program on its way; the point it had got to may be too near an edge for it."""
    enlarged, optimise = interior.enlarged, interior.InteriorPath._optimise
    failed = []

    def noticed(*args):
        larger = enlarged(*args)
        if larger is not None:
            failed.append("next")
        return larger

    def fails(self, *args):
        if failed and failed[-1] == "next":
            failed[-1] = "done"
            singular()
        return optimise(self, *args)

    monkeypatch.setattr(interior, "enlarged", noticed)
    monkeypatch.setattr(interior.InteriorPath, "_optimise", fails)
    monkeypatch.setattr(RangeSolver, "_by_simplex", None)
    few_pieces = replace(models, band=1e-3)  # so that others have to join them
    assert_right(RangeSolver(few_pieces, solver="interior"), models, ends)
    assert failed


def test_a_portion_of_the_pieces_without_an_interior_is_left_to_the_simplex_method(
    models, ends, monkeypatch
):
    monkeypatch.setattr(interior, "MANY", 10)
    path = interior.InteriorPath
    make, answer, within, seen = path._start_of, path._answer_by_portions, [], []

    def noticed(self, *args):
        within.append(True)
        try:
            return answer(self, *args)
        finally:
            within.pop()

    def portions_have_none(self, program):
        found = make(self, program)
        if within:
            found._room = None
            seen.append(found)
        return found

    monkeypatch.setattr(path, "_answer_by_portions", noticed)
    monkeypatch.setattr(path, "_start_of", portions_have_none)
    assert_right(RangeSolver(models, solver="interior"), models, ends)
    assert seen


def test_bounds_without_a_centre_are_not_proven(monkeypatch):
    models = class_models(3)
    asked = Direction.weight(0, 1).up_to(2.0 * models.largest_norm)

    def path():
        return BelowPath(models, WorkingSet.around(models, np.arange(models.n_features)))

    assert path().stays_below(asked)
    monkeypatch.setattr(centred.CentredProgram, "_find_centre", singular)
    assert not path().stays_below(asked)


@pytest.mark.parametrize("place", ["_MOST_ROUNDS", "_MOST_ITERATIONS"])
def test_an_interior_point_that_does_not_end_is_left_to_the_simplex_method(
    place, models, ends, monkeypatch
):
    monkeypatch.setattr(interior, place, 1)
    few_pieces = replace(models, band=1e-3)
    assert_right(RangeSolver(few_pieces, solver="interior"), models, ends)


def test_a_portion_may_be_all_pieces(models, ends, monkeypatch):
    monkeypatch.setattr(interior, "MANY", 10)
    monkeypatch.setattr(interior, "likely_changes", lambda *_: 10**9)
    monkeypatch.setattr(RangeSolver, "_by_simplex", None)
    assert_right(RangeSolver(models, solver="interior"), models, ends)


def test_without_a_vertex_the_interior_point_goes_on(models, ends, monkeypatch):
    """Equations of a face that is guessed too early may be singular."""
    equations, seen = vertex._equations, []

    def first_ones_singular(face, *args):
        matrix, right = equations(face, *args)
        seen.append(face.is_square)
        return (0.0 * matrix if face.is_square and len(seen) < 8 else matrix), right

    monkeypatch.setattr(vertex, "_equations", first_ones_singular)
    monkeypatch.setattr(RangeSolver, "_by_simplex", None)
    assert_right(RangeSolver(models, solver="interior"), models, ends)
    assert True in seen


def test_where_nothing_is_proven_below_the_optimum_is_found(monkeypatch):
    models = class_models(3)
    path = BelowPath(models, WorkingSet.around(models, np.arange(models.n_features)))
    monkeypatch.setattr(BelowPath, "_proves", singular)
    assert not path.stays_below(Direction.weight(0, 1).up_to(2.0 * models.largest_norm))


def test_functions_that_cannot_be_solved_together_are_left_open(models, monkeypatch):
    solver, costs = ManySolver(models), np.eye(models.n_features + 1)[1:]
    assert np.isfinite(solver.maximise(costs)).all()
    monkeypatch.setattr(ManySolver, "_advance", singular)
    assert np.isnan(solver.maximise(costs)).all()


def test_with_too_many_pieces_for_the_simplex_method_what_is_usable_is_enough(
    models, ends, monkeypatch
):
    """It would take hours for the last digit."""
    monkeypatch.setattr(ranges, "_VERY_MANY", 0)
    monkeypatch.setattr(Candidate, "is_settled", False)
    monkeypatch.setattr(RangeSolver, "_by_simplex", None)
    assert_right(RangeSolver(models, solver="interior"), models, ends)


# The simplex method fails, and nothing is said that was not proven


def test_growth_ends(models, monkeypatch):
    """A program whose pieces come and go for ever is given up, as unproven."""
    monkeypatch.setattr(growth, "_MOST_ROUNDS", 0)
    solver = RangeSolver(models, solver="simplex")
    with pytest.raises(UnprovenError):
        solver.maximise(Direction.weight(0, 1))
    assert not solver.weight_range(0).is_exact


def test_a_nearest_model_that_is_not_found_is_sought_from_scratch_and_then_not_settled(
    models, monkeypatch
):
    solve, asked = ReducedProgram.solve, []

    def fails(self, method, *, cold=False):
        asked.append(cold)
        return solve(self, method, cold=cold) if asked != [False] else False

    limits = 0.9 * models.limits
    expected = nearest_member(models, limits).excess
    monkeypatch.setattr(ReducedProgram, "solve", fails)
    assert nearest_member(models, limits).excess == pytest.approx(expected)
    assert asked[:2] == [False, True]
    monkeypatch.setattr(ReducedProgram, "solve", lambda *_, **__: False)
    with pytest.raises(SolverError, match="whether any equivalent model is left"):
        nearest_member(models, limits)


@pytest.mark.parametrize("bound", [0.1, 10.0])
def test_without_a_proof_a_weight_passes_where_its_bound_does(models, bound, monkeypatch):
    def unproven(*_):
        raise UnprovenError("no proof", bound)

    monkeypatch.setattr(ScreeningSolver, "_settled", unproven)
    solver = ScreeningSolver(models)
    assert solver.ask(solver.level_question(0, 1, 1.0)) == (bound > 1.0)


def test_the_other_end_is_a_bound_where_it_cannot_be_proven(models, ends, monkeypatch):
    settled = RangeSolver._settled

    def unproven(self, direction):
        if direction.enough > -np.inf:
            raise UnprovenError("no proof", 1.5 * models.largest_norm)
        return settled(self, direction)

    monkeypatch.setattr(RangeSolver, "_settled", unproven)
    found = [RangeSolver(models).weight_range(k, signed=False) for k in range(models.n_features)]
    assert any(not one.is_exact for one in found)
    assert all(low - 1e-6 <= a <= b <= high + 1e-6 for (a, b), (low, high) in _pairs(ends, found))


def _pairs(ends, found):
    return zip(ends.tolist(), (one.ends for one in found), strict=True)


def test_weights_at_the_ends_of_their_boxes_stay_there_when_refined(models, ends):
    boxes = Boxes(np.array([1]), np.array([-1.0]), np.array([0.0]))
    assert ends[1, 0] < -1.0
    candidate = RangeSolver(models.within(boxes))._solve(Direction.weight(1, -1))
    assert candidate.weights[1] == -1.0
    assert not refine._Face.of(candidate, 1e-9).may_move[1]


def test_a_constant_column_needs_no_program_where_it_is_screened(models):
    constant = with_columns(models, models.X.replaced(np.array([2]), np.zeros((60, 1))).dense())
    solver = ScreeningSolver(constant)
    found = solver.ask(solver.screening_question(2, 10.0))
    assert found.ends == (0.0, 0.0)


def test_a_weight_is_needed_where_no_model_without_it_could_be_shown(models, ends, monkeypatch):
    def unproven(*_):
        raise UnprovenError("no proof", np.inf)

    assert ends[0, 0] > 0
    monkeypatch.setattr(ScreeningSolver, "maximise", unproven)
    assert ScreeningSolver(models).is_needed(0)


def test_a_candidate_that_cannot_be_refined_stays_as_it_is(models, monkeypatch):
    candidate = RangeSolver(models)._solve(Direction.weight(0, 1))
    monkeypatch.setattr(refine._Face, "corrected", singular)
    assert refine.refined(candidate) is candidate


# Reference models


def test_a_tall_table_may_have_many_columns(monkeypatch):
    """Then all pieces are near, and only features that the multipliers pull are there at first."""
    monkeypatch.setattr(boxed_path, "_FEW", 5)
    random = np.random.default_rng(4)
    X = random.normal(size=(100, 40))
    y = np.sign(X[:, 0] - X[:, 1] + 0.5 * random.normal(size=100))
    problem = problem_of(MODELS["classification"], Sample(X, y, np.ones(100), np.ones(100)))
    path, full = problem.path(), FullProblem(X, problem.pieces)
    for C in (0.1, 0.3):
        least = full._solve(full.norm + C * full.loss, full.rows, full.limits).fun
        assert path.solve(C).objective == pytest.approx(least, rel=1e-6)


def test_the_first_features_of_a_wide_table_with_privileged_ones():
    """Pieces that must be kept weigh nothing; they count as others do, or none would be steep."""
    random = np.random.default_rng(5)
    X, beside = random.normal(size=(30, 60)), np.abs(random.normal(size=(30, 2)))
    y = np.sign(X[:, 0] + 0.5 * random.normal(size=30))
    problem = problem_of(MODELS["classification"], Sample(X, y, np.ones(30), np.ones(30), beside))
    assert problem.path()._steepest(2).tolist() == [62, 0]  # the first one costs nothing
    least = oracle_of(problem.model, problem.sample).baseline(0.5, 1.0)
    assert problem.path().solve(0.5, 1.0).objective == pytest.approx(least, rel=1e-6)


# What is kept for later


def test_members_that_are_many_are_forgotten(models, ends, monkeypatch):
    """Boxes are asked for by the thousand; those of the last ones are enough."""
    monkeypatch.setattr(restricted, "_MOST_MEMBERS", 1)
    kept = RestrictedRanges(models)
    nothing = np.zeros(1)
    for k in (2, 3, 2):
        found = kept.weight_range(0, Boxes(np.array([k]), nothing, nothing))
        assert ends[0, 0] - 1e-6 <= found.low.value <= found.high.value <= ends[0, 1] + 1e-6
    assert len(kept._members) == 1


# Models of least Euclidean norm


def test_a_euclidean_model_whose_steps_fail_is_an_error(models, monkeypatch):
    program = EuclideanProgram(models.X.dense(), models.pieces)
    monkeypatch.setattr(euclidean._Point, "step", singular)
    with pytest.raises(SolverError, match="least Euclidean norm"):
        program.solve(1.0)


def test_so_is_one_that_no_factor_of_the_loss_gives(models, monkeypatch):
    monkeypatch.setattr(euclidean, "_MOST_DECADES", -20)
    program = EuclideanProgram(models.X.dense(), models.pieces)
    with pytest.raises(SolverError, match="least Euclidean norm"):
        program.solve_plain(1.0)
