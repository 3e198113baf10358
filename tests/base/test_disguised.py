"""Dates, lengths of time and what a mask hides are never taken for plain numbers or labels."""

from datetime import timedelta

import numpy as np
import pandas as pd
import polars as pl
import pytest
from refusals import refused

from allrelevant import (
    ForestRelevanceClassifier,
    ForestRelevanceRegressor,
    OrdinalKernelClassifier,
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    mean_absolute_rank_error,
)
from allrelevant.base.disguised import without_mask
from allrelevant.base.validation import check_privileged, check_table, check_weights
from allrelevant.forest.frames import table_of_numbers
from allrelevant.kernel.target import labelled

N = 40
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
HIDDEN = np.arange(N) < 5
SECONDS = (np.arange(N) % 2).astype("timedelta64[s]")
DAYS = np.datetime64("2020-01-01") + np.arange(N) % 2
LINEAR = [RelevanceClassifier, RelevanceRegressor, OrdinalRelevanceClassifier]
FORESTS = [ForestRelevanceClassifier, ForestRelevanceRegressor]


@pytest.mark.parametrize("kind", [*LINEAR, *FORESTS])
def test_a_masked_target_is_refused(kind):
    y = np.ma.array(np.arange(N) % 2, mask=HIDDEN)
    with refused("y has 5 masked values: drop those samples first."):
        kind().fit(X, y)


@pytest.mark.parametrize("kind", [*LINEAR, *FORESTS, OrdinalKernelClassifier])
@pytest.mark.parametrize(
    "y",
    [
        SECONDS,
        DAYS,
        pd.Series(SECONDS),
        pd.Series(DAYS),
        pl.Series(DAYS.astype("datetime64[ms]")),
        np.array([timedelta(k % 2) for k in range(N)], dtype=object),
        list(DAYS),
    ],
    ids=["seconds", "days", "series of seconds", "series of days", "polars", "objects", "list"],
)
def test_dates_and_lengths_of_time_are_no_target(kind, y):
    with refused("y holds dates or lengths of time", "days since some date"):
        kind().fit(X, y)


@pytest.mark.parametrize(
    "table",
    [
        np.column_stack([SECONDS, SECONDS]),
        np.column_stack([DAYS, DAYS]),
        np.column_stack([SECONDS.astype(object), X[:, 0].astype(object)]),
        pd.DataFrame({"x0": SECONDS, "b": X[:, 0]}),
    ],
    ids=["seconds", "days", "objects", "frame"],
)
def test_dates_and_lengths_of_time_are_no_features(table):
    for check in (
        lambda: check_table(RelevanceClassifier(), table),
        lambda: table_of_numbers(ForestRelevanceClassifier(), table),
        lambda: check_privileged(table, X),
    ):
        with refused("Column 'x0' does not hold numbers", "days since some date"):
            check()


@pytest.mark.parametrize("rows", [lambda M: M, list], ids=["array", "list of rows"])
def test_masked_features_are_gaps(rows):
    masked = rows(np.ma.array(X, mask=np.column_stack([HIDDEN] * 3)))
    with refused("Input X contains NaN in columns 'x0', 'x1', 'x2' (15 values)"):
        check_table(RelevanceClassifier(), masked)
    with refused("X_privileged contains NaN in columns 'p0', 'p1', 'p2' (15 values)"):
        check_privileged(masked, X)
    values, _ = table_of_numbers(ForestRelevanceClassifier(), masked)  # trees take gaps
    np.testing.assert_array_equal(np.isnan(values), np.column_stack([HIDDEN] * 3))


def test_a_mask_that_hides_nothing_changes_nothing():
    assert without_mask(np.ma.array(X)) is not None
    np.testing.assert_array_equal(check_table(RelevanceClassifier(), np.ma.array(X)), X)


def test_a_masked_label_is_none_for_the_kernel_classifier():
    np.testing.assert_array_equal(labelled(np.ma.array(np.arange(N), mask=HIDDEN)), ~HIDDEN)


def test_weights_and_groups():
    with refused("sample_weight has 5 masked values"):
        check_weights(np.ma.array(np.ones(N), mask=HIDDEN), X)
    with refused("sample_weight holds dates or lengths of time"):
        check_weights(SECONDS, X)
    with refused("sample_weight has a mean of ", "divide the weights by their mean"):
        check_weights(np.where(HIDDEN, 1e16, 1.0), X)
    with refused("groups has 5 masked values: every row needs one"):
        y = np.arange(N) % 2
        RelevanceClassifier().fit(X, y, groups=np.ma.array(np.arange(N) // 2, mask=HIDDEN))


def test_measures():
    y = np.arange(N) % 3
    with refused("y_true or y_pred has 5 masked values"):
        mean_absolute_rank_error(np.ma.array(y, mask=HIDDEN), y)
    with refused("sample_weight has 1 masked value:"):
        weights = np.ma.array(np.ones(N), mask=np.arange(N) == 3)
        mean_absolute_rank_error(y, y, sample_weight=weights)
