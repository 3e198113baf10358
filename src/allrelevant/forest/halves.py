"""Half of the rows, analysed as all of them were."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.base.three_classes import IRRELEVANT
from allrelevant.forest.analysis import Findings
from allrelevant.forest.frames import telling
from allrelevant.forest.sample import Table
from allrelevant.results.stability.ask import Half


class ForestHalfWorker:
    """Analyses one half after the other.

    Parameters
    ----------
    table : Table
        What the fit of all rows has analysed.
    columns : array of int
        The position of each of its columns among the features.
    n_features : int
        Number of features; those that are not in the table are irrelevant.
    find : callable
        The analysis: takes a table and, as `seeds`, random numbers.
    """

    def __init__(
        self,
        table: Table,
        columns: Ints,
        n_features: int,
        find: Callable[..., Findings],
    ) -> None:
        self._table, self._columns = table, columns
        self._n_features, self._find = n_features, find

    def __call__(self, half: Half) -> Ints:
        """Do one task."""
        rows = self._table.rows(half.rows)
        kept = telling(rows.X)  # a rare value may be missing from a half
        classes = np.full(self._n_features, IRRELEVANT)
        if len(kept) and np.ptp(rows.target) > 0:
            found = self._find(rows.columns(kept), seeds=np.random.RandomState(half.seed))
            classes[self._columns[kept]] = found.classes
        return classes
