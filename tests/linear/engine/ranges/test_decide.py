"""Yes and no by few programs are what the whole ranges say."""

import numpy as np
import pytest

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_classification, make_ordinal, make_regression
from allrelevant.linear.engine.ranges.decide import RangeDecider
from allrelevant.linear.engine.ranges.solver import RangeSolver

SHAPE = {"n_strong": 2, "n_weak": 3, "n_irrelevant": 5, "noise": 0.3, "random_state": 0}


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize(
    ("estimator", "simulate"),
    [
        (RelevanceClassifier, make_classification),
        (RelevanceRegressor, make_regression),
        (OrdinalRelevanceClassifier, make_ordinal),
    ],
)
def test_decisions_agree_with_ranges(estimator, simulate, budget):
    X, y, _ = simulate(80, **SHAPE)
    models = (
        estimator(C=1.0, budget=budget, n_probes=2, random_state=0).fit(X, y).equivalent_models_
    )
    whole = RangeSolver(models)
    found = np.array([one.relevance for one in whole.ranges(range(10), signed=False)])
    for part in (0.02, 0.1, 0.3):
        decider = RangeDecider(models)
        level = part * found[:, 1].max()
        assert [decider.can_exceed(k, level) for k in range(10)] == (found[:, 1] > level).tolist()
        assert [decider.must_exceed(k, level) for k in range(10)] == (found[:, 0] > level).tolist()
        assert decider.solved < whole.solved


def test_beyond_the_budget_nothing_is_solved():
    X, y, _ = make_classification(60, **SHAPE)
    models = RelevanceClassifier(C=1.0, n_probes=2, random_state=0).fit(X, y).equivalent_models_
    decider = RangeDecider(models)
    assert not decider.can_exceed(0, models.largest_norm)
    assert decider.solved == 0
