"""Columns of one kind, those of features or privileged ones, compared with noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.fit.classes import Classes, classes_of, noise_tail
from allrelevant.linear.fit.noise import Shapes, Tail
from allrelevant.linear.fit.plan import Plan
from allrelevant.linear.fit.relevance import ProbeReaches
from allrelevant.linear.fit.verdict import HIGHEST_LEVEL, Rest


@dataclass(frozen=True, eq=False)
class Compared:
    """Columns and their noise.

    Parameters
    ----------
    intervals : array of shape (n_columns, 2)
        Smallest and largest relevance, as shares of the norm.
    norm : float
        In the engine's units.
    probes : ProbeReaches
        What permuted columns reach, in the same shares.
    shapes : Shapes
        What of each column decides how far it reaches as noise.
    mostly_noise : bool
        Whether the columns themselves tell what noise reaches.
    level_of_features : float, optional
        The largest p that passes, where features of several columns have settled it.
    rest : Rest, optional
        What columns explain that others leave, where that counts.
    least : float
        The smallest p-value that a reach can have.
    """

    intervals: Floats
    norm: float
    probes: ProbeReaches
    shapes: Shapes
    plan: Plan
    mostly_noise: bool = False
    level_of_features: float | None = None
    rest: Rest | None = None
    least: float = 0.0

    @cached_property
    def classes(self) -> Classes:
        """The columns' classes."""
        return classes_of(
            self.intervals,
            self.probes,
            self.tail,
            self.shapes,
            self.plan,
            self.level_of_features,
            self.rest,
        )

    @cached_property
    def tail(self) -> Tail | None:
        """How far noise reaches, in shares; None where nothing was compared with."""
        reach = self.intervals[:, 1]
        return noise_tail(
            reach,
            self.probes,
            self.shapes,
            mostly_noise=self.mostly_noise,
            least=self.least,
        )

    def p_values_of(self, columns: Ints, reach: Floats) -> tuple[Floats, Floats]:
        """p-values of some columns where they reach so far, and the errors of their logarithms.

        What others leave is asked of features, not of their columns.
        """
        assert self.tail is not None
        return self.tail.p_values(reach, self.shapes.take(columns))

    def reach_at(self, p: float) -> Floats:
        """How far noise of the shape of each column reaches with a probability."""
        assert self.tail is not None
        return self.tail.reach_at(p, self.shapes)

    def limits(self, columns: Ints, level: float) -> Floats:
        """What some columns have to reach for a p-value of this level, by their reach alone."""
        if self.tail is None or self.classes.level is None:
            return self.classes.upper[columns]
        shapes = self.shapes.take(columns)
        limits = self.tail.reach_at(level, shapes)
        return np.where(shapes.scale > 0, limits, self.classes.upper[columns])

    @property
    def level(self) -> float:
        """The probability with which noise is let pass."""
        asked = self.plan.rates[1] or HIGHEST_LEVEL
        return asked if self.classes.level is None else self.classes.level
