"""What all relevance estimators share: validate, analyse, store."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from allrelevant.base.arrays import Floats
from allrelevant.base.errors import warn_user
from allrelevant.base.labels import ClassWeight, class_factors
from allrelevant.base.progress import Progress, with_callbacks
from allrelevant.base.scaling import Scaling
from allrelevant.base.selector import RelevanceSelector
from allrelevant.base.validation import (
    check_choice,
    check_given,
    check_number,
    check_privileged,
    check_table,
    check_weights,
    column_names,
)
from allrelevant.base.versions import package_versions
from allrelevant.linear.estimators.lopsided import lopsided
from allrelevant.linear.estimators.scoring import OWN, FoldScorer
from allrelevant.linear.estimators.splitting import check_folds, check_groups
from allrelevant.linear.fit.analysis import Analysis, analyse
from allrelevant.linear.fit.choosing import Rule, Scoring
from allrelevant.linear.fit.folds import GivenFolds
from allrelevant.linear.fit.plan import Plan
from allrelevant.linear.fit.sample import Sample, arranged, merged, with_class_weights
from allrelevant.linear.fit.tolerance import Tolerance
from allrelevant.linear.models import LinearModel
from allrelevant.linear.questions import (
    ConstraintQuestions,
    EquivalentModelQuestions,
    StabilityQuestion,
)
from allrelevant.linear.questions.column_groups import check_column_groups
from allrelevant.results.opening import open_view
from allrelevant.results.relevance import RelevanceResult

ColumnGroups = Mapping[str, Sequence[Any]] | None
Budget = Literal["auto", "split", "joint"]


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
    _folds: int | GivenFolds

    def __init__(
        self,
        *,
        C: float | Literal["cv"],
        cv: Any,
        rule: Rule | Literal["auto"],
        scoring: Any,
        tolerance: Tolerance,
        budget: Budget,
        n_probes: int | Literal["auto"],
        probes: Literal["append", "replace"],
        fdr: float | None,
        confidence: float | None,
        standardize: bool,
        select: Literal["relevant", "strong"],
        column_groups: ColumnGroups,
        n_jobs: int | None,
        random_state: Any,
        verbose: int,
    ) -> None:
        self.C = C
        self.cv = cv
        self.rule = rule
        self.scoring = scoring
        self.tolerance = tolerance
        self.budget = budget
        self.n_probes = n_probes
        self.probes = probes
        self.fdr = fdr
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

    @abstractmethod
    def _decode(self, codes: Floats) -> np.ndarray:
        """Targets as they were given, from their codes."""

    def _variants_for(self, sample: Sample) -> list[LinearModel]:
        """Those of them to choose from for this sample."""
        return self._variants()

    def _balanced(self, sample: Sample) -> Sample | None:
        """The sample with classes of the same weight, where it has others by the user's wish."""
        words = ("auto", "balanced")
        if not hasattr(self, "classes_") or any(is_word(self.class_weight, w) for w in words):
            return None
        factors = class_factors("balanced", self.classes_, sample.target, sample.count, 1.0)
        return with_class_weights(sample, factors)

    def _weigh(self, sample: Sample) -> Sample:
        """Apply class weights."""
        if self.class_weight is None:
            return sample
        power = self._variants()[0].class_power
        factors = class_factors(
            self.class_weight, self.classes_, sample.target, sample.count, power
        )
        return with_class_weights(sample, factors)

    # Fitting

    @with_callbacks
    def fit(self, X: Any, y: Any, *, sample_weight: Any = None, groups: Any = None) -> Self:
        """Find the relevance interval and the class of every feature.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers; a pandas or polars data frame gives the features their names.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight 2 is the same as the row given twice.
        groups : array-like of shape (n_samples,), optional
            Which rows belong together: those of one patient, site or family. They are tested
            together, permuted together, and count as one observation where errors are estimated.

        Returns
        -------
        self
        """
        return self._fit_wholly(X, y, sample_weight, groups)

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, groups: Any = None, X_privileged: Any = None
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
        group = check_groups(groups, len(table))
        has_classes = self._variants()[0].has_classes
        self._folds = check_folds(self.cv, table, y, groups, has_classes=has_classes)
        source = None if isinstance(self._folds, int) else np.flatnonzero(kept)
        group = None if group is None else group[kept]
        distinct = merged(table[kept], target, count[kept], privileged, group, source)
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
        plan = self._plan(sample)
        analysis = analyse(
            self._variants_for(sample),
            sample,
            plan,
            every,
            random,
            progress,
            self._balanced(sample),
        )
        self._store(analysis, scaling, names)
        self._caution(analysis, sample)
        self._store_column_groups(groups, analysis, random, progress)

    def _check_parameters(self) -> None:
        if not is_word(self.C, "cv"):
            check_number("C", self.C, low=0.0, closed=False, also=("'cv'",))
        check_choice("rule", self.rule, ("auto", "paired", "best", "one-se"))
        self._check_scoring()
        if not any(is_word(self.tolerance, word) for word in ("auto", "bootstrap")):
            given: Any = self.tolerance
            others = ("'auto'", "'bootstrap'", "a pair (norm, loss)")
            for part in given if np.shape(given) == (2,) else (given,):
                check_number("tolerance", part, low=0.0, also=others)
        check_choice("budget", self.budget, ("auto", "split", "joint"))
        if not is_word(self.n_probes, "auto"):
            check_number("n_probes", self.n_probes, low=2, whole=True, also=("'auto'",))
        check_choice("probes", self.probes, ("append", "replace"))
        for name in ("fdr", "confidence"):
            value = getattr(self, name)
            low = 0.0 if name == "fdr" else 0.5
            if value is not None:
                check_number(name, value, low=low, high=1.0, closed=False, also=("None",))
        check_choice("standardize", self.standardize, (True, False))
        self._check_common_parameters()

    def _check_scoring(self) -> None:
        if self.scoring is None or callable(self.scoring):
            return
        if not isinstance(self.scoring, str):
            raise ValueError(
                "scoring must be None, 'loss', 'score', the name of one of scikit-learn's scorers, "
                f"or a function of (estimator, X, y), got {self.scoring!r}."
            )
        if self.scoring not in OWN:
            get_scorer(self.scoring)  # says which there are

    def _plan(self, sample: Sample) -> Plan:
        tolerance: Any = self.tolerance
        if not isinstance(tolerance, str):
            parts = np.broadcast_to(np.asarray(tolerance, dtype=float), 2)
            tolerance = (float(parts[0]), float(parts[1]))
        # Only the joint budget makes a confidence set of the bootstrap's tolerance.
        usual: Literal["split", "joint"] = "joint" if tolerance == "bootstrap" else "split"
        return Plan(
            C=None if is_word(self.C, "cv") else float(self.C),
            cv=self._folds,
            rule=None if self.rule == "auto" else self.rule,
            scoring=self._scoring_of(sample),
            tolerance=tolerance,
            budget=usual if self.budget == "auto" else self.budget,
            n_probes=None if is_word(self.n_probes, "auto") else int(self.n_probes),
            probes=self.probes,
            confidence=None if self.confidence is None else float(self.confidence),
            fdr=None if self.fdr is None else float(self.fdr),
            n_jobs=self.n_jobs,
        )

    def _scoring_of(self, sample: Sample) -> Scoring | None:
        if self.scoring is None or self.scoring in OWN:
            return self.scoring
        return FoldScorer(self.scoring, sample, self._decode, getattr(self, "classes_", None))

    def _store(self, analysis: Analysis, scaling: Scaling, names: list[str]) -> None:
        baseline = analysis.baseline
        self._analysis = analysis  # what stability asks of the fit
        self.C_ = baseline.C
        self.tolerance_ = analysis.tolerance
        self.model_ = analysis.choice.model
        self.intervals_ = analysis.intervals
        self.signed_intervals_ = analysis.signed_intervals
        classes = analysis.classes
        self.relevance_classes_ = classes.values
        self.p_values_, self.q_values_ = classes.p_values, classes.q_values
        self.borderline_ = classes.borderline
        self.offset_shift_ = analysis.shift
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
            thresholds=classes.thresholds,
            noise_thresholds=classes.upper,
            p_values=classes.p_values,
            q_values=classes.q_values,
            borderline=classes.borderline,
            probes=classes.probes,
            baseline=analysis.quality(),
            settings=self.get_params(deep=False),
            versions=package_versions(),
            counts={
                "lps_solved": analysis.found.solved,
                "lps_skipped": analysis.found.skipped,
                "probes_usable": len(classes.probes),
            },
            warnings=tuple(analysis.found.warnings),
            **self._store_privileged(analysis),
        )
        self.support_ = self._get_support_mask()

    def _caution(self, analysis: Analysis, sample: Sample) -> None:
        """Warn where nearly all samples are predicted to be of one class, and are not."""
        if not hasattr(self, "classes_") or analysis.models is None:
            return
        scores = sample.X @ analysis.baseline.weights[: sample.X.shape[1]]
        offsets = self.model_.shifted(analysis.baseline.offsets, analysis.shift)
        warning = lopsided(
            self.model_.predict(scores, offsets),
            sample.target,
            sample.count,
            self.classes_.tolist(),
            is_balanced=is_word(self.class_weight, "balanced"),
            is_shifted=analysis.plan.for_accuracy,
        )
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
            As in :func:`allrelevant.views.explorer.explore`.
        """
        return open_view("explorer", self, X, **kwargs)

    def _table(self, X: Any) -> Floats:
        """Check data to predict for."""
        check_is_fitted(self)
        return check_table(self, X, reset=False)


def is_word(value: Any, word: str) -> bool:
    """Whether a parameter that may be an array is this word."""
    return isinstance(value, str) and value == word
