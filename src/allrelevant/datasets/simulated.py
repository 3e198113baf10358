"""What the generators of simulated data share: columns of known relevance, and targets."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from allrelevant.base.validation import check_choice, check_number

Simulated: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]
Weights = Literal["floor", "unit", "uniform", "normal"]


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
    n_groups: int,
    noise: float,
    rng: np.random.RandomState,
    weights: Weights = "floor",
    n_scores: int = 1,
) -> Simulated:
    """Draw columns, the score (or scores) behind the target, and the truth about the columns."""
    check_choice("weights", weights, ("floor", "unit", "uniform", "normal"))
    check_layout(spec, n_groups)
    check_noise("noise", noise, np.inf)
    n, n_strong, n_weak, n_irrelevant = spec
    n_hidden = n_groups if n_weak else 0

    informative = rng.standard_normal((n, n_strong + n_hidden))
    size = prototype(rng, weights, n_strong + n_hidden)
    if n_scores > 1:
        evenly = np.tile(np.linspace(-1.0, 1.0, n_scores), (len(size), 1))
        score = informative @ (size[:, None] * np.array([rng.permutation(row) for row in evenly]))
    else:
        score = informative @ size

    strong, hidden = informative[:, :n_strong], informative[:, n_strong:]
    group_of = groups_of(n_weak, n_hidden)
    scale, shift = signed_uniform(rng, 0.5, 2, n_weak), rng.standard_normal(n_weak)
    weak = scale * hidden[:, group_of] + shift

    X = np.hstack([strong, weak, rng.standard_normal((n, n_irrelevant))])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    # Noise is drawn even where it is not used, so that later draws do not depend on its size.
    X += noise * rng.standard_normal(X.shape)
    return X, score, np.repeat([2, 1, 0], [n_strong, n_weak, n_irrelevant])


def prototype(rng: np.random.RandomState, weights: Weights, size: int) -> np.ndarray:
    """The weights of the informative features in the score."""
    if weights == "normal":
        return rng.standard_normal(size)
    low, high = {"floor": (0.5, 1.0), "unit": (1.0, 1.0), "uniform": (0.0, 1.0)}[weights]
    return signed_uniform(rng, low, high, size)


def groups_of(n_weak: int, n_hidden: int) -> np.ndarray:
    """For every weak feature the hidden one it is a copy of; larger groups first."""
    return np.sort(np.arange(n_weak) % max(n_hidden, 1))


def signed_uniform(rng: np.random.RandomState, low: float, high: float, size: int) -> np.ndarray:
    """Numbers between low and high, with a random sign."""
    return rng.choice([-1, 1], size) * rng.uniform(low, high, size)


def equal_frequency_classes(score: np.ndarray, n_classes: int) -> np.ndarray:
    """Cut the samples, in order of their score, into classes of equal size."""
    y = np.empty(len(score), dtype=int)
    y[np.argsort(score)] = np.arange(len(score)) * n_classes // len(score)
    return y


def largest_scores(scores: np.ndarray) -> np.ndarray:
    """The class of the largest score, with constants for which classes are about equally large."""
    n, K = scores.shape
    constants = np.zeros(K)
    for step in np.geomspace(1.0, 1e-3, 500):
        sizes = np.bincount((scores + constants).argmax(axis=1), minlength=K)
        constants -= step * scores.std() * (sizes * K / n - 1.0)
    return (scores + constants).argmax(axis=1)


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


def check_layout(spec: SetSpec, n_groups: int) -> None:
    """Refuse numbers of features that no data set can have."""
    for name, count in spec._asdict().items():
        check_number(name, count, low=2 if name == "n_samples" else 0, whole=True)
    if spec.n_strong + spec.n_weak == 0:
        raise ValueError("n_strong and n_weak are both 0: y needs a feature to depend on, add one.")
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
