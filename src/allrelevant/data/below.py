"""A table with a few more rows below."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data.computed import ComputedMatrix
from allrelevant.data.matrix import Matrix
from allrelevant.data.patched import PatchedMatrix


@dataclass(frozen=True, eq=False)
class MatrixWithRows(ComputedMatrix):
    """Another table, and rows that say something of weights, not of samples.

    See :class:`~allrelevant.data.matrix.Matrix`. The sizes of columns are those of the samples.

    Parameters
    ----------
    rows : array of shape (n_more, n_columns)
    """

    table: Matrix
    rows: Floats

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.table) + len(self.rows), self.rows.shape[1]

    def scores(self, weights: Floats) -> Floats:
        return np.concatenate([self.table.scores(weights), self.rows @ weights])

    def pull(self, values: Floats) -> Floats:
        n = len(self.table)
        return self.table.pull(values[..., :n]) + values[..., n:] @ self.rows

    def pull_of(self, rows: Ints, values: Floats) -> Floats:
        n = len(self.table)
        own, more = rows < n, rows >= n
        return self.table.pull_of(rows[own], values[own]) + values[more] @ self.rows[rows[more] - n]

    def column(self, feature: int) -> Floats:
        return np.append(self.table.column(feature), self.rows[:, feature])

    def block(self, rows: Ints, features: Ints) -> Floats:
        n = len(self.table)
        block = np.empty((len(rows), len(features)))
        more = rows >= n
        block[~more] = self.table.block(rows[~more], features)
        block[more] = self.rows[np.ix_(rows[more] - n, features)]
        return block

    @property
    def sizes(self) -> Floats:
        """The largest absolute value that every column has in a sample."""
        return self.table.sizes

    @property
    def row_sizes(self) -> Floats:
        return np.append(self.table.row_sizes, np.abs(self.rows).max(axis=1, initial=0.0))

    def take(self, rows: Ints) -> MatrixWithRows:
        """Some of the rows, of which those below have to come last."""
        n = len(self.table)
        return MatrixWithRows(self.table.take(rows[rows < n]), self.rows[rows[rows >= n] - n])

    def replaced(self, features: Ints, columns: Floats) -> PatchedMatrix:
        return PatchedMatrix(self, np.asarray(features, dtype=np.intp), columns)
