"""What every relevance estimator does alike: fit wholly or not at all, and select."""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from allrelevant.classes import STRONG, WEAK
from allrelevant.estimators.validation import check_choice, check_number
from allrelevant.progress import CallbackSupportMixin, progress_of


class RelevanceSelector(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """Base of the linear and the non-linear relevance estimators."""

    select: Literal["relevant", "strong"]
    n_jobs: int | None
    random_state: Any
    verbose: int
    relevance_classes_: np.ndarray

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise ValueError for parameters that make no sense."""

    def _check_common_parameters(self) -> None:
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

    @abstractmethod
    def _prepare(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Check the data; give what `_analyse` takes before the progress to tell."""

    @abstractmethod
    def _analyse(self, *args: Any, **kwargs: Any) -> None:
        """Find the relevances and store them."""

    def _fit_wholly(self, *data: Any) -> Self:
        """Fit another object, and become it: a fit that fails leaves this as it was."""
        self._check_parameters()
        fresh = copy(self)
        fresh._forget()
        prepared = fresh._prepare(*data)
        progress = progress_of(self)
        fresh._analyse(*prepared, progress)
        progress.finish()
        self._forget()
        self.__dict__.update(vars(fresh))
        return self

    def _forget(self) -> None:
        """Drop all that a fit has left."""
        for name in [n for n in vars(self) if n.endswith("_") and not n.startswith("_")]:
            delattr(self, name)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "relevance_classes_")
        least = STRONG if self.select == "strong" else WEAK
        return self.relevance_classes_ >= least
