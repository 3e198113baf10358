"""A table in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.rows import distinct_rows

TALL = 20_000  # rows; with more, copies of the table are spared rather than time


@dataclass(frozen=True, eq=False)
class DenseMatrix:
    """A table that is an array; see :class:`~allrelevant.data.matrix.Matrix`."""

    values: Floats

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.values.shape
        return n_rows, n_columns

    def __len__(self) -> int:
        return len(self.values)

    def scores(self, weights: Floats) -> Floats:
        return self.values @ weights

    def scores_from(self, features: Ints, weights: Floats) -> Floats:
        return self._by_column[:, features] @ weights

    def pull(self, values: Floats) -> Floats:
        return values @ self.values

    def pull_of(self, rows: Ints, values: Floats) -> Floats:
        return values @ self.values[rows]

    @cached_property
    def _by_column(self) -> Floats:
        """The same with contiguous columns: picking some would else read all rows."""
        return np.asfortranarray(self.values)

    def column(self, feature: int) -> Floats:
        if len(self) > TALL:
            return np.ascontiguousarray(self.values[:, feature])
        return self._by_column[:, feature]

    def columns(self, features: Ints) -> Floats:
        return self.values[:, features]

    def block(self, rows: Ints, features: Ints) -> Floats:
        return self.values[np.ix_(rows, features)]

    def dense(self) -> Floats:
        return self.values

    @property
    def ends(self) -> tuple[Floats, Floats]:
        return self.values.min(axis=0), self.values.max(axis=0)

    @cached_property
    def sizes(self) -> Floats:
        low, high = self.ends if len(self) else (np.zeros(self.shape[1]),) * 2
        return np.maximum(np.abs(low), np.abs(high))

    @property
    def row_sizes(self) -> Floats:
        return np.abs(self.values).max(axis=1, initial=0.0)

    def distinct(self, before: Floats, *behind: Floats | Ints) -> tuple[Ints, Ints]:
        return distinct_rows(before, self.values, *behind)

    def take(self, rows: Ints) -> DenseMatrix:
        return DenseMatrix(self.values[rows])

    def replaced(self, features: Ints, columns: Floats) -> DenseMatrix:
        values = self.values.copy()
        values[:, features] = columns
        return DenseMatrix(values)

    def beside(self, columns: Floats) -> DenseMatrix:
        return DenseMatrix(np.ascontiguousarray(np.column_stack([self.values, columns])))

    def scaled(self, centre: Floats, scale: Floats | float = 1.0) -> DenseMatrix:
        values = self.values - centre
        values /= scale
        return DenseMatrix(values)

    def map(self, function: Callable[[Floats], Floats]) -> DenseMatrix:
        return DenseMatrix(function(self.values))

    def __getstate__(self) -> dict[str, Any]:
        """The values alone: what is computed from them can be again."""
        return {"values": self.values}
