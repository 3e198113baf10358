"""What the estimators that take privileged features have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from scipy.sparse import issparse

from allrelevant.base.known_columns import KnownColumns, without_columns
from allrelevant.base.progress import with_callbacks
from allrelevant.base.validation import check_number
from allrelevant.linear.estimators.base import RelevanceEstimator
from allrelevant.linear.estimators.given import is_given
from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.questions.fitted_set import FittedSet


@dataclass(kw_only=True, eq=False, repr=False)
class PrivilegedRelevanceEstimator(RelevanceEstimator):
    """A relevance estimator that can learn from features that exist in training only.

    Parameters
    ----------
    gamma : float or "cv"
        Factor of the privileged weights' norm in the baseline.
    privileged : sequence of column names, or None
        Columns of a data frame X that are privileged.
    """

    gamma: float | Literal["cv"] = "cv"
    privileged: Sequence[Any] | None = None

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        *,
        X_privileged: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Self:
        """Find the relevance interval and the class of every feature.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Numbers. A pandas or polars data frame gives the features their names. A category
            (declared as one, or text) is one feature, with a column for each level.
        y : array-like of shape (n_samples,)
            The target.
        X_privileged : array-like of shape (n_samples, n_privileged), optional
            Features that are known in training only. No prediction needs them; they explain which
            samples are hard.
        sample_weight : array-like of shape (n_samples,), optional
            Whole numbers say how often a row was observed: a row of weight 2 is the same as the row
            given twice. Other numbers say how much a row counts, relative to the others.
        groups : array-like of shape (n_samples,), optional
            Which rows belong together: those of one patient, site or family. They are tested
            together, permuted together, and count as one observation when errors are estimated.

        Returns
        -------
        self
        """
        if self.privileged is not None:
            if X_privileged is not None:
                raise ValueError("Give either X_privileged or the parameter privileged, not both.")
            X, X_privileged = self._parted(X)
        if X_privileged is not None:
            if is_given(self.baseline) or self.baseline != "l1":
                raise ValueError(
                    "Privileged features need baseline='l1': no other baseline has slack functions."
                )
            if issparse(X):
                raise ValueError(
                    "X is sparse, and slack functions of privileged features need all of its rows: "
                    "give X.toarray(), or leave out X_privileged."
                )
            self._check_can_have_privileged()
        return self._fit_wholly(X, y, sample_weight, groups, X_privileged)

    def _check_can_have_privileged(self) -> None:
        """Refuse privileged features where the model has no place for them."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not is_word(self.gamma, "cv"):
            check_number("gamma", self.gamma, low=0.0, closed=False, also=("'cv'",))

    # Privileged columns of a data frame

    def _parted(self, X: Any) -> tuple[Any, Any]:
        """The plain and the privileged columns of a data frame."""
        if isinstance(self.privileged, str):
            raise ValueError("privileged must be a list of column names, got a single string.")
        wanted = list(self.privileged or ())
        if not hasattr(X, "columns"):
            raise ValueError(
                "privileged names columns of a data frame, but X is not one: pass the privileged "
                "features as fit(X, y, X_privileged=...) instead."
            )
        missing = [name for name in wanted if name not in list(X.columns)]
        if missing:
            raise ValueError(f"privileged must name columns of X; not among them: {missing}.")
        return without_columns(X, wanted), X[wanted] if wanted else None

    def _known_columns(self) -> KnownColumns:
        return replace(super()._known_columns(), spared=self.privileged)

    def _store(self, fitted: FittedSet) -> None:
        super()._store(fitted)
        if not fitted.result.privileged_names:
            return
        compared = fitted.analysis.privileged
        classes = compared.classes
        self.gamma_ = fitted.analysis.baseline.side_price
        self.privileged_intervals_ = compared.intervals
        self.privileged_by_function_ = fitted.analysis.privileged_by_function
        self.privileged_classes_ = classes.values
        self.privileged_p_values_, self.privileged_q_values_ = classes.p_values, classes.q_values
        self.privileged_borderline_ = classes.borderline
