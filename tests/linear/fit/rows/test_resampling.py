"""Rows drawn again and columns shuffled: by keys, by groups, and for many observations at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from allrelevant.linear.fit.rows.resampling import draw_again, shuffled, shuffled_rows
from allrelevant.linear.fit.rows.sample import Sample, arranged, merged


def sample_of(n=200, count=None, group=None, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    count = np.ones(n) if count is None else np.asarray(count, dtype=float)
    target = np.where(X[:, 0] + random.normal(size=n) > 0, 1.0, -1.0)
    return arranged(merged(X, target, count, None, group))


# Drawing again


def test_an_observation_is_drawn_once_in_the_mean_with_a_variance_of_one():
    sample = sample_of()
    drawn = np.array([draw_again(sample, seed) for seed in range(200)])
    assert (drawn >= 0).all()
    np.testing.assert_allclose(drawn.mean(axis=1), 1.0)
    assert np.abs(drawn.mean(axis=0) - 1.0).max() < 0.4
    assert drawn.var() == pytest.approx(1.0, rel=0.1)
    assert (drawn == 0).mean() == pytest.approx(1 / 3, abs=0.05)


def test_sums_of_what_is_drawn_spread_as_those_of_a_bootstrap():
    sample = sample_of()
    for values in (
        sample.X.dense()[:, 0],
        sample.target,
        np.abs(sample.X.dense()[:, 1]),
        sample.X.dense() @ np.ones(3),
    ):
        means = [float(draw_again(sample, seed) @ values) / 200 for seed in range(300)]
        assert np.std(means) == pytest.approx(values.std() / np.sqrt(200), rel=0.2)


def test_samples_are_drawn_independently():
    sample = sample_of()
    drawn = np.array([draw_again(sample, seed) for seed in range(25)])
    between = np.corrcoef(drawn)[np.triu_indices(25, 1)]
    assert np.abs(between).max() < 0.5
    assert np.std(between) < 2.0 / np.sqrt(200)


def test_of_many_observations_about_as_many_are_drawn():
    count = np.random.default_rng(1).integers(1, 1000, 200) * 1.0
    count[0] = 1.0
    sample = sample_of(count=count)
    drawn = np.array([draw_again(sample, seed) for seed in range(100)])
    np.testing.assert_allclose(drawn @ sample.numbers, count.sum())
    variance = (drawn - 1.0).var(axis=0) * sample.numbers
    assert np.median(variance) == pytest.approx(1.0, rel=0.2)


def test_groups_are_drawn_whole():
    group = np.random.default_rng(0).integers(40, size=200)
    sample = sample_of(group=group)
    drawn = draw_again(sample, 3)
    assert all(np.ptp(drawn[sample.group == g]) == 0 for g in range(sample.n_groups))
    assert len(np.unique(drawn)) > 15


def test_what_is_drawn_hardly_moves_with_the_keys():
    sample = sample_of()
    noise = 1e-6 * np.random.default_rng(0).normal(size=len(sample.X))
    moved = replace(sample, key=sample.key + noise)
    for seed in range(25):
        np.testing.assert_allclose(draw_again(moved, seed), draw_again(sample, seed), atol=5e-3)


# Shuffling


def test_single_observations_change_places():
    sample = sample_of()
    column = shuffled(sample.X.dense()[:, 0], sample, np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(column), np.sort(sample.X.dense()[:, 0]))
    order = shuffled_rows(sample, np.random.default_rng(0))
    np.testing.assert_array_equal(column, sample.X.dense()[order, 0])


def kink(values, weight):
    """What a row pays near its kink."""
    return float(weight @ np.maximum(values, 0.0))


@pytest.mark.slow
@pytest.mark.parametrize("binary", [False, True])
def test_many_observations_of_a_row_are_shuffled_as_if_each_was_one(binary):
    """Means and losses near a kink spread as those of repeated rows that are permuted."""
    random = np.random.default_rng(0)
    count = random.integers(5, 60, 200)
    sample = sample_of(count=count)
    values = (sample.X.dense()[:, 0] > 1.0) * 1.0 if binary else sample.X.dense()[:, 0]
    values = values - np.average(values, weights=sample.numbers)
    each = np.repeat(np.arange(len(sample.X)), sample.numbers.astype(int))
    one_row = sample.row == 7
    score = np.where(sample.X.dense()[:, 1] > 0, 1.0, -1.0)
    found, expected = [], []
    for seed in range(150):
        mine = shuffled(values, sample, np.random.default_rng(seed))
        apart = values[each][np.random.default_rng(seed).permutation(len(each))]
        whole, few = sample.numbers, sample.numbers[one_row]
        found.append([mine @ (whole * score), mine[one_row] @ few, kink(mine, whole)])
        inside = one_row[each]
        expected.append([apart @ score[each], apart[inside].sum(), np.maximum(apart, 0).sum()])
    np.testing.assert_allclose(np.std(found, axis=0)[:2], np.std(expected, axis=0)[:2], rtol=0.25)
    # Two parts show less of the spread of a rare value: noise may seem to reach a little farther.
    paid, due = np.mean(found, axis=0)[2], np.mean(expected, axis=0)[2]
    assert (0.5 if binary else 0.8) * due < paid < 1.05 * due
    assert np.abs(np.mean(found, axis=0)[:2] / np.std(found, axis=0)[:2]).max() < 0.4


def test_rows_of_a_group_change_places_together():
    group = np.repeat(np.arange(20), 10)
    sample = sample_of(group=group)
    order = shuffled_rows(sample, np.random.default_rng(0))
    for g in range(20):
        assert len(set(sample.group[order[sample.group == g]])) == 1


def test_rows_without_keys_can_be_drawn_as_well():
    bare = Sample(np.zeros((30, 1)), np.zeros(30), np.ones(30), np.ones(30))
    assert draw_again(bare, 0).mean() == pytest.approx(1.0)


def test_levels_of_a_category_stay_together_where_rows_are_several_observations():
    sample = sample_of(count=np.random.default_rng(0).integers(1, 4, 200))
    level = np.arange(len(sample.X)) % 3
    columns = (level[:, None] == np.arange(3)).astype(float).T
    first = columns[0]
    copies = [shuffled(one, sample, np.random.default_rng(5), first) for one in columns]
    np.testing.assert_allclose(np.sum(copies, axis=0), 1.0)
    alone = [shuffled(one, sample, np.random.default_rng(5)) for one in columns]
    np.testing.assert_array_equal(copies[0], alone[0])
    assert np.ptp(np.sum(alone, axis=0)) > 0.1, "else nothing was tried"
