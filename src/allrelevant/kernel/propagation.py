"""Label spreading: how much each row belongs to each class, from the labels of rows like it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg

from allrelevant.base.arrays import Floats
from allrelevant.kernel.features import FeatureSpace, gaussian
from allrelevant.kernel.rows import Rows

Solve = Callable[[Floats], Floats]
_SPREAD = 0.99  # the share a row takes over from its neighbours; the rest is its own label
_TINY = 1e-200
_ROUNDING = 1e-10  # what is left of a difference of equal numbers, relative to them


class Spreading:
    """``(I − a·D^{−½} S D^{−½})⁻¹ Y`` for one kernel and many sets of labels.

    S is the kernel without its diagonal, D its row sums. The matrix is factorised once; where the
    kernel is known by landmarks only, the same is solved in their low-dimensional space.
    """

    def __init__(self, X: Floats, space: FeatureSpace) -> None:
        is_exact = space.centres is not None and len(space.centres) == len(X)
        self._solve = _dense(X, space.widths) if is_exact else _low_rank(space.embedding)

    def memberships(self, rows: Rows) -> Floats:
        """Weight of each row in each class: its labels, and its share of the spread ones."""
        n_labels = rows.counts.sum(axis=1, keepdims=True)
        seeds = rows.counts / np.maximum(n_labels, 1.0)
        spread = np.maximum(self._solve(seeds), 0.0)
        total = spread.sum(axis=1, keepdims=True)
        # A row that no label reaches says nothing about any class.
        shares = np.where(total > _TINY, spread / np.maximum(total, _TINY), 0.0)
        return rows.counts + rows.free[:, None] * shares


def _dense(X: Floats, widths: Floats) -> Solve:
    S = gaussian(X, X, widths)
    np.fill_diagonal(S, 0.0)
    scale = _inverse_root(S.sum(axis=1))
    system = -_SPREAD * S * scale * scale[:, None]
    np.fill_diagonal(system, 1.0)
    factor = scipy.linalg.cho_factor(system, check_finite=False, overwrite_a=True)
    return lambda seeds: np.asarray(scipy.linalg.cho_solve(factor, seeds, check_finite=False))


def _low_rank(E: Floats) -> Solve:
    """The same with ``S = E Eᵀ − diag``, by the Woodbury identity."""
    own = np.einsum("ij,ij->i", E, E)
    degrees = E @ E.sum(axis=0) - own
    # A row like no other has rounding errors for a degree, perhaps below zero.
    scale = _inverse_root(np.where(degrees > _ROUNDING * own, degrees, 0.0))
    diagonal = 1.0 + _SPREAD * own * scale**2
    scaled = E * scale[:, None]
    inner = np.eye(E.shape[1]) / _SPREAD - scaled.T @ (scaled / diagonal[:, None])
    factor = scipy.linalg.lu_factor(inner, check_finite=False)

    def solve(seeds: Floats) -> Floats:
        first = seeds / diagonal[:, None]
        correction = scaled @ scipy.linalg.lu_solve(factor, scaled.T @ first, check_finite=False)
        return np.asarray(first + correction / diagonal[:, None])

    return solve


def _inverse_root(degrees: Floats) -> Floats:
    known = degrees > _TINY
    return np.where(known, 1.0 / np.sqrt(np.where(known, degrees, 1.0)), 0.0)
