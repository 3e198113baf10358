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

_SLOWEST, _FASTEST = 0.9, 0.9995  # of the way to the nearest bound
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

    @cached_property
    def in_single_precision(self) -> Hinges:
        """The same with half of the digits, for the first steps, which need no more."""
        numbers: Any = (self.A, self.target, self.constants, self.slopes, self.prices)
        return Hinges(*(array.astype(np.float32) for array in numbers))

    @cached_property
    def _upper(self) -> tuple[Ints, Ints]:
        return np.triu_indices(self.n_columns)

    @cached_property
    def _products(self) -> Floats:
        """Products of every two columns, so that all programs' matrices are one product."""
        one, other = self._upper
        return self.A[:, one] * self.A[:, other]

    @cached_property
    def _priced_columns(self) -> Floats:
        return (self.prices[:, :, None] * self.A).transpose(1, 0, 2).reshape(len(self.A), -1)

    @cached_property
    def _priced_prices(self) -> Floats:
        return (self.prices[:, None] * self.prices).reshape(-1, len(self.A)).T

    def normal_matrices(self, by_hinge: Floats) -> Floats:
        """``Aᵀ diag(by_hinge) A`` for each line, with a trace of regularisation."""
        d = self.n_columns
        matrices = np.empty((len(by_hinge), d, d), dtype=by_hinge.dtype)
        one, other = self._upper
        matrices[:, one, other] = matrices[:, other, one] = by_hinge @ self._products
        diagonal = np.einsum("bii->bi", matrices)
        diagonal += _TRACE[by_hinge.dtype.itemsize] * diagonal.max(axis=1, keepdims=True)
        return matrices

    def borders(self, by_hinge: Floats) -> Floats:
        """``E + P diag(by_hinge) A`` for each line."""
        shape = (len(by_hinge), len(self.prices), self.n_columns)
        borders: Floats = (by_hinge @ self._priced_columns).reshape(shape) + self.slopes
        return borders

    def corners(self, by_hinge: Floats) -> Floats:
        """``P diag(by_hinge) Pᵀ`` for each line."""
        m = len(self.prices)
        return (by_hinge @ self._priced_prices).reshape(-1, m, m)

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
        """The points after steps of these lengths."""
        ways = [primal[:, None]] * 4 + [dual[:, None]] * 3
        arrays = zip(vars(self).values(), ways, vars(step).values(), strict=True)
        return Points(*(value + way * change for value, way, change in arrays))

    def some(self, which: Mask | Ints) -> Points:
        """Some of them."""
        return Points(*(array[which] for array in vars(self).values()))

    def astype(self, dtype: type[np.floating]) -> Points:
        """The same in another precision."""
        return Points(*(array.astype(dtype) for array in vars(self).values()))

    def mended(self, hinges: Hinges) -> Points:
        """The same in full precision, with what steps keep exactly made exact again."""
        least = 1e-12
        z, xi, y3 = (array.astype(float) for array in (self.z, self.s2, self.y3))
        s1, paid = z @ hinges.A.T + xi - hinges.target, y3 @ hinges.prices
        y1 = np.clip(self.y1.astype(float), 1e-9 * paid, (1.0 - 1e-9) * paid)
        s3 = np.maximum(hinges.rows(z, xi), least)
        return Points(z, np.maximum(s1, least), xi, s3, y1, paid - y1, y3)


class Newton:
    """The linear systems at some points, for steps that keep ``y₁ + y₂ = Pᵀ y₃``."""

    def __init__(self, hinges: Hinges, costs: Floats, points: Points) -> None:
        self._hinges, self._points = hinges, points
        self._amiss = points.s3 - hinges.rows(points.z, points.s2)
        self._theta1, self._theta2 = points.y1 / points.s1, points.y2 / points.s2
        self._over = 1.0 / (self._theta1 + self._theta2)
        self._share = self._theta1 * self._over
        # Rows leave the system with the slacks: near a vertex it needs them to be regular.
        self._corners = hinges.corners(self._over)
        k = np.arange(len(hinges.prices))
        self._corners[:, k, k] += points.s3 / points.y3
        borders = hinges.borders(self._share)
        self._weighed: Any = np.linalg.solve(self._corners, borders)
        self._matrices = hinges.normal_matrices(self._share * self._theta2)
        self._matrices += np.swapaxes(borders, 1, 2) @ self._weighed
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
        g1 = (aims - ahead.s1 * ahead.y1) / points.s1
        g2 = (aims - ahead.s2 * ahead.y2) / points.s2
        g3 = aims - ahead.s3 * ahead.y3
        both = g1 + g2
        z, y3 = self._solve(
            (g1 - self._share * both) @ hinges.A,
            g3 / points.y3 + (both * self._over) @ hinges.prices.T,
        )
        s1, s2, s3 = self._slacks(z, both - y3 @ hinges.prices)
        y1, y2 = g1 - self._theta1 * s1, g2 - self._theta2 * s2
        more = (z, s1, s2, s3, y1, y2, y3)
        return Points(*(a + b for a, b in zip(vars(ahead).values(), more, strict=True)))

    def _solve(self, right: Floats, rows: Floats) -> tuple[Floats, Floats]:
        """Changes of z and of the rows' multipliers."""
        z = solved(self._matrices, right + _times(np.swapaxes(self._weighed, 1, 2), rows))
        return z, solved(self._corners, rows) - _times(self._weighed, z)

    def _slacks(self, z: Floats, pull: Floats) -> tuple[Floats, Floats, Floats]:
        """How slacks follow z, where those of hinges are pulled at."""
        hinges = self._hinges
        scores = z @ hinges.A.T
        xi = self._over * pull - self._share * scores
        return scores + xi, xi, z @ hinges.slopes.T - xi @ hinges.prices.T


def advanced(hinges: Hinges, costs: Floats, points: Points) -> Points:
    """All points after one predictor–corrector step."""
    newton = Newton(hinges, costs, points)
    n = 2 * len(hinges.A) + len(hinges.prices)
    gaps, ahead = points.gaps, newton.ahead()
    aims = (_reached(points, ahead, gaps) / gaps) ** 3 * gaps / n
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


def solved(matrices: Floats, right: Floats) -> Floats:
    """The solutions of many systems; where one is singular, those of systems that nearly are."""
    columns = right[:, :, None]
    try:
        found: Any = np.linalg.solve(matrices, columns)
    except np.linalg.LinAlgError:
        nearly = matrices + 1e-12 * np.eye(matrices.shape[1]) * np.abs(matrices).max()
        found = np.linalg.solve(nearly, columns)
    solutions: Floats = found[:, :, 0]
    return solutions


def _times(matrices: Floats, vectors: Floats) -> Floats:
    product: Floats = (matrices @ vectors[:, :, None])[:, :, 0]
    return product
