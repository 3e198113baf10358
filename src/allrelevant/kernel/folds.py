"""The discriminants of all folds from one rotated feature space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from allrelevant.engine.pieces import Floats, Ints, Mask
from allrelevant.kernel.discriminant import Direction, by_features, by_rows
from allrelevant.kernel.features import FeatureSpace
from allrelevant.kernel.fitting import Method, smooth_space
from allrelevant.kernel.graph import loss_of_rows


@dataclass(frozen=True, eq=False)
class Fold:
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

    where J are the rows E touches; where features are fewer than the rows involved, from the
    smaller matrix ``FᵀEF`` instead.
    """

    def __init__(
        self,
        space: FeatureSpace,
        method: Method,
        S: sp.csr_array | None,
        folds: Sequence[Fold],
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
        self._lost = [(place[touched], E) for touched, E in lost]
        self._averages = [method.averages_of(fold.U[self._rows]) for fold in folds]
        is_smaller = bool(involved.sum() > self._smooth.G.shape[1])
        self._by_features = is_smaller if by_features is None else by_features
        if self._by_features:
            G = self._smooth.G[self._support]
            self._scatters = [G.T @ averages.spread(G) for averages in self._averages]
            self._relief = [self._smooth.G[J].T @ (E @ self._smooth.G[J]) for J, E in self._lost]

    def directions(self, mu: float, ridge: float) -> Iterator[Direction]:
        """One direction per fold; projections of rows without a label are not given."""
        find = self._directions_by_features if self._by_features else self._directions_by_rows
        for direction in find(mu, self._smooth.penalty(mu, ridge)):
            projections = np.full(self._n, np.nan)
            projections[self._rows] = direction.projections
            yield direction._replace(projections=projections)

    def _directions_by_features(self, mu: float, penalty: Floats) -> Iterator[Direction]:
        G = self._smooth.G[self._support]
        for averages, scatter, relief in zip(
            self._averages, self._scatters, self._relief, strict=True
        ):
            yield by_features(G, penalty, scatter - mu * relief, averages)[0]

    def _directions_by_rows(self, mu: float, penalty: Floats) -> Iterator[Direction]:
        G, support = self._smooth.G, self._support
        columns = (G / penalty) @ G[support].T
        gram = columns[support]
        around = (G / penalty) @ G.T if mu > 0 else None
        for averages, (J, E) in zip(self._averages, self._lost, strict=True):
            of_fold = gram
            if around is not None and len(J):
                system = -mu * E @ around[np.ix_(J, J)]
                system.flat[:: len(J) + 1] += 1.0
                change = np.linalg.solve(system, mu * E @ columns[J])
                of_fold = gram + columns[J].T @ change
            yield by_rows(of_fold, averages)[0]


def _lost(S: sp.csr_array | None, is_new: Mask, unit: float) -> tuple[Ints, Floats]:
    if S is None or not is_new.any():
        return np.empty(0, dtype=np.intp), np.empty((0, 0))
    touched, E = loss_of_rows(S, is_new)
    return touched, E / unit
