"""The two ways to solve ``(Aᵀ W A + D) x = r`` with W and D diagonal, by the shape of A."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.linalg import lapack

from allrelevant.base.arrays import Floats

_SPREAD = 1e-7


class Factor(Protocol):
    """A factorised matrix."""

    def solve(self, right: Floats) -> Floats:
        """The solution for one right-hand side, or for several as columns."""
        ...


def factorise(A: Floats, W: Floats, offsets: Floats, D: Floats) -> Factor:
    """Factorise ``Aᵀ diag(W) A`` plus `offsets` on its first block and diag(D) on the rest."""
    n_pieces, n_columns = A.shape
    # Eliminating weights divides by D, which loses all digits once some weights are settled.
    if n_columns - len(offsets) > 1.2 * n_pieces and D.min() > _SPREAD * D.max():
        return WideFactor(A, W, offsets, D)
    return TallFactor(A, W, offsets, D)


class TallFactor:
    """More pieces than weights: the matrix itself."""

    def __init__(self, A: Floats, W: Floats, offsets: Floats, D: Floats) -> None:
        q = len(offsets)
        scaled = A * np.sqrt(W)[:, None]
        K = scaled.T @ scaled
        K[:q, :q] += offsets
        diagonal = np.einsum("ii->i", K)
        diagonal[q:] += D
        self._cholesky = factor_of(K)

    def solve(self, right: Floats) -> Floats:
        """The solution for one right-hand side, or for several as columns."""
        return solve_with(self._cholesky, right)


class WideFactor:
    """More weights than pieces: weights are eliminated first, a matrix over the pieces is left.

    With ``u = W A x`` the weights are ``(r − A_wᵀ u) / D``, and u and the offsets solve
    ``(A_w D⁻¹ A_wᵀ + W⁻¹) u − A_b x_b = A_w D⁻¹ r_w`` with ``offsets·x_b + A_bᵀ u = r_b``.
    """

    def __init__(self, A: Floats, W: Floats, offsets: Floats, D: Floats) -> None:
        q = len(offsets)
        self._q, self._D, self._W, self._offsets = q, D, W, offsets
        self._on_offsets, self._on_weights = A[:, :q], A[:, q:]
        self._root = np.sqrt(W)[:, None]
        scaled = self._root * self._on_weights / np.sqrt(D)
        K = scaled @ scaled.T
        np.einsum("ii->i", K)[:] += 1.0
        self._cholesky = factor_of(K)
        self._solved = self._over_pieces(self._on_offsets)
        self._small = offsets + self._on_offsets.T @ self._solved

    def solve(self, right: Floats) -> Floats:
        """The solution for one right-hand side, or for several as columns."""
        matrix = right.reshape(len(right), -1)
        solution = self._eliminate(matrix)
        # Tiny D make the elimination lose digits; one correction brings most of them back.
        solution += self._eliminate(matrix - self._times(solution))
        return solution.reshape(right.shape)

    def _times(self, x: Floats) -> Floats:
        b, w = x[: self._q], x[self._q :]
        u = self._W[:, None] * (self._on_offsets @ b + self._on_weights @ w)
        return np.concatenate(
            [
                self._on_offsets.T @ u + self._offsets @ b,
                self._on_weights.T @ u + self._D[:, None] * w,
            ]
        )

    def _over_pieces(self, right: Floats) -> Floats:
        """Solve with the matrix over the pieces, which is kept scaled."""
        return self._root * solve_with(self._cholesky, self._root * right)

    def _eliminate(self, right: Floats) -> Floats:
        scaled = right[self._q :] / self._D[:, None]
        part = self._over_pieces(self._on_weights @ scaled)
        b = np.linalg.solve(self._small, right[: self._q] - self._on_offsets.T @ part)
        u = part + self._solved @ b
        return np.concatenate([b, scaled - (self._on_weights.T @ u) / self._D[:, None]])


def factor_of(K: Floats) -> Floats:
    """The lower factor of a symmetric matrix, of which only the lower half is read.

    Where it is stored by columns it is overwritten.
    """
    diagonal = np.einsum("ii->i", K)
    # A trace of regularisation keeps exact duplicates and unused offsets factorisable.
    diagonal += 1e-14 * max(float(diagonal.max(initial=0.0)), 1e-300)
    factor, info = lapack.dpotrf(K, lower=1, overwrite_a=1, clean=0)
    if info:
        raise np.linalg.LinAlgError("the Newton matrix is not positive definite")
    return factor


def solve_with(factor: Floats, right: Floats) -> Floats:
    """The solution for one right-hand side, or for several as columns, by a lower factor."""
    solution: Floats = lapack.dpotrs(factor, right, lower=1)[0]
    return solution
