"""The largest sum of absolute weights of some columns: a maximum over all patterns of signs."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count

import numpy as np

from allrelevant.engine.optimum import Direction
from allrelevant.engine.pieces import Floats, Ints
from allrelevant.engine.ranges import RangeSolver

_MOST_PROGRAMS = 2047  # all patterns of ten signs, and what leads to them


@dataclass(frozen=True)
class LargestNorm:
    """The largest sum, or what it cannot exceed where not all patterns could be settled."""

    value: float
    is_exact: bool


def largest_norm(
    solver: RangeSolver,
    columns: Ints,
    low: Floats,
    high: Floats,
    most_programs: int = _MOST_PROGRAMS,
) -> LargestNorm:
    """The largest ``Σ |w_c|`` over the equivalent models.

    Where the sign of a weight is open, its absolute value on [low, high] lies below the line
    through both ends; so each choice of some signs is bounded by one linear program, and its
    solution is a model. Patterns whose bound does not exceed the best model are left out.

    Parameters
    ----------
    columns : array of int
    low, high : array
        Ends of their weights' ranges, or bounds on them.
    most_programs : int
        After this many programs the best bound is the answer.
    """
    enough = 2.0 * solver.models.accuracy
    settled = np.where(low >= 0, 1, np.where(high <= 0, -1, 0))
    best = float(np.abs(solver.models.reference.weights[columns]).sum())
    ticket = count()  # patterns of equal bound come in the order they were made
    pending = [(-np.inf, next(ticket), settled)]
    solved = 0
    while pending:
        bound = -pending[0][0]
        if bound <= best + enough:
            break
        if solved >= most_programs:
            return LargestNorm(min(bound, solver.models.largest_norm), is_exact=False)
        signs = heapq.heappop(pending)[2]
        factors, constant = _line(signs, low, high)
        solved += 1
        optimum = solver.maximise(Direction(columns, factors, label="a group of columns"))
        weights = optimum.weights[columns]
        best = max(best, float(np.abs(weights).sum()))
        bound = min(bound, optimum.value + constant)
        if bound <= best + enough:
            continue
        open_sign = int(np.argmax(_too_much(signs, low, high, weights)))
        for sign in (1, -1):
            branch = signs.copy()
            branch[open_sign] = sign
            heapq.heappush(pending, (-bound, next(ticket), branch))
    return LargestNorm(best if best > solver.models.accuracy else 0.0, is_exact=True)


def _line(signs: Ints, low: Floats, high: Floats) -> tuple[Floats, float]:
    """Factors and constant of a linear function that nowhere lies below the sum."""
    width = np.where(signs == 0, high - low, 1.0)
    factors = np.where(signs == 0, (high + low) / width, signs)
    constant = float(np.where(signs == 0, -2.0 * high * low / width, 0.0).sum())
    return factors, constant


def _too_much(signs: Ints, low: Floats, high: Floats, weights: Floats) -> Floats:
    """By how much the line exceeds each absolute weight; −1 where the sign is settled."""
    width = np.where(signs == 0, high - low, 1.0)
    line = ((high + low) * weights - 2.0 * high * low) / width
    return np.where(signs == 0, line - np.abs(weights), -1.0)
