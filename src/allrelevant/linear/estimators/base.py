"""What all relevance estimators share: validate, analyse, store."""

from __future__ import annotations

import os
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from allrelevant.backends.checkpoint import kept_in
from allrelevant.backends.identity import check_checkpoint, identity_of, settings_of
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.errors import told
from allrelevant.base.features import Features
from allrelevant.base.progress import Progress, with_callbacks
from allrelevant.base.validation import check_given, check_weights
from allrelevant.data import Matrix, matrix_of
from allrelevant.data.dask_rows import is_dask
from allrelevant.data.mapped import in_passing
from allrelevant.data.outside import rows_of
from allrelevant.data.scaling import Scaling, are_levels, reference_levels
from allrelevant.linear.estimators.frames import ColumnGroups
from allrelevant.linear.estimators.given import Baseline, check_baseline, kind_of
from allrelevant.linear.estimators.lopsided import lopsided_baseline
from allrelevant.linear.estimators.outside import TakesOutside
from allrelevant.linear.estimators.parameters import check_parameters, is_word, plan_of
from allrelevant.linear.estimators.savable import Savable
from allrelevant.linear.estimators.scoring import scoring_of
from allrelevant.linear.estimators.splitting import check_folds, check_groups
from allrelevant.linear.fit.analyse import analyse
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.choosing import Rule, Scoring
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.baseline.tolerance import Tolerance
from allrelevant.linear.fit.cautions import heavy
from allrelevant.linear.fit.find_several import find_several
from allrelevant.linear.fit.passing import Passed, features_that_pass
from allrelevant.linear.fit.result import result_of
from allrelevant.linear.fit.rows.alike import rows_alike
from allrelevant.linear.fit.rows.folds import GivenFolds
from allrelevant.linear.fit.rows.sample import Sample, arranged, merged
from allrelevant.linear.models import LinearModel
from allrelevant.linear.models.decoders import Decoder
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.results.opening import open_view
from allrelevant.tabular.curves import Basis

Budget = Literal["auto", "split", "joint"]


@dataclass(kw_only=True, eq=False, repr=False)
class RelevanceEstimator(Savable, TakesOutside):
    """Base of the linear relevance estimators.

    A subclass encodes targets, names the models to choose from, and predicts. The fields are its
    parameters, described in :class:`~allrelevant.RelevanceClassifier`: as a dataclass it has an
    ``__init__`` that does nothing but assign them, with all of them in its signature.
    """

    baseline: Baseline = "l1"
    C: float | Literal["cv", "mean"] = "cv"
    cv: Any = 5
    rule: Rule | Literal["auto"] = "auto"
    scoring: Any = None
    tolerance: Tolerance = "auto"
    budget: Budget = "auto"
    n_probes: int | Literal["auto"] = "auto"
    probes: Literal["append", "replace"] = "append"
    fdr: float | None = 0.1
    confidence: float | None = None
    standardize: bool = True
    select: Literal["relevant", "strong"] = "relevant"
    basis: Basis | None = None
    column_groups: ColumnGroups = None
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0
    checkpoint: str | os.PathLike[str] | None = None

    # What a subclass adds

    def _variants_for(self, sample: Sample) -> list[LinearModel]:
        """The models to choose from for a sample; by default those that there are for all."""
        return self._variants()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # Fitting

    @with_callbacks
    def fit(self, X: Any, y: Any, *, sample_weight: Any = None, groups: Any = None) -> Self:
        """Find the relevance interval and the class of every feature.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The target.
        sample_weight, groups : array-like of shape (n_samples,), optional
            As in :meth:`RelevanceClassifier.fit`, as is X.

        Returns
        -------
        self
        """
        return self._fit_wholly(X, y, sample_weight, groups)

    def _prepare(
        self, X: Any, y: Any, sample_weight: Any, groups: Any = None, X_privileged: Any = None
    ) -> tuple[Sample, Scaling, Decoder, int | GivenFolds, list[str]]:
        """Check the data and put them into the form the engine wants."""
        check_given(self, y)
        rows = rows_of(X, y)
        if rows is not None:
            given = {"sample_weight": sample_weight, "groups": groups}
            return self._prepare_outside(rows, given | {"X_privileged": X_privileged})
        table = self._understood(X)
        check_consistent_length(table, y)
        count = check_weights(sample_weight, table)
        target, decoder = self._encode(y, count)
        table = self._with_curves(table, count)
        kept = count > 0
        privileged = None
        if X_privileged is not None:
            privileged = self._understood_privileged(X_privileged, table)[kept]
        group = check_groups(groups, table.shape[0])
        model = self._variants()[0]
        folds = check_folds(self.cv, table, y, groups, has_classes=model.has_classes)
        source = None if isinstance(folds, int) else np.flatnonzero(kept)
        group = None if group is None else group[kept]
        table = table if kept.all() else table[kept]
        distinct = merged(matrix_of(table), target, count[kept], privileged, group, source)
        scaling = self._scaling_of(distinct.X, distinct.count, self._belonging())
        if distinct.privileged is not None:
            together = self._belonging_privileged()
            own = self._scaling_of(matrix_of(distinct.privileged), distinct.count, together)
            self.privileged_references_ = own.references
            distinct = replace(distinct, privileged=own.apply(distinct.privileged))
        scaled = replace(distinct, X=scaling.of_matrix(in_passing(distinct.X)))
        sample = arranged(scaled, has_order=model.has_order)
        warnings = heavy(sample, int(kept.sum()))
        if groups is None and isinstance(folds, int):
            warnings += rows_alike(table, target, has_classes=model.has_classes)
        return self._weigh(sample), scaling, decoder, folds, warnings

    def _scaling_of(self, X: Matrix, count: Floats, together: list[Ints]) -> Scaling:
        scaling = Scaling.for_models(X, count, standardize=self.standardize)
        categories = [own for own in together if are_levels(X, own)]
        return scaling.with_references(reference_levels(X.pull(count), categories))

    def _analyse(
        self,
        sample: Sample,
        scaling: Scaling,
        decoder: Decoder,
        folds: int | GivenFolds,
        told: list[str],
        progress: Progress,
    ) -> None:
        privileged = self._privileged_features()
        every = [*self._columns(), *privileged.columns]
        features = self._features([*every, *privileged.names])
        features = replace(features, references=scaling.references)
        random = check_random_state(self.random_state)
        variants, plan = self._asked(sample, scaling, decoder, folds)
        together = tuple(c for j in sorted(features.by_norm) for c in features.places[j])
        blocks = tuple(features.places[j] for j in features.several)
        plan = replace(plan, judged_together=together, blocks=blocks)
        with kept_in(self.checkpoint, lambda: identity_of(self, sample, folds, every)):
            balanced = self._balanced(sample)
            analysis = analyse(
                variants, sample, plan, every, random, progress, balanced, privileged
            )
            warnings = [*told, *self._cautions(analysis, sample)]
            analysis, several = find_several(
                features, analysis, n_jobs=self.n_jobs, random=random, progress=progress
            )
        result = result_of(
            analysis,
            features,
            several,
            privileged,
            settings=settings_of(self),
            warnings=warnings,
        )
        columns = self._known_columns()
        parts = (analysis, features, several, result, columns, scaling, decoder, privileged)
        self._store(FittedSet(*parts))

    def _asked(
        self, sample: Sample, scaling: Scaling, decoder: Decoder, folds: int | GivenFolds
    ) -> tuple[list[LinearModel], Plan]:
        """The models to choose from, and how."""
        variants = self._variants_for(sample)
        classes = getattr(self, "classes_", None)
        scoring = scoring_of(self.scoring, variants[0], sample, decoder, classes)
        plan = self._plan(sample, folds, scoring)
        return variants, replace(plan, baseline=kind_of(self, scaling, decoder))

    def passing(
        self, X: Any, y: Any, threshold: float, *data: Any, progress: Progress
    ) -> tuple[Passed, Features]:
        """Which features can pass a threshold: what a `RelevanceFilter` asks instead of a fit."""
        self._check_parameters()
        return copy(self)._passing(threshold, progress, X, y, *data)

    def _passing(self, threshold: float, progress: Progress, *data: Any) -> tuple[Passed, Features]:
        sample, scaling, decoder, folds, _ = self._prepare(*data)
        features = self._features(())
        variants, plan = self._asked(sample, scaling, decoder, folds)
        found = features_that_pass(variants, sample, plan, features, threshold, progress)
        return found, features

    def _plan(self, sample: Sample, folds: int | GivenFolds, scoring: Scoring | None) -> Plan:
        """What the fit has to know beside data and model."""
        return plan_of(self, sample, folds, scoring)

    def _cautions(self, analysis: Analysis, sample: Sample) -> list[str]:
        """Warn where nearly all samples are predicted to be of one class, and are not."""
        if not hasattr(self, "classes_") or analysis.models is None:
            return []
        is_balanced = is_word(self._class_weight, "balanced")
        return told(lopsided_baseline(analysis, sample, self.classes_.tolist(), is_balanced))

    def _store(self, fitted: FittedSet) -> None:
        """Set what people read off a fit."""
        analysis, baseline = fitted.analysis, fitted.analysis.baseline
        classes = analysis.classes
        self.fitted_set_ = fitted
        self.C_ = baseline.C
        self.tolerance_ = analysis.tolerance
        self.model_ = fitted.model
        self.intervals_ = analysis.intervals
        self.relevance_classes_ = classes.values
        self.p_values_, self.q_values_ = classes.p_values, classes.q_values
        self.borderline_ = classes.borderline
        self.offset_scale_ = fitted.placing.scale
        self.offset_shift_ = fitted.placing.shift
        self.equivalent_models_ = fitted.models
        for name, value in fitted.parameters(baseline.weights, baseline.offsets).items():
            setattr(self, name, value)
        self.support_ = self._get_support_mask()

    def _check_parameters(self) -> None:
        check_baseline(self.baseline, getattr(self, "prefit", None))
        check_parameters(self)
        check_checkpoint(self.checkpoint, self.random_state)
        self._check_common_parameters()

    # Looking

    def predict(self, X: Any) -> Any:
        """The baseline model's predictions; for dask's data a dask array, computed lazily."""
        if is_dask(X):
            return self._lazily(X, self.predict)
        return self._decoder.predict(self, self._table(X))

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

    @property
    def _decoder(self) -> Decoder:
        check_is_fitted(self)
        return self.fitted_set_.decoder
