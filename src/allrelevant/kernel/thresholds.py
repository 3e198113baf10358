"""Where the projection passes from one class to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, logsumexp, softmax

from allrelevant.base.arrays import Floats

Kind = Literal["logistic", "midpoint"]
_MOST_STEPS = 60
_LEAST_SLOPE = 1e-3
_TOLERANCE = 1e-9  # of the loss
_PRIOR = 1e-2  # keeps the slope finite where classes do not overlap


@dataclass(frozen=True, eq=False)
class Midpoints:
    """Thresholds halfway between the means of neighbouring classes."""

    thresholds: Floats

    @classmethod
    def of(cls, means: Floats) -> Midpoints:
        """From the projected means of the classes."""
        # Means out of order leave no room for the class between them.
        return cls(np.maximum.accumulate((means[1:] + means[:-1]) / 2.0))

    def loss(self, projections: Floats, counts: Floats) -> Floats:
        """No more than the absolute error is known."""
        return rank_errors(self.thresholds, projections, counts)


@dataclass(frozen=True, eq=False)
class OrdinalLogit:
    """``P(class > q) = 1/(1 + exp(cut_q − slope·z))`` with the standardised projection z.

    One slope serves all thresholds. The loss is the sum of the Q−1 logistic losses, so where the
    probability of a higher class passes one half lies the median, which has the least expected
    absolute error.
    """

    centre: float
    scale: float
    slope: float
    cuts: Floats

    @classmethod
    def of(cls, projections: Floats, counts: Floats) -> OrdinalLogit:
        """Fit to rows with a number of labels in each class; each class has some."""
        weight = counts.sum(axis=1)
        centre = float(np.average(projections, weights=weight))
        scale = _spread(projections - centre, weight)
        slope, cuts = _newton((projections - centre) / scale, counts)
        return cls(centre, scale, slope, cuts)

    @property
    def thresholds(self) -> Floats:
        """The cuts on the scale of the projection."""
        return np.asarray(self.centre + self.scale / self.slope * self.cuts)

    def loss(self, projections: Floats, counts: Floats) -> Floats:
        """Sum of the logistic losses of all thresholds, for each row."""
        z = (projections - self.centre) / self.scale
        margins = self.slope * z[:, None] - self.cuts
        above, below = _sides(counts)
        return np.asarray(
            (above * np.logaddexp(0.0, -margins) + below * np.logaddexp(0.0, margins)).sum(axis=1)
        )


@dataclass(frozen=True, eq=False)
class Probabilities:
    """Probabilities whose most probable class is the predicted one.

    ``P(q+1) / P(q) = exp(sharpness·(f − threshold_q))``: the logit of adjacent classes. Passing a
    threshold makes the next class the most probable, whatever its width; the cumulative logit that
    thresholds come from would pass over narrow classes.
    """

    thresholds: Floats
    sharpness: float

    @classmethod
    def of(cls, thresholds: Floats, projections: Floats, counts: Floats) -> Probabilities:
        """The sharpness under which the labels are most likely."""
        weight = counts.sum(axis=1)
        unit = 1.0 / _spread(projections - thresholds.mean(), weight)

        def loss(log_sharpness: float) -> float:
            sharpness = float(np.exp(log_sharpness))
            scores = cls(thresholds, unit * sharpness)._scores(projections)
            own = float((counts * (scores - logsumexp(scores, axis=1, keepdims=True))).sum())
            return 0.5 * _PRIOR * sharpness**2 - own

        found = minimize_scalar(loss, bounds=(-7.0, 7.0), method="bounded")
        return cls(thresholds, unit * float(np.exp(found.x)))

    def __call__(self, projections: Floats) -> Floats:
        """Probability of each class."""
        return np.asarray(softmax(self._scores(projections), axis=1))

    def _scores(self, projections: Floats) -> Floats:
        steps = self.sharpness * (projections[:, None] - self.thresholds)
        return np.hstack([np.zeros((len(steps), 1)), np.cumsum(steps, axis=1)])


def rank_errors(thresholds: Floats, projections: Floats, counts: Floats) -> Floats:
    """Absolute error in ranks, summed over the labels of each row."""
    predicted = np.searchsorted(thresholds, projections, side="left")
    distance = np.abs(predicted[:, None] - np.arange(counts.shape[1]))
    return np.asarray((counts * distance).sum(axis=1))


def _spread(deviations: Floats, weight: Floats) -> float:
    """Root of the mean square, 1 where that is 0; squares of tiny numbers would vanish."""
    size = float(np.abs(deviations).max())
    if not size > 1e4 * np.finfo(float).tiny:  # its inverse is multiplied by a sharpness
        return 1.0
    return size * float(np.sqrt(np.average((deviations / size) ** 2, weights=weight)))


def _sides(counts: Floats) -> tuple[Floats, Floats]:
    """For each row and threshold the number of labels above and below."""
    below = np.cumsum(counts, axis=1)[:, :-1]
    return counts.sum(axis=1, keepdims=True) - below, below


def _loss(slope: float, cuts: Floats, z: Floats, above: Floats, below: Floats) -> float:
    u = slope * z[:, None] - cuts
    losses = above * np.logaddexp(0.0, -u) + below * np.logaddexp(0.0, u)
    return float(losses.sum()) + 0.5 * _PRIOR * slope**2


def _newton(z: Floats, counts: Floats) -> tuple[float, Floats]:
    """Minimise the convex loss; the Hessian is an arrow: slope against a diagonal of cuts."""
    above, below = _sides(counts)
    total = above + below
    slope, cuts = 1.0, np.log(below.sum(axis=0)) - np.log(above.sum(axis=0))
    current = _loss(slope, cuts, z, above, below)
    for _ in range(_MOST_STEPS):
        p = expit(slope * z[:, None] - cuts)
        residual, curvature = total * p - above, total * p * (1.0 - p) + 1e-12
        gradient = float(z @ residual.sum(axis=1)) + _PRIOR * slope
        cut_gradient = -residual.sum(axis=0)
        cut_curvature, cross = curvature.sum(axis=0), -(z @ curvature)
        schur = float(z**2 @ curvature.sum(axis=1)) + _PRIOR - float(cross**2 @ (1 / cut_curvature))
        step = -(gradient - float(cross @ (cut_gradient / cut_curvature))) / max(schur, _PRIOR)
        step = max(step, _LEAST_SLOPE - slope)
        cut_step = -(cut_gradient + cross * step) / cut_curvature
        shrink, proposed = 1.0, np.inf
        while shrink >= 1e-6:
            proposed = _loss(slope + shrink * step, cuts + shrink * cut_step, z, above, below)
            if proposed <= current:
                break
            shrink /= 2.0
        else:
            break
        slope, cuts = slope + shrink * step, cuts + shrink * cut_step
        gain, current = current - proposed, proposed
        if gain <= _TOLERANCE * (1.0 + abs(current + gain)):
            if shrink == 1.0:
                return slope, cuts
            break
    return _descend(slope, cuts, z, above, below)


def _descend(
    slope: float, cuts: Floats, z: Floats, above: Floats, below: Floats
) -> tuple[float, Floats]:
    """Go on by gradients alone: steps are misled by rows with thousands of labels among others."""

    def loss(x: Floats) -> tuple[float, Floats]:
        residual = (above + below) * expit(x[0] * z[:, None] - x[1:]) - above
        by_slope = float(z @ residual.sum(axis=1)) + _PRIOR * x[0]
        value = _loss(x[0], x[1:], z, above, below)
        return value, np.concatenate([[by_slope], -residual.sum(axis=0)])

    begin = np.concatenate([[slope], cuts])
    bounds = [(_LEAST_SLOPE, None)] + [(None, None)] * len(cuts)
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds)
    current = _loss(slope, cuts, z, above, below)
    if current - found.fun <= _TOLERANCE * (1.0 + current):
        return slope, cuts
    return float(found.x[0]), np.maximum.accumulate(found.x[1:])
