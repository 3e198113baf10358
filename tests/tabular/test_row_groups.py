"""Rows that belong together: what a column says of them, and what it must not leave open."""

import numpy as np
import pandas as pd
import pytest

from allrelevant.tabular import TableError, prepare


def visits(**columns):
    table = {"age": np.linspace(20, 60, 12), "ill": [0, 1] * 6, "patient": list("aaabbbcccddd")}
    return pd.DataFrame(table | columns)


def test_the_column_is_no_feature_and_says_what_belongs_together():
    ready = prepare(visits(), "ill", groups="patient")
    assert list(ready.X.columns) == ["age"]
    assert ready.row_groups.column == "patient"
    assert ready.row_groups.codes.tolist() == np.repeat(range(4), 3).tolist()
    assert ready.row_groups.number == 4
    assert "rows of the same 'patient' were kept together: 12 rows, 4 groups" in ready.notes
    assert ready.facts["groups of rows"] == 4


def test_without_groups_there_are_none():
    ready = prepare(visits(), "ill")
    assert ready.row_groups is None
    assert "groups of rows" not in ready.facts
    assert "patient=a" in ready.features["patient"]


@pytest.mark.parametrize(
    "labels",
    [
        np.repeat([1.0, 2.0, 3.0, 4.0], 3),
        np.repeat(["1", "2 ", " 3", "4"], 3),
        pd.Series([1, "1", 1.0, 2, "2 ", 2, 3, 3, 3, 4, 4, 4], dtype=object),
        pd.Categorical(np.repeat([7, 5, 3, 1], 3)),
        np.repeat(pd.to_datetime(["2024-01-01", "2024-01-02", "2024-02-01", "2024-03-01"]), 3),
    ],
)
def test_labels_of_any_kind(labels):
    ready = prepare(visits(patient=labels), "ill", groups="patient")
    assert ready.row_groups.codes.tolist() == np.repeat(range(4), 3).tolist()


def test_rows_without_a_target_need_no_group():
    table = visits(ill=[None, *([0, 1] * 6)[1:]], patient=[None, *"aabbbcccddd"])
    ready = prepare(table, "ill", groups="patient")
    assert len(ready.row_groups.codes) == len(ready.X) == 11


def test_a_different_label_in_every_row_changes_nothing_and_says_so():
    ready = prepare(visits(patient=range(12)), "ill", groups="patient")
    assert ready.row_groups.number == 12
    assert any("different in every row: no rows belong together" in note for note in ready.notes)


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        (
            {"patient": ["a", None, "a", " ", *"bbbbcccc"]},
            {},
            r"--groups: column 'patient' is empty in rows 2, 4 \(rows below the header\): fill in "
            "who they belong to; a row that belongs to no other gets a label of its own",
        ),
        ({"patient": [np.nan, *[1.0] * 11]}, {}, "'patient' is empty in row 1 "),
        ({"ill": [None, 0, *[1] * 10], "patient": [*"aa", None, *"bbbbbbbbb"]}, {}, "in row 3 "),
        ({"patient": "a"}, {}, "'patient' is 'a' in every row: .*; leave --groups out"),
        ({"patient": [["a"]] * 12}, {}, "--groups: column 'patient' holds lists"),
        ({}, {"groups": "pateint"}, "--groups: there is no column 'pateint'; did you mean"),
        ({}, {"groups": "ill"}, "--groups: 'ill' is the target; name the column of the groups"),
        ({}, {"drop": ["patient"]}, r"--drop: 'patient' is not a feature: .*\(--groups\)"),
        ({}, {"categorical": ["patient"]}, "--categorical: 'patient' is not a feature"),
        ({}, {"numeric": ["patient"]}, "--numeric: 'patient' is not a feature"),
    ],
)
def test_what_cannot_be_is_refused_with_a_way_out(columns, options, said):
    with pytest.raises(TableError, match=said):
        prepare(visits(**columns), "ill", **{"groups": "patient", **options})


def test_it_cannot_be_named_as_a_feature():
    ready = prepare(visits(), "ill", groups="patient")
    with pytest.raises(TableError, match="--forbid: column 'patient' was left out: it says which"):
        ready.known("patient", "--forbid")


def test_other_samples_do_without_it():
    ready = prepare(visits(), "ill", groups="patient")
    assert list(ready.code(pd.DataFrame({"age": [30.0]}))) == ["age"]
