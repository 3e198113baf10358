"""Accuracy on the rows that models were fitted to: thesis, Table 5.2."""

from __future__ import annotations

import numpy as np
from sklearn.feature_selection import RFECV
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import StandardScaler

from allrelevant import ForestRelevanceClassifier, RelevanceClassifier, papers
from benchmarks.forest import data
from benchmarks.papers.rivals import COSTS
from benchmarks.papers.selection import quietly
from benchmarks.papers.table import DEFAULT, PRESET, RUN, Numbers, Table, columns

NAMES = ("elastic net", "FRI", "random forest", "SQ")


def elastic_net(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Predictions of an elastic net, tuned by folds, after recursive elimination."""
    net = LogisticRegression(l1_ratio=0.5, solver="saga", max_iter=2000, random_state=seed)
    tuned = quietly(GridSearchCV(net, COSTS, cv=3), X, y).best_estimator_
    return np.asarray(quietly(RFECV(tuned, cv=3, step=0.1), X, y).predict(X))


def random_forest(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Predictions of the thesis's forest after recursive elimination."""
    from lightgbm import LGBMClassifier

    forest = LGBMClassifier(
        boosting_type="rf",
        num_leaves=32,
        max_depth=5,
        subsample=0.632,
        subsample_freq=1,
        random_state=seed,
        n_jobs=1,
        verbose=-1,
    )
    return np.asarray(quietly(RFECV(forest, cv=3, step=0.1), X, y).predict(X))


def training_accuracy(row: str, variant: str, seed: int) -> Numbers:
    """Share of the rows that each model of a column gets right after it was fitted to them."""
    X, y, _ = data(row, seed)
    X = StandardScaler().fit_transform(X)
    if variant == RUN:
        predicted = {
            "elastic net": elastic_net(X, y, seed),
            "random forest": random_forest(X, y, seed),
        }
    else:
        linear = papers.thesis("classification") if variant == PRESET else RelevanceClassifier()
        forest = ForestRelevanceClassifier(method="squamish" if variant == PRESET else "contest")
        both = {"FRI": linear, "SQ": forest}
        predicted = {
            name: quietly(model.set_params(random_state=seed), X, y).predict(X)
            for name, model in both.items()
        }
    return {name: float(np.mean(own == y)) for name, own in predicted.items()}


def tables() -> list[Table]:
    """The one table."""
    return [
        Table(
            key="thesis-5.2",
            title="Linear data: accuracy on the training rows (thesis, Table 5.2)",
            text="The thesis's four models. FRI stands for intervals of linear models and SQ for "
            "forests, in the thesis and in ours. The rivals are run here: an elastic net of "
            "logistic regression and LightGBM's random forest with the thesis's parameters, both "
            "with recursive elimination. Training accuracy says how closely a model can follow "
            "its rows, not how well it predicts.",
            names=NAMES,
            printed=columns(NAMES, _PRINTED),
            measure=training_accuracy,
            variants=(PRESET, DEFAULT, RUN),
            seeds=3,
            verdict=_VERDICT,
        )
    ]


_PRINTED = {
    "Set 1": (0.97, 0.99, 0.83, 1.00),
    "Set 2": (0.99, 0.99, 1.00, 1.00),
    "Set 3": (0.98, 0.99, 0.86, 1.00),
    "Set 4": (0.98, 0.99, 0.87, 1.00),
    "Set 5": (0.98, 1.00, 0.95, 1.00),
    "Set 6": (0.97, 1.00, 0.89, 0.99),
    "Set 7": (0.98, 0.99, 0.90, 1.00),
    "Set 8": (0.98, 1.00, 0.91, 1.00),
}
_VERDICT = (
    "The linear models, and forests with the thesis's settings, are about as accurate as printed. "
    "The random forest with elimination is less accurate than printed on Sets 1 and 3; we do not "
    "know why. Our default forest follows its rows a little less closely than the thesis's."
)
