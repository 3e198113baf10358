"""How good a selection is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import mean_absolute_error, r2_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.peers.cases import Drawn

NAMES = ("F1", "false share", "power", "all found", "strong right", "score")


def measures(classes: np.ndarray, data: Drawn, task: str, *, has_strong: bool) -> list[float]:
    """What `NAMES` says; NaN where it has no meaning."""
    found, truth = classes > 0, data.truth
    false = float((found & (truth == 0)).sum() / max(found.sum(), 1))
    score = _score(found, data, task)
    if (truth < 0).any():
        return [np.nan, false, np.nan, np.nan, np.nan, score]
    both = (found & (truth > 0)).sum()
    f1 = float(2 * both / max(found.sum() + (truth > 0).sum(), 1))
    power = float(found[truth == 2].mean())
    strong = float((classes == 2)[truth == 2].mean()) if has_strong else np.nan
    return [f1, false, power, float(found[truth > 0].mean()), strong, score]


def _score(found: np.ndarray, data: Drawn, task: str) -> float:
    """How well a plain model of the selected columns predicts new rows.

    R² of a ridge regression, the AUC of a logistic one; of ordered classes, the share of the mean
    distance from the middle class that a ridge regression, rounded, makes good.
    """
    if not found.any():
        return 0.5 if task == "classification" else 0.0
    X, X_new = data.X[:, found], data.X_new[:, found]
    if task == "classification":
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        return float(roc_auc_score(data.y_new, model.fit(X, data.y).predict_proba(X_new)[:, 1]))
    model = make_pipeline(StandardScaler(), RidgeCV(np.geomspace(0.01, 1000, 11)))
    predicted = model.fit(X, data.y).predict(X_new)
    if task == "regression":
        return float(r2_score(data.y_new, predicted))
    codes = np.clip(np.rint(predicted), data.y.min(), data.y.max())
    middle = np.full(len(codes), np.median(data.y))
    errors = [mean_absolute_error(data.y_new, own) for own in (codes, middle)]
    return float(1.0 - errors[0] / errors[1])


def stability(selections: Sequence[np.ndarray]) -> float:
    """Nogueira's index of selections by halves of the rows; NaN where all or none is selected."""
    Z = np.array(selections, dtype=float)
    m, mean = len(Z), float(Z.mean())
    if m < 2 or mean in (0.0, 1.0):
        return np.nan
    spread = m / (m - 1) * Z.mean(axis=0) * (1.0 - Z.mean(axis=0))
    return float(1.0 - spread.mean() / (mean * (1.0 - mean)))
