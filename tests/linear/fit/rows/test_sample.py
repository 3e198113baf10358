"""Rows as the engine sees them: merged, told apart, numbered, and counted."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant.data import matrix_of
from allrelevant.data.scaling import Scaling
from allrelevant.linear.fit.rows.sample import Sample, arranged, merged, with_class_weights


def rows(n=12, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, 3)), np.where(random.random(n) < 0.5, -1.0, 1.0)


def content(sample):
    """Rows of a sample with what they count, whatever their order."""
    return sorted(map(tuple, np.column_stack([sample.X.dense(), sample.target, sample.count])))


# Merging


def test_equal_rows_become_one_that_counts_for_all():
    X, y = rows()
    twice = np.concatenate([np.arange(12), [3, 3, 7]])
    found = merged(X[twice], y[twice], np.ones(15))
    assert len(found.X) == 12
    assert sorted(found.count) == [1.0] * 10 + [2.0, 3.0]
    np.testing.assert_array_equal(found.count, found.weight)


def test_rows_of_different_targets_or_groups_stay_apart():
    X, _ = rows()
    same = np.array([0, 0, 0, 0])
    target, group = np.array([1.0, 1.0, -1.0, 1.0]), np.array([0, 0, 0, 1])
    found = merged(X[same], target, np.ones(4), None, group)
    assert sorted(zip(found.target, found.group, found.count, strict=True)) == [
        (-1.0, 0, 1.0),
        (1.0, 0, 2.0),
        (1.0, 1, 1.0),
    ]


def test_rows_whose_place_is_to_be_remembered_stay_apart():
    X, y = rows()
    same = np.array([0, 0, 0])
    found = merged(X[same], y[same], np.ones(3), source=np.array([4, 9, 2]))
    assert sorted(found.source) == [2, 4, 9]


def test_the_group_and_the_place_go_with_their_row():
    X, y = rows()
    group, source = np.arange(12) // 3, np.arange(100, 112)
    found = arranged(merged(X, y, np.ones(12), None, group, source))
    for k in range(12):
        place = int(np.flatnonzero((found.X.dense()[k] == X).all(axis=1))[0])
        assert found.source[k] == source[place]
    together = {frozenset((found.source[found.group == g]).tolist()) for g in range(4)}
    assert together == {frozenset(range(100 + 3 * g, 103 + 3 * g)) for g in range(4)}


# Arranging


@given(seed=st.integers(0, 500))
@settings(max_examples=40)
def test_the_order_is_that_of_the_data_alone(seed):
    random = np.random.default_rng(seed)
    X, y = rows(15, seed)
    group = random.integers(6, size=15)
    order = random.permutation(15)
    one = arranged(merged(X, y, np.ones(15), None, group))
    two = arranged(merged(X[order], y[order], np.ones(15), None, group[order]))
    np.testing.assert_array_equal(one.X.dense(), two.X.dense())
    np.testing.assert_array_equal(one.target, two.target)
    np.testing.assert_array_equal(one.group, two.group)


def test_groups_are_numbered_by_their_rows_whatever_they_are_called():
    X, y = rows(15)
    group = np.random.default_rng(1).integers(6, size=15)
    other = np.array([9, 3, 5, 0, 7, 1])[group]
    one, two = (arranged(merged(X, y, np.ones(15), None, g)) for g in (group, other))
    np.testing.assert_array_equal(one.group, two.group)
    means = [one.key[one.group == g].mean() for g in range(one.n_groups)]
    assert means == sorted(means)


def test_a_row_that_counts_twice_becomes_two_of_its_group():
    X, y = rows()
    group = np.arange(12) // 3
    count = np.where(np.arange(12) == 5, 3.0, 1.0)
    found = arranged(merged(X, y, count, None, group))
    assert len(found.X) == 14
    assert (found.count == 1.0).all()
    copies = np.flatnonzero((X[5] == found.X.dense()).all(axis=1))
    assert len(copies) == 3
    assert len(set(found.group[copies])) == 1
    assert found.n_groups == 4


def test_taking_rows_takes_all_that_goes_with_them():
    X, y = rows()
    sample = Sample(X, y, np.ones(12), np.ones(12), X[:, :1], np.arange(12), np.arange(12))
    few = sample.take(np.array([4, 2]))
    np.testing.assert_array_equal(few.X.dense(), X[[4, 2]])
    np.testing.assert_array_equal(few.privileged, X[[4, 2], :1])
    assert few.group.tolist() == few.source.tolist() == [4, 2]
    bare = Sample(X, y, np.ones(12), np.ones(12)).take(np.array([1]))
    assert bare.privileged is bare.group is bare.source is None


# Means and their errors


def test_the_error_of_a_mean_is_that_of_independent_observations():
    values = np.array([1.0, 2.0, 4.0, 9.0])
    sample = Sample(np.zeros((4, 1)), np.zeros(4), np.ones(4), np.ones(4))
    mean, error = sample.mean_and_error(values)
    assert mean == 4.0
    assert error == pytest.approx(np.sqrt((9 + 4 + 0 + 25) / 4 / 4))


def test_a_row_that_counts_twice_is_two_observations():
    values, count = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0])
    weighted = Sample(np.zeros((3, 1)), np.zeros(3), count, count)
    times = count.astype(int)
    ones = np.ones(6)
    repeated = Sample(np.zeros((6, 1)), np.zeros(6), ones, ones)
    expected = repeated.mean_and_error(np.repeat(values, times))
    assert weighted.mean_and_error(values) == pytest.approx(expected)


def test_rows_of_a_group_are_one_observation():
    """By hand: groups {1, 3} and {2, 2, 7} around their mean of 3."""
    values = np.array([1.0, 3.0, 2.0, 2.0, 7.0])
    group = np.array([0, 0, 1, 1, 1])
    sample = Sample(np.zeros((5, 1)), np.zeros(5), np.ones(5), np.ones(5), group=group)
    mean, error = sample.mean_and_error(values)
    assert mean == 3.0
    assert error == pytest.approx(np.sqrt((-2.0) ** 2 + 2.0**2) / 5)


def test_copies_of_rows_tell_no_more_where_they_are_grouped():
    values = np.random.default_rng(0).normal(size=20)
    ones = np.ones(20)
    alone = Sample(np.zeros((20, 1)), np.zeros(20), ones, ones).mean_and_error(values)
    three, group = np.repeat(values, 3), np.repeat(np.arange(20), 3)
    many = np.ones(60)
    grouped = Sample(np.zeros((60, 1)), np.zeros(60), many, many, group=group)
    assert grouped.mean_and_error(three) == pytest.approx(alone)
    apart = Sample(np.zeros((60, 1)), np.zeros(60), many, many).mean_and_error(three)
    assert apart[1] == pytest.approx(alone[1] / np.sqrt(3))


# Scales and weights


def test_constant_columns_become_zero():
    X = np.column_stack([np.full(7, 0.1), np.arange(7.0)])
    found = Scaling.of(matrix_of(X), np.ones(7)).apply(X)
    np.testing.assert_array_equal(found[:, 0], 0.0)
    assert found[:, 1].std() == pytest.approx(1.0)


def test_class_weights_change_what_losses_weigh_and_nothing_else():
    X, y = rows()
    sample = Sample(X, y, np.arange(1.0, 13.0), np.ones(12))
    found = with_class_weights(sample, {-1.0: 2.0, 1.0: 0.5})
    np.testing.assert_array_equal(found.count, sample.count)
    np.testing.assert_array_equal(found.weight, sample.count * np.where(y < 0, 2.0, 0.5))


# In how many ways a target can be dealt out


def ways(values):
    """By trying all orders."""
    return len(set(permutations(values)))


@pytest.mark.parametrize("target", [[1, 1, 0, 0, 0, 0], [0, 1, 2, 2, 2], [3, 1, 4, 1, 5], [7, 7]])
def test_no_p_value_is_below_one_in_so_many_ways(target):
    ones = np.ones(len(target))
    sample = Sample(ones[:, None], np.array(target, dtype=float), ones, ones)
    assert sample.least_p_value == pytest.approx(1.0 / ways(target))
    each = np.repeat(np.arange(len(target)), 3)
    three = np.ones(len(each))
    grouped = Sample(three[:, None], np.array(target, dtype=float)[each], three, three, group=each)
    assert grouped.least_p_value == pytest.approx(1.0 / ways(target))
    counted = Sample(ones[:2, None], np.array([0.0, 1.0]), np.array([3.0, 2.0]), ones[:2])
    assert counted.least_p_value == pytest.approx(1.0 / ways([0, 0, 0, 1, 1]))


def test_where_targets_differ_within_groups_ways_are_not_counted():
    ones = np.ones(6)
    group = np.array([0, 0, 1, 1, 2, 2])
    sample = Sample(
        ones[:, None], np.array([0.0, 1.0, 0.0, 0.0, 1.0, 1.0]), ones, ones, group=group
    )
    assert sample.least_p_value == 0.0
