"""Proofs by interior points where rows and columns are alike, so that optima are no vertices."""

import numpy as np
import pytest
from helpers import MODELS, encode, equivalent_models

from allrelevant.linear.engine.interior.solver import InteriorPath
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.working_set import WorkingSet


def of_categories(seed, n=600):
    """Equivalent classifiers of five categories with one level in common, and their columns."""
    random = np.random.default_rng(seed)
    none = random.random(n) < 0.3
    levels = []
    for _ in range(5):
        yes = (random.random(n) < 0.5) & ~none
        levels += [yes, ~yes & ~none, none]
    X = np.column_stack(levels).astype(float)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    score = X[:, 0] + 0.6 * X[:, 3] - 0.5 * X[:, 2] + 1.5 * random.normal(size=n)
    model = MODELS["classification"]
    return equivalent_models(model, X, encode(model, score), 0.01, 0.02, "split"), random


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_reaches_of_permuted_levels_are_proven_by_interior_points_alone(seed):
    models, random = of_categories(seed)
    near = np.flatnonzero(models.near_reference)
    path = InteriorPath(models, WorkingSet.around(models, near))
    for column in models.X.dense().T[:12]:
        found = path.maximise(Direction.of_guest(random.permutation(column), 1), None)
        assert found is not None
        assert found.is_proven
