"""What can stand behind a target that no straight line explains."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.special import softmax
from scipy.stats import multivariate_normal

from allrelevant.datasets.simulated import groups_of, signed_uniform

_DRAWS = 20
Random: TypeAlias = np.random.RandomState
# Columns that carry information, the score behind the target, and the truth about the columns.
Informative: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Shape:
    """Numbers of samples, strong and weak features, groups of these, and classes."""

    n: int
    strong: int
    weak: int
    groups: int
    noise: float
    n_classes: int | None

    @property
    def hidden(self) -> int:
        """Number of features that are shown through others only."""
        return self.groups if self.weak else 0

    @property
    def truth(self) -> np.ndarray:
        """What the informative columns are."""
        return np.repeat([2, 1], [self.strong, self.weak])


def _opposing_clusters(shape: Shape, rng: Random) -> Informative:
    """Two normal clusters per class, at corners of a hypercube, each with its own covariance.

    Clusters at random corners may make a feature useless. Of several draws that one is taken in
    which the best possible classifier loses most without any one of the features.
    """
    n_informative = shape.strong + shape.hidden
    n_classes = shape.n_classes or 2
    n_clusters = 2 * n_classes
    cluster = np.arange(shape.n) % n_clusters
    label = cluster % n_classes
    best, most = None, -np.inf
    for _ in range(_DRAWS):
        corners = rng.choice(2**n_informative, n_clusters, replace=False)
        centres = 2.0 * (corners[:, None] >> np.arange(n_informative) & 1) - 1.0
        mixing = rng.uniform(-1.0, 1.0, (n_clusters, n_informative, n_informative))
        z = rng.standard_normal((shape.n, n_informative))
        z = np.einsum("ij,ijk->ik", z, mixing[cluster]) + centres[cluster]
        least = _least_loss(z, label, centres, mixing)
        if best is None or least > most:
            best, most = z, least
    assert best is not None
    return _shown(best, shape, rng), label, shape.truth


def _least_loss(z: np.ndarray, label: np.ndarray, centres: np.ndarray, mixing: np.ndarray) -> float:
    """What the classifier that knows the clusters loses without the feature it needs least."""
    spread = np.einsum("kji,kjl->kil", mixing, mixing)
    everything = np.arange(z.shape[1])

    def loss(columns: np.ndarray) -> float:
        scores = [
            multivariate_normal.logpdf(
                z[:, columns],
                centre[columns],
                covariance[np.ix_(columns, columns)],
                allow_singular=True,
            )
            for centre, covariance in zip(centres, spread, strict=True)
        ]
        share = softmax(np.array(scores), axis=0)
        n_classes = label.max() + 1
        own = np.arange(len(share))[:, None] % n_classes == label
        return float(-np.log(np.maximum((share * own).sum(axis=0), 1e-12)).mean())

    full = loss(everything)
    return min(loss(np.delete(everything, j)) - full for j in everything)


def _curves(shape: Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    return _shown(z, shape, rng), _sum_of_curves(z, rng), shape.truth


def _sums(shape: Shape, rng: Random) -> Informative:
    strong = rng.standard_normal((shape.n, shape.strong))
    a, b = rng.standard_normal((2, shape.n, shape.hidden))
    score = _sum_of_curves(np.hstack([strong, (a + b) / np.sqrt(2)]), rng)
    threes = np.stack([a, b, a + b], axis=2).reshape(shape.n, -1)
    return np.hstack([strong, threes]), score, shape.truth


def _functions(shape: Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    u = z[:, shape.strong :]
    # A parabola off its axis: u² tells much of it, u and exp(u) all.
    score = _sum_of_curves(z[:, : shape.strong], rng) + ((u + 0.5) ** 2 / 1.7).sum(axis=1)
    threes = np.stack([u, u**2, np.exp(u)], axis=2).reshape(shape.n, -1)
    return np.hstack([z[:, : shape.strong], threes]), score, shape.truth


def _difference(shape: Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong - 1 + shape.hidden))
    score = _sum_of_curves(np.delete(z, shape.strong - 2, axis=1), rng)
    difference = z[:, shape.strong - 2]
    common = rng.standard_normal(shape.n)
    pair = np.column_stack([common, common + 0.2 * difference])
    shown = _shown(np.insert(z, shape.strong - 1, pair[:, 1], axis=1), shape, rng)
    shown[:, shape.strong - 2] = pair[:, 0]
    return shown, score + 1.5 * difference, shape.truth


def _linked_genotypes(shape: Shape, rng: Random) -> Informative:
    z = genotypes(rng, shape.n, shape.strong + shape.hidden)
    effect = rng.uniform(0.8, 1.2, z.shape[1]) * rng.choice([-1, 1], z.shape[1])
    dominant = rng.random_sample(z.shape[1]) < 0.5
    score = np.where(dominant, 2.0 * (z > 0), z) @ effect
    linked = z[:, shape.strong + groups_of(shape.weak, shape.hidden)]
    differs = rng.random_sample(linked.shape) < shape.noise
    linked = np.where(differs, genotypes(rng, *linked.shape), linked)
    return np.hstack([z[:, : shape.strong], linked]), score, shape.truth


def _products(shape: Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    size = rng.uniform(0.8, 1.2, z.shape[1] // 2)
    return _shown(z, shape, rng), (z[:, ::2] * z[:, 1::2]) @ size, shape.truth


def _mixed(shape: Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    weights = signed_uniform(rng, 0.7, 1.0, z.shape[1])
    weights[:2] = 0.0
    return _shown(z, shape, rng), z @ weights + 1.5 * z[:, 0] * z[:, 1], shape.truth


def _nothing(shape: Shape, rng: Random) -> Informative:
    return np.empty((shape.n, 0)), rng.standard_normal(shape.n), np.empty(0, dtype=int)


KINDS: Mapping[str, Callable[[Shape, Random], Informative]] = {
    "clusters": _opposing_clusters,
    "copies": _curves,
    "sum": _sums,
    "functions": _functions,
    "difference": _difference,
    "genotypes": _linked_genotypes,
    "xor": _products,
    "mixed": _mixed,
    "noise": _nothing,
}


# Their parts


def _sum_of_curves(z: np.ndarray, rng: Random) -> np.ndarray:
    """One curve per column, each of about the same variance, in turn."""
    curves: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
        lambda v: (v**2 - 1.0) / np.sqrt(2.0),
        lambda v: v,
        lambda v: 1.4 * np.sin(2.0 * v),
        lambda v: np.sign(v - 0.5),
    )
    first = rng.randint(len(curves))
    parts = [
        rng.choice([-1, 1]) * curves[(first + k) % len(curves)](z[:, k]) for k in range(z.shape[1])
    ]
    return np.sum(parts, axis=0) if parts else np.zeros(len(z))


def _shown(z: np.ndarray, shape: Shape, rng: Random) -> np.ndarray:
    """Strong features as they are, hidden ones through shifted, scaled and noisy copies."""
    hidden = z[:, shape.strong :]
    copies = hidden[:, groups_of(shape.weak, shape.hidden)]
    copies = copies + shape.noise * copies.std(axis=0) * rng.standard_normal(copies.shape)
    scale = signed_uniform(rng, 0.5, 2.0, shape.weak)
    return np.hstack([z[:, : shape.strong], scale * copies + rng.standard_normal(shape.weak)])


def genotypes(rng: Random, n: int, d: int) -> np.ndarray:
    """Two independent alleles per column, of a frequency between 0.2 and 0.5."""
    return rng.binomial(2, rng.uniform(0.2, 0.5, d), (n, d)).astype(float)
