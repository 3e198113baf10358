"""From intervals and probes to the three classes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from allrelevant.base.arrays import Floats, Mask
from allrelevant.base.three_classes import ACCURACY, classify
from allrelevant.linear.fit.noise import Shapes, Tail
from allrelevant.linear.fit.plan import Plan
from allrelevant.linear.fit.probes import normal_thresholds
from allrelevant.linear.fit.relevance import ProbeReaches
from allrelevant.linear.fit.verdict import Rest, judge

FIRST_PROBES = 50
FIRST_OF_MANY = 200  # where there are more features than rows, and levels are very low
PAPERS_CONFIDENCE = 0.999  # the papers' confidence, where none is given


@dataclass(frozen=True, eq=False)
class Classes:
    """Features compared with noise: their classes, and how sure these are.

    Parameters
    ----------
    values : array of int
        0 irrelevant, 1 weak, 2 strong.
    thresholds : array of shape (2,)
        What noise reaches: for the smallest relevance, and usually for the largest.
    upper : array
        The second of these for each feature.
    p_values, q_values : array
    borderline : array of bool
        Which features could be on the other side of their threshold with other probes.
    level : float, optional
        The largest p that passes, where that decides.
    probes : array of shape (n_probes, 2)
    """

    values: np.ndarray
    thresholds: Floats
    upper: Floats
    p_values: Floats
    q_values: Floats
    borderline: Mask
    level: float | None
    probes: Floats

    @classmethod
    def without_noise(cls, intervals: Floats) -> Classes:
        """Where there is nothing to compare: all features are irrelevant."""
        d = len(intervals)
        return cls(
            values=np.zeros(d, dtype=int),
            thresholds=np.zeros(2),
            upper=np.zeros(d),
            p_values=np.ones(d),
            q_values=np.ones(d),
            borderline=np.zeros(d, dtype=bool),
            level=None,
            probes=np.zeros((0, 2)),
        )


def noise_tail(
    reach: Floats,
    probes: ProbeReaches,
    shapes: Shapes,
    *,
    mostly_noise: bool = False,
    least: float = 0.0,
) -> Tail | None:
    """How far noise reaches, by probes, and by the features themselves where most are noise.

    No p-value is below `least`.
    """
    if not len(probes.values):
        return None
    tail = replace(probes.tail(shapes), least=least)
    if mostly_noise and len(probes) >= FIRST_PROBES:
        return tail.with_features(reach, shapes)
    return tail


def classes_of(
    intervals: Floats,
    probes: ProbeReaches,
    tail: Tail | None,
    shapes: Shapes,
    plan: Plan,
    level: float | None = None,
    rest: Rest | None = None,
) -> Classes:
    """The classes of features with these relevance intervals.

    Appended probes give p-values, by the tail of noise. Probes that take the place of features are
    the papers' way, and so are their thresholds. A `level` that is given is not looked for. `rest`
    is what features explain that others leave, where that counts as well.
    """
    if tail is None or not len(intervals):
        return Classes.without_noise(intervals)
    fdr, alpha = plan.rates if level is None else (None, level)
    verdict = judge(tail, intervals[:, 1], shapes, fdr=fdr, alpha=alpha, rest=rest)
    level = verdict.level
    lower, upper, borderline = 0.0, verdict.thresholds, verdict.borderline
    if plan.probes == "replace":
        lower, common = normal_thresholds(
            probes.values, plan.confidence or PAPERS_CONFIDENCE
        ).tolist()
        upper, level = np.full(len(intervals), common), None
        borderline = np.zeros(len(intervals), dtype=bool)
    # A constant column reaches nothing that noise could be compared with.
    compared = np.isfinite(upper) if rest is None else np.isfinite(upper) & (upper > 0)
    finite = upper[compared]
    typical = float(np.median(finite)) if len(finite) else 0.0
    upper = np.where(np.isfinite(upper), upper, np.maximum(typical, intervals[:, 1]))
    thresholds = np.array([lower, typical])
    return Classes(
        values=classify(intervals, thresholds, upper),
        thresholds=thresholds,
        upper=upper,
        p_values=verdict.p_values,
        q_values=verdict.q_values,
        borderline=borderline & (intervals[:, 1] > ACCURACY),
        level=level,
        probes=probes.values,
    )
