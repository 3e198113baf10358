"""Small problems with privileged features, and their oracles; what several tests build on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from helpers import encode, fit_baseline
from oracle import PrivilegedOracle

from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.fit.baseline.best import equivalent_models
from allrelevant.linear.fit.baseline.tolerance import Room, make_budgets
from allrelevant.linear.fit.problem.problem import PrivilegedProblem
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import Classification, Ordinal, Regression

MODELS = {
    "classification": Classification(),
    "regression-eps0": Regression(0.0),
    "regression-eps0.3": Regression(0.3),
    "ordinal-2": Ordinal(2),
    "ordinal-3": Ordinal(3),
    "ordinal-4": Ordinal(4),
    "ordinal-3-all": Ordinal(3, slacks="all"),
}


def hard_and_easy(random, model, n=36):
    """Two of four features matter, and two of three privileged ones explain what is hard.

    Where a function belongs to each direction the clean features do. A single one for both has to
    be told how much noise a sample has.
    """
    X = random.normal(size=(n, 4))
    score = X[:, :2] @ [2.0, -1.5]
    privileged = random.normal(size=(n, 3))
    if model.task == "classification":
        X[:, :2] += 0.4 * np.sign(score)[:, None] * [1.0, -1.0]
        size = np.abs(privileged[:, :2]) * (random.random((n, 2)) < 0.3)
        X[:, :2] += 2.0 * size * random.choice([-1.0, 1.0], size=(n, 2))
        privileged[:, :2] = size - size.mean(axis=0)
        return X, privileged, np.sign(score)
    privileged[:, :2] = X[:, :2]
    noise = 0.5 if model.task == "regression" else 0.15
    X[:, :2] += noise * random.normal(size=(n, 2))
    return X, privileged, encode(model, score)


def marked(random, model, n=60):
    """One feature tells the target, but for samples that the first privileged feature marks.

    It says by how much they are off, if not in which direction.
    """
    if model.task == "regression":
        target = random.normal(size=n)
        level = target
    else:
        n_classes = getattr(model, "n_classes", 2)
        codes = np.arange(n) % n_classes
        level = 2.0 * codes + random.uniform(-0.2, 0.2, n)
        target = codes.astype(float) if model.task == "ordinal" else 2.0 * codes - 1.0
    size = random.uniform(1.0, 3.0, n) * (random.random(n) < 0.25)
    X, privileged = random.normal(size=(n, 3)), random.normal(size=(n, 2))
    X[:, 0] = level + size * random.choice([-1.0, 1.0], n)
    privileged[:, 0] = size
    return X, privileged, target


def noise_only(random, model, n=30):
    X, _, target = hard_and_easy(random, model, n)
    return X, random.normal(size=(n, 2)), target


def duplicate_privileged(random, model):
    X, privileged, target = hard_and_easy(random, model)
    return X, np.column_stack([privileged[:, :2], privileged[:, :2], -privileged[:, 0]]), target


def constant_columns(random, model):
    X, privileged, target = hard_and_easy(random, model)
    X[:, 2] = 0.0
    privileged[:, 1] = 0.0
    return X, privileged, target


def duplicate_rows(random, model):
    return tuple(
        np.concatenate([part, part[:20], part[:5]]) for part in hard_and_easy(random, model, 24)
    )


def integers(random, model):
    X, privileged, target = hard_and_easy(random, model)
    return np.round(X), np.round(2.0 * privileged), target


def same_columns(random, model):
    """The privileged features are the features."""
    X, _, target = hard_and_easy(random, model)
    return X, X.copy(), target


def separable(random, model, n=30):
    X = random.normal(size=(n, 4))
    return X, random.normal(size=(n, 2)), encode(model, X[:, :2] @ [2.0, -1.0])


def many_privileged(random, model, n=12):
    """More of them than samples: every slack can be what it wants."""
    X, _, target = hard_and_easy(random, model, n)
    return X, random.normal(size=(n, 14)), target


def one_each(random, model):
    X, privileged, target = hard_and_easy(random, model)
    return X[:, :1], privileged[:, :1], target


DATA = (
    hard_and_easy,
    noise_only,
    duplicate_privileged,
    constant_columns,
    duplicate_rows,
    integers,
    same_columns,
    separable,
    many_privileged,
    one_each,
)


def oracle_of(model, sample) -> PrivilegedOracle:
    """The same problem in full."""
    given = (sample.X.dense(), sample.privileged, sample.target, sample.weight)
    if model.task == "regression":
        return PrivilegedOracle.regression(*given, model.epsilon)
    if model.task == "ordinal":
        return PrivilegedOracle.ordinal(*given, model.n_classes, both=model.slacks == "all")
    return PrivilegedOracle.classification(*given)


@dataclass(frozen=True, eq=False)
class Worked:
    """A problem, its baseline, its equivalent models and its oracle."""

    problem: PrivilegedProblem
    baseline: Penalised
    models: EquivalentModels
    oracle: PrivilegedOracle

    @property
    def n_weights(self) -> int:
        """Weights that have a range: all but the functions' constants."""
        return self.models.n_features - self.problem.n_functions

    @property
    def units(self) -> np.ndarray:
        """By which accuracy is measured, for every weight."""
        sizes = [self.baseline.norm or 1.0, self.baseline.side_norm or 1.0]
        return np.repeat(sizes, [self.problem.n_features, self.n_weights - self.problem.n_features])


def worked(
    name, data, *, C=0.3, gamma=1.0, tolerance=0.01, budget="split", weighted=False
) -> Worked:
    """Everything about one case."""
    model = MODELS[name]
    random = np.random.default_rng([list(MODELS).index(name), DATA.index(data)])
    X, privileged, target = data(random, model)
    weight = random.uniform(0.3, 2.0, len(X)) if weighted else np.ones(len(X))
    sample = Sample(np.ascontiguousarray(X), target, weight, weight, privileged)
    problem = PrivilegedProblem(model, sample)
    baseline = fit_baseline(problem, C, gamma)
    budgets = make_budgets(budget, baseline, Room(tolerance, tolerance), privileged=True)
    models = equivalent_models(problem, baseline, budgets)
    return Worked(problem, baseline, models, oracle_of(model, sample))
