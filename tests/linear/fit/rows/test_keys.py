"""Keys that the data alone determine, and that move no more than the data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant.linear.fit.rows.folds import make_splits
from allrelevant.linear.fit.rows.keys import column_order, row_keys
from allrelevant.linear.fit.rows.sample import arranged, merged


def table(seed, n=60, d=4):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d)) * random.uniform(0.1, 10.0, d) + random.normal(size=d)
    if seed % 3 == 0:
        X[:, ::2] = np.exp(np.clip(X[:, ::2], -5, 5))
    if seed % 2:
        return X, np.where(random.random(n) < 0.5, -1.0, 1.0)
    return X, random.normal(size=n)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_keys_know_neither_order_nor_sign_nor_unit_nor_name(seed):
    X, target = table(seed)
    random = np.random.default_rng(seed)
    ones = np.ones(len(X))
    keys = row_keys(target, ones, X)
    rows, columns = random.permutation(len(X)), random.permutation(X.shape[1])
    other = X * np.where(random.random(X.shape[1]) < 0.5, -1.0, 1.0)
    other = (other * random.uniform(0.01, 100.0, X.shape[1]))[rows][:, columns]
    np.testing.assert_allclose(row_keys(-target[rows], ones, other), keys[rows], atol=2e-9)
    moved = column_order(other, -target[rows], ones)
    np.testing.assert_array_equal(columns[moved], column_order(X, target, ones))


@given(seed=st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_keys_move_as_little_as_the_data(seed):
    X, target = table(seed)
    keys = row_keys(target, np.ones(len(X)), X)
    single = row_keys(target, np.ones(len(X)), X.astype(np.float32).astype(float))
    assert np.abs(single - keys).max() < 1e-5
    assert np.std(keys) > 0.05, "rows are told apart"


@pytest.mark.parametrize("has_classes", [True, False])
def test_two_rows_that_change_places_change_no_other_fold(has_classes):
    X, target = table(1 if has_classes else 2)
    sample = arranged(merged(X, target, np.ones(len(X))))
    swapped = np.arange(len(X))
    swapped[[20, 21]] = 21, 20
    before, after = (
        make_splits(s, 5, has_classes=has_classes) for s in (sample, sample.take(swapped))
    )
    for one, two in zip(before, after, strict=True):
        assert set(one.test) ^ set(swapped[two.test]) <= {20, 21}


def test_single_precision_changes_no_fold():
    for seed in range(30):
        X, target = table(seed, 120)
        tested = []
        for values in (X, X.astype(np.float32).astype(float)):
            sample = arranged(merged(values, target, np.ones(len(X))))
            splits = make_splits(sample, 5, has_classes=bool(seed % 2))
            tested.append([sample.X.dense()[split.test] for split in splits])
        for one, two in zip(*tested, strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-6)


def test_mirrored_rows_are_told_apart_by_what_differs_elsewhere():
    """Two columns with the same means: only how they go with the others tells them apart."""
    corners = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
    X = np.repeat(corners, [5, 3, 2, 4, 4, 1, 6, 2], axis=0)
    found = merged(X, np.where(X.sum(axis=1) > 1, 1.0, -1.0), np.ones(len(X)))
    keys = row_keys(found.target, found.count, found.X.dense())
    assert len(np.unique(keys)) == len(keys)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_keys_and_folds_do_not_know_the_names_of_classes_without_an_order(seed):
    X, _ = table(seed)
    random = np.random.default_rng(seed)
    ones, target = np.ones(len(X)), random.choice(4, len(X), p=[0.4, 0.3, 0.2, 0.1]).astype(float)
    other = random.permutation(4).astype(float)[target.astype(int)]
    keys = row_keys(target, ones, X, has_order=False)
    np.testing.assert_allclose(row_keys(other, ones, X, has_order=False), keys, atol=2e-9)
    assert np.std(keys) > 0.05, "rows are told apart"
    np.testing.assert_array_equal(
        column_order(X, other, ones, has_order=False),
        column_order(X, target, ones, has_order=False),
    )
    folds = [
        make_splits(
            arranged(merged(X, codes, ones, source=np.arange(len(X))), has_order=False),
            5,
            has_classes=True,
            has_order=False,
        )
        for codes in (target, other)
    ]
    for one, two in zip(*folds, strict=True):
        np.testing.assert_array_equal(one.test, two.test)
