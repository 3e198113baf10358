"""Partly labelled targets: what counts as a label, and in which order labels are."""

import warnings

import numpy as np
import pandas as pd
import pytest
from kernel_cases import few_labels

from allrelevant import OrdinalKernelClassifier
from allrelevant.kernel.target import column, labelled

WORDS = ["low", "medium", "high"]


def model(**changes):
    return OrdinalKernelClassifier(**{"gamma": 0.1, "ridge": 0.01, "mu": 1.0} | changes)


def words_and(gap, y):
    """A list of words, with gaps where there is no label."""
    return [gap if rank < 0 else WORDS[rank] for rank in y.tolist()]


@pytest.mark.parametrize("gap", [np.nan, None, -1, -1.0, pd.NA])
def test_gaps_in_a_list_of_words_are_no_words(gap):
    X, y, _ = few_labels(60, n_classes=3)
    fitted = model(classes=WORDS).fit(X, words_and(gap, y))
    assert fitted.classes_.tolist() == WORDS
    expected = np.array(WORDS)[model().fit(X, y).predict(X)]
    np.testing.assert_array_equal(fitted.predict(X), expected)
    assert fitted.score(X, words_and(gap, y)) == pytest.approx(model().fit(X, y).score(X, y))


def test_a_list_of_words_alone_stays_as_it_is():
    assert column(["a", "b"]).dtype.kind == "U"
    assert labelled(["-1", "nan", "a"]).all()


def test_minus_one_beside_a_single_class_is_unlabelled_for_a_fitted_model():
    X, y, truth = few_labels(80, n_classes=3)
    fitted = model().fit(X, y)
    one_class = np.where(truth == 1, 1, -1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score = fitted.score(X, one_class)
    assert score == pytest.approx(fitted.score(X[truth == 1], truth[truth == 1]))


def test_minus_one_is_a_class_where_it_was_learned_as_one():
    X, _, truth = few_labels(60, n_classes=2)
    y = 2 * truth - 1
    with pytest.warns(UserWarning, match="−1 and 1 only"):
        fitted = model().fit(X, y)
    low = y == -1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fitted.score(X[low], y[low]) == (fitted.predict(X[low]) == -1).mean()


def test_minus_one_among_the_named_classes_is_none():
    X, y, truth = few_labels(60, n_classes=3)
    with pytest.warns(UserWarning, match="classes names −1"):
        fitted = model(classes=[-1, 0, 1, 2]).fit(X, y)
    assert fitted.classes_.tolist() == [0, 1, 2]
    expected = model().fit(X, y).score(X, truth)
    assert fitted.score(X, truth) == pytest.approx(expected)
    categorical = pd.Series(pd.Categorical(y, categories=[-1, 0, 1, 2], ordered=True))
    assert model().fit(X, categorical).score(X, truth) == pytest.approx(expected)


def test_score_keeps_the_order_that_was_learned():
    X, y, truth = few_labels(90, n_classes=3, label_noise=0.2)
    categorical = pd.Categorical(words_and(None, y), categories=WORDS, ordered=True)
    fitted = model().fit(X, pd.Series(categorical))
    words = np.array(WORDS)[truth]  # from lowest to highest is not from a to z
    expected = model().fit(X, y).score(X, truth)
    assert fitted.score(X, words) == pytest.approx(expected)
    assert fitted.score(X, pd.Series(words).astype("category")) == pytest.approx(expected)


def test_score_with_a_categorical_of_some_classes():
    X, y, truth = few_labels(60, n_classes=3)
    fitted = model().fit(X, y)
    few = truth < 2
    some = pd.Series(pd.Categorical(truth[few], categories=[0, 1], ordered=True))
    assert fitted.score(X[few], some) == pytest.approx(fitted.score(X[few], truth[few]))


@pytest.mark.parametrize("classes", [None, ["zero", 1, 2]])
def test_words_among_numbers_are_refused(classes):
    X, _, truth = few_labels(40, n_classes=3)
    y = np.array(["zero", 1, 2], dtype=object)[truth]
    with pytest.raises(ValueError, match="words and other labels, for example 'zero' and"):
        model(classes=classes).fit(X, y)


def test_weights_of_a_score_must_be_as_many_as_rows():
    X, y, _ = few_labels(40)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model().fit(X, y).score(X, y, sample_weight=np.ones(5))


@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
@pytest.mark.parametrize("gap", ["nan", "-1", "None", ""])
def test_words_that_look_like_gaps_are_told_of(gap):
    X, y, _ = few_labels(60, n_classes=3)
    words = np.array(words_and(gap, y))
    with pytest.warns(UserWarning, match=f"the word '{gap}', which is read as a class"):
        assert gap in model().fit(X, words).classes_
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # whoever names it means it
        assert gap in model(classes=[gap, *WORDS]).fit(X, words).classes_


@pytest.mark.parametrize("gap", [np.nan, None, pd.NA])
def test_missing_among_the_named_classes_is_none(gap):
    X, y, truth = few_labels(60, n_classes=3)
    with pytest.warns(UserWarning, match="which is not a class"):
        fitted = model(classes=[0, gap, 1, 2]).fit(X, y)
    assert fitted.score(X, truth) == pytest.approx(model().fit(X, y).score(X, truth))


def test_minus_one_that_leaves_one_class_is_told_of():
    X, _, truth = few_labels(60, n_classes=3)
    y = np.array([-1.0, 1.0, np.nan])[truth]
    with pytest.raises(ValueError, match=r"one class only.*beside −1.*another name"):
        model().fit(X, y)


def test_labels_without_an_order_are_refused():
    X, _, truth = few_labels(40, n_classes=2)
    for labels in ([{}, {1: 2}], [1, (2,)]):
        y = np.empty(40, dtype=object)
        y[:] = [labels[k] for k in truth]
        with pytest.raises(ValueError, match="cannot be sorted"):
            model().fit(X, y)


def test_score_of_other_labels_than_those_learned_is_refused():
    X, y, truth = few_labels(60, n_classes=3)
    fitted = model().fit(X, y)
    for given in (np.array(WORDS)[truth], np.array(WORDS, dtype=object)[truth], truth.astype(str)):
        with pytest.raises(ValueError, match=r"classes learned are \[0, 1, 2\]"):
            fitted.score(X, given)


def test_labels_of_half_precision():
    X, y, truth = few_labels(60, n_classes=3)
    expected = model().fit(X, y).score(X, truth)
    assert model().fit(X, y.astype(np.float16)).score(X, truth.astype(np.float16)) == expected
