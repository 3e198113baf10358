"""Many measurements of one thing, none of which adds to the others."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.linear.fit.conditional.shared import p_values_if_shared
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.noise import Shapes, Tail
from allrelevant.linear.fit.statistics.verdict import ConditionalPValues, judge, limits_at


def shared(X, y, found=()):
    """p-values beside columns that were found."""
    once = np.ones(len(y))
    scale = X.std(axis=0)
    return p_values_if_shared(
        [Sample(X, y, once, once)], scale, np.isin(np.arange(X.shape[1]), found)
    )


def by_permutation(column, residuals, random, n=20_000):
    """How often the values of a column go with numbers as much in another order."""
    residuals = residuals - residuals.mean()
    orders = random.permuted(np.tile(column, (n, 1)), axis=1)
    return np.mean(np.abs(orders @ residuals) >= abs(column @ residuals))


@pytest.fixture(scope="module")
def measured():
    """Ten measurements of one thing, another effect, a column like that one, and noise."""
    random = np.random.default_rng(30)
    thing, X = random.standard_normal(250), random.standard_normal((250, 30))
    X[:, :10] += 0.6 * thing[:, None]
    X[:, 11] = 0.6 * X[:, 10] + 0.8 * X[:, 11]
    return X, 0.7 * thing + X[:, 10] + random.standard_normal(250)


def test_measurements_of_one_thing_stand_out_and_what_a_found_one_explains_does_not(measured):
    X, y = measured
    nothing_found, one_found = shared(X, y), shared(X, y, [10])
    assert (nothing_found[:12] < 0.05).all()
    assert (one_found[:10] < 0.01).all()
    assert nothing_found[11] < 1e-4, "it goes with the target by itself"
    assert one_found[11] > 0.004, "and the found one explains why"
    assert (one_found[12:] > 0.004).all()


def test_they_are_the_p_values_of_permutations(measured):
    X, y = measured
    random = np.random.default_rng(31)
    left = y - np.polyval(np.polyfit(X[:, 10], y, 1), X[:, 10])
    for k in (0, 3, 11, 20, 29):
        alone, beside = (by_permutation(X[:, k], numbers, random) for numbers in (y, left))
        expected = max(min(2.0 * min(alone, beside), 1.0), beside / 25.0)
        assert shared(X, y, [10])[k] == pytest.approx(expected, rel=0.15, abs=2e-4), k


def test_noise_has_small_p_values_no_more_often_than_it_may():
    random = np.random.default_rng(32)
    p = []
    for _ in range(25):
        X = random.standard_normal((120, 60))
        X[:, 30:] = random.random((120, 30)) < 0.1
        p.append(shared(X, X[:, :3].sum(axis=1) + random.exponential(size=120), [0, 1])[3:])
    p = np.concatenate(p)
    for level in (0.05, 0.01, 0.002):
        assert np.mean(p <= level) <= level + 3.0 * np.sqrt(level / len(p)), level


def test_too_many_found_columns_leave_nothing_to_compare_with(measured):
    X, y = measured
    assert (shared(X[:50], y[:50], range(26)) == 1.0).all()


def test_what_is_shared_passes_if_it_reaches_beyond_most_noise():
    random = np.random.default_rng(33)
    shapes = Shapes(np.full(40, 0.8), np.ones(40))
    tail = Tail.of(random.exponential(size=100), shapes.take(np.arange(100) % 40))
    limit = tail.reach_at(0.05, shapes)[0]
    reach = np.repeat([0.0, 0.9, 1.1, 20.0], 10) * limit
    of_shared = np.tile([1e-5, 0.0019, 0.008, 0.5, 1.0], 8)
    conditional = ConditionalPValues(np.full(40, 0.2), shared=of_shared)
    found = judge(tail, reach, shapes, fdr=None, conditional=conditional)
    passes = (reach > 2.0 * limit) | ((reach > limit) & (of_shared <= 0.002))
    np.testing.assert_array_equal(found.passed, passes)
    np.testing.assert_array_equal(reach > found.thresholds, passes)
    np.testing.assert_allclose(found.thresholds, limits_at(0.004, tail, shapes, conditional))
    close = found.borderline[10:30].reshape(2, 2, 5)
    assert close[:, :, :2].all(), "other probes could decide about reaches near the limit"
    assert not close[:, :, 2:].any()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_a_fit_finds_measurements_none_of_which_it_needs():
    random = np.random.default_rng(97_000)
    common = random.standard_normal(120)
    X = pd.DataFrame(0.65 * common[:, None] + random.standard_normal((120, 14))).add_prefix("x")
    y = common + 1.2 * random.standard_normal(120) > 0
    result = RelevanceClassifier(random_state=0).fit(X, y).result_
    assert (result.classes > 0).sum() >= 5
    assert not (result.classes == 2).any()
    np.testing.assert_array_equal(result.classes > 0, result.p_values <= result.baseline["level"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_few_rows_with_correlated_columns_are_not_without_an_answer():
    random = np.random.default_rng(11)
    common = random.standard_normal(32)
    X = 0.8 * common[:, None] + 0.6 * random.standard_normal((32, 10))
    model = RelevanceRegressor(random_state=0).fit(X, common + 0.5 * random.standard_normal(32))
    assert (model.relevance_classes_ > 0).sum() >= 5
