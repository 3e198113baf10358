"""Whether a set of features holds an equivalent model, and if not, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.optimum import Candidate, SolverError
from allrelevant.linear.engine.program.reach import FREE, MAIN
from allrelevant.linear.engine.ranges.weight_range import Witness
from allrelevant.linear.engine.simplex.excess import ExcessProgram
from allrelevant.linear.engine.simplex.highs import Method

_FEASIBLE = 1e-8  # of a budget's limit: an excess this small is none


@dataclass(frozen=True, eq=False)
class Verdict:
    """The model over some features that exceeds the budgets least.

    Parameters
    ----------
    excess : float
        By which share of its limit the worst budget is exceeded; negative where none is.
    weights, offsets : array
        The model.
    wanted : array of bool
        Features not allowed that could make it better; without one of them no model is.
    prices : array
        How much better: what a unit of their weight is worth beyond its price.
    """

    excess: float
    weights: Floats
    offsets: Floats
    wanted: Mask
    prices: Floats

    @property
    def holds(self) -> bool:
        """Whether the model is an equivalent one."""
        return self.excess <= _FEASIBLE


class SubsetSolver:
    """Finds the best model over one set of features after the other.

    All sets share one linear program: minimise t where every budget may be exceeded by t times
    its limit. A feature that is not allowed has its weight fixed at zero. The program holds only
    the pieces of the loss that matter, as the ranges' programs do, and each answer is checked on
    the full data: a model that holds keeps the budgets, and where none does the multipliers prove
    it.

    Parameters
    ----------
    possible : array of bool
        Main features that may be asked about; the others stay at zero.
    """

    def __init__(self, models: EquivalentModels, possible: Mask) -> None:
        self._main: Mask = models.kinds == MAIN
        models = _with_boxes_of(models, possible | ~self._main)
        self.models = models
        self.solved = 0
        self._asked = np.flatnonzero(possible & self._main)
        self._always = np.flatnonzero(~self._main)
        # Slack functions may have constants that make up for everything: else there might be no
        # model at all without some features, whatever it costs, and nothing to learn from that.
        constant = float(np.abs(models.pieces.target).max(initial=0.0))
        self._scale = np.maximum(models.limits, 1.0)
        self._program = ExcessProgram(
            models,
            self._scale,
            np.append(self._asked, self._always),
            largest_offset=models.largest_offset,
            largest_free=max(float(models.largest_norms[FREE]), constant),
        )
        self._allowed: Mask = np.ones(models.n_features, dtype=bool)
        self._low = np.full(models.n_features, -models.largest_norm)
        self._high = -self._low
        if models.boxes is not None:
            self._low[models.boxes.features] = models.boxes.low
            self._high[models.boxes.features] = models.boxes.high
        self._needed: Mask = self._main & ((self._low > 0) | (self._high < 0))
        if models.boxes is not None and models.boxes.sums is not None:
            # Of two weights that have to differ one is not zero, and both are one feature's.
            self._needed[models.boxes.sums.needed] = True

    def best(self, allowed: Mask) -> Verdict:
        """The best model over the allowed features."""
        missing = self._needed & ~allowed
        if missing.any():  # boxes without zero, which no budget can make up for
            nothing = np.zeros(len(missing)), np.zeros(self.models.pieces.n_offsets)
            return Verdict(np.inf, *nothing, missing, missing.astype(float))
        method = self._allow(allowed)
        excluded = np.flatnonzero(~allowed & self._main)
        # Of 7,060 programs with near copies and columns of very different sizes 44 came to no end
        # from where the last one was; from scratch all did.
        for cold in (False, True):
            found = self._program.solve(method, cold=cold, excluded=excluded)
            verdict = None if found is None else self._verdict(*found, allowed)
            if verdict is not None:
                self.solved += 1
                return verdict
        raise SolverError(
            "whether a set of features holds an equivalent model could not be decided to the "
            "required accuracy; a larger tolerance, a smaller C or rescaled features usually help"
        )

    def _allow(self, allowed: Mask) -> Method:
        """Fix and free weights; says which method the change suits."""
        changed = self._asked[allowed[self._asked] != self._allowed[self._asked]]
        reduced = self._program.reduced
        for feature in changed:
            place = reduced.working_set.position[feature]
            ends = (self._high[feature], -self._low[feature])
            for column, end in zip((reduced.plus[place], reduced.minus[place]), ends, strict=True):
                reduced.program.set_bounds([int(column)], 0.0, end if allowed[feature] else 0.0)
        self._allowed = allowed.copy()
        return "primal" if allowed[changed].all() else "dual"

    def _verdict(self, candidate: Candidate, excess: float, allowed: Mask) -> Verdict | None:
        weights = np.where(allowed | ~self._main, candidate.weights, 0.0)
        multipliers = candidate.multipliers
        if excess <= _FEASIBLE:
            over = float((candidate.overdraft / self._scale).max())
            if over > 2.0 * _FEASIBLE or candidate.violation > 10.0 * _FEASIBLE:
                return None
            boxes = self.models.boxes
            if boxes is not None and not boxes.contain(weights, self.models.accuracies):
                return None
        # By weak duality no model over these features exceeds the budgets by less than this.
        elif not -candidate.bound / float(multipliers.budgets @ self._scale) > 0.5 * _FEASIBLE:
            return None
        prices = self._program.working_set.gradient(candidate.pieces, candidate.loss)
        prices = np.abs(prices) - candidate.costs
        # What is left out must not be able to close the gap, however small its price is.
        harmless = 0.25 * max(excess, 0.0) / max(self.models.largest_norm, 1e-300)
        return Verdict(excess, weights, candidate.offsets, prices > harmless, prices)


def _with_boxes_of(models: EquivalentModels, those: Mask) -> EquivalentModels:
    """The same models with the boxes of some features only: the others are not in the program."""
    boxes = models.boxes
    if boxes is None:
        return models
    return replace(models, boxes=boxes.only(those[boxes.features]))


class PartsSolver:
    """Verdicts on sets of features if constraints leave the models in several convex parts.

    Parameters
    ----------
    parts : sequence of EquivalentModels
        Each with its boxes; the reference of each keeps them.
    possible : array of bool
        As for one part.
    known : sequence of Witness
        Models that are known already; those that are not equivalent ones are left alone.

    Attributes
    ----------
    known : tuple of Verdict
        Models that were found so far, or were known.
    """

    def __init__(
        self,
        parts: Sequence[EquivalentModels],
        possible: Mask,
        known: Sequence[Witness] = (),
    ) -> None:
        self.models = parts[0]
        self._parts, self._possible = list(parts), possible
        judged = [self._as_known(one) for one in known]
        self.known = tuple(verdict for verdict in judged if verdict is not None)
        self._solvers: dict[int, SubsetSolver] = {}
        self._order = list(range(len(parts)))

    def anew(self) -> PartsSolver:
        """One that knows the same models, and has solved nothing."""
        other = PartsSolver(self._parts, self._possible)
        other.known = self.known
        return other

    @property
    def solved(self) -> int:
        """How many linear programs were solved so far."""
        return sum(solver.solved for solver in self._solvers.values())

    def some(self, allowed: Mask) -> Verdict:
        """Any model over the allowed features, be it one found for others; or what is missing.

        A set with few features spares all larger ones a program, which are the longest.
        """
        main = self.models.kinds == MAIN
        for verdict in self.known:
            if not (verdict.weights.astype(bool) & main & ~allowed).any():
                return verdict
        return self.best(allowed)

    def _as_known(self, witness: Witness) -> Verdict | None:
        """What is said of a model, where it is surely an equivalent one."""
        models, weights = self.models, witness.weights(self.models.n_features)
        if len(self._parts) > 1 or models.boxes is not None or models.pieces.hard is not None:
            return None
        loss = models.pieces.loss(models.X.scores(weights), witness.offsets)
        spent = models.norm_table @ models.norms(weights) + models.loss_factors * loss
        excess = float(((spent - models.limits) / np.maximum(models.limits, 1.0)).max())
        nothing = np.zeros(models.n_features)
        found = Verdict(excess, weights, witness.offsets, nothing.astype(bool), nothing)
        return found if found.holds else None

    def best(self, allowed: Mask) -> Verdict:
        """A model over the allowed features, of any part; or what all parts lack together."""
        verdicts = []
        for k in list(self._order):
            if k not in self._solvers:
                self._solvers[k] = SubsetSolver(self._parts[k], self._possible)
            verdicts.append(self._solvers[k].best(allowed))
            if verdicts[-1].holds:  # where one set has a model the next one is likely to have one
                self._order.remove(k)
                self._order.insert(0, k)
                self.known = (*self.known, verdicts[-1])
                return verdicts[-1]
        nearest = min(verdicts, key=lambda verdict: verdict.excess)
        # A set with more features that holds a model does so in one of the parts.
        wanted = np.any([verdict.wanted for verdict in verdicts], axis=0)
        prices = np.max([verdict.prices for verdict in verdicts], axis=0)
        return replace(nearest, wanted=wanted, prices=prices)


def always_used(parts: Sequence[EquivalentModels]) -> Mask:
    """Columns that no box of any part lets go."""
    used = np.ones(parts[0].n_features, dtype=bool)
    for models in parts:
        own = np.zeros(models.n_features, dtype=bool)
        if models.boxes is not None:
            own[models.boxes.features] = (models.boxes.low > 0) | (models.boxes.high < 0)
        used &= own
    return used


def never_used(parts: Sequence[EquivalentModels]) -> Mask:
    """Columns that are forbidden in all parts."""
    used = np.zeros(parts[0].n_features, dtype=bool)
    for models in parts:
        own = np.ones(models.n_features, dtype=bool)
        if models.boxes is not None:
            own[models.boxes.features] = ~models.boxes.forbid
        used |= own
    return ~used
