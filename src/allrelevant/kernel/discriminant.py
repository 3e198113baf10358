"""The ordinal discriminant: classes in order, far apart, each of them narrow.

With coordinates G of the rows, memberships U and class averages ``e_q = u_q / Σu_q``, the gap
between two neighbouring classes is ``wᵀGᵀ(e_{q+1} − e_q)``, column q of ``wᵀGᵀΔ``. The paper
maximises the smallest gap::

    min_{w,ρ}  wᵀZw − ρ    s.t.  wᵀGᵀΔ ≥ ρ,     Z = GᵀWG + diag(penalty)

where ``wᵀGᵀWGw`` is the spread of the projection within classes. Its dual is tiny:
``min αᵀΔᵀG Z⁻¹ GᵀΔα``, α ≥ 0, Σα = 1, and ``w = ½Z⁻¹GᵀΔα``. (Σα = C, as in the paper, only rescales
w.) The smallest gap is often that of the two classes that are known least. So the other choice of α
is an average of the gaps, in which each counts by the labels on either side of it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import scipy.linalg
from scipy.optimize import nnls

from allrelevant.base.arrays import Floats

Separation = Literal["average", "smallest"]
_DEGENERATE = 1e-12
_LARGEST_GRAM = 1e6


class DiscriminantDirection(NamedTuple):
    """What a discriminant gives for the training rows."""

    projections: Floats  # f = Gw, for each row
    means: Floats  # of f, for each class
    multipliers: Floats  # α


class ClassAverages:
    """Averages and within-class spread as operators on the rows.

    The memberships U, of shape (n, K), are labels, counts of labels, or shares; each class has a
    member. The spread is per label if it is to `normalise`, and else in total; `separation` says
    which gap between classes is to be large.
    """

    def __init__(self, U: Floats, normalise: bool, separation: Separation) -> None:
        self.separation = separation
        self.total = U.sum() if normalise else 1.0
        self.members = U.sum(axis=1)
        self.U = U
        self.average = U / U.sum(axis=0)
        self.differences = np.diff(self.average, axis=1)

    def spread(self, M: Floats) -> Floats:
        """W M, with ``W = diag(U1) − U diag(1/Σu_q) Uᵀ``."""
        centred = self.members[:, None] * M - self.U @ (self.average.T @ M)
        return np.asarray(centred / self.total)

    def gap_shares(self) -> Floats:
        """α such that w maximises the covariance of the projection with the rank.

        ``Σ_i (r_i − r̄)·f_i`` is a sum of gaps, that of q counting ``Σ_{r>q} n_r (r − r̄)``: least
        squares on ranks, if Z were the total scatter.
        """
        n_labels = self.U.sum(axis=0)
        ranks = np.arange(len(n_labels))
        lever = n_labels * (ranks - ranks @ n_labels / n_labels.sum())
        shares = np.cumsum(lever[::-1])[::-1][1:]
        return np.asarray(shares / shares.sum())


def rows_will_do(G: Floats, ridge: float) -> bool:
    """Whether a Gram matrix keeps enough digits where no coordinate costs less than the ridge.

    Where it is huge, the spread within classes is a small difference of huge numbers.
    """
    return float(np.einsum("ij,ij->i", G, G).max(initial=0.0)) <= _LARGEST_GRAM * ridge


def by_rows(gram: Floats, averages: ClassAverages) -> tuple[DiscriminantDirection, Floats]:
    """The direction from ``H = G diag(1/penalty) Gᵀ``: a system as large as there are rows.

    ``Z⁻¹GᵀΔ = diag(1/penalty) Gᵀ (I + WH)⁻¹ Δ``. Also gives c with ``w = diag(1/penalty) Gᵀ c``.
    """
    system = averages.spread(gram)
    system.flat[:: len(system) + 1] += 1.0
    solved = np.linalg.solve(system, averages.differences)
    images = gram @ solved
    return _combine(averages, averages.differences.T @ images, images, solved)


def by_features(
    G: Floats, penalty: Floats, scatter: Floats, averages: ClassAverages
) -> tuple[DiscriminantDirection, Floats]:
    """The direction from ``scatter = GᵀWG``: a system as large as there are features. Gives w."""
    D = G.T @ averages.differences
    Z = scatter.copy()
    diagonal = Z.diagonal() + penalty
    # Where huge numbers cancel, rounding errors may leave nothing of a square, or less.
    Z.flat[:: len(Z) + 1] = np.where(diagonal > 0.0, diagonal, penalty)
    solved = _solve_positive(Z, D)
    return _combine(averages, D.T @ solved, G @ solved, solved)


def _solve_positive(Z: Floats, D: Floats) -> Floats:
    """Solve with a positive definite matrix that may, by rounding, not quite be one."""
    scale = 1.0 / np.sqrt(np.maximum(np.diag(Z), np.finfo(float).tiny))
    scaled = Z * scale * scale[:, None]
    jitter = 0.0
    while True:
        try:
            factor = scipy.linalg.cho_factor(scaled, check_finite=False)
        except scipy.linalg.LinAlgError:
            jitter = max(1e-14, 100.0 * jitter)
            scaled.flat[:: len(scaled) + 1] += jitter
            continue
        solved = scipy.linalg.cho_solve(factor, D * scale[:, None], check_finite=False)
        return np.asarray(solved * scale[:, None])


def _combine(
    averages: ClassAverages, Q: Floats, images: Floats, solved: Floats
) -> tuple[DiscriminantDirection, Floats]:
    alpha = least_on_simplex(Q) if averages.separation == "smallest" else averages.gap_shares()
    projections = 0.5 * images @ alpha
    means = averages.average.T @ projections
    return DiscriminantDirection(projections, means, alpha), 0.5 * solved @ alpha


def least_on_simplex(Q: Floats) -> Floats:
    """The α ≥ 0 with Σα = 1 and the least αᵀQα.

    Up to its scale this is the minimum of ``αᵀQα − 2·1ᵀα`` over α ≥ 0, non-negative least squares.
    Where classes cannot be put in order at all the least value is 0, with a w of 0: then all
    differences count alike, so that at least the ends are far apart.
    """
    p = len(Q)
    even = np.full(p, 1.0 / p)
    size = float(np.trace(Q)) / p
    if p == 1 or not size > 0.0:
        return even
    values, vectors = np.linalg.eigh((Q + Q.T) / (2.0 * size))
    values = np.maximum(values, _DEGENERATE)
    root = (vectors * np.sqrt(values)) @ vectors.T
    target = (vectors / np.sqrt(values)) @ vectors.sum(axis=0)
    alpha = nnls(root, target, maxiter=100 * p)[0]
    if not alpha.sum() > 0.0:
        return even
    alpha /= alpha.sum()
    return alpha if alpha @ Q @ alpha > 10 * _DEGENERATE * size else even
