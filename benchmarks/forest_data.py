"""Simulated sets on which forests have failed, others that no rule was chosen on, and an oracle.

Every set comes with its truth: 2 strong, 1 weak, 0 irrelevant.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.datasets import make_friedman1, make_friedman2

Sample = tuple[np.ndarray, np.ndarray, np.ndarray]


def _truth(n_strong: int, n_weak: int, n_irrelevant: int) -> np.ndarray:
    return np.repeat([2, 1, 0], [n_strong, n_weak, n_irrelevant])


def _normal(random: np.random.Generator, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns, and errors of spread 1."""
    return random.standard_normal((n, d)), random.standard_normal(n)


# Where forests have failed


def _rare_class(seed: int) -> Sample:
    X, _ = _normal(np.random.default_rng(seed), 600, 10)
    score = X[:, 0] + X[:, 1] * X[:, 2]
    return X, (score > np.quantile(score, 0.95)).astype(int), _truth(3, 0, 7)


def _proxies(seed: int, n: int = 150, classes: bool = False) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 8))
    proxies = 0.8 * X[:, :2] + 0.6 * random.standard_normal((n, 2))
    y = X[:, 0] + X[:, 1] + 0.5 * random.standard_normal(n)
    X = np.hstack([X[:, :2], proxies, X[:, 2:]])
    return X, (y > 0).astype(int) if classes else y, _truth(2, 2, 6)


def _line_and_product(seed: int) -> Sample:
    X, error = _normal(np.random.default_rng(seed), 150, 8)
    return X, X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * error, _truth(3, 0, 5)


def _sphere(seed: int) -> Sample:
    X, _ = _normal(np.random.default_rng(seed), 150, 8)
    return X, ((X[:, :3] ** 2).sum(axis=1) > 2.4).astype(int), _truth(3, 0, 5)


def _friedman1(seed: int) -> Sample:
    X, y = make_friedman1(150, noise=1.0, random_state=seed)
    return X, y, _truth(5, 0, 5)


def _friedman2(seed: int, noise: float = 0.1) -> Sample:
    random = np.random.default_rng(seed)
    X, y = make_friedman2(400, random_state=seed)
    y = y + noise * y.std() * random.standard_normal(400)
    return np.hstack([X, random.standard_normal((400, 5))]), y, _truth(4, 0, 5)


def _missing_values(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((400, 8))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2 + X[:, 2] + 0.3 * random.standard_normal(400)
    return np.where(random.random(X.shape) < 0.2, np.nan, X), y, _truth(3, 0, 5)


def _missing_factors(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((600, 8))
    y = (X[:, 0] * X[:, 1] + 0.3 * X[:, 2] > 0).astype(int)
    return np.where(random.random(X.shape) < 0.2, np.nan, X), y, _truth(3, 0, 5)


def _product_of_three(seed: int, sign: bool = True) -> Sample:
    X, error = _normal(np.random.default_rng(seed), 600, 6)
    product = X[:, :3].prod(axis=1)
    return X, (product > 0).astype(int) if sign else product + 0.3 * error, _truth(3, 0, 3)


def _three_bits(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.integers(0, 2, (600, 10)).astype(float)
    odd = X[:, :3].sum(axis=1) % 2 > 0
    return X, (odd ^ (random.random(600) < 0.1)).astype(int), _truth(3, 0, 7)


DIFFICULT: dict[str, Callable[[int], Sample]] = {
    "rare class": _rare_class,
    "proxies": _proxies,
    "proxies, two classes": lambda seed: _proxies(seed, 300, classes=True),
    "150 rows, line and product": _line_and_product,
    "150 rows, sphere": _sphere,
    "150 rows, friedman1": _friedman1,
    "friedman2": _friedman2,
    "friedman2 without noise": lambda seed: _friedman2(seed, 0.0),
    "missing values": _missing_values,
    "missing factors": _missing_factors,
    "product of three, its sign": _product_of_three,
    "product of three": lambda seed: _product_of_three(seed, sign=False),
    "xor of three bits": _three_bits,
}


# Kinds that no rule was chosen on


def _box(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.random((500, 10))
    inside = ((X[:, :3] > 0.1) & (X[:, :3] < 0.8)).all(axis=1)
    return X, (inside ^ (random.random(500) < 0.05)).astype(int), _truth(3, 0, 7)


def _switch(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X, error = _normal(random, 500, 9)
    X[:, 0] = random.integers(0, 3, 500)
    y = np.choose(X[:, 0].astype(int), [X[:, 1], -2 * np.abs(X[:, 2]), 0 * error])
    return X, y + 0.5 * error, _truth(3, 0, 6)


def _counts(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.exponential(size=(400, 10))
    return X, random.poisson(_rate(X)).astype(float), _truth(3, 0, 7)


def _rate(X: np.ndarray) -> np.ndarray:
    return np.exp(0.5 * X[:, 0] - 0.5 * X[:, 1] * (X[:, 2] > 1))


def _ratio(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = np.exp(0.7 * random.standard_normal((300, 10)))
    copy = X[:, 1] * np.exp(0.05 * random.standard_normal(300))
    y = np.log1p(X[:, 0] / X[:, 1]) + 0.2 * X[:, 2] + 0.2 * random.standard_normal(300)
    return np.column_stack([X[:, [0, 2, 1]], copy, X[:, 3:]]), y, _truth(2, 2, 7)


def _three_classes(seed: int) -> Sample:
    X, error = _normal(np.random.default_rng(seed), 500, 10)
    scores = np.column_stack([X[:, 0] * X[:, 1], X[:, 2], np.sin(2 * X[:, 3]) + 0.3 * error])
    return X, scores.argmax(axis=1), _truth(4, 0, 6)


def _waves(seed: int) -> Sample:
    X, error = _normal(np.random.default_rng(seed), 400, 8)
    return X, np.cos(4 * X[:, 0]) + np.sin(3 * X[:, 1]) + 0.5 * error, _truth(2, 0, 6)


UNSEEN: dict[str, Callable[[int], Sample]] = {
    "box": _box,
    "switch": _switch,
    "counts": _counts,
    "ratio": _ratio,
    "three classes": _three_classes,
    "waves": _waves,
}


# More of these: rare classes, counts, long tails, categories, many columns, blocks of copies


def _corner(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((800, 10))
    y = (X[:, 0] > 0.9) & (X[:, 1] > 0.3)
    return X, (y ^ (random.random(800) < 0.01)).astype(int), _truth(2, 0, 8)


def _core(seed: int) -> Sample:
    X, _ = _normal(np.random.default_rng(seed), 800, 10)
    distance = (X[:, :3] ** 2).sum(axis=1)
    return X, (distance < np.quantile(distance, 0.06)).astype(int), _truth(3, 0, 7)


def _rare_by_chance(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((800, 10))
    share = 1 / (1 + np.exp(4.5 - 1.5 * X[:, 0] - 1.2 * X[:, 1] ** 2))
    return X, (random.random(800) < share).astype(int), _truth(2, 0, 8)


def _clear_counts(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((400, 10))
    rate = np.exp(0.3 + 0.6 * X[:, 0] + 0.4 * np.abs(X[:, 1]) - 0.4 * X[:, 2])
    return X, random.poisson(rate).astype(float), _truth(3, 0, 7)


def _many_zeros(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((500, 10))
    counts = random.poisson(np.exp(1 + 0.6 * X[:, 0]))
    return X, counts * (X[:, 1] + 0.5 * random.standard_normal(500) > 0) * 1.0, _truth(2, 0, 8)


def _long_tails(seed: int, of_features: bool = False) -> Sample:
    random = np.random.default_rng(seed)
    if of_features:
        X = random.standard_t(2, size=(400, 10))
        y = np.sign(X[:, 0]) * np.log1p(np.abs(X[:, 0])) + (np.abs(X[:, 1]) > 1)
        return X, y + 0.5 * np.tanh(X[:, 2]) + 0.4 * random.standard_normal(400), _truth(3, 0, 7)
    X = random.standard_normal((400, 10))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * random.standard_t(1.5, 400), _truth(3, 0, 7)


def _codes(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    X = random.standard_normal((500, 9))
    level = random.integers(0, 8, 500)
    X[:, 0], X[:, 5] = level, random.integers(0, 6, 500)
    y = np.array([0, 1, -1, 0.5, -0.5, 1.5, -1.5, 0])[level]
    y += np.array([1, -1, 1, -1, 0, 0, 1, -1])[level] * X[:, 1]
    return X, y + 0.5 * random.standard_normal(500), _truth(2, 0, 7)


def _many_columns(seed: int, classes: bool = False) -> Sample:
    X, error = _normal(np.random.default_rng(seed), 300, 200)
    if classes:
        y = np.abs(X[:, 0]) + X[:, 1] + X[:, 2] - 0.8 + 0.3 * error > 0
        return X, y.astype(int), _truth(3, 0, 197)
    y = 1.5 * np.sin(1.5 * X[:, 0]) + X[:, 1] ** 2 + X[:, 2] + X[:, 3] + 0.5 * error
    return X, y, _truth(4, 0, 196)


def _blocks(seed: int) -> Sample:
    random = np.random.default_rng(seed)
    hidden = random.standard_normal((500, 8))
    own = random.standard_normal((500, 24))
    X = np.sqrt(0.95) * np.repeat(hidden, 3, axis=1) + np.sqrt(0.05) * own
    y = np.abs(hidden[:, 0]) + hidden[:, 1] + hidden[:, 2] * hidden[:, 1]
    return X, y + 0.3 * random.standard_normal(500), _truth(0, 9, 15)


FURTHER: dict[str, Callable[[int], Sample]] = {
    "corner": _corner,
    "core": _core,
    "rare by chance": _rare_by_chance,
    "clear counts": _clear_counts,
    "many zeros": _many_zeros,
    "long tails of the target": _long_tails,
    "long tails of features": lambda seed: _long_tails(seed, of_features=True),
    "codes of categories": _codes,
    "200 columns": _many_columns,
    "200 columns, two classes": lambda seed: _many_columns(seed, classes=True),
    "blocks": _blocks,
}


# What could be known at all


def without_one(seed: int, noise: float | None, column: int, n_draws: int = 200) -> float:
    """By how many standard errors a loss rises without a column, if all is known.

    It is that of friedman2 with some noise, or that of counts. Who knows the formula and how
    columns are distributed predicts best without one of them by the mean of the formula over its
    values.
    """
    X, y, _ = _counts(seed) if noise is None else _friedman2(seed, noise)
    formula = _rate if noise is None else _formula
    random = np.random.default_rng(seed)
    mean = np.zeros(len(X))
    for _ in range(n_draws):
        other = X.copy()
        other[:, column] = random.permutation(X[:, column])
        mean += formula(other) / n_draws
    rise = (y - mean) ** 2 - (y - formula(X)) ** 2
    return float(rise.mean() / rise.std() * np.sqrt(len(rise)))


def _formula(X: np.ndarray) -> np.ndarray:
    inner = X[:, 1] * X[:, 2] - 1 / (X[:, 1] * X[:, 3])
    return np.sqrt(X[:, 0] ** 2 + inner**2)
