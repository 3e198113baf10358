"""scikit-learn estimators of feature relevance in non-linear models."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from allrelevant.classes import STRONG, WEAK
from allrelevant.engine.pieces import Floats, Ints
from allrelevant.estimators.base import ClassWeight, package_versions
from allrelevant.estimators.labels import class_factors, encode_labels, encode_ranks
from allrelevant.estimators.validation import (
    check_choice,
    check_number,
    check_numbers,
    check_weights,
    column_names,
)
from allrelevant.forest.analysis import Findings, Plan, analyse, nothing_found
from allrelevant.forest.frames import categorical_mask, read_table
from allrelevant.forest.learners import WORDS, Model, constant, has_lightgbm
from allrelevant.forest.result import ForestRelevanceResult, SubstituteGroup
from allrelevant.forest.sample import Table, column_order, observations
from allrelevant.forest.squamish import squamish
from allrelevant.forest.task import Task
from allrelevant.metrics import macro_mean_absolute_rank_error
from allrelevant.progress import CallbackSupportMixin, Progress, progress_of, with_callbacks

_NO_SIGNAL = (
    "no learnable signal: no feature does better than shuffled ones, so every feature is "
    "irrelevant and predictions are constant. More samples may show more."
)
_FAR_OUT = 1.5  # interquartile ranges beyond which a target is an outlier


class ForestRelevanceEstimator(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """Base of the non-linear relevance estimators; see :class:`ForestRelevanceClassifier`."""

    class_weight: ClassWeight = None  # a parameter of those that know classes
    classes_: np.ndarray

    def __init__(
        self,
        *,
        estimator: Any,
        method: Literal["contest", "squamish"],
        alpha: float,
        alpha_strong: float,
        redundancy: float,
        max_blocks: int,
        select: Literal["relevant", "strong"],
        n_jobs: int | None,
        random_state: Any,
        verbose: int,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.alpha = alpha
        self.alpha_strong = alpha_strong
        self.redundancy = redundancy
        self.max_blocks = max_blocks
        self.select = select
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    @abstractmethod
    def _encode(self, y: Any, count: Floats) -> tuple[Task, Floats]:
        """Check the target, remember its labels, give the codes of rows that count."""

    # Fitting

    @with_callbacks
    def fit(self, X: Any, y: Any, *, sample_weight: Any = None) -> Self:
        """Find the relevance class of every feature.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers; NaN is a missing value. A pandas or polars data frame gives the features
            their names, and its categorical columns are taken as categories.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight 2 is the same as the row given twice.

        Returns
        -------
        self
        """
        self._check_parameters()
        # The fit is another object's until it is complete: a failing one leaves this as it was.
        fresh = copy(self)
        fresh._forget()
        progress = progress_of(self)
        fresh._fit(X, y, sample_weight, progress)
        progress.finish()
        self._forget()
        self.__dict__.update(vars(fresh))
        return self

    def _forget(self) -> None:
        """Drop all that a fit has left."""
        for name in [n for n in vars(self) if n.endswith("_") and not n.startswith("_")]:
            delattr(self, name)

    def _fit(self, X: Any, y: Any, sample_weight: Any, progress: Progress) -> None:
        table, kept = self._prepare(X, y, sample_weight)
        random = check_random_state(self.random_state)
        analysed = table
        if table.task.kind == "regression":
            analysed = replace(table, target=_without_outliers(table.target))
        learnable = len(kept) > 0 and bool(np.ptp(analysed.target) > 0)
        if not learnable:
            found = nothing_found(table)
        elif self.method == "squamish":
            found = squamish(analysed, random, self.n_jobs, progress)
        else:
            found = analyse(analysed, self._plan(), random, progress)
        self._store(found, table, kept)
        self._model, self._columns = self._final_model(found, table, kept)

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> tuple[Table, Ints]:
        """The table to analyse, and which columns of X it has."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None."
            )
        values, self._categories = read_table(self, X)
        check_consistent_length(values, y)
        count = check_weights(sample_weight, values)
        task, target = self._encode(y, count)
        full = np.zeros(len(values))
        full[count > 0] = target
        kept = _telling(values[count > 0])
        kept = kept[column_order(values[count > 0][:, kept])]
        mask = categorical_mask(self, values.shape[1], self._categories)
        table, count = observations(Table(values[:, kept], mask[kept], full, count, task), count)
        if self.class_weight is not None:
            factors = class_factors(self.class_weight, self.classes_, table.target, count)
            scale = np.array([factors[code] for code in table.target.tolist()])
            table = replace(table, weight=table.weight * scale)
        return table, kept

    def _check_parameters(self) -> None:
        if isinstance(self.estimator, str):
            check_choice("estimator", self.estimator, WORDS)
            if self.estimator == "lightgbm" and not has_lightgbm():
                raise ValueError(
                    "estimator='lightgbm' needs LightGBM, which is not installed: "
                    "pip install \"allrelevant[forest]\", or use estimator='auto'."
                )
        elif not (hasattr(self.estimator, "fit") and hasattr(self.estimator, "predict")):
            words = ", ".join(repr(word) for word in WORDS)
            raise ValueError(
                f"estimator must be one of {words} or a scikit-learn estimator with fit and "
                f"predict, got {self.estimator!r}."
            )
        check_choice("method", self.method, ("contest", "squamish"))
        check_number("alpha", self.alpha, low=0.0, high=1.0, closed=False)
        check_number("alpha_strong", self.alpha_strong, low=0.0, high=1.0, closed=False)
        check_number("redundancy", self.redundancy, low=0.0, high=1.0, closed=False)
        check_number("max_blocks", self.max_blocks, low=2, whole=True)
        check_choice("select", self.select, ("relevant", "strong"))
        if self.n_jobs is not None:
            check_number("n_jobs", self.n_jobs, whole=True, also=("None",))
            if self.n_jobs == 0:
                raise ValueError("n_jobs must not be 0: 1 is one process, -1 all processors.")
        check_number("verbose", self.verbose if self.verbose is not False else 0, low=0, whole=True)
        try:
            check_random_state(self.random_state)
        except ValueError as error:
            raise ValueError(
                f"random_state must be None, a seed or a RandomState, got {self.random_state!r}: "
                f"{error}"
            ) from None

    def _plan(self) -> Plan:
        return Plan(
            estimator=self.estimator,
            alpha=float(self.alpha),
            alpha_strong=float(self.alpha_strong),
            redundancy=float(self.redundancy),
            max_blocks=int(self.max_blocks),
            n_jobs=self.n_jobs,
        )

    def _store(self, found: Findings, table: Table, kept: Ints) -> None:
        d = self.n_features_in_
        names = column_names(self, d)

        def spread(values: Any, fill: Any) -> np.ndarray:
            full = np.full(d, fill)
            full[kept] = values
            return full

        self.relevance_classes_ = spread(found.classes, 0)
        self.tentative_ = spread(found.tentative, False)
        self.importances_ = spread(found.importances, 0.0)
        self.intervals_ = np.column_stack([spread(found.needed, 0.0), spread(found.usable, 0.0)])
        self.p_values_ = np.column_stack(
            [spread(found.p_values_strong, np.nan), spread(found.p_values, 1.0)]
        )
        self.threshold_ = found.threshold
        self.learner_ = found.learner_name
        self.groups_ = _named_groups(found, kept, names)
        notes = () if found.classes.any() else (_NO_SIGNAL,)
        for note in notes:
            warnings.warn(note, UserWarning, stacklevel=5)
        self.result_ = ForestRelevanceResult(
            task=table.task.kind,
            names=tuple(names),
            intervals=self.intervals_,
            classes=self.relevance_classes_,
            importances=self.importances_,
            thresholds=np.array([0.0, found.threshold]),
            p_values=self.p_values_,
            predictability=spread(found.r2, np.nan),
            tentative=tuple(names[j] for j in np.flatnonzero(self.tentative_)),
            groups=self.groups_,
            probes=np.column_stack([np.zeros(len(found.shadows)), found.shadows]),
            baseline={
                "score_name": f"share of the loss explained by {found.learner_name}",
                "score": 1.0 - found.loss,
            }
            if np.isfinite(found.loss)
            else {},
            settings=self.get_params(deep=False),
            versions=package_versions("lightgbm") if has_lightgbm() else package_versions(),
            counts={"fits": found.n_fits, "samples": table.n_samples},
            warnings=notes,
        )
        self.support_ = self._get_support_mask()

    def _final_model(self, found: Findings, table: Table, kept: Ints) -> tuple[Model, Ints]:
        """The model that predicts: the learner, on the relevant features."""
        relevant = np.flatnonzero(found.classes)
        inner = table.columns(relevant)
        if found.learner is None or not len(relevant):
            return constant(inner), kept[relevant]
        return found.learner(inner, 0), kept[relevant]

    # Using

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "relevance_classes_")
        least = STRONG if self.select == "strong" else WEAK
        return self.relevance_classes_ >= least

    def _predicted(self, X: Any) -> Floats:
        """What the final model says of checked data."""
        check_is_fitted(self)
        values, _ = read_table(self, X, self._categories)
        return self._model.predict(values[:, self._columns])


def _telling(X: Floats) -> Ints:
    """Columns with more than one value, a missing one being a value too."""
    return np.array([j for j, column in enumerate(X.T) if len(np.unique(column)) > 1], dtype=int)


def _named_groups(found: Findings, kept: Ints, names: list[str]) -> tuple[SubstituteGroup, ...]:
    result = []
    for group in found.groups:
        features = tuple(sorted(int(kept[j]) for j in group.features))
        members = tuple(names[j] for j in features)
        result.append(SubstituteGroup(members, features, group.rise, group.p_value))
    return tuple(sorted(result, key=lambda group: -group.importance))


class ForestRelevanceClassifier(ClassifierMixin, ForestRelevanceEstimator):
    """Relevance classes of features for classification, where no straight line need do.

    A feature is relevant if it beats shuffled copies of features for a place in a model. It is
    strongly relevant if the model's held-out loss rises when what only this feature knows is
    taken away, and weakly relevant if other features can stand in for it.

    Parameters
    ----------
    estimator : {"auto", "lightgbm", "forest", "linear"} or estimator, default="auto"
        The learner. "auto": boosted trees (LightGBM where installed, else scikit-learn's
        histogram gradient boosting), unless a linear model, or trees on top of one, has a clearly
        smaller cross-validated loss. "forest" is scikit-learn's random forest. An estimator should
        have `predict_proba`.
    method : {"contest", "squamish"}, default="contest"
        Our method, or the thesis's: Boruta, a minimal set by importance, and a comparison of
        training scores with prediction intervals.
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
        Rank correlation from which on features count as near copies.
    max_blocks : int, default=4
        How many times four rounds are played for features that are not decided.
    select : {"relevant", "strong"}, default="relevant"
        Which features :meth:`transform` keeps.
    class_weight : None, "balanced" or mapping, default=None
        Weights of the classes in the loss.
    n_jobs : int, optional
        Number of processes, as in joblib. The result does not depend on it.
    random_state : int, RandomState or None
        Seed of splits, shuffles and learners.
    verbose : int, default=0
        1 writes progress to standard error.

    Attributes
    ----------
    relevance_classes_ : array of shape (n_features,)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    support_ : array of shape (n_features,)
        Mask of the selected features.
    tentative_ : array of shape (n_features,)
        Mask of irrelevant features that were close to being confirmed.
    intervals_ : array of shape (n_features, 2)
        What is lost without the feature where all others are there, and what it brings in the
        view of the data that favours it most: rises of the held-out loss, as shares of the loss
        of a constant prediction.
    importances_ : array of shape (n_features,)
        The rise when the feature is shuffled in the model of all features.
    threshold_ : float
        The importance that noise can reach, in the view where it reaches least.
    p_values_ : array of shape (n_features, 2)
        Of being needed, and of being relevant.
    groups_ : tuple of SubstituteGroup
        Which weak features stand in for one another.
    learner_ : str
        The learner that was chosen.
    result_ : ForestRelevanceResult
        All of it, ready to be shown and stored.
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

    def __init__(
        self,
        *,
        estimator: Any = "auto",
        method: Literal["contest", "squamish"] = "contest",
        ordinal: bool = False,
        classes: Sequence[Any] | None = None,
        alpha: float = 0.05,
        alpha_strong: float = 0.01,
        redundancy: float = 0.9,
        max_blocks: int = 4,
        select: Literal["relevant", "strong"] = "relevant",
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.ordinal = ordinal
        self.classes = classes
        super().__init__(
            estimator=estimator,
            method=method,
            alpha=alpha,
            alpha_strong=alpha_strong,
            redundancy=redundancy,
            max_blocks=max_blocks,
            select=select,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.class_weight = class_weight

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = bool(self.ordinal)
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("ordinal", self.ordinal, (True, False))
        if self.classes is not None and not self.ordinal:
            raise ValueError("classes says an order: set ordinal=True, or leave it out.")

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


class ForestRelevanceRegressor(RegressorMixin, ForestRelevanceEstimator):
    """Relevance classes of features for regression, where no straight line need do.

    Parameters
    ----------
    estimator, method, alpha, alpha_strong, redundancy, max_blocks, select, n_jobs, \
random_state, verbose
        As in :class:`ForestRelevanceClassifier`, and so are the attributes but for `classes_`.

    Examples
    --------
    >>> from allrelevant import ForestRelevanceRegressor
    >>> from allrelevant.datasets import make_nonlinear
    >>> X, y, truth = make_nonlinear(
    ...     300, kind="copies", n_strong=2, n_weak=2, n_irrelevant=2, n_groups=1, n_classes=None,
    ...     random_state=0)
    >>> ForestRelevanceRegressor(random_state=0).fit(X, y).relevance_classes_
    array([2, 2, 1, 1, 0, 0])
    """

    def __init__(
        self,
        *,
        estimator: Any = "auto",
        method: Literal["contest", "squamish"] = "contest",
        alpha: float = 0.05,
        alpha_strong: float = 0.01,
        redundancy: float = 0.9,
        max_blocks: int = 4,
        select: Literal["relevant", "strong"] = "relevant",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            estimator=estimator,
            method=method,
            alpha=alpha,
            alpha_strong=alpha_strong,
            redundancy=redundancy,
            max_blocks=max_blocks,
            select=select,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )

    def _encode(self, y: Any, count: Floats) -> tuple[Task, Floats]:
        target = check_numbers(y)
        if not np.isfinite(target).all():
            raise ValueError("Input y contains NaN or infinity: drop those samples first.")
        target = target[count > 0]
        share = count[count > 0] / count.sum()
        self._centre = float(share @ target)
        spread = float(np.sqrt(share @ (target - self._centre) ** 2))
        self._scale = spread if spread > 1e-12 * np.abs(target).max(initial=0.0) else 1.0
        if self._scale != spread:
            target = np.full(len(target), self._centre)
        return Task("regression"), (target - self._centre) / self._scale

    def predict(self, X: Any) -> Floats:
        """The numbers according to the model of the relevant features."""
        return self._predicted(X) * self._scale + self._centre


def _without_outliers(target: Floats) -> Floats:
    """Bring outliers to the fence, lest a few samples decide every comparison of losses."""
    low, high = np.quantile(np.unique(target), [0.25, 0.75])
    if not high > low:
        return target
    return np.clip(target, low - _FAR_OUT * (high - low), high + _FAR_OUT * (high - low))
