"""What the estimators that take privileged features have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, Self

from allrelevant.base.arrays import Floats
from allrelevant.base.progress import with_callbacks
from allrelevant.base.validation import check_number
from allrelevant.linear.estimators.base import RelevanceEstimator, is_word
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.plan import Plan
from allrelevant.linear.fit.sample import Sample


class PrivilegedRelevanceEstimator(RelevanceEstimator):
    """A relevance estimator that can learn from features that exist in training only.

    Parameters
    ----------
    gamma : float or "cv"
        Factor of the privileged weights' norm in the baseline.
    privileged : sequence of column names, or None
        Columns of a data frame X that are privileged.
    common
        The parameters of every relevance estimator.
    """

    def __init__(
        self,
        *,
        gamma: float | Literal["cv"],
        privileged: Sequence[Any] | None,
        **common: Any,
    ) -> None:
        super().__init__(**common)
        self.gamma = gamma
        self.privileged = privileged

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
        X : array-like of shape (n_samples, n_features)
            Numbers; a pandas or polars data frame gives the features their names.
        y : array-like of shape (n_samples,)
            The target.
        X_privileged : array-like of shape (n_samples, n_privileged), optional
            Features that are known in training only. No prediction needs them; they explain which
            samples are hard.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight 2 is the same as the row given twice.
        groups : array-like of shape (n_samples,), optional
            Which rows belong together: those of one patient, site or family. They are tested
            together, permuted together, and count as one observation where errors are estimated.

        Returns
        -------
        self
        """
        if self.privileged is not None:
            if X_privileged is not None:
                raise ValueError("Give either X_privileged or the parameter privileged, not both.")
            X, X_privileged = self._parted(X)
        if X_privileged is not None:
            self._check_can_have_privileged()
        return self._fit_wholly(X, y, sample_weight, groups, X_privileged)

    def _check_can_have_privileged(self) -> None:
        """Refuse privileged features where the model has no place for them."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not is_word(self.gamma, "cv"):
            check_number("gamma", self.gamma, low=0.0, closed=False, also=("'cv'",))

    def _plan(self, sample: Sample) -> Plan:
        gamma = None if is_word(self.gamma, "cv") else float(self.gamma)
        return replace(super()._plan(sample), gamma=gamma)

    # Privileged columns of a data frame

    def _parted(self, X: Any) -> tuple[Any, Any]:
        """The plain and the privileged columns of a data frame."""
        if isinstance(self.privileged, str):
            raise ValueError("privileged must be a list of column names, got a single string.")
        wanted = list(self.privileged or ())
        if not hasattr(X, "columns"):
            raise ValueError(
                "privileged names columns of a data frame, but X is none: pass the privileged "
                "features as fit(X, y, X_privileged=...) instead."
            )
        missing = [name for name in wanted if name not in list(X.columns)]
        if missing:
            raise ValueError(f"privileged must name columns of X; not among them: {missing}.")
        return self._plain(X), X[wanted] if wanted else None

    def _plain(self, X: Any) -> Any:
        """Data without the privileged columns, which predictions do without."""
        if self.privileged is None or not hasattr(X, "columns"):
            return X
        return X[[name for name in X.columns if name not in list(self.privileged)]]

    def _table(self, X: Any) -> Floats:
        return super()._table(self._plain(X))

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_selected)
        """
        return super().transform(self._plain(X))

    def _store_privileged(self, analysis: Analysis) -> dict[str, Any]:
        names = getattr(self, "privileged_names_", None)
        if names is None:
            return {}
        self.gamma_ = analysis.baseline.side_price
        self.privileged_intervals_ = analysis.privileged_intervals
        classes = analysis.privileged_classes
        self.privileged_classes_ = classes.values
        self.privileged_p_values_, self.privileged_q_values_ = classes.p_values, classes.q_values
        self.privileged_borderline_ = classes.borderline
        return {
            "privileged_names": tuple(names),
            "privileged_intervals": self.privileged_intervals_,
            "privileged_classes": self.privileged_classes_,
            "privileged_thresholds": classes.thresholds,
            "privileged_noise_thresholds": classes.upper,
            "privileged_p_values": classes.p_values,
            "privileged_q_values": classes.q_values,
            "privileged_borderline": classes.borderline,
            "privileged_probes": classes.probes,
        }
