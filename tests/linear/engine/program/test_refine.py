"""Columns that nearly agree: right answers are proven, wrong ones are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS, encode, equivalent_models, oracle_ends
from oracle import FullProblem

from allrelevant.linear.engine.baseline import penalised as penalised_module
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.optimum import Candidate
from allrelevant.linear.engine.program.refine import refined
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.simplex import solver as simplex_module
from allrelevant.linear.engine.simplex.highs import GrowingProgram

HARD = [
    ("regression-eps0", 4),
    ("regression-eps0", 9),
    ("regression-eps0.3", 0),
    ("regression-eps0.3", 2),
    ("classification", 3),
    ("ordinal-explicit", 30),
]


def near_copies(name, seed, apart=1e-5):
    """Two columns, four times over, that differ by very little."""
    random = np.random.default_rng(seed)
    sources = random.normal(size=(60, 2))
    X = np.hstack([sources + apart * random.normal(size=sources.shape) for _ in range(4)])
    score = sources @ [1.0, -0.5] + 0.3 * random.normal(size=60)
    return X, encode(MODELS[name], score)


def by_weights(X, pieces):
    """A path by programs of the weights, as where pieces are hard or norms are several."""
    path = PenalisedPath(X, pieces)
    path._boxed = path._null = None
    return path


@pytest.mark.parametrize(("name", "seed"), HARD)
def test_baselines_of_near_copies_are_proven_at_once(monkeypatch, name, seed):
    X, target = near_copies(name, seed)
    pieces = MODELS[name].pieces(target, np.ones(len(X)))
    solve, colds = GrowingProgram.solve, []

    def spy(self, method, *, cold=False):
        colds.append(cold)
        return solve(self, method, cold=cold)

    monkeypatch.setattr(GrowingProgram, "solve", spy)
    expected = np.dot(FullProblem(X, pieces).baseline(300.0), [1.0, 300.0])
    assert by_weights(X, pieces).solve(300.0).objective == pytest.approx(expected, rel=1e-7)
    assert not any(colds)
    # These need it: the dual simplex's own multipliers prove too little.
    monkeypatch.setattr(penalised_module, "refined", lambda candidate: candidate)
    by_weights(X, pieces).solve(300.0)
    assert any(colds)


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("apart", [1e-6, 1e-4])
@pytest.mark.parametrize("name", ["regression-eps0.3", "classification", "ordinal-explicit"])
def test_ranges_of_near_copies_agree_with_the_oracle(name, apart, budget):
    X, target = near_copies(name, 1, apart)
    models = equivalent_models(MODELS[name], X, target, 3.0, 0.05, budget)
    found = RangeSolver(models).ranges(range(X.shape[1]))
    ends = np.array([[r.low.value, r.high.value] for r in found])
    unit = np.abs(models.reference.weights).sum()
    np.testing.assert_allclose(ends, oracle_ends(models)[0], atol=1e-6 * unit)


def proposed(budget="split"):
    """A proven candidate, and the path it came from."""
    X, target = near_copies("regression-eps0.3", 1, 1e-3)
    models = equivalent_models(MODELS["regression-eps0.3"], X, target, 3.0, 0.05, budget)
    solver = RangeSolver(models, solver="simplex")
    solver.maximise(Direction.weight(0, 1))
    candidate = solver._solve(Direction.weight(0, 1))
    assert candidate.is_proven
    return candidate


@pytest.mark.parametrize("budget", ["split", "joint"])
def test_errors_of_multipliers_and_of_the_model_are_mended(budget):
    candidate = proposed(budget)
    random = np.random.default_rng(0)
    inside = candidate.pieces > 0
    noise = 1e-5 * inside * random.uniform(-1.0, 1.0, len(inside))
    off = replace(candidate.multipliers, pieces=np.maximum(candidate.pieces + noise, 0.0))
    worse = replace(candidate, multipliers=off, offsets=candidate.offsets + 1e-7)
    assert not worse.is_proven
    mended = refined(worse)
    assert mended.is_proven
    # Both are proven to be within that of the largest value.
    assert mended.value == pytest.approx(candidate.value, abs=2.0 * candidate.models.accuracies[0])


def test_a_model_that_is_not_optimal_stays_unproven():
    candidate = proposed()
    wrong = replace(candidate, weights=0.9 * candidate.weights)
    assert not wrong.is_proven
    assert not refined(wrong).is_proven


def test_a_model_beyond_its_budgets_stays_unproven():
    candidate = proposed()
    wrong = replace(candidate, weights=1.1 * candidate.weights)
    assert not refined(wrong).is_proven


def test_the_bound_counts_multipliers_that_fit_badly():
    candidate = proposed()
    twice = replace(candidate.multipliers, pieces=2.0 * candidate.multipliers.pieces)
    assert replace(candidate, multipliers=twice).bound > candidate.bound + 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_a_solver_with_inexact_multipliers_will_do(monkeypatch, budget):
    X, target = near_copies("regression-eps0.3", 2, 1e-3)
    models = equivalent_models(MODELS["regression-eps0.3"], X, target, 3.0, 0.05, budget)
    solution, random = GrowingProgram.solution, np.random.default_rng(0)

    def inexact(self):
        values, duals = solution(self)
        return values, duals * (1.0 + 1e-5 * random.uniform(-1.0, 1.0, len(duals)))

    monkeypatch.setattr(GrowingProgram, "solution", inexact)
    found = RangeSolver(models, solver="simplex").ranges(range(X.shape[1]))
    ends = np.array([[r.low.value, r.high.value] for r in found])
    unit = np.abs(models.reference.weights).sum()
    np.testing.assert_allclose(ends, oracle_ends(models)[0], atol=1e-6 * unit)
    monkeypatch.setattr(simplex_module, "refined", lambda candidate: candidate)
    found = RangeSolver(models, solver="simplex").ranges(range(X.shape[1]))
    assert not all(one.is_exact for one in found)


def test_what_is_in_doubt_is_solved_as_strictly_as_can_be_at_last(monkeypatch):
    # A loss next to nothing: a few digits more decide (found among near copies, 184 rows).
    X, target = near_copies("regression-eps0.3", 2, 1e-3)
    models = equivalent_models(MODELS["regression-eps0.3"], X, target, 3.0, 0.05)
    solver = RangeSolver(models, solver="simplex")
    expected = solver.maximise(Direction.weight(0, 1)).value
    solve, be_strict, strict = GrowingProgram.solve, GrowingProgram.be_strict, [False]

    def only_if_strict(self, method, *, cold=False):
        return strict[0] and solve(self, method, cold=cold)

    def spy(self, on):
        strict[0] = on
        be_strict(self, on)

    monkeypatch.setattr(GrowingProgram, "solve", only_if_strict)
    monkeypatch.setattr(GrowingProgram, "be_strict", spy)
    assert solver.maximise(Direction.weight(0, 1)).value == pytest.approx(expected, abs=1e-7)
    assert strict == [False]


def test_what_is_proven_to_the_last_digit_said_is_an_answer(monkeypatch):
    """Rounding may leave no better proof; what is farther off is none."""
    X, target = near_copies("classification", 3, apart=0.1)
    models = equivalent_models(MODELS["classification"], X, target, 3.0, 0.05)
    expected = RangeSolver(models).weight_range(0)
    solved, calls = simplex_module.SimplexPath._solved, []

    def spy(self, *args, **settings):
        calls.append(args)
        return solved(self, *args, **settings)

    monkeypatch.setattr(simplex_module.SimplexPath, "_solved", spy)
    monkeypatch.setattr(Candidate, "is_proven", False)
    found = RangeSolver(models).weight_range(0)
    assert found.high.value == pytest.approx(expected.high.value, abs=1e-6)
    assert found.low.value == pytest.approx(expected.low.value, abs=1e-6)
    assert len(calls) == 4, "each end once more from scratch, and no more often"
    monkeypatch.setattr(Candidate, "is_usable", False)
    assert not RangeSolver(models).weight_range(0).is_exact
