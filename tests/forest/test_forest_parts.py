"""The steps of the analysis, one by one."""

import numpy as np
import pytest
from forest_cases import table
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import StandardScaler

from allrelevant.forest.closure import mixes
from allrelevant.forest.clusters import clusters, rank_correlations
from allrelevant.forest.conditional import Levels, Numbers, Predictor
from allrelevant.forest.groups import groups
from allrelevant.forest.learners import (
    LightGBM,
    boosted_trees,
    histogram_boosting,
    learner,
    random_forest,
)
from allrelevant.forest.linear import linear, linear_part, product_part, products
from allrelevant.forest.models import Model, constant
from allrelevant.forest.needed import _classes
from allrelevant.forest.preparation import Standardised
from allrelevant.forest.sample import column_order, folds, halves, observations
from allrelevant.forest.score import _Tail
from allrelevant.forest.swaps import holm, joint_rises, mean_rises, rises, shuffled
from allrelevant.forest.task import Task

# Targets and their losses


def test_losses_by_formula():
    classes = Task("classification", 3)
    probabilities = np.array([[0.2, 0.5, 0.3], [0.0, 0.0, 1.0]])
    np.testing.assert_allclose(
        classes.losses(probabilities, np.array([1.0, 0.0])), [-np.log(0.5), -np.log(1e-3)]
    )
    numbers = Task("regression")
    np.testing.assert_allclose(
        numbers.losses(np.array([1.0, 2.0]), np.array([0.0, 2.5])), [1, 0.25]
    )


def test_constant_prediction_is_the_best_one():
    target, weight = np.array([0.0, 0.0, 1.0]), np.array([1.0, 1.0, 2.0])
    task = Task("classification", 2)
    np.testing.assert_allclose(task.constant(target, weight), [[0.5, 0.5]])
    assert task.constant_loss(target, weight) == pytest.approx(np.log(2))
    assert Task("regression").constant_loss(target, weight) == pytest.approx(0.25)


# Rows and columns


@given(seed=st.integers(0, 10**6), n=st.integers(4, 60), n_classes=st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_splits_are_partitions_with_equal_shares_of_the_classes(seed, n, n_classes):
    y = np.random.default_rng(seed).integers(0, n_classes, n)
    data = table(np.zeros((n, 1)), y, n_classes)
    learn, judge = halves(data, 0.632, seed)
    np.testing.assert_array_equal(np.sort(np.append(learn, judge)), np.arange(n))
    for c in range(n_classes):
        assert abs((y[learn] == c).sum() - 0.632 * (y == c).sum()) <= 1.5
    parts = folds(data, 3, seed)
    judged = np.concatenate([judge for _, judge in parts])
    np.testing.assert_array_equal(np.sort(judged), np.arange(n))
    for learn, judge in parts:
        assert not np.intersect1d(learn, judge).size


def test_copies_of_continuous_rows_become_one_row():
    X = np.random.default_rng(0).standard_normal((10, 2))
    rows = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    data, count = observations(table(X[rows], np.arange(10)[rows] % 2), np.ones(13))
    assert data.n_samples == 10
    assert sorted(count) == [1] * 8 + [2, 3]


def test_equal_discrete_rows_stay_apart():
    X = np.random.default_rng(0).integers(0, 2, (60, 3)).astype(float)
    data, count = observations(table(X, X[:, 0]), np.full(60, 2.0))
    assert data.n_samples == 120
    assert (count == 1).all()


def test_order_of_columns_follows_their_values():
    X = np.random.default_rng(0).standard_normal((20, 5))
    moved = [3, 1, 4, 0, 2]
    np.testing.assert_array_equal(X[:, column_order(X)], X[:, moved][:, column_order(X[:, moved])])


# Clusters and mixes


def test_rank_correlations_agree_with_scipy_and_skip_categories():
    X = np.random.default_rng(0).standard_normal((50, 4))
    X[:, 1] = np.exp(X[:, 0])
    found = rank_correlations(X, np.array([False, False, False, True]))
    expected = np.abs(stats.spearmanr(X[:, :3]).statistic)
    np.testing.assert_allclose(found[:3, :3], expected, atol=1e-12)
    assert found[0, 1] == pytest.approx(1.0)
    np.testing.assert_array_equal(found[3], [0, 0, 0, 1])


def test_rank_correlations_with_missing_values_stay_in_range():
    X = np.random.default_rng(0).standard_normal((50, 3))
    X[:, 1] = X[:, 0]
    X[::3, 1] = np.nan
    found = rank_correlations(X, np.zeros(3, dtype=bool))
    assert 0.7 < found[0, 1] <= 1.0


def test_clusters_gather_near_copies():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((200, 3))
    X = np.column_stack([z, -z[:, 0] + 0.1 * rng.standard_normal(200), z[:, 0] ** 3])
    label = clusters(rank_correlations(X, np.zeros(5, dtype=bool)), 0.9)
    assert label[0] == label[3] == label[4]
    assert len(np.unique(label)) == 3
    assert clusters(np.ones((1, 1)), 0.9).tolist() == [0]


def test_parts_of_a_relevant_sum_are_brought_in():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((200, 4))
    data = table(np.column_stack([z, z[:, 0] + z[:, 1]]), np.zeros(200))
    confirmed = np.array([False, False, False, False, True])
    np.testing.assert_array_equal(mixes(data, confirmed, np.ones(5)), [4, 4, -1, -1, -1])
    few = table(data.X[:12], np.zeros(12))
    np.testing.assert_array_equal(mixes(few, confirmed, np.ones(5)), np.full(5, -1))


def test_a_part_of_two_sums_goes_with_the_one_that_brings_more():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((300, 3))
    data = table(np.column_stack([z, z[:, 0] + z[:, 1], z[:, 0] + z[:, 2]]), np.zeros(300))
    confirmed = np.array([False, False, False, True, True])
    brings = np.array([0, 0, 0, 0.3, 0.2])
    assert mixes(data, confirmed, brings)[0] == 3
    assert mixes(data, confirmed, brings[[0, 1, 2, 4, 3]])[0] == 4


# Exchanged columns


@pytest.mark.slow
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.sampled_from([0, 2, 3]),
    missing=st.booleans(),
    kind=st.sampled_from(
        [LightGBM(20), LightGBM(20, linear_part), LightGBM(20, product_part), random_forest]
    ),
)
@settings(max_examples=25, deadline=None)
def test_exchange_in_trees_is_exact(seed, n_classes, missing, kind):
    rng = np.random.default_rng(seed)
    X = np.round(rng.standard_normal((60, 4)), 1)
    y = X[:, 0] * X[:, 1] + X[:, 2]
    if n_classes:
        y = np.searchsorted(np.quantile(y, np.arange(1, n_classes) / n_classes), y)
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
    data = table(X, y, n_classes)
    model = kind(data, seed)
    other = rng.permuted(X, axis=0)
    np.testing.assert_allclose(
        model.exchanged(X, other), Model.exchanged(model, X, other), atol=1e-9
    )


@pytest.mark.parametrize(
    "kind",
    [linear, products, histogram_boosting, boosted_trees(), random_forest],
    ids=["linear", "products", "histogram", "boosted", "forest"],
)
@pytest.mark.parametrize("categorical", [False, True])
def test_exchange_by_every_learner(kind, categorical):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 4, 120), rng.standard_normal((120, 2))])
    data = table(X, (X[:, 0] % 2 == 0) ^ (X[:, 1] > 0), categorical=[categorical, False, False])
    model = kind(data, 0)
    other = rng.permuted(X, axis=0)
    found = model.exchanged(X, other)
    for j in range(3):
        swapped = X.copy()
        swapped[:, j] = other[:, j]
        np.testing.assert_allclose(found[j], model.predict(swapped), atol=1e-12)


def test_rises_by_hand():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 3))
    data = table(X, X[:, 0] + X[:, 1], 0)
    model = linear(data, 0)
    other = shuffled(X, 1)
    for column in range(3):
        np.testing.assert_array_equal(np.sort(other[:, column]), np.sort(X[:, column]))
    rise = rises(model, data, other).mean(axis=1)
    assert rise[0] > 1.0
    assert rise[1] > 1.0
    assert abs(rise[2]) < 0.01
    donors = rng.permutation(80)
    both = joint_rises(model, data, [np.array([0, 1])], donors)
    expected = (X[donors, 0] + X[donors, 1] - X[:, 0] - X[:, 1]) ** 2
    np.testing.assert_allclose(both[0], expected, atol=0.5)


def test_columns_are_prepared_as_by_scikit_learn():
    rng = np.random.default_rng(0)
    X = 5.0 + rng.standard_normal((40, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    X[:, 2], X[:, 3] = 0.1, np.nan
    steps = SimpleImputer(strategy="median", keep_empty_features=True)
    expected = StandardScaler().fit_transform(steps.fit_transform(X))
    np.testing.assert_allclose(Standardised().fit(X).transform(X), expected, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [0, 2])
def test_forests_of_scikit_learn(n_classes):
    X = np.random.default_rng(0).standard_normal((80, 2))
    data = table(X, X[:, 0] > 0, n_classes)
    model = learner("forest", data.task)(data, 0)
    assert data.task.losses(model.predict(X), data.target).mean() < 0.2
    assert rises(model, data, shuffled(X, 0)).mean(axis=1).argmax() == 0


def test_nothing_to_learn_from_gives_a_constant():
    data = table(np.ones((10, 2)), np.ones(10))
    for kind in (linear, products, LightGBM(), random_forest, histogram_boosting):
        predicted = kind(data, 0).predict(np.zeros((3, 2)))
        np.testing.assert_array_equal(predicted, np.tile([0.0, 1.0], (3, 1)))
    assert constant(data).exchanged(data.X, data.X).shape == (2, 10, 2)


# Tests of significance


def test_p_values_agree_with_scipy():
    rise = np.random.default_rng(0).standard_normal((3, 40)) + 0.2
    found = mean_rises(rise, np.ones(40))
    expected = stats.ttest_1samp(rise, 0.0, axis=1, alternative="greater")
    np.testing.assert_allclose(found.mean, rise.mean(axis=1))
    np.testing.assert_allclose(found.p_values, expected.pvalue, rtol=0.1)
    np.testing.assert_allclose(found.limits(found.p_values), found.mean)


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_by_its_definition(p):
    values = np.array(p)
    k = len(values)
    for j, adjusted in enumerate(holm(values)):
        smaller = [(k - rank) * q for rank, q in enumerate(np.sort(values)) if q <= values[j]]
        assert adjusted == pytest.approx(min(1.0, max(smaller)))


def test_tail_of_the_shadows():
    null = np.random.default_rng(0).exponential(1.0, 4000)
    tail = _Tail.of(null)
    x = np.array([np.nan, 0.0, 3.0, 6.0])
    p = tail.p_values(x)
    assert p[0] == p[1] == 1.0
    np.testing.assert_allclose(p[2:], np.exp(-x[2:]), rtol=0.3)
    assert tail.p_values(np.array([tail.quantile(0.001)]))[0] == pytest.approx(0.001)
    assert (np.diff(tail.p_values(np.linspace(-1, 8, 200))) <= 1e-12).all()
    for p in (0.01, 0.2, 0.5, 0.9):
        limit = tail.quantile(p)
        assert tail.p_values(np.array([limit - 1e-9]))[0] >= p
        assert tail.p_values(np.array([limit + 1e-3]))[0] < p


def test_classes_from_the_numbers():
    r2 = np.array([0.1, 0.9, 0.9])
    for others_say_little in (0, 1, 2):
        found = _classes(r2, np.array([True, True, False]), np.full(3, others_say_little))
        np.testing.assert_array_equal(found, [others_say_little, 2, 1])


# Features from features


def test_prediction_of_a_feature_and_draws_from_its_distribution():
    rng = np.random.default_rng(0)
    u, v = rng.standard_normal((2, 500))
    data = table(np.column_stack([u, u**2, v, u + 0.01 * v]), np.zeros(500))
    predictor = Predictor(data)
    found = [predictor((j, 0)) for j in range(4)]
    assert all(isinstance(conditional, Numbers) for conditional in found)
    assert found[0].r2 > 0.99
    assert found[1].r2 > 0.7
    drawn = found[0].draw(np.arange(500), rng)
    np.testing.assert_allclose(drawn, u, atol=0.1)
    alone = Predictor(data.columns(np.array([2])))((0, 0))
    assert alone.r2 == 0.0
    np.testing.assert_allclose(np.sort(alone.draw(np.arange(500), rng)), np.sort(v))


def test_few_values_are_drawn_from_their_probabilities():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 3, 600).astype(float)
    linked = np.where(rng.random(600) < 0.1, rng.integers(0, 3, 600), a)
    data = table(np.column_stack([a, linked, rng.integers(0, 3, 600)]), np.zeros(600))
    found = Predictor(data)((0, 0))
    assert isinstance(found, Levels)
    assert 0.6 < found.r2 < 0.95
    drawn = found.draw(np.arange(600), rng)
    assert set(drawn) <= {0.0, 1.0, 2.0}
    assert (drawn == a).mean() > 0.75
    assert Predictor(data)((2, 0)).r2 < 0.05


def test_missing_values_are_drawn_too():
    rng = np.random.default_rng(0)
    column = rng.standard_normal(300)
    column[::4] = np.nan
    found = Predictor(table(np.column_stack([column, rng.standard_normal(300)]), np.zeros(300)))(
        (0, 0)
    )
    assert np.isnan(found.draw(np.arange(300), rng)).sum() == 75


# Groups


def test_groups_of_copies_and_of_sums():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((400, 4))
    X = np.column_stack([z[:, 0], -z[:, 0], z[:, 1], z[:, 2], z[:, 1] + z[:, 2], z[:, 3]])
    y = (z[:, 0] + z[:, 1] + z[:, 2] > 0).astype(int)
    classes = np.array([1, 1, 1, 1, 1, 2])
    found = groups(table(X, y), classes, 0.9, boosted_trees(), 0)
    assert sorted(group.features for group in found) == [(0, 1), (2, 3, 4)]
    assert all(group.p_value < 1e-6 for group in found)
    assert groups(table(X, y), np.zeros(6, dtype=int), 0.9, boosted_trees(), 0) == []
