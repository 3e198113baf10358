"""Half of the rows, analysed as all of them were."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.base.three_classes import IRRELEVANT
from allrelevant.forest.analysis import Findings
from allrelevant.forest.frames import telling
from allrelevant.forest.models import is_learnable
from allrelevant.forest.sample import Table
from allrelevant.forest.work import Work
from allrelevant.results.stability.ask import Half


def classes_of_half(
    table: Table,
    columns: Ints,
    n_features: int,
    find: Callable[[Table, Work], Findings],
    half: Half,
) -> Ints:
    """The class of every feature among some rows of the table that a fit has analysed.

    `columns` are the positions of the table's columns among the features; others are irrelevant.
    """
    rows = table.rows(half.rows)
    kept = telling(rows.X)  # a rare value may be missing from a half
    classes = np.full(n_features, IRRELEVANT)
    rows = rows.columns(kept)
    if is_learnable(rows):
        # Halves share out the processes; within one there is no need for more.
        found = find(rows, Work(np.random.RandomState(half.seed), n_jobs=1))
        classes[columns[kept]] = found.classes
    return classes
