"""One row for every sample and every class that is not its own; columns for every class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data.computed import ComputedMatrix
from allrelevant.data.dense import DenseMatrix
from allrelevant.data.matrix import Matrix
from allrelevant.data.patched import PatchedMatrix


@dataclass(frozen=True, eq=False)
class ClassMatrix(ComputedMatrix):
    """By how much a sample's own class is ahead of another one, as a table that is never built.

    See :class:`~allrelevant.data.matrix.Matrix`. The row of sample i and class k has ``x_i`` in the
    block of i's own class and ``−x_i`` in that of k. So with a weight for every class and feature
    its score is the difference of the scores of both classes. All products are those of samples.

    Parameters
    ----------
    samples : Matrix of shape (n_samples, n_features)
    sample, own, other : array of int of shape (n_rows,)
        The sample, its own class, and another one of every row.
    """

    samples: Matrix
    n_classes: int
    sample: Ints
    own: Ints
    other: Ints

    @classmethod
    def of(cls, samples: Matrix, codes: Ints, n_classes: int) -> ClassMatrix:
        """All rows of samples of these classes, those of one sample together."""
        others = np.arange(n_classes - 1)
        own = np.repeat(codes, n_classes - 1)
        other = np.tile(others, len(codes))
        return cls(
            samples,
            n_classes,
            np.repeat(np.arange(len(codes)), n_classes - 1),
            own,
            other + (other >= own),
        )

    @property
    def n_features(self) -> int:
        """How many features a sample has."""
        return self.samples.shape[1]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.sample), self.n_classes * self.n_features

    def expanded(self, column: Floats) -> Floats:
        """A column of the samples as one of the table for every class."""
        return self._factors * column[self.sample, None]

    @cached_property
    def _factors(self) -> Floats:
        """What each row does with the scores of the classes."""
        factors = np.zeros((len(self), self.n_classes))
        factors[np.arange(len(self)), self.own] = 1.0
        factors[np.arange(len(self)), self.other] = -1.0
        return factors

    def scores(self, weights: Floats) -> Floats:
        if weights.ndim > 1:
            return np.column_stack([self.scores(own) for own in weights.T])
        by_class = self.samples.scores(weights.reshape(self.n_classes, self.n_features).T)
        return by_class[self.sample, self.own] - by_class[self.sample, self.other]

    def pull(self, values: Floats) -> Floats:
        if values.ndim > 1:
            return np.array([self.pull(own) for own in values])
        n = len(self.samples) * self.n_classes
        by_class = np.bincount(self.sample * self.n_classes + self.own, values, minlength=n)
        by_class -= np.bincount(self.sample * self.n_classes + self.other, values, minlength=n)
        parts = by_class.reshape(-1, self.n_classes).T
        return np.concatenate([self.samples.pull(np.ascontiguousarray(part)) for part in parts])

    def pull_of(self, rows: Ints, values: Floats) -> Floats:
        used, place = np.unique(self.sample[rows], return_inverse=True)
        by_class = np.zeros((len(used), self.n_classes))
        np.add.at(by_class, (place.ravel(), self.own[rows]), values)
        np.subtract.at(by_class, (place.ravel(), self.other[rows]), values)
        parts = np.ascontiguousarray(by_class.T)
        return np.concatenate([self.samples.pull_of(used, part) for part in parts])

    def column(self, feature: int) -> Floats:
        k, j = divmod(feature, self.n_features)
        return self._factors[:, k] * self.samples.column(j)[self.sample]

    def block(self, rows: Ints, features: Ints) -> Floats:
        block = self.samples.block(self.sample[rows], features % self.n_features)
        block *= self._factors[np.ix_(rows, features // self.n_features)]
        return block

    @cached_property
    def sizes(self) -> Floats:
        if len(self) < len(self.samples) * (self.n_classes - 1):
            return DenseMatrix(self.dense()).sizes
        return np.tile(self.samples.sizes, self.n_classes)  # samples have a row with every class

    @property
    def row_sizes(self) -> Floats:
        return self.samples.row_sizes[self.sample]

    def take(self, rows: Ints) -> ClassMatrix:
        sample, own, other = self.sample[rows], self.own[rows], self.other[rows]
        return ClassMatrix(self.samples, self.n_classes, sample, own, other)

    def replaced(self, features: Ints, columns: Floats) -> PatchedMatrix:
        return PatchedMatrix(self, np.asarray(features, dtype=np.intp), columns)
