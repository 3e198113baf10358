"""Ordered classes as intervals of a score."""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats


def interval_margins(scores: Floats, thresholds: Floats) -> Floats:
    """How far inside each class's interval a score is; negative outside.

    With two classes the distance to the threshold, positive for the upper class.
    """
    distance = scores[:, None] - thresholds
    if len(thresholds) == 1:
        return distance[:, 0]
    beyond = np.full((len(scores), 1), np.inf)
    return np.minimum(np.hstack([beyond, distance]), np.hstack([-distance, beyond]))
