"""Half of the rows, analysed as all of them were."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.base.three_classes import IRRELEVANT
from allrelevant.forest.analysis import Findings
from allrelevant.forest.frames import telling
from allrelevant.forest.models import is_learnable
from allrelevant.forest.sample import Table
from allrelevant.forest.work import Work
from allrelevant.results.stability.ask import Half


@dataclass(frozen=True, eq=False)
class ForestHalfWorker:
    """Analyses one half after the other."""

    table: Table  # what the fit of all rows has analysed
    columns: Ints  # the position of each of its columns among the features
    n_features: int  # those that are not in the table are irrelevant
    find: Callable[[Table, Work], Findings]

    def __call__(self, half: Half) -> Ints:
        """Do one task."""
        rows = self.table.rows(half.rows)
        kept = telling(rows.X)  # a rare value may be missing from a half
        classes = np.full(self.n_features, IRRELEVANT)
        rows = rows.columns(kept)
        if is_learnable(rows):
            # Halves share out the processes; within one there is no need for more.
            found = self.find(rows, Work(np.random.RandomState(half.seed), n_jobs=1))
            classes[self.columns[kept]] = found.classes
        return classes
