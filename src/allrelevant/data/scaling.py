"""Columns brought to one scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data.dense import DenseMatrix
from allrelevant.data.mapped import in_passing
from allrelevant.data.matrix import Matrix
from allrelevant.data.sparse import SparseMatrix

_FAR = 3.0  # standard deviations between a column's mean and zero
_MOSTLY = 0.75  # of the rows: a value in so many makes programs sparse if it becomes 0
_LOOKED_AT = 1000  # rows among which such a value is the median
_ONE = 1e-9  # levels add up to one within so much


def moments(X: Matrix, share: Floats) -> tuple[Floats, Matrix, Floats]:
    """Mean of every column, what values are away from it, and the standard deviation."""
    centre = X.pull(share)
    away = in_passing(X).scaled(centre)
    return centre, away, np.sqrt(away.map(np.square).pull(share))


def are_levels(X: Matrix, columns: Ints) -> bool:
    """Whether columns are all levels of a category: they add up to one in every row."""
    each = np.zeros(X.shape[1])
    each[columns] = 1.0
    return bool(np.abs(X.scores(each) - 1.0).max(initial=0.0) <= _ONE)


def reference_levels(often: Floats, categories: Iterable[Ints]) -> Ints:
    """For every column its reference: the commonest level of its category, −1 where it has none.

    Of levels that are equally common the first one is the reference.
    """
    found = np.full(len(often), -1, dtype=np.intp)
    for own in categories:
        found[own] = own[np.argmax(often[own])]
    return found


def _commonest(values: Floats, otherwise: Floats) -> Floats:
    """The value that most rows have in a column, or something else where there is none."""
    common = np.median(values[:: max(len(values) // _LOOKED_AT, 1)], axis=0)
    return np.where((values == common).mean(axis=0) >= _MOSTLY, common, otherwise)


@dataclass(frozen=True, eq=False)
class Scaling:
    """Centre and scale of every column. A constant column becomes 0.

    So does the reference level of a category: the weights of its other levels say how these differ
    from it. With a weight for every level all of them could have any constant in common, which the
    offset takes back: no data tell how large it is, and every level would seem to matter.

    Parameters
    ----------
    centre, scale : array
        One number for each column.
    reference : array of int, optional
        For every column that of its reference level, −1 where it is no level.
    """

    centre: Floats
    scale: Floats
    reference: Ints | None = None

    @classmethod
    def of(cls, X: Matrix, count: Floats) -> Scaling:
        """Mean and standard deviation, weighted by the counts."""
        centre, _, scale = moments(X, count / count.sum())
        return cls.of_moments(centre, scale, X.sizes, len(X))

    @classmethod
    def of_moments(cls, centre: Floats, spread: Floats, sizes: Floats, n: int) -> Scaling:
        """The scaling of `n` rows with these means, deviations and largest absolute values."""
        # What is left of a constant column is rounding error, not information.
        constant = spread <= 10.0 * np.finfo(float).eps * np.sqrt(n) * sizes
        return cls(centre, np.where(constant, np.inf, spread))

    @classmethod
    def for_models(cls, X: Matrix, count: Floats, *, standardize: bool) -> Scaling:
        """What columns are brought to before models are fitted to them.

        Offsets make up for what columns are moved by, so that no weight changes. Zeros that are
        not stored stay zeros, and what nearly all rows have in common becomes zero, so that
        programs are as sparse as the data.
        """
        found = cls.of(X, count)
        if not standardize:
            return found.for_far_columns()
        if isinstance(X, SparseMatrix):
            return cls(found._centre_of_far_columns, found.scale)
        if isinstance(X, DenseMatrix):
            return cls(_commonest(X.values, found.centre), found.scale)
        return found

    def for_far_columns(self) -> Scaling:
        """The scaling that moves columns that lie far from zero, and scales none."""
        return Scaling(self._centre_of_far_columns, np.ones(len(self.centre)))

    @property
    def _centre_of_far_columns(self) -> Floats:
        """Of others it is 0: a product of a weight with 10,000 or 10,001 has lost four digits."""
        spread = np.where(np.isinf(self.scale), 0.0, self.scale)
        return np.where(np.abs(self.centre) > _FAR * spread, self.centre, 0.0)

    def with_references(self, reference: Ints) -> Scaling:
        """The scaling in which the reference level of every category becomes 0."""
        if not (reference >= 0).any():
            return self
        scale = self.scale.copy()
        scale[reference[reference >= 0]] = np.inf
        return replace(self, scale=scale, reference=reference)

    def of_matrix(self, X: Matrix) -> Matrix:
        """Standardised columns."""
        return X.scaled(self.centre, self.scale)

    def apply(self, X: Floats) -> Floats:
        """Standardised columns of an array."""
        return (X - self.centre) / self.scale

    def undone(self, X: Floats) -> Floats:
        """Columns as they were, from standardised ones."""
        known = X * np.where(np.isinf(self.scale), 0.0, self.scale) + self.centre
        for own, reference in self._categories():
            known[:, reference] = 1.0 - known[:, own].sum(axis=1)
        return known

    def scaled(self, coefficients: Floats, offset: float) -> tuple[Floats, float]:
        """Weights for standardised columns, and the offset that goes with them."""
        coefficients = coefficients.copy()
        for own, reference in self._categories():
            offset += float(coefficients[reference])
            coefficients[own] -= coefficients[reference]
            coefficients[reference] = 0.0
        weights = coefficients * np.where(np.isinf(self.scale), 0.0, self.scale)
        return weights, offset + float(coefficients @ self.centre)

    def original(self, weights: Floats) -> tuple[Floats, float]:
        """Weights for the columns as they were, and what their centres add to every score."""
        coefficients = weights / self.scale
        return coefficients, -float(coefficients @ self.centre)

    @property
    def references(self) -> tuple[int, ...]:
        """The columns that are reference levels."""
        return tuple(one for _, one in self._categories())

    def _categories(self) -> list[tuple[Ints, int]]:
        """The levels of every category but its reference, and the reference."""
        if self.reference is None:
            return []
        known, places = self.reference, np.arange(len(self.reference))
        return [
            (np.flatnonzero((known == one) & (places != one)), one)
            for one in np.unique(known[known >= 0]).tolist()
        ]
