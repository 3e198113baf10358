"""How much a feature of several columns adds along one of them, at most.

The weight of a level says little by itself: other levels of its category can make up for it. If all
but a rare one have the same coefficient, the offset takes nearly all of it back, so levels of a
category of noise can have large weights, and a probe of a single column cannot. What a feature adds
to the score, on the other hand, is the same for all weights that add the same. Its *slope* along a
column is that of the straight line through what it adds: a sum of its weights, in which that of the
column itself has the factor 1. A column alone is its own slope. And of all that a feature can add
with a given variance, or a given norm, the column alone has the largest slope along itself (by
Cauchy and Schwarz). So a slope reaches as far by chance as a single column does, however many
columns there are beside it, and probes of single columns tell how far that is.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data import Matrix
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.optimum import UnprovenError
from allrelevant.linear.engine.ranges.solver import RangeSolver

_LABEL = "a feature of several columns"


def slope_factors(table: Matrix, columns: Ints, count: Floats) -> Floats:
    """For each column the factors before all weights in the slope along it; a row for each."""
    share = count / count.sum()
    values = np.column_stack([table.column(int(k)) for k in columns])
    away = values - share @ values
    together = (away * share[:, None]).T @ away
    return together / np.diag(together)[:, None]


def largest_slopes(solver: RangeSolver, places: Ints, factors: Floats, least: Floats) -> Floats:
    """The largest slope along each column, or `least` where that is more.

    Parameters
    ----------
    places : array of shape (n_columns, n_scores)
        The engine's columns. With several scores the largest difference between two counts.
    factors : array of shape (n_columns, n_columns)
    least : array of shape (n_columns,)
        What is below need not be known. Where nothing can be proven, this is taken.
    """
    found = least.astype(float)
    for k, own in enumerate(factors):
        for direction in _both_ways(places, own):
            try:
                optimum = solver.maximise_beyond(direction, found[k])
            except UnprovenError:
                continue
            if optimum is not None:
                found[k] = max(found[k], optimum.value)
    return found


def _both_ways(places: Ints, factors: Floats) -> list[Direction]:
    """The slope and its opposite; with several scores the differences of each two."""
    n_scores = places.shape[1]
    if n_scores == 1:
        return [Direction(places[:, 0], sign * factors, label=_LABEL) for sign in (1.0, -1.0)]
    both = np.concatenate([factors, -factors])
    return [
        Direction(places[:, pair].T.ravel(), both, label=_LABEL)
        for pair in map(list, permutations(range(n_scores), 2))
    ]
