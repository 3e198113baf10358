"""A loss as weighted hinge pieces: the one shape that serves every linear model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask, sums_by


@dataclass(frozen=True, eq=False)
class Pieces:
    """A loss that is a sum of weighted hinges over the rows of a data matrix.

    With scores ``f = X @ w`` and offsets ``b`` the loss is the sum over all pieces p of::

        weight[p] · max(0, target[p] − sign[p]·f[row[p]] − offset_sign[p]·b[offset[p]])

    A piece may have a second offset, which is subtracted in the same way.

    Parameters
    ----------
    row : array of int
        The sample each piece belongs to.
    sign : array of float
        The factor (±1) before the sample's score.
    offset : array of int
        Which offset the piece contains.
    offset_sign : array of float
        The factor (±1) before that offset.
    target : array of float
        Where the hinge begins.
    weight : array of float
        What one unit of it costs; positive.
    n_offsets : int
        How many offsets the model has. Several offsets are thresholds and are kept in
        ascending order, unless pieces have a second one.
    hard : array of bool, optional
        Pieces that must be zero in every model: rows of constraints. They have no weight.
    linear : array of bool, optional
        Pieces that count below zero too.
    second, second_sign : array, optional
        Another offset of each piece than the first, and the factor before it, which can be 0.
    """

    row: Ints
    sign: Floats
    offset: Ints
    offset_sign: Floats
    target: Floats
    weight: Floats
    n_offsets: int = 1
    hard: Mask | None = None
    linear: Mask | None = None
    second: Ints | None = None
    second_sign: Floats | None = None

    def __len__(self) -> int:
        return len(self.row)

    def residuals(self, scores: Floats, offsets: Floats) -> Floats:
        """How far each piece is on its linear side; negative on the zero side."""
        residuals: Floats = scores[self.row]
        residuals *= self.sign
        np.subtract(self.target, residuals, out=residuals)
        if self.n_offsets == 1:
            residuals -= self.offset_sign * offsets[0]
        else:
            residuals -= self.offset_sign * offsets[self.offset]
        if self.second is not None and self.second_sign is not None:
            residuals -= self.second_sign * offsets[self.second]
        return residuals

    @property
    def n_ordered(self) -> int:
        """How many offsets have to be in order; one is so by itself."""
        return self.n_offsets if self.second is None else 1

    def offset_sums(self, values: Floats, pieces: Mask) -> Floats:
        """Values of some pieces, summed over each offset with the factors before it."""
        n = self.n_offsets
        sums = sums_by(self.offset[pieces], values * self.offset_sign[pieces], n)
        if self.second is not None and self.second_sign is not None:
            sums += sums_by(self.second[pieces], values * self.second_sign[pieces], n)
        return sums

    def offset_entries(self, pieces: Ints) -> Floats:
        """The factors of all offsets in some pieces, a line for each."""
        entries = np.zeros((len(pieces), self.n_offsets))
        line = np.arange(len(pieces))
        entries[line, self.offset[pieces]] = self.offset_sign[pieces]
        if self.second is not None and self.second_sign is not None:
            entries[line, self.second[pieces]] += self.second_sign[pieces]
        return entries

    def loss(self, scores: Floats, offsets: Floats) -> float:
        """The whole loss of a model with these scores and offsets."""
        return self.loss_of(self.residuals(scores, offsets))

    def loss_of(self, residuals: Floats) -> float:
        """The whole loss of a model with these residuals."""
        return float(self.weight @ self._counted(residuals))

    def loss_by_row(self, scores: Floats, offsets: Floats) -> Floats:
        """The loss of every sample, its weight included."""
        losses = self.weight * self._counted(self.residuals(scores, offsets))
        return sums_by(self.row, losses, len(scores))

    def _counted(self, residuals: Floats) -> Floats:
        counted = np.maximum(residuals, 0.0)
        if self.linear is not None:
            counted[self.linear] = residuals[self.linear]
        return counted

    def violation(self, residuals: Floats) -> float:
        """How far a model with these residuals is from keeping all hard pieces."""
        if self.hard is None:
            return 0.0
        return float(residuals[self.hard].max(initial=0.0))

    def take(self, rows: Ints, n_rows: int) -> Pieces:
        """The pieces of some rows of the data, renumbered to the rows' new positions."""
        position = np.full(n_rows, -1, dtype=np.intp)
        position[rows] = np.arange(len(rows))
        chosen = np.flatnonzero(position[self.row] >= 0)
        return Pieces(
            row=position[self.row[chosen]],
            sign=self.sign[chosen],
            offset=self.offset[chosen],
            offset_sign=self.offset_sign[chosen],
            target=self.target[chosen],
            weight=self.weight[chosen],
            n_offsets=self.n_offsets,
            hard=None if self.hard is None else self.hard[chosen],
            linear=None if self.linear is None else self.linear[chosen],
            second=None if self.second is None else self.second[chosen],
            second_sign=None if self.second_sign is None else self.second_sign[chosen],
        )
