"""Halves are complementary, of one size, and keep classes and groups."""

import numpy as np
import pytest

from allrelevant.results.stability.rows import complementary_halves


@pytest.mark.parametrize("n", [2, 3, 10, 101])
def test_halves_share_nothing_and_leave_out_nothing(n):
    for seed in range(5):
        first, second = complementary_halves(n, seed)
        assert sorted([*first, *second]) == list(range(n))
        assert abs(len(first) - len(second)) <= 1


def test_every_class_is_shared_out_evenly():
    strata = np.repeat([0.0, 1.0, 2.0], [31, 12, 1])
    for seed in range(20):
        first, second = complementary_halves(44, seed, strata=strata)
        for label in range(3):
            assert abs((strata[first] == label).sum() - (strata[second] == label).sum()) <= 1
        assert len(first) == len(second)


def test_seeds_make_other_halves_and_neither_side_is_special():
    firsts = [set(complementary_halves(20, seed)[0].tolist()) for seed in range(200)]
    assert len(set(map(frozenset, firsts))) > 190
    share = np.mean([[row in first for row in range(20)] for first in firsts], axis=0)
    assert np.abs(share - 0.5).max() < 0.15
    again = complementary_halves(20, 7)[0]
    assert set(again.tolist()) == firsts[7]


def test_rows_that_belong_together_stay_together():
    group = np.repeat(np.arange(30), np.random.default_rng(0).integers(1, 6, 30))
    strata = (group % 3 == 0).astype(float)
    for seed in range(10):
        first, second = complementary_halves(len(group), seed, strata=strata, group=group)
        assert not set(group[first]) & set(group[second])
        assert len(first) + len(second) == len(group)
        assert abs(len(first) - len(second)) <= 10  # two classes, the largest group has five rows
        patients = [len(np.unique(group[rows][strata[rows] == 1])) for rows in (first, second)]
        assert sorted(patients) == [5, 5]


def test_a_group_has_the_class_of_most_of_its_rows():
    group = np.repeat(np.arange(8), 3)
    strata = np.tile([1.0, 1.0, 0.0], 8)
    strata[12:] = 0.0
    for seed in range(10):
        first, _ = complementary_halves(24, seed, strata=strata, group=group)
        assert (np.unique(group[first]) < 4).sum() == 2
