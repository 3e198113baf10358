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
from allrelevant.linear.estimators.lopsided import lopsided


def told(predicted, target, count=None, **how):
    predicted, target = np.array(predicted, dtype=float), np.array(target, dtype=float)
    count = np.ones(len(target)) if count is None else np.array(count, dtype=float)
    return lopsided(predicted, target, count, ("poor", "fair", "good"), **how)


def test_one_class_for_nearly_all_is_told_of():
    target = [0] * 12 + [1] * 5 + [2] * 3
    found = told([0] * 19 + [2], target)
    assert found.startswith("predictions are 'poor' for 95% of the samples, though 60%")
    assert told([0] * 17 + [2] * 3, target) is None
    assert told(target, target) is None


def test_a_class_that_nearly_all_are_of_may_be_predicted_if_others_are_too():
    target = [2] * 92 + [0] * 8
    assert told([2] * 95 + [0] * 5, target) is None
    assert "though 92% are of that class" in told([2] * 97 + [0] * 3, target)


def test_the_advice_is_what_can_be_done():
    target = [0] * 12 + [1] * 5 + [2] * 3
    assert 'class_weight="balanced"' in told([0] * 20, target)
    assert "may be missed" in told([0] * 20, target)
    shifted = told([0] * 20, target, is_shifted=True)
    assert "Relevances are not affected" in shifted
    assert 'class_weight="balanced"' in shifted
    assert "balanced" not in told([0] * 20, target, is_balanced=True)


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


def quick(kind, **changes):
    return kind(**({"C": 0.2, "n_probes": 10, "random_state": 0} | changes))


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLASSIFIERS[:2])
def test_a_fit_says_so_once_and_remembers_it(kind):
    X, y = unequal(kind)
    with pytest.warns(UserWarning, match="predictions are 0 for 9.%.*though 60%") as caught:
        model = quick(kind, class_weight=None).fit(X, y)
    assert len(caught) == 1
    assert model.result_.warnings == (str(caught[0].message),)
    assert np.mean(model.predict(X) == 0) >= 0.9


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize("kind", CLASSIFIERS[1:])
def test_an_offset_that_was_moved_for_accuracy_is_told_of(kind):
    y = np.repeat([0, 1], [170, 30])
    X = np.random.default_rng(1).normal(size=(200, 3))
    X[:, 0] += 1.2 * y
    with pytest.warns(UserWarning, match="Relevances are not affected"):
        model = quick(kind).fit(X, y)
    assert model.offset_shift_ < 0.0
    labels = model.decision_function(X) > 0  # whether or not they are rejected
    assert labels.mean() < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_predictions_of_all_classes_are_nothing_to_tell_of(kind):
    random = np.random.default_rng(0)
    _, y = unequal(kind)
    X = random.normal(size=(200, 3))
    X[:, 0] += 2.0 * y
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for class_weight in ("auto", "balanced", None):
            quick(kind, class_weight=class_weight).fit(X, y)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:predictions are:UserWarning")
def test_where_nothing_is_learned_unequal_classes_may_be_why():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], [150, 50])
    X = random.normal(size=(200, 3))
    X[:, 0] += 0.9 * y
    model = RelevanceClassifier(C=0.05, class_weight=None, random_state=0)
    with pytest.warns(UserWarning, match="with balanced class weights some do"):
        model.fit(X, y)
    assert not model.relevance_classes_.any()
    for class_weight in ("auto", "balanced"):
        assert model.set_params(class_weight=class_weight).fit(X, y).relevance_classes_[0] == 2


def test_classes_of_equal_size_have_nothing_to_balance():
    found = told([0] * 20, [0] * 10 + [1] * 10)
    assert "the features hardly tell the other classes apart" in found
    assert "balanced" not in found


def test_numbers_have_no_classes():
    X, y = unequal(OrdinalRelevanceClassifier)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RelevanceRegressor(C=1.0, epsilon=0.1, n_probes=10, random_state=0).fit(X, y)
