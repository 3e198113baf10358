"""The largest values of many linear functions over one set of models, found together.

Interior points of all functions go forward in step (`hinges`), at first in single precision. Once
one is near its optimum, the vertex it heads for is guessed and solved for. Weak duality on the full
data says whether the guess was right; what is not proven in the end is left to a solver of single
programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.guesses import Found, vertices_near
from allrelevant.linear.engine.hinges import Hinges, Points, advanced
from allrelevant.linear.engine.reach import MAIN
from allrelevant.linear.engine.working_set import SIDE_TOLERANCE, WorkingSet

_MOST_PRODUCTS = 4_000_000  # numbers in the table of products of columns
_AT_ONCE = 170_000  # hinges times functions, which stay in the processor's cache
_MOST_FUNCTIONS = 256
_MOST_ROUNDS = 30
_MOST_STEPS = 60
_GUESS_FROM = 0.003  # of the norm: the gap from which vertices are guessed
_CONVERGED = {4: 1e-4, 8: 1e-9}  # of the norm: the gap that is enough, by the size of a number
_WIDE = 0.5  # of the mean distance from a kink: slacks at the start
# What rows cost at the start, by how the limits of budgets are used; steps are fewest so.
_NORM, _LOSS, _ORDER = 0.1, 0.55, 0.007
_FEASIBILITY = 1e-7
_SCOUTS = 16
_SURVEY = 5  # steps
_CLEARLY = 0.01  # how far a piece is on the wrong side already before the optimum
_BAND = 0.01  # residuals of pieces that other functions will want, too


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
        _keep_memory()

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
        if self._built_for < 0:
            self._survey(costs[:: max(1, len(costs) // _SCOUTS)])
        self._settle(costs, values, everything)
        return values

    def _survey(self, costs: Floats) -> None:
        """Take in pieces that rough optima of a few functions have on other sides."""
        models, every = self.models, np.arange(len(self.models.pieces))
        whole = WorkingSet.around(models, np.arange(models.n_features))
        whole.add_pieces(every)
        hinges = _hinges_of(models, whole).in_single_precision
        single: Any = costs.astype(np.float32)
        points = self._start(hinges, costs).astype(np.float32)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            for _ in range(_SURVEY):
                points = advanced(hinges, single, points)
            _, pieces = self._missing(points.z.astype(float), -_BAND)
        matter = len(np.union1d(pieces, self._working_set.undecided))
        # Where many do, it takes longer to find the others than to have them all.
        self._working_set.add_pieces(every if 3 * matter > len(every) else pieces)

    def _settle(self, costs: Floats, values: Floats, which: Ints) -> None:
        """Solve, and again what was not proven for want of pieces that have been taken in."""
        for _ in range(_MOST_ROUNDS):
            left, size = which[np.isnan(values[which])], len(self._working_set.undecided)
            # What some lack is known to the next, so that they are not all asked at once.
            n_parts = 1 if self._working_set.is_complete else -(-len(left) // self._at_once)
            for part in np.array_split(left, n_parts) if len(left) else []:
                values[part] = self._values(costs[part])
            if len(self._working_set.undecided) == size:
                return

    @property
    def _at_once(self) -> int:
        """How many functions take a step together."""
        size = len(self._working_set.undecided) + self.models.n_features
        return min(max(_AT_ONCE // size, 1), _MOST_FUNCTIONS)

    def _values(self, costs: Floats) -> Floats:
        """The same for the working set as it is, which grows by what they lack in the end."""
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
        hinges, all_ = self._hinges, np.arange(len(costs))
        rough = hinges.in_single_precision
        which, points, missing = self._in_steps(
            rough,
            costs,
            values,
            all_,
            lambda own: self._start(hinges, costs[own]).astype(np.float32),
        )
        lacking, more = self._missing(points.z.astype(float), _CLEARLY)
        which, points = which[~lacking], points.some(~lacking)
        which, points, pieces = self._in_steps(
            hinges, costs, values, which, lambda own: points.some(own).mended(hinges)
        )
        last = self._judge(costs, values, which, _as_found(points), 0.1)
        values[values == -np.inf] = np.nan
        self._working_set.add_pieces(np.unique(np.concatenate([*missing, more, *pieces, last])))

    def _in_steps(
        self,
        hinges: Hinges,
        costs: Floats,
        values: Floats,
        which: Ints,
        start: Callable[[Ints], Points],
    ) -> tuple[Ints, Points, list[Ints]]:
        """Go on until a vertex is proven or the gap is small; gives the points that get there.

        After them come pieces that are missing. `start` makes the first points of functions, by
        their place in `which`; these come in as others leave.
        """
        sizes = np.abs(costs).max(axis=1) * self.models.largest_norm
        active, points, steps, begun = which[:0], start(which[:0]), which[:0], 0
        single: Any = costs.astype(points.z.dtype)
        ended, missing = [(active, points)], []
        while True:
            free = self._at_once - len(active)
            if begun < len(which) and free >= self._at_once // 4:
                own = np.arange(begun, min(begun + free, len(which)))
                active, points = np.append(active, which[own]), joined([points, start(own)])
                steps, begun = np.append(steps, np.zeros_like(own)), begun + len(own)
            if not len(active):
                break
            ahead = advanced(hinges, single[active], points)
            gaps, steps = ahead.gaps / sizes[active], steps + 1
            fine = np.isfinite(gaps)
            near = np.flatnonzero(gaps < _GUESS_FROM)
            lines, found = vertices_near(
                self._hinges,
                costs[active[near]],
                ahead.some(near),
                self.models.n_features,
                self._scales,
            )
            missing.append(self._judge(costs, values, active[near[lines]], found))
            left = np.isnan(values[active])
            late = left & fine & ((gaps < _CONVERGED[points.z.itemsize]) | (steps >= _MOST_STEPS))
            ended += [(active[~fine], points.some(~fine)), (active[late], ahead.some(late))]
            left &= fine & ~late
            active, points, steps = active[left], ahead.some(left), steps[left]
        return np.concatenate([own for own, _ in ended]), joined([p for _, p in ended]), missing

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

    def _start(self, hinges: Hinges, costs: Floats) -> Points:
        """The reference with wide slacks, which budgets need not have room for.

        From the centre of the set, where slacks are as small as the tolerance is, twice as many
        steps are needed.
        """
        models, n = self.models, self.models.n_features
        z = np.concatenate([models.reference.offsets, models.reference.weights])
        lacking = hinges.target - hinges.A @ z
        xi = np.maximum(lacking, 0.0)
        # The less room budgets leave, the more is gained by a little more of it.
        room = hinges.rows(z[None], xi[None])[0, : len(models.limits)] / models.limits
        dear = np.where(models.norm_factors > 0, _NORM, _LOSS) / np.sqrt(np.maximum(room, 0.001))
        order = np.full(len(hinges.prices) - len(room), _ORDER)
        rows = np.append(dear * models.largest_norm / models.limits, order)
        for own in (slice(0, -n), slice(-n, None)):
            xi[own] += max(_WIDE * float(np.abs(lacking[own]).mean()), 1e-6)
        y3 = np.abs(costs).max(axis=1, keepdims=True) * rows
        many = (len(costs), 1)
        return Points.around(hinges, np.tile(z, many), np.tile(xi, many), y3)


def _keep_memory() -> None:
    """Have blocks of a few megabytes stay with the process.

    glibc takes the largest block ever given back as a sign of what is usual (mallopt(3), dynamic
    threshold). Else arrays of every step go back to the system and come anew, page by page, which
    takes a fifth of the time. Elsewhere this does nothing.
    """
    np.empty(3_000_000)


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
