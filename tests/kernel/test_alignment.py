"""Kernel-target alignment: its gradient, and that it finds the columns that matter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from allrelevant.kernel.alignment import _centred, aligned_widths, alignment, ordinal_target


def goal(rank):
    target = _centred(ordinal_target(rank))
    return target / np.linalg.norm(target)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.floats(-4.0, 1.0))
def test_gradient_agrees_with_finite_differences(seed, level):
    rng = np.random.RandomState(seed)
    X, rank = rng.randn(15, 3), np.arange(15.0) % 4
    log_widths = level + rng.uniform(-1, 1, 3)
    value, gradient = alignment(log_widths, X, goal(rank))
    assert -1.0 <= value <= 1.0
    numeric = approx_fprime(log_widths, lambda z: alignment(z, X, goal(rank))[0], 1e-6)
    np.testing.assert_allclose(gradient, numeric, atol=2e-5)


def test_target_falls_with_the_distance_of_ranks():
    expected = [[1, -1, -3], [-1, 1, -2], [-3, -2, 1]]
    np.testing.assert_array_equal(ordinal_target(np.array([0.0, 1.0, 3.0])), expected)


def test_alignment_is_that_of_the_definition():
    rng = np.random.RandomState(0)
    X, rank = rng.randn(12, 2), np.arange(12.0) % 3
    H = np.eye(12) - 1 / 12
    widths = np.array([0.3, 0.8])
    K = np.exp(-((X[:, None] - X) ** 2 @ widths))
    K, T = H @ K @ H, H @ ordinal_target(rank) @ H
    expected = (K * T).sum() / np.linalg.norm(K) / np.linalg.norm(T)
    assert alignment(np.log(widths), X, goal(rank))[0] == pytest.approx(expected)


@pytest.mark.parametrize("use_unlabelled", [False, True])
def test_noise_gets_a_smaller_width_than_signal(use_unlabelled):
    rng = np.random.RandomState(0)
    X = rng.randn(120, 4)
    rank = np.searchsorted([-0.5, 0.5], X[:, 0]).astype(float)
    rank[60:] = -1
    widths = aligned_widths(X, rank, 0.25, use_unlabelled, rng)
    assert widths.shape == (4,)
    if use_unlabelled:  # neighbours count every column, so the second search tells less
        assert widths[0] > widths[1:].mean()
    else:
        assert widths[0] > 5 * widths[1:].max()


def test_alignment_does_not_fall():
    rng = np.random.RandomState(3)
    X = rng.randn(50, 3)
    rank = np.searchsorted([0.0], X[:, 1]).astype(float)
    widths = aligned_widths(X, rank, 1 / 3, False, rng)
    before = alignment(np.log(np.full(3, 1 / 3)), X, goal(rank))[0]
    assert alignment(np.log(widths), X, goal(rank))[0] > before


def test_one_class_leaves_the_widths():
    X = np.random.RandomState(0).randn(10, 2)
    widths = aligned_widths(X, np.zeros(10), 0.5, False, np.random.RandomState(0))
    np.testing.assert_allclose(widths, 0.5)


@pytest.mark.parametrize("scale", [0.0, 1e-9])
def test_rows_that_are_all_alike_leave_widths_where_they_are(scale):
    X = 1e4 + scale * np.random.RandomState(0).randn(8, 2)
    rank = np.array([0.0, 1.0, 2.0, 0.0, 1.0, 2.0, -1.0, -1.0])
    with np.errstate(all="raise"):
        widths = aligned_widths(X, rank, 0.5, True, np.random.RandomState(0))
    np.testing.assert_allclose(widths, 0.5)
