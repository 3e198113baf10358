"""Sums of some of many numbers, against all subsets and against permutations."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from allrelevant.linear.fit.statistics.chance import Chance
from allrelevant.linear.fit.statistics.draws import Draws


def by_all_subsets(numbers, drawn):
    """The share of the subsets of the same size whose sums are as far from their mean."""
    m = int(drawn.sum())
    sums = np.array([numbers[list(some)].sum() for some in combinations(range(len(drawn)), m)])
    away = np.abs(sums - m * numbers.mean())
    return float(np.mean(away >= abs(numbers[drawn].sum() - m * numbers.mean()) - 1e-9))


NUMBERS = {
    "two values": np.repeat([3.0, -1.0], [5, 11]),
    "three values": np.repeat([2.0, -0.5, -1.0], [4, 6, 6]),
    "nearly two values": np.repeat([2.0, -1.0], [5, 11]) + 0.1 * np.sin(np.arange(16.0)),
    "skewed": np.exp(np.sin(np.arange(16.0)) * 1.5),
}


@pytest.mark.parametrize("n_drawn", [1, 3, 8])
@pytest.mark.parametrize("kind", NUMBERS)
def test_all_subsets_are_counted(kind, n_drawn):
    numbers, random = NUMBERS[kind], np.random.default_rng(n_drawn)
    draws = Draws(numbers)
    largest = np.argsort(-numbers)[:n_drawn]
    for places in (largest, *(random.permutation(16)[:n_drawn] for _ in range(4))):
        drawn = np.isin(np.arange(16), places)
        # Where numbers are all different some sums share a place of the grid.
        off = 1e-9 if kind in ("two values", "three values") else 0.05
        assert draws.p_value(drawn) == pytest.approx(
            by_all_subsets(numbers, drawn), rel=off, abs=off / 100
        )


def test_smooth_sums_take_what_is_as_large_for_what_is_larger():
    """Five of 100 rows, all of them in a class of 33: one of 320 draws, not of 1,300."""
    numbers, column = np.repeat([1.0, -1.0], [33, 67]), np.repeat([1.0, 0.0], [5, 95])
    once = np.ones(100)
    smooth = Chance.of(numbers, once).p_value(5.0 - 5 * numbers.mean(), column, once)
    exact = Draws(numbers).p_value(column > 0)
    assert exact == pytest.approx(33 * 32 * 31 * 30 * 29 / (100 * 99 * 98 * 97 * 96))
    assert smooth < exact / 3


def test_rows_that_are_there_twice_are_two_rows():
    numbers = np.sin(np.arange(20.0))
    merged = Draws.of(numbers, np.full(20, 2.0))
    drawn = np.repeat(np.arange(20) < 4, 2)
    assert merged.p_value(drawn) == Draws(np.repeat(numbers, 2)).p_value(drawn)


def test_there_is_nothing_to_draw_or_too_much():
    assert Draws(np.ones(10)).p_value(np.arange(10) < 3) == 1.0
    assert Draws(np.arange(10.0)).p_value(np.zeros(10, dtype=bool)) == 1.0
    assert Draws(np.arange(1000.0)).p_value(np.arange(1000) < 100) is None
    two = np.arange(1000) % 2.0  # then it need not be counted one by one
    assert Draws(two).p_value(np.arange(1000) < 100) == 1.0
