"""Public tables of the papers, made of what packages carry."""

import numpy as np
import pandas as pd

from benchmarks.papers.fetch import automobile, with_splits


def test_words_become_columns_and_gaps_what_is_usual():
    table = pd.DataFrame(
        {
            "symboling": [3, -2, 0, 0],
            "fuel ": ["gas", "diesel", "gas", None],  # a blank behind, as in the file
            "body": ["sedan", "wagon", "hatchback", "sedan"],
            "bore": [1.0, 3.0, np.nan, 2.0],
        }
    )
    X, y = automobile(table)
    assert y.tolist() == [3, 1, 2, 2]
    assert X[:, 0].tolist() == [1.0, 3.0, 2.0, 2.0]
    assert X[:, 1].tolist() == [1, 0, 1, 1]  # of two values one column
    assert X.shape == (4, 5)
    assert (X[:, 2:].sum(axis=1) == 1).all()


def test_every_split_has_each_row_once():
    X, y = np.arange(10.0)[:, None], np.arange(10)
    made = with_splits(X, y, 7)
    for _, one in made.groupby("split"):
        assert sorted(one["x1"]) == X[:, 0].tolist()
        assert one["part"].tolist() == ["train"] * 7 + ["test"] * 3
        assert (one["x1"] == one["y"]).all()
    orders = {tuple(one["x1"]) for _, one in made.groupby("split")}
    assert len(orders) == made["split"].nunique() == 20
