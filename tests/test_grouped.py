"""Columns of one category are one feature to the reader."""

import numpy as np
from plots.fakes import make_result

from allrelevant.grouped import by_feature


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
