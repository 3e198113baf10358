"""Steps of the interior point for many programs of hinges at once, and where they begin."""

from __future__ import annotations

from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.batch.hinges import Hinges, Points
from allrelevant.linear.engine.batch.saddles import Saddles, first_of_lines
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.working_set import WorkingSet

_SLOWEST, _FASTEST = 0.95, 0.9995  # of the way to the nearest bound
_TRACE = {4: 1e-7, 8: 1e-15}  # of regularisation, by the size of a number
_WIDE = 0.5  # of the mean distance from a kink: slacks at the start
# What rows cost at the start, by how the limits of budgets are used; steps are fewest so.
_NORM, _LOSS, _ORDER = 0.1, 0.55, 0.007


def distinct(table: Floats, cost: Floats) -> tuple[Ints, Ints, Floats]:
    """The first of all equal pieces, which of these each piece is, and what they cost together.

    Two of them at their kink would be an equation too many.
    """
    _, first, kind = np.unique(table, axis=0, return_index=True, return_inverse=True)
    summed: Floats = np.bincount(kind.ravel(), cost, len(first)).astype(float)
    return first, kind.ravel(), summed


def hinges_of(
    models: EquivalentModels, working_set: WorkingSet, which: Ints, cost: Floats
) -> Hinges:
    """Some undecided pieces of a working set, with these costs, as hinges and rows."""
    q, features = working_set.n_offsets, working_set.features
    n = len(features)
    pieces = np.column_stack([working_set.offset_entries, working_set.entries])[which]
    slope = np.append(working_set.offset_slope, working_set.feature_slope[features])
    prices = models.prices[:, features]
    slopes = np.outer(models.loss_factors, slope)
    slopes[:, q:] += prices
    order = np.diff(np.eye(working_set.pieces.n_ordered, q + n), axis=0)
    paid = np.column_stack([np.outer(models.loss_factors, cost), 2.0 * prices])
    return Hinges(
        A=np.vstack([pieces, np.column_stack([np.zeros((n, q)), -np.eye(n)])]),
        target=np.append(working_set.target[which], np.zeros(n)),
        constants=np.append(
            models.limits - models.loss_factors * working_set.constant, np.zeros(len(order))
        ),
        slopes=np.vstack([slopes, order]),
        prices=np.vstack([paid, np.zeros((len(order), paid.shape[1]))]),
    )


def begun(hinges: Hinges, models: EquivalentModels, z: Floats, n_weights: int) -> Points:
    """A point at the reference with wide slacks, which budgets need not have room for.

    From the centre of the set, where slacks are as small as the tolerance is, twice as many
    steps are needed.
    """
    lacking = hinges.target - hinges.scores(z[None])[0]
    xi = np.maximum(lacking, 0.0)
    # The less room budgets leave, the more is gained by a little more of it.
    room = hinges.rows(z[None], xi[None])[0, : len(models.limits)] / models.limits
    dear = np.where(models.norm_factors > 0, _NORM, _LOSS) / np.sqrt(np.maximum(room, 0.001))
    order = np.full(len(hinges.prices) - len(room), _ORDER)
    rows = np.append(dear * models.largest_norm / models.limits, order)
    for own in (slice(0, -n_weights), slice(-n_weights, None)):
        xi[own] += max(_WIDE * float(np.abs(lacking[own]).sum()) / max(len(xi[own]), 1), 1e-6)
    return Points.around(hinges, z[None], xi[None], rows[None]).astype(np.float32)


def in_steps(
    hinges: Hinges, costs: Floats, points: Points, enough: float, most: int, few: int = 0
) -> Points:
    """Go on until gaps are small enough, or it takes too long; the last few need not get there."""
    single: Any = costs.astype(points.z.dtype)
    active, ended = np.arange(len(costs)), [(np.arange(0), points.some(np.arange(0)))]
    for _ in range(most):
        if len(active) <= few:
            break
        ahead = advanced(hinges, single[active], points)
        gaps = ahead.gaps
        lost, near = ~np.isfinite(gaps), gaps < enough
        if not (lost | near).any():  # nothing to be copied
            points = ahead
            continue
        ended += [(active[lost], points.some(lost)), (active[near], ahead.some(near))]
        left = ~lost & ~near
        active, points, hinges = active[left], ahead.some(left), hinges.lines(left)
    ended.append((active, points))
    order = np.argsort(np.concatenate([own for own, _ in ended]))
    parts = zip(*(vars(own).values() for _, own in ended), strict=True)
    return Points(*(np.concatenate(own) for own in parts)).some(order)


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
        z, y3 = self._solve(hinges.pulled(pull), rows)
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
        scores = hinges.scores(z)
        xi = self._over * pull
        xi -= self._share * scores
        scores += xi
        return scores, xi, hinges.along(z) - xi @ hinges.prices.T


def advanced(hinges: Hinges, costs: Floats, points: Points) -> Points:
    """All points after one predictor–corrector step."""
    newton = Newton(hinges, costs, points)
    n = 2 * hinges.n_hinges + len(hinges.prices)
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
