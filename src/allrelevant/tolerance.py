"""How much worse than the baseline a model may be and still count as equivalent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from allrelevant.engine.equivalent import Budget, joint_budget, split_budgets
from allrelevant.engine.penalised import Penalised
from allrelevant.engine.pieces import Floats, sums_by
from allrelevant.problem import PrivilegedProblem, Problem

Tolerance = float | tuple[float, float] | Literal["auto"]
_SMALLEST, _LARGEST = 0.001, 0.1  # within which the automatic tolerance stays
_FLOOR = 1e-3  # per sample: what the automatic tolerance takes a vanishing loss for


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


def resolve_tolerance(tolerance: Tolerance, problem: Problem, baseline: Penalised) -> Room:
    """What a tolerance means for this baseline.

    Automatic: one standard error of the baseline's loss, relative to it, within [0.001, 0.1].
    With more data fewer models are equivalent. A loss near zero has no standard error to speak of
    and gets the largest room, counted from a floor, so that separable data keep some.
    """
    if tolerance != "auto":
        pair = tolerance if isinstance(tolerance, tuple) else (tolerance, tolerance)
        return Room(float(pair[0]), float(pair[1]))
    if isinstance(problem, PrivilegedProblem):
        return _of_the_gain(problem, baseline)
    sample = problem.sample
    losses = problem.losses_on(sample, baseline)
    mean, error = _mean_and_error(losses / sample.count, sample.count)
    relative = error / mean if mean > 0 else np.inf
    size = float(np.clip(relative, _SMALLEST, _LARGEST))
    floor = size * _FLOOR * float(sample.weight.sum()) if relative > _LARGEST else 0.0
    return Room(size, size, floor)


def _of_the_gain(problem: PrivilegedProblem, baseline: Penalised) -> Room:
    """The automatic tolerance where slacks are functions of privileged features.

    Most of their loss is what any model pays for its margins: features only lower it from what
    constant slacks cost. So the room for the loss is measured by that gain: one standard error of
    it, at most a third of what plain models have. The norms have three times as much.
    """
    sample, pieces = problem.sample, problem.plain_pieces
    constant = problem.constant_loss()
    saved = constant / float(pieces.weight.sum()) - problem.slacks(baseline.weights)
    gains = sums_by(pieces.row, pieces.weight * saved, len(sample.X))
    mean, error = _mean_and_error(gains / sample.count, sample.count)
    relative = error / mean if mean > 0 else np.inf
    share = float(np.clip(relative, _SMALLEST, _LARGEST / 3.0))
    room = share * max(constant - baseline.loss, 0.0)
    if baseline.loss <= _FLOOR * constant:
        return Room(3.0 * share, 0.0, room)
    return Room(3.0 * share, room / baseline.loss)


def _mean_and_error(values: Floats, count: Floats) -> tuple[float, float]:
    """The mean over observations, and its standard error."""
    n = float(count.sum())
    mean = float(count @ values) / n
    return mean, float(np.sqrt(count @ (values - mean) ** 2 / n)) / float(np.sqrt(n))


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
