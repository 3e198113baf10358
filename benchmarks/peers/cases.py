"""Data that no default of ours was chosen on, with fresh rows to predict, and public tables.

A column's truth is 2 where it has an effect of its own, 1 where it only stands in for one that has
(a near copy, or correlated by 0.5 and more), 0 where it tells nothing, and −1 where nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn import datasets as public
from sklearn.model_selection import train_test_split

from benchmarks.defaults.data import Random, random_of

_FRESH = 2000  # rows to predict
_STEPS = (0.15, 0.4, 0.7, 0.9)  # shares of rows below each of five ordered classes' ends


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows to select by, rows to predict, and what is known of the columns."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    y_new: np.ndarray
    truth: np.ndarray


@dataclass(frozen=True)
class Case:
    """A kind of data: what it is called, its task, and what draws it."""

    name: str
    task: str
    text: str
    draw: Callable[[Random, int], Drawn]

    def data(self, seed: int) -> Drawn:
        """The data of a seed."""
        return self.draw(random_of(seed, "peers", self.name), seed)


def _simulated(
    columns: Callable[[Random, int], np.ndarray],
    n: int,
    effects: dict[int, float],
    task: str,
    *,
    rare: float = 0.0,
    noise: Callable[[Random, int], np.ndarray] = lambda random, n: random.standard_normal(n),
) -> Callable[[Random, int], Drawn]:
    def draw(random: Random, seed: int) -> Drawn:
        X = columns(random, n + _FRESH)
        true = np.array(list(effects))
        signs = random.choice([-1.0, 1.0], len(true))
        y = X[:, true] @ (signs * np.array(list(effects.values()))) + noise(random, len(X))
        if task == "classification":
            y = (y > np.quantile(y, 1.0 - rare if rare else 0.5)).astype(int)
        elif task == "ordered":
            y = np.digitize(y, np.quantile(y, _STEPS))
        Z = (X - X.mean(axis=0)) / X.std(axis=0)
        related = np.abs(Z.T @ Z[:, true] / len(Z)).max(axis=1)
        truth = np.where(related >= 0.5, 1, 0)
        truth[true] = 2
        return Drawn(X[:n], y[:n], X[n:], y[n:], truth)

    return draw


def _chain(correlation: float, d: int) -> Callable[[Random, int], np.ndarray]:
    def columns(random: Random, n: int) -> np.ndarray:
        X = random.standard_normal((n, d))
        for j in range(1, d):
            X[:, j] = correlation * X[:, j - 1] + np.sqrt(1 - correlation**2) * X[:, j]
        return X

    return columns


def _blocks(correlation: float, n_blocks: int, size: int) -> Callable[[Random, int], np.ndarray]:
    def columns(random: Random, n: int) -> np.ndarray:
        shared = np.repeat(random.standard_normal((n, n_blocks)), size, axis=1)
        own = random.standard_normal((n, n_blocks * size))
        return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own

    return columns


def _heavy(d: int) -> Callable[[Random, int], np.ndarray]:
    return lambda random, n: np.clip(random.standard_t(2.5, (n, d)), -30, 30)


def _sparse_factors(d: int) -> Callable[[Random, int], np.ndarray]:
    """Columns that load on a few hidden factors, as expression levels do."""

    def columns(random: Random, n: int) -> np.ndarray:
        loads = random.standard_normal((8, d)) * (random.random((8, d)) < 0.1)
        return random.standard_normal((n, 8)) @ loads * 0.7 + random.standard_normal((n, d))

    return columns


def _bent(random: Random, seed: int) -> Drawn:
    """A bowl, a step and a product: a line sees little of it."""
    n = 500
    X = random.standard_normal((n + _FRESH, 25))
    y = X[:, 0] ** 2 + 2.0 * (X[:, 1] > 0.5) + 1.5 * X[:, 2] * X[:, 3] + X[:, 4]
    y = y + random.standard_normal(len(X))
    truth = 2 * (np.arange(25) < 5)
    return Drawn(X[:n], y[:n], X[n:], y[n:], truth)


def _with_shuffled(X: np.ndarray, y: np.ndarray) -> Callable[[Random, int], Drawn]:
    """A public table with each column once more, shuffled: those tell nothing."""

    def draw(random: Random, seed: int) -> Drawn:
        shuffled = random.permuted(X, axis=0)
        both = np.column_stack([X, shuffled])
        kind = y if len(np.unique(y)) < 10 else None
        parts = train_test_split(both, y, test_size=1 / 3, random_state=seed, stratify=kind)
        truth = np.repeat([-1, 0], X.shape[1])
        return Drawn(parts[0], parts[2], parts[1], parts[3], truth)

    return draw


def _public() -> list[Case]:
    cancer = public.load_breast_cancer(return_X_y=True)
    diabetes = public.load_diabetes(return_X_y=True)
    wine = public.load_wine(return_X_y=True)
    text = "a public table, and each of its columns once more, shuffled"
    steps = np.digitize(diabetes[1], np.quantile(diabetes[1], (0.25, 0.5, 0.75)))
    return [
        Case("breast cancer", "classification", text, _with_shuffled(*cancer)),
        Case("diabetes", "regression", text, _with_shuffled(*diabetes)),
        Case("wine, first cultivar", "classification", text, _with_shuffled(wine[0], wine[1] == 0)),
        Case(
            "diabetes in steps",
            "ordered",
            "the same as four ordered classes of equal size",
            _with_shuffled(diabetes[0], steps),
        ),
    ]


def cases() -> list[Case]:
    """All kinds of data."""
    eight = dict.fromkeys(range(3, 60, 7), 0.6)
    five = dict.fromkeys(range(0, 50, 10), 0.8)
    two, number = "classification", "regression"
    return [
        Case(
            "chain",
            number,
            "AR(0.8), 300 × 60, nine effects",
            _simulated(_chain(0.8, 60), 300, eight, number),
        ),
        Case(
            "blocks",
            two,
            "ten blocks of five, correlation 0.85, 400 × 50, five effects",
            _simulated(_blocks(0.85, 10, 5), 400, five, two),
        ),
        Case(
            "heavy tails",
            number,
            "columns of t(2.5), noise of t(3), 300 × 40, six effects",
            _simulated(
                _heavy(40),
                300,
                dict.fromkeys(range(0, 36, 6), 0.5),
                number,
                noise=lambda random, n: random.standard_t(3, n),
            ),
        ),
        Case(
            "rare class",
            two,
            "6 % positives, 600 × 30, four effects",
            _simulated(_blocks(0.3, 6, 5), 600, dict.fromkeys((0, 7, 14, 21), 0.8), two, rare=0.06),
        ),
        Case(
            "ordered classes",
            "ordered",
            "five of unequal sizes, blocks of four, correlation 0.7, 400 × 40, five effects",
            _simulated(_blocks(0.7, 10, 4), 400, dict.fromkeys(range(0, 40, 8), 0.7), "ordered"),
        ),
        Case("bent", number, "a bowl, a step, a product and a line, 500 × 25", _bent),
        Case(
            "wide",
            number,
            "hidden factors, 200 × 2,000, ten effects",
            _simulated(_sparse_factors(2000), 200, dict.fromkeys(range(0, 2000, 200), 0.7), number),
        ),
        Case(
            "very wide",
            number,
            "hidden factors, 200 × 10,000, ten effects",
            _simulated(
                _sparse_factors(10_000), 200, dict.fromkeys(range(0, 10000, 1000), 0.7), number
            ),
        ),
        *_public(),
    ]
