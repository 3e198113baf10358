"""Probes: thresholds by hand, permuted columns, and both ways of asking for their relevance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import (
    MANY_PIECES,
    MODELS,
    encode,
    equivalent_models,
    least_objective,
    reference_norm,
    with_columns,
)
from oracle import FullProblem, relevance
from scipy import stats

from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.probes import (
    Probe,
    draw_probes,
    normal_thresholds,
    replaced_relevance,
)
from allrelevant.linear.fit.rows.sample import Sample

every_model = pytest.mark.parametrize("name", MODELS)
every_budget = pytest.mark.parametrize("budget", ["split", "joint"])


def make(name, budget="split", tolerance=0.05, *, n=60, C=0.3, noise=1.0, redundant=False):
    n = n // 2 if name in MANY_PIECES else n
    random = np.random.default_rng(list(MODELS).index(name))
    X = random.normal(size=(n, 6))
    score = X[:, :3] @ [2.0, -1.0, 0.3] + noise * random.normal(size=n)
    if redundant:
        X[:, 4:6] = X[:, 0:2] + 0.05 * random.normal(size=(n, 2))
    return equivalent_models(MODELS[name], X, encode(MODELS[name], score), C, tolerance, budget)


def problem(models, count=None, group=None):
    """What the models are models of, as far as probes need it."""
    n = len(models.X)
    count = np.ones(n) if count is None else count
    sample = Sample(models.X.dense(), np.zeros(n), count, count, group=group)
    return Problem(MODELS["classification"], sample)


# Drawing


def test_drawing_is_reproducible_and_covers_the_features():
    some = np.array([0, 1, 2, 5, 6])
    draw = lambda seed: draw_probes(200, some, np.random.RandomState(seed))  # noqa: E731
    assert draw(3) == draw(3)
    assert draw(3) != draw(4)
    assert len(draw(3)) == 200
    assert {probe.feature for probe in draw(3)} == set(some.tolist())
    assert len({probe.seed for probe in draw(3)}) > 190


def test_a_probe_is_a_permutation_of_its_column():
    models = make("classification")
    column = Probe(2, 11).column(problem(models))
    np.testing.assert_array_equal(np.sort(column), np.sort(models.X.dense()[:, 2]))
    assert not np.array_equal(column, models.X.dense()[:, 2])
    np.testing.assert_array_equal(column, Probe(2, 11).column(problem(models)))
    assert not np.array_equal(column, Probe(2, 12).column(problem(models)))


def test_counts_standardise_a_probe_anew():
    models = make("classification")
    count = np.random.default_rng(0).uniform(0.5, 4.0, len(models.X))
    column = Probe(1, 5).column(problem(models, count))
    assert np.average(column, weights=count) == pytest.approx(0.0, abs=1e-12)
    before = models.X.dense()[:, 1]
    spread = np.average((before - np.average(before, weights=count)) ** 2, weights=count)
    assert np.average(column**2, weights=count) == pytest.approx(spread)
    plain = Probe(1, 5).column(problem(models))
    assert np.corrcoef(column, plain)[0, 1] == pytest.approx(1.0)


def test_a_constant_column_gives_a_probe_of_zeros():
    models = make("classification")
    X = models.X.dense().copy()
    X[:, 4] = 0.0
    column = Probe(4, 0).column(problem(with_columns(models, X), np.arange(1.0, len(X) + 1)))
    np.testing.assert_array_equal(column, 0.0)


# Groups of rows


def grouped_column(sizes, seed=0, *, constant=True):
    """A column that is the same for all rows of a group, and the groups of shuffled rows."""
    random = np.random.default_rng(seed)
    group = random.permutation(np.repeat(np.arange(len(sizes)), sizes))
    values = random.normal(size=len(sizes))[group]
    if not constant:
        values = values + 0.01 * random.normal(size=len(group))
    return group, values


def permuted_column(values, group, seed, count=None):
    models = make("classification", n=len(values))
    X = models.X.dense().copy()
    X[:, 2] = values
    return Probe(2, seed).column(problem(with_columns(models, X), count, group))


@pytest.mark.parametrize("sizes", [[3] * 20, [1, 2, 3, 4, 5] * 4], ids=["equal", "unequal"])
@pytest.mark.parametrize("seed", range(3))
def test_probes_keep_groups_together(sizes, seed):
    group, values = grouped_column(sizes)
    column = permuted_column(values, group, seed)
    for k in range(len(sizes)):
        assert np.ptp(column[group == k]) < 1e-12, "all rows of a group get one group's values"
    assert len(np.unique(np.round(column, 9))) == len(sizes), "each group gives to one other"
    assert not np.allclose(column, values)


def test_groups_of_one_size_swap_their_values_whole():
    group, values = grouped_column([3] * 20, constant=False)
    column = permuted_column(values, group, 1)
    # Standardised anew, which is all that can differ where every value is given once.
    moved = np.sort(column)
    np.testing.assert_allclose(moved - moved.mean(), np.sort(values) - values.mean(), atol=1e-9)
    by_group = {tuple(np.sort(values[group == k] - values.mean()).round(9)) for k in range(20)}
    got = {tuple(np.sort(column[group == k]).round(9)) for k in range(20)}
    assert got == by_group


def test_a_larger_group_takes_the_values_of_a_smaller_one_several_times():
    group, values = grouped_column([1, 6], constant=False)
    for seed in range(20):
        column = permuted_column(values, group, seed)
        if np.ptp(column[group == 1]) == 0:  # the single row gave to all
            break
    else:
        pytest.fail("groups never change places")


def test_groups_that_are_missing_among_some_rows_give_nothing():
    group, values = grouped_column([3] * 20, constant=False)
    half = group % 2 == 1
    column = permuted_column(values[half], group[half], 3)
    expected = np.sort(values[half]) - values[half].mean()
    np.testing.assert_allclose(np.sort(column), expected, atol=1e-9)


def test_rows_of_a_group_are_shuffled_within_it():
    group, values = grouped_column([6, 6], constant=False)
    orders = {tuple(np.argsort(permuted_column(values, group, seed)).tolist()) for seed in range(9)}
    assert len(orders) > 4


@pytest.mark.parametrize("weighted", [False, True])
def test_a_probe_of_groups_is_standardised_as_its_column_was(weighted):
    group, values = grouped_column([1, 2, 3, 4, 5] * 4)
    count = np.random.default_rng(0).uniform(0.5, 4.0, 60) if weighted else np.ones(60)
    share = count / count.sum()
    values = values - share @ values
    column = permuted_column(values, group, 5, count)
    assert share @ column == pytest.approx(0.0, abs=1e-12)
    assert share @ column**2 == pytest.approx(share @ values**2)


@pytest.mark.slow
def test_every_group_gives_as_often_as_any_other():
    group, values = grouped_column([1, 2, 3, 4, 5])
    first = np.flatnonzero(group == 0)[0]
    columns = [permuted_column(values, group, seed) for seed in range(400)]
    # Standardising moves values but keeps their order, by which the giver is known.
    places = [int(np.searchsorted(np.unique(np.round(c, 9)), round(c[first], 9))) for c in columns]
    assert np.bincount(places, minlength=5).min() > 400 / 5 * 0.6


# The papers' thresholds


@pytest.mark.parametrize("confidence", [0.9, 0.999])
@pytest.mark.parametrize("n", [3, 10, 50])
def test_thresholds_are_the_upper_ends_of_prediction_intervals(n, confidence):
    """One more normal value would be above with the probability that noise may have."""
    values = np.random.default_rng(n).exponential(size=(n, 2))
    got = normal_thresholds(values, confidence)
    for k in range(2):
        # The distribution of one more value, given mean and spread of n normal ones.
        scale = values[:, k].std(ddof=1) * np.sqrt((n + 1) / n)
        further = stats.t(df=n - 1, loc=values[:, k].mean(), scale=scale)
        assert further.sf(got[k]) == pytest.approx(1 - confidence)


def test_thresholds_by_hand():
    # 5 % of Student's t with 2 degrees of freedom are above 2.919986.
    reach = 2.919985580355516 * np.sqrt(4 / 3)
    got = normal_thresholds([[0.0, 1.0], [0.0, 2.0], [0.0, 3.0]], 0.95)
    assert got == pytest.approx([0.0, 2 + reach])


@pytest.mark.parametrize(
    ("values", "expected"), [(np.zeros((0, 2)), [0, 0]), ([[0.1, 0.4]], [0.1, 0.4])]
)
def test_fewer_than_two_probes_have_no_spread(values, expected):
    np.testing.assert_array_equal(normal_thresholds(values, 0.999), expected)


# Beside the data


@pytest.mark.slow
@every_budget
@every_model
def test_appended_relevance_is_that_of_one_more_column(name, budget):
    models = make(name, budget)
    solver = RangeSolver(models)
    count = np.random.default_rng(0).uniform(0.5, 2.0, len(models.X))
    for probe, counts in ((Probe(0, 1), None), (Probe(4, 2), None), (Probe(1, 3), count)):
        X = np.column_stack([models.X.dense(), probe.column(problem(models, counts))])
        signed = FullProblem(X, models.pieces).signed_interval(6, models.budgets)
        got = probe.ask(solver, problem(models, counts))
        close = 1e-6 * reference_norm(models)
        np.testing.assert_allclose(got, relevance([signed])[0], rtol=0, atol=close)


# In place of the feature


def excess(models, probe, count=None):
    """How far the best model over the replaced data exceeds the budgets; negative if it fits."""
    X = models.X.dense().copy()
    X[:, probe.feature] = probe.column(problem(models, count))
    replaced = with_columns(models, X)
    if len(models.budgets) == 1:
        (joint,) = models.budgets
        return least_objective(replaced, joint.norm, joint.loss) - joint.limit, replaced
    norm, loss = models.budgets
    return least_objective(replaced, 0.0, 1.0, norm.limit) - loss.limit, replaced


def check_replaced(models, probes, count=None):
    """Compare with the oracle; gives how many probes could be used and how many could not."""
    usable = unusable = 0
    scale = max(budget.limit for budget in models.budgets)
    for probe in probes:
        over, replaced = excess(models, probe, count)
        assert not 1e-9 < over / scale < 1e-6, "too close to call: choose other data"
        got = replaced_relevance(models, problem(models, count), probe)
        if over > 1e-9 * scale:
            assert got is None, probe
            unusable += 1
            continue
        assert got is not None, probe
        full = FullProblem(replaced.X.dense(), models.pieces)
        signed = full.signed_interval(probe.feature, models.budgets)
        close = 1e-6 * reference_norm(models)
        np.testing.assert_allclose(got, relevance([signed])[0], rtol=0, atol=close)
        usable += 1
    return usable, unusable


PROBES = [Probe(feature, seed) for feature in range(6) for seed in (1, 2)]
# Every model with both tolerances and both budgets; which go together takes turns.
TURNS = [
    (name, tolerance, ("split", "joint")[(k + m) % 2])
    for k, name in enumerate(MODELS)
    for m, tolerance in enumerate((0.001, 0.05))
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tolerance", "budget"), TURNS)
def test_replaced_relevance_agrees_with_the_oracle_or_no_model_is_left(name, tolerance, budget):
    usable, unusable = check_replaced(make(name, budget, tolerance), PROBES)
    assert usable > 0
    assert unusable > 0


@pytest.mark.slow
@every_budget
@every_model
def test_a_redundant_feature_can_be_replaced(name, budget):
    """Its stand-in takes over, if at another balance of norm and loss."""
    models = make(name, budget, 0.1, redundant=True)
    used = np.flatnonzero(models.reference.weights)
    assert len(used)
    usable, _ = check_replaced(models, [Probe(int(j), 7) for j in used])
    assert usable > 0


@pytest.mark.slow
def test_replaced_relevance_with_counts():
    models = make("classification", tolerance=0.1)
    count = np.random.default_rng(0).uniform(0.5, 2.0, len(models.X))
    usable, _ = check_replaced(models, PROBES, count)
    assert usable > 0


@pytest.mark.slow
@every_budget
@every_model
def test_replaced_relevance_where_there_is_no_loss_at_all(name, budget):
    """Copies of every column: whichever is replaced, the other makes no loss either."""
    if "logistic" in name:
        pytest.skip("a loss that vanishes far away only")
    models = make(name, n=40, C=50.0, noise=0.0, tolerance=0.01)
    X = np.column_stack([models.X.dense()[:, :3], models.X.dense()[:, :3]])
    target = encode(MODELS[name], X[:, :3] @ [2.0, -1.0, 0.3])
    models = equivalent_models(MODELS[name], X, target, 50.0, 0.01, budget)
    loss = models.pieces.loss(X @ models.reference.weights, models.reference.offsets)
    assert loss < 1e-6
    used = np.flatnonzero(models.reference.weights)
    usable, unusable = check_replaced(models, [Probe(int(j), 7) for j in used])
    assert (usable, unusable) == (len(used), 0)


@every_model
def test_a_reference_that_does_without_the_feature_needs_no_other(name, monkeypatch):
    models = make(name)
    weights = models.reference.weights
    unused = int(np.flatnonzero(weights == 0)[0]) if (weights == 0).any() else None
    if unused is None:
        X = np.column_stack([models.X.dense(), np.zeros(len(models.X))])
        reference = replace(models.reference, weights=np.append(weights, 0.0))
        models, unused = replace(models, X=X, reference=reference), 6
    monkeypatch.setattr("allrelevant.linear.fit.ranges.probes.nearest_member", None)
    check_replaced(models, [Probe(unused, 3)])
