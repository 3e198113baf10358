"""Columns brought to one scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.data.mapped import in_passing
from allrelevant.data.matrix import Matrix

_FAR = 3.0  # standard deviations between a column's mean and zero


def moments(X: Matrix, share: Floats) -> tuple[Floats, Matrix, Floats]:
    """Mean of every column, what values are away from it, and the standard deviation."""
    centre = X.pull(share)
    away = in_passing(X).scaled(centre)
    return centre, away, np.sqrt(away.map(np.square).pull(share))


@dataclass(frozen=True, eq=False)
class Scaling:
    """Centre and scale of every column. A constant column becomes 0."""

    centre: Floats
    scale: Floats

    @classmethod
    def of(cls, X: Matrix, count: Floats) -> Scaling:
        """Mean and standard deviation, weighted by the counts."""
        centre, _, scale = moments(X, count / count.sum())
        return cls.of_moments(centre, scale, X.sizes, len(X))

    @classmethod
    def of_moments(cls, centre: Floats, spread: Floats, sizes: Floats, n: int) -> Scaling:
        """The same of `n` rows with these means, deviations and largest absolute values."""
        # What is left of a constant column is rounding error, not information.
        constant = spread <= 10.0 * np.finfo(float).eps * np.sqrt(n) * sizes
        return cls(centre, np.where(constant, np.inf, spread))

    @classmethod
    def of_far_columns(cls, X: Matrix, count: Floats) -> Scaling:
        """Leave the scales as they are, and bring columns that lie far from zero there.

        Offsets make up for it, so that no weight changes; but a product of a weight with values
        near 10,000 that differ by 1 has lost four digits.
        """
        return cls.of(X, count).for_far_columns()

    def for_far_columns(self) -> Scaling:
        """The same where only columns that lie far from zero are moved, and none is scaled."""
        spread = np.where(np.isinf(self.scale), 0.0, self.scale)
        is_far = np.abs(self.centre) > _FAR * spread
        return Scaling(np.where(is_far, self.centre, 0.0), np.ones(len(self.centre)))

    def of_matrix(self, X: Matrix) -> Matrix:
        """Standardised columns."""
        return X.scaled(self.centre, self.scale)

    def apply(self, X: Floats) -> Floats:
        """The same of an array."""
        return (X - self.centre) / self.scale

    def undone(self, X: Floats) -> Floats:
        """Columns as they were, from standardised ones."""
        return X * np.where(np.isinf(self.scale), 0.0, self.scale) + self.centre

    def scaled(self, coefficients: Floats, offset: float) -> tuple[Floats, float]:
        """Weights for standardised columns, and the offset that goes with them."""
        weights = coefficients * np.where(np.isinf(self.scale), 0.0, self.scale)
        return weights, offset + float(coefficients @ self.centre)

    def original(self, weights: Floats) -> tuple[Floats, float]:
        """Weights for the columns as they were, and what their centres add to every score."""
        coefficients = weights / self.scale
        return coefficients, -float(coefficients @ self.centre)
