"""What doing without a feature costs: the tolerance it takes, and intervals as tolerance grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from allrelevant import backends
from allrelevant.base.arrays import Floats
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.questions.constraints.solver import Union
from allrelevant.linear.questions.constraints.sufficient import sufficient_tolerance
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.tolerance.at_tolerance import at_tolerance


def find_needed(fitted: FittedSet, progress: Progress) -> Floats:
    """Of each feature the smallest tolerance at which some model does without it.

    It is the one to give for the norm and the loss alike. What the baseline does without is needed
    at none; infinite is what no tolerance makes dispensable.
    """
    needed = np.zeros(len(fitted.features))
    if fitted.models is None:
        return needed
    weights, places = fitted.analysis.baseline.weights, fitted.by_weight.places
    used = [j for j, own in enumerate(places) if weights[list(own)].any()]
    progress.stage("tolerances without a feature", len(used))
    for j in used:
        barred = fitted.constraints(forbid=[fitted.features.names[j]])
        needed[j] = sufficient_tolerance(fitted.models, fitted.result.baseline, barred)
        progress.advance()
    return needed


@dataclass(frozen=True, eq=False)
class TolerancePath:
    """The intervals of features and their columns as the tolerance grows from nothing.

    Attributes
    ----------
    names : tuple of str
        The columns: features, or the levels of categories.
    factors : array of shape (k,)
        Factors by which the tolerance of the fit was multiplied.
    tolerances : array of shape (k, 2)
        The tolerances of norm and loss.
    intervals, signed_intervals : array of shape (k, n_columns, 2)
        Smallest and largest relevance, and weight, as shares; NaN where they were not asked for.
        With three or more classes the signed ones are NaN, because a feature has several weights.
    features : tuple of str
        The features, each of one column or of several.
    feature_intervals : array of shape (k, n_features, 2)
        Smallest and largest relevance of features.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> model.path_over_tolerance()
    TolerancePath of 3 columns: 9 tolerances, 0 to 2 times that of the fit
    """

    names: tuple[str, ...]
    factors: Floats
    tolerances: Floats
    intervals: Floats
    signed_intervals: Floats
    features: tuple[str, ...]
    feature_intervals: Floats

    def to_frame(self) -> pd.DataFrame:
        """One row for each factor and column: *factor, feature, min, max, low, high*."""
        k, d = self.intervals.shape[:2]
        frame = pd.DataFrame(
            {"factor": np.repeat(self.factors, d), "feature": list(self.names) * k}
        )
        frame[["min", "max"]] = self.intervals.reshape(-1, 2)
        frame[["low", "high"]] = self.signed_intervals.reshape(-1, 2)
        return frame[frame["min"].notna()].reset_index(drop=True)

    def __repr__(self) -> str:
        ends = f"{self.factors.min():g} to {self.factors.max():g} times that of the fit"
        n = int(np.isfinite(self.intervals[0, :, 0]).sum()) if len(self.factors) else 0
        what = f"{n} column{'' if n == 1 else 's'}"
        return f"TolerancePath of {what}: {len(self.factors)} tolerances, {ends}"


def find_tolerance_path(
    fitted: FittedSet,
    factors: Sequence[float],
    asked: Sequence[int],
    n_jobs: int | None,
    progress: Progress,
) -> TolerancePath:
    """The intervals of some features at some multiples of the tolerance."""
    intervals, ends = np.zeros((2, len(factors), fitted.n_columns, 2))
    relevance = np.zeros((len(factors), len(fitted.features), 2))
    progress.stage("tolerances", len(factors))
    if fitted.models is not None:
        make = partial(partial, _at, fitted, asked, progress.within())
        found = backends.run(make, [float(one) for one in factors], n_jobs, progress.advance)
        for k, one in enumerate(found):
            intervals[k], ends[k], relevance[k] = one
    norm = fitted.result.baseline["norm"] or 1.0
    return TolerancePath(
        names=fitted.features.columns,
        factors=np.array(factors, dtype=float),
        tolerances=np.outer(factors, fitted.analysis.tolerance),
        intervals=intervals / norm,
        signed_intervals=ends / norm,
        features=fitted.features.names,
        feature_intervals=relevance / norm,
    )


def _at(
    fitted: FittedSet, asked: Sequence[int], progress: Progress, factor: float
) -> tuple[Floats, Floats, Floats]:
    """Relevance and both ends of the columns' weights, and the features' relevance; else NaN."""
    # With a solver of its own: what was asked before must not change the last digit.
    own, places = replace(at_tolerance(fitted, factor)), fitted.features.places
    assert own.models is not None
    # As `in_order`: what the reference uses comes last.
    is_near, by_weight = own.models.near_reference, own.by_weight.places
    order = sorted(asked, key=lambda j: bool(is_near[list(by_weight[j])].any()))
    intervals, ends = np.full((2, fitted.n_columns, 2), np.nan)
    relevance = np.full((len(places), 2), np.nan)
    columns: dict[int, Union | SpreadRange] = {}
    progress.stage("features", len(order))
    for j, found in own.under(own.solver.feasible([]), order, columns):
        relevance[j] = found.relevance
        progress.advance()
    for k, one in columns.items():
        intervals[k], ends[k] = one.relevance, one.ends
    return intervals, ends, relevance
