"""Tables and quick estimators that the forest's tests share."""

import numpy as np

from allrelevant import ForestRelevanceClassifier, ForestRelevanceRegressor
from allrelevant.datasets import make_nonlinear
from allrelevant.forest.sample import Table
from allrelevant.forest.task import Task

QUICK = {"estimator": "lightgbm", "random_state": 0, "max_blocks": 2}
NAMES = ["age", "dose", "copy", "twin", "site", "day"]


def signal(n=300, seed=0, n_classes=2):
    """Two strong features, a hidden one shown twice, two of noise; and the truth."""
    return make_nonlinear(
        n,
        kind="copies",
        n_strong=2,
        n_weak=2,
        n_irrelevant=2,
        n_groups=1,
        n_classes=n_classes,
        random_state=seed,
    )


def classifier(**parameters):
    return ForestRelevanceClassifier(**(QUICK | parameters))


def regressor(**parameters):
    return ForestRelevanceRegressor(**(QUICK | parameters))


def table(X, y, n_classes=2, categorical=None, weight=None):
    """A table as the analysis sees it."""
    X = np.asarray(X, dtype=float)
    return Table(
        X,
        np.zeros(X.shape[1], dtype=bool) if categorical is None else np.asarray(categorical),
        np.asarray(y, dtype=float),
        np.ones(len(X)) if weight is None else weight,
        Task("classification", n_classes) if n_classes else Task("regression"),
    )
