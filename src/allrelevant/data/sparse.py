"""A table most of which is zeros: only the others are stored, also when columns are centred."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from allrelevant.base.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class SparseMatrix:
    """A sparse table plus one row that is added to all of its rows.

    What was zero is the same number in all rows of a column after any change of its centre and its
    scale, and after any function of single values: `base` has these numbers, `stored` what the
    others exceed them by. See :class:`~allrelevant.data.matrix.Matrix`.
    """

    stored: Any  # scipy.sparse.csr_array
    base: Floats

    @classmethod
    def of(cls, X: Any) -> SparseMatrix:
        """A sparse matrix or array of scipy's."""
        stored = sp.csr_array(X, dtype=np.float64, copy=True)
        stored.sum_duplicates()
        stored.eliminate_zeros()
        n_rows, n_columns = stored.shape
        base = np.zeros(n_columns)
        # A column without zeros may lie far from them: its digits are kept by one of its values.
        full = np.flatnonzero(np.bincount(stored.indices, minlength=n_columns) == n_rows)
        if n_rows and len(full):
            base[full] = stored[[0]][:, full].toarray()[0]
            stored.data -= base[stored.indices]
            stored.eliminate_zeros()
        return cls(stored, base)

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.stored.shape
        return n_rows, n_columns

    def __len__(self) -> int:
        return int(self.stored.shape[0])

    @cached_property
    def _by_column(self) -> Any:
        return self.stored.tocsc()

    def scores(self, weights: Floats) -> Floats:
        return np.asarray(self.stored @ weights) + self.base @ weights

    def scores_from(self, features: Ints, weights: Floats) -> Floats:
        picked = self._by_column[:, features] @ weights
        return np.asarray(picked) + self.base[features] @ weights

    def pull(self, values: Floats) -> Floats:
        pulled = np.asarray(self.stored.T @ values.T).T
        return pulled + np.multiply.outer(values.sum(axis=-1), self.base)

    def pull_of(self, rows: Ints, values: Floats) -> Floats:
        return np.asarray(self.stored[rows].T @ values) + values.sum() * self.base

    def column(self, feature: int) -> Floats:
        columns = self._by_column
        own = slice(columns.indptr[feature], columns.indptr[feature + 1])
        values = np.full(len(self), self.base[feature])
        values[columns.indices[own]] += columns.data[own]
        return values

    def columns(self, features: Ints) -> Floats:
        return self._by_column[:, features].toarray() + self.base[features]

    def block(self, rows: Ints, features: Ints) -> Floats:
        return self.stored[rows][:, features].toarray() + self.base[features]

    def dense(self) -> Floats:
        return self.stored.toarray() + self.base

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        if not self.stored.shape[1]:
            return self.base, self.base
        low, high = self.stored.min(axis=0), self.stored.max(axis=0)
        return self.base + low.toarray().ravel(), self.base + high.toarray().ravel()

    @property
    def sizes(self) -> Floats:
        return np.maximum(*np.abs(self.ends))

    @property
    def row_sizes(self) -> Floats:
        order = np.argsort(-np.abs(self.base))
        rank = np.argsort(order)
        heights = np.append(np.abs(self.base)[order], 0.0)
        sizes = np.zeros(len(self))
        for i, (start, stop) in enumerate(
            zip(self.stored.indptr[:-1], self.stored.indptr[1:], strict=True)
        ):
            own = self.stored.indices[start:stop]
            there = np.abs(self.stored.data[start:stop] + self.base[own]).max(initial=0.0)
            # Of what is not stored the largest: the first rank that is missing.
            ranks = np.sort(rank[own])
            first = int(np.argmax(np.append(ranks, -1) != np.arange(len(ranks) + 1)))
            sizes[i] = max(there, heights[first])
        return sizes

    def distinct(self, before: Floats, *behind: Floats | Ints) -> tuple[Ints, Ints]:
        blocks = np.ascontiguousarray(np.column_stack([before, *behind]) + 0.0)
        ends = zip(self.stored.indptr[:-1], self.stored.indptr[1:], strict=True)
        rows = np.empty(len(self), dtype=object)
        rows[:] = [
            own.tobytes()
            + self.stored.indices[start:stop].tobytes()
            + self.stored.data[start:stop].tobytes()
            for own, (start, stop) in zip(blocks, ends, strict=True)
        ]
        _, first, kind = np.unique(rows, return_index=True, return_inverse=True)
        return first, kind.ravel()

    def take(self, rows: Ints) -> SparseMatrix:
        return SparseMatrix(self.stored[rows], self.base)

    def replaced(self, features: Ints, columns: Floats) -> SparseMatrix:
        kept = np.ones(self.shape[1])
        kept[features] = 0.0
        rows, places = np.nonzero(columns)
        others = (columns[rows, places], (rows, features[places]))
        stored = self.stored * kept + sp.csr_array(others, shape=self.shape)
        return SparseMatrix(_tidy(stored), self.base * kept)

    def beside(self, columns: Floats) -> SparseMatrix:
        stored = sp.hstack([self.stored, sp.csr_array(columns)], format="csr")
        return SparseMatrix(stored, np.append(self.base, np.zeros(columns.shape[1])))

    def scaled(self, centre: Floats, scale: Floats | float = 1.0) -> SparseMatrix:
        by_column = np.broadcast_to(scale, self.base.shape)
        values = self.stored.data / by_column[self.stored.indices]
        return self._with(values, (self.base - centre) / scale)

    def map(self, function: Callable[[Floats], Floats]) -> SparseMatrix:
        base = function(self.base)
        own = self.stored.indices
        return self._with(function(self.stored.data + self.base[own]) - base[own], base)

    def _with(self, values: Floats, base: Floats) -> SparseMatrix:
        """Other numbers in the same places."""
        places = (values, self.stored.indices, self.stored.indptr)
        return SparseMatrix(sp.csr_array(places, shape=self.shape), base)

    def __getstate__(self) -> dict[str, Any]:
        """What is stored: what is computed from it can be again."""
        return {"stored": self.stored, "base": self.base}


def _tidy(stored: Any) -> Any:
    stored = sp.csr_array(stored)
    stored.eliminate_zeros()
    stored.sort_indices()
    return stored
