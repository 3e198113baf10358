"""A table of which some columns are others, and to which some were added."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data.computed import ComputedMatrix
from allrelevant.data.dense import DenseMatrix
from allrelevant.data.matrix import Matrix


@dataclass(frozen=True, eq=False)
class PatchedMatrix(ComputedMatrix):
    """Another table with arrays in the place of some columns, or beside them.

    See :class:`~allrelevant.data.matrix.Matrix`. For tables that are not stored as they stand.

    Parameters
    ----------
    places : array of int
        The columns that are others; those beyond the table's own stand beside it.
    values : array of shape (n_rows, n_places)
    """

    table: Matrix
    places: Ints
    values: Floats

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.table.shape
        return n_rows, max(n_columns, int(self.places.max(initial=-1)) + 1)

    def _own(self, weights: Floats) -> Floats:
        """The weights of the table's own columns."""
        kept = weights.copy()
        kept[self.places] = 0.0
        return kept[: self.table.shape[1]]

    def scores(self, weights: Floats) -> Floats:
        return self.table.scores(self._own(weights)) + self.values @ weights[self.places]

    def _patched(self, pulled: Floats, own: Floats) -> Floats:
        every = np.zeros((*pulled.shape[:-1], self.shape[1]))
        every[..., : pulled.shape[-1]] = pulled
        every[..., self.places] = own
        return every

    def pull(self, values: Floats) -> Floats:
        return self._patched(self.table.pull(values), values @ self.values)

    def pull_of(self, rows: Ints, values: Floats) -> Floats:
        return self._patched(self.table.pull_of(rows, values), values @ self.values[rows])

    def column(self, feature: int) -> Floats:
        (where,) = np.nonzero(self.places == feature)
        return self.values[:, where[0]] if len(where) else self.table.column(feature)

    def block(self, rows: Ints, features: Ints) -> Floats:
        is_own = ~np.isin(features, self.places)
        block = np.empty((len(rows), len(features)))
        block[:, is_own] = self.table.block(rows, features[is_own])
        where = {int(place): k for k, place in enumerate(self.places)}
        chosen = [where[int(feature)] for feature in features[~is_own]]
        block[:, ~is_own] = self.values[np.ix_(rows, np.array(chosen, dtype=np.intp))]
        return block

    @property
    def sizes(self) -> Floats:
        return self._patched(self.table.sizes, np.abs(self.values).max(axis=0, initial=0.0))

    @property
    def row_sizes(self) -> Floats:
        return DenseMatrix(self.dense()).row_sizes

    def take(self, rows: Ints) -> PatchedMatrix:
        return PatchedMatrix(self.table.take(rows), self.places, self.values[rows])

    def replaced(self, features: Ints, columns: Floats) -> PatchedMatrix:
        kept = ~np.isin(self.places, features)
        places = np.concatenate([self.places[kept], np.asarray(features, dtype=np.intp)])
        return PatchedMatrix(self.table, places, np.column_stack([self.values[:, kept], columns]))
