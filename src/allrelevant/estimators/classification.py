"""Relevance for binary classification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from allrelevant.choosing import Rule
from allrelevant.engine.pieces import Floats
from allrelevant.estimators.base import (
    Budget,
    ClassWeight,
    ColumnGroups,
    RelevanceEstimator,
    is_word,
)
from allrelevant.estimators.labels import encode_classes
from allrelevant.estimators.privileged import PrivilegedRelevanceEstimator
from allrelevant.models import Classification, LinearModel
from allrelevant.plan import Plan
from allrelevant.sample import Sample
from allrelevant.tolerance import Tolerance


class BinaryRelevance(ClassifierMixin, RelevanceEstimator):
    """What the estimators for two classes have in common."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _encode(self, y: Any, count: Floats) -> Floats:
        self.classes_, target = encode_classes(y, count > 0, type(self).__name__)
        return target

    def _decode(self, codes: Floats) -> np.ndarray:
        return self.classes_[(codes > 0).astype(int)]

    def _plan(self, sample: Sample) -> Plan:
        # Weights that were asked for say where predictions should be, too.
        is_auto = is_word(self.class_weight, "auto") and len(np.unique(sample.weight)) > 1
        return replace(super()._plan(sample), for_accuracy=is_auto)

    def _store_model(self, coefficients: Floats, shift: float, offsets: Floats) -> None:
        self.coef_ = coefficients[None, :]
        self.intercept_ = offsets + shift + self.offset_shift_

    def decision_function(self, X: Any) -> Floats:
        """Signed distance to the baseline's hyperplane, positive for ``classes_[1]``."""
        return self._table(X) @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: Any) -> np.ndarray:
        """The baseline model's labels."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]


class RelevanceClassifier(BinaryRelevance, PrivilegedRelevanceEstimator):
    """Relevance intervals and classes of features for binary classification.

    Looks at all linear classifiers that fit as well, and are as simple, as the best
    L1-regularised one, and finds the smallest and the largest weight every feature has in any of
    them.

    Parameters
    ----------
    C : float or "cv", default="cv"
        Factor of the loss in the baseline ``‖w‖₁ + C·loss``; "cv" chooses the sparsest one whose
        cross-validated loss is within one standard error of the best.
    tolerance : "auto", float or (float, float), default="auto"
        How much more norm and loss than the baseline an equivalent model may have, relative to
        the baseline. "auto": one standard error of the baseline's loss, between 0.001 and 0.1.
        The papers use 0.001.
    budget : {"split", "joint"}, default="split"
        Whether norm and loss each have a limit, or their weighted sum has one.
    n_probes : int, default=50
        Number of permuted columns from which the noise thresholds are estimated.
    probes : {"append", "replace"}, default="append"
        Whether a probe stands beside the features or takes the place of the one it comes from.
    confidence : float, default=0.999
        Level of the prediction interval that noise has to leave to be taken for signal.
    standardize : bool, default=True
        Whether columns are brought to mean 0 and variance 1 first.
    select : {"relevant", "strong"}, default="relevant"
        Which features :meth:`transform` keeps.
    gamma : float or "cv", default="cv"
        Factor of the privileged weights' norm in the baseline, where there are privileged
        features; "cv" chooses it together with C.
    privileged : list of column names, optional
        Columns of a data frame X that are privileged: known in training only. Others can be given
        as ``fit(X, y, X_privileged=...)``.
    column_groups : mapping from str to list of columns, optional
        Columns, by name or position, that come from one thing, such as the levels of a category.
        Each group gets one interval as a whole, beside those of its columns.
    class_weight : None, "balanced" or mapping, default=None
        Weights of the classes in the loss.
    n_jobs : int, optional
        Number of processes, as in joblib.
    random_state : int, RandomState or None
        Seed of the probes. Folds are the same for the same data, whatever the seed.
    verbose : int, default=0
        1 writes progress to standard error.

    Attributes
    ----------
    intervals_ : array of shape (n_features, 2)
        Smallest and largest relevance, as shares of the baseline's ‖w‖₁.
    signed_intervals_ : array of shape (n_features, 2)
        Smallest and largest weight, as shares.
    relevance_classes_ : array of shape (n_features,)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    support_ : array of shape (n_features,)
        Mask of the selected features.
    coef_, intercept_ : array
        The baseline model, for the columns as they came.
    C_, tolerance_ : float, (float, float)
        What was chosen.
    privileged_intervals_, privileged_classes_, privileged_names_, gamma_
        The same of the privileged features, where there are some; relevances as shares of the
        norm of their weights.
    column_group_intervals_ : dict
        For each of the `column_groups` the smallest and the largest sum of its columns'
        relevances.
    result_ : RelevanceResult
        All of it, ready to be shown and stored.
    ranges_ : tuple of WeightRange
        For each feature both ends of its range with their witnesses, in the engine's units.
    equivalent_models_ : EquivalentModels or None
        The set of equivalent models; None where nothing could be learned.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     100, n_strong=1, n_weak=2, n_irrelevant=2, random_state=0)
    >>> RelevanceClassifier(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    def __init__(
        self,
        *,
        C: float | Literal["cv"] = "cv",
        cv: Any = 5,
        rule: Rule | Literal["auto"] = "auto",
        scoring: Any = None,
        tolerance: Tolerance = "auto",
        budget: Budget = "auto",
        n_probes: int | Literal["auto"] = "auto",
        probes: Literal["append", "replace"] = "append",
        fdr: float | None = 0.1,
        confidence: float | None = None,
        standardize: bool = True,
        select: Literal["relevant", "strong"] = "relevant",
        gamma: float | Literal["cv"] = "cv",
        privileged: Sequence[Any] | None = None,
        column_groups: ColumnGroups = None,
        class_weight: ClassWeight = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            gamma=gamma,
            privileged=privileged,
            C=C,
            cv=cv,
            rule=rule,
            scoring=scoring,
            tolerance=tolerance,
            budget=budget,
            n_probes=n_probes,
            probes=probes,
            fdr=fdr,
            confidence=confidence,
            standardize=standardize,
            select=select,
            column_groups=column_groups,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.class_weight = class_weight

    def _variants(self) -> list[LinearModel]:
        return [Classification()]
