"""Models that predict nearly always the same are told of."""

import warnings

import numpy as np
import pytest

from allrelevant import (
    OrdinalRelevanceClassifier,
    RejectOptionRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from allrelevant.estimators.lopsided import lopsided


def told(predicted, target, count=None):
    predicted, target = np.array(predicted, dtype=float), np.array(target, dtype=float)
    count = np.ones(len(target)) if count is None else np.array(count, dtype=float)
    return lopsided(predicted, target, count, ("poor", "fair", "good"))


def test_one_class_for_nearly_all_is_told_of():
    target = [0] * 12 + [1] * 5 + [2] * 3
    found = told([0] * 19 + [2], target)
    assert found.startswith("the baseline predicts 'poor' for 95% of the samples, though 60%")
    assert told([0] * 17 + [2] * 3, target) is None
    assert told(target, target) is None


def test_a_class_that_nearly_all_are_of_may_be_predicted():
    assert told([2] * 20, [2] * 17 + [0] * 3) is None


def test_rows_count_as_often_as_they_were_observed():
    assert told([0, 0, 2], [0, 1, 2]) is None
    assert told([0, 0, 2], [0, 1, 2], count=[50, 45, 5]) is not None


def test_rejections_are_no_class():
    target = [-1] * 6 + [1] * 4
    assert told([0] * 10, target) is None
    assert told([-1] * 10, target) is not None


def unequal(kind):
    """Few of the rarer classes have a mark, which is all there is to tell them by."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [120, 50, 30])
    X = random.normal(size=(200, 3))
    X[:, 0] = np.isin(np.arange(200), [*range(120, 126), *range(170, 180)])
    return X, y if kind is OrdinalRelevanceClassifier else (y > 0).astype(int)


CLASSIFIERS = [OrdinalRelevanceClassifier, RelevanceClassifier, RejectOptionRelevanceClassifier]


@pytest.mark.parametrize("kind", CLASSIFIERS[:2])
def test_a_fit_says_so_once_and_remembers_it(kind):
    X, y = unequal(kind)
    with pytest.warns(UserWarning, match="the baseline predicts 0 for 9.%.*though 60%") as caught:
        model = kind(C=0.2, n_probes=3, random_state=0).fit(X, y)
    assert len(caught) == 1
    assert model.result_.warnings == (str(caught[0].message),)
    assert np.mean(model.predict(X) == 0) >= 0.9


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_who_has_weighed_the_classes_is_told_nothing(kind):
    X, y = unequal(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kind(C=0.2, n_probes=3, random_state=0, class_weight={0: 1.0}).fit(X, y)


def test_where_nothing_is_learned_unequal_classes_may_be_why():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], [140, 60])
    X = random.normal(size=(200, 3))
    X[:, 0] += 0.6 * y
    model = RelevanceClassifier(C=0.05, random_state=0)
    with (
        pytest.warns(UserWarning, match="no learnable signal"),
        pytest.warns(UserWarning, match="though 70% are of that class"),
    ):
        model.fit(X, y)
    assert model.set_params(class_weight="balanced").fit(X, y).relevance_classes_[0] == 2


def test_classes_of_equal_size_have_nothing_to_balance():
    assert told([0] * 20, [0] * 10 + [1] * 10) is None


def test_numbers_have_no_classes():
    X, y = unequal(OrdinalRelevanceClassifier)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RelevanceRegressor(C=1.0, epsilon=0.1, n_probes=3, random_state=0).fit(X, y)
