"""The neighbourhood graph and its Laplacian."""

import numpy as np
import pytest
from sklearn.metrics import euclidean_distances

from allrelevant.kernel.features import feature_space, gaussian
from allrelevant.kernel.graph import (
    adjacency,
    coordinates,
    laplacian,
    loss_of_rows,
    nearest,
    roughness,
)


@pytest.fixture
def rows():
    return np.random.RandomState(0).randn(40, 3)


def space_of(X, gamma=0.3, solver="exact"):
    return feature_space(X, np.full(X.shape[1], gamma), solver, 20, np.random.RandomState(0))


def test_links_are_neighbours_of_either_side(rows):
    S = adjacency(nearest(rows, 4)).toarray()
    distance = euclidean_distances(rows)
    np.fill_diagonal(distance, np.inf)
    near = np.zeros_like(S, dtype=bool)
    for i, row in enumerate(distance):
        near[i, np.argsort(row)[:4]] = True
    np.testing.assert_array_equal(S, (near | near.T).astype(float))


def test_roughness_is_the_sum_over_links(rows):
    S = adjacency(nearest(rows, 4))
    F = np.random.RandomState(1).randn(40, 2)
    w = np.array([0.4, -1.2])
    f = F @ w
    by_hand = sum((f[i] - f[j]) ** 2 for i, j in zip(*np.triu(S.toarray()).nonzero(), strict=True))
    assert w @ roughness(F, S) @ w == pytest.approx(by_hand)


def test_constant_functions_are_smooth(rows):
    L = laplacian(adjacency(nearest(rows, 4)))
    np.testing.assert_allclose(L @ np.ones(40), 0.0, atol=1e-12)


@pytest.mark.parametrize("gamma", [0.01, 1.0, 50.0])
def test_neighbours_in_feature_space_are_those_in_input_space(rows, gamma):
    space = space_of(rows, gamma)
    found = nearest(coordinates(rows, space, "kernel", 0.5), 5)
    np.testing.assert_array_equal(found, nearest(coordinates(rows, space, "input", 0.5), 5))
    if gamma == 1.0:  # neither nearly flat nor nearly the identity: the kernel itself agrees
        K = gaussian(rows, rows, np.full(3, gamma))
        np.fill_diagonal(K, -np.inf)
        np.testing.assert_array_equal(found, np.argsort(-K, axis=1)[:, :5])


def test_reduced_graph_uses_the_leading_dimensions(rows):
    space = space_of(rows)
    assert coordinates(rows, space, "reduced", 0.25).shape == (40, 10)
    np.testing.assert_array_equal(
        coordinates(rows, space, "reduced", 0.25), space.embedding[:, :10]
    )
    assert coordinates(rows, space, "reduced", 0.0).shape == (40, 1)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_rows_have_few_neighbours(n):
    X = np.arange(float(n))[:, None]
    S = adjacency(nearest(X, 7))
    assert S.shape == (n, n)
    assert S.sum() == n * (n - 1)


def test_rows_leave_the_graph(rows):
    S = adjacency(nearest(rows, 4))
    gone = np.zeros(40, dtype=bool)
    gone[[3, 17, 18]] = True
    touched, E = loss_of_rows(S, gone)
    rest = laplacian(S).toarray()
    rest[np.ix_(touched, touched)] -= E.toarray()
    expected = np.zeros((40, 40))
    stay = np.flatnonzero(~gone)
    kept = S.toarray()[np.ix_(stay, stay)]
    expected[np.ix_(stay, stay)] = np.diag(kept.sum(axis=1)) - kept
    np.testing.assert_allclose(rest, expected, atol=1e-12)
