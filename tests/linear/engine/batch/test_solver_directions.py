"""Directions of several weights: with penalties, one after the other, and after guests."""

import numpy as np
import pytest
from helpers import MODELS, encode, equivalent_models, guest_reach
from oracle import FullProblem

from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.simplex.highs import GrowingProgram

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def simulated(model, n=60, d=6, **settings):
    random = np.random.default_rng(3)
    X = random.normal(size=(n, d))
    X[:, 1] = X[:, 0] + 0.2 * random.normal(size=n)
    score = X[:, 0] - X[:, 2] + 0.5 * random.normal(size=n)
    return equivalent_models(model, X, encode(model, score), 1.0, 0.1, **settings)


def greatest(models, factors, penalties=0.0):
    """The same by the full program."""
    full = FullProblem(models.X.dense(), models.pieces)
    extra = np.array([b.norm * full.norm + b.loss * full.loss for b in models.budgets])
    rows = np.vstack([full.rows.toarray(), extra])
    cost = np.zeros(rows.shape[1])
    cost[: full.d], cost[full.d : 2 * full.d] = penalties - factors, penalties + factors
    return -full._solve(cost, rows, np.append(full.limits, models.limits)).fun


@every_model
@pytest.mark.parametrize("solver", ["auto", "interior"])
def test_penalties_are_subtracted_from_the_absolute_weights(model, solver):
    models = simulated(model)
    solver = RangeSolver(models, solver=solver)
    factors = np.array([1.0, -0.5, 0.0, 2.0, 0.3, 0.0])
    penalties = np.array([0.2, 0.0, 3.0, 1.0, 0.3, 0.5])
    found = solver.maximise(Direction(np.arange(6), factors, penalties=penalties))
    assert found.value == pytest.approx(greatest(models, factors, penalties), abs=1e-6)
    size = np.abs(found.weights)
    assert found.value == pytest.approx(factors @ found.weights - penalties @ size, abs=1e-9)


@every_model
def test_the_least_norm_of_one_feature_is_its_smallest_relevance(model):
    models = simulated(model)
    solver = RangeSolver(models)
    for feature in range(6):
        least = solver.maximise(Direction.least_norm(np.array([feature]))).value
        smallest, _ = solver.weight_range(feature).relevance
        assert -least == pytest.approx(smallest, abs=1e-6)


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_many_directions_with_guests_in_between(model, budget):
    """A guest comes and goes, which makes earlier bases useless; the answers stay right."""
    models = simulated(model, budget=budget)
    solver = RangeSolver(models, solver="simplex")
    random = np.random.default_rng(0)
    for k in range(12):
        factors = random.normal(size=6)
        found = solver.maximise(Direction(np.arange(6), factors))
        assert found.value == pytest.approx(greatest(models, factors), abs=1e-6)
        if k % 4 == 3:
            guest_reach(solver, random.permutation(models.X.dense()[:, 0]))


def test_a_kept_basis_grows_with_the_program_and_ends_with_a_removal():
    program = GrowingProgram()
    ones = np.ones(2)
    (first, second) = program.add_columns(-ones, 0.0, 2.0, np.zeros(0, np.int32), np.zeros((2, 0)))
    program.add_rows(-np.inf, 3.0, np.array([first, second]), ones[None])
    assert program.solve("primal")
    kept = program.keep()
    program.add_columns(-ones[:1], 0.0, 2.0, np.array([0], np.int32), np.ones((1, 1)))
    program.add_rows(-np.inf, 1.0, np.array([first]), np.ones((1, 1)))
    assert program.resume(kept)
    assert program.solve("dual")
    values, _ = program.solution()
    assert values.sum() == pytest.approx(3.0)
    assert values[0] <= 1.0
    program.delete_columns(np.array([2], dtype=np.int32))
    assert not program.resume(kept)
