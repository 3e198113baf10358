"""Categories of data frames, and the columns of 0 and 1 that stand for them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from allrelevant.tabular import TableError
from allrelevant.tabular.categories import Categories

WORDS = ["red", "green", "blue", "green"]
KINDS = {
    "object": lambda: pd.DataFrame({"hue": pd.Series(WORDS, dtype=object)}),
    "string": lambda: pd.DataFrame({"hue": pd.Series(WORDS, dtype="string")}),
    "category": lambda: pd.DataFrame({"hue": pd.Categorical(WORDS)}),
    "unused level": lambda: pd.DataFrame({"hue": pd.Categorical(WORDS, ["odd", *set(WORDS)])}),
    "ordered": lambda: pd.DataFrame({"hue": pd.Categorical(WORDS, WORDS[:3], ordered=True)}),
    "polars": lambda: pl.DataFrame({"hue": WORDS}),
    "polars categorical": lambda: pl.DataFrame({"hue": pl.Series(WORDS, dtype=pl.Categorical)}),
    "polars enum": lambda: pl.DataFrame({"hue": pl.Series(WORDS, dtype=pl.Enum(WORDS[:3]))}),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_every_way_to_say_that_it_is_one(make):
    found = Categories.of(make())
    assert found.levels == {"hue": ["blue", "green", "red"]}
    assert found.groups == {"hue": ["hue=blue", "hue=green", "hue=red"]}
    coded = found.code(make())
    assert coded.to_numpy().tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 0]]
    assert list(coded.columns) == found.groups["hue"]


def test_two_levels_are_one_column_and_a_missing_one_is_a_level():
    frame = pd.DataFrame({"a": [1.0, 2, 3], "sex": ["m", "f", "m"], "town": ["x", None, "y"]})
    found = Categories.of(frame)
    coded = found.code(frame)
    assert list(coded.columns) == ["a", "sex", "town=(missing)", "town=x", "town=y"]
    assert coded["sex"].tolist() == [1, 0, 1]
    assert list(found.groups) == ["town"]
    again = found.code(frame.iloc[[2, 0]])
    assert again.index.tolist() == [2, 0]
    np.testing.assert_array_equal(again, coded.iloc[[2, 0]])


def test_declared_numbers_are_names_of_levels():
    frame = pd.DataFrame({"code": pd.Categorical([3, 1, 2])})
    assert Categories.of(frame).groups == {"code": ["code=1", "code=2", "code=3"]}


@pytest.mark.parametrize(
    "X",
    [
        np.eye(3),
        pd.DataFrame(np.eye(3)),
        pd.DataFrame({"a": ["1.5", "2", "3"]}),  # numbers written as text
        pd.DataFrame({"a": [1, None, pd.NA]}, dtype=object),
        pd.DataFrame(np.eye(2), columns=["a", "a"]),
        pl.DataFrame(np.eye(3)),
        [[1, 2], [3, 4]],
    ],
)
def test_what_has_none_is_left_as_it_is(X):
    found = Categories.of(X)
    assert found.levels == {}
    assert found.code(X) is X


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([f"p{k}" for k in range(40)], "'p0'.*40 different values.*astype\\('category'\\)"),
        ([f"p{k % 35}" for k in range(70)], "35 different values"),
        (["2020-01-01", "2020-01-02"] * 10, "dates: make numbers"),
        (["n/k", *map(str, range(19))], "'n/k' in row 1"),
    ],
)
def test_text_that_is_no_category_is_refused(cells, said):
    with pytest.raises(TableError, match=said):
        Categories.of(pd.DataFrame({"text": cells}))
    declared = pd.DataFrame({"text": pd.Categorical(cells)})
    assert list(Categories.of(declared).levels) == ["text"], "unless it is said to be one"


def test_other_samples_must_have_the_same_levels():
    found = Categories.of(pd.DataFrame({"hue": WORDS}))
    with pytest.raises(TableError, match=r"column 'hue' has 'pink' \(known: blue, green, red\)"):
        found.code(pd.DataFrame({"hue": ["pink", "red"]}))
    with pytest.raises(TableError, match=r"has \(missing\)"):
        found.code(pd.DataFrame({"hue": [None, "red"]}))
    with pytest.raises(TableError, match="the samples lack the column 'hue'"):
        found.code(pd.DataFrame({"size": [1.0]}))
    assert found.only(["size"]).levels == {}


def test_two_columns_of_one_name():
    frame = pd.DataFrame({"hue": WORDS, "hue=red": [1.0, 2, 3, 4]})
    with pytest.raises(TableError, match="would both give a column called 'hue=red'"):
        Categories.of(frame)
