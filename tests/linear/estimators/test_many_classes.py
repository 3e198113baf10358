"""Classes without an order, against full linear programs."""

import numpy as np
import pytest
from class_programs import ClassPrograms

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification

QUICK = {"C": 0.5, "tolerance": 0.02, "n_probes": 5, "random_state": 0}


def data(K, seed=0, n=45):
    X, y, _ = make_classification(
        n,
        n_strong=1,
        n_weak=2,
        n_irrelevant=2,
        noise=0.2,
        label_noise=0.1,
        n_classes=K,
        random_state=seed,
    )
    return X, y


def programs(model):
    sample, models = model.fitted_set_.analysis.problem.sample, model.equivalent_models_
    limits = [budget.limit for budget in models.budgets]
    K = len(model.classes_)
    return ClassPrograms(sample.X.dense(), sample.target, K, sample.weight, *limits)


@pytest.fixture(scope="module", params=[(3, None), (4, "auto"), (5, "balanced")])
def fitted(request):
    K, class_weight = request.param
    return RelevanceClassifier(class_weight=class_weight, **QUICK).fit(*data(K))


def test_baseline_is_the_minimum(fitted):
    known, C = fitted.result_.baseline, fitted.C_
    expected = programs(fitted).least_objective(C)
    assert known["norm"] + C * known["loss"] == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_intervals_are_those_of_the_full_programs(fitted):
    full, norm = programs(fitted), fitted.result_.baseline["norm"]
    for j, found in enumerate(fitted.intervals_):
        expected = np.array(full.spread_interval(j)) / norm
        np.testing.assert_allclose(found, expected, atol=1e-6)
