"""The three classes of relevance, and which of them an interval belongs to."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats

IRRELEVANT, WEAK, STRONG = 0, 1, 2
CLASS_NAMES = ("irrelevant", "weak", "strong")
ACCURACY = 1e-6  # a lower bound this small is zero as far as the intervals are exact


def classify(intervals: Floats, thresholds: Floats, upper: Floats | None = None) -> np.ndarray:
    """0 irrelevant, 1 weak, 2 strong, for intervals that are shares of the baseline's norm.

    Parameters
    ----------
    intervals : array of shape (n_features, 2)
    thresholds : array of shape (2,)
        What noise reaches: for the smallest and for the largest relevance.
    upper : array of shape (n_features,), optional
        The second of these where every feature has one of its own.
    """
    above = float(thresholds[1]) if upper is None else upper
    useful = intervals[:, 1] > np.maximum(above, ACCURACY)
    needed = intervals[:, 0] > max(float(thresholds[0]), ACCURACY)
    return np.where(useful, np.where(needed, STRONG, WEAK), IRRELEVANT)
