"""The norm of some columns' weights, the sum of their absolute values: its ends over all models.

The smallest is one linear program. The largest is a maximum over all patterns of signs.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count, product

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.optimum import Optimum, SolverError, UnprovenError
from allrelevant.linear.engine.program.reference import Reference
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.ranges.weight_range import End, Witness

_LABEL = "a feature of several columns"
_FEW = 3
_MOST_PROGRAMS = 2047  # all patterns of ten signs, and what leads to them


@dataclass(frozen=True, eq=False)
class LargestNorm:
    """The largest sum found in a model, and what no model exceeds.

    Both are the same unless there were too many patterns to settle all of them.
    """

    attained: End
    bound: float

    @property
    def is_exact(self) -> bool:
        """Whether the bound is attained."""
        return self.attained.value == self.bound


@dataclass(frozen=True, eq=False)
class NormRange:
    """Smallest and largest norm of a feature's columns; such as a `WeightRange` of a single one."""

    smallest: End
    largest: LargestNorm

    @property
    def is_exact(self) -> bool:
        """Whether both ends are attained."""
        return self.largest.is_exact and not self.smallest.unproven

    @property
    def relevance(self) -> tuple[float, float]:
        """Smallest and largest norm, or bounds on them."""
        return self.smallest.value, self.largest.bound

    @property
    def ends(self) -> tuple[float, float]:
        """Several weights have no common sign."""
        return np.nan, np.nan

    @staticmethod
    def together(sizes: Floats) -> float:
        """What the absolute weights of its columns make together."""
        return float(sizes.sum())

    def witness(self, bound: str) -> Witness:
        """A model that attains one end; where that is a bound the best that is known."""
        found = (self.smallest if bound == "min" else self.largest.attained).witness
        if found is None:
            raise SolverError(f"no model could be shown to be the one with the least of {_LABEL}")
        return found


def larger_of(ranges: Sequence[NormRange]) -> NormRange:
    """The larger of the smallest norms, and of the largest ones: of one feature in each function.

    A bound that is no optimum leaves open whether the larger one was found.
    """
    smallest = max((one.smallest for one in ranges), key=lambda end: end.value)
    unproven = any(one.smallest.unproven for one in ranges)
    attained = max((one.largest.attained for one in ranges), key=lambda end: end.value)
    bound = max(one.largest.bound for one in ranges)
    return NormRange(replace(smallest, unproven=unproven), LargestNorm(attained, bound))


def smallest_norm(solver: RangeSolver, columns: Ints) -> End:
    """The least ``Σ |w_c|`` over the equivalent models."""
    models, reference = solver.models, solver.models.reference
    if not reference.weights[columns].any():
        return End(0.0, Witness.of(reference.weights, reference.offsets))
    try:
        optimum = solver.maximise(Direction.least_norm(columns, _LABEL))
    except UnprovenError as error:
        return End(max(-error.bound, 0.0), unproven=True)
    witness, value = Witness.of(optimum.weights, optimum.offsets), -optimum.value
    if value > max(optimum.gap, models.accuracy):
        return End(value, witness)
    return End(0.0, witness.without(columns))


def largest_norm(
    solver: RangeSolver,
    columns: Ints,
    low: Floats,
    high: Floats,
    most_programs: int = _MOST_PROGRAMS,
) -> LargestNorm:
    """The largest ``Σ |w_c|`` over the equivalent models.

    Every program that is solved bounds the sum for all patterns of signs. Where columns nearly add
    up to a constant, such as levels of a category with a rare reference, they get farthest with
    weights of one sign, and the first program shows that nothing else does.

    Where the sign of a weight is open, its absolute value on [low, high] lies below the line
    through both ends; so each choice of some signs is bounded by one linear program, and its
    solution is a model, whose own signs then lead to a better one. Patterns whose bound does not
    exceed the best model are left out.

    Parameters
    ----------
    columns : array of int
    low, high : array
        Ends of their weights' ranges, or bounds on them.
    most_programs : int
        So many choices of signs are bounded at most.
    """
    models, enough = solver.models, 2.0 * solver.models.accuracy
    settled = np.where(low >= 0, 1, np.where(high <= 0, -1, 0))
    if not len(columns):
        return LargestNorm(_reached(models.reference, columns), 0.0)
    climb = _Climb(solver, columns)
    for sign in (1, -1) if most_programs and (settled == 0).any() else ():
        climb.follow(np.where(settled == 0, sign, settled))
        if climb.is_over:
            break
    ticket = count()  # patterns of equal bound come in the order they were made
    pending = [(-np.inf, next(ticket), settled)]
    for tried in count():
        bound = min(-pending[0][0] if pending else -np.inf, climb.most)
        if bound <= climb.best.value + enough:
            break
        if tried >= most_programs:
            return LargestNorm(climb.best, min(bound, models.largest_norm))
        signs = heapq.heappop(pending)[2]
        factors, constant = _line(signs, low, high)
        try:
            asked = Direction(columns, factors, label=_LABEL)
            found = solver.maximise_beyond(asked, climb.best.value + enough - constant)
        except UnprovenError as error:
            bound = min(bound, error.bound + constant) if not pending else bound
            return LargestNorm(climb.best, min(bound, models.largest_norm))
        if found is None:
            continue
        bound = min(bound, found.value + constant)
        climb.go_on_from(found)
        if bound <= climb.best.value + enough:
            continue
        open_sign = int(np.argmax(_too_much(signs, low, high, found.weights[columns])))
        for sign in (1, -1):
            branch = signs.copy()
            branch[open_sign] = sign
            heapq.heappush(pending, (-bound, next(ticket), branch))
    best = climb.best
    best = best if best.value > models.accuracy else End(0.0, best.witness)
    return LargestNorm(best, best.value)


def climbed_norm(
    solver: RangeSolver, columns: Ints, random: np.random.Generator, *, early: bool = False
) -> float:
    """A sum ``Σ |w_c|`` that some equivalent model has and that is the largest, or nearly so.

    First all weights have the same sign; that is enough where it is shown that nothing gets
    farther. For up to three columns all patterns of signs are tried. With more, some are drawn, and
    each that leads to a better model is followed upwards; none is tried twice. With ``early=True``
    one is left as soon as its own sum is shown to be no better.
    """
    n_columns = len(columns)
    patterns = np.array(list(product((1.0, -1.0), repeat=min(n_columns, _FEW))))
    if n_columns > _FEW:
        patterns = random.choice((1.0, -1.0), size=(len(patterns), n_columns))
    climb = _Climb(solver, columns, early=early)
    for start in (np.ones(n_columns), -np.ones(n_columns), *patterns):
        climb.follow(start)
        if climb.is_over:
            break
    return climb.best.value


class _Climb:
    """Models with ever larger sums of absolute weights, each found by the signs of the last one.

    Attributes
    ----------
    best : End
        The best model so far.
    most : float
        What no model exceeds.
    """

    def __init__(self, solver: RangeSolver, columns: Ints, *, early: bool = False) -> None:
        self._solver, self._columns, self._early = solver, columns, early
        self._tried: set[tuple[float, ...]] = set()
        self.best = _reached(solver.models.reference, columns)
        self.most = np.inf

    @property
    def is_over(self) -> bool:
        """Whether no model is better than the best one that is known."""
        return self.most <= self.best.value + 2.0 * self._solver.models.accuracy

    def follow(self, signs: Floats | Ints) -> None:
        """Solve for a pattern of signs, and for that of its model while that is better."""
        while tuple(signs) not in self._tried:
            self._tried.add(tuple(signs))
            asked = Direction(self._columns, signs.astype(float), label=_LABEL)
            least = self.best.value if self._early else -np.inf
            try:
                found = self._solver.maximise_beyond(asked, least)
            except UnprovenError:  # the others tell as much
                return
            if found is None or not self._improves(found):
                return
            signs = self._signs_of(found)

    def go_on_from(self, found: Optimum) -> None:
        """Take in what was found in another way, and follow its signs if it is better."""
        if self._improves(found):
            self.follow(self._signs_of(found))

    def _improves(self, found: Optimum) -> bool:
        """Take in a model; whether its sum is larger than that of any before."""
        self.most = min(self.most, found.bound_of_norm)
        reached = _reached(found, self._columns)
        is_better = reached.value > self.best.value + self._solver.models.accuracy
        self.best = max(self.best, reached, key=lambda end: end.value)
        return is_better

    def _signs_of(self, found: Optimum) -> Floats:
        return np.where(found.weights[self._columns] < 0, -1.0, 1.0)


def _reached(model: Optimum | Reference, columns: Ints) -> End:
    """The sum of absolute weights that a model has."""
    total = float(np.abs(model.weights[columns]).sum())
    return End(total, Witness.of(model.weights, model.offsets))


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
