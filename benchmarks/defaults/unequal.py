"""Classes of unequal size: what is found, and how well is predicted, beside ℓ1-logistic."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import accuracy_score, balanced_accuracy_score, roc_auc_score
from sklearn.preprocessing import StandardScaler

from benchmarks.defaults.data import Data, Random, logit, random_of, two_clouds
from benchmarks.defaults.fits import Outcome, Setup, discoveries, fit
from benchmarks.defaults.page import Page, means_of

USUAL = 8
#: Rows and a generator. Effects and intercepts are such that the best AUC is 0.87 for the first
#: two designs and 0.72 for the weak ones.
DESIGNS: dict[str, tuple[int, Callable[[int, Random], Data]]] = {
    "logit, n = 400, 18 %": (400, lambda n, random: logit(n, 1.131, -2.397, random)),
    "logit, n = 400, 10 %": (400, lambda n, random: logit(n, 1.072, -3.278, random)),
    "logit, n = 600, weak, 28 %": (600, lambda n, random: logit(n, 0.509, -1.096, random)),
    "logit, n = 600, weak, 40 %": (600, lambda n, random: logit(n, 0.514, -0.474, random)),
    "Gaussian clouds, n = 400, 12 %": (
        400,
        lambda n, random: two_clouds(n, 0.12, 0.9, "Gaussian", random),
    ),
    "t3 clouds, n = 400, 20 %": (400, lambda n, random: two_clouds(n, 0.2, 0.9, "t3", random)),
    "log-normal clouds, n = 500, 8 %": (
        500,
        lambda n, random: two_clouds(n, 0.08, 1.2, "log-normal", random),
    ),
}
RIVALS = {"ℓ1-logistic": None, "ℓ1-logistic by log-loss": "neg_log_loss"}
COLUMNS = {
    "found": 2,
    "false share": 2,
    "accuracy": 3,
    "majority": 3,
    "balanced accuracy": 3,
    "AUC": 3,
    "CPU s": 1,
}


def run(setup: Setup, page: Page) -> None:
    """One row per design and method."""
    table = page.table(
        "Classes of unequal size",
        "Three true features of 20; accuracies and AUC on 5,000 other rows. ℓ1-logistic is "
        "scikit-learn's `LogisticRegressionCV`, choosing by accuracy and by log-loss.",
        COLUMNS,
    )
    for name in filter(setup.wants, DESIGNS):
        found = setup.each(outcomes, setup.numbers(USUAL), name, setup)
        rivals = {rival: [each[rival] for each in found] for rival in RIVALS}
        best = max(means_of(rivals[rival])["AUC"] for rival in RIVALS)
        ours = [each["ours"] for each in found]
        majority = means_of(rivals["ℓ1-logistic"])["majority"]
        bars = {
            "found": ("≥", 0.95),
            "false share": ("≤", 0.03),
            "accuracy": ("≥", majority - 0.02),
            "AUC": ("≥", best - 0.01),
        }
        table.row(f"{name}: default", ours, bars)
        for rival in RIVALS:
            table.row(f"{name}: {rival}", rivals[rival])


def outcomes(seed: int, name: str, setup: Setup) -> dict[str, Outcome | None]:
    """All methods on one data set."""
    n, make = DESIGNS[name]
    random = random_of(seed, name)
    data, test = make(n, random), make(5000, random)
    ours = fit("classification", data.X, data.y, seed, setup)
    found: dict[str, Outcome | None] = {"ours": None}
    if ours.model is not None:
        found["ours"] = {
            **discoveries(ours.selected, data.truth),
            **predictions(ours.model, test.X, test.y),
            "CPU s": ours.seconds,
        }
    scaler = StandardScaler().fit(data.X)
    for rival, scoring in RIVALS.items():
        start = time.process_time()
        model = _logistic(scaler.transform(data.X), data.y, scoring)
        found[rival] = {
            **discoveries(model.coef_[0] != 0, data.truth),
            **predictions(model, scaler.transform(test.X), test.y),
            "CPU s": time.process_time() - start,
        }
    return found


def predictions(model: Any, X: np.ndarray, y: np.ndarray) -> Outcome:
    """How good predictions are on other rows."""
    predicted = model.predict(X)
    return {
        "accuracy": accuracy_score(y, predicted),
        "majority": max(y.mean(), 1.0 - y.mean()),
        "balanced accuracy": balanced_accuracy_score(y, predicted),
        "AUC": roc_auc_score(y, model.decision_function(X)),
    }


def _logistic(X: np.ndarray, y: np.ndarray, scoring: str | None) -> LogisticRegressionCV:
    model = LogisticRegressionCV(
        l1_ratios=(1.0,), solver="saga", cv=5, scoring=scoring, max_iter=1000, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)
