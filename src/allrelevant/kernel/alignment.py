"""Kernel widths by kernel-target alignment: one for each column."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from allrelevant.base.arrays import Floats
from allrelevant.kernel.features import gaussian
from allrelevant.kernel.graph import adjacency, nearest

_BOUNDS = (1e-5, 1e3)
_MOST_ROWS = 1000


def aligned_widths(
    X: Floats, rank: Floats, start: float, use_unlabelled: bool, rng: np.random.RandomState
) -> Floats:
    """Widths whose kernel is most like the ideal one of ordered classes, begun at `start`.

    With `use_unlabelled` a second search, from where the first ended, takes the neighbours of
    unlabelled rows (of rank −1) for similar. Where there are more than 1000 rows, some are drawn.
    """
    labelled = _at_most(np.flatnonzero(rank >= 0), _MOST_ROWS, rng)
    widths = np.full(X.shape[1], start)
    widths = _maximise(widths, X[labelled], ordinal_target(rank[labelled]))
    unlabelled = np.flatnonzero(rank < 0)
    if not use_unlabelled or len(unlabelled) == 0:
        return widths
    n_more = max(_MOST_ROWS - len(labelled), _MOST_ROWS // 2)
    rows = np.concatenate([labelled, _at_most(unlabelled, n_more, rng)])
    target = _neighbour_target(X[rows], rank[rows])
    return _maximise(widths, X[rows], target)


def ordinal_target(rank: Floats) -> Floats:
    """The ideal kernel: 1 within a class, minus the number of ranks between two classes."""
    distance = np.abs(rank[:, None] - rank)
    return np.where(distance == 0, 1.0, -distance)


def alignment(log_widths: Floats, X: Floats, target: Floats) -> tuple[float, Floats]:
    """Centred alignment of the Gaussian kernel with a centred target of norm 1; its gradient.

    With ``P = ∂A/∂K ∘ K`` the derivative by γ_j is ``−Σ_{ik} P_ik (x_ij − x_kj)²``, which takes no
    more than a product of P with X for all columns together.
    """
    widths = np.exp(log_widths)
    K = gaussian(X, X, widths)
    centred = _centred(K)
    norm = float(np.linalg.norm(centred))
    if norm <= 10.0 * len(K) * np.finfo(float).eps:  # all rows are alike to this kernel
        return 0.0, np.zeros_like(widths)
    value = float((centred * target).sum()) / norm
    P = (target - value / norm * centred) / norm * K
    by_width = -2.0 * (P.sum(axis=1) @ X**2 - np.einsum("ij,ij->j", X, P @ X))
    return value, by_width * widths


def _maximise(widths: Floats, X: Floats, target: Floats) -> Floats:
    goal = _centred(target)
    norm = float(np.linalg.norm(goal))
    if norm <= 0.0:
        return widths

    def negative(log_widths: Floats) -> tuple[float, Floats]:
        value, gradient = alignment(log_widths, X, goal / norm)
        return -value, -gradient

    low, high = np.log(_BOUNDS)
    begin = np.clip(np.log(widths), low, high)
    bounds = [(low, high)] * len(begin)
    found = minimize(negative, begin, jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(np.exp(found.x))


def _neighbour_target(X: Floats, rank: Floats) -> Floats:
    """Ideal kernel among labelled rows, 1 between neighbours elsewhere."""
    known = rank >= 0
    smallest_class = int(np.unique(rank[known], return_counts=True)[1].min())
    target = adjacency(nearest(X, smallest_class)).toarray()
    target[np.ix_(known, known)] = ordinal_target(rank[known])
    return target


def _centred(T: Floats) -> Floats:
    means = T.mean(axis=0)
    return np.asarray(T - means - means[:, None] + means.mean())


def _at_most(rows: np.ndarray, n: int, rng: np.random.RandomState) -> np.ndarray:
    return rows if len(rows) <= n else np.sort(rng.choice(rows, n, replace=False))
