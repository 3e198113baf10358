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
from allrelevant.linear.engine.saddles import Saddles, first_of_lines

_SLOWEST, _FASTEST = 0.95, 0.9995  # of the way to the nearest bound
_LEAST = 0.1  # of a slack in single precision: the least that it is in full
_TRACE = {4: 1e-7, 8: 1e-15}  # of regularisation, by the size of a number


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

    def some(self, which: Mask) -> Hinges:
        """The same with some hinges; the slacks of the others are zero."""
        return Hinges(
            self.A[which], self.target[which], self.constants, self.slopes, self.prices[:, which]
        )

    @cached_property
    def in_single_precision(self) -> Hinges:
        """The same with half of the digits, for the first steps, which need no more."""
        numbers: Any = (self.A, self.target, self.constants, self.slopes, self.prices)
        return Hinges(*(array.astype(np.float32) for array in numbers))

    @cached_property
    def _products(self) -> Floats:
        """Products of every two columns, so that all programs' matrices are one product."""
        one, other = np.triu_indices(self.n_columns)
        return np.ascontiguousarray((self.A[:, one] * self.A[:, other]).T)

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
        triangles: Floats = self._products @ by_hinge.T
        return triangles

    def borders(self, by_hinge: Floats) -> Floats:
        """``E + P diag(by_hinge) A``, along the last axis for each line."""
        paying, shape = self._paying, (len(self._paying), self.n_columns, len(by_hinge))
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
        values: Floats = self.constants + z @ self.slopes.T - xi @ self.prices.T
        return values


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
        s1, paid = z @ hinges.A.T + xi - hinges.target, y3 @ hinges.prices
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
        residuals, paid = z @ hinges.A.T - hinges.target, y3 @ hinges.prices
        y1 = np.clip(y1, 1e-9 * paid, (1.0 - 1e-9) * paid)
        xi = np.maximum(xi, _LEAST * s1 - residuals)
        s3 = np.maximum(hinges.rows(z, xi), _LEAST * s3)
        return Points(z, residuals + xi, xi, s3, y1, paid - y1, y3)


class Newton:
    """The linear systems at some points, for steps that keep ``y₁ + y₂ = Pᵀ y₃``."""

    def __init__(self, hinges: Hinges, costs: Floats, points: Points) -> None:
        self._hinges, self._points = hinges, points
        self._amiss = points.s3 - hinges.rows(points.z, points.s2)
        self._theta1, self._theta2 = points.y1 / points.s1, points.y2 / points.s2
        self._over = self._theta1 + self._theta2
        np.reciprocal(self._over, out=self._over)
        self._share = self._theta1 * self._over
        corners = hinges.corner_triangles(self._over)
        corners[first_of_lines(len(hinges.prices))] += (points.s3 / points.y3).T
        triangles = hinges.normal_triangles(self._share * self._theta2)
        diagonals = first_of_lines(hinges.n_columns)
        triangles[diagonals] += _TRACE[triangles.itemsize] * triangles[diagonals].max(axis=0)
        self._system = Saddles(corners, hinges.borders(self._share), triangles)
        self._costs = costs

    def ahead(self) -> Points:
        """The step that would bring all products s·y to zero, to first order."""
        points = self._points
        z, y3 = self._solve(self._costs, self._amiss)  # y3 is where multipliers would end
        s1, s2, s3 = self._slacks(z, -(y3 @ self._hinges.prices))
        y1, y2 = -points.y1 - self._theta1 * s1, -points.y2 - self._theta2 * s2
        return Points(z, s1, s2, s3 - self._amiss, y1, y2, y3 - points.y3)

    def corrected(self, ahead: Points, aims: Floats) -> Points:
        """The step towards products of this size, with what `ahead` gets wrong made good."""
        points, hinges, aims = self._points, self._hinges, aims[:, None]
        # In place where it can be: these are the largest arrays, and there are many of them.
        g1, g2 = ahead.s1 * ahead.y1, ahead.s2 * ahead.y2
        for own, slack in ((g1, points.s1), (g2, points.s2)):
            np.subtract(aims, own, out=own)
            own /= slack
        g3, both = aims - ahead.s3 * ahead.y3, g1 + g2
        rows = g3 / points.y3 + (both * self._over) @ hinges.prices.T
        pull = self._share * both
        np.subtract(g1, pull, out=pull)
        z, y3 = self._solve(pull @ hinges.A, rows)
        both -= y3 @ hinges.prices
        s1, s2, s3 = self._slacks(z, both)
        g1 -= np.multiply(self._theta1, s1, out=both)
        g2 -= np.multiply(self._theta2, s2, out=both)
        more = Points(z, s1, s2, s3, g1, g2, y3)
        for change, first in zip(vars(more).values(), vars(ahead).values(), strict=True):
            change += first
        return more

    def _solve(self, right: Floats, rows: Floats) -> tuple[Floats, Floats]:
        """Changes of z and of the rows' multipliers."""
        y3, z = self._system.solve(rows.T, right.T)
        return z.T, y3.T

    def _slacks(self, z: Floats, pull: Floats) -> tuple[Floats, Floats, Floats]:
        """How slacks follow z, where those of hinges are pulled at."""
        hinges = self._hinges
        scores = z @ hinges.A.T
        xi = self._over * pull
        xi -= self._share * scores
        scores += xi
        return scores, xi, z @ hinges.slopes.T - xi @ hinges.prices.T


def advanced(hinges: Hinges, costs: Floats, points: Points) -> Points:
    """All points after one predictor–corrector step."""
    newton = Newton(hinges, costs, points)
    n = 2 * len(hinges.A) + len(hinges.prices)
    gaps, ahead = points.gaps, newton.ahead()
    aims = (_reached(points, ahead, gaps) / gaps) ** 2 * gaps / n
    step = newton.corrected(ahead, aims)
    keep = np.clip(1.0 - n * aims / gaps, _SLOWEST, _FASTEST)
    primal, dual = (np.where(way < 1.0, keep * way, way) for way in _longest(points, step))
    return points.moved(step, primal, dual)


def _reached(points: Points, ahead: Points, gaps: Floats) -> Floats:
    """The gaps that steps straight ahead would leave, as long as they can be.

    Such a step changes ``s·y`` by ``−s·y`` to first order, so ``dy/y = −1 − ds/s``.
    """
    slacks = (points.s1, ahead.s1), (points.s2, ahead.s2), (points.s3, ahead.s3)
    ratios = [change / slack for slack, change in slacks]
    primal = 1.0 / np.maximum(1.0, -np.min([own.min(axis=1) for own in ratios], axis=0))
    dual = 1.0 / np.maximum(1.0, 1.0 + np.max([own.max(axis=1) for own in ratios], axis=0))
    pairs = (points.y1, ahead.s1), (points.y2, ahead.s2), (points.y3, ahead.s3)
    first = np.sum([np.einsum("bi,bi->b", y, change) for y, change in pairs], axis=0)
    pairs = (ahead.y1, ahead.s1), (ahead.y2, ahead.s2), (ahead.y3, ahead.s3)
    second = np.sum([np.einsum("bi,bi->b", y, change) for y, change in pairs], axis=0)
    reached: Floats = (1.0 - dual) * gaps + (primal - dual) * first + primal * dual * second
    return np.maximum(reached, 0.0)


def _longest(points: Points, step: Points) -> tuple[Floats, Floats]:
    """The longest steps up to 1 that keep all slacks, and all multipliers, positive."""
    slacks = (step.s1, points.s1), (step.s2, points.s2), (step.s3, points.s3)
    multipliers = (step.y1, points.y1), (step.y2, points.y2), (step.y3, points.y3)
    primal, dual = (
        np.min([(change / value).min(axis=1) for change, value in pairs], axis=0)
        for pairs in (slacks, multipliers)
    )
    return -1.0 / np.minimum(primal, -1.0), -1.0 / np.minimum(dual, -1.0)
