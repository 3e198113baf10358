"""Where the offset of a model belongs whose classes were weighed: for predictions that are right.

Relevance is found with weights that give both classes the same say. They move the offset of the
model towards the rarer class, and with it predictions, but hardly the order of the samples.
"""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from allrelevant.base.arrays import Floats
from allrelevant.linear.fit.candidate import Choice

_STRENGTH = 1e3  # of the data against the penalty: separable classes have a finite slope


def accuracy_shift(choice: Choice) -> float:
    """What to add to decision values so that both classes are as likely where they are zero.

    By Platt's logistic curve through the left-out samples' decision values. Where these tell
    nothing, or where the rarer class is nowhere the likelier one, the more frequent class is
    predicted throughout.
    """
    parts = choice.tested
    decision = np.concatenate([part.scores + part.offsets[0] for part in parts])
    target = np.concatenate([part.target for part in parts])
    count = np.concatenate([part.count for part in parts])
    farthest = float(np.abs(decision).max(initial=0.0)) + 1.0
    if np.ptp(target) == 0:
        return 0.0
    if np.ptp(decision) <= 1e-9 * farthest:
        return float(np.copysign(farthest, count @ target))
    slope, intercept = _logistic(decision, target, count)
    if slope <= 0:
        return float(np.copysign(farthest, count @ target))
    return float(np.clip(intercept / slope, -farthest, farthest))


def _logistic(decision: Floats, target: Floats, count: Floats) -> tuple[float, float]:
    """Slope and intercept of the log odds."""
    scale = float(np.std(decision))
    curve = LogisticRegression(C=_STRENGTH, max_iter=1000)
    curve.fit(decision[:, None] / scale, target, sample_weight=count)
    return float(curve.coef_[0, 0]) / scale, float(curve.intercept_[0])
