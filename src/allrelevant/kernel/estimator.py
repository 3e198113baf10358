"""The scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils import Tags, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from allrelevant.base.arrays import Floats
from allrelevant.base.margins import interval_margins
from allrelevant.base.progress import Progress, with_callbacks
from allrelevant.base.selector import FitsWholly
from allrelevant.base.validation import check_given, check_size, check_table, column_names
from allrelevant.data import matrix_of
from allrelevant.data.scaling import Scaling
from allrelevant.kernel.learning import KernelPlan, Learned, Number, learn
from allrelevant.kernel.parameters import check_parameters
from allrelevant.kernel.presets import HasPresets
from allrelevant.kernel.selection import as_table
from allrelevant.kernel.target import encode_partly, named_order, rank_score


def _has_probabilities(estimator: OrdinalKernelClassifier) -> bool:
    if estimator.thresholds != "logistic":
        raise AttributeError(
            'predict_proba needs thresholds="logistic": midpoints know no probabilities.'
        )
    return True


@dataclass(kw_only=True, eq=False, repr=False)
class OrdinalKernelClassifier(
    FitsWholly,
    HasPresets,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """Ordered classes from few labels: a kernel discriminant that is smooth over unlabelled rows.

    Finds a function that puts the classes in their order: its values are far apart for different
    classes, close together within a class, and change little between neighbouring rows, labelled
    or not. Thresholds on its value tell the classes apart. Rows with ``y == -1`` (or NaN, None) are
    unlabelled.

    You can give every number below, have it chosen by cross-validation among the usual candidates
    (``"cv"``), or have it chosen among candidates of your own (a sequence). If candidates do
    equally well, the first one is taken.

    Parameters
    ----------
    graph : {"input", "kernel", "reduced"} or None, default="input"
        Where neighbours are looked for: among the columns, in the kernel's feature space, or in its
        leading dimensions. None leaves unlabelled rows aside (unless `weights` uses them).
    weights : {"propagation"} or None, default=None
        Whether labels are first spread over the unlabelled rows, which then count in the means and
        scatters of the classes as far as they belong to them.
    kernel_learning : bool or "semi", default=False
        Whether each column gets a width of its own, by kernel-target alignment with the labels;
        "semi" then refines them with the neighbours of unlabelled rows, which does not always help.
        `gamma` is where the search begins.
    gamma : float, sequence or "cv", default="cv"
        Width of the kernel ``exp(−γ‖x − z‖²)``. "cv": 0.03, 0.1, 0.3, 1 and 3 divided by the
        number of columns that vary.
    ridge : float, sequence or "cv", default="cv"
        Penalty of the function's norm. "cv": powers of ten from 1e-5 to 1.
    mu : float, sequence or "cv", default="cv"
        Weight of smoothness over the graph. "cv": 0, 1, 10 and 100.
    n_neighbors : int, sequence or "cv", default=7
        Neighbours of a row in the graph; all others where there are fewer. "cv": 5, 7 and 10.
    rank : float, sequence or "cv", default=0.5
        Share of the dimensions that `graph="reduced"` looks at. "cv": 0.25, 0.5 and 0.75.
    separation : {"average", "smallest"}, default="average"
        Which gap between the means of neighbouring classes is to be large: their average, each
        counted by the labels on either side of it, or, as in the paper, the smallest one.
    penalty : {"scaled", "paper"}, default="scaled"
        "scaled" takes scatter per label, smoothness per link and the ridge on the function's norm,
        so that numbers mean the same for data of any size, and copies of a row as one node of the
        graph. "paper" takes sums, the ridge on the coefficients, and every copy as a node.
    thresholds : {"logistic", "midpoint"}, default="logistic"
        An ordinal logit on the projection, which also gives probabilities, or the midpoints between
        the means of neighbouring classes.
    solver : {"auto", "exact", "nystroem", "linear"}, default="auto"
        The kernel itself; `n_landmarks` rows to compare all others with; or no kernel. "auto" is
        "exact" up to 2000 distinct rows.
    n_landmarks : int, default=500
        Number of rows that the Nyström approximation compares all others with.
    standardize : bool, default=True
        Whether columns are brought to mean 0 and variance 1 first, by all rows.
    classes : sequence, optional
        The classes from lowest to highest. By default the order of an ordered categorical, else
        sorted labels.
    cv : int, default=5
        Number of folds. A fold hides labels; its rows stay in as unlabelled ones. The folds depend
        only on the data.
    n_repeats : int or "auto", default="auto"
        How often the labels are dealt into folds. "auto": until 90 have been hidden, but at most 6
        times; once with 90 labels or more. With few labels, one deal leaves much to chance.
    n_jobs : int, optional
        Number of processes that try widths, as in joblib.
    random_state : int, RandomState or None
        Draws the landmarks.
    verbose : int, default=0
        1 writes progress to standard error.

    Attributes
    ----------
    classes_ : array
        Classes with labelled rows, from lowest to highest.
    thresholds_ : array of shape (n_classes − 1,)
        Where the projection passes from one class to the next.
    gamma_, ridge_, mu_, n_neighbors_, rank_
        The values that were chosen; `gamma_` is an array if widths were learned.
    solver_ : str
        The solver that was used.
    multipliers_ : array of shape (n_classes − 1,)
        How much each pair of neighbouring classes has determined the direction; they sum to 1.
    transduction_ : array of shape (n_samples,)
        The label of each training row: as given, or predicted.
    cv_results_ : dict
        Candidates and their mean absolute errors; empty if there was nothing to choose.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    −1 always means unlabelled, as in `sklearn.semi_supervised`, with one exception: a target of −1
    and 1 alone is read as two classes, with a warning.

    Thresholds of an ordinal logit lie where half of the labels are above: :meth:`predict` gives the
    median class, which has the least expected absolute error, and is the most probable one.

    Examples
    --------
    >>> import numpy as np
    >>> from allrelevant import OrdinalKernelClassifier
    >>> from allrelevant.datasets import make_ordinal
    >>> X, truth, _ = make_ordinal(120, n_classes=3, random_state=0)
    >>> y = np.where(np.arange(120) % 4 == 0, truth, -1)  # one row in four has a label
    >>> model = OrdinalKernelClassifier().fit(X, y)
    >>> bool(model.score(X, truth) > 0.8)
    True
    """

    graph: Literal["input", "kernel", "reduced"] | None = "input"
    weights: Literal["propagation"] | None = None
    kernel_learning: bool | Literal["semi"] = False
    gamma: Number = "cv"
    ridge: Number = "cv"
    mu: Number = "cv"
    n_neighbors: int | Sequence[int] | Literal["cv"] = 7
    rank: Number = 0.5
    separation: Literal["average", "smallest"] = "average"
    penalty: Literal["scaled", "paper"] = "scaled"
    thresholds: Literal["logistic", "midpoint"] = "logistic"
    solver: Literal["auto", "exact", "nystroem", "linear"] = "auto"
    n_landmarks: int = 500
    standardize: bool = True
    classes: Sequence[Any] | None = None
    cv: int = 5
    n_repeats: int | Literal["auto"] = "auto"
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Classes without a linear order are not its business.
        tags.classifier_tags.poor_score = True
        return tags

    # Fitting

    @with_callbacks
    def fit(self, X: Any, y: Any) -> Self:
        """Learn the projection and its thresholds.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            All rows, labelled or not.
        y : array-like of shape (n_samples,)
            Labels; −1, NaN or None where there is none.
        """
        return self._fit_wholly(X, y)

    _check_parameters = check_parameters

    def _prepare(self, X: Any, y: Any) -> tuple[Any, ...]:
        check_given(self, y)
        table = check_table(self, X)
        if not self.standardize:
            advice = "leave standardize=True, or give other units"
            check_size(table, column_names(self, table.shape[1]), most=1e100, advice=advice)
        check_consistent_length(table, y)
        return table, y

    def _analyse(self, table: Floats, y: Any, progress: Progress) -> None:
        classes, rank = encode_partly(y, self.classes, type(self).__name__)
        # Kernel and means know differences only, but those of numbers near a million lose digits.
        ones = np.ones(len(table))
        self._scaling = Scaling.for_models(matrix_of(table), ones, standardize=self.standardize)
        scaled = self._scaling.apply(table)
        plan = KernelPlan(**{field.name: getattr(self, field.name) for field in fields(KernelPlan)})
        learned = learn(scaled, rank, plan, check_random_state(self.random_state), progress)
        self._store(learned, classes)
        self._order = named_order(y, self.classes)
        found = self._ranks(learned.fitted.projection(scaled))
        self.transduction_ = classes[np.where(rank >= 0, rank.astype(int), found)]

    def _store(self, learned: Learned, classes: np.ndarray) -> None:
        setting = learned.setting
        self.classes_ = classes
        self.gamma_ = learned.widths if setting.gamma is None else setting.gamma
        self.ridge_, self.mu_ = setting.ridge, setting.mu
        self.n_neighbors_, self.rank_ = setting.n_neighbors, setting.rank
        self.solver_ = learned.method.solver
        self.thresholds_ = learned.fitted.thresholds
        self.multipliers_ = learned.fitted.multipliers
        self.cv_results_ = as_table(learned.tried)
        self._n_features_out = 1
        self._fitted = learned.fitted

    # Predicting

    def _project(self, X: Any) -> Floats:
        check_is_fitted(self)
        table = check_table(self, X, reset=False)
        return self._fitted.projection(self._scaling.apply(table))

    def _ranks(self, projections: Floats) -> np.ndarray:
        return np.searchsorted(self.thresholds_, projections, side="left")

    def transform(self, X: Any) -> Floats:
        """The projection, as a single column."""
        return self._project(X)[:, None]

    def predict(self, X: Any) -> np.ndarray:
        """The class whose interval of the projection each row falls into."""
        ranks = self._ranks(self._project(X))
        return self.classes_[ranks]

    def decision_function(self, X: Any) -> Floats:
        """How far inside each class's interval the projection is; negative outside.

        With two classes the distance to the threshold, positive for ``classes_[1]``.
        """
        return interval_margins(self._project(X), self.thresholds_)

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Probability of each class; only with ``thresholds="logistic"``."""
        projections = self._project(X)
        return self._fitted.probabilities(projections)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """1 − MMAE/(K−1), with the macro-averaged mean absolute error in ranks.

        Unlabelled rows do not count. Classes that had no labelled row in :meth:`fit` count as
        errors, at their place in the order.
        """
        predicted = self.predict(X)
        order = self._order or named_order(y, None)
        return rank_score(y, predicted, self.classes_, order, sample_weight)
