"""Limits of sums of weights with signs: rows below the data, which every model has to keep.

A difference of two weights is such a sum. A norm is limited where all sums with any signs are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.data.below import MatrixWithRows
from allrelevant.linear.engine.program.pieces import Pieces


@dataclass(frozen=True, eq=False)
class SignedSums:
    """Ranges within which some sums of weights have to stay.

    Parameters
    ----------
    features : array of int of shape (n_used,)
        The features that occur in any.
    signs : array of shape (n_sums, n_used)
        +1, −1, or 0 where a feature does not occur.
    low, high : array of shape (n_sums,)
        Both ends, which can be infinite.
    """

    features: Ints
    signs: Floats
    low: Floats
    high: Floats

    def contain(self, weights: Floats, tolerance: Floats | float = 0.0) -> bool:
        """Whether a model keeps all of them, up to a tolerance (one, or one for each feature)."""
        sums = self.signs @ weights[self.features]
        if isinstance(tolerance, np.ndarray) and tolerance.ndim:
            tolerance = np.abs(self.signs) @ tolerance[self.features]
        return bool(((sums >= self.low - tolerance) & (sums <= self.high + tolerance)).all())

    @property
    def nearest(self) -> Floats:
        """The value of each sum that is nearest to zero."""
        return np.clip(0.0, self.low, self.high)

    @property
    def needed(self) -> Ints:
        """The features in sums that must not be zero."""
        return self.features[self.signs[self.nearest != 0.0].any(axis=0)]

    def below(self, X: Matrix, pieces: Pieces) -> tuple[Matrix, Pieces]:
        """The data with a row for each sum, and the loss with a hard piece for each finite end."""
        n, m = len(X), len(self.signs)
        rows = np.zeros((m, X.shape[1]))
        rows[:, self.features] = self.signs
        ends = np.concatenate([self.low, -self.high])
        given = np.flatnonzero(np.isfinite(ends))
        nothing, first = np.zeros(len(given)), np.zeros(len(given), dtype=np.intp)
        hard = np.zeros(len(pieces), dtype=bool) if pieces.hard is None else pieces.hard
        no = np.zeros(len(given), dtype=bool)
        some = replace(
            pieces,
            row=np.append(pieces.row, n + given % m),
            sign=np.append(pieces.sign, np.where(given < m, 1.0, -1.0)),
            offset=np.append(pieces.offset, first),
            offset_sign=np.append(pieces.offset_sign, nothing),
            target=np.append(pieces.target, ends[given]),
            weight=np.append(pieces.weight, nothing),
            hard=np.append(hard, ~no),
            linear=None if pieces.linear is None else np.append(pieces.linear, no),
        )
        if pieces.second is not None and pieces.second_sign is not None:
            # Another offset than the first, of which there are several then.
            second = np.append(pieces.second, first + 1)
            second_sign = np.append(pieces.second_sign, nothing)
            some = replace(some, second=second, second_sign=second_sign)
        return MatrixWithRows(X, rows), some
