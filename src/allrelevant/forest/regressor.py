"""Relevance of features to non-linear regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from allrelevant.base.arrays import Floats
from allrelevant.base.validation import check_numbers
from allrelevant.forest.base import ForestRelevanceEstimator
from allrelevant.forest.task import Task


class ForestRelevanceRegressor(RegressorMixin, ForestRelevanceEstimator):
    """Relevance classes of features for regression, where the relation need not be linear.

    Parameters
    ----------
    estimator, method, alpha, alpha_strong, redundancy, max_blocks, select, n_jobs, \
random_state, verbose, checkpoint
        As in :class:`ForestRelevanceClassifier`. The attributes are the same, except `classes_`.

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
        return self._in_units(self._predicted(X))

    def _in_units(self, predicted: Floats) -> Floats:
        return predicted * self._scale + self._centre
