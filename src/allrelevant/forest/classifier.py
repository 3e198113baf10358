"""Relevance of features to non-linear classifiers, of unordered or ordered classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if

from allrelevant.base.arrays import Floats
from allrelevant.base.labels import ClassWeight, encode_labels, encode_ranks
from allrelevant.base.metrics import macro_mean_absolute_rank_error
from allrelevant.base.validation import check_choice
from allrelevant.forest.base import ForestRelevanceEstimator
from allrelevant.forest.task import Task


@dataclass(kw_only=True, eq=False, repr=False)
class ForestRelevanceClassifier(ClassifierMixin, ForestRelevanceEstimator):
    """Relevance classes of features for classification, where the relation need not be linear.

    A feature is relevant if its importance exceeds that of shadow features (shuffled copies). It is
    strongly relevant if the held-out loss rises without the information that only this feature has,
    and weakly relevant if other features can replace it.

    Parameters
    ----------
    estimator : {"auto", "lightgbm", "forest", "linear", "products"} or estimator, default="auto"
        The learner. "auto" takes boosted trees (LightGBM if it is installed, else scikit-learn's
        histogram gradient boosting), unless another learner has a clearly smaller cross-validated
        loss: few trees, a random forest, a linear model, a linear model of powers and products of
        up to three columns ("products"), or trees on top of either. "forest" is scikit-learn's
        random forest; "auto" tries LightGBM's. An estimator should have `predict_proba`.
    method : {"contest", "squamish", "squamish-text"} or SquamishRecipe, default="contest"
        Our method, or the thesis's: Boruta, a minimal set by importance, and a comparison of
        training scores with prediction intervals. "squamish" is what the program published with
        the thesis does, "squamish-text" what the thesis says, and a `SquamishRecipe` anything
        between the two.
    ordinal : bool, default=False
        Whether the classes are ordered; the loss is then the squared error of their ranks.
    classes : sequence, optional
        The ordered classes from lowest to highest. By default the order of an ordered categorical,
        else sorted labels.
    alpha : float, default=0.05
        Level of the test of relevance, for all features together.
    alpha_strong : float, default=0.01
        Level of the test of strong relevance, for all features together.
    redundancy : float, default=0.9
        Rank correlation from which features count as near copies.
    max_blocks : int, default=4
        How many times, at most, four rounds are played for undecided features.
    select : {"relevant", "strong"}, default="relevant"
        Which features :meth:`transform` keeps.
    class_weight : None, "balanced" or mapping, default=None
        Weights of the classes in the loss.
    n_jobs : int, optional
        Number of processes, as in joblib; they are started if there is enough work.
        The result does not depend on it.
    random_state : int, RandomState or None
        Seed of splits, shuffles and learners.
    verbose : int, default=0
        1 writes progress to standard error.
    checkpoint : str or path, optional
        A file for finished work. A fit that was interrupted continues from there when the same
        estimator is fitted to the same data, and gives the same answer.
        `random_state` has to be a number.

    Attributes
    ----------
    relevance_classes_ : array of shape (n_features,)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    support_ : array of shape (n_features,)
        Mask of the selected features.
    tentative_ : array of shape (n_features,)
        Mask of irrelevant features that were close to being confirmed.
    intervals_ : array of shape (n_features, 2)
        What is lost without the feature when all others are there, 0 if these can stand in
        for it, and the most it brings in any test: rises of the held-out loss, where 1 is the loss
        of a constant prediction.
    importances_ : array of shape (n_features,)
        The rise when the feature is shuffled in the model of all features.
    threshold_ : float
        The median noise threshold; `result_.noise_thresholds` has that of each feature.
    p_values_ : array of shape (n_features, 2)
        Two for each feature: for being needed, and for being relevant.
    groups_ : tuple of SubstituteGroup
        Which weak features stand in for one another.
    learner_ : str
        The learner that was chosen.
    result_ : ForestRelevanceResult
        The whole result, ready to be shown and stored.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from allrelevant import ForestRelevanceClassifier
    >>> from allrelevant.datasets import make_nonlinear
    >>> X, y, truth = make_nonlinear(
    ...     400, kind="xor", n_strong=1, n_weak=2, n_irrelevant=2, n_groups=1, random_state=0)
    >>> ForestRelevanceClassifier(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    ordinal: bool = False
    classes: Sequence[Any] | None = None
    class_weight: ClassWeight = None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = bool(self.ordinal)
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("ordinal", self.ordinal, (True, False))
        if self.classes is not None and not self.ordinal:
            raise ValueError("classes gives an order: set ordinal=True, or leave it out.")

    def _encode(self, y: Any, count: Floats) -> tuple[Task, Floats]:
        name = type(self).__name__
        if self.ordinal:
            self.classes_, target = encode_ranks(y, count > 0, self.classes, name)
            return Task("ordinal", len(self.classes_)), target
        self.classes_, target = encode_labels(y, count > 0, name)
        return Task("classification", len(self.classes_)), target

    def predict(self, X: Any) -> np.ndarray:
        """The classes according to the model of the relevant features."""
        predicted = self._predicted(X)
        if self.ordinal:
            ranks = np.clip(np.rint(predicted), 0, len(self.classes_) - 1)
            return self.classes_[ranks.astype(int)]
        return self.classes_[np.argmax(predicted, axis=1)]

    def _has_probabilities(self) -> bool:
        if self.ordinal:
            raise AttributeError("ordered classes are predicted by rank, without probabilities")
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, one column each; not for ordered classes."""
        return self._predicted(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy; for ordered classes 1 − MMAE/(K−1), from the mean error in ranks by class."""
        if not self.ordinal:
            return float(super().score(X, y, sample_weight))
        error = macro_mean_absolute_rank_error(
            y, self.predict(X), sample_weight=sample_weight, classes=self.classes_.tolist()
        )
        return 1.0 - float(error) / (len(self.classes_) - 1)
