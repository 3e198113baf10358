"""Programs that grow: those that may stop at a bound do so, though a feature was missing."""

import numpy as np
import pytest
from helpers import equivalent_models
from oracle import FullProblem

from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.models import Classification

N, D = 100, 80


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_missing_for_a_bound_is_taken_in(seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(N, D))
    score = X[:, 0] + 0.5 * X[:, 1] + 0.7 * random.normal(size=N)
    models = equivalent_models(Classification(), X, np.where(score > 0, 1.0, -1.0), 0.1, 0.1)
    solver = RangeSolver(models)
    found = solver.ranges(range(D), signed=False)
    # Of all other ends that are nearer to zero, hardly any is solved for to its end.
    assert sum(one.is_half for one in found) > 0.8 * D
    assert sum(one.is_half for one in found) - solver.skipped >= 20
    full = FullProblem(X, models.pieces)
    for k in range(0, D, 8):
        low, high = full.signed_interval(k, models.budgets)
        assert found[k].relevance[1] == pytest.approx(max(-low, high), abs=1e-6)
        assert found[k].low.value <= low + 1e-7
        assert found[k].high.value >= high - 1e-7
