"""Other ways to learn ordered classes from few labels, each tuned by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mord
import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ParameterGrid
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.svm import SVC

from benchmarks.ordinal_data import Split, label_folds

Make = Callable[..., Any]
STRENGTHS = [0.01, 0.1, 1.0, 10.0, 100.0]


def tuned(make: Make, grid: dict[str, list[Any]], split: Split, semi: bool) -> np.ndarray:
    """Predictions for the test rows, with the parameters of least mean absolute error."""
    X, y = split.X, split.y
    scaler = StandardScaler().fit(X)  # by all rows, as the estimator under test does
    X, X_test = scaler.transform(X), scaler.transform(split.X_test)
    if not semi:
        X, y = X[y != -1], y[y != -1]
    folds = list(label_folds(y))
    candidates = list(ParameterGrid(grid))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", FutureWarning)
        errors = [_error(make, candidate, X, y, folds) for candidate in candidates]
        best = candidates[int(np.argmin(errors))]
        return np.asarray(make(**best).fit(X, y).predict(X_test))


def _error(make: Make, candidate: dict[str, Any], X: Any, y: Any, folds: Any) -> float:
    errors = []
    for train, test in folds:
        predicted = make(**candidate).fit(X[train], y[train]).predict(X[test])
        errors.append(np.abs(predicted - y[test]).mean())
    return float(np.mean(errors)) if errors else 0.0


def svc(split: Split) -> np.ndarray:
    """Support vector classifier with a Gaussian kernel."""
    d = split.X.shape[1]
    grid = {"C": STRENGTHS, "gamma": [f / d for f in (0.1, 0.3, 1.0, 3.0)]}
    return tuned(SVC, grid, split, semi=False)


def logistic(split: Split) -> np.ndarray:
    """Multinomial logistic regression."""
    return tuned(_logistic, {"C": STRENGTHS}, split, semi=False)


def self_training(split: Split) -> np.ndarray:
    """Logistic regression that takes over its own confident predictions."""

    def make(C: float, threshold: float) -> SelfTrainingClassifier:
        return SelfTrainingClassifier(_logistic(C), threshold=threshold, max_iter=5)

    return tuned(make, {"C": [0.1, 1.0, 10.0], "threshold": [0.75, 0.9]}, split, semi=True)


def spreading(split: Split) -> np.ndarray:
    """scikit-learn's label spreading, with a Gaussian kernel or a graph of neighbours."""
    d = split.X.shape[1]
    kernels: list[dict[str, Any]] = [{"kernel": "rbf", "gamma": f / d} for f in (1.0, 3.0, 10.0)]
    kernels.append({"kernel": "knn", "n_neighbors": 7})

    def make(alpha: float, kernel: dict[str, Any]) -> LabelSpreading:
        return LabelSpreading(alpha=alpha, max_iter=30, **kernel)

    return tuned(make, {"alpha": [0.2, 0.8], "kernel": kernels}, split, semi=True)


def all_threshold(split: Split) -> np.ndarray:
    """The linear all-threshold logit of mord."""

    def make(alpha: float) -> Any:
        return _Mord(alpha)

    return tuned(make, {"alpha": [0.0, *STRENGTHS]}, split, semi=False)


class _Mord:
    """mord wants classes 0 … K−1."""

    def __init__(self, alpha: float) -> None:
        self.model = mord.LogisticAT(alpha=alpha)

    def fit(self, X: np.ndarray, y: np.ndarray) -> _Mord:
        self.classes, codes = np.unique(y, return_inverse=True)
        self.model.fit(X, codes)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.classes[self.model.predict(X)])


def _logistic(C: float) -> Any:
    return LogisticRegression(C=C, max_iter=300)


RIVALS: dict[str, Callable[[Split], np.ndarray]] = {
    "RBF SVC": svc,
    "logistic regression": logistic,
    "self-training": self_training,
    "label spreading": spreading,
    "mord.LogisticAT": all_threshold,
}
