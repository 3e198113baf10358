"""Features of several columns that scikit-learn's transformers make."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    OneHotEncoder,
    PolynomialFeatures,
    SplineTransformer,
    StandardScaler,
)

from allrelevant import column_groups_from

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "age": RNG.normal(size=60),
        "race": RNG.choice(["a", "b", "c"], 60),
        "race_x": RNG.choice(["u", "v", "w", "z"], 60),
        "dose": RNG.normal(size=60),
    }
)
TEXT = ["race", "race_x"]


def onehot(**parameters):
    return OneHotEncoder(sparse_output=False, **parameters)


def checked(transformer, frame=FRAME):
    """The groups by name, which must be those by position, and lists of columns that are there."""
    by_position = column_groups_from(transformer.fit(frame))
    names = list(transformer.get_feature_names_out())
    transformer.set_output(transform="pandas").fit(frame)
    by_name = column_groups_from(transformer)
    assert by_name == {name: [names[k] for k in own] for name, own in by_position.items()}
    assert set().union(*by_name.values()) <= set(transformer.transform(frame).columns)
    return by_position


@pytest.mark.parametrize(
    "columns", [TEXT, ["race", "race_x"], slice("race", "race_x"), make_column_selector("race")]
)
def test_categories_beside_numbers(columns):
    both = ColumnTransformer([("hot", onehot(), columns), ("num", StandardScaler(), ["dose"])])
    assert checked(both) == {"race": [0, 1, 2], "race_x": [3, 4, 5, 6]}


@pytest.mark.parametrize("columns", [[1, 2], slice(1, 3), np.array([False, True, True, False])])
def test_columns_of_arrays(columns):
    both = ColumnTransformer([("hot", onehot(), columns)], remainder="passthrough")
    found = column_groups_from(both.fit(FRAME.to_numpy()))
    assert found == {"x1": [0, 1, 2], "x2": [3, 4, 5, 6]}


def test_names_alone_would_not_tell():
    """A level that is called like another column with its own level."""
    frame = pd.DataFrame({"a": ["b_c", "d", "e"] * 5, "a_b": ["c", "f", "g"] * 5})
    assert column_groups_from(onehot().fit(frame)) == {"a": [0, 1, 2], "a_b": [3, 4, 5]}


def test_levels_that_are_dropped_or_rare():
    assert checked(onehot(drop="first"), FRAME[TEXT]) == {"race": [0, 1], "race_x": [2, 3, 4]}
    two = FRAME.assign(sex=["m", "f"] * 30)[["sex", "race"]]
    assert checked(onehot(drop="if_binary"), two) == {"race": [1, 2, 3]}
    rare = pd.DataFrame({"a": ["x"] * 30 + ["y"] * 26 + ["p", "q", "r", "s"], "b": FRAME["race"]})
    assert checked(onehot(min_frequency=5), rare) == {"a": [0, 1, 2], "b": [3, 4, 5]}


def test_steps_one_after_the_other():
    text = make_pipeline(SimpleImputer(strategy="most_frequent"), onehot(), VarianceThreshold())
    numbers = make_pipeline(SplineTransformer(n_knots=3, degree=2), StandardScaler())
    whole = ColumnTransformer([("num", numbers, ["age", "dose"]), ("text", text, TEXT)])
    found = checked(make_pipeline(whole, "passthrough"))
    assert found == {
        "age": [0, 1, 2, 3],
        "dose": [4, 5, 6, 7],
        "race": [8, 9, 10],
        "race_x": [11, 12, 13, 14],
    }


def test_bins_and_unions():
    bins = KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform")
    numbers = FRAME[["age", "dose"]]
    assert checked(FeatureUnion([("raw", "passthrough"), ("bins", bins)]), numbers) == {
        "age": [0, 2, 3, 4],
        "dose": [1, 5, 6, 7],
    }
    assert checked(clone(bins).set_params(encode="ordinal"), numbers) == {}


def test_what_comes_from_several_is_a_feature_of_its_own():
    numbers = FRAME[["age", "dose"]]
    assert checked(PCA(2), numbers) == {}
    assert checked(PolynomialFeatures(2, include_bias=False), numbers) == {}
    assert checked(StandardScaler(), numbers) == {}


def test_it_has_to_be_fitted():
    with pytest.raises(NotFittedError):
        column_groups_from(onehot())
