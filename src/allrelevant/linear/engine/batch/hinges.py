"""Many linear functions at once over one set of models: a program of hinges, and its steps.

Everything is a hinge or a row. A piece of the loss is a hinge, and so is the size of a weight, as
``|w| = 2·max(0, w) − w``. Budgets and the order of offsets are rows. For ``z = (b, w)`` and one of
many costs ``c`` to be maximised::

    s₁ = A z + ξ − target ≥ 0,  s₂ = ξ ≥ 0      one each per hinge
    s₃ = constant + E z − P ξ ≥ 0               one per row

Programs share all of it but c. So a step of the interior point is the same few products of matrices
for hundreds of them, and each costs a fraction of what it costs alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.batch.saddles import first_of_lines

_LEAST = 0.1  # of a slack in single precision: the least that it is in full


@dataclass(frozen=True, eq=False)
class Hinges:
    """The numbers of the program above: A and target, constant, E (slopes) and P (prices)."""

    A: Floats
    target: Floats
    constants: Floats
    slopes: Floats
    prices: Floats

    @property
    def n_columns(self) -> int:
        """How many offsets and weights there are."""
        return self.A.shape[1]

    @property
    def n_hinges(self) -> int:
        """How many hinges there are; the last ones are those of weights."""
        return len(self.A)

    def lines(self, which: Mask | Ints) -> Hinges:
        """What some of the programs look like."""
        return self

    def scores(self, z: Floats) -> Floats:
        """``A z`` at points."""
        return z @ self.A.T

    def pulled(self, by_hinge: Floats) -> Floats:
        """``Aᵀ y`` for multipliers of hinges."""
        return by_hinge @ self.A

    def along(self, z: Floats) -> Floats:
        """``E z``: what the linear parts of rows are at points."""
        return z @ self.slopes.T

    def equations(self, which: Ints) -> Floats:
        """The lines of A of some hinges, which each program has chosen."""
        return self.A[which]

    def gradients(self, rows: Ints, counted: Floats) -> Floats:
        """The gradients of a row for each program, where it pays this for linear hinges."""
        return self.slopes[rows] + self.pulled(counted)

    def some(self, which: Mask) -> Hinges:
        """The same with some hinges; the slacks of the others are zero."""
        return Hinges(
            self.A[which], self.target[which], self.constants, self.slopes, self.prices[:, which]
        )

    @cached_property
    def in_single_precision(self) -> Hinges:
        """The hinges in single precision, for the first steps, which need no more."""
        numbers: Any = (self.A, self.target, self.constants, self.slopes, self.prices)
        return Hinges(*(array.astype(np.float32) for array in numbers))

    @cached_property
    def _products(self) -> Floats:
        """Products of every two columns, so that all programs' matrices are one product."""
        columns, d = np.ascontiguousarray(self.A.T), self.A.shape[1]
        products = np.empty((d * (d + 1) // 2, len(self.A)), dtype=self.A.dtype)
        for k, start in enumerate(first_of_lines(d)):
            np.multiply(columns[k], columns[k:], out=products[start : start + d - k])
        return products

    @cached_property
    def _paying(self) -> Ints:
        """The rows that slacks cost anything; those of the order of offsets are none of them."""
        return np.flatnonzero(self.prices.any(axis=1))

    @cached_property
    def _priced_columns(self) -> Floats:
        prices = self.prices[self._paying]
        return (prices[:, :, None] * self.A).transpose(0, 2, 1).reshape(-1, len(self.A))

    @cached_property
    def _priced_prices(self) -> tuple[Ints, Floats]:
        """Products of prices of every two rows that pay, and where they are in the triangle."""
        one, other = np.triu_indices(len(self.prices))
        where = np.flatnonzero(np.isin(one, self._paying) & np.isin(other, self._paying))
        return where, self.prices[one[where]] * self.prices[other[where]]

    def normal_triangles(self, by_hinge: Floats) -> Floats:
        """The upper triangle of ``Aᵀ diag(by_hinge) A``, a column for each line of `by_hinge`."""
        return self._products @ by_hinge.T

    def borders(self, by_hinge: Floats) -> Floats:
        """``E + P diag(by_hinge) A``, along the last axis for each line."""
        paying, shape = self._paying, (len(self._paying), self.A.shape[1], len(by_hinge))
        borders = np.repeat(self.slopes[:, :, None], len(by_hinge), axis=2)
        borders[paying] += (self._priced_columns @ by_hinge.T).reshape(shape)
        return borders

    def corner_triangles(self, by_hinge: Floats) -> Floats:
        """The upper triangle of ``P diag(by_hinge) Pᵀ``, a column for each line."""
        where, products = self._priced_prices
        n = len(self.prices)
        triangles = np.zeros((n * (n + 1) // 2, len(by_hinge)), dtype=by_hinge.dtype)
        triangles[where] = products @ by_hinge.T
        return triangles

    def rows(self, z: Floats, xi: Floats) -> Floats:
        """The values of all rows at points."""
        return self.constants + self.along(z) - xi @ self.prices.T


@dataclass(frozen=True, eq=False)
class Points:
    """Interior points, a line for each: z, then slacks and multipliers of hinges and rows.

    The two multipliers of a hinge add up to what its slack costs.
    """

    z: Floats
    s1: Floats
    s2: Floats
    s3: Floats
    y1: Floats
    y2: Floats
    y3: Floats

    @classmethod
    def around(cls, hinges: Hinges, z: Floats, xi: Floats, y3: Floats) -> Points:
        """Points with these slacks and multipliers of rows, and all others about in balance.

        Rows need not have the values that their slacks say; steps see to it.
        """
        s1, paid = hinges.scores(z) + xi - hinges.target, y3 @ hinges.prices
        y1 = paid * xi / (s1 + xi)
        return cls(z, s1, xi, 2.0 * (y1 * s1).mean(axis=1, keepdims=True) / y3, y1, paid - y1, y3)

    @property
    def gaps(self) -> Floats:
        """s·y, the duality gaps where multipliers are feasible."""
        pairs = (self.s1, self.y1), (self.s2, self.y2), (self.s3, self.y3)
        return np.sum([np.einsum("bi,bi->b", s, y) for s, y in pairs], axis=0)

    def moved(self, step: Points, primal: Floats, dual: Floats) -> Points:
        """The points after steps of these lengths, in the place of the steps."""
        ways = [primal[:, None]] * 4 + [dual[:, None]] * 3
        arrays = zip(vars(self).values(), ways, vars(step).values(), strict=True)
        for value, way, change in arrays:
            change *= way
            change += value
        return step

    def some(self, which: Mask | Ints) -> Points:
        """Some of them."""
        return Points(*(array[which] for array in vars(self).values()))

    def with_hinges(self, which: Mask, hinges: Hinges) -> Points:
        """The same with some of these hinges; rows get back what the others' slacks have cost."""
        s1, s2, y1, y2 = (own[:, which] for own in (self.s1, self.s2, self.y1, self.y2))
        back = self.s2[:, ~which] @ hinges.prices[:, ~which].T.astype(self.s2.dtype)
        return Points(self.z, s1, s2, self.s3 + back, y1, y2, self.y3)

    def astype(self, dtype: type[np.floating]) -> Points:
        """The same in another precision."""
        return Points(*(array.astype(dtype) for array in vars(self).values()))

    def mended(self, hinges: Hinges) -> Points:
        """The same in full precision, with what steps keep exactly made exact again.

        Slacks that rounding has left with next to nothing keep a part of what they were.
        """
        z, s1, xi, s3, y1, _, y3 = (array.astype(float) for array in vars(self).values())
        residuals, paid = hinges.scores(z) - hinges.target, y3 @ hinges.prices
        y1 = np.clip(y1, 1e-9 * paid, (1.0 - 1e-9) * paid)
        xi = np.maximum(xi, _LEAST * s1 - residuals)
        s3 = np.maximum(hinges.rows(z, xi), _LEAST * s3)
        return Points(z, residuals + xi, xi, s3, y1, paid - y1, y3)
