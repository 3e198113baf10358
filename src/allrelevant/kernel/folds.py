"""The discriminants of all folds from one rotated feature space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.kernel.discriminant import (
    DiscriminantDirection,
    by_features,
    by_rows,
    rows_will_do,
)
from allrelevant.kernel.features import FeatureSpace
from allrelevant.kernel.fitting import Method, smooth_space
from allrelevant.kernel.graph import loss_of_rows

# In ridges. The update errs by about the square of this, in units of rounding: where a row leaves
# that nothing but its links had held, what is left is held by the ridge alone.
_LARGEST_LOSS = 1e6


@dataclass(frozen=True, eq=False)
class LabelFold:
    """Memberships and labels to learn from, hidden labels, and which rows are new by that."""

    U: Floats
    counts: Floats
    hidden: Floats
    is_new: Mask


class FoldedSpace:
    """Projections of the labelled rows, for every fold, μ and ridge.

    Without the rows new to a fold the graph's Laplacian is L − E, where E is zero but for these
    rows and their neighbours. The Gram matrix H of a fold follows from that of all rows by::

        H_fold = H + μ·H_·J (I − μ·E H_JJ)⁻¹ E H_J·

    where J are the rows E touches. Where features are fewer than the rows involved, or the ridge
    is so small that H or its update loses too many digits, ``FᵀEF`` is used instead.
    """

    def __init__(
        self,
        space: FeatureSpace,
        method: Method,
        S: sp.csr_array | None,
        folds: Sequence[LabelFold],
        by_features: bool | None = None,
    ) -> None:
        n = len(space.embedding)
        unit = 1.0 if S is None else method.link_unit(S)
        lost = [_lost(S, fold.is_new, unit) for fold in folds]
        supports = np.any([fold.U.any(axis=1) | fold.hidden.any(axis=1) for fold in folds], axis=0)
        involved = supports.copy()
        for touched, _ in lost:
            involved[touched] = True
        place = np.full(n, -1)
        place[involved] = np.arange(involved.sum())
        self._smooth = smooth_space(space, method, S, involved)
        self._support = np.flatnonzero(supports[involved])
        self._rows = np.flatnonzero(supports)
        self._n = n
        self._grams: list[Floats] = []
        self._ratio = -1.0
        self._lost = [(place[touched], E) for touched, E in lost]
        self._largest_loss = max(float(np.abs(E.data).max(initial=0.0)) for _, E in lost)
        self._averages = [method.averages_of(fold.U[self._rows]) for fold in folds]
        self._has_few_features = bool(self._smooth.G.shape[1] < 0.7 * involved.sum())
        self._by_features = by_features

    @cached_property
    def _scatters(self) -> list[Floats]:
        G = self._smooth.G[self._support]
        return [G.T @ averages.spread(G) for averages in self._averages]

    @cached_property
    def _relief(self) -> list[Floats]:
        return [self._smooth.G[J].T @ (E @ self._smooth.G[J]) for J, E in self._lost]

    def directions(self, mu: float, ridge: float) -> Iterator[DiscriminantDirection]:
        """One direction per fold; projections of rows without a label are not given."""
        by_features = self._by_features
        if by_features is None:
            rows_do = self._largest_loss * mu <= _LARGEST_LOSS * ridge
            rows_do = rows_do and rows_will_do(self._smooth.G, ridge)
            by_features = self._has_few_features or not rows_do
        if by_features:
            found = self._directions_by_features(mu, ridge)
        else:
            found = self._directions_by_rows(mu, ridge)
        for direction in found:
            projections = np.full(self._n, np.nan)
            projections[self._rows] = direction.projections
            yield direction._replace(projections=projections)

    def _directions_by_features(self, mu: float, ridge: float) -> Iterator[DiscriminantDirection]:
        G = self._smooth.G[self._support]
        penalty = self._smooth.penalty(mu, ridge)
        for averages, scatter, relief in zip(
            self._averages, self._scatters, self._relief, strict=True
        ):
            yield by_features(G, penalty, scatter - mu * relief, averages)[0]

    def _directions_by_rows(self, mu: float, ridge: float) -> Iterator[DiscriminantDirection]:
        # But for its scale a Gram matrix depends on μ/ridge alone: neighbours in a sorted grid
        # share it.
        ratio = float(f"{mu / ridge:.9g}")
        if ratio != self._ratio:
            self._grams, self._ratio = list(self._grams_of(ratio)), ratio
        for averages, gram in zip(self._averages, self._grams, strict=True):
            yield by_rows(gram / ridge, averages)[0]

    def _grams_of(self, ratio: float) -> Iterator[Floats]:
        """Gram matrices of the supporting rows with a ridge of 1, for each fold."""
        support = self._support
        G = self._smooth.G / np.sqrt(self._smooth.penalty(ratio, 1.0))
        if ratio == 0.0:
            gram = G[support] @ G[support].T
            yield from [gram] * len(self._averages)
            return
        all_rows = G @ G.T
        columns = all_rows[:, support]
        for J, E in self._lost:
            of_fold = columns[support]
            if len(J):
                system = E @ (-ratio * all_rows[np.ix_(J, J)])
                system.flat[:: len(J) + 1] += 1.0
                change = np.linalg.solve(system, E @ (ratio * columns[J]))
                of_fold = of_fold + columns[J].T @ change
            yield of_fold


def _lost(S: sp.csr_array | None, is_new: Mask, unit: float) -> tuple[Ints, sp.csr_array]:
    """The rows that E touches, and E there; it is sparse, a few links for each row."""
    if S is None or not is_new.any():
        return np.empty(0, dtype=np.intp), sp.csr_array((0, 0))
    touched, E = loss_of_rows(S, is_new)
    return touched, sp.csr_array(E / unit)
