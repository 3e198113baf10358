"""Simulated data whose relevant features no straight line can find.

The truth of a column says what it is to the models that know the rule behind the data: 2 if no
other columns carry its information, 1 if others can stand in for it, 0 if it tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.utils import check_random_state

from allrelevant.base.validation import check_choice, check_number

__all__ = ["NONLINEAR_SETS", "make_nonlinear"]

Kind = Literal[
    "clusters", "copies", "sum", "functions", "difference", "genotypes", "xor", "mixed", "noise"
]
_DRAWS = 20
Random: TypeAlias = np.random.RandomState
# Columns that carry information, the score behind the target, and the truth about the columns.
Informative: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]

#: Arguments of `make_nonlinear` for the sets of the thesis (NL 1 to NL 4; its table is partly
#: illegible and does not tell the number of samples) and for harder ones.
NONLINEAR_SETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        name: MappingProxyType(arguments)
        for name, arguments in {
            "NL 1": {"kind": "clusters", "n_strong": 10, "n_weak": 0, "n_irrelevant": 10},
            "NL 2": {"kind": "clusters", "n_strong": 0, "n_weak": 10, "n_irrelevant": 10},
            "NL 3": {"kind": "clusters", "n_strong": 10, "n_weak": 10, "n_irrelevant": 30},
            "NL 4": {"kind": "clusters", "n_strong": 10, "n_weak": 10, "n_irrelevant": 60},
            "noisy copies": {"kind": "copies", "n_weak": 9, "n_groups": 3, "noise": 0.3},
            "sum": {"kind": "sum", "n_weak": 3, "n_groups": 1},
            "functions": {"kind": "functions", "n_weak": 6, "n_groups": 2},
            "difference": {"kind": "difference", "n_strong": 4, "n_weak": 4},
            "genotypes": {"kind": "genotypes", "n_weak": 6, "n_irrelevant": 20},
            "xor": {"kind": "xor", "n_strong": 3, "n_weak": 3, "n_groups": 1},
            "mixed": {"kind": "mixed", "n_strong": 5, "n_weak": 4, "n_groups": 1},
            "noise": {"kind": "noise", "n_irrelevant": 20},
        }.items()
    }
)


@dataclass(frozen=True)
class _Shape:
    n: int
    strong: int
    weak: int
    groups: int
    noise: float
    n_classes: int | None

    @property
    def hidden(self) -> int:
        return self.groups if self.weak else 0

    @property
    def truth(self) -> np.ndarray:
        return np.repeat([2, 1], [self.strong, self.weak])


def make_nonlinear(
    n_samples: int = 1000,
    *,
    kind: Kind = "clusters",
    n_strong: int = 3,
    n_weak: int = 4,
    n_irrelevant: int = 10,
    n_groups: int = 2,
    noise: float = 0.05,
    label_noise: float = 0.0,
    n_classes: int | None = 2,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Data that no hyperplane explains.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of samples.
    kind : str, default="clusters"
        What stands behind the target.

        - "clusters": opposing clusters of either class, as in the thesis, so placed that every
          informative feature matters; weak features are copies of hidden ones.
        - "copies": a sum of curves, one per feature; weak features are copies of hidden ones.
        - "sum": weak features come in threes, a, b and a + b, and the target depends on the sum.
        - "functions": weak features come in threes, u, u² and exp(u).
        - "difference": the last two strong features are nearly the same, but the target depends
          on their difference.
        - "genotypes": values 0, 1 and 2; weak features are linked to a hidden one.
        - "xor": products of two features, neither of which tells anything alone.
        - "mixed": a straight line in all strong features but two, plus the product of these two.
        - "noise": the target depends on nothing; only `n_irrelevant` is used.
    n_strong, n_weak, n_irrelevant : int, default=3, 4, 10
        Number of features of each relevance.
    n_groups : int, default=2
        Number of hidden features behind the weak ones, or of threes. Not used without weak ones.
    noise : float, default=0.05
        Standard deviation of the noise on weak features, relative to their own; for genotypes
        the share of samples in which a linked feature differs. The truth is that of the data
        before the noise.
    label_noise : float, default=0.0
        Share of the samples whose class is drawn anew; without classes, the standard deviation
        of the noise on the target as a multiple of its own.
    n_classes : int or None, default=2
        Number of (ordered, equally frequent) classes; None makes the target a number.
    random_state : int, RandomState or None, default=None
        Seed.

    Returns
    -------
    X : ndarray of shape (n_samples, n_strong + n_weak + n_irrelevant)
        Strong columns first, then weak ones group by group, then irrelevant ones.
    y : ndarray of shape (n_samples,)
        Classes, or numbers.
    truth : ndarray of shape (n_features,)
        2 for strong, 1 for weak and 0 for irrelevant features.

    Examples
    --------
    >>> from allrelevant.datasets import make_nonlinear
    >>> X, y, truth = make_nonlinear(
    ...     200, kind="functions", n_strong=1, n_weak=3, n_irrelevant=2, n_groups=1, random_state=0)
    >>> truth.tolist()
    [2, 1, 1, 1, 0, 0]
    """
    _check(n_samples, kind, n_strong, n_weak, n_irrelevant, n_groups, noise, label_noise, n_classes)
    rng = check_random_state(random_state)
    shape = _Shape(n_samples, n_strong, n_weak, n_groups, noise, n_classes)
    shown, score, truth = _KINDS[kind](shape, rng)
    useless = (
        _genotypes(rng, n_samples, n_irrelevant)
        if kind == "genotypes"
        else rng.standard_normal((n_samples, n_irrelevant))
    )
    X = np.hstack([shown, useless])
    y = _target(score, kind, label_noise, n_classes, rng)
    return X, y, np.append(truth, np.zeros(n_irrelevant, dtype=int))


# The kinds


def _opposing_clusters(shape: _Shape, rng: Random) -> Informative:
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


def _curves(shape: _Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    return _shown(z, shape, rng), _sum_of_curves(z, rng), shape.truth


def _sums(shape: _Shape, rng: Random) -> Informative:
    strong = rng.standard_normal((shape.n, shape.strong))
    a, b = rng.standard_normal((2, shape.n, shape.hidden))
    score = _sum_of_curves(np.hstack([strong, (a + b) / np.sqrt(2)]), rng)
    threes = np.stack([a, b, a + b], axis=2).reshape(shape.n, -1)
    return np.hstack([strong, threes]), score, shape.truth


def _functions(shape: _Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    u = z[:, shape.strong :]
    # A parabola off its axis: u² tells much of it, u and exp(u) all.
    score = _sum_of_curves(z[:, : shape.strong], rng) + ((u + 0.5) ** 2 / 1.7).sum(axis=1)
    threes = np.stack([u, u**2, np.exp(u)], axis=2).reshape(shape.n, -1)
    return np.hstack([z[:, : shape.strong], threes]), score, shape.truth


def _difference(shape: _Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong - 1 + shape.hidden))
    score = _sum_of_curves(np.delete(z, shape.strong - 2, axis=1), rng)
    difference = z[:, shape.strong - 2]
    common = rng.standard_normal(shape.n)
    pair = np.column_stack([common, common + 0.2 * difference])
    shown = _shown(np.insert(z, shape.strong - 1, pair[:, 1], axis=1), shape, rng)
    shown[:, shape.strong - 2] = pair[:, 0]
    return shown, score + 1.5 * difference, shape.truth


def _linked_genotypes(shape: _Shape, rng: Random) -> Informative:
    z = _genotypes(rng, shape.n, shape.strong + shape.hidden)
    effect = rng.uniform(0.8, 1.2, z.shape[1]) * rng.choice([-1, 1], z.shape[1])
    dominant = rng.random_sample(z.shape[1]) < 0.5
    score = np.where(dominant, 2.0 * (z > 0), z) @ effect
    linked = z[:, shape.strong + _group_of(shape)]
    differs = rng.random_sample(linked.shape) < shape.noise
    linked = np.where(differs, _genotypes(rng, *linked.shape), linked)
    return np.hstack([z[:, : shape.strong], linked]), score, shape.truth


def _products(shape: _Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    size = rng.uniform(0.8, 1.2, z.shape[1] // 2)
    return _shown(z, shape, rng), (z[:, ::2] * z[:, 1::2]) @ size, shape.truth


def _mixed(shape: _Shape, rng: Random) -> Informative:
    z = rng.standard_normal((shape.n, shape.strong + shape.hidden))
    weights = rng.choice([-1, 1], z.shape[1]) * rng.uniform(0.7, 1.0, z.shape[1])
    weights[:2] = 0.0
    return _shown(z, shape, rng), z @ weights + 1.5 * z[:, 0] * z[:, 1], shape.truth


def _nothing(shape: _Shape, rng: Random) -> Informative:
    return np.empty((shape.n, 0)), rng.standard_normal(shape.n), np.empty(0, dtype=int)


_KINDS: Mapping[str, Callable[[_Shape, Random], Informative]] = {
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


def _shown(z: np.ndarray, shape: _Shape, rng: Random) -> np.ndarray:
    """Strong features as they are, hidden ones through shifted, scaled and noisy copies."""
    hidden = z[:, shape.strong :]
    copies = hidden[:, _group_of(shape)]
    copies = copies + shape.noise * copies.std(axis=0) * rng.standard_normal(copies.shape)
    scale = rng.choice([-1, 1], shape.weak) * rng.uniform(0.5, 2.0, shape.weak)
    return np.hstack([z[:, : shape.strong], scale * copies + rng.standard_normal(shape.weak)])


def _group_of(shape: _Shape) -> np.ndarray:
    return np.sort(np.arange(shape.weak) % max(shape.hidden, 1))


def _genotypes(rng: Random, n: int, d: int) -> np.ndarray:
    """Two independent alleles per column, of a frequency between 0.2 and 0.5."""
    return rng.binomial(2, rng.uniform(0.2, 0.5, d), (n, d)).astype(float)


def _target(
    score: np.ndarray, kind: str, label_noise: float, n_classes: int | None, rng: Random
) -> np.ndarray:
    if n_classes is None:
        return score + label_noise * score.std() * rng.standard_normal(len(score))
    y = score.astype(int)
    if kind != "clusters":
        # Scores of genotypes are tied: who is above the median is then drawn.
        ranks = np.lexsort((rng.random_sample(len(score)), score))
        y = np.empty(len(score), dtype=int)
        y[ranks] = np.arange(len(score)) * n_classes // len(score)
    anew = rng.random_sample(len(y)) < label_noise
    return np.where(anew, rng.randint(n_classes, size=len(y)), y)


def _check(
    n_samples: int,
    kind: str,
    n_strong: int,
    n_weak: int,
    n_irrelevant: int,
    n_groups: int,
    noise: float,
    label_noise: float,
    n_classes: int | None,
) -> None:
    check_choice("kind", kind, tuple(_KINDS))
    if n_classes is not None:
        check_number("n_classes", n_classes, low=2, whole=True, also=("None",))
    check_number("n_samples", n_samples, low=max(2, n_classes or 2), whole=True)
    counts = {"n_strong": n_strong, "n_weak": n_weak, "n_irrelevant": n_irrelevant}
    for name, count in counts.items():
        check_number(name, count, low=0, whole=True)
    check_number("n_groups", n_groups, low=1, whole=True)
    check_number("noise", noise, low=0.0)
    most = np.inf if n_classes is None else 1.0
    check_number("label_noise", label_noise, low=0.0, high=most)
    if kind == "noise":
        return
    if n_strong + n_weak == 0:
        raise ValueError("n_strong and n_weak are both 0: y needs a feature to depend on, add one.")
    n_informative = n_strong + (n_groups if n_weak else 0)
    if kind in ("sum", "functions"):
        if n_weak and n_weak != 3 * n_groups:
            raise ValueError(
                f"n_weak must be 3 * n_groups = {3 * n_groups} for kind={kind!r}, got {n_weak}."
            )
    elif n_weak and n_weak < 2 * n_groups:
        raise ValueError(
            f"n_weak={n_weak} is too few for n_groups={n_groups}: a group needs at least 2 "
            "features. Raise n_weak, lower n_groups or set n_weak to 0."
        )
    if kind == "difference" and n_strong < 2:
        raise ValueError(f"n_strong must be at least 2 for kind='difference', got {n_strong}.")
    if kind == "mixed" and n_strong < 3:
        raise ValueError(f"n_strong must be at least 3 for kind='mixed', got {n_strong}.")
    if kind == "xor" and n_informative % 2:
        raise ValueError(
            "kind='xor' needs an even number of informative features, n_strong plus n_groups "
            f"where there are weak ones, got {n_informative}."
        )
    if kind == "clusters":
        if n_classes is None:
            raise ValueError("n_classes must be a number for kind='clusters', got None.")
        if 2 * n_classes > 2**n_informative:
            raise ValueError(
                f"kind='clusters' needs more informative features for {2 * n_classes} clusters: "
                "raise n_strong or n_groups."
            )
