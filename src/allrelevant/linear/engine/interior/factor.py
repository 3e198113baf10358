"""The two ways to solve ``(Aᵀ W A + D) x = r`` with W and D diagonal, by the shape of A."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.linalg import lapack

from allrelevant.base.arrays import Floats, Ints

_SPREAD = 1e-7
_NONE: Ints = np.zeros(0, dtype=np.intp)


class Factor(Protocol):
    """A factorised matrix."""

    def solve(self, right: Floats) -> Floats:
        """The solution for one right-hand side, or for several as columns."""
        ...


def factorise(A: Floats, W: Floats, offsets: Floats, D: Floats) -> Factor:
    """Factorise ``Aᵀ diag(W) A`` plus `offsets` on its first block and diag(D) on the rest."""
    n_pieces, n_columns = A.shape
    if n_columns - len(offsets) > 1.2 * n_pieces:
        # Eliminating weights divides by D, which loses all digits for those that are settled.
        settled = np.flatnonzero(_SPREAD * D.max() >= D)
        # With offsets, pieces do not tell more of them apart than there are pieces.
        if not len(settled) or len(offsets) + len(settled) <= n_pieces:
            return WideFactor(A, W, offsets, D, settled)
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

    Offsets and the weights that are settled are kept, with a matrix B of their own. With
    ``u = W A x`` the others are ``(r − A_wᵀ u) / D``, and u and what is kept solve
    ``(A_w D⁻¹ A_wᵀ + W⁻¹) u − A_k x_k = A_w D⁻¹ r_w`` with ``B x_k + A_kᵀ u = r_k``.
    """

    def __init__(
        self, A: Floats, W: Floats, offsets: Floats, D: Floats, settled: Ints = _NONE
    ) -> None:
        q = len(offsets)
        rest = np.delete(np.arange(len(D)), settled)
        self._kept, self._rest = np.append(np.arange(q), q + settled), q + rest
        self._D, self._W = D[rest], W
        self._B = np.diag(np.append(np.zeros(q), D[settled]))
        self._B[:q, :q] += offsets
        self._on_kept, self._on_rest = A[:, self._kept], A[:, self._rest]
        self._root = np.sqrt(W)[:, None]
        scaled = self._root * self._on_rest / np.sqrt(self._D)
        K = scaled @ scaled.T
        np.einsum("ii->i", K)[:] += 1.0
        self._cholesky = factor_of(K)
        self._solved = self._over_pieces(self._on_kept)
        small = self._B + self._on_kept.T @ self._solved
        # Copies of one another that are settled leave no other way to tell them apart.
        diagonal = np.einsum("ii->i", small)
        if len(settled):
            diagonal += 1e-14 * float(np.abs(diagonal).max())
        self._small = small

    def solve(self, right: Floats) -> Floats:
        """The solution for one right-hand side, or for several as columns."""
        matrix = right.reshape(len(right), -1)
        solution = self._eliminate(matrix)
        # Tiny D make the elimination lose digits; one correction brings most of them back.
        solution += self._eliminate(matrix - self._times(solution))
        return solution.reshape(right.shape)

    def _times(self, x: Floats) -> Floats:
        k, w = x[self._kept], x[self._rest]
        u = self._W[:, None] * (self._on_kept @ k + self._on_rest @ w)
        return self._joined(
            self._on_kept.T @ u + self._B @ k, self._on_rest.T @ u + self._D[:, None] * w
        )

    def _over_pieces(self, right: Floats) -> Floats:
        """Solve with the matrix over the pieces, which is kept scaled."""
        return self._root * solve_with(self._cholesky, self._root * right)

    def _eliminate(self, right: Floats) -> Floats:
        scaled = right[self._rest] / self._D[:, None]
        part = self._over_pieces(self._on_rest @ scaled)
        k = np.asarray(
            np.linalg.solve(self._small, right[self._kept] - self._on_kept.T @ part), dtype=float
        )
        u = part + self._solved @ k
        return self._joined(k, scaled - (self._on_rest.T @ u) / self._D[:, None])

    def _joined(self, kept: Floats, rest: Floats) -> Floats:
        whole = np.empty((len(kept) + len(rest), kept.shape[1]))
        whole[self._kept], whole[self._rest] = kept, rest
        return whole


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
    return lapack.dpotrs(factor, right, lower=1)[0]
