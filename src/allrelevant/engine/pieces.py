"""A loss as weighted hinge pieces: the one shape that serves every linear model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]


def sums_by(group: Ints, values: Floats, n_groups: int) -> Floats:
    """The sum of the values of each group."""
    sums: Floats = np.bincount(group, values, minlength=n_groups).astype(np.float64, copy=False)
    return sums


@dataclass(frozen=True, eq=False)
class Pieces:
    """A loss that is a sum of weighted hinges over the rows of a data matrix.

    With scores ``f = X @ w`` and offsets ``b`` the loss is the sum over all pieces p of::

        weight[p] · max(0, target[p] − sign[p]·f[row[p]] − offset_sign[p]·b[offset[p]])

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
        ascending order.
    """

    row: Ints
    sign: Floats
    offset: Ints
    offset_sign: Floats
    target: Floats
    weight: Floats
    n_offsets: int = 1

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
        return residuals

    def loss(self, scores: Floats, offsets: Floats) -> float:
        """The whole loss of a model with these scores and offsets."""
        return float(self.weight @ np.maximum(self.residuals(scores, offsets), 0.0))

    def loss_by_row(self, scores: Floats, offsets: Floats) -> Floats:
        """The loss of every sample, its weight included."""
        losses = self.weight * np.maximum(self.residuals(scores, offsets), 0.0)
        return sums_by(self.row, losses, len(scores))

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
        )
