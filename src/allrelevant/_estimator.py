"""What all relevance estimators share: validate, analyse, store."""

from __future__ import annotations

import platform
from abc import abstractmethod
from importlib import metadata
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from allrelevant._validation import (
    check_choice,
    check_number,
    check_table,
    check_weights,
    column_names,
)
from allrelevant.analysis import Analysis, Plan, Tolerance, analyse
from allrelevant.classes import STRONG, WEAK, classify
from allrelevant.engine.pieces import Floats
from allrelevant.models import LinearModel
from allrelevant.progress import CallbackSupportMixin, progress_of, with_callbacks
from allrelevant.result import RelevanceResult
from allrelevant.sample import Sample, Scaling, gather

_PACKAGES = ("allrelevant", "numpy", "scipy", "scikit-learn", "pandas", "highspy", "joblib")


class RelevanceEstimator(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """Base of the linear relevance estimators.

    A subclass encodes targets, names the models to choose from, and predicts.
    """

    C: float | Literal["cv"]
    tolerance: Tolerance
    budget: Literal["split", "joint"]
    n_probes: int
    probes: Literal["append", "replace"]
    confidence: float
    standardize: bool
    select: Literal["relevant", "strong"]
    n_jobs: int | None
    random_state: Any
    verbose: int

    # What a subclass adds

    @abstractmethod
    def _encode(self, y: Any, count: Floats) -> Floats:
        """Check the target, remember its labels, and give it as codes."""

    @abstractmethod
    def _variants(self) -> list[LinearModel]:
        """The models to choose from."""

    @abstractmethod
    def _store_model(self, coefficients: Floats, shift: float, offsets: Floats) -> None:
        """Set `coef_` and the offsets, given for the columns as they came."""

    def _weigh(self, sample: Sample) -> Sample:
        """Apply class weights."""
        return sample

    # Fitting

    @with_callbacks
    def fit(self, X: Any, y: Any, *, sample_weight: Any = None) -> Self:
        """Find the relevance interval and the class of every feature.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers; a pandas or polars data frame gives the features their names.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight 2 is the same as the row given twice.

        Returns
        -------
        self
        """
        self._check_parameters()
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        table = check_table(self, X)
        check_consistent_length(table, y)
        count = check_weights(sample_weight, table)
        target = self._encode(y, count)
        self._scaling = (
            Scaling.of(table, count) if self.standardize else Scaling.none(table.shape[1])
        )
        sample = self._weigh(gather(self._scaling.apply(table), target, count))
        names = column_names(self, table.shape[1])
        progress = progress_of(self)
        analysis = analyse(
            self._variants(),
            sample,
            self._plan(),
            names,
            check_random_state(self.random_state),
            progress,
        )
        progress.finish()
        self._store(analysis, names)
        return self

    def _check_parameters(self) -> None:
        if self.C != "cv":
            check_number("C", self.C, low=0.0, closed=False, also=("cv",))
        if isinstance(self.tolerance, (tuple, list)):
            if len(self.tolerance) != 2:
                raise ValueError(
                    f"tolerance must be 'auto', a number or a pair (norm, loss), "
                    f"got {self.tolerance!r}."
                )
            for part in self.tolerance:
                check_number("tolerance", part, low=0.0)
        elif self.tolerance != "auto":
            check_number("tolerance", self.tolerance, low=0.0, also=("auto",))
        check_choice("budget", self.budget, ("split", "joint"))
        check_number("n_probes", self.n_probes, low=2, whole=True)
        check_choice("probes", self.probes, ("append", "replace"))
        check_number("confidence", self.confidence, low=0.5, high=1.0, closed=False)
        check_choice("standardize", self.standardize, (True, False))
        check_choice("select", self.select, ("relevant", "strong"))

    def _plan(self) -> Plan:
        tolerance: Tolerance = self.tolerance
        if isinstance(tolerance, (tuple, list)):
            tolerance = (float(tolerance[0]), float(tolerance[1]))
        return Plan(
            C=None if self.C == "cv" else float(self.C),
            tolerance=tolerance,
            budget=self.budget,
            n_probes=int(self.n_probes),
            probes=self.probes,
            confidence=float(self.confidence),
            n_jobs=self.n_jobs,
        )

    def _store(self, analysis: Analysis, names: list[str]) -> None:
        baseline = analysis.baseline
        self.C_ = baseline.C
        self.tolerance_ = analysis.tolerance
        self.model_ = analysis.choice.model
        self.intervals_ = analysis.intervals
        self.signed_intervals_ = analysis.signed_intervals
        self.relevance_classes_ = classify(self.intervals_, analysis.thresholds)
        self.equivalent_models_ = analysis.models
        self.ranges_ = analysis.found.ranges
        coefficients, shift = self._scaling.original(baseline.weights)
        self._store_model(coefficients, shift, baseline.offsets)
        self.result_ = RelevanceResult(
            task=self.model_.task,
            names=tuple(names),
            intervals=self.intervals_,
            signed_intervals=self.signed_intervals_,
            classes=self.relevance_classes_,
            weights=baseline.weights / analysis.norm,
            thresholds=analysis.thresholds,
            probes=analysis.probes,
            baseline=analysis.quality(),
            settings=self.get_params(deep=False),
            versions=_versions(),
            counts={
                "lps_solved": analysis.found.solved,
                "lps_skipped": analysis.found.skipped,
                "probes_usable": len(analysis.probes),
            },
            warnings=tuple(analysis.found.warnings),
        )
        self.support_ = self._get_support_mask()

    # Selecting

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "relevance_classes_")
        least = STRONG if self.select == "strong" else WEAK
        return self.relevance_classes_ >= least

    def _table(self, X: Any) -> Floats:
        """Check data to predict for."""
        check_is_fitted(self)
        return check_table(self, X, reset=False)


def _versions() -> dict[str, str]:
    """Versions of everything that can change a number."""
    versions = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:  # run from a source tree
            continue
    return versions
