"""The largest values of many linear functions over one set of models, found together.

Interior points of all functions go forward in step (`hinges`), in single precision. Hinges that are
far from their kinks in all models that are known, or after a few steps, are left out. Once a point
is near its optimum, a vertex near it is solved for, and the last few equations are exchanged
(`pivots`). Weak duality on the full data says whether that is the optimum; what is not proven in
the end is left to a solver of single programs.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.batch.guesses import vertices_near
from allrelevant.linear.engine.batch.hinges import Hinges, Points
from allrelevant.linear.engine.batch.pivots import Found, optimal
from allrelevant.linear.engine.batch.steps import advanced, begun, distinct, hinges_of, in_steps
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.reach import MAIN
from allrelevant.linear.engine.program.working_set import SIDE_TOLERANCE, WorkingSet

_MOST_PRODUCTS = 4_000_000  # numbers in the table of products of columns
_AT_ONCE = 170_000  # hinges times functions, which stay in the processor's cache
_MOST_FUNCTIONS, _FEWEST_FUNCTIONS = 256, 16
_GOLDEN = (5.0**0.5 - 1.0) / 2.0
_MOST_ROUNDS = 30
_MOST_EXCHANGES = 40
_MOST_STEPS = 60
# Gaps, as parts of the norm, at which vertices are tried: in single precision, and in full.
_NEAR, _CONVERGED = (0.004, 1e-4), (1e-6, 1e-9)
_FEASIBILITY = 1e-7
_SURVEY = 5  # steps with all hinges
_FARTHER = 1.3  # times as far as in the survey: where hinges may still get
_FARTHER_THAN_KNOWN = 2.3  # times as far as in models that are known
_NEARLY_ALL = 0.9
_CLEARLY = 0.01  # how far a hinge is on the wrong side already before the optimum
_BAND = 0.01  # residuals of hinges that other functions will want, too


class ManySolver:
    """Maximises many linear functions of a model at once.

    Parameters
    ----------
    models : EquivalentModels
        Those that :meth:`takes` says yes to.
    known : array of shape (n_models, n_offsets + n_features), optional
        Some models that are far apart. Hinges far from their kinks in all of them are left out from
        the start, without a survey.
    """

    def __init__(self, models: EquivalentModels, known: Floats | None = None) -> None:
        self.models = models
        self._is_surveyed = self._is_lacking = False
        self._kept: Mask  # of all hinges, those that are looked at
        self._hinges: Hinges
        _keep_memory()
        if known is not None and len(known):
            self._keep_near(known, _FARTHER_THAN_KNOWN)

    @staticmethod
    def takes(models: EquivalentModels) -> bool:
        """Whether a set of models is one that this is for: plain, of few columns, in memory."""
        pieces, d = models.pieces, models.n_features + models.pieces.n_offsets
        plain = pieces.hard is None and pieces.linear is None and pieces.second is None
        here = models.boxes is None and models.notes is None and bool((models.kinds == MAIN).all())
        return plain and here and d * d * len(pieces) <= 2 * _MOST_PRODUCTS

    def maximise(self, costs: Floats) -> Floats:
        """The largest value of each line's function of offsets and weights; nan without a proof."""
        values, sizes = np.full(len(costs), np.nan), np.abs(costs).max(axis=1)
        costs = costs / np.where(sizes > 0.0, sizes, 1.0)[:, None]
        # Steps of the golden section: every part has functions of all kinds.
        order = np.argsort(np.arange(len(costs)) * _GOLDEN % 1.0)
        for _ in range(_MOST_ROUNDS):
            left, self._is_lacking = order[np.isnan(values[order])], False
            n_parts = max(round(len(left) / self._at_once), 1)
            for part in np.array_split(left, n_parts) if len(left) else []:
                values[part] = self._values(costs[part])
            if not self._is_lacking:
                break
        return values * sizes

    @property
    def _at_once(self) -> int:
        """How many functions take a step together."""
        size = len((self._hinges if self._is_surveyed else self._whole).A)
        return min(max(_AT_ONCE // size, _FEWEST_FUNCTIONS), _MOST_FUNCTIONS)

    def _values(self, costs: Floats) -> Floats:
        """The same with the hinges that are kept, to which come those that are lacking."""
        values = np.full(len(costs), np.nan)
        try:
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                self._advance(costs, values)
        except np.linalg.LinAlgError:
            pass  # the solver of single programs knows what to do
        values[values == -np.inf] = np.nan
        return values

    def _advance(self, costs: Floats, values: Floats) -> None:
        """Take points to their optima; what lacks hinges is not gone on with."""
        which = np.arange(len(costs))
        points = self._begun(costs) if self._is_surveyed else self._surveyed(costs)
        hinges, rough, models = self._hinges, self._hinges.in_single_precision, self.models
        lacked = np.zeros(len(self._whole.A), dtype=bool)
        for enough in _NEAR:
            points = in_steps(
                rough, costs[which], points, enough * models.largest_norm, _MOST_STEPS
            )
            which, points = self._cross(costs, values, which, points, lacked)
        left = ~self._lacking(points.z, lacked, _CLEARLY)
        which, points = which[left], points.some(left).mended(hinges)
        for enough in _CONVERGED:
            points = in_steps(
                hinges, costs[which], points, enough * models.largest_norm, _MOST_STEPS
            )
            which, points = self._cross(costs, values, which, points, lacked)
        self._judge(costs, values, which, Found(points.z, points.y1, points.y3), lacked, 0.1)
        if lacked.any():
            self._is_lacking = True
            self._keep(self._kept | lacked)

    def _surveyed(self, costs: Floats) -> Points:
        """Points after a few steps with all hinges, of which those far from kinks are left out."""
        whole = self._whole
        self._keep(np.ones(len(whole.A), dtype=bool))
        points = self._begun(costs)
        single: Any = costs.astype(np.float32)
        for _ in range(_SURVEY - 1):
            points = advanced(whole.in_single_precision, single, points)
        self._keep_near(points.z.astype(float), _FARTHER)
        return points.with_hinges(self._kept, whole)

    def _keep_near(self, models: Floats, farther: float) -> None:
        """Look at the hinges whose kinks are not much farther away than these models get."""
        whole, reference = self._whole, self.models.reference
        z = np.append(reference.offsets, reference.weights)
        moves = np.nan_to_num(np.abs((models - z) @ whole.A.T)).max(axis=0)
        kept = np.abs(whole.A @ z - whole.target) <= farther * moves
        kept[-self.models.n_features :] = True
        # Where nearly all matter, it takes longer to find the others than to have them all.
        if kept.mean() > _NEARLY_ALL:
            kept[:] = True
        self._keep(kept)
        self._is_surveyed = True

    def _cross(
        self, costs: Floats, values: Floats, which: Ints, points: Points, lacked: Mask
    ) -> tuple[Ints, Points]:
        """From points to the best vertices; gives what is left."""
        if not len(which):
            return which, points
        hinges, n = self._hinges, self.models.n_features
        lines, near = vertices_near(hinges, costs[which], points, n, self._scales)
        best, vertices = optimal(hinges, costs[which[lines]], near, _MOST_EXCHANGES)
        own = which[lines[best]]
        self._judge(costs, values, own, vertices.found(hinges, costs[own]), lacked)
        left = np.isnan(values[which])
        return which[left], points.some(left)

    def _judge(
        self,
        costs: Floats,
        values: Floats,
        which: Ints,
        found: Found,
        lacked: Mask,
        accuracies: float = 1.0,
    ) -> None:
        """Take what is proven; −∞ for what is not to be gone on with without some hinges."""
        proven = self._doubts(costs[which], found) <= accuracies * self.models.accuracy
        which, z = which[proven], found.z[proven]
        values[which] = np.einsum("bd,bd->b", costs[which], z)
        values[which[self._lacking(z, lacked)]] = -np.inf

    def _doubts(self, costs: Floats, found: Found) -> Floats:
        """How far values can be from the optima of what is kept; infinite off the budgets."""
        hinges, models, q = self._hinges, self.models, self.models.pieces.n_offsets
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

    def _lacking(self, z: Floats, lacked: Mask, least: float = SIDE_TOLERANCE) -> Mask:
        """Which models have hinges that are not kept on the wrong side; these are noted."""
        out = np.flatnonzero(~self._kept)
        short = self._whole.target[out] - z @ self._whole.A[out].T
        lacking: Mask = np.asarray((short > least).any(axis=1))
        # Those about to change will be asked for by the next functions.
        lacked[out[(short[lacking] > -_BAND).any(axis=0)]] = True
        return lacking

    # The program and its start

    @cached_property
    def _whole(self) -> Hinges:
        """The program with all hinges."""
        every = WorkingSet.around(self.models, np.arange(self.models.n_features))
        every.add_pieces(np.arange(len(self.models.pieces)))
        table = np.column_stack([every.offset_entries, every.entries, every.target])
        first, _, cost = distinct(table, every.cost)
        return hinges_of(self.models, every, first, cost)

    def _keep(self, kept: Mask) -> None:
        """Look at these hinges only; the others are where they are at the reference."""
        self._kept, self._hinges = kept, self._whole if kept.all() else self._whole.some(kept)

    @property
    def _scales(self) -> Floats:
        """The limits of budgets; the order of offsets is compared with one."""
        return np.append(self.models.limits, np.ones(self.models.pieces.n_ordered - 1))

    def _begun(self, costs: Floats) -> Points:
        """All functions after one step from one point, whose matrices are made once."""
        hinges, models = self._hinges, self.models
        z = np.concatenate([models.reference.offsets, models.reference.weights])
        one, single = begun(hinges, models, z, models.n_features), costs.astype(np.float32)
        return advanced(hinges.in_single_precision, cast(Any, single), one)


def _keep_memory() -> None:
    """Have blocks of a few megabytes stay with the process.

    glibc takes the largest block ever given back as a sign of what is usual (mallopt(3), dynamic
    threshold). Else arrays of every step go back to the system and come anew, page by page, which
    takes a fifth of the time. Elsewhere this does nothing.
    """
    np.empty(3_000_000)
