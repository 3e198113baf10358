"""Curves through left-out decision values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression

from allrelevant.linear.fit.baseline.curve import LogisticCurve, RankLine, SoftmaxCurve


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


@pytest.mark.parametrize("slope", [0.8, 2.0, 100.0], ids=["flat", "usual", "separable"])
def test_it_is_scikit_learns(slope):
    decision, target, count = sample(slope=slope)
    curve = LogisticCurve.through(decision, target, count)
    scale, centre = decision.std(), decision.mean()
    model = LogisticRegression(C=1e3, solver="newton-cholesky", tol=1e-10)
    model.fit((decision[:, None] - centre) / scale, target, sample_weight=count)
    assert curve.slope == pytest.approx(model.coef_[0, 0] / scale, rel=1e-6)
    assert curve.intercept + curve.slope * centre == pytest.approx(model.intercept_[0], abs=1e-5)


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


# Several classes


def three_classes(n=300, slope=1.5, seed=0):
    """Scores that are right as they are, but for their unit; classes of unequal size."""
    random = np.random.default_rng(seed)
    scores = random.normal(size=(n, 3)) + np.array([1.0, 0.0, -1.0])
    likely = softmax(slope * scores, axis=1)
    codes = np.array([random.choice(3, p=own) for own in likely])
    return scores, codes, random.integers(1, 4, n).astype(float)


def test_of_several_classes_it_is_the_likeliest_slope():
    scores, codes, count = three_classes()
    curve = SoftmaxCurve.through(scores, codes, count, count)

    def deviance(slope):
        return count @ SoftmaxCurve(slope, np.zeros(3)).deviances(scores, codes)

    best = minimize_scalar(deviance, bounds=(0.0, 10.0), method="bounded", options={"xatol": 1e-9})
    assert deviance(curve.slope) == pytest.approx(best.fun, rel=1e-5)
    assert 1.2 < curve.slope < 1.8
    np.testing.assert_allclose(curve.intercepts, 0.0)


def test_the_deviance_of_one_row_is_that_of_its_class():
    curve = SoftmaxCurve(2.0, np.array([0.0, 1.0, -1.0]))
    scores = np.array([[0.3, -0.2, 0.5]])
    likely = softmax(2.0 * scores[0] + curve.intercepts)
    for code in range(3):
        (found,) = curve.deviances(scores, np.array([code]))
        assert found == pytest.approx(-2.0 * np.log(likely[code]))


def test_intercepts_take_back_how_classes_are_weighed():
    scores, codes, count = three_classes()
    totals = np.bincount(codes, count)
    weight = count * (totals**-0.5)[codes]
    curve = SoftmaxCurve.through(scores - 0.5 * np.log(totals) / 1.5, codes, count, weight)
    assert 1.2 < curve.slope < 1.8
    np.testing.assert_allclose(curve.intercepts, 0.5 * np.log(totals))


def test_the_unit_of_scores_and_what_they_have_in_common_make_no_difference():
    scores, codes, count = three_classes()
    here = SoftmaxCurve.through(scores, codes, count, count).deviances(scores, codes)
    other = 7.0 * scores + np.arange(len(scores))[:, None]
    there = SoftmaxCurve.through(other, codes, count, count).deviances(other, codes)
    np.testing.assert_allclose(there, here, atol=1e-7)


@pytest.mark.parametrize("sign", [0.0, -1.0], ids=["constant", "the wrong way round"])
def test_scores_of_classes_that_tell_nothing_leave_the_share_of_each(sign):
    scores, codes, count = three_classes()
    curve = SoftmaxCurve.through(sign * scores, codes, count, count)
    share = np.bincount(codes, count) / count.sum()
    assert curve.slope == 0.0
    found = curve.deviances(sign * scores, codes)
    np.testing.assert_allclose(found, -2.0 * np.log(share[codes]))


def test_several_classes_that_are_told_apart_have_a_finite_slope():
    scores, codes = np.eye(3), np.arange(3)
    curve = SoftmaxCurve.through(scores, codes, np.ones(3), np.ones(3))
    assert 0.0 < curve.slope < np.inf
    assert curve.deviances(scores, codes).max() < 0.1
