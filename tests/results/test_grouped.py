"""Columns of one category are one feature to the reader."""

from dataclasses import replace

import numpy as np
import pytest
from plots_fakes import make_result, make_what_if

from allrelevant import RelevanceResult
from allrelevant.results.grouped import by_feature


def with_group(**changes):
    group = {"columns": ("b=x", "b=y"), "class": "strong", "min": 0.2, "max": 0.6, "threshold": 0.1}
    group |= {"is_exact": True} | changes
    names = ["a", "b=x", "b=y", "c"]
    return make_result(1, 2, 1, names=names, column_groups={"b": group})


def test_a_group_takes_the_place_of_its_columns():
    result = with_group()
    found = by_feature(result)
    assert found.names == ("a", "b", "c")
    np.testing.assert_array_equal(found.intervals[1], [0.2, 0.6])
    assert found.class_names[1] == "strong"
    np.testing.assert_array_equal(found.intervals[[0, 2]], result.intervals[[0, 3]])
    assert found.weights[1] == np.abs(result.weights[1:3]).sum()
    assert np.isnan(found.signed_intervals[1]).all()
    assert found.thresholds is not None
    assert found.warnings == ()


def test_a_bound_that_is_not_exact_is_said():
    assert "upper bound for b" in by_feature(with_group(is_exact=False)).warnings[0]


def test_without_groups_nothing_changes():
    result = make_result()
    assert by_feature(result) is result


def test_a_group_keeps_its_own_threshold():
    found = by_feature(with_group(threshold=0.63, **{"class": "irrelevant"}))
    assert dict(found.own_thresholds) == {"b": 0.63}
    np.testing.assert_array_equal(found.upper_thresholds, [0.09, 0.63, 0.09])
    np.testing.assert_allclose(found.margins[1], [0.2 - 0.02, 0.6 - 0.63])
    assert RelevanceResult.from_json(found.to_json()) == found
    lines = str(found).splitlines()
    assert lines[1].endswith("; features of several columns have their own")
    assert "max  noise" in lines[3]
    assert [line.split()[4] for line in lines[4:]] == [
        {"b": "0.630"}.get(line.split()[0], "0.090") for line in lines[4:]
    ]
    assert found._repr_html_().count("0.630") == 1


def test_without_groups_there_is_one_threshold():
    result = make_result()
    np.testing.assert_array_equal(result.upper_thresholds, np.full(9, 0.09))
    assert "noise  0" not in str(result)
    assert "their own" not in str(result)


def test_the_baseline_uses_a_group_once():
    result = with_group()
    counted = replace(result, baseline={"n_used": 4})
    assert by_feature(counted).baseline["n_used"] == 3
    unused = replace(counted, weights=[1.0, 0.0, 0.0, 0.0], baseline={"n_used": 1})
    assert by_feature(unused).baseline["n_used"] == 1
    half = replace(counted, weights=[1.0, 0.0, -0.5, 0.0], baseline={"n_used": 2})
    assert by_feature(half).baseline["n_used"] == 2


# Answers to what-if questions


def test_a_what_if_stays_one_with_what_was_before():
    before = with_group(max=0.7)
    asked = make_what_if(before, forbid=("a",), keep=("c",))
    asked = replace(asked, column_groups=with_group(max=0.5).column_groups)
    found = by_feature(asked)
    assert found.before == by_feature(before)
    assert found.forbidden == ("a",)
    assert dict(found.constraints) == {"forbid": ("a",), "keep": ("c",)}
    np.testing.assert_allclose(found.change, [[0, 0], [0, -0.2], [0, 0]])
    assert type(found).from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("forbid", "said", "named"),
    [
        (("b",), ("b",), ("b",)),
        (("b=y", "b=x"), ("b",), ("b",)),
        (("b=y",), (), ("b=y",)),
        (("c", "b=x", "b=y", "a"), ("a", "b", "c"), ("c", "b", "a")),
    ],
)
def test_a_group_is_forbidden_where_all_its_columns_are(forbid, said, named):
    label = "strong" if forbid == ("b=y",) else "forbidden"
    asked = make_what_if(with_group(**{"class": label}), forbid=forbid)
    found = by_feature(replace(asked, before=with_group()))
    assert found.forbidden == said
    assert found.constraints["forbid"] == named
    assert found.class_names[1] == label


# How sure it is


def test_what_is_known_of_columns_is_kept_but_not_of_a_group():
    known = {"noise_thresholds": [0.1, 0.2, 0.3, 0.4], "p_values": [0.01, 0.02, 0.03, 0.04]}
    known |= {"q_values": [0.04, 0.04, 0.04, 0.04], "borderline": [True, True, False, True]}
    found = by_feature(replace(with_group(threshold=0.63), **known))
    np.testing.assert_array_equal(found.upper_thresholds, [0.1, 0.63, 0.4])
    np.testing.assert_array_equal(found.p_values, [0.01, np.nan, 0.04])
    np.testing.assert_array_equal(found.q_values, [0.04, np.nan, 0.04])
    assert found.borderline_names == ("a", "c")


def test_what_is_forbidden_could_not_be_either():
    result = replace(make_result(1, 2, 0), borderline=[True, True, True])
    found = make_what_if(result, forbid=("x1",))
    assert found.borderline_names == ("x0", "x2")
    assert found.before.borderline_names == ("x0", "x1", "x2")
    assert "2 features may pass" in str(found)
