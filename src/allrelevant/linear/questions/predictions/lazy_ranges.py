"""Prediction ranges of samples that are not in memory: found chunk by chunk, when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.linear.questions.predictions.prediction_range import PredictionRange


@dataclass(frozen=True, eq=False)
class LazyPredictionRange:
    """A :class:`PredictionRange` of dask arrays, none of which is computed yet.

    Parameters
    ----------
    low, high : dask array of shape (n_samples,) or (n_samples, n_thresholds)
    allowed : dask array of bool of shape (n_samples, n_outcomes)
    """

    low: Any
    high: Any
    outcomes: tuple[Any, ...]
    allowed: Any

    def compute(self) -> PredictionRange:
        """All of it, in memory; each chunk is looked at once."""
        import dask

        low, high, allowed = dask.compute(self.low, self.high, self.allowed)
        return PredictionRange(low, high, self.outcomes, allowed)


def lazy_range(columns: Any, outcomes: tuple[Any, ...]) -> LazyPredictionRange:
    """The range in an array of all of its columns, as :func:`columns_of` gives them."""
    q = (columns.shape[1] - len(outcomes)) // 2
    low, high, allowed = columns[:, :q], columns[:, q : 2 * q], columns[:, 2 * q :]
    if q == 1:
        low, high = low[:, 0], high[:, 0]
    return LazyPredictionRange(low, high, outcomes, allowed.astype(bool))


def columns_of(found: PredictionRange) -> Floats:
    """All columns of a range, side by side."""
    return np.column_stack([found.low, found.high, found.allowed.astype(float)])
