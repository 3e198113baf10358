"""Labels with gaps, of any kind."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from kernel_cases import few_labels
from kernel_estimators import fixed
from sklearn.exceptions import DataConversionWarning

from allrelevant.base.metrics import macro_mean_absolute_rank_error


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param(lambda s: s.where(s >= 0), id="NaN"),
        pytest.param(lambda s: s.astype("Int64").where(s >= 0), id="NA"),
        pytest.param(lambda s: s.astype(object).where(s >= 0, None), id="None"),
        pytest.param(lambda s: s.tolist(), id="list"),
    ],
)
def test_missing_labels_of_any_kind_are_unlabelled(missing):
    X, y, _ = few_labels(60)
    model = fixed().fit(X, missing(pd.Series(y)))
    np.testing.assert_array_equal(model.predict(X).astype(int), fixed().fit(X, y).predict(X))


def test_words_in_the_given_order():
    X, y, truth = few_labels(90, n_classes=3)
    words = np.array(["low", "medium", "high", None], dtype=object)
    order = ["low", "medium", "high"]
    expected = words[fixed().fit(X, y).predict(X)]
    by_parameter = fixed(classes=order).fit(X, words[y])
    np.testing.assert_array_equal(by_parameter.predict(X), expected)
    assert by_parameter.classes_.tolist() == order
    categorical = pd.Series(pd.Categorical(words[y], categories=order, ordered=True))
    for given in (categorical, categorical.to_frame(), pl.Series(words[y], dtype=pl.Enum(order))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataConversionWarning)
            fitted = fixed().fit(X, given)
        assert fitted.classes_.tolist() == order
        np.testing.assert_array_equal(fitted.predict(X), expected)
    assert by_parameter.score(X, words[truth]) > 0.7


def test_polars_labels_with_gaps():
    X, y, _ = few_labels(60)
    labels = pl.Series([int(v) if v >= 0 else None for v in y])
    np.testing.assert_array_equal(fixed().fit(X, labels).predict(X), fixed().fit(X, y).predict(X))


def test_class_without_a_labelled_row_is_not_predicted_but_counts_in_the_score():
    X, y, truth = few_labels(100, n_classes=4)
    y = np.where(y == 2, -1, y)
    model = fixed(classes=[0, 1, 2, 3]).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 3]
    assert set(model.predict(X)) <= {0, 1, 3}
    expected = 1 - macro_mean_absolute_rank_error(truth, model.predict(X), classes=range(4)) / 3
    assert model.score(X, truth) == pytest.approx(expected)
    unnamed = fixed().fit(X, y)
    assert unnamed.score(X, truth) == pytest.approx(expected)


def test_minus_one_and_one_alone_are_two_classes_with_a_warning():
    X, _, truth = few_labels(60, n_classes=2)
    y = 2 * truth - 1
    with pytest.warns(UserWarning, match="−1 and 1 only"):
        model = fixed().fit(X, y)
    assert model.classes_.tolist() == [-1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        three = fixed().fit(X, np.where(np.arange(60) < 20, -1, truth))
    assert three.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("value", [-1, np.nan, None])
def test_nothing_labelled_is_refused(value):
    X, _, _ = few_labels(40)
    with pytest.raises(ValueError, match="no labelled row"):
        fixed().fit(X, np.full(40, value, dtype=object))


def test_one_labelled_class_is_refused():
    X, y, _ = few_labels(40)
    with pytest.raises(ValueError, match="one class only"):
        fixed().fit(X, np.where(y == 2, 2, -1))
    with pytest.raises(ValueError, match="one class only"):
        fixed().fit(X, np.where(y == 2, 1.0, np.nan))
