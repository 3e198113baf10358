"""Many small systems of equations at once, those of saddle points.

Systems lie side by side along the last axis, so that a step of the elimination is one operation on
all of them. For some twenty columns that is twice as fast as one call of LAPACK for each.
"""

from __future__ import annotations

import numpy as np

from allrelevant.base.arrays import Floats, Ints

_LOST = {4: 1e-7, 8: 1e-15}  # of a diagonal entry: a pivot of which rounding has left nothing


def first_of_lines(n: int) -> Ints:
    """Where the lines of an upper triangle begin, if they are put one after the other."""
    lines = np.arange(n)
    return n * lines - lines * (lines - 1) // 2


class Saddles:
    """Solves ``C y + B z = p``, ``K z − Bᵀ y = r`` where C and K are positive definite.

    With −y for y the matrix is symmetric, and ``L S Lᵀ`` with a triangular L and signs S, whatever
    the order: rows of C come first, and are negative.

    Parameters
    ----------
    C, K : array of shape (n(n + 1) / 2, n_systems)
        The upper triangles, line by line.
    B : array of shape (n_first, n_second, n_systems)
    """

    def __init__(self, C: Floats, B: Floats, K: Floats) -> None:
        m, d, n_systems = B.shape
        least, tiny, huge = _LOST[K.itemsize], np.finfo(K.dtype).tiny, np.finfo(K.dtype).max / 4.0
        self._m = m
        self._lower = lower = np.empty((m + d, m + d, n_systems), dtype=K.dtype)
        for k, start in enumerate(first_of_lines(m)):
            lower[k:m, k] = C[start : start + m - k]
            np.negative(B[k], out=lower[m:, k])
        for k, start in enumerate(first_of_lines(d)):
            lower[m + k :, m + k] = K[start : start + d - k]
        signs = np.ones((m + d, 1), dtype=K.dtype)
        for k in range(m + d):
            column, known = lower[k:, k], lower[k, :k]
            if k == m:
                signs[:m] = -1.0
            lost = np.maximum(least * column[0], tiny)
            column -= np.einsum("ijb,jb->ib", lower[k:, :k], known * signs[:k])
            column[0, column[0] <= lost] = huge
            column /= np.sqrt(column[0])

    def solve(self, p: Floats, r: Floats) -> tuple[Floats, Floats]:
        """``(y, z)``, a column for each system, as the right-hand sides are."""
        lower, m = self._lower, self._m
        # Not concatenated: of transposed arrays that would keep systems apart, not side by side.
        found = np.empty((m + len(r), r.shape[1]), dtype=lower.dtype)
        found[:m], found[m:] = p, r
        for k in range(len(found)):
            found[k] /= lower[k, k]
            found[k + 1 :] -= lower[k + 1 :, k] * found[k]
        found[:m] *= -1.0
        for k in range(len(found) - 1, -1, -1):
            found[k] /= lower[k, k]
            found[:k] -= lower[k, :k] * found[k]
        return -found[:m], found[m:]
