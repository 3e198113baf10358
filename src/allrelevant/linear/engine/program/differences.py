"""Limits of differences of two weights: rows below the data, which every model has to keep."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.data.below import MatrixWithRows
from allrelevant.linear.engine.program.pieces import Pieces


@dataclass(frozen=True, eq=False)
class Differences:
    """Ranges within which the differences of some pairs of weights have to stay.

    Parameters
    ----------
    pairs : array of int of shape (n_pairs, 2)
        It is the weight of the first feature less that of the second.
    low, high : array of shape (n_pairs,)
        Both ends, which can be infinite.
    """

    pairs: Ints
    low: Floats
    high: Floats

    def contain(self, weights: Floats, tolerance: Floats | float = 0.0) -> bool:
        """Whether a model keeps all of them, up to a tolerance (one, or one for each feature)."""
        apart = weights[self.pairs[:, 0]] - weights[self.pairs[:, 1]]
        if isinstance(tolerance, np.ndarray) and tolerance.ndim:
            tolerance = tolerance[self.pairs].sum(axis=1)
        return bool(((apart >= self.low - tolerance) & (apart <= self.high + tolerance)).all())

    @property
    def nearest(self) -> Floats:
        """The difference of each pair that is nearest to none."""
        return np.clip(0.0, self.low, self.high)

    @property
    def needed(self) -> Ints:
        """The features of pairs that must not be equal."""
        return self.pairs[self.nearest != 0.0].ravel()

    def below(self, X: Matrix, pieces: Pieces) -> tuple[Matrix, Pieces]:
        """The data with a row for each pair, and the loss with a hard piece for each finite end."""
        n, m = len(X), len(self.pairs)
        rows = np.zeros((m, X.shape[1]))
        rows[np.arange(m), self.pairs[:, 0]], rows[np.arange(m), self.pairs[:, 1]] = 1.0, -1.0
        ends = np.concatenate([self.low, -self.high])
        given = np.flatnonzero(np.isfinite(ends))
        nothing, first = np.zeros(len(given)), np.zeros(len(given), dtype=np.intp)
        hard = np.zeros(len(pieces), dtype=bool) if pieces.hard is None else pieces.hard
        some = replace(
            pieces,
            row=np.append(pieces.row, n + given % m),
            sign=np.append(pieces.sign, np.where(given < m, 1.0, -1.0)),
            offset=np.append(pieces.offset, first),
            offset_sign=np.append(pieces.offset_sign, nothing),
            target=np.append(pieces.target, ends[given]),
            weight=np.append(pieces.weight, nothing),
            hard=np.append(hard, np.ones(len(given), dtype=bool)),
        )
        if pieces.second is not None and pieces.second_sign is not None:
            # Another offset than the first, of which there are several then.
            second = np.append(pieces.second, first + 1)
            second_sign = np.append(pieces.second_sign, nothing)
            some = replace(some, second=second, second_sign=second_sign)
        return MatrixWithRows(X, rows), some
