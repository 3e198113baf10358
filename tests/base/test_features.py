"""Which columns belong to which feature."""

from dataclasses import replace

import numpy as np
import pytest

from allrelevant.base.features import Features

COLUMNS = ["age", "town=a", "dose", "town=b", "town=c"]
TOWN = {"town": ["town=c", "town=a", "town=b"]}


def test_without_groups_every_column_is_a_feature():
    found = Features.of(COLUMNS)
    assert found.names == found.columns == tuple(COLUMNS)
    assert found.places == ((0,), (1,), (2,), (3,), (4,))
    assert found.several == {}
    assert found.parts == {}
    assert found.owner.tolist() == found.first.tolist() == [0, 1, 2, 3, 4]


def test_a_feature_is_where_its_first_column_was():
    found = Features.of(COLUMNS, TOWN)
    assert found.names == ("age", "town", "dose")
    assert found.places == ((0,), (4, 1, 3), (2,)), "columns as they were given"
    assert found.owner.tolist() == [0, 1, 2, 1, 1]
    assert len(found) == 3
    assert list(found.several) == [1]


def test_columns_may_have_one_name():
    found = Features.of(["age", "age", "dose"], {"only": [2]})
    assert found.names == ("age", "age", "only")
    assert found.columns_of("dose") == found.columns_of("only") == (2,)
    with pytest.raises(ValueError, match="'age', which several features are called"):
        found.position("age")


def test_features_and_single_columns_by_name_and_position():
    found = Features.of(COLUMNS, TOWN)
    assert found.position("dose") == found.position(-1) == 2
    assert found.columns_of("town") == found.columns_of(1) == (4, 1, 3)
    assert found.columns_of("town=b") == (3,)
    assert found.part("town=b") == 3
    assert found.part("town") is found.part("age") is found.part(1) is None
    with pytest.raises(ValueError, match="forbid names position 3, but there are 3 features"):
        found.columns_of(3, "forbid")


def test_values_of_columns_by_feature():
    found = Features.of(COLUMNS, TOWN)
    assert found.largest(np.array([1, 5, 2, 9, 3])).tolist() == [1, 9, 2]


def test_beside_curves_categories_pass_by_their_norm_alone():
    columns = [*COLUMNS, "bowl[1]", "bowl[2]"]
    found = Features.of(columns, {**TOWN, "bowl": ["bowl[1]", "bowl[2]"]})
    assert found.by_norm == frozenset()
    assert replace(found, curves=(3,)).by_norm == {1, 3}
