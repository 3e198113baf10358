"""Losses as the papers write them, one sample at a time."""

import numpy as np
from estimator_cases import CASES


def encoded(case, y):
    """The target as the papers' formulas have it."""
    return np.where(y == 1, 1.0, -1.0) if case.is_binary else np.asarray(y, dtype=float)


def offsets_of(model):
    return model.thresholds_ if hasattr(model, "thresholds_") else np.ravel(model.intercept_)


def loss_by_hand(case, scores, offsets, target, epsilon=0.1, cost=0.2):
    """The loss of every sample, as the papers write it."""
    if case.is_regression:
        return np.maximum(0.0, np.abs(target - scores - offsets[0]) - epsilon)
    if case.is_binary:
        margin = target * (scores + offsets[0])
        loss = np.maximum(0.0, 1.0 - margin)
        if case is CASES["reject"]:
            loss = loss + (1.0 - 2.0 * cost) / cost * np.maximum(0.0, -margin)
        return loss
    loss = np.zeros(len(scores))
    for t, threshold in enumerate(offsets):
        above, below = target > t, target <= t
        if case.parameters["order"] == "explicit":
            above, below = target == t + 1, target == t
        loss += above * np.maximum(0.0, threshold + 1.0 - scores)
        loss += below * np.maximum(0.0, scores - threshold + 1.0)
    return loss
