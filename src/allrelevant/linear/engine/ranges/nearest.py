"""The member of a set of equivalent models that a problem has nearest to its reference's budgets.

Whether any model keeps the budgets at all, together with what else is asked of it, is a linear
program of its own: by which common factor would the budgets have to be widened?
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.engine.program.optimum import Candidate, SolverError
from allrelevant.linear.engine.program.reference import Reference
from allrelevant.linear.engine.simplex.excess import ExcessProgram
from allrelevant.linear.engine.simplex.highs import Method

_ACCURACY = 1e-8
_MANY = 1e4  # units: so many may have to be counted as one
_MUCH = 0.1  # of an excess: less is a different one altogether
# The dual simplex from scratch may fail where it takes millions of units.
_ATTEMPTS: tuple[tuple[Method, bool], ...] = (("dual", False), ("dual", True), ("primal", True))


@dataclass(frozen=True, eq=False)
class Nearest:
    """A model, and by how much the budgets must be widened for it."""

    excess: float
    weights: Floats
    offsets: Floats

    @property
    def is_member(self) -> bool:
        """Whether it keeps the budgets as they are."""
        return self.excess <= _ACCURACY


def nearest_member(
    models: EquivalentModels, units: Floats | None = None, *, enough: float = 0.0
) -> Nearest:
    """The model that keeps the budgets ``limits + excess · units`` with the least excess ≥ 0.

    Parameters
    ----------
    models : EquivalentModels
        Its reference need not be a member.
    units : array, optional
        By how much each budget is widened per unit of excess; by default its own limit, or a
        hundredth of all weights where that is more, so that a loss of zero has a unit, too, and
        a thousandth of the largest limit for a norm of zero. Budgets of unit 0 stay as they are;
        there must be a model that keeps them.
    enough : float
        The part of an excess that may be in doubt where no better answer can be had.
    """
    if units is None:
        whole = float(models.pieces.weight.sum())
        least = np.maximum(0.01 * whole * models.loss_factors, 1e-3 * models.limits.max())
        units = np.maximum(models.limits, least)
    found = _nearest(models, units, enough)
    models.note(found.weights, found.offsets)
    return found


def _nearest(models: EquivalentModels, units: Floats, enough: float) -> Nearest:
    search = _Search(models, units)
    found = search.settled(proven=False)
    if found.is_member:
        return found
    while True:
        # What bounds weights within the budgets does not bound them beyond, and may have been in
        # the way; within these budgets, which hold a model for sure, it does.
        budgets = with_limits(models.budgets, models.limits + found.excess * units)
        wider = replace(models, budgets=budgets)
        if search.is_proven_within(wider, found):
            return found
        search = _Search(wider, units, found.excess)
        try:
            return search.settled(enough=enough)
        except SolverError:
            nearer = search.latest
            if nearer is not None and nearer.excess < _MUCH * found.excess:
                # It was very much in the way, and now bounds them too loosely to prove anything.
                found = replace(nearer, excess=(1.0 + _MUCH) * nearer.excess)
            elif found.excess > _MANY:
                # Beside millions of units a solver cannot tell one from rounding errors.
                nearest = _nearest(models, found.excess * units, enough)
                return replace(nearest, excess=found.excess * nearest.excess)
            else:
                raise


def with_limits(budgets: tuple[Budget, ...], limits: Iterable[float]) -> tuple[Budget, ...]:
    """The same budgets with other limits."""
    pairs = zip(budgets, limits, strict=True)
    return tuple(replace(budget, limit=float(limit)) for budget, limit in pairs)


def in_units_of(unit: float, models: EquivalentModels) -> EquivalentModels:
    """The same models, which have no boxes, with all weights and losses in other units."""

    def counted(reference: Reference) -> Reference:
        weights, offsets = reference.weights / unit, reference.offsets / unit
        objective = reference.objective / unit
        return replace(reference, weights=weights, offsets=offsets, objective=objective)

    steeper = models.steeper
    return replace(
        models,
        pieces=replace(models.pieces, target=models.pieces.target / unit),
        budgets=with_limits(models.budgets, models.limits / unit),
        reference=counted(models.reference),
        steeper=None if steeper is None else counted(steeper),
    )


class _Search:
    """Minimises the excess; the models' budgets have been widened already, by `given` units."""

    def __init__(self, models: EquivalentModels, units: Floats, given: float = 0.0) -> None:
        self.given = given
        self.latest: Nearest | None = None
        self._candidate: Candidate | None = None
        # Where some budget stays as it is, few features may not do at all, and there is nothing to
        # price the others by.
        near = models.near_reference | bool((units <= 0.0).any())
        self.program = ExcessProgram(models, units, np.flatnonzero(near), least=-given)

    def settled(self, *, proven: bool = True, enough: float = 0.0) -> Nearest:
        """The nearest model, or one that need not be the nearest if it is no member."""
        for method, cold in _ATTEMPTS:
            found = self.program.solve(method, cold=cold)
            if found is None:
                continue
            candidate, excess = found
            nearest, self._candidate = max(self.given + excess, 0.0), candidate
            self.latest = latest = Nearest(nearest, candidate.weights, candidate.offsets)
            doubt = abs(excess + min(candidate.bound, self.given))
            if not proven or doubt <= _ACCURACY * (1.0 + nearest):
                return latest
            if cold and doubt <= enough * nearest:
                return latest
        raise SolverError("it could not be settled whether any equivalent model is left")

    def is_proven_within(self, wider: EquivalentModels, found: Nearest) -> bool:
        """Whether the latest answer is the nearest model where budgets are as wide as it needs.

        No model within these has less excess if nothing was in the way that is not beyond them.
        """
        if self._candidate is None or self.latest is not found:
            return False
        bound = replace(self._candidate, models=wider).bound
        return abs(min(bound, found.excess)) <= _ACCURACY * (1.0 + found.excess)
