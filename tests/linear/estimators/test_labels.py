"""Labels of any name and kind, and their order."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from estimator_cases import CASES, binary_cases

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier


@pytest.mark.slow
@binary_cases
@pytest.mark.parametrize(
    "labels", [[0, 1], [-1, 1], [3, 7], ["no", "yes"], [False, True], [0.0, 1.0]]
)
def test_two_classes_of_any_name(case, labels):
    X, y = case.data()
    expected = case.fitted()
    model = case.make().fit(X, np.array(labels)[y])
    assert model.classes_.tolist() == labels
    np.testing.assert_allclose(model.signed_intervals_, expected.signed_intervals_, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), np.array(labels)[expected.predict(X)])


@pytest.mark.slow
@binary_cases
def test_swapping_the_classes_turns_the_signs(case):
    X, y = case.data()
    one, other = case.fitted(), case.make().fit(X, 1 - y)
    np.testing.assert_allclose(one.intervals_, other.intervals_, atol=1e-7)
    np.testing.assert_allclose(one.signed_intervals_, -other.signed_intervals_[:, ::-1], atol=1e-7)


def _enum(y, words):
    return pl.Series(np.array(words)[y], dtype=pl.Enum(words))


WORDS = ["low", "mid", "high"]  # in the alphabet: high, low, mid
ORDERED_LABELS = {
    "gaps": (lambda y: np.array([1, 5, 10])[y], None, [1, 5, 10]),
    "negative numbers": (lambda y: np.array([-3, 0, 2])[y], None, [-3, 0, 2]),
    "whole floats": (lambda y: np.array([-3.0, 0.0, 2.0])[y], None, [-3.0, 0.0, 2.0]),
    "half grades with classes": (
        lambda y: np.array([1.0, 1.5, 3.0])[y],
        [1.0, 1.5, 3.0],
        [1.0, 1.5, 3.0],
    ),
    "ordered half grades": (
        lambda y: pd.Series(pd.Categorical.from_codes(y, [1.0, 1.5, 3.0], ordered=True)),
        None,
        [1.0, 1.5, 3.0],
    ),
    "strings with classes": (lambda y: np.array(WORDS)[y], WORDS, WORDS),
    "list of strings": (lambda y: [WORDS[k] for k in y], WORDS, WORDS),
    "object strings": (lambda y: np.array(WORDS, dtype=object)[y], tuple(WORDS), WORDS),
    "array of classes": (lambda y: np.array(WORDS)[y], np.array(WORDS), WORDS),
    "series of strings": (lambda y: pd.Series(np.array(WORDS)[y]), WORDS, WORDS),
    "sorted strings": (lambda y: np.array(["a", "b", "c"])[y], None, ["a", "b", "c"]),
    "ordered categorical": (
        lambda y: pd.Series(pd.Categorical.from_codes(y, WORDS, ordered=True)),
        None,
        WORDS,
    ),
    "bare ordered categorical": (
        lambda y: pd.Categorical.from_codes(y, WORDS, ordered=True),
        None,
        WORDS,
    ),
    "unused categories": (
        lambda y: pd.Series(
            pd.Categorical(
                np.array(WORDS)[y], categories=["none", "low", "mid", "some", "high"], ordered=True
            )
        ),
        None,
        WORDS,
    ),
    "ordered numbers": (
        lambda y: pd.Series(pd.Categorical.from_codes(y, [9, 1, 5], ordered=True)),
        None,
        [9, 1, 5],
    ),
    "polars enum": (lambda y: _enum(y, WORDS), None, WORDS),
    "polars enum with unused": (
        lambda y: pl.Series(np.array(WORDS)[y], dtype=pl.Enum(["none", *WORDS, "all"])),
        None,
        WORDS,
    ),
    "classes with unused": (lambda y: np.array(WORDS)[y], ["none", *WORDS], WORDS),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
@pytest.mark.parametrize("kind", ORDERED_LABELS)
def test_ordinal_labels_of_all_kinds(kind):
    case = CASES["ordinal-explicit"]
    make_labels, classes, expected_classes = ORDERED_LABELS[kind]
    X, y = case.data()
    labels = make_labels(y)
    expected = case.fitted()
    model = case.make(classes=classes).fit(X, labels)
    assert model.classes_.tolist() == expected_classes
    np.testing.assert_allclose(model.signed_intervals_, expected.signed_intervals_, atol=1e-9)
    np.testing.assert_allclose(model.thresholds_, expected.thresholds_, atol=1e-9)
    assert model.predict(X).tolist() == [expected_classes[k] for k in expected.predict(X)]
    assert model.score(X, labels) == pytest.approx(expected.score(X, y))


@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
def test_unordered_categorical_is_sorted():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    labels = pd.Series(pd.Categorical.from_codes(y, ["c", "b", "a"]))
    model = case.make().fit(X, labels)
    assert model.classes_.tolist() == ["a", "b", "c"]


@pytest.mark.slow
def test_given_classes_win_over_the_order_of_a_categorical():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    labels = pd.Series(pd.Categorical.from_codes(y, ["x", "y", "z"], ordered=True))
    model = case.make(classes=["z", "y", "x"]).fit(X, labels)
    assert model.classes_.tolist() == ["z", "y", "x"]
    forward = case.fitted()
    np.testing.assert_allclose(
        model.signed_intervals_, -forward.signed_intervals_[:, ::-1], atol=1e-7
    )


@pytest.mark.slow
@pytest.mark.parametrize("order", ["explicit", "implicit"])
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_ordinal_with_two_classes_is_classification(order, C):
    X, y = CASES["classification"].data(150)
    # Weights of classes and the choice of C have other defaults, each for its reason.
    alike = {"class_weight": None, "scoring": "loss", "rule": "paired"}
    parameters = alike | {"C": C, "n_probes": 10, "random_state": 0}
    two = RelevanceClassifier(**parameters).fit(X, y)
    ordinal = OrdinalRelevanceClassifier(order=order, **parameters).fit(X, y)
    np.testing.assert_allclose(ordinal.C_, two.C_, rtol=1e-9)
    np.testing.assert_allclose(ordinal.signed_intervals_, two.signed_intervals_, atol=1e-7)
    np.testing.assert_array_equal(ordinal.relevance_classes_, two.relevance_classes_)
    np.testing.assert_allclose(ordinal.coef_, two.coef_[0], atol=1e-7)
    np.testing.assert_allclose(-ordinal.thresholds_, two.intercept_, atol=1e-7)
    np.testing.assert_array_equal(ordinal.predict(X), two.predict(X))
    np.testing.assert_allclose(ordinal.decision_function(X), two.decision_function(X), atol=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_words_in_alphabetical_order_are_warned_of():
    case = CASES["ordinal-explicit"]
    X, y = case.data()
    with pytest.warns(UserWarning, match="alphabetical order: 'high' < 'low' < 'mid'"):
        case.make().fit(X, np.array(WORDS)[y])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        case.make(classes=WORDS).fit(X, np.array(WORDS)[y])


@pytest.mark.parametrize("labels", [[False, True], [3, 7]])
def test_a_column_that_could_hold_anything_is_what_it_holds(labels):
    """As a column of True and False is that had gaps, whose rows were dropped."""
    case = CASES["classification"]
    X, y = case.data()
    model = case.make().fit(X, pd.Series([labels[code] for code in y], dtype=object))
    assert model.classes_.tolist() == labels
    np.testing.assert_array_equal(model.intervals_, case.fitted().intervals_)
    assert model.score(X, pd.Series(np.array(labels)[y])) == case.fitted().score(X, y)
