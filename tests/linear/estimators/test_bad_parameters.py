"""A wrong parameter is named, and what is allowed."""

import warnings

import numpy as np
import pytest
from estimator_cases import CASES, every_case, label_cases
from refusals import refused

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
    common = {"n_probes": np.int8(5), "tolerance": 0.125, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        half = CASES["classification"].make(**common | {"C": np.float16(0.5)}).fit(X, y)
        whole = CASES["classification"].make(**common | {"C": 0.5}).fit(X, y)
    np.testing.assert_allclose(half.intervals_, whole.intervals_)
    with refused("C", "number above 0"):
        CASES["classification"].make(C=10**400).fit(X, y)


def test_parameters_are_checked_by_fit_not_before():
    assert CASES["classification"].make(C="x").C == "x"


def test_so_few_probes_that_the_threshold_is_a_guess_are_warned_of():
    X, y = CASES["classification"].data()
    with pytest.warns(UserWarning, match="^2 probes are too few: the noise threshold"):
        model = CASES["classification"].make(n_probes=2).fit(X, y)
    assert "give at least 20" in model.result_.warnings[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not CASES["classification"].make(n_probes=20).fit(X, y).result_.warnings
