"""The discriminant against the optimisation problem it stands for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from allrelevant.kernel.discriminant import (
    ClassAverages,
    _solve_positive,
    by_features,
    by_rows,
    least_on_simplex,
)


def problem(seed, n=12, r=9, k=3):
    rng = np.random.RandomState(seed)
    G = rng.randn(n, r)
    U = np.zeros((n, k))
    U[np.arange(n), np.arange(n) % k] = rng.uniform(0.5, 2.0, n)
    return G, U, rng.uniform(0.1, 2.0, r)


def scatter_by_hand(G, U):
    """Σ_q Σ_i u_iq (g_i − m_q)(g_i − m_q)ᵀ, one row after the other."""
    total = np.zeros((G.shape[1], G.shape[1]))
    for q in range(U.shape[1]):
        mean = U[:, q] @ G / U[:, q].sum()
        for weight, row in zip(U[:, q], G, strict=True):
            total += weight * np.outer(row - mean, row - mean)
    return total


@pytest.mark.parametrize("normalise", [True, False])
def test_spread_is_the_scatter_around_class_means(normalise):
    G, U, _ = problem(0)
    averages = ClassAverages(U, normalise, "smallest")
    expected = scatter_by_hand(G, U) / (U.sum() if normalise else 1.0)
    np.testing.assert_allclose(G.T @ averages.spread(G), expected, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(["average", "smallest"]))
def test_both_systems_give_the_same_direction(seed, k, separation):
    G, U, penalty = problem(seed, n=14, r=10, k=k)
    averages = ClassAverages(U, True, separation)
    rows, c = by_rows((G / penalty) @ G.T, averages)
    features, w = by_features(G, penalty, G.T @ averages.spread(G), averages)
    np.testing.assert_allclose((G / penalty).T @ c, w, atol=1e-8)
    np.testing.assert_allclose(rows.projections, features.projections, atol=1e-8)
    np.testing.assert_allclose(rows.multipliers, features.multipliers, atol=1e-6)
    np.testing.assert_allclose(rows.projections, G @ w, atol=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_smallest_gap_solves_the_primal_problem(seed):
    G, U, penalty = problem(seed, k=4)
    averages = ClassAverages(U, False, "smallest")
    scatter = G.T @ averages.spread(G)
    _, w = by_features(G, penalty, scatter, averages)
    Z = scatter + np.diag(penalty)
    D = G.T @ averages.differences

    def objective(v):
        return v[:-1] @ Z @ v[:-1] - v[-1]

    gaps = {"type": "ineq", "fun": lambda v: D.T @ v[:-1] - v[-1]}
    found = minimize(
        objective,
        np.zeros(len(w) + 1),
        constraints=[gaps],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    ours = objective(np.append(w, (D.T @ w).min()))
    assert ours <= found.fun + 1e-8
    np.testing.assert_allclose(w, found.x[:-1], atol=1e-3)


def test_average_gap_is_the_covariance_with_ranks():
    G, U, penalty = problem(1, k=4)
    averages = ClassAverages(U, True, "average")
    _, w = by_features(G, penalty, G.T @ averages.spread(G), averages)
    Z = G.T @ averages.spread(G) + np.diag(penalty)
    ranks = U @ np.arange(4) / U.sum(axis=1)
    weight = U.sum(axis=1)
    covariance = G.T @ (weight * (ranks - np.average(ranks, weights=weight)))
    expected = np.linalg.solve(Z, covariance)
    np.testing.assert_allclose(w / np.linalg.norm(w), expected / np.linalg.norm(expected))


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 7))
def test_least_on_simplex_meets_the_optimality_conditions(seed, p):
    A = np.random.RandomState(seed).randn(p + 2, p)
    Q = A.T @ A
    alpha = least_on_simplex(Q)
    assert alpha.min() >= 0
    assert alpha.sum() == pytest.approx(1.0)
    slope = Q @ alpha
    value = alpha @ slope
    assert (slope >= value - 1e-8 * np.trace(Q)).all()


@pytest.mark.parametrize(
    "Q", [np.zeros((3, 3)), np.array([[1.0, -1.0], [-1.0, 1.0]])], ids=["nothing", "opposite"]
)
def test_classes_without_an_order_leave_all_gaps_alike(Q):
    np.testing.assert_allclose(least_on_simplex(Q), 1.0 / len(Q))


def test_smallest_gap_is_as_large_as_it_can_be():
    G, U, penalty = problem(2, n=20, r=15, k=4)
    gaps = {}
    for separation in ("smallest", "average"):
        averages = ClassAverages(U, True, separation)
        direction, w = by_features(G, penalty, G.T @ averages.spread(G), averages)
        size = np.sqrt(w @ (G.T @ averages.spread(G) + np.diag(penalty)) @ w)
        gaps[separation] = np.diff(direction.means).min() / size
    assert gaps["smallest"] > gaps["average"]
    assert gaps["smallest"] > 0


def test_matrix_that_is_singular_by_rounding_is_still_solved():
    v = np.array([1.0, 2.0, -1.0])
    Z = np.outer(v, v)
    solved = _solve_positive(Z - 1e-17 * np.eye(3), Z @ np.ones((3, 1)))
    np.testing.assert_allclose(Z @ solved, Z @ np.ones((3, 1)), rtol=1e-6)


@pytest.mark.filterwarnings("error")
def test_squares_that_cancel_leave_the_penalty():
    G, U, penalty = problem(0, r=2)
    scatter = np.diag([1.0, -50.0])  # below zero by rounding errors of huge numbers
    direction, w = by_features(G, penalty, scatter, ClassAverages(U, True, "average"))
    assert np.isfinite(w).all()
    assert np.isfinite(direction.projections).all()
