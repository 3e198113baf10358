"""Ranges of norms, and what noise reaches of them: the work of features of several columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.norms import NormRange, climbed_norm, largest_norm, smallest_norm
from allrelevant.linear.fit.ranges.slopes import largest_slopes, slope_factors


@dataclass(frozen=True, eq=False)
class NormRanges:
    """The range of a feature's norm in each function of it, and what climbing finds at most.

    `slopes` has the largest slope along each column; none where only the norm counts.
    """

    by_function: tuple[NormRange, ...]
    climbed: float
    slopes: Floats


class NormWorker:
    """Finds the range of the norm of columns, or the largest of their permuted copies.

    Parameters
    ----------
    problem : Problem
        What the models are models of.
    ends : array of shape (n, 2)
        Ends of the weights of the engine's columns, or bounds on them.
    names : sequence of str
        Names of these columns.
    least : array, optional
        For each column the slope below which it need not be known. Where there is none, as with
        curves, all of many columns, slopes are not asked for, and patterns of signs are left early.
    is_privileged : bool
        Whether the columns are known in training only, with a weight in each slack function.
    """

    def __init__(
        self,
        models: EquivalentModels,
        problem: Problem,
        ends: Floats,
        names: Sequence[str],
        *,
        least: Floats | None = None,
        is_privileged: bool = False,
    ) -> None:
        self._models, self._problem, self._ends, self._names = models, problem, ends, names
        self._least, self._is_privileged = least, is_privileged

    def __call__(self, task: tuple[Ints, int | None]) -> Any:
        """Do one task: columns, and the seed of a permutation or None.

        Gives what a probe reaches; for None the range, and what is reached in a probe's way.
        """
        columns, seed = task
        every = [self._problem.places_of(k, self._is_privileged) for k in columns.tolist()]
        places = np.array(every, dtype=np.intp)
        # Constants have no weight.
        varied = self._models.largest_by_feature[places[:, 0]] > 0
        if seed is not None:
            return self._of_probe(columns[varied], seed)
        solver = RangeSolver(self._models, self._names)
        found = [self._in_function(solver, own) for own in places[varied].T]
        slopes = self._slopes(solver, columns, varied, places)
        return NormRanges(tuple(one for one, _ in found), max(most for _, most in found), slopes)

    def _slopes(self, solver: RangeSolver, columns: Ints, varied: Mask, places: Ints) -> Floats:
        """The largest slope along each column, in the function in which it is largest."""
        found = np.zeros(len(columns) if self._least is not None else 0)
        if self._least is None or not varied.any():
            return found
        own, count = columns[varied], self._problem.sample.count
        factors = slope_factors(self._problem.table(self._is_privileged), own, count)
        found[varied] = self._least[own]
        for function in places[varied].T:
            found[varied] = largest_slopes(solver, function[:, None], factors, found[varied])
        return found

    def _in_function(self, solver: RangeSolver, places: Ints) -> tuple[NormRange, float]:
        largest = largest_norm(solver, places, *self._ends[places].T)
        found = NormRange(smallest_norm(solver, places), largest)
        if not len(places):
            return found, 0.0
        return found, self._climbed(solver, places, 0)

    def _of_probe(self, columns: Ints, seed: int) -> float:
        """The same columns beside the data, their rows permuted together."""
        problem, privileged = self._problem, self._is_privileged
        places = columns.tolist()
        noise = [problem.noise(k, seed, privileged, by=places[0]) for k in places]
        copies = [problem.columns_of(column, privileged) for column in noise]
        # In each function by itself, as a single column's.
        return max((self._beside(seed, own) for own in zip(*copies, strict=True)), default=0.0)

    def _beside(self, seed: int, copies: Sequence[tuple[Floats, int]]) -> float:
        """What copies of a feature's columns reach; the reference does without them."""
        columns, (like, *_) = zip(*copies, strict=True)
        larger = self._models.beside(np.column_stack(columns), like)
        places = self._models.n_features + np.arange(len(columns))
        return self._climbed(RangeSolver(larger), places, seed)

    def _climbed(self, solver: RangeSolver, places: Ints, seed: int) -> float:
        random = np.random.default_rng(seed)
        return climbed_norm(solver, places, random, early=self._least is None)
