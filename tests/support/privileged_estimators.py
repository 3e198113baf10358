"""Estimators with privileged features, and data for them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from privileged_cases import MODELS, marked

from allrelevant import (
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)

ESTIMATORS: dict = {
    "classification": (RelevanceClassifier, {}),
    "regression-eps0.3": (RelevanceRegressor, {"epsilon": 0.3}),
    "ordinal-3": (OrdinalRelevanceClassifier, {}),
}
every_task = pytest.mark.parametrize("name", tuple(ESTIMATORS))
ESTIMATORS["ordinal-3-all"] = (OrdinalRelevanceClassifier, {"slacks": "all"})


def estimator(name, **changes):
    """A quick one. Give C="cv" to have C and gamma searched for, and the tolerance found."""
    cls, own = ESTIMATORS[name]
    quick = {"C": 1.0, "cv": 3, "gamma": 0.3, "n_probes": 5, "confidence": 0.9, "random_state": 0}
    if changes.get("C") != "cv":
        quick["tolerance"] = 0.02
    return cls(**(own | quick | changes))


def data(name, n=60, seed=0):
    """One feature matters; the first privileged one says by how much each sample is off."""
    return marked(np.random.default_rng([seed, n]), MODELS[name], n)


def frame_of(X, privileged):
    """Both in one data frame, the privileged columns not at the end."""
    columns = {"cost": privileged[:, 0], "age": X[:, 0], "dose": X[:, 1], "site": X[:, 2]}
    return pd.DataFrame(columns | {"delay": privileged[:, 1]})
