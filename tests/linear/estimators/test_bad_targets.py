"""Bad targets and weights get an error that says what is wrong, or a sensible answer."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from estimator_cases import CASES, every_case, label_cases, ordinal_cases
from refusals import assert_all_irrelevant, refused
from sklearn.base import clone

from allrelevant import RelevanceRegressor

# Targets


def test_more_than_two_classes_say_what_to_use_instead():
    X, y = CASES["reject"].data()
    words = ("RelevanceClassifier", "OrdinalRelevanceClassifier", "one class against the rest")
    with refused("3 classes", *words):
        CASES["reject"].make().fit(X, np.arange(len(y)) % 3)


def test_what_is_privileged_is_for_two_classes():
    X, y = CASES["classification"].data()
    with refused("Privileged features are for two classes", "one class against the rest"):
        CASES["classification"].make().fit(X, np.arange(len(y)) % 3, X_privileged=X)


@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
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


@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
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


@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
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
    for words in (["red"] * len(X), np.array(["red"] * len(X))):
        with refused("y must hold numbers", "string to float: 'red'. For classes"):
            case.make().fit(X, words)


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
        (lambda n: np.zeros(n), ["weight"]),  # in newer versions it is scikit-learn that says so
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


@pytest.mark.slow
@ordinal_cases
@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 2.0}])
def test_class_without_weight_is_as_if_it_were_not_there(case, class_weight):
    X, y = case.data()
    kept = y != 1
    expected = case.make(class_weight=class_weight).fit(X[kept], y[kept])
    model = case.make(class_weight=class_weight).fit(X, y, sample_weight=kept.astype(float))
    assert model.classes_.tolist() == [0, 2]
    np.testing.assert_allclose(model.intervals_, expected.intervals_, atol=1e-7)


# Units


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


@ordinal_cases
@pytest.mark.parametrize("order", [None, list(range(5000))])
def test_thousands_of_ordered_classes_are_refused_at_once(case, order):
    X = np.zeros((5000, 1))
    with refused("y has 5000 ordered classes", "takes at most 200", "regression, or merge classes"):
        case.make(classes=order).fit(X, np.arange(5000))
