"""Programs of a fit's parts that cannot be proven: bounds that hold, or a part that is left out."""

import numpy as np
import pytest
from every_model import EveryModel, simulated_models
from helpers import MODELS, class_models

from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.optimum import SolverError, UnprovenError
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.baseline import search as search_module
from allrelevant.linear.fit.baseline.best import best_of_norm
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.ranges.norms import NormRange, climbed_norm, largest_norm, smallest_norm
from allrelevant.linear.fit.ranges.probes import Probe, surveyed
from allrelevant.linear.fit.ranges.slopes import largest_slopes
from allrelevant.linear.fit.ranges.spreads import largest_spread
from allrelevant.linear.fit.rows.sample import Sample

COLUMNS = np.array([0, 3])


@pytest.fixture(scope="module")
def models():
    return simulated_models(MODELS["classification"], tolerance=0.2)


@pytest.fixture(scope="module")
def every(models):
    return EveryModel(models)


def failing_after(n, bound=np.inf):
    """`RangeSolver.maximise_beyond` and `maximise` that have no proof from the n-th on."""
    maximise, calls = RangeSolver._proven, []

    def proven(self, candidate, direction):
        calls.append(direction)
        if len(calls) > n:
            raise UnprovenError("not proven", bound)
        return maximise(self, candidate, direction)

    return proven


def test_a_least_norm_is_bounded_from_below(models, every, monkeypatch):
    sizes = np.isin(np.arange(models.n_features), COLUMNS).astype(float)
    least = every.least(every.cost(sizes=sizes))
    assert least > 0
    solver = RangeSolver(models)
    monkeypatch.setattr(RangeSolver, "_proven", failing_after(0, -0.9 * least))
    found = smallest_norm(solver, COLUMNS)
    assert found.unproven
    assert found.value == pytest.approx(0.9 * least)
    with pytest.raises(SolverError, match="least of"):
        NormRange(found, None).witness("min")


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_largest_norm_is_bounded_from_above(n, models, every, monkeypatch):
    """Also where the optimum of some signs was found, and those that it leads to were not."""
    most = every.largest_norm(COLUMNS.tolist())
    solver, far = RangeSolver(models), np.full(2, models.largest_norm)
    monkeypatch.setattr(RangeSolver, "_proven", failing_after(n))
    found = largest_norm(solver, COLUMNS, -far, far)
    assert found.attained.value <= most + 1e-6
    assert most - 1e-6 <= found.bound <= models.largest_norm


def test_a_climb_takes_the_signs_that_can_be_proven(models, every, monkeypatch):
    most = every.largest_norm(COLUMNS.tolist())
    solver = RangeSolver(models)
    monkeypatch.setattr(RangeSolver, "_proven", failing_after(2))
    assert 0 < climbed_norm(solver, COLUMNS, np.random.default_rng(0)) <= most + 1e-6


def test_a_spread_is_bounded_by_the_multipliers_of_the_reference(monkeypatch):
    models, places = class_models(3), np.arange(3)
    exact, _ = largest_spread(RangeSolver(models), places)
    solver = RangeSolver(models)
    monkeypatch.setattr(RangeSolver, "_proven", failing_after(0))
    found, _ = largest_spread(solver, places)
    assert found.unproven
    assert found.value >= exact.value - 1e-6


def test_a_survey_without_a_proof_tells_nothing(monkeypatch):
    class Noise:
        def noise(self, *_):
            return np.zeros(0)

        def columns_of(self, values, privileged):
            column = np.linspace(-1.0, 1.0, len(models.X))
            return [(column * (k + 1), 0) for k in range(3)]

    models = class_models(3)
    monkeypatch.setattr(RangeSolver, "_proven", failing_after(0))
    assert surveyed(models, Noise(), Probe(0, 0)) is None


def test_without_a_c_that_all_folds_have_a_model_at_there_is_no_fit(monkeypatch):
    random = np.random.default_rng(0)
    X, beside = random.normal(size=(20, 2)), np.abs(random.normal(size=(20, 1)))
    sample = Sample(X, np.sign(X[:, 0]), np.ones(20), np.ones(20), beside)
    monkeypatch.setattr(search_module, "_try", lambda trials, *_: [[] for _ in trials])
    with pytest.raises(SolverError, match="no C could be found"):
        search_module._pick_privileged(
            MODELS["classification"], sample, np.array([1.0]), Plan(), None
        )


def test_a_slope_without_a_proof_is_what_need_not_be_known(models, monkeypatch):
    solver, least = RangeSolver(models), np.array([0.1, 0.2])
    places, factors = COLUMNS[:, None], np.eye(2)
    exact = largest_slopes(solver, places, factors, least)
    assert (exact > least).all()
    monkeypatch.setattr(RangeSolver, "_proven", failing_after(0))
    np.testing.assert_array_equal(largest_slopes(solver, places, factors, least), least)


def test_the_best_of_a_norm_is_the_last_that_could_be_solved_for(monkeypatch):
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3))
    target = np.where(X[:, 0] + random.normal(size=40) > 0, 1.0, -1.0)
    problem = problem_of(MODELS["classification"], Sample(X, target, np.ones(40), np.ones(40)))
    solve, largest = PenalisedPath.solve, 0.03

    def fails_beyond(self, C, side_price=1.0):
        if largest < C:
            raise SolverError("not proven")
        return solve(self, C, side_price)

    wanted = problem.path().solve(1.0).norm
    monkeypatch.setattr(PenalisedPath, "solve", fails_beyond)
    found = best_of_norm(problem, wanted)
    assert 0.0 < found.C <= largest
    assert found.norm < wanted
