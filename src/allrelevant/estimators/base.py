"""What all relevance estimators share: validate, analyse, store."""

from __future__ import annotations

import platform
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import metadata
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from allrelevant._version import __version__
from allrelevant.analysis import Analysis, Plan, analyse
from allrelevant.classes import classify
from allrelevant.engine.pieces import Floats
from allrelevant.errors import warn_user
from allrelevant.estimators.labels import class_factors
from allrelevant.estimators.lopsided import lopsided
from allrelevant.estimators.selector import RelevanceSelector
from allrelevant.estimators.validation import (
    check_choice,
    check_given,
    check_number,
    check_privileged,
    check_table,
    check_weights,
    column_names,
)
from allrelevant.models import LinearModel
from allrelevant.progress import Progress, with_callbacks
from allrelevant.questions import ConstraintQuestions, EquivalentModelQuestions, StabilityQuestion
from allrelevant.questions.column_groups import check_column_groups
from allrelevant.result import RelevanceResult
from allrelevant.sample import Sample, Scaling, arranged, merged, with_class_weights
from allrelevant.tolerance import Tolerance

ColumnGroups = Mapping[str, Sequence[Any]] | None
ClassWeight = Mapping[Any, float] | Literal["balanced"] | None
_version = cache(metadata.version)
_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "highspy", "joblib")


class RelevanceEstimator(
    EquivalentModelQuestions,
    ConstraintQuestions,
    StabilityQuestion,
    RelevanceSelector,
):
    """Base of the linear relevance estimators.

    A subclass encodes targets, names the models to choose from, and predicts. The parameters are
    described in :class:`~allrelevant.RelevanceClassifier`.
    """

    class_weight: ClassWeight = None  # a parameter of those that know classes
    classes_: np.ndarray

    def __init__(
        self,
        *,
        C: float | Literal["cv"],
        tolerance: Tolerance,
        budget: Literal["split", "joint"],
        n_probes: int,
        probes: Literal["append", "replace"],
        confidence: float,
        standardize: bool,
        select: Literal["relevant", "strong"],
        column_groups: ColumnGroups,
        n_jobs: int | None,
        random_state: Any,
        verbose: int,
    ) -> None:
        self.C = C
        self.tolerance = tolerance
        self.budget = budget
        self.n_probes = n_probes
        self.probes = probes
        self.confidence = confidence
        self.standardize = standardize
        self.select = select
        self.column_groups = column_groups
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    # What a subclass adds

    @abstractmethod
    def _encode(self, y: Any, count: Floats) -> Floats:
        """Check the target, remember its labels, give the codes of rows that count."""

    @abstractmethod
    def _variants(self) -> list[LinearModel]:
        """The models to choose from."""

    @abstractmethod
    def _store_model(self, coefficients: Floats, shift: float, offsets: Floats) -> None:
        """Set `coef_` and the offsets, given for the columns as they came."""

    def _weigh(self, sample: Sample) -> Sample:
        """Apply class weights."""
        if self.class_weight is None:
            return sample
        factors = class_factors(self.class_weight, self.classes_, sample.target, sample.count)
        return with_class_weights(sample, factors)

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
        return self._fit_wholly(X, y, sample_weight)

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, X_privileged: Any = None
    ) -> tuple[Sample, Scaling]:
        """Check the data and put them into the form the engine wants."""
        check_given(self, y)
        table = check_table(self, X)
        check_consistent_length(table, y)
        count = check_weights(sample_weight, table)
        target = self._encode(y, count)
        kept = count > 0
        privileged = None
        if X_privileged is not None:
            self.privileged_names_, privileged = check_privileged(X_privileged, table)
            privileged = privileged[kept]
        distinct = merged(table[kept], target, count[kept], privileged)
        scaling = self._scaling_of(distinct.X, distinct.count)
        if distinct.privileged is not None:
            own = self._scaling_of(distinct.privileged, distinct.count)
            distinct = replace(distinct, privileged=own.apply(distinct.privileged))
        sample = arranged(replace(distinct, X=scaling.apply(distinct.X)))
        return self._weigh(sample), scaling

    def _scaling_of(self, X: Floats, count: Floats) -> Scaling:
        return (Scaling.of if self.standardize else Scaling.of_far_columns)(X, count)

    def _analyse(self, sample: Sample, scaling: Scaling, progress: Progress) -> None:
        names = column_names(self, sample.X.shape[1])
        every = [*names, *getattr(self, "privileged_names_", ())]
        groups = check_column_groups(self.column_groups, names, every)
        random = check_random_state(self.random_state)
        analysis = analyse(self._variants(), sample, self._plan(), every, random, progress)
        self._store(analysis, scaling, names)
        self._caution(analysis, sample)
        self._store_column_groups(groups, analysis, random, progress)

    def _check_parameters(self) -> None:
        if not is_word(self.C, "cv"):
            check_number("C", self.C, low=0.0, closed=False, also=("'cv'",))
        if not is_word(self.tolerance, "auto"):
            given: Any = self.tolerance
            for part in given if np.shape(given) == (2,) else (given,):
                check_number("tolerance", part, low=0.0, also=("'auto'", "a pair (norm, loss)"))
        check_choice("budget", self.budget, ("split", "joint"))
        check_number("n_probes", self.n_probes, low=2, whole=True)
        check_choice("probes", self.probes, ("append", "replace"))
        check_number("confidence", self.confidence, low=0.5, high=1.0, closed=False)
        check_choice("standardize", self.standardize, (True, False))
        self._check_common_parameters()

    def _plan(self) -> Plan:
        tolerance: Tolerance = "auto"
        if not is_word(self.tolerance, "auto"):
            parts = np.broadcast_to(np.asarray(self.tolerance, dtype=float), 2)
            tolerance = (float(parts[0]), float(parts[1]))
        return Plan(
            C=None if is_word(self.C, "cv") else float(self.C),
            tolerance=tolerance,
            budget=self.budget,
            n_probes=int(self.n_probes),
            probes=self.probes,
            confidence=float(self.confidence),
            n_jobs=self.n_jobs,
        )

    def _store(self, analysis: Analysis, scaling: Scaling, names: list[str]) -> None:
        baseline = analysis.baseline
        self._analysis = analysis  # what stability asks of the fit
        self.C_ = baseline.C
        self.tolerance_ = analysis.tolerance
        self.model_ = analysis.choice.model
        self.intervals_ = analysis.intervals
        self.signed_intervals_ = analysis.signed_intervals
        self.relevance_classes_ = classify(self.intervals_, analysis.thresholds)
        self.equivalent_models_ = analysis.models
        self.ranges_ = analysis.found.ranges
        weights = baseline.weights[: len(names)]
        self._scaling = scaling
        coefficients, shift = scaling.original(weights)
        self._store_model(coefficients, shift, baseline.offsets)
        self.result_ = RelevanceResult(
            task=self.model_.task,
            names=tuple(names),
            intervals=self.intervals_,
            signed_intervals=self.signed_intervals_,
            classes=self.relevance_classes_,
            weights=weights / analysis.norm,
            thresholds=analysis.thresholds,
            probes=analysis.probes,
            baseline=analysis.quality(),
            settings=self.get_params(deep=False),
            versions=package_versions(),
            counts={
                "lps_solved": analysis.found.solved,
                "lps_skipped": analysis.found.skipped,
                "probes_usable": len(analysis.probes),
            },
            warnings=tuple(analysis.found.warnings),
            **self._store_privileged(analysis),
        )
        self.support_ = self._get_support_mask()

    def _caution(self, analysis: Analysis, sample: Sample) -> None:
        """Warn where the model hardly tells the classes apart because they differ in size."""
        if not hasattr(self, "classes_") or self.class_weight is not None:
            return
        scores = sample.X @ analysis.baseline.weights[: sample.X.shape[1]]
        predicted = self.model_.predict(scores, analysis.baseline.offsets)
        warning = lopsided(predicted, sample.target, sample.count, self.classes_.tolist())
        if warning is not None:
            warn_user(warning)
            self.result_ = replace(self.result_, warnings=(*self.result_.warnings, warning))

    def _store_privileged(self, analysis: Analysis) -> dict[str, Any]:
        """What a result says of privileged features: nothing where there are none."""
        return {}

    # Looking

    def explore(self, X: Any = None, **kwargs: Any) -> Any:
        """Open the explorer: the bars, live, as a local page or as a widget in a notebook.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Samples whose predictions to show.
        **kwargs
            As in :func:`allrelevant.explorer.explore`.
        """
        from allrelevant.explorer import explore  # its packages are extras

        return explore(self, X, **kwargs)

    def _table(self, X: Any) -> Floats:
        """Check data to predict for."""
        check_is_fitted(self)
        return check_table(self, X, reset=False)


def is_word(value: Any, word: str) -> bool:
    """Whether a parameter that may be an array is this word."""
    return isinstance(value, str) and value == word


def package_versions(*more: str) -> dict[str, str]:
    """Versions of everything that can change a number."""
    versions = {"allrelevant": __version__, "python": platform.python_version()}
    return versions | {package: _version(package) for package in (*_PACKAGES, *more)}
