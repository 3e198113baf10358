"""Both factorisations against numpy on the matrix written out."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant.linear.engine.interior.factor import TallFactor, WideFactor, factorise

FACTORS = [TallFactor, WideFactor]
SHAPES = [(40, 6), (6, 40), (15, 15), (1, 5), (5, 1)]


def system(n_pieces, n_weights, q=1, *, spread=1.0, seed=0):
    """Ingredients, and the matrix they stand for."""
    random = np.random.default_rng([n_pieces, n_weights, q, seed])
    A = random.normal(size=(n_pieces, q + n_weights))
    A[:, :q] = np.eye(q)[random.integers(q, size=n_pieces)]
    W = 10.0 ** random.uniform(-spread, spread, n_pieces)
    D = 10.0 ** random.uniform(-spread, spread, n_weights)
    differences = np.diff(np.eye(q), axis=0)
    offsets = differences.T @ np.diag(random.uniform(0.5, 2.0, q - 1)) @ differences
    K = A.T @ np.diag(W) @ A
    K[:q, :q] += offsets
    K[q:, q:] += np.diag(D)
    return (A, W, offsets, D), K


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("q", [1, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_solves_as_numpy_does(factor, shape, q):
    ingredients, K = system(*shape, q=q)
    random = np.random.default_rng(1)
    factored = factor(*ingredients)
    for right in (random.normal(size=len(K)), random.normal(size=(len(K), 4))):
        got = factored.solve(right)
        assert got.shape == right.shape
        np.testing.assert_allclose(got, np.linalg.solve(K, right), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
def test_several_right_hand_sides_are_each_solved(factor, shape):
    ingredients, K = system(*shape)
    right = np.random.default_rng(2).normal(size=(len(K), 3))
    factored = factor(*ingredients)
    together = factored.solve(right)
    for k in range(3):
        np.testing.assert_allclose(together[:, k], factored.solve(right[:, k]), rtol=1e-9)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("shape", [(40, 6), (10, 40)])
def test_residuals_stay_small_over_many_magnitudes(factor, shape):
    ingredients, K = system(*shape, spread=3.0)
    right = np.random.default_rng(3).normal(size=len(K))
    solution = factor(*ingredients).solve(right)
    scale = np.abs(K) @ np.abs(solution) + np.abs(right)
    assert (np.abs(K @ solution - right) <= 1e-9 * scale).all()


@pytest.mark.parametrize("factor", FACTORS)
def test_nothing_given_is_changed(factor):
    ingredients, K = system(10, 12)
    right = np.ones(len(K))
    before = [part.copy() for part in (*ingredients, right)]
    factor(*ingredients).solve(right)
    for now, then in zip((*ingredients, right), before, strict=True):
        np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize(
    ("shape", "expected"), [((40, 6), TallFactor), ((6, 40), WideFactor), ((10, 11), TallFactor)]
)
def test_the_shape_decides(shape, expected):
    ingredients, _ = system(*shape)
    assert type(factorise(*ingredients)) is expected


@pytest.mark.parametrize("n_settled", [0, 1, 3, 5, 7])
@pytest.mark.parametrize("q", [1, 3])
def test_weights_that_are_settled_are_not_eliminated(n_settled, q):
    (A, W, offsets, D), K = system(6, 40, q=q)
    settled = 3 + 5 * np.arange(n_settled)
    K[q + settled, q + settled] -= D[settled] * (1.0 - 1e-12)
    D[settled] *= 1e-12
    factored = factorise(A, W, offsets, D)
    # The pieces do not tell more of them apart.
    assert type(factored) is (WideFactor if n_settled == 0 or n_settled + q <= 6 else TallFactor)
    if n_settled + q <= 6:
        right = np.random.default_rng(4).normal(size=(len(K), 2))
        scale = np.abs(K) @ np.abs(solution := factored.solve(right)) + np.abs(right)
        assert (np.abs(K @ solution - right) <= 1e-9 * scale).all()
        np.testing.assert_allclose(solution, np.linalg.solve(K, right), rtol=1e-6, atol=1e-9)


def test_exact_duplicates_can_be_factorised():
    (A, W, offsets, D), K = system(40, 6)
    A[:, 3], A[:, 4] = A[:, 2], 0.0
    D[:] = 1e-9
    K = A.T @ np.diag(W) @ A + np.diag(np.append(0.0, D))
    right = K @ np.ones(len(K))
    solution = TallFactor(A, W, offsets, D).solve(right)
    np.testing.assert_allclose(K @ solution, right, atol=1e-6 * np.abs(right).max())


def test_an_indefinite_matrix_is_refused():
    A, W = np.zeros((3, 3)), np.ones(3)
    with pytest.raises(np.linalg.LinAlgError):
        TallFactor(A, W, np.array([[1.0]]), np.array([1.0, -1.0]))
