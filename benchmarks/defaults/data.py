"""Simulated data with known truth, of many shapes, and small real tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import expit
from sklearn import datasets as real_data

Random = np.random.Generator
RARE = 0.05  # share of ones in a rare binary column


class Data(NamedTuple):
    """A table, its target, which columns are relevant, and which rows belong together."""

    X: np.ndarray
    y: np.ndarray
    truth: np.ndarray
    groups: np.ndarray | None = None


def random_of(seed: int, *what: object) -> Random:
    """A stream of its own for each seed and case, the same in every run."""
    return np.random.default_rng([seed, *"/".join(map(str, what)).encode()])


# Columns


def columns(kind: str, n: int, d: int, random: Random) -> np.ndarray:
    """Columns of one kind, standardised; ``"AR 0.9"`` names the correlation of neighbours."""
    if kind == "mixed":
        X = np.empty((n, d))
        for start, each in enumerate(("Gaussian", "log-normal", "rare binary", "t3")):
            X[:, start::4] = columns(each, n, len(range(start, d, 4)), random)
        return X
    if kind.startswith("AR "):
        return _autoregressive(float(kind[3:]), n, d, random)
    return _standardised(_SHAPES[kind](random, (n, d)))


_SHAPES: dict[str, Callable[[Random, tuple[int, int]], np.ndarray]] = {
    "Gaussian": lambda random, size: random.standard_normal(size),
    "log-normal": lambda random, size: np.exp(random.standard_normal(size)),
    "rare binary": lambda random, size: (random.random(size) < RARE).astype(float),
    "t3": lambda random, size: random.standard_t(3, size),
}


def _autoregressive(correlation: float, n: int, d: int, random: Random) -> np.ndarray:
    X = random.standard_normal((n, d))
    fresh = np.sqrt(1.0 - correlation**2)
    for j in range(1, d):
        X[:, j] = correlation * X[:, j - 1] + fresh * X[:, j]
    return X


def _standardised(X: np.ndarray) -> np.ndarray:
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


# Targets


def target(task: str, score: np.ndarray, random: Random, intercept: float = 0.0) -> np.ndarray:
    """A target read off a score: plus unit noise, by a logit, or cut into ordered classes."""
    if task == "regression":
        return score + random.standard_normal(len(score))
    if task == "ordinal":
        noisy = score + random.logistic(size=len(score))
        return np.searchsorted(np.quantile(noisy, [0.25, 0.5, 0.75]), noisy)
    return (random.random(len(score)) < expit(score + intercept)).astype(int)


def weights(n_true: int, effect: float, random: Random) -> np.ndarray:
    """Effects of about one size, either sign."""
    signs = random.choice([-1.0, 1.0], n_true)
    return effect * signs * random.uniform(0.75, 1.25, n_true)


def with_effects(
    task: str, kind: str, n: int, d: int, n_true: int, effect: float, random: Random
) -> Data:
    """Columns of one kind of which some, anywhere, have an effect."""
    X = columns(kind, n, d, random)
    true = random.choice(d, n_true, replace=False)
    truth = np.isin(np.arange(d), true)
    return Data(X, target(task, X[:, true] @ weights(n_true, effect, random), random), truth)


def with_copies(task: str, kind: str, n: int, d: int, effect: float, random: Random) -> Data:
    """Ten effects (truth 2), and three near copies (truth 1): a tenth of the rows is shuffled."""
    data = with_effects(task, kind, n, d, 10, effect, random)
    X, truth = data.X, 2 * data.truth.astype(int)
    originals, others = np.flatnonzero(truth)[:3], np.flatnonzero(truth == 0)
    for original, place in zip(originals, random.choice(others, 3, replace=False), strict=True):
        X[:, place] = X[:, original]
        some = random.choice(n, n // 10, replace=False)
        X[some, place] = X[random.permutation(some), original]
        truth[place] = 1
    return Data(X, data.y, truth)


def logit(n: int, effect: float, intercept: float, random: Random) -> Data:
    """Two classes, three effects of one size among 20 Gaussian columns."""
    X = random.standard_normal((n, 20))
    y = target("classification", effect * (X[:, 0] + X[:, 1] - X[:, 2]), random, intercept)
    return Data(X, y, np.arange(20) < 3)


def two_clouds(n: int, share: float, shift: float, kind: str, random: Random) -> Data:
    """Two classes of unequal size that differ in the means of 3 of 20 columns."""
    y = (random.random(n) < share).astype(int)
    X = columns(kind, n, 20, random)
    X[:, :3] += shift * y[:, None] * np.array([1.0, -1.0, 1.0])
    return Data(X, y, np.arange(20) < 3)


def autoregressive(
    task: str, correlation: float, n: int, random: Random, *, effects: np.ndarray | None = None
) -> Data:
    """Five effects, far from one another, among 30 columns in a chain; noise is as large as one."""
    if effects is None:
        effects = chain_effects(random)
    X = _autoregressive(correlation, n, 30, random)
    return _read_off(task, X, np.arange(3, 30, 6), effects, random)


def chain_effects(random: Random, *, smallest: float = 0.5, one_sign: bool = False) -> np.ndarray:
    """Five effects between the smallest and one."""
    return random.uniform(smallest, 1.0, 5) * (1.0 if one_sign else random.choice([-1.0, 1.0], 5))


def hidden_factors(task: str, n: int, random: Random, *, effects: np.ndarray) -> Data:
    """Three columns with effects, three blurred copies each of two hidden ones, ten of noise."""
    hidden = random.standard_normal((n, 5))
    copies = np.repeat(hidden[:, 3:], 3, axis=1) + 0.3 * random.standard_normal((n, 6))
    data = _read_off(task, hidden, np.arange(5), effects, random)
    X = np.column_stack([hidden[:, :3], copies, random.standard_normal((n, 10))])
    return Data(X, data.y, np.arange(19) < 9)


def _read_off(
    task: str, X: np.ndarray, true: np.ndarray, effects: np.ndarray, random: Random
) -> Data:
    y = X[:, true] @ effects + random.standard_normal(len(X))
    truth = np.isin(np.arange(X.shape[1]), true)
    return Data(X, y if task == "regression" else (y > 0).astype(int), truth)


# Noise alone


def noise(task: str, kind: str, n: int, d: int, random: Random) -> Data:
    """Columns that have nothing to do with the target; a task may name the share of a class."""
    if kind.endswith("rows a patient"):
        return _patients(task, n, d, int(kind.split()[0]), random)
    return Data(columns(kind, n, d, random), _labels(task, n, random), np.zeros(d, dtype=bool))


def _labels(task: str, n: int, random: Random) -> np.ndarray:
    if task == "regression":
        return random.standard_normal(n)
    if task == "ordinal":
        return random.permutation(np.arange(n) % 4)
    share = 0.15 if task.endswith("15 %") else 0.5
    return random.permutation((np.arange(n) < round(share * n)).astype(int))


def _patients(task: str, n: int, d: int, each: int, random: Random) -> Data:
    """Several rows a patient, who differ little; the target is the patient's."""
    groups = np.arange(n) // each
    patients = groups[-1] + 1
    X = random.standard_normal((patients, d))[groups] + 0.1 * random.standard_normal((n, d))
    y = _labels(task, patients, random)[groups]
    if task == "regression":
        y = y + 0.1 * random.standard_normal(n)
    return Data(X, y, np.zeros(d, dtype=bool), groups)


# Small tables


def small_tables() -> dict[str, tuple[str, Callable[[], tuple[np.ndarray, np.ndarray]]]]:
    """Tables people begin with: the task and what gives X and y."""
    two = "classification"
    return {
        "breast cancer": (two, lambda: real_data.load_breast_cancer(return_X_y=True)),
        "iris, 2 classes": (two, lambda: _without(0, *real_data.load_iris(return_X_y=True))),
        "wine, 2 classes": (two, lambda: _without(2, *real_data.load_wine(return_X_y=True))),
        "diabetes": ("regression", lambda: real_data.load_diabetes(return_X_y=True)),
        **{f"penguins-like {k}": (two, lambda k=k: _birds(k)) for k in range(1, 4)},
    }


def _without(label: int, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return X[y != label], y[y != label]


def _birds(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """120 birds of two kinds: four measurements that share a size, and four columns of noise."""
    random = random_of(seed, "birds")
    y = (np.arange(120) < 50).astype(int)
    size = random.standard_normal(120)
    measured = 0.7 * size[:, None] + 0.7 * random.standard_normal((120, 4))
    measured += y[:, None] * np.array([1.5, -0.8, 0.4, 0.0])
    return np.column_stack([measured, random.standard_normal((120, 4))]), y
