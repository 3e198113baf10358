"""What earlier programs have left behind for later ones."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate
from allrelevant.linear.engine.simplex.highs import Kept
from allrelevant.linear.engine.simplex.snapshot import Snapshot

_MOST, _MOST_MODELS = 1000, 2000


class EarlierGuests:
    """Where earlier guests' programs ended, and which of those ends is nearest to a new one's.

    All guests share one cone of multipliers (α, τ, ν): those with ``0 ≤ α ≤ τ·a`` that price no
    feature above ν. The largest weight of a guest u is the least value of ``D / (ν − α·u)`` on it,
    D being linear. So every earlier solution bounds every later guest, and the basis of the one
    that bounds it best, with one guest's column in place of the other's, is dual feasible.
    """

    def __init__(self, models: EquivalentModels) -> None:
        self._models = models
        self._most = most = min(_MOST, models.n_features)  # never larger than the data
        self._rows = np.zeros((most, len(models.X)))
        self._budgets, self._values = np.zeros((most, len(models.budgets))), np.zeros(most)
        self._snapshots: list[Snapshot] = []
        self._next = 0

    def remember(self, candidate: Candidate, snapshot: Snapshot) -> None:
        """Keep the end of a guest's program, in place of the oldest where there are too many."""
        multipliers = candidate.multipliers
        k = self._next
        self._rows[k] = candidate.working_set.row_multipliers(
            multipliers.pieces, multipliers.loss(self._models)
        )
        self._budgets[k] = multipliers.budgets
        self._values[k] = candidate.bound  # where it has stopped early there is no value
        self._snapshots[k : k + 1] = [snapshot]
        self._next = (k + 1) % self._most

    def nearest(self, column: Floats, like: int) -> Snapshot | None:
        """The end whose multipliers bound best the weight of a column priced like another."""
        n = len(self._snapshots)
        if not n:
            return None
        costs = self._budgets[:n] @ self._models.prices[:, like]
        distance = costs - self._rows[:n] @ column
        with np.errstate(divide="ignore", invalid="ignore"):
            bounds = np.where(distance > 0, self._values[:n] / distance, np.inf)
        return self._snapshots[int(np.argmin(bounds))]


class EarlierModels:
    """Optimal models of earlier directions, and which of them is best for a new one.

    A change of the objective leaves every earlier vertex feasible, so the primal simplex can
    start from any; the one with the largest value has the shortest way to go.
    """

    def __init__(self, models: EquivalentModels) -> None:
        self._n_features = models.n_features
        # Which start is best need not be known to the last digit.
        size = (_MOST_MODELS, models.n_features + models.pieces.n_offsets)
        self._models = np.zeros(size, dtype=np.float32)
        self._kept: list[Kept] = []
        self._next = 0

    def remember(self, candidate: Candidate, kept: Kept) -> None:
        """Keep a vertex, in place of the oldest where there are too many."""
        k = self._next
        self._models[k, : self._n_features] = candidate.weights
        self._models[k, self._n_features :] = candidate.offsets
        self._kept[k : k + 1] = [kept]
        self._next = (k + 1) % _MOST_MODELS

    def best(self, direction: Direction) -> Kept | None:
        """The vertex at which a linear direction is largest."""
        n = len(self._kept)
        if not n:
            return None
        factors = np.zeros(self._models.shape[1], dtype=np.float32)
        factors[direction.features] = direction.factors
        if direction.offset_factors is not None:
            factors[self._n_features :] = direction.offset_factors
        # Products of single precision can report invalid operations in lanes of a register that
        # belong to no result; the models themselves are proven, so finite.
        with np.errstate(invalid="ignore"):
            values = self._models[:n] @ factors
        return self._kept[int(values.argmax())]
