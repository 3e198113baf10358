"""Curves through decision values of left-out rows, and what they say of these rows.

Weights of classes move the offsets of a model, and C its scale; a curve takes both back. So its
deviance tells how well a model orders the rows, for every C alike. Two classes have Platt's
logistic curve, several a softmax with one slope for the scores of all. Ordered ones have a straight
line through their ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logsumexp, softmax

from allrelevant.base.arrays import Floats, Ints, Mask

_STRENGTH = 1e3  # of the data against the penalty: separable classes have a finite slope
_ALIKE = 1e-9  # decision values that differ by less tell nothing
_MOST_STEPS = 100
_FLAT = 1e-13  # of all rows: a gradient that is rounding


@dataclass(frozen=True)
class LogisticCurve:
    """Log odds of the class +1, as ``slope · decision + intercept``."""

    slope: float
    intercept: float

    @classmethod
    def through(cls, decision: Floats, target: Floats, count: Floats) -> LogisticCurve:
        """The likeliest one that does not fall; a flat one where decision values tell nothing.

        Both classes have to be there.
        """
        if np.ptp(decision) > _ALIKE * (float(np.abs(decision).max(initial=0.0)) + 1.0):
            scale = float(np.std(decision))
            centre = float(np.mean(decision))
            steepness, height = _likeliest((decision - centre) / scale, target > 0, count)
            slope = steepness / scale
            if slope > 0:
                return cls(slope, height - slope * centre)
        return cls(0.0, float(np.log(count @ (target > 0)) - np.log(count @ (target < 0))))

    def deviances(self, decision: Floats, target: Floats) -> Floats:
        """What each row adds to the deviance: −2 times the log of its class's probability."""
        return 2.0 * np.logaddexp(0.0, -target * (self.slope * decision + self.intercept))


def _likeliest(values: Floats, is_upper: Mask, count: Floats) -> tuple[float, float]:
    """Slope and intercept of the log odds, by Newton's method; steep slopes are paid for.

    To the last digit: rounding errors in decision values must not choose a C.
    """
    found = np.zeros(2)

    def paid(at: Floats) -> float:
        odds = at[0] * values + at[1]
        missed = np.logaddexp(0.0, np.where(is_upper, -odds, odds))
        return float(count @ missed + at[0] ** 2 / (2.0 * _STRENGTH))

    for _ in range(_MOST_STEPS):
        likely = expit(found[0] * values + found[1])
        surplus, curved = count * (likely - is_upper), count * likely * (1.0 - likely)
        gradient = np.array([surplus @ values + found[0] / _STRENGTH, surplus.sum()])
        if np.abs(gradient).max() <= _FLAT * count.sum():
            break
        across = curved @ values
        bend = np.array([[curved @ values**2 + 1.0 / _STRENGTH, across], [across, curved.sum()]])
        step, before = np.linalg.solve(bend, gradient), paid(found)
        while paid(found - step) > before:
            step = step / 2.0
            if np.abs(step).max() <= _FLAT:
                return float(found[0]), float(found[1])
        found = found - step
    return float(found[0]), float(found[1])


@dataclass(frozen=True, eq=False)
class SoftmaxCurve:
    """A curve for several classes: their log odds are ``slope · scores + intercepts``.

    One slope for all, for the scores of all classes are in the same units. The intercepts only
    take back how classes were weighed: where the model puts its own offsets decides what it
    predicts, so these have to be good.
    """

    slope: float
    intercepts: Floats

    @classmethod
    def through(cls, scores: Floats, codes: Ints, count: Floats, weight: Floats) -> SoftmaxCurve:
        """The likeliest one that does not fall; a flat one where scores tell nothing."""
        n, n_classes = scores.shape
        totals = np.bincount(codes, count, minlength=n_classes)
        weighed = np.bincount(codes, weight, minlength=n_classes)
        seen = np.where(totals > 0, totals, 1.0 / _STRENGTH)
        before = np.log(np.where(totals > 0, totals / np.where(weighed > 0, weighed, 1.0), 1.0))
        away = scores - scores.mean(axis=1, keepdims=True)
        scale = float(np.sqrt(np.mean(away**2)))

        def steepness(slope: float) -> float:
            """How fast the deviance grows with the slope: it does so ever faster."""
            likely = softmax(slope * away / scale + before, axis=1)
            more = (likely * away).sum(axis=1) - away[np.arange(n), codes]
            return float(count @ more) / scale + slope / _STRENGTH

        told = scale > _ALIKE * (float(np.abs(scores).max(initial=0.0)) + 1.0)
        if not told or steepness(0.0) >= 0:
            return cls(0.0, np.log(seen))
        most = 1.0
        while steepness(most) < 0:
            most *= 2.0
        return cls(float(brentq(steepness, 0.0, most, xtol=1e-12)) / scale, before)

    def deviances(self, scores: Floats, codes: Ints) -> Floats:
        """What each row adds to the deviance."""
        odds = self.slope * scores + self.intercepts
        return 2.0 * (logsumexp(odds, axis=1) - odds[np.arange(len(codes)), codes])


@dataclass(frozen=True)
class RankLine:
    """Ranks of ordered classes, as ``slope · score + intercept``."""

    slope: float
    intercept: float

    @classmethod
    def through(cls, score: Floats, target: Floats, count: Floats) -> RankLine:
        """The one of least squares that does not fall; a flat one where scores tell nothing."""
        centre, middle = (float(np.average(values, weights=count)) for values in (score, target))
        if np.ptp(score) > _ALIKE * (float(np.abs(score).max(initial=0.0)) + 1.0):
            along = count * (score - centre)
            slope = float(along @ (target - middle) / (along @ (score - centre)))
            if slope > 0:
                return cls(slope, middle - slope * centre)
        return cls(0.0, middle)

    def deviances(self, score: Floats, target: Floats) -> Floats:
        """What each row adds to the deviance: its squared distance from the line."""
        return (target - self.slope * score - self.intercept) ** 2
