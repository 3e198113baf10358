"""Folds keep every class in training and every group on one side, whatever the order of rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.model_selection import TimeSeriesSplit

from allrelevant.linear.fit.rows.folds import deals_for, make_splits
from allrelevant.linear.fit.rows.sample import Sample, arranged, merged


def sample_of(target, group=None, source=None):
    target = np.asarray(target, dtype=float)
    n = len(target)
    X = np.random.default_rng(0).normal(size=(n, 3))
    group = None if group is None else np.asarray(group)
    return Sample(X, target, np.ones(n), np.ones(n), group=group, source=source)


def check_sides(sample, splits):
    """Nothing is on both sides of a split, and each has two sides."""
    for split in splits:
        assert len(split.train)
        assert len(split.test)
        assert not set(split.train) & set(split.test)
        if sample.group is not None:
            assert not set(sample.group[split.train]) & set(sample.group[split.test])


# Dealt


@settings(max_examples=60)
@given(
    counts=st.lists(st.integers(1, 12), min_size=2, max_size=5),
    n_folds=st.integers(2, 7),
    seed=st.integers(0, 1000),
)
def test_every_class_is_in_every_training_part(counts, n_folds, seed):
    target = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    sample = sample_of(target)
    splits = make_splits(sample, n_folds, has_classes=True)
    check_sides(sample, splits)
    tested = np.concatenate([split.test for split in splits])
    assert len(set(tested)) == len(tested), "no row is tested twice"
    if max(counts) > 1:
        assert all(set(target[split.train]) == set(target) for split in splits)
        # All rows are tested whose class has others to learn from.
        frequent = np.isin(target, np.flatnonzero(np.array(counts) > 1))
        assert set(tested) == set(np.flatnonzero(frequent))


@pytest.mark.parametrize("n", [2, 3, 8])
def test_as_many_classes_as_rows_can_be_tried_all_the_same(n):
    splits = make_splits(sample_of(np.arange(n)), 5, has_classes=True)
    assert sorted(np.concatenate([split.test for split in splits])) == list(range(n))


def test_classes_are_spread_evenly():
    target = np.repeat([0, 1], [50, 10])
    splits = make_splits(sample_of(target), 5, has_classes=True)
    assert [np.bincount(target[split.test]).tolist() for split in splits] == [[10, 2]] * 5


def test_numbers_are_dealt_without_regard_to_them():
    sample = sample_of(np.random.default_rng(0).normal(size=23))
    splits = make_splits(sample, 5, has_classes=False)
    check_sides(sample, splits)
    assert sorted(len(split.test) for split in splits) == [4, 4, 5, 5, 5]
    assert sorted(np.concatenate([split.test for split in splits])) == list(range(23))


def test_there_are_no_more_folds_than_rows():
    assert len(make_splits(sample_of([0.1, 0.2, 0.4]), 5, has_classes=False)) == 3


def test_folds_are_dealt_anew_as_often_as_asked():
    sample = sample_of(np.tile([0, 1, 2], 10))
    splits = make_splits(sample, 5, has_classes=True, n_deals=3)
    assert [split.deal for split in splits] == [0] * 5 + [1] * 5 + [2] * 5
    for deal in range(3):
        tested = np.concatenate([split.test for split in splits if split.deal == deal])
        assert sorted(tested) == list(range(30))
    first, second = ([tuple(s.test) for s in splits if s.deal == deal] for deal in (0, 1))
    assert first != second


def test_few_rows_are_dealt_more_often():
    assert [deals_for(n) for n in (2, 10, 15, 16, 50, 75, 149, 150, 1000)] == [
        *(10, 10, 10, 10, 3, 2, 2, 1, 1)
    ]


# Groups


@settings(max_examples=60)
@given(
    sizes=st.lists(st.integers(1, 6), min_size=3, max_size=15),
    n_classes=st.integers(1, 3),
    n_folds=st.integers(2, 6),
    seed=st.integers(0, 1000),
)
def test_groups_are_never_on_both_sides(sizes, n_classes, n_folds, seed):
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(sizes)), sizes)
    if n_classes == 1:
        sample, has_classes = sample_of(random.normal(size=len(group)), group), False
    else:
        sample, has_classes = sample_of(random.integers(n_classes, size=len(group)), group), True
    try:
        splits = make_splits(sample, n_folds, has_classes=has_classes)
    except ValueError:  # few groups can have classes of their own
        assume(False)
    check_sides(sample, splits)
    for split in splits:
        if has_classes:
            assert set(sample.target[split.train]) == set(sample.target)
        groups = sample.group[split.test]
        assert np.isin(sample.group, groups).sum() == len(split.test), "a group is tested wholly"


def test_a_class_of_one_group_takes_its_whole_group_to_training():
    group = np.repeat(np.arange(6), 4)
    target = np.tile([0, 1, 0, 1], 6)
    target[0] = 2
    splits = make_splits(sample_of(target, group), 3, has_classes=True)
    assert all(0 in group[split.train] for split in splits)
    tested = np.unique(group[np.concatenate([split.test for split in splits])])
    assert tested.tolist() == [1, 2, 3, 4, 5]


def test_groups_with_classes_of_their_own_leave_nothing_to_test():
    group = np.repeat([0, 1], 10)
    with pytest.raises(ValueError, match="groups leaves nothing to test"):
        make_splits(sample_of(group, group), 5, has_classes=True)


def test_there_are_no_more_folds_than_groups():
    group = np.repeat([0, 1, 2], 10)
    for has_classes, target in ((True, np.tile([0, 1], 15)), (False, np.arange(30.0))):
        splits = make_splits(sample_of(target, group), 5, has_classes=has_classes)
        assert len(splits) == 3


# The same whatever the order


def values_tested(X, target, group, has_classes):
    """What is tested together, as values of the rows."""
    ones = np.ones(len(X))
    sample = arranged(merged(X, np.asarray(target, dtype=float), ones, None, group))
    splits = make_splits(sample, 5, has_classes=has_classes, n_deals=2)
    return [
        (
            split.deal,
            sorted(map(tuple, np.column_stack([sample.X.dense(), sample.target])[split.test])),
        )
        for split in splits
    ]


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("has_classes", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_does_not_change_a_fold(has_classes, grouped, seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(40, 3))
    target = random.integers(2, size=40) if has_classes else random.normal(size=40)
    group = random.integers(12, size=40) if grouped else None
    order = random.permutation(40)
    moved = None if group is None else group[order]
    expected = values_tested(X, target, group, has_classes)
    assert values_tested(X[order], target[order], moved, has_classes) == expected


@pytest.mark.parametrize("has_classes", [True, False])
def test_the_names_of_groups_do_not_change_a_fold(has_classes):
    random = np.random.default_rng(0)
    X, group = random.normal(size=(40, 3)), random.integers(12, size=40)
    target = random.integers(2, size=40) if has_classes else random.normal(size=40)
    renamed = random.permutation(12)[group]
    assert values_tested(X, target, renamed, has_classes) == values_tested(
        X, target, group, has_classes
    )


# Given


def given_sample(target, kept=None):
    """Rows in another order than the caller's, who counts from 0."""
    target = np.asarray(target, dtype=float)
    source = np.arange(len(target)) if kept is None else np.asarray(kept)
    order = np.random.default_rng(1).permutation(len(source))
    return sample_of(target[source][order], source=source[order])


def test_given_splits_are_those_rows_of_the_callers():
    target = np.tile([0, 1], 10)
    sample = given_sample(target)
    folds = [(np.arange(10, 20), np.arange(10)), (np.arange(10), np.arange(12, 18))]
    splits = make_splits(sample, folds, has_classes=True)
    for split, (train, test) in zip(splits, folds, strict=True):
        assert sorted(sample.source[split.train]) == train.tolist()
        assert sorted(sample.source[split.test]) == test.tolist()


def test_rows_that_do_not_count_are_in_no_split():
    sample = given_sample(np.tile([0, 1], 10), kept=np.arange(4, 20))
    (split,) = make_splits(sample, [(np.arange(10, 20), np.arange(10))], has_classes=True)
    assert sorted(sample.source[split.test]) == [4, 5, 6, 7, 8, 9]


def test_time_ordered_splits_train_on_what_was_before():
    sample = given_sample(np.tile([0, 1], 15))
    folds = list(TimeSeriesSplit(4).split(np.zeros((30, 1))))
    splits = make_splits(sample, folds, has_classes=True)
    assert len(splits) == 4
    for split in splits:
        assert sample.source[split.train].max() < sample.source[split.test].min()


def test_time_ordered_splits_begin_when_both_classes_were_seen():
    target = np.array([0] * 15 + [1, 0] * 15)
    sample = given_sample(target)
    folds = list(TimeSeriesSplit(4).split(target))
    splits = make_splits(sample, folds, has_classes=True)
    assert [len(split.train) for split in splits] == [18, 27, 36]


def test_a_class_that_was_not_seen_before_is_not_tested():
    target = np.array([0, 1] * 10 + [2, 0] * 5)
    sample = given_sample(target)
    (split,) = make_splits(sample, [(np.arange(20), np.arange(20, 30))], has_classes=True)
    assert sorted(sample.source[split.test]) == [21, 23, 25, 27, 29]


@pytest.mark.parametrize(
    "folds",
    [
        [],
        [(np.arange(20), np.arange(0))],
        [(np.arange(0), np.arange(20))],
        [(np.arange(0, 20, 2), np.arange(1, 20, 2))],  # one class each
        [(np.array([1]), np.array([3]))],
    ],
    ids=["none", "no test", "no training", "one class", "one row"],
)
def test_splits_of_which_none_can_be_used_are_refused(folds):
    sample = given_sample(np.tile([0, 1], 10))
    with pytest.raises(ValueError, match="cv has no split that can be used"):
        make_splits(sample, folds, has_classes=True)
