"""A filter that removes only what is certainly irrelevant."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.errors import warn_user
from allrelevant.base.progress import Progress, with_callbacks
from allrelevant.base.selector import FitsWholly
from allrelevant.base.validation import check_given, check_number, check_running, check_table
from allrelevant.linear.estimators.base import RelevanceEstimator
from allrelevant.linear.estimators.classification import RelevanceClassifier
from allrelevant.linear.estimators.regression import RelevanceRegressor
from allrelevant.tabular.categories import Categories

_MOST_CLASSES = 10  # a target of more whole numbers is taken for numbers

NOTHING = (
    "the best model uses no feature, so nothing can be proven about any: RelevanceFilter keeps all "
    "of them"
)


class RelevanceFilter(FitsWholly, SelectorMixin, BaseEstimator):
    """Keep every feature that some good linear model may use; remove what none of them can.

    A feature is removed only if we know a good model that does without it, and it is proven that no
    good model gives it more than `threshold` of the weight, whatever the other features do. So what
    all good models need is never removed. No noise is drawn and no test is made; what is left still
    contains noise. It takes a fraction of the time of a fit: one proof settles many features.

    Parameters
    ----------
    estimator : RelevanceClassifier, RelevanceRegressor or a relative, optional
        Says which models are good: target, C, tolerance, baseline, categories. By default a
        :class:`RelevanceClassifier` if y has classes (up to 10 whole numbers, or words), and
        otherwise a :class:`RelevanceRegressor`. Its probes are not used.
    threshold : float, default=0.05
        The largest share of the baseline's ℓ1 norm that a removed feature has in any good model.
    verbose : int, default=0
        1 writes progress to standard error.

    Attributes
    ----------
    support_ : array of bool of shape (n_columns,)
        Which columns are kept; those of one feature are kept together.
    features_ : dict of str to bool
        The same by feature.
    estimator_ : estimator
        The estimator that was asked; it is not fitted.
    n_solved_, n_spared_ : int
        How many linear programs were solved, and how many other proofs made unnecessary.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from allrelevant import RelevanceFilter
    >>> from allrelevant.datasets import make_regression
    >>> X, y, truth = make_regression(200, n_strong=2, n_weak=2, n_irrelevant=26, random_state=0)
    >>> kept = RelevanceFilter().fit(X, y).get_support()
    >>> bool(kept[truth > 0].all()), int(kept.sum()) < 30
    (True, True)
    """

    def __init__(self, estimator: Any = None, *, threshold: float = 0.05, verbose: int = 0) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    @with_callbacks
    def fit(self, X: Any, y: Any, *, sample_weight: Any = None, groups: Any = None) -> Self:
        """Find out which features no good model can use.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Categories of a data frame become one column for each level.
        y : array-like of shape (n_samples,)
        sample_weight, groups : array-like of shape (n_samples,), optional
            As in :meth:`RelevanceClassifier.fit`.

        Returns
        -------
        self
        """
        return self._fit_wholly(X, y, sample_weight, groups)

    def transform(self, X: Any) -> Any:
        """Reduce X to the columns that are kept; categories are coded as in `fit`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_kept), or a sparse matrix where X is one
        """
        check_is_fitted(self)
        return super().transform(self.categories_.code(X))

    def _check_parameters(self) -> None:
        check_number("threshold", self.threshold, low=0.0, high=1.0, closed=False)
        check_running(None, self.verbose, None)
        known = self.estimator
        if known is not None and not isinstance(known, RelevanceEstimator):
            raise TypeError(
                "estimator must be a linear relevance estimator of this library, such as "
                f"RelevanceClassifier(), got {known!r}. For models around one of your own give "
                "RelevanceClassifier(baseline=...)."
            )
        if getattr(known, "basis", None) is not None:
            raise ValueError(
                "RelevanceFilter keeps or removes columns as they are: leave the parameter basis "
                "out, and fit curves to what is left."
            )
        if getattr(known, "privileged", None) is not None:
            raise ValueError(
                "RelevanceFilter has no privileged features: leave the parameter privileged out, "
                "and filter the other columns."
            )

    def _prepare(self, X: Any, y: Any, *others: Any) -> tuple[Any, ...]:
        check_given(self, y)
        self.categories_ = Categories.of(X)
        check_table(self, self.categories_.code(X), sparse=True)
        self.estimator_ = _usual(y) if self.estimator is None else clone(self.estimator)
        return X, y, *others

    def _analyse(self, X: Any, y: Any, weight: Any, groups: Any, progress: Progress) -> None:
        passed, features = self.estimator_.passing(
            X, y, self.threshold, weight, groups, progress=progress
        )
        if passed.is_open:
            warn_user(NOTHING)
        self.features_ = dict(zip(features.names, passed.features.tolist(), strict=True))
        self.support_ = passed.features[features.owner]
        self.n_solved_, self.n_spared_ = passed.solved, passed.skipped

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "support_")
        return self.support_


def _usual(y: Any) -> RelevanceEstimator:
    """The estimator for a target of which nothing is said."""
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    is_number = kind.startswith("continuous") or (
        kind == "multiclass"
        and np.asarray(y).dtype.kind in "iuf"
        and len(np.unique(np.asarray(y))) > _MOST_CLASSES
    )
    return RelevanceRegressor() if is_number else RelevanceClassifier()
