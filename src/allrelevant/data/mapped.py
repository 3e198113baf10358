"""A table whose values are worked out whenever they are asked for, some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data.computed import ComputedMatrix
from allrelevant.data.dense import TALL, DenseMatrix
from allrelevant.data.matrix import Matrix

_ROWS = 8192  # at a time

OfRows = Callable[[Floats], Floats]


def in_passing(X: Matrix) -> Matrix:
    """The same table, of which scaled or mapped values are not stored where it is a tall array.

    For what is asked few times. Some of the rows of such a table are an array again.
    """
    if isinstance(X, DenseMatrix) and len(X) > TALL:
        return MappedMatrix(X.values)
    return X


@dataclass(frozen=True, eq=False)
class MappedMatrix(ComputedMatrix):
    """Functions of the rows of an array; see :class:`~allrelevant.data.matrix.Matrix`.

    Parameters
    ----------
    values : array
        The table as it is stored.
    functions : tuple of callable
        What is done to all columns of some rows, one after the other.
    """

    values: Floats
    functions: tuple[OfRows, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.values.shape
        return n_rows, n_columns

    def _of(self, stored: Floats) -> Floats:
        for function in self.functions:
            stored = function(stored)
        return stored

    def _parts(self) -> Iterator[tuple[slice, Floats]]:
        for start in range(0, len(self), _ROWS):
            rows = slice(start, start + _ROWS)
            yield rows, self._of(self.values[rows])

    def scores(self, weights: Floats) -> Floats:
        return np.concatenate([part @ weights for _, part in self._parts()])

    def pull(self, values: Floats) -> Floats:
        return np.sum([values[..., rows] @ part for rows, part in self._parts()], axis=0)

    def pull_of(self, rows: Ints, values: Floats) -> Floats:
        return values @ self._of(self.values[rows])

    def column(self, feature: int) -> Floats:
        return self.columns(np.array([feature]))[:, 0]

    def columns(self, features: Ints) -> Floats:
        return np.concatenate([part[:, features] for _, part in self._parts()])

    def block(self, rows: Ints, features: Ints) -> Floats:
        return self._of(self.values[rows])[:, features]

    @property
    def sizes(self) -> Floats:
        return np.max([np.abs(part).max(axis=0) for _, part in self._parts()], axis=0)

    @property
    def row_sizes(self) -> Floats:
        return np.concatenate([np.abs(part).max(axis=1, initial=0.0) for _, part in self._parts()])

    def take(self, rows: Ints) -> DenseMatrix:
        """Some of the rows, which are stored."""
        taken = np.empty((len(rows), self.shape[1]))
        for start in range(0, len(rows), _ROWS):
            some = slice(start, start + _ROWS)
            taken[some] = self._of(self.values[rows[some]])
        return DenseMatrix(taken)

    def replaced(self, features: Ints, columns: Floats) -> Matrix:
        """The same with other columns in the place of some, as an array."""
        return DenseMatrix(self.dense()).replaced(features, columns)

    def beside(self, columns: Floats) -> Matrix:
        """The same with more columns at the end, as an array."""
        return DenseMatrix(self.dense()).beside(columns)

    def scaled(self, centre: Floats, scale: Floats | float = 1.0) -> MappedMatrix:
        return self.map(lambda rows: (rows - centre) / scale)

    def map(self, function: OfRows) -> MappedMatrix:
        return replace(self, functions=(*self.functions, function))

    def __reduce__(self) -> tuple[Any, ...]:
        """Elsewhere it is an array: functions cannot be sent."""
        return DenseMatrix, (self.dense(),)
