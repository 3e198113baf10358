"""Curves through decision values of left-out rows, and what they say of these rows.

Weights of classes move the offsets of a model, and C its scale; a curve takes both back. So its
deviance tells how well a model orders the rows, for every C alike. Two classes have Platt's
logistic curve. Ordered ones have a straight line through their ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression

from allrelevant.base.arrays import Floats

_STRENGTH = 1e3  # of the data against the penalty: separable classes have a finite slope
_ALIKE = 1e-9  # decision values that differ by less tell nothing


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
            # To the last digit: rounding errors in decision values must not choose a C.
            model = LogisticRegression(C=_STRENGTH, solver="newton-cholesky", tol=1e-10)
            model.fit((decision[:, None] - centre) / scale, target, sample_weight=count)
            slope = float(model.coef_[0, 0]) / scale
            if slope > 0:
                return cls(slope, float(model.intercept_[0]) - slope * centre)
        return cls(0.0, float(np.log(count @ (target > 0)) - np.log(count @ (target < 0))))

    def deviances(self, decision: Floats, target: Floats) -> Floats:
        """What each row adds to the deviance: −2 times the log of its class's probability."""
        return 2.0 * np.logaddexp(0.0, -target * (self.slope * decision + self.intercept))


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
