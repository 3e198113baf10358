"""Programs of hinges that share most columns, and have a few weights of their own each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.batch.hinges import Hinges


@dataclass(frozen=True, eq=False)
class OwnHinges(Hinges):
    """Hinges of many programs, each with columns of its own before those that all share.

    The sizes of their weights are hinges behind all others, which have no lines in A.

    Parameters
    ----------
    shared : Hinges
        What programs are without columns of their own.
    own : array of shape (n_programs, n_own, n_pieces)
        The entries of each program's own columns in the pieces, which are the first hinges.
    own_slopes : array of shape (n_programs, n_rows, n_own)
    """

    shared: Hinges
    own: Floats
    own_slopes: Floats

    @classmethod
    def of(cls, shared: Hinges, own: Floats, own_slopes: Floats, price: Floats) -> OwnHinges:
        """The same hinges where own weights cost this in every row."""
        k = own.shape[1]
        return cls(
            shared.A,
            np.append(shared.target, np.zeros(k)),
            shared.constants,
            shared.slopes,
            np.column_stack([shared.prices, np.tile(price[:, None], k)]),
            shared,
            own,
            own_slopes,
        )

    @property
    def n_columns(self) -> int:
        """How many offsets and weights there are."""
        return self.own.shape[1] + self.A.shape[1]

    @property
    def n_hinges(self) -> int:
        """How many hinges there are."""
        return self.own.shape[1] + len(self.A)

    def lines(self, which: Mask | Ints) -> OwnHinges:
        """What some of the programs look like."""
        return OwnHinges(
            self.A,
            self.target,
            self.constants,
            self.slopes,
            self.prices,
            self.shared,
            self.own[which],
            self.own_slopes[which],
        )

    @cached_property
    def in_single_precision(self) -> OwnHinges:
        """The hinges in single precision."""
        shared = self.shared.in_single_precision
        mine: Any = (self.target, self.prices, self.own, self.own_slopes)
        target, prices, own, own_slopes = (array.astype(np.float32) for array in mine)
        constants, slopes = shared.constants, shared.slopes
        return OwnHinges(shared.A, target, constants, slopes, prices, shared, own, own_slopes)

    # Products with A

    def scores(self, z: Floats) -> Floats:
        """``A z`` at points."""
        k, n = self.own.shape[1], len(self.A)
        scores: Floats = np.empty((len(z), n + k), dtype=np.result_type(z, self.A))
        np.matmul(z[:, k:], self.A.T, out=scores[:, :n])
        scores[:, : self.own.shape[2]] += (z[:, None, :k] @ self.own)[:, 0]
        np.negative(z[:, :k], out=scores[:, n:])
        return scores

    def pulled(self, by_hinge: Floats) -> Floats:
        """``Aᵀ y`` for multipliers of hinges."""
        n = len(self.A)
        return np.concatenate([self._pulled_by_own(by_hinge), by_hinge[:, :n] @ self.A], axis=1)

    def _pulled_by_own(self, by_hinge: Floats) -> Floats:
        pieces: Floats = (self.own @ by_hinge[:, : self.own.shape[2], None])[:, :, 0]
        return pieces - by_hinge[:, len(self.A) :]

    def equations(self, which: Ints) -> Floats:
        """The lines of A of some hinges, which each program has chosen."""
        k, n = self.own.shape[1], len(self.A)
        found: Floats = np.zeros((*which.shape, self.n_columns), dtype=self.A.dtype)
        line, place = np.nonzero(which < n)
        found[line, place, k:] = self.A[which[line, place]]
        line, place = np.nonzero(which < self.own.shape[2])
        found[line, place, :k] = self.own[line, :, which[line, place]]
        line, place = np.nonzero(which >= n)
        found[line, place, which[line, place] - n] = -1.0
        return found

    # Rows

    def along(self, z: Floats) -> Floats:
        """``E z``: what the linear parts of rows are at points."""
        k = self.own.shape[1]
        along: Floats = (self.own_slopes @ z[:, :k, None])[:, :, 0]
        along += z[:, k:] @ self.slopes.T
        return along

    def gradients(self, rows: Ints, counted: Floats) -> Floats:
        """The gradients of a row for each program, where it pays this for linear hinges."""
        own = self.own_slopes[np.arange(len(rows)), rows]
        gradients: Floats = np.concatenate([own, self.slopes[rows]], axis=1)
        return gradients + self.pulled(counted)

    # Matrices of steps

    def normal_triangles(self, by_hinge: Floats) -> Floats:
        """The upper triangle of ``Aᵀ diag(by_hinge) A``, a column for each line of `by_hinge`."""
        n_lines, k, n_pieces = self.own.shape
        n, d = self.A.shape
        weighed = self.own * by_hinge[:, None, :n_pieces]
        among = weighed @ self.own.transpose(0, 2, 1)
        np.einsum("bii->bi", among)[:] += by_hinge[:, n:]
        across = (weighed.reshape(-1, n_pieces) @ self.A[:n_pieces]).reshape(n_lines, k, d)
        first = np.concatenate([among, across], axis=2).transpose(1, 2, 0)
        shared = self.shared.normal_triangles(by_hinge[:, :n])
        return np.concatenate([*(first[i, i:] for i in range(k)), shared])

    def borders(self, by_hinge: Floats) -> Floats:
        """``E + P diag(by_hinge) A``, along the last axis for each line."""
        paid = [self._pulled_by_own(by_hinge * prices).T for prices in self.prices]
        own = self.own_slopes.transpose(1, 2, 0) + np.array(paid)
        return np.concatenate([own, self.shared.borders(by_hinge[:, : len(self.A)])], axis=1)
