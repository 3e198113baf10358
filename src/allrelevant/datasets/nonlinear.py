"""Simulated data whose relevant features no straight line can find.

The truth of a column says what it is to the models that know the rule behind the data: 2 if no
other columns carry its information, 1 if others can stand in for it, 0 if it tells nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from allrelevant.base.validation import check_choice, check_number
from allrelevant.datasets.kinds import KINDS, Random, Shape, genotypes
from allrelevant.datasets.simulated import SetSpec, check_layout

Kind = Literal[
    "clusters", "copies", "sum", "functions", "difference", "genotypes", "xor", "mixed", "noise"
]

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
    spec = SetSpec(n_samples, n_strong, n_weak, n_irrelevant)
    _check(spec, kind, n_groups, noise, label_noise, n_classes)
    rng = check_random_state(random_state)
    shape = Shape(n_samples, n_strong, n_weak, n_groups, noise, n_classes)
    shown, score, truth = KINDS[kind](shape, rng)
    useless = (
        genotypes(rng, n_samples, n_irrelevant)
        if kind == "genotypes"
        else rng.standard_normal((n_samples, n_irrelevant))
    )
    X = np.hstack([shown, useless])
    y = _target(score, kind, label_noise, n_classes, rng)
    return X, y, np.append(truth, np.zeros(n_irrelevant, dtype=int))


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
    spec: SetSpec,
    kind: str,
    n_groups: int,
    noise: float,
    label_noise: float,
    n_classes: int | None,
) -> None:
    check_choice("kind", kind, tuple(KINDS))
    if n_classes is not None:
        check_number("n_classes", n_classes, low=2, whole=True, also=("None",))
    check_number("n_samples", spec.n_samples, low=max(2, n_classes or 2), whole=True)
    check_number("n_groups", n_groups, low=1, whole=True)
    check_number("noise", noise, low=0.0)
    most = np.inf if n_classes is None else 1.0
    check_number("label_noise", label_noise, low=0.0, high=most)
    if kind == "noise":
        check_layout(spec._replace(n_strong=1), 1)
        return
    check_layout(spec, n_groups)
    n_strong, n_weak = spec.n_strong, spec.n_weak
    if kind in ("sum", "functions") and n_weak not in (0, 3 * n_groups):
        raise ValueError(
            f"n_weak must be 3 * n_groups = {3 * n_groups} for kind={kind!r}, got {n_weak}."
        )
    least = {"difference": 2, "mixed": 3}.get(kind, 0)
    if n_strong < least:
        raise ValueError(f"n_strong must be at least {least} for kind={kind!r}, got {n_strong}.")
    n_informative = n_strong + (n_groups if n_weak else 0)
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
