"""The three classes of features, and how sure these are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Mask

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
