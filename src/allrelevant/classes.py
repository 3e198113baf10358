"""From intervals and noise thresholds to the three classes."""

from __future__ import annotations

import numpy as np

from allrelevant.engine.pieces import Floats

IRRELEVANT, WEAK, STRONG = 0, 1, 2
ACCURACY = 1e-6  # a lower bound this small is zero as far as the intervals are exact


def classify(intervals: Floats, thresholds: Floats) -> np.ndarray:
    """0 irrelevant, 1 weak, 2 strong, for intervals that are shares of the baseline's norm."""
    useful = intervals[:, 1] > max(float(thresholds[1]), ACCURACY)
    needed = intervals[:, 0] > max(float(thresholds[0]), ACCURACY)
    return np.where(useful, np.where(needed, STRONG, WEAK), IRRELEVANT)
