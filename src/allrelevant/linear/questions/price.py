"""What doing without a feature costs: the tolerance it takes, and intervals as tolerance grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from allrelevant.base.arrays import Floats
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.nearest import with_limits
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.engine.weight_range import WeightRange
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.sufficient import narrowest, sufficient_tolerance


def find_needed(fitted: FittedSet) -> Floats:
    """Of each feature the smallest tolerance at which some model does without it.

    It is the one to give for the norm and the loss alike. What the baseline does without is needed
    at none; infinite is what no tolerance makes dispensable.
    """
    needed = np.zeros(len(fitted.features))
    if fitted.models is None:
        return needed
    weights = fitted.analysis.baseline.weights
    for j, places in enumerate(fitted.by_weight.places):
        if weights[list(places)].any():
            barred = fitted.constraints(forbid=[fitted.features.names[j]])
            needed[j] = sufficient_tolerance(fitted.models, fitted.result.baseline, barred)
    return needed


@dataclass(frozen=True, eq=False)
class TolerancePath:
    """The intervals of all columns as the tolerance grows from nothing.

    Attributes
    ----------
    names : tuple of str
        The columns: features, or the levels of categories.
    factors : array of shape (k,)
        By which the tolerance of the fit was multiplied.
    tolerances : array of shape (k, 2)
        The tolerances of norm and loss.
    intervals, signed_intervals : array of shape (k, n_columns, 2)
        Smallest and largest relevance, and weight, as shares.
    """

    names: tuple[str, ...]
    factors: Floats
    tolerances: Floats
    intervals: Floats
    signed_intervals: Floats

    def to_frame(self) -> pd.DataFrame:
        """One row for each factor and column: *factor, feature, min, max, low, high*."""
        k, d = self.intervals.shape[:2]
        frame = pd.DataFrame(
            {"factor": np.repeat(self.factors, d), "feature": list(self.names) * k}
        )
        frame[["min", "max"]] = self.intervals.reshape(-1, 2)
        frame[["low", "high"]] = self.signed_intervals.reshape(-1, 2)
        return frame

    def __repr__(self) -> str:
        ends = f"{self.factors.min():g} to {self.factors.max():g} times that of the fit"
        return f"TolerancePath of {len(self.names)} columns: {len(self.factors)} tolerances, {ends}"


def find_tolerance_path(
    fitted: FittedSet, factors: Sequence[float], progress: Progress
) -> TolerancePath:
    """All intervals at some multiples of the tolerance."""
    fitted.need_one_weight("path_over_tolerance", "fit with each tolerance")
    ends = np.zeros((len(factors), fitted.n_columns, 2))
    progress.stage("tolerances", len(factors))
    for k, factor in enumerate(factors):
        ends[k] = _ends(fitted, float(factor))
        progress.advance(1)
    ends /= fitted.result.baseline["norm"] or 1.0
    low, high = ends[..., 0], ends[..., 1]
    smallest = np.maximum(0.0, np.maximum(low, -high))
    largest = np.maximum(np.abs(low), np.abs(high))
    return TolerancePath(
        names=fitted.features.columns,
        factors=np.array(factors, dtype=float),
        tolerances=np.outer(factors, fitted.analysis.tolerance),
        intervals=np.stack([smallest, largest], axis=-1),
        signed_intervals=ends,
    )


def _ends(fitted: FittedSet, factor: float) -> Floats:
    """Both ends of all weights."""
    models, known = fitted.models, fitted.weight_ranges
    if models is None:
        return np.zeros((fitted.n_columns, 2))
    columns = range(fitted.n_columns)
    found: Sequence[WeightRange] = [known[k] for k in columns]
    if factor != 1.0 or any(one.low.is_bound or one.high.is_bound for one in found):
        least = narrowest(models, fitted.result.baseline).limits
        limits = least + factor * (models.limits - least)
        some = replace(models, budgets=with_limits(models.budgets, limits))
        found = RangeSolver(some, fitted.features.columns).ranges(columns)
    return np.array([one.ends for one in found])
