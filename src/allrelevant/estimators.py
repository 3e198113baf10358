"""The linear relevance estimators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import Tags

from allrelevant._estimator import RelevanceEstimator
from allrelevant._labels import class_factors, encode_classes, encode_ranks
from allrelevant._validation import check_choice, check_number, check_numbers
from allrelevant.analysis import Tolerance
from allrelevant.engine.pieces import Floats
from allrelevant.metrics import macro_mean_absolute_rank_error
from allrelevant.models import Classification, LinearModel, Ordinal, Regression, RejectOption
from allrelevant.sample import Sample, with_class_weights

__all__ = [
    "OrdinalRelevanceClassifier",
    "RejectOptionRelevanceClassifier",
    "RelevanceClassifier",
    "RelevanceRegressor",
]

ClassWeight = Mapping[Any, float] | Literal["balanced"] | None
_EPSILONS = (0.0, 0.1, 0.3)


class RelevanceClassifier(ClassifierMixin, RelevanceEstimator):
    """Relevance intervals and classes of features for binary classification.

    Looks at all linear classifiers that fit as well, and are as simple, as the best
    L1-regularised one, and finds the smallest and the largest weight every feature has in any of
    them.

    Parameters
    ----------
    C : float or "cv", default="cv"
        Factor of the loss in the baseline ``‖w‖₁ + C·loss``; "cv" chooses the sparsest one whose
        cross-validated error is within one standard error of the best.
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
        tolerance: Tolerance = "auto",
        budget: Literal["split", "joint"] = "split",
        n_probes: int = 50,
        probes: Literal["append", "replace"] = "append",
        confidence: float = 0.999,
        standardize: bool = True,
        select: Literal["relevant", "strong"] = "relevant",
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.tolerance = tolerance
        self.budget = budget
        self.n_probes = n_probes
        self.probes = probes
        self.confidence = confidence
        self.standardize = standardize
        self.select = select
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _encode(self, y: Any, count: Floats) -> Floats:
        self.classes_, target = encode_classes(y, count > 0, type(self).__name__)
        return target

    def _weigh(self, sample: Sample) -> Sample:
        if self.class_weight is None:
            return sample
        factors = class_factors(self.class_weight, self.classes_, sample.target, sample.count)
        return with_class_weights(sample, factors)

    def _variants(self) -> list[LinearModel]:
        return [Classification()]

    def _store_model(self, coefficients: Floats, shift: float, offsets: Floats) -> None:
        self.coef_ = coefficients[None, :]
        self.intercept_ = offsets + shift

    def decision_function(self, X: Any) -> Floats:
        """Signed distance to the baseline's hyperplane, positive for ``classes_[1]``."""
        return self._table(X) @ self.coef_[0] + self.intercept_[0]

    def predict(self, X: Any) -> np.ndarray:
        """The baseline model's labels."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]


class RejectOptionRelevanceClassifier(RelevanceClassifier):
    """Relevance intervals and classes for binary classification that may decline to answer.

    Parameters
    ----------
    reject_cost : float, default=0.2
        The cost of a rejection where a wrong answer costs 1; between 0 and 0.5.
    reject_threshold : float, optional
        A sample is rejected where the absolute decision value is at most this. By default it is
        `reject_cost`, the rule printed in the paper on reject-option relevance; Bartlett and
        Wegkamp's analysis admits other values between 0 and 1.
    reject_label : default=None
        What :meth:`predict` gives for rejected samples; None gives every sample a label.
    C, tolerance, budget, n_probes, probes, confidence, standardize, select, class_weight, \
n_jobs, random_state, verbose
        As in :class:`RelevanceClassifier`, and so are the attributes.

    Examples
    --------
    >>> from allrelevant import RejectOptionRelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, _ = make_classification(100, noise=0.3, random_state=0)
    >>> model = RejectOptionRelevanceClassifier(reject_label=-1, random_state=0).fit(X, y)
    >>> bool((model.predict(X)[model.rejected(X)] == -1).all())
    True
    """

    def __init__(
        self,
        *,
        reject_cost: float = 0.2,
        reject_threshold: float | None = None,
        reject_label: Any = None,
        C: float | Literal["cv"] = "cv",
        tolerance: Tolerance = "auto",
        budget: Literal["split", "joint"] = "split",
        n_probes: int = 50,
        probes: Literal["append", "replace"] = "append",
        confidence: float = 0.999,
        standardize: bool = True,
        select: Literal["relevant", "strong"] = "relevant",
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            C=C,
            tolerance=tolerance,
            budget=budget,
            n_probes=n_probes,
            probes=probes,
            confidence=confidence,
            standardize=standardize,
            select=select,
            class_weight=class_weight,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.reject_cost = reject_cost
        self.reject_threshold = reject_threshold
        self.reject_label = reject_label

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("reject_cost", self.reject_cost, low=0.0, high=0.5, closed=False)
        if self.reject_threshold is not None:
            check_number("reject_threshold", self.reject_threshold, low=0.0)

    def _variants(self) -> list[LinearModel]:
        return [RejectOption(cost=float(self.reject_cost), threshold=self._threshold())]

    def _threshold(self) -> float:
        given = self.reject_threshold
        return float(self.reject_cost if given is None else given)

    def rejected(self, X: Any) -> np.ndarray:
        """Mask of the samples the baseline model declines to label."""
        return np.abs(self.decision_function(X)) <= self._threshold()

    def predict(self, X: Any) -> np.ndarray:
        """The baseline model's labels; `reject_label` for rejected samples where that is set."""
        labels = super().predict(X)
        if self.reject_label is None:
            return labels
        kind = np.result_type(labels, np.asarray(self.reject_label))
        labels = labels.astype(kind if kind.kind == labels.dtype.kind else object)
        labels[self.rejected(X)] = self.reject_label
        return labels

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """1 − mean cost: 1 for a wrong label, `reject_cost` for a rejection."""
        right = super().predict(X) == np.asarray(y)
        cost = np.where(self.rejected(X), self.reject_cost, 1.0 - right)
        return 1.0 - float(np.average(cost, weights=sample_weight))


class OrdinalRelevanceClassifier(ClassifierMixin, RelevanceEstimator):
    """Relevance intervals and classes of features for ordered classes.

    Parameters
    ----------
    order : {"explicit", "implicit"}, default="explicit"
        Whether each class is compared with its neighbouring thresholds, or every sample with
        every threshold.
    classes : sequence, optional
        The classes from lowest to highest. By default the order of an ordered categorical, else
        sorted labels.
    C, tolerance, budget, n_probes, probes, confidence, standardize, select, class_weight, \
n_jobs, random_state, verbose
        As in :class:`RelevanceClassifier`, and so are the attributes but for `intercept_`.

    Attributes
    ----------
    thresholds_ : array of shape (n_classes − 1,)
        Where the score ``X @ coef_`` passes from one class to the next, in ascending order.

    Examples
    --------
    >>> from allrelevant import OrdinalRelevanceClassifier
    >>> from allrelevant.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(
    ...     100, n_strong=1, n_weak=2, n_irrelevant=2, n_classes=3, random_state=0)
    >>> OrdinalRelevanceClassifier(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    def __init__(
        self,
        *,
        order: Literal["explicit", "implicit"] = "explicit",
        classes: Sequence[Any] | None = None,
        C: float | Literal["cv"] = "cv",
        tolerance: Tolerance = "auto",
        budget: Literal["split", "joint"] = "split",
        n_probes: int = 50,
        probes: Literal["append", "replace"] = "append",
        confidence: float = 0.999,
        standardize: bool = True,
        select: Literal["relevant", "strong"] = "relevant",
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.order = order
        self.classes = classes
        self.C = C
        self.tolerance = tolerance
        self.budget = budget
        self.n_probes = n_probes
        self.probes = probes
        self.confidence = confidence
        self.standardize = standardize
        self.select = select
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Classes without a linear order are not its business.
        tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("order", self.order, ("explicit", "implicit"))

    def _encode(self, y: Any, count: Floats) -> Floats:
        self.classes_, target = encode_ranks(y, count > 0, self.classes, type(self).__name__)
        return target

    def _weigh(self, sample: Sample) -> Sample:
        if self.class_weight is None:
            return sample
        factors = class_factors(self.class_weight, self.classes_, sample.target, sample.count)
        return with_class_weights(sample, factors)

    def _variants(self) -> list[LinearModel]:
        return [Ordinal(len(self.classes_), self.order)]

    def _store_model(self, coefficients: Floats, shift: float, offsets: Floats) -> None:
        self.coef_ = coefficients
        # Thresholds that meet can cross by a rounding error; they are reported in order.
        self.thresholds_ = np.maximum.accumulate(offsets) - shift

    def decision_function(self, X: Any) -> Floats:
        """How far inside each class's interval the score is; negative outside.

        With two classes the distance to the threshold, positive for ``classes_[1]``.
        """
        scores = self._table(X) @ self.coef_
        if len(self.thresholds_) == 1:
            return scores - self.thresholds_[0]
        distance = scores[:, None] - self.thresholds_
        n = len(scores)
        above = np.column_stack([np.full(n, np.inf), distance])
        below = np.column_stack([-distance, np.full(n, np.inf)])
        return np.minimum(above, below)

    def predict(self, X: Any) -> np.ndarray:
        """The baseline model's classes."""
        scores = self._table(X) @ self.coef_
        return self.classes_[np.searchsorted(self.thresholds_, scores, side="left")]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """1 − MMAE/(K−1), with the macro-averaged mean absolute error in ranks."""
        error = macro_mean_absolute_rank_error(
            y, self.predict(X), sample_weight=sample_weight, classes=self.classes_.tolist()
        )
        return 1.0 - float(error) / (len(self.classes_) - 1)


class RelevanceRegressor(RegressorMixin, RelevanceEstimator):
    """Relevance intervals and classes of features for regression.

    Parameters
    ----------
    epsilon : float or "cv", default="cv"
        Deviations up to this cost nothing, in standard deviations of the target (in its own units
        with ``standardize=False``).
    C, tolerance, budget, n_probes, probes, confidence, standardize, select, n_jobs, \
random_state, verbose
        As in :class:`RelevanceClassifier`, and so are the attributes. `standardize` standardises
        the target, too.

    Attributes
    ----------
    epsilon_ : float
        What was chosen.

    Examples
    --------
    >>> from allrelevant import RelevanceRegressor
    >>> from allrelevant.datasets import make_regression
    >>> X, y, truth = make_regression(
    ...     100, n_strong=1, n_weak=2, n_irrelevant=2, random_state=0)
    >>> RelevanceRegressor(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    def __init__(
        self,
        *,
        epsilon: float | Literal["cv"] = "cv",
        C: float | Literal["cv"] = "cv",
        tolerance: Tolerance = "auto",
        budget: Literal["split", "joint"] = "split",
        n_probes: int = 50,
        probes: Literal["append", "replace"] = "append",
        confidence: float = 0.999,
        standardize: bool = True,
        select: Literal["relevant", "strong"] = "relevant",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.epsilon = epsilon
        self.C = C
        self.tolerance = tolerance
        self.budget = budget
        self.n_probes = n_probes
        self.probes = probes
        self.confidence = confidence
        self.standardize = standardize
        self.select = select
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.epsilon != "cv":
            check_number("epsilon", self.epsilon, low=0.0, also=("'cv'",))

    def _encode(self, y: Any, count: Floats) -> Floats:
        target = check_numbers(y)
        if not np.isfinite(target).all():
            raise ValueError("Input y contains NaN or infinity: drop those samples first.")
        kept = count > 0
        target, share = target[kept], count[kept] / count.sum()
        self._target_centre, self._target_scale = 0.0, 1.0
        if self.standardize:
            self._target_centre = float(share @ target)
            spread = float(np.sqrt(share @ (target - self._target_centre) ** 2))
            self._target_scale = spread if spread > 1e-12 * np.abs(target).max() else 1.0
        return (target - self._target_centre) / self._target_scale

    def _variants(self) -> list[LinearModel]:
        epsilons = _EPSILONS if self.epsilon == "cv" else (float(self.epsilon),)
        return [Regression(epsilon) for epsilon in epsilons]

    def _store_model(self, coefficients: Floats, shift: float, offsets: Floats) -> None:
        assert isinstance(self.model_, Regression)
        self.epsilon_ = self.model_.epsilon
        self.coef_ = coefficients * self._target_scale
        self.intercept_ = float((offsets[0] + shift) * self._target_scale + self._target_centre)

    def predict(self, X: Any) -> Floats:
        """The baseline model's predictions."""
        return self._table(X) @ self.coef_ + self.intercept_
