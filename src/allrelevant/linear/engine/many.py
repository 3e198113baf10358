"""The largest values of many linear functions over one set of models, found together.

Interior points of all functions go forward in step (`hinges`), at first in single precision. Once
one is near its optimum, the vertex it heads for is guessed and solved for. Weak duality on the full
data says whether the guess was right; what is not proven in the end is left to a solver of single
programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.hinges import Hinges, Points, advanced, solved
from allrelevant.linear.engine.reach import MAIN
from allrelevant.linear.engine.working_set import SIDE_TOLERANCE, WorkingSet

_MOST_PRODUCTS = 4_000_000  # numbers in the table of products of columns
_AT_ONCE = 100_000  # hinges times functions, which stay in the processor's cache
_MOST_FUNCTIONS = 256
_MOST_ROUNDS = 30
_MOST_STEPS = 60
_GUESS_FROM = 0.0003  # of the norm: the gap from which vertices are guessed
_CONVERGED = 1e-9  # of the norm: the gap at which a point is as good as a vertex
_WIDE = 0.4  # of the mean distance from a kink: slacks at the start
_DEAR = 0.7  # of the largest factor: what the norm costs at the start
_LOSS = 3.0  # times as much, for its whole limit, the loss
_FEASIBILITY = 1e-7
_SCOUTS = 16
_CLEARLY = 0.01  # how far a piece is on the wrong side already before the optimum
_BAND = 0.01  # residuals of pieces that other functions will want, too


@dataclass(frozen=True, eq=False)
class Found:
    """Models and multipliers, a line for each function."""

    z: Floats
    hinges: Floats
    rows: Floats


class ManySolver:
    """Maximises many linear functions of a model at once.

    Parameters
    ----------
    models : EquivalentModels
        Those that :meth:`takes` says yes to.
    """

    def __init__(self, models: EquivalentModels) -> None:
        self.models = models
        self._working_set = WorkingSet.around(models, np.arange(models.n_features))
        self._built_for = -1
        self._hinges: Hinges

    @staticmethod
    def takes(models: EquivalentModels) -> bool:
        """Whether a set of models is one that this is for: plain, of few columns, in memory."""
        pieces, d = models.pieces, models.n_features + models.pieces.n_offsets
        plain = pieces.hard is None and pieces.linear is None and pieces.second is None
        here = models.boxes is None and models.notes is None and bool((models.kinds == MAIN).all())
        return plain and here and d * d * len(pieces) <= 2 * _MOST_PRODUCTS

    def maximise(self, costs: Floats) -> Floats:
        """The largest value of each line's function of offsets and weights; nan without a proof."""
        values = np.full(len(costs), np.nan)
        everything = np.arange(len(costs))
        if self._built_for < 0:  # a few show which pieces matter, before the others are asked
            self._settle(costs, values, everything[:: max(1, len(costs) // _SCOUTS)])
        self._settle(costs, values, everything)
        return values

    def _settle(self, costs: Floats, values: Floats, which: Ints) -> None:
        """Solve, and again what was not proven for want of pieces that have been taken in."""
        for _ in range(_MOST_ROUNDS):
            left = which[np.isnan(values[which])]
            size = len(self._working_set.undecided)
            at_once = min(max(_AT_ONCE // (size + costs.shape[1]), 1), _MOST_FUNCTIONS)
            for part in np.array_split(left, -(-len(left) // at_once)) if len(left) else []:
                values[part] = self._values(costs[part])
            if len(self._working_set.undecided) == size:
                return

    def _values(self, costs: Floats) -> Floats:
        """The same for as many functions as go together; the working set grows where it has to."""
        values = np.full(len(costs), np.nan)
        try:
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                self._follow()
                self._advance(costs, values)
        except np.linalg.LinAlgError:
            pass  # the solver of single programs knows what to do
        return values

    def _advance(self, costs: Floats, values: Floats) -> None:
        """Take points to their optima; what lacks pieces of the loss is not gone on with."""
        hinges, left = self._hinges, np.arange(len(costs))
        sizes = np.abs(costs).max(axis=1) * self.models.largest_norm
        points = self._near(costs, sizes)
        lacking, pieces = self._missing(points.z, _CLEARLY)
        left, points, missing = left[~lacking], points.some(~lacking), [pieces]
        for _ in range(_MOST_STEPS):
            good = np.isfinite(points.gaps)
            left, points = left[good], points.some(good)
            if not len(left):
                break
            is_vertex, found = _vertices_near(
                hinges, costs[left], points, self.models.n_features, self._scales
            )
            missing.append(self._judge(costs, values, left[is_vertex], found))
            late = np.isnan(values[left]) & (points.gaps < _CONVERGED * sizes[left])
            inside = _as_found(points.some(late))
            missing.append(self._judge(costs, values, left[late], inside, 0.1))
            open_ = np.isnan(values[left]) & ~late
            left, points = left[open_], points.some(open_)
            if len(left):
                points = advanced(hinges, costs[left], points)
        values[values == -np.inf] = np.nan
        self._working_set.add_pieces(np.unique(np.concatenate(missing)))

    def _near(self, costs: Floats, sizes: Floats) -> Points:
        """Points so near to all optima that their vertices can be guessed."""
        hinges = self._hinges.in_single_precision
        single: Any = costs.astype(np.float32)
        points, left = self._start(costs).astype(np.float32), np.arange(len(costs))
        ended: list[tuple[Ints, Points]] = []
        for _ in range(_MOST_STEPS):
            points = advanced(hinges, single[left], points)
            near = ~(points.gaps > _GUESS_FROM * sizes[left])
            ended.append((left[near], points.some(near)))
            left, points = left[~near], points.some(~near)
            if not len(left):
                break
        ended.append((left, points))
        order = np.argsort(np.concatenate([which for which, _ in ended]))
        return joined([own for _, own in ended]).some(order).mended(self._hinges)

    def _judge(
        self, costs: Floats, values: Floats, which: Ints, found: Found, accuracies: float = 1.0
    ) -> Ints:
        """Take what is proven; gives pieces without which some are not to be gone on with now."""
        proven = self._doubts(costs[which], found) <= accuracies * self.models.accuracy
        which, z = which[proven], found.z[proven]
        values[which] = np.einsum("bd,bd->b", costs[which], z)
        lacking, pieces = self._missing(z)
        values[which[lacking]] = -np.inf
        return pieces

    def _doubts(self, costs: Floats, found: Found) -> Floats:
        """How far values can be from the optima on the working set; infinite off the budgets."""
        hinges, models, q = self._hinges, self.models, self._working_set.n_offsets
        rows = np.maximum(found.rows, 0.0)
        pull = np.clip(found.hinges, 0.0, rows @ hinges.prices)
        rest = np.abs(costs + pull @ hinges.A + rows @ hinges.slopes)
        bounds = rows @ hinges.constants - pull @ hinges.target
        bounds += rest[:, :q].sum(axis=1) * models.largest_offset
        bounds += rest[:, q:].max(axis=1, initial=0.0) * models.largest_norm
        slack = np.maximum(hinges.target - found.z @ hinges.A.T, 0.0)
        over = np.maximum(-hinges.rows(found.z, slack), 0.0)
        doubt = np.abs(bounds - np.einsum("bd,bd->b", costs, found.z)) + (rows * over).sum(axis=1)
        kept = over <= _FEASIBILITY * np.maximum(self._scales, 1.0)
        return np.where(kept.all(axis=1), doubt, np.inf)

    def _missing(self, z: Floats, least: float = SIDE_TOLERANCE) -> tuple[Mask, Ints]:
        """Which models have pieces outside the working set on the wrong side, and which pieces."""
        working_set, pieces, q = self._working_set, self.models.pieces, self._working_set.n_offsets
        if working_set.is_complete or not len(z):
            return np.zeros(len(z), dtype=bool), np.zeros(0, dtype=np.intp)
        z = np.nan_to_num(z, nan=0.0, posinf=0.0, neginf=0.0)
        scores = [working_set.scores(own) for own in z[:, q:]]
        residuals = np.array(list(map(pieces.residuals, scores, z[:, :q])))
        lacking, _ = np.divmod(working_set.changed_side(residuals, least), len(pieces))
        is_lacking = np.zeros(len(z), dtype=bool)
        is_lacking[lacking] = True
        if not len(lacking):
            return is_lacking, lacking
        # Those about to change will be asked for by the next functions.
        about = working_set.changed_side(residuals[is_lacking], -_BAND)
        return is_lacking, np.unique(about % len(pieces))

    # The program and its start

    def _follow(self) -> None:
        """Take up what the working set has gained."""
        size = len(self._working_set.undecided)
        if size != self._built_for:
            self._built_for = size
            self._hinges = _hinges_of(self.models, self._working_set)

    @property
    def _scales(self) -> Floats:
        """The limits of budgets; the order of offsets is compared with one."""
        return np.append(self.models.limits, np.ones(self._working_set.pieces.n_ordered - 1))

    def _start(self, costs: Floats) -> Points:
        """The reference with wide slacks, which budgets need not have room for.

        From the centre of the set, where slacks are as small as the tolerance is, twice as many
        steps are needed.
        """
        hinges, models, n = self._hinges, self.models, self.models.n_features
        z = np.concatenate([models.reference.offsets, models.reference.weights])
        lacking = hinges.target - hinges.A @ z
        xi = np.maximum(lacking, 0.0)
        for own in (slice(0, -n), slice(-n, None)):
            xi[own] += max(_WIDE * float(np.abs(lacking[own]).mean()), 1e-6)
        prices = np.where(models.norm_factors > 0, 1.0, _LOSS) * models.largest_norm / models.limits
        rows = np.append(prices, np.full(len(hinges.prices) - len(prices), 0.01))
        y3 = _DEAR * np.abs(costs).max(axis=1, keepdims=True) * rows
        many = (len(costs), 1)
        return Points.around(hinges, np.tile(z, many), np.tile(xi, many), y3)


def _vertices_near(
    hinges: Hinges, costs: Floats, points: Points, n_weights: int, scales: Floats
) -> tuple[Mask, Found]:
    """The vertices that interior points head for, of those where the guess has one.

    A hinge is at its kink where both its slacks are smaller than their (scaled) multipliers; a row
    holds with equality where its slack is. As many of them as there are columns make a vertex.
    """
    (n, d), paid = hinges.A.shape, points.y3 @ hinges.prices
    paid[:, -n_weights:] /= np.abs(points.z[:, -n_weights:]).max(axis=1, keepdims=True)
    kink = (points.s1 * paid < points.y1) & (points.s2 * paid < points.y2)
    equal = points.s3 * np.abs(costs).max(axis=1, keepdims=True) < points.y3 * scales
    holds = np.concatenate([kink, equal], axis=1)
    square = holds.sum(axis=1) == d
    kink, equal, costs, lines = kink[square], equal[square], costs[square], np.flatnonzero(square)
    linear = (~kink & (points.y1[lines] > points.y2[lines])).astype(float)
    # All equations that hold, those of hinges first, each line's in a square of its own.
    which = np.nonzero(holds[lines])[1].reshape(len(lines), d)
    of_rows, line = which >= n, np.arange(len(lines))[:, None]
    matrices, right = hinges.A[np.minimum(which, n - 1)], hinges.target[np.minimum(which, n - 1)]
    row = np.maximum(which - n, 0)
    borders = hinges.borders(linear)
    from_linear = (linear * hinges.target) @ hinges.prices.T - hinges.constants
    matrices = np.where(of_rows[:, :, None], borders[line, row], matrices)
    right = np.where(of_rows, from_linear[line, row], right)
    z, dual = solved(matrices, right), solved(np.swapaxes(matrices, 1, 2), -costs)
    rows, pull = np.zeros(equal.shape), np.zeros(kink.shape)
    rows[equal], pull[kink] = dual[of_rows], dual[~of_rows]
    return square, Found(z, np.where(kink, pull, linear * (rows @ hinges.prices)), rows)


def _as_found(points: Points) -> Found:
    return Found(points.z, points.y1, points.y3)


def joined(parts: list[Points]) -> Points:
    """Points of several parts as one."""
    arrays = zip(*(vars(part).values() for part in parts), strict=True)
    return Points(*(np.concatenate(own) for own in arrays))


def _hinges_of(models: EquivalentModels, working_set: WorkingSet) -> Hinges:
    """A working set of all features as hinges and rows."""
    q, n = working_set.n_offsets, models.n_features
    weights = np.column_stack([np.zeros((n, q)), -np.eye(n)])
    # Equal rows make one piece: two at their kink would be an equation too many.
    table = [working_set.offset_entries, working_set.entries, working_set.target]
    distinct, which = np.unique(np.column_stack(table), axis=0, return_inverse=True)
    cost = np.bincount(which.ravel(), working_set.cost, len(distinct))
    slope = np.append(working_set.offset_slope, working_set.feature_slope)
    slopes = np.outer(models.loss_factors, slope)
    slopes[:, q:] += models.prices
    order = np.diff(np.eye(working_set.pieces.n_ordered, q + n), axis=0)
    prices = np.column_stack([np.outer(models.loss_factors, cost), 2.0 * models.prices])
    return Hinges(
        A=np.vstack([distinct[:, :-1], weights]),
        target=np.append(distinct[:, -1], np.zeros(n)),
        constants=np.append(
            models.limits - models.loss_factors * working_set.constant, np.zeros(len(order))
        ),
        slopes=np.vstack([slopes, order]),
        prices=np.vstack([prices, np.zeros((len(order), prices.shape[1]))]),
    )
