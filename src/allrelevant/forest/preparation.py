"""Columns as linear models need them: no gaps, one scale, indicators of categories."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import RidgeCV
from sklearn.preprocessing import OneHotEncoder

from allrelevant.base.arrays import Floats, Mask


class Standardised(TransformerMixin, BaseEstimator):
    """Fills gaps with the median and scales.

    scikit-learn's own steps check their input at each call, which here takes longer than the work:
    an analysis makes hundreds of small calls.
    """

    def fit(self, X: Floats, y: Any = None) -> Self:
        """Learn medians, means and spreads; a column without values becomes 0."""
        known = ~np.isnan(X).all(axis=0)
        self._median = np.zeros(X.shape[1])
        self._median[known] = np.nanmedian(X[:, known], axis=0)
        filled = self._filled(X)
        self._mean = filled.mean(axis=0)
        spread = filled.std(axis=0)
        smallest = 10 * np.finfo(float).eps * np.abs(self._mean)
        self._spread = np.where(spread > smallest, spread, 1.0)
        return self

    def transform(self, X: Floats) -> Floats:
        """The scaled columns."""
        return (self._filled(X) - self._mean) / self._spread

    def _filled(self, X: Floats) -> Floats:
        return np.where(np.isnan(X), self._median, X)


def ridge(Z: Floats, z: Floats) -> tuple[Any, float]:
    """Ridge regression of a standardised column, and its R² with a penalty for the columns."""
    model = RidgeCV(np.logspace(-6, 2, 5)).fit(Z, z)
    error = float(np.sum((z - model.predict(Z)) ** 2))
    return model, 1.0 - error / max(1, len(Z) - Z.shape[1])


def preparation_of(categorical: Mask) -> Any:
    """Imputed, standardised numbers and indicators of categories."""
    if not categorical.any():
        return Standardised()
    return ColumnTransformer(
        [("n", Standardised(), ~categorical), ("c", indicators(), categorical)]
    )


def indicators() -> OneHotEncoder:
    """One column for every category; unknown ones are zeros."""
    return OneHotEncoder(handle_unknown="ignore", max_categories=20, sparse_output=False)
