"""Curves through decision values of left-out rows, and what they say of these rows.

Weights of classes move the offsets of a model, and C its scale; a curve takes both back. So its
deviance tells how well a model orders the rows, for every C alike. Two classes have Platt's
logistic curve; several have one slope for the scores of all, and an intercept for each. Ordered
ones have a straight line through their ranks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.linear_model import LogisticRegression

from allrelevant.base.arrays import Floats, Ints

_STRENGTH = 1e3  # of the data against the penalty: separable classes have a finite slope
_TWICE = 2.0 * _STRENGTH
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


@dataclass(frozen=True, eq=False)
class SoftmaxCurve:
    """Logarithms of the odds of classes 0, 1, …, as ``slope · score + intercept`` of each."""

    slope: float
    intercepts: Floats

    @classmethod
    def through(cls, scores: Floats, target: Floats, count: Floats) -> SoftmaxCurve:
        """The likeliest one that does not fall; a flat one where scores tell nothing."""
        codes, n_classes = target.astype(np.intp), scores.shape[1]
        unit = float(np.std(scores - scores.mean(axis=1, keepdims=True)))
        if unit > _ALIKE * (float(np.abs(scores).max(initial=0.0)) + 1.0):
            likelihood = _Likelihood(scores / unit, codes, count)
            known = likelihood.largest()
            if known[0] > 0:
                return cls(float(known[0]) / unit, known[1:])
        often = np.bincount(codes, count, n_classes)
        return cls(0.0, np.log(np.maximum(often, 1.0 / _STRENGTH)))

    def deviances(self, scores: Floats, target: Floats) -> Floats:
        """What each row adds to the deviance: −2 times the log of its class's probability."""
        logs = log_softmax(self.slope * scores + self.intercepts, axis=1)
        return -2.0 * logs[np.arange(len(logs)), target.astype(np.intp)]


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


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """Minus the log of the likelihood of a slope and intercepts, penalised as that of two classes.

    The penalty keeps the slope finite where classes are told apart, and the intercept of a class
    that no row is of.
    """

    scores: Floats
    codes: Ints
    count: Floats

    def largest(self) -> Floats:
        """Slope and intercepts where it is largest, by Newton's method."""
        start = np.zeros(1 + self.scores.shape[1])
        # To the last digit: rounding errors in decision values must not choose a C.
        enough = {"gtol": 1e-10 * float(self.count.sum())}
        how: Any = {"jac": True, "hess": self.bends, "method": "trust-exact", "options": enough}
        return np.asarray(minimize(self.value, start, **how).x)

    def value(self, known: Floats) -> tuple[float, Floats]:
        """The value, and its slopes."""
        logs = log_softmax(known[0] * self.scores + known[1:], axis=1)
        rows = np.arange(len(logs))
        off = np.exp(logs)
        off[rows, self.codes] -= 1.0
        off *= self.count[:, None]
        slopes = np.append((off * self.scores).sum(), off.sum(axis=0))
        value = -float(self.count @ logs[rows, self.codes]) + float(known @ known) / _TWICE
        return value, slopes + 2.0 * known / _TWICE

    def bends(self, known: Floats) -> Floats:
        """The second derivatives."""
        share = softmax(known[0] * self.scores + known[1:], axis=1)
        away = self.scores - (share * self.scores).sum(axis=1, keepdims=True)
        part = self.count[:, None] * share
        found = np.diag(np.full(len(known), 2.0 / _TWICE))
        found[0, 0] += (part * away**2).sum()
        found[0, 1:] += (part * away).sum(axis=0)
        found[1:, 0] += found[0, 1:]
        found[1:, 1:] += np.diag(part.sum(axis=0)) - part.T @ share
        return found


CURVES: dict[str, Any] = {"logistic": LogisticCurve, "softmax": SoftmaxCurve, "line": RankLine}
