"""Bad input gets an error that says what is wrong and where, or a sensible answer."""

import re
import warnings
from datetime import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from estimator_cases import CASES, binary_cases, every_case, label_cases, ordinal_cases
from sklearn.base import clone

from allrelevant import RelevanceRegressor

NAMES = ["age", "dose", "weight", "site", "day"]
NO_SIGNAL = "no learnable signal"


def refused(*words):
    """The error's message contains all these words."""
    return pytest.raises(ValueError, match="".join(f"(?=[\\s\\S]*{re.escape(w)})" for w in words))


def with_cell(X, value, row=3, column=2):
    X = X.copy()
    X[row, column] = value
    return X


def assert_all_irrelevant(model, n_features):
    np.testing.assert_array_equal(model.relevance_classes_, np.zeros(n_features))
    np.testing.assert_array_equal(model.intervals_, np.zeros((n_features, 2)))
    np.testing.assert_array_equal(model.signed_intervals_, np.zeros((n_features, 2)))
    np.testing.assert_array_equal(np.ravel(model.coef_), np.zeros(n_features))
    assert not model.support_.any()
    assert model.result_.warnings
    assert NO_SIGNAL in model.result_.warnings[0]
    assert NO_SIGNAL in repr(model.result_)


def assert_sensible(model, X):
    """Whatever the answer is, it is complete and finite."""
    d = X.shape[1]
    assert model.intervals_.shape == (d, 2)
    assert np.isfinite(model.intervals_).all()
    assert (model.intervals_[:, 0] <= model.intervals_[:, 1] + 1e-9).all()
    assert len(model.predict(X)) == len(X)
    assert len(model.result_.to_frame()) == d


# Values in X


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
    fitted = case.make().fit(X, y)
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
def test_column_of_strings_is_named(case, frame_class):
    X, y = case.data()
    columns = {"age": X[:, 0], "colour": ["red", "green"] * (len(X) // 2)}
    with refused("'colour'", "'red'"):
        case.make().fit(frame_class(columns), y)


@pytest.mark.parametrize(
    ("values", "advice"),
    [
        pytest.param([datetime(2020, 1, 1), datetime(2020, 1, 2)], "days since", id="dates"),
        pytest.param([{"a": 1}, {"a": 2}], "OneHotEncoder", id="objects"),
        pytest.param(pd.Categorical(["red", "green"]), "OneHotEncoder", id="categorical"),
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


def test_complex_and_sparse_data_are_refused():
    case = CASES["classification"]
    X, y = case.data()
    with pytest.raises(ValueError, match="Complex"):
        case.make().fit(X + 0j, y)
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="dense"):
        case.make().fit(sparse.csr_matrix(X), y)


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


@every_case
def test_one_feature_is_enough(case):
    X, y = case.data(n_samples=100, n_weak=0, n_irrelevant=0, noise=0.0)
    model = case.make(C="cv", n_probes=20).fit(X, y)
    assert_sensible(model, X)
    assert model.relevance_classes_.tolist() == [2]
    assert 0.0 < model.intervals_[0, 0] <= 1.0 <= model.intervals_[0, 1], "it is all of the model"


@every_case
@pytest.mark.parametrize("C", ["cv", 1.0])
def test_more_features_than_samples(case, C):
    X, y = case.data(n_samples=24, n_irrelevant=50, noise=0.0, label_noise=0.0)
    model = case.make(C=C, n_probes=10).fit(X, y)
    assert_sensible(model, X)
    assert model.result_.baseline["n_used"] <= 24


@every_case
@pytest.mark.parametrize("n_samples", [3, 4, 5])
@pytest.mark.parametrize("C", ["cv", 1.0])
def test_fewer_samples_than_folds(case, n_samples, C):
    X, y = case.data()
    if not case.is_regression:
        y = np.arange(len(y)) % 2
    assert_sensible(case.make(C=C).fit(X[:n_samples], y[:n_samples]), X[:n_samples])


@every_case
def test_two_samples_get_an_answer_or_a_clear_error(case):
    X, _ = case.data()
    try:
        model = case.make().fit(X[:2], np.array([0, 1]))
    except ValueError as error:
        assert "sample" in str(error)  # noqa: PT017
        assert "n_splits" not in str(error), "which is no parameter of ours"  # noqa: PT017
    else:
        assert_sensible(model, X[:2])


@label_cases
@pytest.mark.parametrize("C", ["cv", 1.0])
def test_class_with_one_member(case, C):
    X, y = case.data()
    y = np.zeros(len(y), dtype=int)
    y[5] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", NO_SIGNAL, UserWarning)
        model = case.make(C=C).fit(X, y)
    assert_sensible(model, X)
    assert model.classes_.tolist() == [0, 1]


@every_case
def test_few_different_rows(case):
    """All rows of a class are alike: one distinct row per class."""
    rng = np.random.default_rng(0)
    column = rng.permutation(np.arange(60) % 2)
    model = case.make(C="cv", n_probes=20).fit(column[:, None].astype(float), column)
    assert model.relevance_classes_.tolist() == [2]


@every_case
def test_columns_that_are_all_constant_leave_nothing_to_learn(case):
    _, y = case.data()
    model = case.make(C="cv").fit(np.full((len(y), 2), 3.7), y)
    assert (model.relevance_classes_ == 0).all()
    assert NO_SIGNAL in model.result_.warnings[0]


# Targets


@binary_cases
def test_more_than_two_classes_say_what_to_use_instead(case):
    X, y = case.data()
    words = ("OrdinalRelevanceClassifier", "RelevanceRegressor", "one class against the rest")
    with refused("3 classes", *words):
        case.make().fit(X, np.arange(len(y)) % 3)


@label_cases
@pytest.mark.parametrize("label", [1, "yes"])
def test_one_class_only_is_refused_and_named(case, label):
    X, y = case.data()
    with refused("one class", repr(label)):
        case.make().fit(X, np.full(len(y), label))


@label_cases
def test_continuous_target_is_refused_by_classifiers(case):
    X, _ = case.data()
    with refused("continuous"):
        case.make().fit(X, X[:, 0])


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("parameters", [{}, {"C": "cv", "epsilon": "cv"}])
@pytest.mark.parametrize("value", [0.0, 3.7, -1e4])
def test_constant_regression_target_has_nothing_to_learn(standardize, parameters, value):
    case = CASES["regression"]
    X, y = case.data()
    model = case.make(standardize=standardize, **parameters).fit(X, np.full(len(y), value))
    assert_all_irrelevant(model, X.shape[1])
    # Within the free deviation of 0.3 at most, any constant is as good.
    np.testing.assert_allclose(model.predict(X), value, atol=0.3 + 1e-6)


@every_case
def test_pure_noise_is_all_irrelevant_and_says_so(case):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((90, 4))
    y = rng.standard_normal(90) if case.is_regression else rng.permutation(np.arange(90) % 3)
    if case.is_binary:
        y = rng.permutation(np.arange(90) % 2)
    model = case.make(C="cv", n_probes=20, confidence=0.999).fit(X, y)
    if case.is_ordinal:  # whose C goes by the score, and some noise always scores a little
        assert not model.relevance_classes_.any()
        return
    assert_all_irrelevant(model, 4)
    assert model.equivalent_models_ is None
    assert len(set(model.predict(X).tolist())) == 1
    assert len(model.ranges_) == 4


@every_case
def test_too_small_a_given_penalty_leaves_nothing_and_says_so(case):
    X, y = case.data()
    assert_all_irrelevant(case.make(C=1e-9).fit(X, y), X.shape[1])


MISSING = {
    "nan": lambda y: np.where(np.arange(len(y)) == 0, np.nan, y),
    "None": lambda y: [None, *y[1:]],
    "object nan": lambda y: np.array([np.nan, *y[1:]], dtype=object),
    "pandas": lambda y: pd.Series([None, *y[1:]]),
    "pandas nullable": lambda y: pd.Series(y).astype("Float64").mask(np.arange(len(y)) == 0),
    "polars": lambda y: pl.Series([None, *y[1:].tolist()]),
}


@every_case
@pytest.mark.parametrize("kind", MISSING)
def test_missing_targets_are_refused(case, kind):
    X, y = case.data()
    with refused("y contains"):
        case.make().fit(X, MISSING[kind](y))


@label_cases
@pytest.mark.parametrize(
    "make_target",
    [
        pytest.param(lambda words: np.array([None, *words[1:]], dtype=object), id="object"),
        pytest.param(lambda words: pd.Series(words).mask(words.index == 0), id="series"),
        pytest.param(
            lambda words: pd.Categorical(words.mask(words.index == 0), ["a", "b"], ordered=True),
            id="categorical",
        ),
        pytest.param(lambda words: pl.Series([None, *words[1:]], dtype=pl.String), id="polars"),
        pytest.param(lambda words: pl.Series([None, *words[1:]], dtype=pl.Enum("ab")), id="enum"),
    ],
)
def test_missing_labels_among_words_are_refused(case, make_target):
    X, _ = case.data()
    words = pd.Series(["a", "b"] * (len(X) // 2))
    with refused("y contains"):
        case.make().fit(X, make_target(words))


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_regression_target_is_refused(value):
    case = CASES["regression"]
    X, y = case.data()
    y = y.copy()
    y[0] = value
    with refused("y contains", "infinity"):
        case.make().fit(X, y)


def test_regression_target_of_words_is_refused():
    case = CASES["regression"]
    X, _ = case.data()
    with refused("y"):
        case.make().fit(X, ["red"] * len(X))


@ordinal_cases
@pytest.mark.parametrize(
    ("classes", "words"),
    [
        ([0, 1], ["classes", "[2]"]),
        ([0, 1, 1, 2], ["classes", "twice"]),
        (["0", "1", "2"], ["classes", "[0, 1, 2]"]),
        ([], ["classes"]),
        (3, ["classes", "3"]),
        ("abc", ["classes", "'abc'", "lowest to highest"]),
    ],
)
def test_classes_that_do_not_name_all_labels_once_are_refused(case, classes, words):
    X, y = case.data()
    with refused(*words):
        case.make(classes=classes).fit(X, y)


# Weights


@every_case
@pytest.mark.parametrize(
    ("weight", "words"),
    [
        (lambda n: np.r_[-1.0, np.ones(n - 1)], ["sample_weight", "negative"]),
        (lambda n: np.r_[np.nan, np.ones(n - 1)], ["sample_weight", "NaN"]),
        (lambda n: np.r_[np.inf, np.ones(n - 1)], ["sample_weight", "inf"]),
        (lambda n: np.zeros(n), ["weight", "zero"]),
        (lambda n: np.r_[1.0, np.zeros(n - 1)], ["sample_weight", "two samples"]),
        (lambda n: np.ones(n - 1), ["sample_weight", "69", "70"]),
        (lambda n: np.ones((n, 2)), ["weight", "1D"]),
    ],
    ids=["negative", "nan", "inf", "all zero", "one left", "short", "two columns"],
)
def test_unusable_weights_are_refused(case, weight, words):
    X, y = case.data()
    with refused(*words):
        case.make().fit(X, y, sample_weight=weight(len(X)))


@label_cases
@pytest.mark.parametrize("C", ["cv", 1.0])
def test_weights_that_leave_one_class_are_refused(case, C):
    X, y = case.data()
    with refused("one class"):
        case.make(C=C).fit(X, y, sample_weight=(y == 1).astype(float))


@ordinal_cases
@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 2.0}])
def test_class_without_weight_is_as_if_it_were_not_there(case, class_weight):
    X, y = case.data()
    kept = y != 1
    expected = case.make(class_weight=class_weight).fit(X[kept], y[kept])
    model = case.make(class_weight=class_weight).fit(X, y, sample_weight=kept.astype(float))
    assert model.classes_.tolist() == [0, 2]
    np.testing.assert_allclose(model.intervals_, expected.intervals_, atol=1e-7)


# Parameters

WRONG = [
    ("C", "x", ["'cv'", "number above 0", "'x'"]),
    ("C", 0, ["'cv'", "number above 0", "got 0"]),
    ("C", -1.0, ["'cv'", "number above 0"]),
    ("C", np.nan, ["'cv'", "nan"]),
    ("C", np.inf, ["'cv'", "inf"]),
    ("C", None, ["'cv'", "None"]),
    ("C", True, ["'cv'", "True"]),
    ("tolerance", "x", ["'auto'", "number", "pair", "'x'"]),
    ("tolerance", -0.1, ["'auto'", "number", "pair"]),
    ("tolerance", None, ["'auto'", "number", "pair"]),
    ("tolerance", (0.1,), ["'auto'", "number", "pair (norm, loss)"]),
    ("tolerance", (0.1, 0.1, 0.1), ["'auto'", "number", "pair (norm, loss)"]),
    ("tolerance", (0.1, -0.1), ["number", "-0.1"]),
    ("tolerance", (0.1, "x"), ["number", "'x'"]),
    ("budget", "x", ["'split'", "'joint'", "'x'"]),
    ("n_probes", 1, ["whole number of at least 2", "got 1"]),
    ("n_probes", 2.5, ["whole number", "2.5"]),
    ("n_probes", "x", ["whole number", "'x'"]),
    ("n_probes", None, ["whole number", "None"]),
    ("probes", "x", ["'append'", "'replace'", "'x'"]),
    ("confidence", 0.4, ["between 0.5 and 1", "0.4"]),
    ("confidence", 1.0, ["between 0.5 and 1", "1.0"]),
    ("confidence", "x", ["between 0.5 and 1", "'x'"]),
    ("standardize", "x", ["True", "False", "'x'"]),
    ("standardize", None, ["True", "False", "None"]),
    ("select", "x", ["'relevant'", "'strong'", "'x'"]),
    ("n_jobs", 0, ["0"]),
    ("n_jobs", "x", ["'x'"]),
    ("n_jobs", 1.5, ["1.5"]),
    ("random_state", "x", ["'x'"]),
    ("random_state", -1, ["-1"]),
    ("verbose", "x", ["'x'"]),
]


@every_case
@pytest.mark.parametrize(("name", "value", "words"), WRONG)
def test_wrong_parameter_value_names_parameter_and_what_is_allowed(case, name, value, words):
    X, y = case.data()
    with refused(name, *words):
        case.make(**{name: value}).fit(X, y)


@label_cases
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("x", ["None", "'balanced'", "mapping", "'x'"]),
        (3, ["None", "'balanced'", "mapping", "3"]),
        ({7: 1.0}, ["[7]"]),
        ({0: 0.0}, ["positive"]),
        ({0: -1.0}, ["positive"]),
        ({0: np.nan}, ["positive"]),
        ({0: np.inf}, ["positive"]),
        ({0: "x"}, ["'x'"]),
    ],
)
def test_wrong_class_weight_is_refused(case, value, words):
    X, y = case.data()
    with refused("class_weight", *words):
        case.make(class_weight=value).fit(X, y)


@pytest.mark.parametrize(
    ("name", "parameter", "value", "words"),
    [
        ("regression", "epsilon", "x", ["'cv'", "at least 0", "'x'"]),
        ("regression", "epsilon", -0.1, ["'cv'", "at least 0", "-0.1"]),
        ("regression", "epsilon", None, ["'cv'", "at least 0", "None"]),
        ("regression", "epsilon", np.nan, ["'cv'", "nan"]),
        ("ordinal-explicit", "order", "x", ["'explicit'", "'implicit'", "'x'"]),
        ("ordinal-explicit", "order", None, ["'explicit'", "'implicit'", "None"]),
        ("reject", "reject_cost", 0, ["between 0 and 0.5", "got 0"]),
        ("reject", "reject_cost", 0.5, ["between 0 and 0.5", "got 0.5"]),
        ("reject", "reject_cost", 0.7, ["between 0 and 0.5", "got 0.7"]),
        ("reject", "reject_cost", -0.1, ["between 0 and 0.5", "got -0.1"]),
        ("reject", "reject_cost", "x", ["between 0 and 0.5", "'x'"]),
        ("reject", "reject_cost", None, ["between 0 and 0.5", "None"]),
        ("reject", "reject_threshold", -0.1, ["at least 0", "-0.1"]),
        ("reject", "reject_threshold", "x", ["at least 0", "'x'"]),
    ],
)
def test_wrong_value_of_an_estimators_own_parameter(name, parameter, value, words):
    case = CASES[name]
    X, y = case.data()
    with refused(parameter, *words):
        case.make(**{parameter: value}).fit(X, y)


def test_numbers_of_any_kind_are_numbers():
    X, y = CASES["classification"].data()
    common = {"n_probes": np.int8(3), "tolerance": 0.125, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        half = CASES["classification"].make(**common | {"C": np.float16(0.5)}).fit(X, y)
        whole = CASES["classification"].make(**common | {"C": 0.5}).fit(X, y)
    np.testing.assert_allclose(half.intervals_, whole.intervals_)
    with refused("C", "number above 0"):
        CASES["classification"].make(C=10**400).fit(X, y)


def test_parameters_are_checked_by_fit_not_before():
    assert CASES["classification"].make(C="x").C == "x"


# A fit that fails leaves the last one alone

FAILURES = {
    "nan": lambda X, y: (with_cell(X[:, :3], np.nan), y, {}),
    "names and strings": lambda X, y: (pd.DataFrame({"a": ["red"] * len(X)}), y, {}),
    "length": lambda X, y: (X[:, :3], y[:-1], {}),
    "missing target": lambda X, y: (X[:, :3], [None, *y[1:]], {}),
    "no target": lambda X, y: (X[:, :3], None, {}),
    "weights": lambda X, y: (X[:, :3], y, {"sample_weight": -np.ones(len(X))}),
}


def assert_unchanged(model, result, X, predicted):
    assert model.result_ is result
    assert model.n_features_in_ == X.shape[1]
    np.testing.assert_array_equal(model.predict(X), predicted)
    np.testing.assert_array_equal(model.transform(X), X[:, model.support_])


@every_case
@pytest.mark.parametrize("failure", FAILURES)
def test_failing_fit_keeps_the_last_result_and_predictions(case, failure):
    X, y = case.data()
    model = case.make().fit(X, y)
    result, predicted = model.result_, model.predict(X)
    bad_X, bad_y, keywords = FAILURES[failure](X, y)
    with pytest.raises(ValueError, match=r"."):
        model.fit(bad_X, bad_y, **keywords)
    assert_unchanged(model, result, X, predicted)


@every_case
def test_interrupted_fit_keeps_the_last_result_and_predictions(case, monkeypatch):
    X, y = case.data()
    model = case.make().fit(X, y)
    result, predicted = model.result_, model.predict(X)

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("allrelevant.linear.estimators.base.analyse", interrupt)
    other_y = 100.0 * y if case.is_regression else np.array(["a", "b", "c"])[y]
    with pytest.raises(KeyboardInterrupt):
        model.fit(100.0 * X[:, :3] + 5.0, other_y)
    assert_unchanged(model, result, X, predicted)


@every_case
def test_failing_first_fit_leaves_the_estimator_unfitted(case):
    X, y = case.data()
    model = case.make()
    with pytest.raises(ValueError, match="NaN"):
        model.fit(with_cell(X, np.nan), y)
    with pytest.raises(ValueError, match="not fitted"):
        model.predict(X)
    with pytest.raises(ValueError, match="not fitted"):
        model.transform(X)


@every_case
def test_a_good_fit_after_a_bad_one_is_like_the_first(case):
    X, y = case.data()
    model = case.make()
    with pytest.raises(ValueError, match="NaN"):
        model.fit(pd.DataFrame(with_cell(X, np.nan), columns=NAMES), y)
    model.fit(X, y)
    fresh = case.make().fit(X, y)
    assert model.result_ == fresh.result_
    assert not hasattr(model, "feature_names_in_")


def test_a_target_in_units_too_small_is_no_target_without_signal():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    y = X[:, 0] + X[:, 1] + 0.5 * random.normal(size=60)
    model = RelevanceRegressor(epsilon=0.0, C=1.0, standardize=False, n_probes=5, random_state=0)
    with refused("too small to compute with", "standardize=True"):
        model.fit(X, 1e-12 * y)
    small = clone(model).set_params(standardize=True).fit(X, 1e-12 * y)
    usual = clone(model).set_params(standardize=True).fit(X, y)
    np.testing.assert_allclose(small.intervals_, usual.intervals_, atol=1e-6)


@every_case
def test_numbers_too_large_to_square_are_named(case):
    X, y = case.data()
    frame = pd.DataFrame(X, columns=[f"c{k}" for k in range(X.shape[1])])
    frame["c1"] *= 1e160
    with refused("'c1'", "too large"):
        case.make().fit(frame, y)
