"""What estimators do alike: fit wholly or not at all, and select."""

from __future__ import annotations

from abc import abstractmethod
from copy import copy
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.labels import ClassWeight
from allrelevant.base.progress import CallbackSupportMixin, progress_of
from allrelevant.base.three_classes import STRONG, WEAK
from allrelevant.base.validation import check_choice, check_running


class FitsWholly(CallbackSupportMixin):
    """Base of all estimators: a fit that fails leaves everything as it was."""

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise ValueError for parameters that make no sense."""

    @abstractmethod
    def _prepare(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Check the data; give what `_analyse` takes before the progress to tell."""

    @abstractmethod
    def _analyse(self, *args: Any, **kwargs: Any) -> None:
        """Find what is asked for and store it."""

    def _fit_wholly(self, *data: Any) -> Self:
        """Fit another object, and become it."""
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


class RelevanceSelector(FitsWholly, SelectorMixin, BaseEstimator):
    """Base of the linear and the non-linear relevance estimators."""

    select: Literal["relevant", "strong"]
    n_jobs: int | None
    random_state: Any
    verbose: int
    class_weight: ClassWeight = None  # a parameter of those that know classes
    classes_: np.ndarray
    relevance_classes_: np.ndarray

    def _check_common_parameters(self) -> None:
        check_choice("select", self.select, ("relevant", "strong"))
        check_running(self.n_jobs, self.verbose, self.random_state)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "relevance_classes_")
        least = STRONG if self.select == "strong" else WEAK
        return self.relevance_classes_ >= least
