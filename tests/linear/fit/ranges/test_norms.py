"""The norm of some columns against one full linear program per pattern of signs."""

from itertools import product

import numpy as np
import pytest
from every_model import EveryModel, privileged_models, simulated_models
from helpers import MODELS, encode, equivalent_models

from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.ranges.norms import NormRange, climbed_norm, largest_norm, smallest_norm

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def ends(solver, columns):
    return np.array([(r.low.value, r.high.value) for r in solver.ranges(columns)]).T


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_both_ends_are_those_of_the_full_programs(model, budget):
    models = simulated_models(model, tolerance=0.2, budget=budget)
    every, solver = EveryModel(models), RangeSolver(models)
    for columns in ([0, 3], [1, 2, 4], [0, 1, 2, 3, 4, 5]):
        chosen = np.array(columns)
        sizes = np.isin(np.arange(6), columns).astype(float)
        least = every.least(every.cost(sizes=sizes))
        assert smallest_norm(solver, chosen).value == pytest.approx(least, abs=1e-6)
        most = largest_norm(solver, chosen, *ends(solver, chosen))
        assert most.is_exact
        assert most.bound == pytest.approx(every.largest_norm(columns), abs=1e-6)


def test_side_information_may_stand_beside():
    models = privileged_models(tolerance=0.3)
    every, solver = EveryModel(models), RangeSolver(models)
    columns = np.array([0, 3])
    sizes = np.array([1.0, 0, 0, 1.0, 0, 0, 0])
    assert smallest_norm(solver, columns).value == pytest.approx(
        every.least(every.cost(sizes=sizes)), abs=1e-6
    )
    most = largest_norm(solver, columns, *ends(solver, columns))
    assert most.bound == pytest.approx(every.largest_norm([0, 3]), abs=1e-6)
    larger = models.beside(models.X.dense()[::-1, :2])
    assert larger.n_features == models.n_features + 2
    assert larger.kinds.tolist() == [*models.kinds, 0, 0]


def test_copies_beside_cost_what_columns_of_their_kind_do():
    models = privileged_models(tolerance=0.3)
    copies = np.roll(models.X.dense()[:, 4:6], 7, axis=0)
    larger = models.beside(copies, like=4)
    assert larger.kinds.tolist() == [*models.kinds, 1, 1]
    places = models.n_features + np.arange(2)
    found = climbed_norm(RangeSolver(larger), places, np.random.default_rng(0))
    assert found == pytest.approx(EveryModel(larger).largest_norm(places), abs=1e-6)
    assert found <= larger.largest_norms[1] + 1e-6


@every_model
def test_loose_bounds_on_the_weights_give_the_same_largest_norm(model):
    models = simulated_models(model, tolerance=0.2)
    solver, columns = RangeSolver(models), np.arange(3)
    wide = np.full(3, 2.0 * models.largest_norm)
    tight = largest_norm(solver, columns, *ends(solver, columns))
    loose = largest_norm(solver, columns, -wide, wide)
    assert loose.bound == pytest.approx(tight.bound, abs=1e-6)


def test_with_too_many_patterns_the_answer_is_a_bound_and_says_so():
    models = simulated_models(MODELS["classification"], tolerance=0.5)
    solver, columns = RangeSolver(models), np.array([1, 2, 4])
    exact = largest_norm(solver, columns, *ends(solver, columns))
    wide = np.full(3, models.largest_norm)
    cut_short = largest_norm(solver, columns, -wide, wide, most_programs=1)
    assert not cut_short.is_exact
    assert cut_short.attained.value <= exact.attained.value + 1e-6 <= cut_short.bound + 2e-6


def test_a_range_of_norms_reads_like_that_of_a_weight():
    models = simulated_models(MODELS["classification"], tolerance=0.2)
    solver, columns = RangeSolver(models), np.array([0, 1])
    largest = largest_norm(solver, columns, *ends(solver, columns))
    found = NormRange(smallest_norm(solver, columns), largest)
    assert found.relevance == (found.smallest.value, largest.bound)
    assert np.isnan(found.ends).all(), "several weights have no common sign"
    for bound, value in zip(("min", "max"), found.relevance, strict=True):
        weights = found.witness(bound).weights(models.n_features)
        assert np.abs(weights[columns]).sum() == pytest.approx(value, abs=1e-6)


def with_levels(model, budget="split"):
    """Equivalent models of two columns and a category of three levels, which mean nothing."""
    random = np.random.default_rng(0)
    X, level = random.normal(size=(60, 2)), random.integers(3, size=60)
    table = np.column_stack([X, level[:, None] == np.arange(3)])
    y = encode(model, X[:, 0] + 0.5 * random.normal(size=60))
    return equivalent_models(model, table, y, 1.0, 0.5, budget)


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_every_program_bounds_the_sum_whatever_the_signs(model, budget):
    models, columns = with_levels(model, budget), np.arange(2, 5)
    solver, largest = RangeSolver(models), EveryModel(models).largest_norm([2, 3, 4])
    found = [
        solver.maximise(Direction(columns, np.array(signs))).bound_of_norm
        for signs in product((1.0, -1.0), repeat=3)
    ]
    assert largest - 1e-6 <= min(found) <= models.largest_norm
    if largest < 0.9 * models.largest_norm:
        assert min(found) < models.largest_norm, "a bound that says something"


def test_one_program_settles_levels_that_make_up_all_samples():
    models, columns = with_levels(MODELS["classification"]), np.arange(2, 5)
    expected = pytest.approx(EveryModel(models).largest_norm([2, 3, 4]), abs=1e-6)
    solver, far = RangeSolver(models), np.full(3, models.largest_norm)
    assert largest_norm(solver, columns, -far, far).bound == expected
    assert solver.solved == 1
    assert climbed_norm(RangeSolver(models), columns, np.random.default_rng(0)) == expected
