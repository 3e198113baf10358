"""What doing without a feature costs: the tolerance it takes, and intervals as tolerance grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from allrelevant import backends
from allrelevant.base.arrays import Floats, Mask
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.questions.constraints.solver import Union
from allrelevant.linear.questions.constraints.sufficient import sufficient_tolerance
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.tolerance.at_tolerance import at_tolerance

_AT_ONCE = 256  # features whose programs are solved together


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
    is_bound : array of bool of shape (k, n_columns)
        Where an interval is a bound: the true one lies within it.
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
    TolerancePath of 4 columns: 9 tolerances, 0 to 2 times that of the fit; of 1 only bounds
    """

    names: tuple[str, ...]
    factors: Floats
    tolerances: Floats
    intervals: Floats
    signed_intervals: Floats
    is_bound: Mask
    features: tuple[str, ...]
    feature_intervals: Floats

    def to_frame(self) -> pd.DataFrame:
        """One row for each factor and column: *factor, feature, min, max, low, high, is_bound*."""
        k, d = self.intervals.shape[:2]
        frame = pd.DataFrame(
            {"factor": np.repeat(self.factors, d), "feature": list(self.names) * k}
        )
        frame[["min", "max"]] = self.intervals.reshape(-1, 2)
        frame[["low", "high"]] = self.signed_intervals.reshape(-1, 2)
        frame["is_bound"] = self.is_bound.ravel()
        return frame[frame["min"].notna()].reset_index(drop=True)

    def __repr__(self) -> str:
        k = len(self.factors)
        ends = f"{self.factors.min():g} to {self.factors.max():g} times that of the fit"
        n = int(np.isfinite(self.intervals[0, :, 0]).sum()) if len(self.factors) else 0
        what = f"{n} column{'' if n == 1 else 's'}"
        n_bounds = int(self.is_bound.any(axis=0).sum())
        bounds = f"; of {n_bounds} only bounds" if n_bounds else ""
        return f"TolerancePath of {what}: {k} tolerance{'' if k == 1 else 's'}, {ends}{bounds}"


def find_tolerance_path(
    fitted: FittedSet,
    factors: Sequence[float],
    asked: Sequence[int],
    n_jobs: int | None,
    progress: Progress,
    *,
    bounds: bool = False,
) -> TolerancePath:
    """The intervals of some features at some multiples of the tolerance; bounds on the others."""
    intervals, ends = np.zeros((2, len(factors), fitted.n_columns, 2))
    relevance = np.zeros((len(factors), len(fitted.features), 2))
    is_bound = np.zeros(intervals.shape[:2], dtype=bool)
    progress.stage("tolerances", len(factors))
    if fitted.models is not None:
        make = partial(partial, _at, fitted, asked, bounds, progress.within())
        found = backends.run(make, [float(one) for one in factors], n_jobs, progress.advance)
        for k, one in enumerate(found):
            intervals[k], ends[k], relevance[k], is_bound[k] = one
    norm = fitted.result.baseline["norm"] or 1.0
    return TolerancePath(
        names=fitted.features.columns,
        factors=np.array(factors, dtype=float),
        tolerances=np.outer(factors, fitted.analysis.tolerance),
        intervals=intervals / norm,
        signed_intervals=ends / norm,
        is_bound=is_bound,
        features=fitted.features.names,
        feature_intervals=relevance / norm,
    )


def _at(
    fitted: FittedSet, asked: Sequence[int], bounds: bool, progress: Progress, factor: float
) -> tuple[Floats, Floats, Floats, Mask]:
    """Of the columns the relevance, both ends and what is a bound; the features' relevance.

    Those that are not asked have bounds, or else NaN.
    """
    # With a solver of its own: what was asked before must not change the last digit.
    own, places = replace(at_tolerance(fitted, factor)), fitted.features.places
    assert own.models is not None
    # As `in_order`: what the reference uses comes last.
    is_near, by_weight = own.models.near_reference, own.by_weight.places
    order = sorted(asked, key=lambda j: bool(is_near[list(by_weight[j])].any()))
    intervals, relevance = _bounds(fitted, factor)
    if not bounds:
        intervals[:], relevance[:] = np.nan, np.nan
    no_sign = np.nan if own.model.n_scores > 1 else 1.0
    ends = np.outer(intervals[:, 1], [-no_sign, no_sign])
    is_bound = ~np.isnan(intervals[:, 0])
    columns: dict[int, Union | SpreadRange] = {}
    progress.stage("features", len(order))
    everything = own.solver.feasible([])
    for start in range(0, len(order), _AT_ONCE):
        some = order[start : start + _AT_ONCE]
        if own.model.n_scores == 1:
            own.solver.ranges.foresee([k for j in some for k in places[j]])
        for j, found in own.under(everything, some, columns):
            relevance[j] = found.relevance
            progress.advance()
    for k, one in columns.items():
        intervals[k], ends[k], is_bound[k] = one.relevance, one.ends, one.is_bound
    return intervals, ends, relevance, is_bound


def _bounds(fitted: FittedSet, factor: float) -> tuple[Floats, Floats]:
    """What the fit says of the relevance of columns and of features at another tolerance.

    Let w be a model at t ≥ 1 times the tolerance of the fit, and v the baseline. All limits grow
    linearly, so w/t + (1 − 1/t)·v is a model of the fit. If its relevance is at most m, that of w
    is at most t·m + (t − 1)·|v|. With t ≤ 1 every model is one of the fit.
    """
    places, weights = fitted.features.places, np.abs(fitted.analysis.baseline.weights)
    used = np.array([weights[list(own)].sum() for own in fitted.by_weight.places])
    by_column = np.zeros(fitted.n_columns)
    for own, weight in zip(places, used, strict=True):
        by_column[list(own)] = weight
    columns = np.array([one.relevance for one in fitted.found_ranges[: fitted.n_columns]])
    features = fitted.result.intervals * (fitted.result.baseline["norm"] or 1.0)
    if factor > 1.0:
        columns, features = (
            np.column_stack([np.zeros(len(own)), factor * own[:, 1] + (factor - 1.0) * baseline])
            for own, baseline in ((columns, by_column), (features, used))
        )
    return columns, features
