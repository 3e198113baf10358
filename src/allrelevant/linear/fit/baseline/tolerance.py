"""How much worse than the baseline a model may be and still count as equivalent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Literal

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import sums_by
from allrelevant.linear.engine.program.limits import Budget, joint_budget, split_budgets
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.outside.problem import CoreProblem
from allrelevant.linear.fit.problem.problem import PrivilegedProblem, Problem
from allrelevant.linear.fit.rows.resampling import draw_again

Tolerance = float | tuple[float, float] | Literal["auto", "bootstrap"]
_SMALLEST, _LARGEST = 0.001, 0.1  # within which the automatic tolerance stays
_VANISHED = 1e-6  # per sample: a loss this small is none, and so is what is relative to it
_FLOOR = 1e-3  # per sample: what the automatic tolerance takes a vanishing loss for
RESAMPLES = 25
_USUAL, _NEARLY_ALL = 0.9, 0.95  # of other samples: those a model has to do for


@dataclass(frozen=True)
class Room:
    """Relative room for the norm and for the loss, and an absolute room for the loss."""

    norm: float
    loss: float
    floor: float = 0.0

    @property
    def pair(self) -> tuple[float, float]:
        """The relative ones."""
        return self.norm, self.loss


def resolve_tolerance(
    tolerance: Tolerance, problem: Problem, baseline: Penalised, n_jobs: int | None = None
) -> Room:
    """What a tolerance means for this baseline.

    Automatic: one standard error of the baseline's loss, relative to it, or how much worse the
    baseline is than the best model of another sample of the same size, whichever is less; within
    [0.001, 0.1]. With more data fewer models are equivalent. A loss near zero has no standard error
    to speak of and gets the largest room, counted from a floor, so that separable data keep some.
    """
    if not isinstance(tolerance, str):
        pair = tolerance if isinstance(tolerance, tuple) else (tolerance, tolerance)
        return Room(float(pair[0]), float(pair[1]))
    if tolerance == "bootstrap":
        bound = bootstrap_tolerance(problem, baseline, _NEARLY_ALL, n_jobs=n_jobs)
        size = max(bound, _SMALLEST)
        return Room(size, size)
    if isinstance(problem, PrivilegedProblem):
        return _of_the_gain(problem, baseline)
    relative = _relative_error(problem, baseline)
    enough = min(relative, _LARGEST)
    bound = 0.0
    if enough > _SMALLEST:
        bound = bootstrap_tolerance(problem, baseline, _USUAL, enough, n_jobs)
    return _smaller(relative, bound, problem, baseline)


def tolerance_of_some(
    tolerance: Tolerance, problem: Problem, baseline: Penalised, bound: float
) -> Room:
    """What a tolerance means for some of the rows, given the bootstrap's bound for so few.

    That falls like one over the number of rows, so it need not be found anew.
    """
    if not isinstance(tolerance, str) or isinstance(problem, PrivilegedProblem):
        return resolve_tolerance(tolerance, problem, baseline)
    if tolerance == "bootstrap":
        return Room(bound, bound)
    return _smaller(_relative_error(problem, baseline), bound, problem, baseline)


def _relative_error(problem: Problem, baseline: Penalised) -> float:
    """One standard error of the loss, relative to it."""
    mean, error = problem.mean_loss(baseline)
    return error / mean if mean > _VANISHED else np.inf


def _smaller(relative: float, bound: float, problem: Problem, baseline: Penalised) -> Room:
    """The automatic tolerance by both of its limits."""
    size = max(min(relative, _LARGEST, bound), _SMALLEST)
    if relative <= _LARGEST:
        return Room(size, size)
    floor = _FLOOR * problem.sample.whole_weight
    if baseline.loss <= floor:
        return Room(size, size, size * floor)
    # People who compute the limit from the tolerance that they are told find this one.
    return Room(size, size + size * floor / baseline.loss)


def bootstrap_tolerance(
    problem: Problem,
    baseline: Penalised,
    quantile: float,
    enough: float = np.inf,
    n_jobs: int | None = None,
) -> float:
    """How much worse a model may be and still have been the best one on another sample.

    The quantile over bootstrap samples of J(ŵ) / J(ŵ_b) − 1, where J = ‖w‖₁ + C·loss on the
    bootstrap sample, ŵ is the baseline and ŵ_b the minimum there. It falls like 1/n, where one
    standard error of the loss falls like 1/√n. The samples depend on the data alone
    (:func:`~allrelevant.linear.fit.rows.resampling.draw_again`). No more are drawn once the
    quantile is certain to be above what is `enough`.
    """
    if isinstance(problem, CoreProblem):
        few, near, part = problem.of_part(baseline.C)
        return part * bootstrap_tolerance(few, near, quantile, enough / part, n_jobs)
    excesses: list[float] = []
    most_above = RESAMPLES - int(quantile * (RESAMPLES - 1))
    make = partial(partial, _excess, problem, baseline)
    for first, last in pairwise((0, most_above, 2 * most_above, RESAMPLES)):
        found = backends.run(make, range(first, last), n_jobs)
        excesses += [excess for excess in found if excess is not None]
        if sum(excess > enough for excess in excesses) >= most_above:
            return enough
    # Where none can be solved the standard error is all there is to go by.
    return float(np.quantile(excesses, quantile)) if excesses else _LARGEST


def _excess(problem: Problem, baseline: Penalised, seed: int) -> float | None:
    """By how much the baseline exceeds the minimum on one bootstrap sample, relative to it.

    Rows that occur several times can make a program that is too hard to solve exactly. Then it is
    None; the other samples tell as much.
    """
    sample = problem.sample
    drawn = draw_again(sample, seed)
    rows = np.flatnonzero(drawn)
    few = sample.take(rows)
    few = replace(few, count=few.count * drawn[rows], weight=few.weight * drawn[rows])
    other = replace(problem, sample=few)
    start = baseline
    if not isinstance(problem, PrivilegedProblem):  # whose rows are not those of the sample
        start = replace(baseline, row_duals=problem.part_of(baseline.row_duals, rows, drawn[rows]))
    try:
        least = other.path(start).solve(baseline.C, baseline.side_price).objective
    except SolverError:
        return None
    paid = replace(baseline, loss=float(problem.losses_on(few, baseline).sum()))
    return max(paid.objective / least - 1.0, 0.0) if least > 0 else 0.0


def _of_the_gain(problem: PrivilegedProblem, baseline: Penalised) -> Room:
    """The automatic tolerance where slacks are functions of privileged features.

    Most of their loss is what any model pays for its margins: features only lower it from what
    constant slacks cost. So the room for the loss is measured by that gain: one standard error of
    it, at most a third of what plain models have. The norms have three times as much.
    """
    sample, (row, _, weight) = problem.sample, problem.paid
    constant = problem.constant_loss()
    saved = constant / float(weight.sum()) - problem.slacks(baseline.weights)
    gains = sums_by(row, weight * saved, len(sample))
    mean, error = sample.mean_and_error(gains / sample.count)
    relative = error / mean if mean > 0 else np.inf
    share = float(np.clip(relative, _SMALLEST, _LARGEST / 3.0))
    room = share * max(constant - baseline.loss, 0.0)
    if baseline.loss <= _FLOOR * constant:
        return Room(3.0 * share, 0.0, room)
    return Room(3.0 * share, room / baseline.loss)


def make_budgets(
    kind: Literal["split", "joint"], baseline: Penalised, room: Room, *, privileged: bool = False
) -> tuple[Budget, ...]:
    """The limits that equivalent models keep."""
    norm_limit = (1.0 + room.norm) * baseline.norm
    side_limit = (1.0 + room.norm) * baseline.side_norm
    loss_limit = (1.0 + room.loss) * baseline.loss + room.floor
    if kind == "joint":
        gamma = baseline.side_price if privileged else 0.0
        limit = norm_limit + gamma * side_limit + baseline.C * loss_limit
        return joint_budget(baseline.C, limit, side=gamma)
    budgets = split_budgets(norm_limit, loss_limit)
    if privileged:
        budgets += (Budget(norm=0.0, loss=0.0, limit=side_limit, side=1.0),)
    return budgets
