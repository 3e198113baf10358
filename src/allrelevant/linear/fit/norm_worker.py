"""Ranges of norms, and what noise reaches of them: the work of features of several columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.fit.norms import NormRange, climbed_norm, largest_norm, smallest_norm
from allrelevant.linear.fit.probes import Probe, permuted
from allrelevant.linear.fit.problem import Problem


class NormWorker:
    """Finds the range of the norm of columns, or the largest of their permuted copies.

    Where there are curves, all of them many columns, patterns of signs are left early.
    """

    def __init__(
        self,
        models: EquivalentModels,
        problem: Problem,
        ends: Floats,
        names: Sequence[str],
        early: bool = False,
    ) -> None:
        self._models, self._problem, self._ends, self._names = models, problem, ends, names
        self._early = early

    def __call__(self, task: tuple[Ints, int | None]) -> Any:
        """Do one task: columns, and the seed of a permutation or None.

        Gives what a probe reaches; for None the range, and what is reached in a probe's way.
        """
        columns, seed = task
        columns = columns[self._models.largest_by_feature[columns] > 0]  # constants have no weight
        if seed is not None:
            return self._of_probe(columns, seed)
        solver = RangeSolver(self._models, self._names)
        largest = largest_norm(solver, columns, *self._ends[columns].T)
        found = NormRange(smallest_norm(solver, columns), largest)
        if not len(columns):
            return found, 0.0
        return found, climbed_norm(solver, columns, np.random.default_rng(0), early=self._early)

    def _of_probe(self, columns: Ints, seed: int) -> float:
        """The same columns beside the data, their rows permuted together."""
        models = self._models
        problem, copies = self._problem, []
        for feature in columns.tolist():
            ((copy, _),) = problem.columns_of(permuted(problem, Probe(feature, seed)), False)
            copies.append(copy)
        if not copies:
            return 0.0
        larger = models.beside(np.column_stack(copies))
        places = models.n_features + np.arange(len(columns))
        # The reference does without the copies.
        solver, random = RangeSolver(larger), np.random.default_rng(seed)
        return climbed_norm(solver, places, random, early=self._early)
