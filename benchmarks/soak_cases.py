"""Fits that are hard on the solver, one for every kind and number, which says it all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

from allrelevant import (
    OrdinalRelevanceClassifier,
    RejectOptionRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    SurvivalRelevanceRegressor,
)
from allrelevant.base.arrays import Floats

Random = np.random.Generator
TASKS = ("classification", "regression", "ordinal", "reject")
_ESTIMATORS: dict[str, Callable[..., Any]] = {
    "classification": RelevanceClassifier,
    "regression": RelevanceRegressor,
    "ordinal": OrdinalRelevanceClassifier,
    "reject": RejectOptionRelevanceClassifier,
    "survival": SurvivalRelevanceRegressor,
}


@dataclass(frozen=True, eq=False)
class Case:
    """One fit: an estimator and its data."""

    task: str
    X: Any
    y: Floats
    parameters: dict[str, Any] = field(default_factory=dict)
    privileged: Floats | None = None

    def fit(self) -> None:
        """Do it."""
        estimator = _ESTIMATORS[self.task](random_state=0, **self.parameters)
        extra = {} if self.privileged is None else {"X_privileged": self.privileged}
        estimator.fit(self.X, self.y, **extra)


def _shape(random: Random, most: int = 10_000) -> tuple[int, int]:
    """Rows and columns, of which the product is not above a limit."""
    n = int(np.exp(random.uniform(np.log(12), np.log(400))))
    d = int(np.exp(random.uniform(np.log(2), np.log(60))))
    return n, min(d, max(most // n, 2))


def _task(random: Random) -> str:
    return str(random.choice(TASKS, p=[0.3, 0.4, 0.2, 0.1]))


def _target(task: str, X: Floats, random: Random) -> Floats:
    """Something the first few columns tell, more or less, for this task."""
    n_used = int(random.integers(1, min(X.shape[1], 5) + 1))
    noise = float(random.choice([0.0, 0.01, 0.3, 1.0, 5.0]))
    score = X[:, :n_used] @ random.normal(size=n_used) + noise * random.normal(size=len(X))
    return labelled(task, score, random)


def labelled(task: str, score: Floats, random: Random) -> Floats:
    """A score as a target: itself, or by ranks as two classes or a few."""
    if task == "regression":
        return score
    ranks = np.argsort(np.argsort(score, kind="stable"), kind="stable") / len(score)
    if task == "ordinal":
        return np.floor(ranks * int(random.integers(3, 6)))
    return np.asarray(ranks > random.choice([0.5, 0.5, 0.3, 0.8]), dtype=float)


def plain(random: Random) -> Case:
    """Normal columns."""
    n, d = _shape(random)
    X, task = random.normal(size=(n, d)), _task(random)
    return Case(task, X, _target(task, X, random))


def degenerate(random: Random) -> Case:
    """Whole numbers, constants, exact copies, sums of others, far scales, few values."""
    n, d = _shape(random)
    X, task = random.normal(size=(n, d)), _task(random)
    if random.random() < 0.5:
        X = np.round(X * float(random.choice([0.5, 1.0, 3.0])))
    for column in range(d):
        what, other = random.integers(8), int(random.integers(d))
        if what == 0:
            X[:, column] = float(random.integers(-2, 3))
        elif what == 1:
            X[:, column] = X[:, other] * float(random.choice([-1.0, 1.0, 2.0]))
        elif what == 2:
            X[:, column] = X[:, other] + X[:, int(random.integers(d))]
        elif what == 3:
            X[:, column] = X[:, column] > 1.0
        elif what == 4:
            X[:, column] *= float(random.choice([1e-6, 1e-3, 1e3, 1e6]))
    y = _target(task, X, random)
    if task == "regression" and random.random() < 0.3:
        y = np.round(y)
    rare = {} if random.random() < 0.7 else {"standardize": False}
    return Case(task, X, y, rare if np.abs(X).max() < 1e4 else {})


def near_copies(random: Random) -> Case:
    """Columns that are others, but for 1e-6 to 1e-3."""
    n, d = _shape(random, 5_000)
    X, task = random.normal(size=(n, d)), _task(random)
    apart = 10.0 ** random.uniform(-6, -3)
    copies = X + apart * random.normal(size=X.shape)
    y = _target(task, X, random)
    return Case(task, np.hstack([X, copies[:, : int(random.integers(1, d + 1))]]), y)


def near_copies_of_few(random: Random) -> Case:
    """A few columns, of each of which there are several that differ by 1e-6 to 1e-3."""
    n, n_sources = int(random.integers(30, 200)), int(random.integers(1, 4))
    sources = random.normal(size=(n, n_sources))
    apart = 10.0 ** random.uniform(-6, -3)
    blocks = [sources + apart * random.normal(size=sources.shape) for _ in range(4)]
    X = np.hstack([*blocks, random.normal(size=(n, int(random.integers(0, 8))))])
    task = "regression" if random.random() < 0.6 else _task(random)
    return Case(task, X, _target(task, sources, random))


def with_given_c(random: Random) -> Case:
    """Near copies where C is given, however large."""
    base = near_copies_of_few(random) if random.random() < 0.6 else near_copies(random)
    return Case(base.task, base.X, base.y, {"C": float(10.0 ** random.uniform(-2, 3))})


def privileged(random: Random) -> Case:
    """Privileged features, with both budgets and γ from small to large."""
    n, d, p = int(random.integers(20, 90)), int(random.integers(1, 7)), int(random.integers(1, 5))
    task = str(random.choice(TASKS[:3]))
    X, side = random.normal(size=(n, d)), random.normal(size=(n, p))
    score = X @ random.normal(size=d) + float(random.choice([0.1, 1.0])) * side[:, 0]
    parameters: dict[str, Any] = {"budget": str(random.choice(["auto", "split", "joint"]))}
    if random.random() < 0.7:
        parameters["gamma"] = float(10.0 ** random.uniform(-4, 1))
    if random.random() < 0.5:
        parameters["C"] = float(10.0 ** random.uniform(-2, 2))
    return Case(task, X, labelled(task, score, random), parameters, side)


def _hard(random: Random, most: int) -> Floats:
    """Columns of every sort: normal, of few values, exact copies and near ones."""
    n, d = _shape(random, most)
    X = random.normal(size=(n, d))
    for column in range(1, d):
        what = int(random.integers(6))
        if what == 0:
            X[:, column] = X[:, column - 1]
        elif what == 1:
            X[:, column] = X[:, column - 1] + 10.0 ** random.uniform(-6, -3) * X[:, column]
        elif what == 2:
            X[:, column] = X[:, column] > 1.0
    return X


def _maybe_c(random: Random) -> dict[str, Any]:
    return {"C": float(10.0 ** random.uniform(-2, 2))} if random.random() < 0.3 else {}


def classes(random: Random) -> Case:
    """Three to five classes without an order; some may be rare."""
    X, K = _hard(random, 3_000), int(random.integers(3, 6))
    n_used = int(random.integers(1, min(X.shape[1], 5) + 1))
    scores = X[:, :n_used] @ random.normal(size=(n_used, K))
    scores += float(random.choice([0.01, 0.3, 1.0])) * random.normal(size=scores.shape)
    y = np.argmax(scores, axis=1).astype(float)
    y[:K] = np.arange(K)
    return Case("classification", X, y, _maybe_c(random))


def survival(random: Random) -> Case:
    """Times until an event, of which none to nearly all are censored."""
    X = _hard(random, 5_000)
    times = np.exp(np.clip(_target("regression", X, random), -20.0, 20.0))
    if random.random() < 0.3:
        times = np.ceil(times)  # many are equal
    seen = random.random(len(times)) < float(random.choice([0.1, 0.5, 0.9, 1.0]))
    seen[0] = True
    return Case("survival", X, np.column_stack([times, seen]), _maybe_c(random))


def quantiles(random: Random) -> Case:
    """Quantiles of numbers, far ones among them."""
    X, quantile = _hard(random, 5_000), float(random.choice([0.02, 0.1, 0.5, 0.9, 0.98]))
    parameters = {"loss": "quantile", "quantile": quantile} | _maybe_c(random)
    return Case("regression", X, _target("regression", X, random), parameters)


def sparse(random: Random) -> Case:
    """Tables of which most is zero, given as sparse ones."""
    X = _hard(random, 5_000)
    X[random.random(X.shape) < float(random.choice([0.5, 0.9, 0.97]))] = 0.0
    task = _task(random)
    return Case(task, csr_array(X), _target(task, X, random), _maybe_c(random))


def smooth(random: Random) -> Case:
    """Baselines of least Euclidean norm."""
    X, task = _hard(random, 5_000), _task(random)
    return Case(task, X, _target(task, X, random), {"baseline": "l2"} | _maybe_c(random))


@cache
def _real() -> tuple[tuple[str, Floats, Floats], ...]:
    """Data sets that come with scikit-learn."""
    cancer, diabetes = load_breast_cancer(), load_diabetes()
    wine, iris = load_wine(), load_iris()
    return (
        ("classification", cancer.data, cancer.target.astype(float)),
        ("regression", diabetes.data, diabetes.target),
        ("ordinal", wine.data, wine.target.astype(float)),
        ("ordinal", iris.data, iris.target.astype(float)),
        ("classification", wine.data, (wine.target == 1).astype(float)),
        ("regression", wine.data[:, 1:], wine.data[:, 0]),
        ("regression", cancer.data[:, 1:], cancer.data[:, 0]),
        ("regression", iris.data[:, :3], iris.data[:, 3]),
    )


def real(random: Random) -> Case:
    """Some rows and columns of real data, now and then with a column twice over."""
    sets = _real()
    task, X, y = sets[int(random.integers(len(sets)))]
    d = int(random.integers(min(3, X.shape[1]), X.shape[1] + 1))
    most = max(min(len(X), 10_000 // d), 40)
    rows = random.choice(len(X), int(random.integers(40, most + 1)), replace=random.random() < 0.3)
    columns = random.choice(X.shape[1], d, replace=False)
    table = X[np.ix_(rows, columns)]
    if random.random() < 0.3:
        twin = table[:, :1] * (
            1.0 + 10.0 ** random.uniform(-6, -3) * random.normal(size=(len(rows), 1))
        )
        table = np.hstack([table, twin])
    return Case(task, table, y[rows])


KINDS: dict[str, Callable[[Random], Case]] = {
    "random": plain,
    "degenerate": degenerate,
    "near-copies": near_copies,
    "near-copies-of-few": near_copies_of_few,
    "given-C": with_given_c,
    "privileged": privileged,
    "real": real,
    "classes": classes,
    "survival": survival,
    "quantiles": quantiles,
    "sparse": sparse,
    "l2": smooth,
}


def case(kind: str, number: int) -> Case:
    """The fit of a kind that has this number."""
    return KINDS[kind](np.random.default_rng([sum(map(ord, kind)), number]))
