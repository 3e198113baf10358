"""Bad values and shapes of X get an error that says where, or a sensible answer."""

import warnings
from datetime import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from estimator_cases import CASES, every_case, label_cases
from refusals import NO_SIGNAL, assert_sensible, refused, with_cell

NAMES = ["age", "dose", "weight", "site", "day"]


# Values in X


@pytest.mark.slow
@every_case
@pytest.mark.parametrize(
    ("value", "word"), [(np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")]
)
def test_missing_or_infinite_value_names_the_column(case, value, word):
    X, y = case.data()
    bad = with_cell(X, value)
    with refused(word, "'weight'"):
        case.make().fit(pd.DataFrame(bad, columns=NAMES), y)
    with refused(word, "'x2'"):
        case.make().fit(bad, y)
    fitted = case.fitted()
    with refused(word, "'x2'"):
        fitted.predict(bad)


@pytest.mark.parametrize(
    "column",
    [
        pytest.param(lambda n: [None, *np.arange(n - 1.0)], id="None"),
        pytest.param(lambda n: pd.array([None, *range(n - 1)], dtype="Int64"), id="NA"),
    ],
)
def test_missing_value_of_any_kind_names_the_column(column):
    case = CASES["classification"]
    X, y = case.data()
    frame = pd.DataFrame(X, columns=NAMES).assign(site=column(len(X)))
    with refused("NaN", "'site'"):
        case.make().fit(frame, y)


def test_a_column_called_mask_masks_nothing():
    X, y = CASES["classification"].data()
    frame = pd.DataFrame(X, columns=["age", "dose", "weight", "site", "_mask"])
    model = CASES["classification"].make().fit(frame, y)
    assert model.result_.names[-1] == "_mask"


def test_missing_value_in_polars_names_the_column():
    case = CASES["classification"]
    X, y = case.data()
    frame = pl.DataFrame({"age": X[:, 0], "site": [None, *X[1:, 1].tolist()]})
    with refused("NaN", "'site'"):
        case.make().fit(frame, y)


@every_case
@pytest.mark.parametrize("frame_class", [pd.DataFrame, pl.DataFrame])
def test_column_of_strings_that_is_no_category_is_named(case, frame_class):
    X, y = case.data()
    columns = {"age": X[:, 0], "person": [f"person {k}" for k in range(len(X))]}
    with refused("'person'", "'person 0'", "astype"):
        case.make().fit(frame_class(columns), y)


@pytest.mark.parametrize(
    ("values", "advice"),
    [
        pytest.param([datetime(2020, 1, 1), datetime(2020, 1, 2)], "days since", id="dates"),
        pytest.param([{"a": 1}, {"a": 2}], "OneHotEncoder", id="objects"),
    ],
)
def test_column_of_other_things_than_numbers_is_named(values, advice):
    case = CASES["classification"]
    X, y = case.data()
    column = pd.Series(values).iloc[np.arange(len(X)) % 2].reset_index(drop=True)
    frame = pd.DataFrame({"age": X[:, 0], "other": column})
    with refused("'other'", advice):
        case.make().fit(frame, y)


@every_case
@pytest.mark.parametrize("dtype", [str, object])
def test_array_of_strings_is_refused(case, dtype):
    X, y = case.data()
    words = X.astype(dtype)
    words[:, 1] = "red"
    with refused("x1"):
        case.make().fit(words, y)


def test_complex_data_are_refused():
    case = CASES["classification"]
    X, y = case.data()
    with pytest.raises(ValueError, match="Complex"):
        case.make().fit(X + 0j, y)


# Shapes


@every_case
def test_one_dimensional_data_are_refused(case):
    X, y = case.data()
    with refused("2D array", "reshape"):
        case.make().fit(X[:, 0], y)


@every_case
@pytest.mark.parametrize(
    ("shape", "words"),
    [((0, 3), ["0 sample"]), ((70, 0), ["0 feature"]), ((1, 3), ["1 sample", "minimum of 2"])],
)
def test_empty_data_are_refused(case, shape, words):
    _, y = case.data()
    with refused(*words):
        case.make().fit(np.ones(shape), y[: shape[0]])


@every_case
def test_missing_target_is_refused(case):
    X, _ = case.data()
    with refused("y", "None"):
        case.make().fit(X, None)


@every_case
def test_target_of_another_length_is_refused(case):
    X, y = case.data()
    with refused("70", "69"):
        case.make().fit(X, y[:-1])


@every_case
def test_target_with_several_columns_is_refused(case):
    X, y = case.data()
    with refused("1d"):
        case.make().fit(X, np.column_stack([y, y]))


@pytest.mark.slow
@every_case
def test_one_feature_is_enough(case):
    X, y = case.data(n_samples=100, n_weak=0, n_irrelevant=0, noise=0.0)
    model = case.make(C="cv", n_probes=20).fit(X, y)
    assert_sensible(model, X)
    assert model.relevance_classes_.tolist() == [2]
    assert 0.0 < model.intervals_[0, 0] <= 1.0 <= model.intervals_[0, 1], "it is all of the model"


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:no feature is strong:UserWarning",
    "ignore:no learnable signal:UserWarning",
    "ignore:the baseline uses:UserWarning",
)
@every_case
@pytest.mark.parametrize("C", ["cv", 1.0])
def test_more_features_than_samples(case, C):
    X, y = case.data(n_samples=24, n_irrelevant=50, noise=0.0, label_noise=0.0)
    model = case.make(C=C, n_probes=10).fit(X, y)
    assert_sensible(model, X)
    assert model.result_.baseline["n_used"] <= 24


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:no learnable signal:UserWarning",
    "ignore:predictions are:UserWarning",
    "ignore:the baseline uses:UserWarning",
    "ignore:the target of . rows has only:UserWarning",
)
@every_case
@pytest.mark.parametrize("n_samples", [3, 4, 5])
@pytest.mark.parametrize("C", ["cv", 1.0])
def test_fewer_samples_than_folds(case, n_samples, C):
    X, y = case.data()
    if not case.is_regression:
        y = np.arange(len(y)) % 2
    assert_sensible(case.make(C=C).fit(X[:n_samples], y[:n_samples]), X[:n_samples])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the target of 2 rows has only 2 different:UserWarning")
@every_case
def test_two_samples_get_an_answer_and_a_warning(case):
    X, _ = case.data()
    with pytest.warns(UserWarning, match="the baseline uses 1 features for 2 samples"):
        model = case.make().fit(X[:2], np.array([0, 1]))
    assert_sensible(model, X[:2])


@pytest.mark.slow
@label_cases
@pytest.mark.parametrize("C", ["cv", 1.0])
def test_class_with_one_member(case, C):
    X, y = case.data()
    y = np.zeros(len(y), dtype=int)
    y[5] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", NO_SIGNAL, UserWarning)
        warnings.filterwarnings("ignore", r"\d probes are too few", UserWarning)
        warnings.filterwarnings("ignore", ".* cannot be distinguished from noise", UserWarning)
        model = case.make(C=C).fit(X, y)
    assert_sensible(model, X)
    assert model.classes_.tolist() == [0, 1]


@pytest.mark.slow
@every_case
def test_few_different_rows(case):
    """All rows of a class are alike: one distinct row per class."""
    rng = np.random.default_rng(0)
    column = rng.permutation(np.arange(60) % 2)
    model = case.make(C="cv", n_probes=20).fit(column[:, None].astype(float), column)
    assert model.relevance_classes_.tolist() == [2]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
@every_case
def test_columns_that_are_all_constant_leave_nothing_to_learn(case):
    _, y = case.data()
    model = case.make(C="cv").fit(np.full((len(y), 2), 3.7), y)
    assert (model.relevance_classes_ == 0).all()
    assert NO_SIGNAL in model.result_.warnings[0]


@every_case
def test_numbers_too_large_to_square_are_named(case):
    X, y = case.data()
    frame = pd.DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])])
    frame["c1"] *= 1e160
    with refused("'c1'", "too large"):
        case.make().fit(frame, y)
