"""One fit: from rows in feature space to a projection and its thresholds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from allrelevant.base.arrays import Floats, Mask
from allrelevant.kernel.discriminant import (
    ClassAverages,
    DiscriminantDirection,
    Separation,
    by_features,
    by_rows,
    rows_will_do,
)
from allrelevant.kernel.features import EXACT_UP_TO, FeatureSpace, Projection, Solver, feature_space
from allrelevant.kernel.graph import Graph, adjacency, coordinates, nearest, roughness
from allrelevant.kernel.propagation import Spreading
from allrelevant.kernel.rows import Rows
from allrelevant.kernel.thresholds import Kind, Midpoints, OrdinalLogit, Probabilities

Penalty = Literal["scaled", "paper"]
Thresholds = Midpoints | OrdinalLogit


@dataclass(frozen=True)
class Method:
    """What is settled before any number is chosen."""

    graph: Graph | None
    weights: Literal["propagation"] | None
    separation: Separation
    penalty: Penalty
    thresholds: Kind
    solver: Solver
    n_landmarks: int
    seed: int

    def space(self, X: Floats, widths: Floats) -> FeatureSpace:
        """The feature space of these widths; the same landmarks for all of them."""
        rng = np.random.RandomState(self.seed)
        return feature_space(X, widths, self.solver, self.n_landmarks, rng)

    def spreading(self, X: Floats, space: FeatureSpace) -> Spreading | None:
        """What spreads labels over all rows, if anything does: a kernel, also for columns alone.

        Inner products of rows say little about who is close, and may be negative.
        """
        if self.weights is None:
            return None
        if space.centres is None and len(X) <= EXACT_UP_TO:
            space = replace(space, centres=X)
        elif space.centres is None:
            rng = np.random.RandomState(self.seed)
            space = feature_space(X, space.widths, "nystroem", self.n_landmarks, rng)
        return Spreading(X, space)

    def averages(self, rows: Rows, spreading: Spreading | None) -> ClassAverages:
        """Class averages of the labelled rows, or of all rows as far as labels spread."""
        U = rows.counts if spreading is None else spreading.memberships(rows)
        return self.averages_of(U)

    def averages_of(self, U: Floats) -> ClassAverages:
        """Class averages of given memberships."""
        return ClassAverages(U, self.penalty == "scaled", self.separation)

    def link_unit(self, S: sp.csr_array) -> float:
        """What smoothness is divided by: the number of links, both ways, or nothing."""
        return max(float(S.sum()), 1.0) if self.penalty == "scaled" else 1.0

    def thresholds_of(self, direction: DiscriminantDirection, counts: Floats) -> Thresholds:
        """Where one class ends and the next begins."""
        if self.thresholds == "midpoint":
            return Midpoints.of(direction.means)
        labelled = counts.any(axis=1)
        return OrdinalLogit.of(direction.projections[labelled], counts[labelled])


@dataclass(frozen=True)
class Setting:
    """Numbers to be chosen; `gamma` is None where widths are learned."""

    gamma: float | None
    n_neighbors: int
    rank: float
    mu: float
    ridge: float


@dataclass(frozen=True, eq=False)
class SmoothSpace:
    """Coordinates of the supporting rows in which smoothness is a sum of squares.

    A rotation of feature space that makes ``FᵀLF`` diagonal: with it the penalty of any μ and
    ridge is the diagonal ``μ·roughness + ridge``, and one eigendecomposition serves them all.

    Coordinates are taken from the mean of the supporting rows. In theory that changes nothing; but
    a function that is nearly constant has next to no penalty, and rounding errors along it would be
    multiplied by the inverse of the ridge.
    """

    G: Floats
    centre: Floats
    roughness: Floats
    mixing: Floats
    rotation: Floats | None

    def penalty(self, mu: float, ridge: float) -> Floats:
        """What each coordinate's square costs."""
        return np.asarray(mu * self.roughness + ridge)

    def coefficients(self, w: Floats) -> Floats:
        """The same direction as coefficients of the kernels with the centres."""
        return np.asarray(self.mixing @ (w if self.rotation is None else self.rotation @ w))


def neighbourhood(
    rows: Rows, space: FeatureSpace, method: Method, n_neighbors: int, rank: float
) -> sp.csr_array | None:
    """The graph, if there is one."""
    if method.graph is None:
        return None
    return adjacency(nearest(coordinates(rows.X, space, method.graph, rank), n_neighbors))


def smooth_space(
    space: FeatureSpace, method: Method, S: sp.csr_array | None, support: Mask
) -> SmoothSpace:
    """Rotate the space; `support` are the rows whose coordinates are wanted."""
    F, mixing = space.embedding, space.mixing
    if method.penalty == "paper" and space.centres is not None:
        # The paper's ridge is on the coefficients of the kernels, not on the norm of f.
        root = np.sqrt(space.spectrum)
        F, mixing = F * root, mixing * root
    if S is None:
        return _centred(F[support], np.zeros(F.shape[1]), mixing, None)
    B = roughness(F, S) / method.link_unit(S)
    values, vectors = scipy.linalg.eigh(B, driver="evd", check_finite=False, overwrite_a=True)
    return _centred(F[support] @ vectors, np.maximum(values, 0.0), mixing, vectors)


def _centred(G: Floats, roughness: Floats, mixing: Floats, rotation: Floats | None) -> SmoothSpace:
    centre = G.mean(axis=0)
    centred = G - centre
    rounding = 10.0 * len(G) * np.finfo(float).eps * np.abs(centre).max(initial=0.0)
    if np.abs(centred).max(initial=0.0) <= rounding:
        centred[:] = 0.0  # all rows are alike: nothing else would be left to learn from
    return SmoothSpace(centred, centre, roughness, mixing, rotation)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A projection with its thresholds."""

    projection: Projection
    thresholds: Floats
    probabilities: Probabilities
    multipliers: Floats


def fit(rows: Rows, widths: Floats, method: Method, setting: Setting) -> Fitted:
    """Fit with all numbers given."""
    space = method.space(rows.X, widths)
    spreading = method.spreading(rows.X, space)
    averages = method.averages(rows, spreading)
    support = averages.members > 0
    counts = rows.counts[support]
    averages = method.averages_of(averages.U[support])
    S = neighbourhood(rows, space, method, setting.n_neighbors, setting.rank)
    smooth = smooth_space(space, method, S, support)
    penalty = smooth.penalty(setting.mu, setting.ridge)
    direction, w = solve(smooth.G, penalty, averages)
    thresholds = method.thresholds_of(direction, counts).thresholds
    labels = counts.sum(axis=1)
    probabilities = Probabilities.of(
        thresholds, direction.projections[labels > 0], counts[labels > 0]
    )
    projection = Projection(
        space.centres,
        space.widths,
        smooth.coefficients(w),
        offset=float(smooth.centre @ w),
        elsewhere=_weighted_median(direction.projections, labels),
    )
    return Fitted(projection, thresholds, probabilities, direction.multipliers)


def solve(
    G: Floats, penalty: Floats, averages: ClassAverages
) -> tuple[DiscriminantDirection, Floats]:
    """The discriminant and its coordinates w, by the smaller of its two systems that will do."""
    if len(G) > G.shape[1] or not rows_will_do(G, float(penalty.min())):
        direction, w = by_features(G, penalty, G.T @ averages.spread(G), averages)
    else:
        scaled = G / penalty
        direction, c = by_rows(scaled @ G.T, averages)
        w = scaled.T @ c
    if _is_rounding_error(G, averages.differences @ direction.multipliers):
        return direction._replace(
            projections=np.zeros(len(G)), means=0.0 * direction.means
        ), 0.0 * w
    return direction, w


def _is_rounding_error(G: Floats, gap: Floats) -> bool:
    """Whether the classes have the same mean: thresholds would put rounding errors in order."""
    rounding = 10.0 * len(G) * np.finfo(float).eps * np.abs(G).max(initial=0.0)
    return bool(np.abs(G.T @ gap).max(initial=0.0) <= rounding)


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2.0)])
