"""Tails of sums in random places, against permutations."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant.linear.fit.statistics import chance
from allrelevant.linear.fit.statistics.chance import Chance

N = 120
COLUMNS = {
    "rare": lambda random: (np.arange(N) < 8).astype(float),
    "skewed": lambda random: np.exp(random.standard_normal(N)),
    "normal": lambda random: random.standard_normal(N),
}
NUMBERS = {
    "nearly two values": lambda random: (random.random(N) < 0.2) + 0.1 * random.standard_normal(N),
    "skewed": lambda random: np.exp(random.standard_normal(N)),
}


def products(column, numbers, n_times, random):
    """What comes about when the column's values change places."""
    order = random.permuted(np.tile(np.arange(N), (n_times, 1)), axis=1)
    return np.abs(column[order] @ (numbers - numbers.mean()))


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("numbers", NUMBERS)
def test_p_values_are_those_of_permutations(column, numbers):
    random = np.random.default_rng(1)
    values, column = NUMBERS[numbers](random), COLUMNS[column](random)
    found = products(column - column.mean(), values, 20_000, random)
    once = np.ones(N)
    chance = Chance.of(values, once)
    for at in (0.05, 0.005, 0.001):
        product = float(np.quantile(found, 1.0 - at))
        # Places are drawn independently, which makes tails a little heavier.
        assert 0.5 < chance.p_value(product, column, once) / at < 2.5, at


def test_neither_shift_nor_sign_nor_scale_matters():
    random = np.random.default_rng(2)
    values, column, once = random.exponential(size=N), random.standard_normal(N), np.ones(N)
    product = 3.2 * np.sqrt(N)
    p = Chance.of(values, once).p_value(product, column, once)
    assert 1e-4 < p < 0.01
    assert Chance.of(values + 5.0, once).p_value(-product, column - 2.0, once) == pytest.approx(p)
    assert Chance.of(10.0 * values, once).p_value(10.0 * product, -column, once) == pytest.approx(p)


def test_rows_that_are_there_twice_are_two_rows():
    random = np.random.default_rng(3)
    values, column = random.exponential(size=60), random.standard_normal(60)
    twice, once = np.full(60, 2.0), np.ones(120)
    merged = Chance.of(values, twice).p_value(30.0, column, twice)
    apart = Chance.of(np.repeat(values, 2), once).p_value(30.0, np.repeat(column, 2), once)
    assert merged == pytest.approx(apart)


def test_products_that_no_order_gives_have_hardly_any_probability():
    once = np.ones(40)
    column, values = (np.arange(40) < 20) - 0.5, (np.arange(40) < 20) - 0.5
    assert Chance.of(values, once).p_value(10.0, column, once) < 1e-7
    assert Chance.of(values, once).p_value(1000.0, column, once) < 1e-7
    assert Chance.of(np.zeros(40), once).p_value(0.0, column, once) == 1.0
    assert Chance.of(values, once).p_value(0.0, np.zeros(40), once) == 1.0


def test_many_rows_are_taken_in_portions(monkeypatch):
    random = np.random.default_rng(0)
    numbers, times = NUMBERS["skewed"](random), 1.0 + random.integers(3, size=N)
    whole = Chance.of(numbers, times)
    monkeypatch.setattr(chance, "_NUMBERS_AT_ONCE", 7 * N)
    portions, nodes = Chance.of(numbers, times), whole.spline.x
    for order in (0, 1):
        np.testing.assert_allclose(portions.spline(nodes, order), whole.spline(nodes, order))
