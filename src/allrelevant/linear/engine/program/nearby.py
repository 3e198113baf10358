"""Which pieces a program lacks: those that change their side on the way to a better model.

The optimum of a program that lacks many pieces can be anywhere, and most pieces that have changed
their side there never do so near the true one. So pieces are looked for on the way there from a
model that is known: about as far as the loss of all pieces says that going on is worth while, or
as the budgets have room for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate

_MANY = 0.1  # of the pieces that are there: as many more are not all taken in
_HALVINGS = 10
_BEYOND = 2.0  # times as far as the best model on the way


class Nearby(ABC):
    """A known model, from which pieces are looked for.

    Parameters
    ----------
    weights, residuals : array
        The model's weights, and the residuals of all pieces.
    """

    _moves: ClassVar[bool] = False  # whether it moves to the places it finds

    def __init__(self, weights: Floats, residuals: Floats) -> None:
        self._weights, self._residuals = weights, residuals

    def missing(self, candidate: Candidate) -> Ints:
        """Pieces to take in: all that a candidate has on the wrong side, or some where many are."""
        working_set = candidate.working_set
        changed = working_set.changed_side(candidate.residuals)
        if len(changed) <= _MANY * len(working_set.undecided):
            return changed
        ahead = candidate.residuals - self._residuals
        further = candidate.weights - self._weights
        part = self._part(candidate, ahead, further)
        some = working_set.changed_side(self._residuals + min(_BEYOND * part, 1.0) * ahead)
        if self._moves:
            self._weights = self._weights + part * further
            self._residuals = self._residuals + part * ahead
        return some if len(some) else changed

    @abstractmethod
    def _part(self, candidate: Candidate, ahead: Floats, further: Floats) -> float:
        """How far to go to a candidate, as a part of the way."""


class Better(Nearby):
    """Goes to where the penalised objective is least on the way, and moves there."""

    _moves = True

    def _part(self, candidate: Candidate, ahead: Floats, further: Floats) -> float:
        pieces, direction = candidate.models.pieces, candidate.direction
        gain = direction.loss * pieces.weight * ahead
        prices = np.zeros(len(further))
        prices[direction.features] = np.asarray(direction.penalties)
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            counts = self._residuals + middle * ahead > 0
            if pieces.linear is not None:
                counts |= pieces.linear
            rise = float(gain @ counts)
            rise += float(prices * further @ np.sign(self._weights + middle * further))
            low, high = (low, middle) if rise > 0 else (middle, high)
        return high


class Inside(Nearby):
    """Goes from the reference to where a budget is spent.

    With the pieces that have changed their side on the way there the program knows the whole loss
    at that place. The loss is convex, so the candidate is cut off.
    """

    def __init__(self, models: EquivalentModels) -> None:
        reference = models.reference
        scores = models.X.scores(reference.weights)
        super().__init__(reference.weights, models.pieces.residuals(scores, reference.offsets))

    def _part(self, candidate: Candidate, ahead: Floats, further: Floats) -> float:
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2.0
            over = candidate.overspent_with(
                self._weights + middle * further,
                middle * candidate.guest_weight,
                self._residuals + middle * ahead,
            )
            low, high = (low, middle) if (over > 0).any() else (middle, high)
        return high
