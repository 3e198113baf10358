"""Models spread over the set of equivalent ones, by hit-and-run.

From a model in the set a line is drawn in a random direction, and the next model is uniform on
the part of the line that is inside. However long the chain, its models end up uniform over the
set. Directions are differences of known models, so that they suit the set's shape. Norm and loss
are convex along the line, so that its ends are found to the last digit; every model that is given
has its norm and loss computed anew and is within all limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet

_MOST_STEPS, _FAR = 100, 1e12
_INSIDE = 1.0 - 1e-9  # of the way to the end of a line: what is given is within the limits


def sample_models(fitted: FittedSet, k: int, random: Any) -> list[EquivalentModel]:
    """Draw models of the set."""
    if fitted.models is None:
        return [EquivalentModel(fitted, *fitted.constant) for _ in range(k)]
    if fitted.models.pieces.hard is not None:
        raise ValueError(
            "sample_models cannot draw models with slack functions of privileged features: fit "
            "without these, or look at witness() and range_of()."
        )
    known = _known(fitted, fitted.models)
    walk = _Walk(fitted.models, known, random)
    steps = max(10, known.shape[1])
    walk.go(10 * steps)
    found = []
    for _ in range(k):
        walk.go(steps)
        found.append(EquivalentModel(fitted, *walk.model))
    return found


def _known(fitted: FittedSet, models: EquivalentModels) -> Floats:
    """All models that the fit has left as witnesses, weights and offsets in one row each."""
    reference, n = models.reference, models.n_features
    witnesses = [witness for one in fitted.ranges for witness in one.witnesses]
    rows = [np.append(one.weights(n), one.offsets) for one in witnesses]
    return np.array([np.append(reference.weights, reference.offsets), *rows])


@dataclass(eq=False)
class _Walk:
    """A point of the set that moves."""

    models: EquivalentModels
    known: Floats
    random: Any

    def __post_init__(self) -> None:
        self._n = self.models.n_features
        centre = self.known.mean(axis=0)  # of the set, which is convex
        self._spread = self.known - centre
        # By a rounding error of the witnesses it may be outside, which the reference is not.
        self._point = centre if _excess(self.models, centre) <= 0.0 else self.known[0]

    @property
    def model(self) -> tuple[Floats, Floats]:
        """Weights and offsets."""
        return self._point[: self._n].copy(), self._point[self._n :].copy()

    def go(self, n_steps: int) -> None:
        """Take some steps."""
        for _ in range(n_steps):
            step = self.random.normal(size=len(self._spread)) @ self._spread
            # Offsets have directions of their own, whatever witnesses there are.
            if self._n < len(step):
                size = float(np.abs(self._spread[:, self._n :]).max(initial=0.0))
                step[self._n :] += size * self.random.normal(size=len(step) - self._n)
            self._move(step)

    def _move(self, step: Floats) -> None:
        ends = _ends(self.models, self._point, step)
        t = self.random.uniform(-ends[0], ends[1])
        point = self._point + t * step
        if _excess(self.models, point) <= 0.0:  # to the last digit, whatever rounding has done
            self._point = point


def _excess(models: EquivalentModels, point: Floats) -> float:
    """By how much a model is beyond the limits; not positive for equivalent ones."""
    weights, offsets = np.split(point, [models.n_features])
    pieces = models.pieces
    loss = pieces.loss(models.X.scores(weights), offsets)
    over = models.norm_factors * np.abs(weights).sum() + models.loss_factors * loss - models.limits
    return max(float(over.max()), float(-np.diff(offsets[: pieces.n_ordered]).min(initial=0.0)))


def _ends(models: EquivalentModels, point: Floats, step: Floats) -> tuple[float, float]:
    """How far one can go backwards and forwards."""
    pieces, n = models.pieces, models.n_features
    zero = np.zeros(pieces.n_offsets)
    target = pieces.residuals(np.zeros(len(models.X)), zero)
    here, there = (
        pieces.residuals(models.X.scores(one[:n]), one[n:]) - target for one in (point, step)
    )
    line = _Line(models, point[:n], here + target, step[:n], there)
    found = []
    for sign in (-1.0, 1.0):
        gaps = np.diff(point[n:][: pieces.n_ordered])
        closing = -sign * np.diff(step[n:][: pieces.n_ordered])
        until = float((gaps[closing > 0] / closing[closing > 0]).min(initial=np.inf))
        found.append(
            _INSIDE * min(until, *(line.reach(sign, b) for b in range(len(models.limits))))
        )
    return found[0], found[1]


@dataclass(eq=False)
class _Line:
    """Norm and loss along a line of models: convex, and linear in parts."""

    models: EquivalentModels
    weights: Floats
    residuals: Floats
    weight_step: Floats
    residual_step: Floats

    def reach(self, sign: float, budget: int) -> float:
        """How far one can go in this direction within a budget, by Newton's method from outside."""
        t = 1.0
        while (found := self._over(sign * t, budget))[0] <= 0.0:
            if t > _FAR:
                return t
            t *= 4.0
        for _ in range(_MOST_STEPS):
            over, slope = found
            if over <= 0.0 or sign * slope <= 0.0:
                break
            t = max(t - over / (sign * slope), 0.0)
            found = self._over(sign * t, budget)
        return t

    def _over(self, t: float, budget: int) -> tuple[float, float]:
        """What is used up beyond a budget at a place, and how it grows there."""
        models, pieces = self.models, self.models.pieces
        norm, loss = models.norm_factors[budget], models.loss_factors[budget]
        weights = self.weights + t * self.weight_step
        residuals = self.residuals + t * self.residual_step
        counted = residuals > 0.0
        if pieces.linear is not None:
            counted |= pieces.linear
        active = pieces.weight * counted
        over = norm * np.abs(weights).sum() + loss * (active @ residuals) - models.limits[budget]
        slope = norm * (np.sign(weights) @ self.weight_step) + loss * (active @ self.residual_step)
        return float(over), float(slope)
