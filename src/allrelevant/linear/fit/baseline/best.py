"""The best model of a given norm: what a baseline that is not the best one is compared with.

It is a member of the set of equivalent models and has multipliers, so that it serves as the
engine's reference. With it, the set that a baseline opens.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.engine.ranges.nearest import with_limits
from allrelevant.linear.fit.baseline.kinds import model_of
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.baseline.tolerance import Room, make_budgets, resolve_tolerance
from allrelevant.linear.fit.problem.problem import Problem

logger = logging.getLogger(__name__)
_SAME = 1e-9  # relative: objectives that differ by less are equal
_STEP = 10.0
_MOST_STEPS = 60
_NO_LOSS = 1e-12  # of all weights


@dataclass(frozen=True, eq=False)
class Standing:
    """A baseline among the models of its norm.

    Parameters
    ----------
    baseline : Penalised
        The baseline, with its C.
    reference : Penalised
        A minimum of ``‖w‖₁ + C·loss`` that is as good: the baseline itself where it is one.
    least_loss : float, optional
        The least loss of a model of the baseline's norm, where that is not the baseline's.
    """

    baseline: Penalised
    reference: Penalised
    least_loss: float | None = None


@dataclass(frozen=True, eq=False)
class OpenedSet:
    """The models that are equivalent to a baseline, and how much worse they may be."""

    standing: Standing
    room: Room
    models: EquivalentModels


def opened_set(problem: Problem, baseline: Penalised, plan: Plan) -> OpenedSet:
    """The models that are equivalent to a baseline."""
    standing = standing_of(problem, baseline, plan)
    baseline, reference = standing.baseline, standing.reference
    room = resolve_tolerance(plan.tolerance, problem, reference, plan.n_jobs)
    numbers = (baseline.C, baseline.norm, baseline.loss, room.pair)
    logger.info("baseline: C=%.4g, norm %.4g, loss %.4g; tolerance %s", *numbers)
    budgets = make_budgets(plan.budget, baseline, room, privileged=problem.n_privileged > 0)
    models = equivalent_models(problem, reference, holding(budgets, reference))
    return OpenedSet(standing, room, models)


def standing_of(problem: Problem, baseline: Penalised, plan: Plan) -> Standing:
    """Compare a baseline with the best models.

    Where norm and loss share a budget the reference is the model that spends least of it. A model
    that came without a C gets that at which the best model of its norm is found.
    """
    if plan.baseline.is_best:
        return Standing(baseline, baseline)
    best = best_of_norm(problem, baseline.norm)
    if plan.baseline.is_given:
        baseline = replace(baseline, C=best.C if plan.C is None else plan.C)
    reference = best
    if plan.budget == "joint" and baseline.C != best.C:
        reference = problem.path(best).solve(baseline.C)
    return Standing(baseline, reference, best.loss)


def best_of_norm(problem: Problem, norm: float) -> Penalised:
    """The model of least loss among those of a norm that is not larger.

    Minima of ``‖w‖₁ + C·loss`` for all C are the corners of a curve of least losses by norms. Two
    of them, one on either side of the norm, are drawn together: the next C is the one at which
    both cost the same. Where nothing costs less, all models between them cost the same, too.
    """
    path = problem.path()
    below = path.solve(_STEP**-6 / float(problem.pieces.weight.sum()))
    above = _beyond(path, problem, norm, below)
    for _ in range(_MOST_STEPS):
        if below.norm >= min(norm, above.norm) or below.loss <= above.loss:
            break
        C = (above.norm - below.norm) / (below.loss - above.loss)
        middle = path.solve(C)
        if middle.objective >= above.objective_at(C, 1.0) * (1.0 - _SAME):
            return _between(problem, below, above, middle, norm)
        below, above = (middle, above) if middle.norm <= norm else (below, middle)
    return above if above.norm <= norm else below


def _beyond(path: PenalisedPath, problem: Problem, norm: float, first: Penalised) -> Penalised:
    """A minimum of a larger norm, or one of the least loss of all where none is."""
    found, least = first, _NO_LOSS * float(problem.pieces.weight.sum())
    unmoved = 0
    while found.norm <= norm and found.loss > least and unmoved < 4:
        try:
            further = path.solve(_STEP * found.C)
        except SolverError:
            break
        unmoved = unmoved + 1 if further.norm == found.norm > 0 else 0
        found = further
    return found


def _between(
    problem: Problem, below: Penalised, above: Penalised, middle: Penalised, norm: float
) -> Penalised:
    """The model of this norm between two that cost the same, with multipliers of both."""
    share = min((norm - below.norm) / (above.norm - below.norm), 1.0)
    weights = (1.0 - share) * below.weights + share * above.weights
    offsets = (1.0 - share) * below.offsets + share * above.offsets
    found = model_of(problem, weights, offsets, middle.C)
    return replace(found, row_duals=middle.row_duals)


def holding(budgets: tuple[Budget, ...], reference: Penalised) -> tuple[Budget, ...]:
    """The same budgets where rounding does not leave out the reference."""
    spent = [b.norm * reference.norm + b.loss * reference.loss for b in budgets]
    limits = np.array([budget.limit for budget in budgets])
    return with_limits(budgets, np.maximum(limits, spent))


def equivalent_models(
    problem: Problem, baseline: Penalised, budgets: tuple[Budget, ...]
) -> EquivalentModels:
    """The models within the budgets, with what bounds their norm where the budgets do not."""
    X, pieces, kinds = problem.matrix, problem.pieces, problem.kinds
    steeper = None
    if len(budgets) == 1 and not problem.n_privileged:
        path = PenalisedPath(X, pieces, start=baseline)
        with suppress(SolverError):  # then the budget alone has to bound the norm
            steeper = path.solve(2.0 * baseline.C).as_reference()
    return EquivalentModels(X, pieces, budgets, baseline.as_reference(), steeper, kinds)
