"""What a target is taken for, and why."""

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.tabular import TableError, understand_target


def column(values, **kwargs):
    return pd.Series(values, name="y", **kwargs)


@pytest.mark.parametrize(
    ("values", "task", "why"),
    [
        (["no", "yes", "no"], "classification", "two values: no, yes"),
        ([0, 1, 1], "classification", "two values"),
        ([True, False], "classification", "two values"),
        ([0.25, 0.5], "classification", "two values"),
        ([1, 2, 3, 3], "ordinal", "whole numbers with 3 distinct values"),
        ([1.0, 2.0, 3.0], "ordinal", "whole numbers"),
        (list(range(11)), "regression", "11 distinct values"),
        ([0.1, 0.2, 0.3], "regression", "3 distinct values"),
        (["Low", "High", "Medium"], "ordinal", "known scale"),
    ],
)
def test_guesses_come_with_their_reason(values, task, why):
    target = understand_target(column(values))
    assert target.task == task
    assert target.guessed
    assert why in target.why
    assert why in target.sentence()


def test_the_order_of_a_known_scale_and_of_a_stored_one():
    assert understand_target(column(["Low", "High", "Medium"])).order == ("Low", "Medium", "High")
    kind = pd.CategoricalDtype(["b", "c", "a"], ordered=True)
    assert understand_target(column(["a", "b", "c"], dtype=kind)).order == ("b", "c", "a")


def test_a_given_order_keeps_the_type_of_the_target():
    assert understand_target(column([3, 1, 2]), order=["3", "2", "1"]).order == (3, 2, 1)
    target = understand_target(column(list("abc")), order=["c", "a", "b"])
    assert (target.task, target.guessed) == ("ordinal", False)


def test_decimal_commas_among_points_are_named():
    with pytest.raises(TableError, match="numbers with a decimal comma"):
        understand_target(column([f"-{k},5" for k in range(60)]))


def test_what_was_said_is_not_called_a_guess():
    target = understand_target(column([1, 2, 3]), task="regression")
    assert (target.task, target.guessed) == ("regression", False)
    assert understand_target(column([0, 1]), task="reject").task == "reject"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "positive"),
    [(["ja", "nein"], "nein"), ([2, 1], 2), ([True, False], True), ([1, "x"], None)],
)
def test_the_class_that_positive_weights_speak_for(values, positive):
    target = understand_target(column(values))
    assert target.positive == positive
    assert target.sentence().endswith(f"speak for {positive!r}") is (positive is not None)
    assert understand_target(column(values), for_trees=True).positive is None
    if positive is not None:
        X, y = np.linspace(-1, 1, 40).reshape(-1, 2), np.repeat(values, 10)
        assert RelevanceClassifier(C=1, n_probes=2).fit(X, y).classes_[1] == positive


def test_ordered_classes_and_numbers_have_no_positive_class():
    assert understand_target(column([1, 2, 3])).positive is None
    assert understand_target(column([1.5, 2, 3])).positive is None


def test_alphabetical_order_is_admitted():
    assert "alphabetical" in understand_target(column(list("cab")), task="ordinal").sentence()


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        ([], {}, "no values"),
        ([7, 7], {}, "one value only"),
        ([f"n{k}" for k in range(400)], {}, "400 distinct values"),
        ([f"n{k}" for k in range(400)], {}, r"is it the right column\?$"),
        (["n/k", *map(str, range(399))], {}, "most are numbers, but not n/k: make them numbers"),
        (list(map(str, range(400))), {}, "they are numbers as text: make them numbers"),
        (list(range(400)), {"task": "classification"}, "400 distinct values.* --task regression"),
        (list("ab"), {"order": ["a", "b"], "task": "reject"}, "--order is for ordered classes"),
        (list(range(400)), {"task": "ordinal"}, "400 distinct values"),
        (list("abc"), {"task": "reject"}, "3 classes"),
        (list("ab"), {"task": "regression"}, "no numbers"),
        (list("abc"), {"order": ["a", "b"]}, "--order does not name"),
        (list("ab"), {"order": ["a", "b", "a"]}, "twice"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(values, options, said):
    with pytest.raises(TableError, match=said) as caught:
        understand_target(column(values), **options)
    assert "\n" not in str(caught.value)


def test_more_than_two_classes():
    assert understand_target(column(list("abc"))).positive is None
    assert "give --order if they have one" in understand_target(column(list("abc"))).sentence()
    target = understand_target(column(list("abc")), for_trees=True)
    assert (target.task, target.order) == ("classification", None)
    assert understand_target(column([1, 2, 3]), "classification", for_trees=True).task == (
        "classification"
    )
    with pytest.raises(TableError, match="60 distinct values"):
        understand_target(column([f"n{k}" for k in range(60)]), for_trees=True)
