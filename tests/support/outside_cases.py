"""Tables for fits to rows that are elsewhere, and the same fits to rows in memory."""

import numpy as np

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor

N, D = 900, 6
FEW = 200  # rows that are drawn, in the place of 50,000


def table(n=N, d=D, seed=0):
    """Strong features, two that stand in for one another, and noise; and a score."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    X[:, 3] = X[:, 2] + 0.1 * X[:, 3]
    score = X[:, :3] @ [0.5, 0.8, 0.7] + 0.6 * random.normal(size=n)
    return 3.0 * X + 1.0, score


X, score = table()
TARGETS = {
    "classification": np.where(score > 0.4, "yes", "no"),
    "regression": 10.0 * score + 5.0,
    "ordinal": np.digitize(score, [-0.7, 0.6]),
}
_SETTINGS = {"tolerance": 0.02, "n_probes": 6, "random_state": 0}


def estimator(task, **settings):
    """An estimator with a C that is given."""
    settings = {"C": 0.2, **_SETTINGS, **settings}
    if task == "regression":
        return RelevanceRegressor(epsilon=0.1, **settings)
    return {"classification": RelevanceClassifier, "ordinal": OrdinalRelevanceClassifier}[task](
        **settings
    )
