"""Columns of one kind, those of features or privileged ones, compared with noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.three_classes import ACCURACY, classify
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.ranges.probes import normal_thresholds
from allrelevant.linear.fit.ranges.relevance import ProbeReaches
from allrelevant.linear.fit.statistics.classes import FIRST_PROBES, PAPERS_CONFIDENCE, Classes
from allrelevant.linear.fit.statistics.noise import Shapes, Tail
from allrelevant.linear.fit.statistics.verdict import HIGHEST_LEVEL, Rest, judge


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
    def tail(self) -> Tail | None:
        """How far noise reaches, by probes, and by the columns themselves where most are noise.

        None where nothing was compared with.
        """
        if not len(self.probes.values):
            return None
        tail = replace(self.probes.tail(self.shapes), least=self.least)
        if self.mostly_noise and len(self.probes) >= FIRST_PROBES:
            return tail.with_features(self.intervals[:, 1], self.shapes)
        return tail

    @cached_property
    def classes(self) -> Classes:
        """The columns' classes.

        Appended probes give p-values, by the tail of noise. Probes that take the place of features
        are the papers' way, and so are their thresholds.
        """
        intervals, plan, given = self.intervals, self.plan, self.level_of_features
        if self.tail is None or not len(intervals):
            return Classes.without_noise(intervals)
        reach = intervals[:, 1]
        fdr, alpha = plan.rates if given is None else (None, given)
        verdict = judge(self.tail, reach, self.shapes, fdr=fdr, alpha=alpha, rest=self.rest)
        level: float | None = verdict.level
        lower, upper, borderline = 0.0, verdict.thresholds, verdict.borderline
        if plan.probes == "replace":
            confidence = plan.confidence or PAPERS_CONFIDENCE
            lower, common = normal_thresholds(self.probes.values, confidence).tolist()
            upper, level = np.full(len(intervals), common), None
            borderline = np.zeros(len(intervals), dtype=bool)
        # A constant column reaches nothing that noise could be compared with.
        compared = np.isfinite(upper) & ((upper > 0) if self.rest is not None else True)
        typical = float(np.median(upper[compared])) if compared.any() else 0.0
        upper = np.where(np.isfinite(upper), upper, np.maximum(typical, reach))
        thresholds = np.array([lower, typical])
        return Classes(
            values=classify(intervals, thresholds, upper),
            thresholds=thresholds,
            upper=upper,
            p_values=verdict.p_values,
            q_values=verdict.q_values,
            borderline=borderline & (reach > ACCURACY),
            level=level,
            probes=self.probes.values,
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
