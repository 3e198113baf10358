"""Ranges of norms, and what noise reaches of them: the work of features of several columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.fit.norms import NormRange, climbed_norm, largest_norm, smallest_norm
from allrelevant.linear.fit.problem import Problem


@dataclass(frozen=True, eq=False)
class NormRanges:
    """The range of a feature's norm in each function of it, and what climbing finds at most."""

    by_function: tuple[NormRange, ...]
    climbed: float


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
    early : bool
        Whether patterns of signs are left early, as where there are curves, all of many columns.
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
        early: bool = False,
        is_privileged: bool = False,
    ) -> None:
        self._models, self._problem, self._ends, self._names = models, problem, ends, names
        self._early, self._is_privileged = early, is_privileged

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
        return NormRanges(tuple(one for one, _ in found), max(most for _, most in found))

    def _in_function(self, solver: RangeSolver, places: Ints) -> tuple[NormRange, float]:
        largest = largest_norm(solver, places, *self._ends[places].T)
        found = NormRange(smallest_norm(solver, places), largest)
        if not len(places):
            return found, 0.0
        return found, climbed_norm(solver, places, np.random.default_rng(0), early=self._early)

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
        solver, random = RangeSolver(larger), np.random.default_rng(seed)
        return climbed_norm(solver, places, random, early=self._early)
