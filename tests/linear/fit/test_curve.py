"""Curves through left-out decision values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from allrelevant.linear.fit.curve import LogisticCurve, RankLine, SoftmaxCurve


def sample(n=200, slope=2.0, intercept=-0.5, seed=0):
    random = np.random.default_rng(seed)
    decision = random.normal(size=n)
    odds = slope * decision + intercept
    target = np.where(random.random(n) < 1.0 / (1.0 + np.exp(-odds)), 1.0, -1.0)
    return decision, target, random.integers(1, 4, n).astype(float)


def test_it_is_the_likeliest_one():
    decision, target, count = sample()
    curve = LogisticCurve.through(decision, target, count)

    def deviance(parameters):
        return count @ LogisticCurve(*parameters).deviances(decision, target)

    best = minimize(deviance, np.zeros(2), method="BFGS")
    assert deviance((curve.slope, curve.intercept)) == pytest.approx(best.fun, rel=1e-4)


def test_deviances_know_neither_scale_nor_offset_of_decision_values():
    decision, target, count = sample()
    here = LogisticCurve.through(decision, target, count).deviances(decision, target)
    other = 7.0 * decision + 3.0
    there = LogisticCurve.through(other, target, count).deviances(other, target)
    np.testing.assert_allclose(there, here, atol=1e-8)


@pytest.mark.parametrize("sign", [0.0, -1.0], ids=["constant", "the wrong way round"])
def test_decision_values_that_tell_nothing_leave_the_share_of_each_class(sign):
    decision, target, count = sample()
    curve = LogisticCurve.through(sign * decision, target, count)
    share = count @ (target > 0) / count.sum()
    assert curve.slope == 0.0
    expected = -2.0 * np.log(np.where(target > 0, share, 1.0 - share))
    np.testing.assert_allclose(curve.deviances(sign * decision, target), expected)


def test_classes_that_are_told_apart_have_a_finite_slope():
    decision = np.array([-2.0, -1.0, 1.0, 2.0])
    curve = LogisticCurve.through(decision, np.sign(decision), np.ones(4))
    assert 0.0 < curve.slope < np.inf
    assert curve.deviances(decision, np.sign(decision)).max() < 0.1


def ranks(n=200, slope=1.0, seed=0):
    random = np.random.default_rng(seed)
    score = random.normal(size=n)
    noisy = slope * score + random.normal(size=n)
    return score, np.digitize(noisy, [-1.0, 0.0, 1.5]).astype(float), random.integers(1, 4, n)


def test_a_line_through_ranks_is_that_of_least_squares():
    score, target, count = ranks()
    line = RankLine.through(score, target, count)
    slope, intercept = np.polyfit(score, target, 1, w=np.sqrt(count))
    assert (line.slope, line.intercept) == pytest.approx((slope, intercept))
    expected = (target - slope * score - intercept) ** 2
    np.testing.assert_allclose(line.deviances(score, target), expected)


@pytest.mark.parametrize("sign", [0.0, -1.0], ids=["constant", "the wrong way round"])
def test_scores_that_tell_nothing_leave_the_mean_rank(sign):
    score, target, count = ranks()
    line = RankLine.through(sign * score, target, count)
    assert line.slope == 0.0
    assert line.intercept == pytest.approx(np.average(target, weights=count))


def three(n=200, slope=2.0, seed=0):
    random = np.random.default_rng(seed)
    scores = random.normal(size=(n, 3))
    odds = slope * scores + [0.0, 0.5, -1.0] + random.gumbel(size=(n, 3))
    return scores, odds.argmax(axis=1).astype(float), random.integers(1, 4, n).astype(float)


def test_a_curve_of_several_classes_is_the_likeliest_one():
    scores, target, count = three()
    curve = SoftmaxCurve.through(scores, target, count)

    def deviance(known):
        return count @ SoftmaxCurve(known[0], known[1:]).deviances(scores, target)

    best = minimize(deviance, np.zeros(4), method="BFGS")
    found = deviance(np.append(curve.slope, curve.intercepts))
    assert found == pytest.approx(best.fun, rel=1e-4)
    assert found < 0.9 * deviance(np.zeros(4))


def test_of_two_classes_it_is_the_logistic_one():
    decision, target, count = sample()
    scores = np.column_stack([np.zeros_like(decision), decision])
    both = SoftmaxCurve.through(scores, (target > 0).astype(float), count)
    found = both.deviances(scores, (target > 0).astype(float))
    expected = LogisticCurve.through(decision, target, count).deviances(decision, target)
    np.testing.assert_allclose(found, expected, rtol=2e-3)


def test_deviances_of_several_classes_know_neither_scale_nor_offsets():
    scores, target, count = three()
    here = SoftmaxCurve.through(scores, target, count).deviances(scores, target)
    other = 7.0 * scores + [3.0, 0.0, -1.0]
    there = SoftmaxCurve.through(other, target, count).deviances(other, target)
    np.testing.assert_allclose(there, here, rtol=2e-3)


@pytest.mark.parametrize("sign", [0.0, -1.0], ids=["constant", "the wrong way round"])
def test_scores_of_several_classes_that_tell_nothing_leave_their_shares(sign):
    scores, target, count = three()
    curve = SoftmaxCurve.through(sign * scores, target, count)
    assert curve.slope == 0.0
    share = np.bincount(target.astype(int), count) / count.sum()
    expected = -2.0 * np.log(share[target.astype(int)])
    np.testing.assert_allclose(curve.deviances(sign * scores, target), expected)


def test_a_class_without_rows_has_a_finite_intercept():
    scores, target, count = three()
    curve = SoftmaxCurve.through(np.column_stack([scores, scores[:, 0]]), target, count)
    assert np.isfinite(curve.intercepts).all()
    assert curve.slope > 0
