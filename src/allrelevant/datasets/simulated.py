"""What the generators of simulated data share: columns of known relevance, and targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from allrelevant.base.validation import check_choice, check_number

Simulated: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]
Weights = Literal["floor", "unit", "uniform", "normal"]
Groups: TypeAlias = int | Sequence[int]


class SetSpec(NamedTuple):
    """Size of a simulated data set: its samples, and its features of each relevance.

    Examples
    --------
    >>> from allrelevant.datasets import PAPER_SETS, make_ordinal
    >>> X, y, truth = make_ordinal(**PAPER_SETS["Set 3"]._asdict(), random_state=0)
    >>> X.shape
    (150, 10)
    """

    n_samples: int
    n_strong: int
    n_weak: int
    n_irrelevant: int


def simulate(
    spec: SetSpec,
    n_groups: Groups,
    noise: float,
    rng: np.random.RandomState,
    weights: Weights = "floor",
    n_scores: int = 1,
    n_repeated: int = 0,
) -> Simulated:
    """Draw columns, the score (or scores) behind the target, and the truth about the columns."""
    check_choice("weights", weights, ("floor", "unit", "uniform", "normal"))
    check_layout(spec, n_groups)
    check_number("n_repeated", n_repeated, low=0, high=spec.n_strong + spec.n_weak, whole=True)
    check_noise("noise", noise, np.inf)
    n, n_strong, n_weak, n_irrelevant = spec
    group_of = groups_of(n_weak, n_groups)
    n_hidden = int(group_of.max(initial=-1)) + 1

    informative = rng.standard_normal((n, n_strong + n_hidden))
    size = prototype(rng, weights, n_strong + n_hidden)
    if n_scores > 1:
        evenly = np.tile(np.linspace(-1.0, 1.0, n_scores), (len(size), 1))
        score = informative @ (size[:, None] * np.array([rng.permutation(row) for row in evenly]))
    else:
        score = informative @ size

    strong, hidden = informative[:, :n_strong], informative[:, n_strong:]
    scale, shift = signed_uniform(rng, 0.5, 2, n_weak), rng.standard_normal(n_weak)
    weak = scale * hidden[:, group_of] + shift

    X = np.hstack([strong, weak, rng.standard_normal((n, n_irrelevant))])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    truth = np.repeat([2, 1, 0], [n_strong, n_weak, n_irrelevant])
    if n_repeated:
        repeated = np.sort(rng.choice(n_strong + n_weak, n_repeated, replace=False))
        truth[repeated] = 1  # the copy will do
        X, truth = np.hstack([X, X[:, repeated]]), np.append(truth, np.ones(n_repeated, dtype=int))
    # Noise is drawn even where it is not used, so that later draws do not depend on its size.
    X += noise * rng.standard_normal(X.shape)
    return X, score, truth


def prototype(rng: np.random.RandomState, weights: Weights, size: int) -> np.ndarray:
    """The weights of the informative features in the score."""
    if weights == "normal":
        return rng.standard_normal(size)
    low, high = {"floor": (0.5, 1.0), "unit": (1.0, 1.0), "uniform": (0.0, 1.0)}[weights]
    return signed_uniform(rng, low, high, size)


def groups_of(n_weak: int, groups: Groups) -> np.ndarray:
    """For every weak feature the hidden one it is a copy of; larger groups first, or as given."""
    if isinstance(groups, int | np.integer):
        return np.sort(np.arange(n_weak) % max(groups, 1))
    return np.repeat(np.arange(len(groups)), groups) if n_weak else np.zeros(0, dtype=int)


def signed_uniform(rng: np.random.RandomState, low: float, high: float, size: int) -> np.ndarray:
    """Numbers between low and high, with a random sign."""
    return rng.choice([-1, 1], size) * rng.uniform(low, high, size)


def classes_in_order(
    score: np.ndarray, n_classes: int, sizes: Sequence[float] | None = None
) -> np.ndarray:
    """Cut the samples, in order of their score, into classes of equal or of given sizes."""
    n, y = len(score), np.empty(len(score), dtype=int)
    if sizes is None:
        y[np.argsort(score)] = np.arange(n) * n_classes // n
        return y
    ends = np.rint(n * np.cumsum(class_shares(sizes, n_classes, n))).astype(int)
    y[np.argsort(score)] = np.searchsorted(ends, np.arange(n), side="right")
    return y


def largest_scores(scores: np.ndarray, sizes: Sequence[float] | None = None) -> np.ndarray:
    """The class of the largest score, with constants for which classes are about as large."""
    n, K = scores.shape
    shares = class_shares(np.ones(K) if sizes is None else sizes, K, n)
    constants = np.zeros(K)
    for step in np.geomspace(1.0, 1e-3, 500):
        counts = np.bincount((scores + constants).argmax(axis=1), minlength=K)
        constants -= step * scores.std() * (counts / (n * shares) - 1.0)
    return (scores + constants).argmax(axis=1)


def class_shares(sizes: Sequence[float] | np.ndarray, n_classes: int, n: int) -> np.ndarray:
    """Shares of the samples from sizes in any unit; every class has to get a sample."""
    shares = np.asarray(sizes, dtype=float)
    if shares.shape != (n_classes,) or not (np.isfinite(shares).all() and (shares > 0).all()):
        raise ValueError(
            f"class_sizes must be {n_classes} positive numbers, one for each class, got {sizes!r}."
        )
    shares = shares / shares.sum()
    if n * shares.min() < 1:
        raise ValueError(
            f"class_sizes={sizes!r} leaves a class without a sample: raise n_samples above "
            f"{int(1 / shares.min())} or make the smallest class larger."
        )
    return shares


def move_to_others(
    y: np.ndarray, share: float, n_classes: int, rng: np.random.RandomState
) -> np.ndarray:
    """Move a share of the labels to any other class."""
    step = rng.randint(1, n_classes, len(y))
    step[rng.permutation(len(y))[round(share * len(y)) :]] = 0
    return (y + step) % n_classes


def move_to_neighbours(
    y: np.ndarray, share: float, n_classes: int, rng: np.random.RandomState
) -> np.ndarray:
    """Move a share of the labels by one class; at either end there is only one way to go."""
    step = rng.choice([-1, 1], len(y))
    step[y == 0] = 1
    step[y == n_classes - 1] = -1
    step[rng.permutation(len(y))[round(share * len(y)) :]] = 0
    return y + step


def check_layout(spec: SetSpec, n_groups: Groups) -> None:
    """Refuse numbers of features that no data set can have."""
    for name, count in spec._asdict().items():
        check_number(name, count, low=2 if name == "n_samples" else 0, whole=True)
    if spec.n_strong + spec.n_weak == 0:
        raise ValueError("n_strong and n_weak are both 0: y needs a feature to depend on, add one.")
    if isinstance(n_groups, Sequence) and not isinstance(n_groups, str):
        if min(n_groups, default=0) < 2 or sum(n_groups) != spec.n_weak:
            raise ValueError(
                f"n_groups={n_groups!r} must be sizes of at least 2 whose sum is n_weak, which is "
                f"{spec.n_weak}."
            )
        return
    if spec.n_weak:
        check_number("n_groups", n_groups, low=1, whole=True)
        if spec.n_weak < 2 * n_groups:
            raise ValueError(
                f"n_weak={spec.n_weak} is too few for n_groups={n_groups}: a group needs at least "
                f"2 features. Raise n_weak to {2 * n_groups}, lower n_groups or set n_weak to 0."
            )


def check_noise(name: str, value: float, below: float) -> None:
    """Refuse a size of noise that is negative or not below a limit."""
    if not 0 <= value < below:
        limits = "0 or more, and finite" if below == np.inf else f"at least 0 and below {below}"
        raise ValueError(f"{name} must be {limits}, got {value!r}.")
