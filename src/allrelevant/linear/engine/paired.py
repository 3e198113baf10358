"""The Newton matrix of several classes, from the columns that its pieces have.

A piece of several classes is about two of them and has zeros in the columns of all others. So
pieces of the same two classes are taken together, and of ``Aᵀ W A`` only their own blocks are
computed: with K classes about a share of 4/K² of the work.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.factor import factor_of, solve_with

_WORTH = 0.3  # of the work for the whole matrix: where there is more to do, blocks do not pay
_FEWEST = 64  # columns of a matrix for which this is worth the trouble


@dataclass(frozen=True, eq=False)
class _Group:
    """Pieces with the same columns: their place among the sorted ones, and their entries.

    `runs` has the columns, each a stretch of the sorted columns and its place in `entries`.
    """

    rows: slice
    entries: Floats
    runs: tuple[tuple[slice, slice], ...]


@dataclass(frozen=True, eq=False)
class PairedPieces:
    """Pieces sorted by the classes they are about, and columns by the pieces they are in."""

    rows: Ints
    columns: Ints
    groups: tuple[_Group, ...]

    @classmethod
    def of(cls, A: Floats, n_offsets: int) -> PairedPieces | None:
        """By the offsets that pieces have; None where blocks would hardly save anything."""
        if A.shape[1] < _FEWEST or not len(A):
            return None
        _, which = np.unique(A[:, :n_offsets] != 0, axis=0, return_inverse=True)
        rows = np.argsort(which, kind="stable")
        starts = np.append(0, np.cumsum(np.bincount(which.ravel())))
        parts = [slice(*ends) for ends in pairwise(starts.tolist())]
        used = np.array([A[rows[part]].any(axis=0) for part in parts])
        work = np.diff(starts) @ used.sum(axis=1) ** 2
        if work > _WORTH * A.size * A.shape[1]:
            return None
        columns = np.lexsort(used)
        groups = []
        for part, own in zip(parts, used[:, columns], strict=True):
            places = np.flatnonzero(own)
            entries = A[np.ix_(rows[part], columns[places])]
            ends = [0, *(np.flatnonzero(np.diff(places) > 1) + 1).tolist(), len(places)]
            runs = tuple(
                (slice(places[first], places[first] + last - first), slice(first, last))
                for first, last in pairwise(ends if len(places) else [])
            )
            groups.append(_Group(part, entries, runs))
        return cls(rows, columns, tuple(groups))

    def factorise(self, W: Floats, offsets: Floats, D: Floats) -> PairedFactor:
        """Factorise ``Aᵀ diag(W) A`` plus `offsets` on its first block and diag(D) on the rest."""
        n, q = len(self.columns), len(offsets)
        K = np.zeros((n, n), order="F")
        roots = np.sqrt(W[self.rows])[:, None]
        for group in self.groups:
            scaled = group.entries * roots[group.rows]
            products = scaled.T @ scaled
            for i, (down, of_down) in enumerate(group.runs):
                for across, of_across in group.runs[: i + 1]:
                    K[down, across] += products[of_down, of_across]
        diagonal = np.concatenate([np.zeros(q), D])
        np.einsum("ii->i", K)[:] += diagonal[self.columns]
        if offsets.any():
            place = np.argsort(self.columns)[:q]
            K[np.ix_(place, place)] += offsets
        return PairedFactor(factor_of(K), self.columns)


class PairedFactor:
    """The factorised matrix, whose columns are sorted."""

    def __init__(self, cholesky: Floats, columns: Ints) -> None:
        self._cholesky, self._columns = cholesky, columns

    def solve(self, right: Floats) -> Floats:
        """The solution for one right-hand side, or for several as columns."""
        solution = np.empty_like(right)
        solution[self._columns] = solve_with(self._cholesky, right[self._columns])
        return solution
