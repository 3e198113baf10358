"""Thresholds and probabilities on one-dimensional projections."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from allrelevant.kernel.thresholds import Midpoints, OrdinalLogit, Probabilities, rank_errors


def projections(seed, n=60, k=4, noise=0.7):
    rng = np.random.RandomState(seed)
    rank = np.arange(n) % k
    counts = np.zeros((n, k))
    counts[np.arange(n), rank] = 1.0
    return rank + noise * rng.randn(n), counts, rank


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [2, 3, 6])
def test_logit_minimises_its_loss(seed, k):
    f, counts, _ = projections(seed, k=k)
    logit = OrdinalLogit.of(f, counts)

    def value(parameters):
        model = OrdinalLogit(logit.centre, logit.scale, parameters[0], parameters[1:])
        return model.loss(f, counts).sum() + 0.5e-2 * parameters[0] ** 2

    ours = np.append(logit.slope, logit.cuts)
    found = minimize(value, ours, method="BFGS")
    assert value(ours) <= found.fun + 1e-6
    np.testing.assert_allclose(ours, found.x, atol=1e-2)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10_000), st.integers(2, 7), st.floats(0.0, 3.0))
def test_thresholds_are_in_order_and_finite(seed, k, noise):
    f, counts, _ = projections(seed, n=4 * k, k=k, noise=noise)
    thresholds = OrdinalLogit.of(f, counts).thresholds
    assert np.isfinite(thresholds).all()
    assert (np.diff(thresholds) > 0).all()


def test_thresholds_follow_the_scale_and_place_of_the_projection():
    f, counts, _ = projections(0)
    one, other = OrdinalLogit.of(f, counts), OrdinalLogit.of(5.0 * f - 3.0, counts)
    np.testing.assert_allclose(other.thresholds, 5.0 * one.thresholds - 3.0)


def test_labels_against_the_projection_give_the_median_class():
    f, counts, rank = projections(0, n=90, k=3, noise=0.1)
    thresholds = OrdinalLogit.of(-f, counts).thresholds
    predicted = np.searchsorted(thresholds, -f)
    assert set(predicted) == {1}
    assert np.median(rank) == 1


def test_constant_projection_gives_the_median_class():
    counts = np.zeros((10, 3))
    counts[:, 0] = 1.0
    counts[:3] = [0.0, 1.0, 0.0]
    counts[3] = [0.0, 0.0, 1.0]
    thresholds = OrdinalLogit.of(np.full(10, 2.0), counts).thresholds
    assert np.searchsorted(thresholds, 2.0) == 0


def test_several_labels_of_a_row_count_as_rows():
    f, counts, _ = projections(1)
    again = OrdinalLogit.of(np.repeat(f, 2), np.repeat(counts, 2, axis=0))
    np.testing.assert_allclose(again.thresholds, OrdinalLogit.of(f, 2 * counts).thresholds)


def test_midpoints_are_halfway_and_in_order():
    np.testing.assert_allclose(Midpoints.of(np.array([0.0, 2.0, 6.0])).thresholds, [1.0, 4.0])
    np.testing.assert_allclose(Midpoints.of(np.array([0.0, 4.0, 1.0])).thresholds, [2.0, 2.5])
    np.testing.assert_allclose(Midpoints.of(np.array([5.0, 0.0, 1.0])).thresholds, [2.5, 2.5])


def test_rank_errors_count_classes():
    counts = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
    errors = rank_errors(np.array([0.0, 1.0]), np.array([2.0, -1.0, 0.5]), counts)
    np.testing.assert_array_equal(errors, [2.0, 4.0, 1.0])


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10_000), st.integers(2, 7))
def test_most_probable_class_is_the_predicted_one(seed, k):
    f, counts, _ = projections(seed, n=6 * k, k=k, noise=1.5)
    thresholds = OrdinalLogit.of(f, counts).thresholds
    probabilities = Probabilities.of(thresholds, f, counts)
    anywhere = np.linspace(f.min() - 3, f.max() + 3, 201)
    table = probabilities(anywhere)
    np.testing.assert_allclose(table.sum(axis=1), 1.0)
    np.testing.assert_array_equal(table.argmax(axis=1), np.searchsorted(thresholds, anywhere))


def test_probabilities_are_sharper_where_classes_overlap_less():
    sizes = []
    for noise in (0.2, 0.6, 1.5):
        f, counts, rank = projections(0, n=300, noise=noise)
        p = Probabilities.of(OrdinalLogit.of(f, counts).thresholds, f, counts)(f)
        own = p[np.arange(len(f)), rank].mean()
        assert p.max(axis=1).mean() == pytest.approx((p.argmax(1) == rank).mean(), abs=0.1)
        sizes.append(own)
    assert sizes[0] > sizes[1] > sizes[2]


@pytest.mark.parametrize("unit", [1e-303, 1e-250, 1e-100, 1e100])
def test_units_of_the_projection_do_not_matter(unit):
    f, counts = np.array([-1.0, -0.2, 0.1, 0.3, 1.5, 2.0]), np.eye(3)[[0, 0, 1, 0, 1, 2]]
    one, other = OrdinalLogit.of(f, counts), OrdinalLogit.of(f * unit, counts)
    np.testing.assert_allclose(other.thresholds / unit, one.thresholds, rtol=1e-6)
    p = Probabilities.of(one.thresholds, f, counts)(f)
    q = Probabilities.of(one.thresholds * unit, f * unit, counts)(f * unit)
    np.testing.assert_allclose(p, q, rtol=1e-6)


@pytest.mark.parametrize("n_copies", [[1, 50, 20_000], [1, 20_000, 1], [10_000, 1, 1]])
def test_rows_of_very_many_labels(n_copies):
    f = np.array([0.0, 1.0, 2.0, 2.1])
    counts = np.eye(3)[[0, 1, 2, 2]] * np.array([*n_copies, 1])[:, None]
    found = OrdinalLogit.of(f, counts)
    np.testing.assert_array_equal(np.searchsorted(found.thresholds, f), [0, 1, 2, 2])
    assert found.loss(f, counts).sum() < 1.0


@pytest.mark.filterwarnings("error")
def test_projection_that_all_but_vanishes_gives_finite_probabilities():
    f, counts = np.array([-3e-308, 1e-308, 3e-308]), np.eye(3)
    logit = OrdinalLogit.of(f, counts)
    p = Probabilities.of(logit.thresholds, f, counts)(f)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
