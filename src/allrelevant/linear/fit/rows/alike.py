"""Rows that follow one another and are alike: several of one patient, or one day after another.

They are not independent, so noise that they have in common goes with a target that they have in
common, and is called relevant. Who gives groups has said so. Where nobody has, the order of the
rows may tell: rows that belong together usually stand together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.errors import told

_ALIKE = 0.25  # the correlation of a row with the next one, of the target and of most columns
_BY_CHANCE = 5.0  # times 1/√n: no correlation of independent rows is larger
_SORTED = 0.95  # rows were put into the order of the target: theirs says nothing
_FEWEST, _MOST = 50, 20_000  # rows to look at
_PARTS = 10  # of a target of numbers, within which columns are compared


def rows_alike(X: Any, target: Floats, *, has_classes: bool) -> list[str]:
    """Warn where rows seem to belong together."""
    if not isinstance(X, np.ndarray) or target.ndim > 1 or len(target) < _FEWEST:
        return []
    X, target = X[:_MOST], target[:_MOST]
    of_target = _agreement(target) if has_classes else _with_next(target[:, None])[0]
    least = max(_ALIKE, _BY_CHANCE / np.sqrt(len(target)))
    if not least < of_target < _SORTED:
        return []
    # What columns owe to the target says nothing of rows that follow one another.
    part = target if has_classes else np.searchsorted(_limits(target), target)
    of_column = float(np.median(_with_next(_within(X, part))))
    if of_column <= least:
        return []
    return told(
        "each row is like the next one, in the target and in most features (correlations of "
        f"{of_target:.2f} and {of_column:.2f}). If such rows belong together, as those of one "
        "patient or of neighbouring days do, they are not independent, and noise may be called "
        "relevant: say which do by groups"
    )


def _limits(target: Floats) -> Floats:
    return np.quantile(target, np.arange(1, _PARTS) / _PARTS)


def _within(X: Floats, part: Floats | Ints) -> Floats:
    """The columns without their means in each part of the target."""
    away = X.astype(float)
    for one in np.unique(part):
        away[part == one] -= away[part == one].mean(axis=0)
    return away


def _with_next(columns: Floats) -> Floats:
    """The correlation of each row with the next one, for every column that varies."""
    away = columns - columns.mean(axis=0)
    variance = (away**2).mean(axis=0)
    away, variance = away[:, variance > 0], variance[variance > 0]
    found: Floats = (away[1:] * away[:-1]).mean(axis=0) / variance
    return found if len(found) else np.zeros(1)


def _agreement(target: Floats) -> float:
    """The same of classes: how often a row has that of the next one, beyond chance (kappa)."""
    share = np.unique(target, return_counts=True)[1] / len(target)
    by_chance = float(share @ share)
    same = float((target[1:] == target[:-1]).mean())
    return (same - by_chance) / (1.0 - by_chance) if by_chance < 1.0 else 0.0
