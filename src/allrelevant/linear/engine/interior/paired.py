"""The Newton matrix of several classes, from the columns that its pieces have.

A piece of several classes is about two of them and has zeros in the columns of all others. So the
matrix ``Aᵀ W A`` is computed block by block: one block for every class, from the pieces that are
about it, and one for every two classes, from the pieces that are about both. With K classes that is
about a share of 4/K² of the work. Products with single vectors leave the zeros out as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import scipy.sparse as sp

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.interior.factor import factor_of, solve_with

_WORTH = 0.3  # of the work for the whole matrix: where there is more to do, blocks do not pay
_FEWEST = 64  # columns of a matrix for which this is worth the trouble


@dataclass(frozen=True, eq=False)
class _Class:
    """The pieces that are about a class, by the other one, and their entries in its columns.

    `columns` has the stretch of the sorted columns that are those of the class.
    """

    rows: Ints
    entries: Floats
    columns: slice


@dataclass(frozen=True, eq=False)
class _Both:
    """Two classes, and where the pieces that are about both are among those of each."""

    one: int
    other: int
    of_one: slice
    of_other: slice


@dataclass(frozen=True, eq=False)
class PairedPieces:
    """Pieces by the classes they are about, and columns by the class they belong to."""

    columns: Ints
    classes: tuple[_Class, ...]
    pairs: tuple[_Both, ...]
    entries: sp.csr_array
    transposed: sp.csr_array

    @classmethod
    def of(cls, A: Floats, n_offsets: int) -> PairedPieces | None:
        """By the offsets that pieces have; None where blocks would hardly save anything."""
        if A.shape[1] < _FEWEST or not len(A):
            return None
        about = A[:, :n_offsets] != 0
        n_about = about.sum(axis=1)
        if n_about.max() > 2 or not n_about.all():
            return None
        about = np.column_stack([n_about == 1, about])  # the first class has no offset
        table = sp.csr_array(A)
        used = sp.csr_array(A != 0, dtype=np.int64)
        belongs = used.sum(axis=0) == (used.T @ about).T
        owner = belongs.argmax(axis=0)
        n_columns = np.bincount(owner, minlength=n_offsets + 1)
        work = ((about @ n_columns) ** 2).sum()
        if work > _WORTH * A.size * A.shape[1] or not belongs.any(axis=0).all():
            return None
        columns = np.argsort(owner, kind="stable")
        ends = np.append(0, np.cumsum(n_columns)).tolist()
        classes, places = [], []
        for k, own in enumerate(pairwise(ends)):
            rows, of_others = _by_the_other(about, k)
            classes.append(_Class(rows, A[np.ix_(rows, columns[slice(*own)])], slice(*own)))
            places.append(of_others)
        pairs = [
            _Both(k, j, places[k][j], places[j][k])
            for k, j in combinations(range(n_offsets + 1), 2)
            if places[k][j].start < places[k][j].stop
        ]
        return cls(columns, tuple(classes), tuple(pairs), table, table.T.tocsr())

    def scores(self, z: Floats) -> Floats:
        """The product of every piece with a vector."""
        return self.entries @ z

    def pull(self, values: Floats) -> Floats:
        """The product of every column with a value for each piece, or with several."""
        return self.transposed @ values

    def factorise(self, W: Floats, offsets: Floats, D: Floats) -> PairedFactor:
        """Factorise ``Aᵀ diag(W) A`` plus `offsets` on its first block and diag(D) on the rest."""
        n, q = len(self.columns), len(offsets)
        K = np.zeros((n, n), order="F")
        roots = np.sqrt(W)[:, None]
        scaled = [own.entries * roots[own.rows] for own in self.classes]
        for own, entries in zip(self.classes, scaled, strict=True):
            K[own.columns, own.columns] = entries.T @ entries
        for both in self.pairs:  # only the lower half is read
            product = scaled[both.other][both.of_other].T @ scaled[both.one][both.of_one]
            K[self.classes[both.other].columns, self.classes[both.one].columns] = product
        diagonal = np.concatenate([np.zeros(q), D])
        np.einsum("ii->i", K)[:] += diagonal[self.columns]
        if offsets.any():
            place = np.argsort(self.columns)[:q]
            K[np.ix_(place, place)] += offsets
        return PairedFactor(factor_of(K), self.columns)


def _by_the_other(about: Mask, k: int) -> tuple[Ints, list[slice]]:
    """The pieces that are about a class, sorted by the other one; where those of each other are."""
    rows = np.flatnonzero(about[:, k])
    others = about[rows]
    others[:, k] = False
    other = others.argmax(axis=1)
    ends = np.append(0, np.cumsum(np.bincount(other, minlength=about.shape[1])))
    parts = [slice(*part) for part in pairwise(ends.tolist())]
    return rows[np.argsort(other, kind="stable")], parts


class PairedFactor:
    """The factorised matrix, whose columns are sorted."""

    def __init__(self, cholesky: Floats, columns: Ints) -> None:
        self._cholesky, self._columns = cholesky, columns

    def solve(self, right: Floats) -> Floats:
        """The solution for one right-hand side, or for several as columns."""
        solution = np.empty_like(right)
        solution[self._columns] = solve_with(self._cholesky, right[self._columns])
        return solution
