"""Halves of a forest's rows are whole fits with its settings."""

import numpy as np
import pytest
from forest_cases import NAMES, classifier, regressor, signal
from sklearn.exceptions import NotFittedError

from allrelevant import ForestRelevanceClassifier, StabilityResult

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model():
    X, y, _ = signal(300)
    return classifier().fit(X, y)


@pytest.fixture(scope="module")
def answer(model):
    return model.stability(2)


def test_truth_is_found_by_halves(model, answer):
    assert isinstance(answer, StabilityResult)
    assert answer.halves.shape == (4, len(NAMES))
    assert answer.selected[:2].min() > answer.selected[4:].max()
    assert answer.classes.tolist() == model.relevance_classes_.tolist()


def test_groups_are_those_of_the_fit(model, answer):
    expected = [tuple(group.features) for group in model.groups_ if len(group.features) > 1]
    assert list(answer.groups.values()) == expected


def test_groups_seeds_and_processes():
    X, y, _ = signal(150)
    model = classifier(estimator="linear").fit(X, y)
    answer = model.stability(2, groups={"two": [0, "x1"]})
    assert answer.groups == {"two": (0, 1)}
    assert model.stability(2, groups={"two": [0, "x1"]}) == answer
    assert np.array_equal(model.set_params(n_jobs=2).stability(2).halves, answer.halves)


def test_numbers_and_columns_that_a_half_lacks():
    rng = np.random.default_rng(0)
    x = rng.normal(size=150)
    X = np.column_stack([np.ones(150), x, np.arange(150) == 3])
    found = regressor().fit(X, x + 0.1 * rng.normal(size=150)).stability(1)
    assert found.selected.tolist() == [0.0, 1.0, 0.0]


def test_the_other_method_can_be_asked():
    X, y, _ = signal(120)
    found = classifier(method="squamish").fit(X, y).stability(1)
    assert found.halves.shape == (2, len(NAMES))
    assert found.halves[:, :2].any()


def test_a_fit_comes_first():
    with pytest.raises(NotFittedError):
        ForestRelevanceClassifier().stability()
