"""What features tell by themselves, and whether the target can be predicted at all."""

import numpy as np
import pytest
from forest_cases import classifier, table

from allrelevant.forest import alone
from allrelevant.forest.analysis import _gain_of
from allrelevant.forest.linear import linear
from allrelevant.forest.work import Work


def found(X, y, **parameters):
    gains = alone.gains(table(X, y, **parameters), Work(np.random.RandomState(0)))
    return gains.mean, gains.p_values


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_bent_relations_are_seen_and_noise_is_not(n_classes):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3))
    y = np.abs(X[:, 1])
    if n_classes:
        y = np.searchsorted(np.quantile(y, np.arange(1, n_classes) / n_classes), y)
    gain, p = found(X, y, n_classes=n_classes)
    assert p[1] < 1e-6
    assert gain[1] > 0.1
    assert p[[0, 2]].min() > 0.01


def test_being_missing_and_categories_without_order():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    gaps = np.where((y == 1) & (rng.random(300) < 0.5), np.nan, rng.standard_normal(300))
    code = np.where(rng.random(300) < 0.8, 2 * rng.integers(0, 4, 300) + y, rng.integers(0, 8, 300))
    _, p = found(np.column_stack([gaps, code]), y, categorical=[False, True])
    assert (p < 1e-6).all()


def test_level_is_kept_on_noise():
    rng = np.random.default_rng(0)
    _, p = found(rng.standard_normal((150, 400)), rng.integers(0, 2, 150))
    assert (p < 0.05).mean() < 0.05
    assert (p < 0.005).mean() < 0.01


def test_weights_count_like_rows():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 2))
    y = (X[:, 0] > 0).astype(float)
    wrong = rng.random(200) < 0.5
    y[wrong] = 1 - y[wrong]
    right, equal = np.where(wrong, 0.01, 1.0), np.ones(200)
    assert found(X, y, weight=right)[0][0] > 5 * found(X, y, weight=equal)[0][0]


def test_the_best_of_many_columns_of_noise_predicts_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((150, 60)), rng.integers(0, 2, 150)
    best = np.abs(np.corrcoef(X.T, y)[-1, :-1]).argmax()
    picked = np.arange(60) == best
    work = Work(np.random.RandomState(0))
    assert _gain_of(table(X, y), picked, linear, work).p_values[0] > 0.05 / 60
    X[:, best] += 1.5 * y
    assert _gain_of(table(X, y), picked, linear, work).p_values[0] < 0.05 / 60


@pytest.mark.slow
def test_a_feature_that_others_make_superfluous_is_weak():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((400, 2))
    hint = z[:, 0] + 1.5 * rng.standard_normal(400)
    X = np.column_stack([z, hint, rng.standard_normal((400, 2))])
    y = (z.sum(axis=1) + 0.3 * rng.standard_normal(400) > 0).astype(int)
    model = classifier(estimator="linear").fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_, [2, 2, 1, 0, 0])


@pytest.mark.slow
def test_one_clear_feature_among_noise_is_kept_even_if_trees_overfit():
    rng = np.random.default_rng(5001)
    X = rng.standard_normal((300, 20))
    y = (0.7 * X[:, 0] + rng.standard_normal(300) > 0).astype(int)
    model = classifier().fit(X, y)
    np.testing.assert_array_equal(np.flatnonzero(model.relevance_classes_), [0])
    assert model.relevance_classes_[0] == 2
