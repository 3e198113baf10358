"""The index of stability and the bound on false selections, against what hands can compute."""

import numpy as np
import pytest

from allrelevant.results.stability.index import false_selections, set_stability


def test_a_small_example_by_hand():
    """Shares 2/3 and 1/3, sets of one of two features: 1 − (1/3)/(1/4)."""
    index, low, high = set_stability(np.array([[1, 0], [1, 0], [0, 1]], dtype=bool))
    assert index == pytest.approx(-1 / 3)
    # Deviations of the parts 4/18, 4/18 and −8/18: the error is 2/3 of the root of 96/324.
    reach = 1.959964 * 2 / 3 * np.sqrt(96 / 324)
    assert (low, high) == pytest.approx((-1 / 3 - reach, -1 / 3 + reach))


def test_sets_of_two_of_three():
    index, low, high = set_stability(np.array([[1, 1, 0], [1, 0, 1]], dtype=bool))
    assert index == pytest.approx(1 - (1 / 3) / (2 / 9))
    assert low == pytest.approx(high)  # two sets that mirror one another do not vary


def test_the_error_is_that_of_the_index_as_a_function_of_the_sets_weights():
    """Every set's influence by a numerical derivative; nothing of the formula is used."""
    rng = np.random.default_rng(0)
    sets = rng.random((400, 12)) < rng.uniform(0.05, 0.95, 12)

    def index_of(weight):
        weight = weight / weight.sum()
        share = weight @ sets
        return 1 - (share * (1 - share)).mean() / (share.mean() * (1 - share.mean()))

    even, step = np.full(400, 1 / 400), 1e-6
    influence = [
        (index_of(even + step * np.eye(400)[i]) - index_of(even)) / step for i in range(400)
    ]
    error = np.sqrt(np.square(influence).sum()) / 400
    _, low, high = set_stability(sets)
    assert (high - low) / 2 == pytest.approx(1.959964 * error, rel=0.01)


def test_identical_sets_are_perfectly_stable():
    sets = np.tile(np.arange(10) < 4, (6, 1))
    assert set_stability(sets) == pytest.approx((1.0, 1.0, 1.0))


def test_random_sets_have_about_none():
    rng = np.random.default_rng(0)
    sets = np.array([rng.permutation(50) < rng.integers(1, 49) for _ in range(300)])
    index, low, high = set_stability(sets)
    assert abs(index) < 0.01
    assert low < 0 < high


@pytest.mark.parametrize("all_or_none", [True, False])
def test_without_a_choice_there_is_no_index(all_or_none):
    assert np.isnan(set_stability(np.full((4, 3), all_or_none))).all()


def test_the_bound_by_hand():
    """Ten of a hundred features on average, at 0.9: 10² / (100 · 0.8)."""
    assert false_selections(np.r_[np.ones(10), np.zeros(90)], 0.9) == pytest.approx(1.25)


def test_the_bound_holds_where_noise_is_selected_at_random():
    """Noise that every half selects with one probability: the number selected often is bounded."""
    rng = np.random.default_rng(0)
    often, bounds = [], []
    for _ in range(200):
        frequencies = (rng.random((20, 60)) < 0.4).mean(axis=0)
        often.append((frequencies >= 0.7).sum())
        bounds.append(false_selections(frequencies, 0.7))
    assert 0 < np.mean(often) <= np.mean(bounds)
