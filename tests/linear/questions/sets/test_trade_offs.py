"""How far equivalent models shift two weights against each other: full programs, and laws."""

import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from constrained_models import fitted
from estimator_cases import CASES
from every_model import EveryModel
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.linear.engine.ranges.weight_range import End
from allrelevant.linear.questions.sets.trade_offs import TradeOffs, near_pairs

KINDS = {"classification": RelevanceClassifier, "regression": RelevanceRegressor}
PROPERTY = settings(max_examples=8, deadline=None)
seeds, tasks = st.integers(0, 10_000), st.sampled_from(sorted(KINDS))


def table(seed, n=50, d=4):
    """Features of which some are noisy copies of others, and a score."""
    random = np.random.default_rng(seed)
    hidden = random.normal(size=(n, 3))
    X = hidden[:, np.arange(d) % 3] + 0.3 * random.normal(size=(n, d))
    return X, hidden @ [1.0, -1.0, 0.3] + 0.5 * random.normal(size=n)


def fit(X, score, task="classification"):
    own = {"epsilon": 0.1} if task == "regression" else {"class_weight": None}
    model = KINDS[task](C=1.0, n_probes=2, tolerance=0.1, random_state=0, **own)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no feature is strong", UserWarning)
        return model.fit(X, score if task == "regression" else score > np.median(score))


def asking(model):
    return TradeOffs(model.equivalent_models_, model.ranges_)


def matrix(model):
    """The trade-offs of all pairs."""
    ask, d = asking(model), model.n_features_in_
    found = np.eye(d)
    for j, k in combinations(range(d), 2):
        found[j, k] = found[k, j] = ask.between(j, k)
    return found


def by_full_programs(models, j, k):
    """The definition, by eight programs for scipy."""
    every, d = EveryModel(models), models.n_features

    def width(factors):
        weights = np.zeros(d)
        weights[list(factors)] = list(factors.values())
        return every.greatest(every.cost(weights)) + every.greatest(every.cost(-weights))

    a, b = width({j: 1.0}), width({k: 1.0})
    both = [width({j: 1.0 / a, k: sign / b}) for sign in (1.0, -1.0)]
    return 1.0 - min(both) / max(both)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, "privileged-classification", "privileged-regression"])
def test_trade_offs_are_those_of_full_programs(name):
    model = fitted(name)
    ask = asking(model)
    for j, k in [(0, 1), (1, 2), (0, 2)]:
        expected = by_full_programs(model.equivalent_models_, j, k)
        assert ask.between(j, k) == pytest.approx(expected, abs=1e-6)
        assert ask.between(k, j) == pytest.approx(expected, abs=1e-6)
    assert ask.solved == 24


@pytest.mark.slow
@PROPERTY
@given(seeds, tasks)
def test_a_duplicated_column_trades_all_it_has(seed, task):
    """Copies can have any two weights of the same sum, which is the weight of the one before."""
    X, score = table(seed)
    one = fit(X, score, task)
    two = fit(np.column_stack([X, X[:, 0]]), score, task)
    low, high = one.signed_intervals_[0]
    ask = asking(two)
    found = ask.between(0, X.shape[1])
    farthest = max(-low, high)
    assert found >= 1.0 - (high - low) / (2.0 * farthest) - 1e-5
    if low >= 0.0 or high <= 0.0:
        assert found >= 0.5 - 1e-5


@pytest.mark.slow
@PROPERTY
@given(seeds, tasks)
def test_columns_in_another_order_have_the_same_trade_offs(seed, task):
    X, score = table(seed)
    order = np.random.default_rng(seed).permutation(X.shape[1])
    one, other = fit(X, score, task), fit(X[:, order], score, task)
    np.testing.assert_allclose(matrix(other), matrix(one)[np.ix_(order, order)], atol=1e-6)


@pytest.mark.slow
@PROPERTY
@given(seeds, tasks, st.lists(st.sampled_from([0.01, 1.0, -3.0, 1000.0]), min_size=4, max_size=4))
def test_units_and_signs_make_no_difference(seed, task, units):
    X, score = table(seed)
    np.testing.assert_allclose(
        matrix(fit(X * units, score, task)), matrix(fit(X, score, task)), atol=1e-6
    )


@pytest.mark.slow
@pytest.mark.parametrize("n_copies", [2, 3, 5])
def test_two_copies_have_one_and_more_have_a_half(n_copies):
    random = np.random.default_rng(0)
    needed = random.normal(size=(200, 2))
    X = np.column_stack([needed, np.tile(needed[:, :1], n_copies - 1)])
    model = RelevanceRegressor(C=1.0, epsilon=0.1, n_probes=2, tolerance=0.02, random_state=0)
    model.fit(X, needed @ [1.0, 1.0] + 0.3 * random.normal(size=200))
    ask = asking(model)
    copies = [0, *range(2, n_copies + 1)]
    found = [ask.between(j, k) for j, k in combinations(copies, 2)]
    np.testing.assert_allclose(found, 1.0 if n_copies == 2 else 0.5, atol=0.1)
    assert max(ask.between(1, k) for k in copies) < 0.1, "what competes for the norm only"


def test_what_cannot_move_does_not_trade():
    X, score = table(0)
    X[:, 3] = 1.0
    ask = asking(fit(X, score))
    assert ask.between(0, 3) == ask.between(3, 0) == 0.0
    assert ask.solved == 0


def test_ends_that_the_fit_has_only_bounded_are_solved():
    known = fit(*table(1))
    expected = asking(known).between(0, 1)
    bounded = [replace(r, low=End(r.low.value - 1.0)) for r in known.ranges_]
    ask = TradeOffs(known.equivalent_models_, bounded)
    assert ask.between(0, 1) == pytest.approx(expected, abs=1e-6)
    assert ask.solved == 8


def test_pairs_are_those_that_correlate_and_the_nearest():
    random = np.random.default_rng(0)
    hidden = random.normal(size=(100, 1))
    alike = hidden + 0.1 * random.normal(size=(100, 12))
    X = np.hstack([alike, random.normal(size=(100, 10)), np.ones((100, 1))])
    found = {(j, k): value for j, k, value in near_pairs(X, np.arange(23), 0.0)}
    assert set(combinations(range(12), 2)) <= set(found), "also beyond the nearest eight"
    assert all(j < k for j, k in found)
    partners = np.bincount(np.ravel(list(found)), minlength=23)
    assert (partners >= 8).all(), "nobody is without neighbours"
    assert len(found) < 23 * 22 / 2
    for (j, k), value in found.items():
        if k < 22:
            assert value == pytest.approx(abs(np.corrcoef(X[:, j], X[:, k])[0, 1]))
    few = near_pairs(X[:, :5], np.arange(5), 0.0)
    assert [pair[:2] for pair in few] == list(combinations(range(5), 2))


def test_pairs_that_hardly_correlate_are_left_out():
    random = np.random.default_rng(0)
    hidden = random.normal(size=(200, 1))
    X = np.hstack([hidden + random.normal(size=(200, 2)), random.normal(size=(200, 2))])
    assert [pair[:2] for pair in near_pairs(X, np.arange(4), 0.3)] == [(0, 1)]


def test_columns_of_one_feature_are_not_asked_about():
    X = np.random.default_rng(0).normal(size=(30, 4))
    found = near_pairs(X, np.array([0, 0, 1, 1]), 0.0)
    assert [pair[:2] for pair in found] == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert near_pairs(X, np.zeros(4, dtype=int), 0.0) == []
    assert near_pairs(X[:, :1], np.array([0]), 0.0) == []
