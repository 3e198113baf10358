"""All rows of a fit, most of which are elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.data.rows import Block, BlockedRows
from allrelevant.linear.fit.outside.looks import Finding, Guest, Question, Reading
from allrelevant.linear.fit.statistics.noise import Shapes

Noise = tuple[int, int]  # a feature of which values are drawn, and a seed


@dataclass(frozen=True, eq=False)
class Outside:
    """All rows of a fit, and what is known of them.

    Parameters
    ----------
    rows : BlockedRows
        Where they are.
    reading : Reading
        From their values to the engine's.
    low, high : array of shape (n_features,)
        Ends of the engine's columns.
    shapes : Shapes
        What decides how far each column reaches as noise.
    weight : float
        What the losses of all of them weigh together.
    farthest : float
        No target's code is farther from zero.
    pools : array of shape (n_features, n_values)
        Values of each column, of which noise is drawn.
    """

    rows: BlockedRows
    reading: Reading
    low: Floats
    high: Floats
    shapes: Shapes
    weight: float
    farthest: float
    pools: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def guest(self, feature: int, seed: int) -> Guest:
        """A column of noise."""
        return Guest(self.pools[feature], seed)

    def look(
        self, task: Callable[[Block, Question, Ints], Finding], question: Question, known: Ints
    ) -> Finding:
        """One pass over all rows, of which some are known already."""
        ends = [*self.rows.firsts[1:], len(self.rows)]
        cuts = np.searchsorted(known, [0, *ends])
        own = [known[low:high] for low, high in pairwise(cuts)]
        first, *others = self.rows.visit(task, question, own)
        for other in others:
            first.add(other)
        return first
