"""The cheapest sets of features that hold an equivalent model, one after the other.

Whether a set holds an equivalent model is a linear program. Where it does not, features are added
as long as no model appears; of those that are left out then, every set that holds a model must
contain one. Such *cuts* are all that a small integer program needs to know: its cheapest solution
either holds a model, or gives another cut. No weight occurs in the integer program, so its
tolerances cannot let a feature in unnoticed.

What is chosen are *items*, features of one column or several, which are had together or not at all.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from allrelevant import backends
from allrelevant.backends import checkpoint
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.questions.sets.choice import OutOfTime, cheapest_choice
from allrelevant.linear.questions.sets.subsets import PartsSolver, Verdict

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class SearchRound:
    """What was learned from one solution of the integer program.

    That is a set with its model, or `cuts` that it misses; neither where no set is left. `known`
    are the models that were found on the way, `bound` is what no set that is left costs less than.
    """

    bound: float
    chosen: Mask | None = None
    verdict: Verdict | None = None
    cuts: tuple[Mask, ...] = ()
    known: tuple[Verdict, ...] = ()


class SetSearch:
    """Enumerates feature sets by cost.

    Parameters
    ----------
    costs : array of shape (n_items,)
        Not negative; only those of possible items count.
    possible : array of bool, of shape (n_columns,)
        Columns that can be in a set at all.
    required : array of bool, of shape (n_items,)
        Items that every set must contain.
    time_limit : float
        Seconds from now after which :class:`OutOfTime` is raised.
    item : array of int, of shape (n_columns,)
        The item that each column belongs to.
    one_of : sequence of masks of items
        Every set must contain one of each, be it of use or not.
    progress : Progress, optional
        Shown how much was looked at: nobody knows beforehand how much that will be.

    Attributes
    ----------
    bound : float
        No set that has not been found yet costs less.
    """

    def __init__(
        self,
        solver: PartsSolver,
        costs: Floats,
        possible: Mask,
        required: Mask,
        time_limit: float,
        item: Ints,
        one_of: Sequence[Mask] = (),
        progress: Progress | None = None,
    ) -> None:
        self._solver = solver
        self._progress = progress or Progress()
        self._costs = costs
        self._item = item
        self._usable = possible
        self._possible = self._by_item(possible)
        self._kept = required
        # What costs nothing is there at first; what is not needed of it goes again at the end.
        self._required = self._kept | (self._possible & (costs == 0))
        self._deadline = time.monotonic() + time_limit
        self._one_of = list(one_of)
        self._cuts: list[Mask] = list(one_of)
        self._blocked: list[Mask] = []
        self.bound = float(costs[self._kept].sum())

    def next(self) -> tuple[Mask, Verdict] | None:
        """The cheapest set that contains none found before, with its model; None after the last."""
        while True:
            before, n_cuts = self._solver.known, len(self._cuts)
            (found,) = backends.run(self._worker, [n_cuts], n_batches=1)
            # The same again, but where it comes from a checkpoint.
            self._solver.known = (*before, *found.known)
            self._cuts[n_cuts:] = found.cuts
            self.bound = found.bound
            if found.chosen is None:
                return None
            if found.verdict is not None:
                self._blocked.append(found.chosen)
                return found.chosen, found.verdict

    def _worker(self) -> Callable[[int], SearchRound]:
        """Does a round; one that is kept must not hang on how programs before it have ended."""
        if checkpoint.current.get() is not None:
            self._solver = self._solver.anew()
        return self._round

    def _round(self, n_cuts: int) -> SearchRound:
        n_known, chosen = len(self._solver.known), self._cheapest_hit()
        if chosen is None:
            return SearchRound(self.bound)
        verdict = self._best(chosen)
        if verdict.holds:
            chosen, verdict = self._pruned(chosen, verdict, self._required & ~self._kept)
            return SearchRound(self.bound, chosen, verdict, known=self._solver.known[n_known:])
        self._add_cuts(chosen, verdict)
        cuts = tuple(self._cuts[n_cuts:])
        return SearchRound(self.bound, chosen, cuts=cuts, known=self._solver.known[n_known:])

    def any_set(self) -> tuple[Mask, Verdict]:
        """Features of the reference, or of any model, of which none can be spared; not timed."""
        self._deadline = np.inf
        chosen = self._used(self._solver.models.reference.weights)
        verdict = self._best(chosen)
        if not verdict.holds:  # the reference uses what is not possible
            verdict = self._best(self._possible)
            chosen = self._used(verdict.weights)
        for members in self._one_of:
            if not chosen[members].any():
                choice = np.flatnonzero(members & self._possible)
                chosen[choice[np.argmin(self._costs[choice])]] = True
        return self._pruned(chosen, verdict, ~self._kept)

    def _pruned(self, chosen: Mask, verdict: Verdict, spare: Mask) -> tuple[Mask, Verdict]:
        """Drop items that can be spared, the dearest and the least used first."""
        tried = np.flatnonzero(spare & chosen)
        sizes = self._by_item(np.abs(verdict.weights))[tried]
        for one in tried[np.lexsort((sizes, -self._costs[tried]))]:
            fewer = chosen.copy()
            fewer[one] = False
            if not all(fewer[members].any() for members in self._one_of):
                continue
            found = self._best(fewer)
            if found.holds:
                chosen, verdict = fewer, found
        return chosen, verdict

    # Items and their columns

    def _by_item(self, values: np.ndarray) -> np.ndarray:
        """The largest of each item's values."""
        largest = np.zeros(len(self._costs), dtype=values.dtype)
        np.maximum.at(largest, self._item, values)
        return largest

    def _columns(self, chosen: Mask) -> Mask:
        return self._usable & chosen[self._item]

    def _used(self, weights: Floats) -> Mask:
        return self._by_item(self._usable & (weights != 0))

    # The integer program

    def _cheapest_hit(self) -> Mask | None:
        """The cheapest set that meets every cut and contains no blocked set."""
        try:
            chosen = cheapest_choice(
                self._costs,
                self._possible,
                self._required,
                self._cuts,
                self._blocked,
                self._seconds_left(),
            )
        except OutOfTime as signal:
            self.bound = max(self.bound, signal.bound)
            raise
        if chosen is not None:
            self.bound = max(self.bound, float(self._costs[chosen].sum()))
        return chosen

    # Cuts

    def _add_cuts(self, chosen: Mask, verdict: Verdict) -> None:
        """Learn what is missing: several cuts that have no feature in common."""
        while not verdict.holds:
            missing = self._missing(chosen, verdict)
            self._cuts.append(missing)
            chosen = chosen | missing
            verdict = self._some(chosen)
        logger.debug("%d cuts, %d programs solved", len(self._cuts), self._solver.solved)

    def _missing(self, chosen: Mask, verdict: Verdict) -> Mask:
        """Features of which every set that holds a model has one; none of them can be left out.

        Others are let in, many at once where that makes no model, the cheap and useless first.
        """
        without = self._possible & ~chosen & self._wanted(verdict)
        order = np.lexsort((self._by_item(verdict.prices), self._costs))
        blocks = [block for block in np.array_split(order[without[order]], 2) if len(block)][::-1]
        while blocks:
            block = blocks.pop()
            block = block[without[block]]
            if not len(block):
                continue
            fewer = without.copy()
            fewer[block] = False
            found = self._some(self._possible & ~fewer)
            if not found.holds:
                without = fewer & self._wanted(found)
            elif len(block) > 1:
                blocks += np.array_split(block, 2)[::-1]
        if not without.any():
            raise SolverError("no feature can be added, though the full set holds a model")
        return without

    def _wanted(self, verdict: Verdict) -> Mask:
        return self._by_item(self._usable & verdict.wanted)

    def _best(self, chosen: Mask) -> Verdict:
        self._seconds_left()
        self._progress.show(f"programs solved: {self._solver.solved}")
        return self._solver.best(self._columns(chosen))

    def _some(self, chosen: Mask) -> Verdict:
        self._seconds_left()
        self._progress.show(f"programs solved: {self._solver.solved}")
        return self._solver.some(self._columns(chosen))

    def _seconds_left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        return left
