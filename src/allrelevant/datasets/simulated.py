"""What the generators of simulated data share: columns of known relevance, and targets."""

from __future__ import annotations

from numbers import Integral
from typing import NamedTuple, TypeAlias

import numpy as np

Simulated: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]


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


def simulate(spec: SetSpec, n_groups: int, noise: float, rng: np.random.RandomState) -> Simulated:
    """Draw the columns, the score behind the target, and the truth about the columns."""
    _check_layout(spec, n_groups)
    check_noise("noise", noise, np.inf)
    n, n_strong, n_weak, n_irrelevant = spec
    n_hidden = n_groups if n_weak else 0

    informative = rng.standard_normal((n, n_strong + n_hidden))
    score = informative @ _signed_uniform(rng, 0.5, 1, n_strong + n_hidden)

    strong, hidden = informative[:, :n_strong], informative[:, n_strong:]
    group_of = np.sort(np.arange(n_weak) % max(n_hidden, 1))
    scale, shift = _signed_uniform(rng, 0.5, 2, n_weak), rng.standard_normal(n_weak)
    weak = scale * hidden[:, group_of] + shift

    X = np.hstack([strong, weak, rng.standard_normal((n, n_irrelevant))])
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    # Noise is drawn even where it is not used, so that later draws do not depend on its size.
    X += noise * rng.standard_normal(X.shape)
    return X, score, np.repeat([2, 1, 0], [n_strong, n_weak, n_irrelevant])


def _signed_uniform(rng: np.random.RandomState, low: float, high: float, size: int) -> np.ndarray:
    return rng.choice([-1, 1], size) * rng.uniform(low, high, size)


def equal_frequency_classes(score: np.ndarray, n_classes: int) -> np.ndarray:
    """Cut the samples, in order of their score, into classes of equal size."""
    y = np.empty(len(score), dtype=int)
    y[np.argsort(score)] = np.arange(len(score)) * n_classes // len(score)
    return y


def move_to_neighbours(
    y: np.ndarray, share: float, n_classes: int, rng: np.random.RandomState
) -> np.ndarray:
    """Move a share of the labels by one class; at either end there is only one way to go."""
    step = rng.choice([-1, 1], len(y))
    step[y == 0] = 1
    step[y == n_classes - 1] = -1
    step[rng.permutation(len(y))[round(share * len(y)) :]] = 0
    return y + step


def _check_layout(spec: SetSpec, n_groups: int) -> None:
    for name, count in spec._asdict().items():
        check_count(name, count, 2 if name == "n_samples" else 0)
    if spec.n_strong + spec.n_weak == 0:
        raise ValueError("n_strong and n_weak are both 0: y needs a feature to depend on, add one.")
    if spec.n_weak:
        check_count("n_groups", n_groups, 1)
        if spec.n_weak < 2 * n_groups:
            raise ValueError(
                f"n_weak={spec.n_weak} is too few for n_groups={n_groups}: a group needs at least "
                f"2 features. Raise n_weak to {2 * n_groups}, lower n_groups or set n_weak to 0."
            )


def check_count(name: str, value: int, minimum: int, reason: str = "") -> None:
    """Refuse a number of things that is not a whole number, or too small."""
    if not isinstance(value, Integral) or value < minimum:
        why = f" ({reason})" if reason else ""
        raise ValueError(f"{name} must be an integer of at least {minimum}{why}, got {value!r}.")


def check_noise(name: str, value: float, below: float) -> None:
    """Refuse a size of noise that is negative or not below a limit."""
    if not 0 <= value < below:
        limits = "0 or more, and finite" if below == np.inf else f"at least 0 and below {below}"
        raise ValueError(f"{name} must be {limits}, got {value!r}.")
