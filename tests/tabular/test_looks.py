"""What is probably not meant as it is written is told, with its column and what to do."""

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.tabular import prepare
from allrelevant.tabular.looks import in_other_letters, unit_of

N = 60


def table(**columns):
    random = np.random.default_rng(0)
    age = random.normal(size=N).round(3)
    return pd.DataFrame({"age": age, "ill": np.where(age > 0, "yes", "no"), **columns})


@pytest.mark.parametrize(
    ("form", "unit"),
    [
        *[("{} %", "%"), ("€{}", "€"), ("{} mg/day", "mg/day"), ("-{}kg", "kg"), ("$1,{}.50", "$")],
        *[("p{}", None), ("{}", None), ("€{} net", None), ("{} of all that we have seen", None)],
    ],
)
def test_numbers_with_a_unit_are_no_codes(form, unit):
    column = pd.Series([form.format(k) for k in range(100, 100 + N)])
    assert unit_of(column) == (None if unit is None else (unit, N))
    column[: N // 4] = [f"{k} other" for k in range(N // 4)]
    assert unit_of(column) is None


def test_a_column_of_numbers_with_a_unit_is_left_out_with_a_remedy():
    for cells in (range(N), np.arange(N) // 1.2):  # all are different, or most
        ready = prepare(table(dose=[f"{k} mg" for k in cells]), "ill")
        assert (
            f"{N} of {N} cells are numbers with 'mg': write them without" in ready.left_out["dose"]
        )
    codes = prepare(table(dose=[f"p{k}" for k in range(N)]), "ill").left_out["dose"]
    assert "cells are numbers" not in codes


def test_names_in_other_letters_are_told():
    assert in_other_letters(["north", "South", "south"]) == ("South", "south")
    assert in_other_letters(["north", "south"]) is None
    towns = np.array(["North", "north", "south"])[np.arange(N) % 3]
    (said,) = (note for note in prepare(table(town=towns), "ill").notes if "town" in note)
    assert "'North' and 'north' differ in capital letters, and are two of them" in said
    kinds = np.array(["Ill", "ill", "well"])[np.arange(N) % 3]
    ready = prepare(table(ill=kinds), "ill")
    assert "the classes 'Ill' and 'ill', which differ in capital letters only" in ready.notes[0]
    assert not prepare(table(), "ill").notes


def test_classes_of_hardly_any_rows_are_told():
    ready = prepare(table(ill=["yes"] + ["no"] * (N - 1)), "ill")
    assert ready.notes == [
        "class 'yes' of target 'ill' has one row: too few to test whether models recognise it"
    ]
    few = pd.Categorical(["yes"] * 4 + ["no"] * (N - 4), categories=["yes", "no", "perhaps"])
    (said,) = prepare(table(ill=few), "ill").notes
    assert "class 'yes' of target 'ill' has 4 rows" in said
    assert not prepare(table(ill=["yes"] * 5 + ["no"] * (N - 5)), "ill").notes


def test_two_numbers_with_decimals_are_classes_that_can_be_fitted():
    frame = table()
    frame["ill"] = np.where(frame["age"] > 0, 10.5, 2.0)
    ready = prepare(frame, "ill")
    assert ready.target.task == "classification"
    assert sorted(ready.y.unique()) == ["10.5", "2"]
    model = RelevanceClassifier(C=1.0, n_probes=20, random_state=0).fit(ready.X, ready.y)
    assert model.classes_[1] == ready.target.positive
    assert prepare(frame, "ill", task="regression").y.dtype == float
    frame["ill"] = np.where(frame["age"] > 0, 1.0, 2.0)
    assert prepare(frame, "ill").y.tolist() == frame["ill"].tolist()
