"""What models under constraints can do, by full linear programs: one for every pattern of signs."""

from __future__ import annotations

import warnings
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES
from every_model import EveryModel

from allrelevant import (
    InfeasibleError,
    RelevanceClassifier,
    RelevanceRegressor,
    SurvivalRelevanceRegressor,
)
from allrelevant.datasets import make_survival

NAMES = ["age", "dose", "girth", "room", "day"]
# Cases with another loss or norm than usual.
OTHER_LOSSES = {
    "logistic": ("classification", {"loss": "logistic"}),
    "quantile": ("regression", {"loss": "quantile", "quantile": 0.8, "epsilon": "cv"}),
    "ordinal-logistic": ("ordinal-explicit", {"loss": "logistic"}),
    "l2": ("classification", {"baseline": "l2"}),
}


@cache
def fitted(name, budget="split", tolerance=0.1, **more):
    """A fitted estimator of each kind; not to be changed."""
    if name.startswith("privileged"):
        return with_privileged(name.removeprefix("privileged-"), budget)
    if name == "survival":
        return of_times(budget, tolerance, **more)
    name, own = OTHER_LOSSES.get(name, (name, {}))
    X, y = CASES[name].data()
    X = pd.DataFrame(X, columns=NAMES)
    model = CASES[name].make(tolerance=tolerance, budget=budget, **own, **more)
    return without_warnings("no feature is strong", model.fit, X, y)


def of_times(budget, tolerance, **more):
    """Times until an event, some of which are censored."""
    X, y, _ = make_survival(50, n_strong=1, n_weak=2, n_irrelevant=2, random_state=1)
    common = {"C": 1.0, "n_probes": 5, "confidence": 0.9, "random_state": 0}
    model = SurvivalRelevanceRegressor(tolerance=tolerance, budget=budget, **common, **more)
    return without_warnings("no feature is strong", model.fit, pd.DataFrame(X, columns=NAMES), y)


def without_warnings(message, fit, *data, **more):
    """What a fit gives; only the first to ask would hear the warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message)
        return fit(*data, **more)


@cache
def grouped(name, budget="split"):
    """The same with groups of columns: two copies of one another, what else is of use, noise."""
    if name.startswith("privileged"):
        groups = {"both": ["age", "dose"]}
        return with_privileged(name.removeprefix("privileged-"), budget, column_groups=groups)
    groups = {"copies": ["dose", "girth"], "noise": ["room", "day"]}
    return fitted.__wrapped__(name, budget, column_groups=groups)


def with_privileged(task, budget, **more):
    """One feature tells the target, but for samples that the feature `off` marks."""
    random = np.random.default_rng(1)
    n = 50
    level = random.normal(size=n) if task == "regression" else 2.0 * (np.arange(n) % 2)
    size = random.uniform(1.0, 3.0, n) * (random.random(n) < 0.25)
    X, privileged = random.normal(size=(n, 3)), random.normal(size=(n, 2))
    X[:, 0] = level + size * random.choice([-1.0, 1.0], n) + random.uniform(-0.2, 0.2, n)
    X[:, 1] = level + random.normal(size=n)
    privileged[:, 0] = size
    X = pd.DataFrame(X, columns=["age", "dose", "girth"])
    privileged = pd.DataFrame(privileged, columns=["off", "noise"])
    common = {"C": 1.0, "gamma": 0.3, "n_probes": 6, "confidence": 0.9, "random_state": 0}
    kind = {"classification": RelevanceClassifier, "regression": RelevanceRegressor}[task]
    own = {"epsilon": 0.1} if task == "regression" else {}
    model = kind(tolerance=0.1, budget=budget, **common, **own, **more)
    message = "with privileged features the model predicts worse"
    return without_warnings(message, model.fit, X, level, X_privileged=privileged)


def every_size(columns, d, n):
    """A row of the absolute weights of some columns: positive and negative parts together."""
    row = np.zeros((1, n))
    row[0, [*columns, *(d + k for k in columns)]] = 1.0
    return row


class Constrained:
    """All equivalent models of an estimator whose weights lie in one of several ranges each.

    `ranges` maps the engine's columns to lists of (low, high), as shares of the norm, and `norms`
    some columns to what the sum of their absolute weights may be at most.
    """

    def __init__(self, estimator, ranges, norm=None, norms=None):
        self.every = EveryModel(estimator.equivalent_models_)
        self.norm = estimator.result_.baseline["norm"] if norm is None else norm
        self.ranges = ranges
        self.norms = norms or {}

    def rows(self, patterns):
        """Rows that keep weights within one range each."""
        d, _, n = self.every.size
        A, b = [np.zeros((0, n))], []
        for column, (low, high) in zip(self.ranges, patterns, strict=True):
            for sign, limit in ((1.0, high), (-1.0, -low)):
                if np.isfinite(limit):
                    row = np.zeros((1, n))
                    row[0, [column, d + column]] = sign, -sign
                    A.append(row)
                    b.append(limit * self.norm)
        for columns, limit in self.norms.items():
            A.append(every_size(columns, d, n))
            b.append(limit * self.norm)
        return np.vstack(A), np.array(b)

    def branches(self):
        return [
            more
            for pattern in product(*self.ranges.values())
            if self.every.least(self.every.cost(), more=(more := self.rows(pattern))) is not None
        ]

    @property
    def is_possible(self):
        return bool(self.branches())

    def intervals(self, columns):
        """Signed ends and relevance of some columns over all branches, as shares."""
        signed, relevance = [], []
        branches = self.branches()
        for column in columns:
            ends = np.array([self.ends(column, more) for more in branches]) / self.norm
            low, high = ends.T
            signed.append((low.min(), high.max()))
            least = np.maximum(0.0, np.maximum(low, -high)).min()
            relevance.append((least, np.abs(ends).max()))
        return np.array(signed), np.array(relevance)

    def group(self, columns):
        """Smallest and largest sum of absolute weights over all branches, as shares."""
        d, every = self.every.size[0], self.every
        sizes = np.isin(np.arange(d), columns).astype(float)
        least, most = np.inf, 0.0
        for more in self.branches():
            least = min(least, every.least(every.cost(sizes=sizes), more=more))
            for signs in product((1.0, -1.0), repeat=len(columns)):
                factors = np.zeros(d)
                factors[list(columns)] = signs
                most = max(most, -every.least(-every.cost(factors), more=more))
        return least / self.norm, most / self.norm

    def ends(self, column, more):
        cost = self.every.cost(np.eye(self.every.size[0])[column])
        return self.every.least(cost, more=more), -self.every.least(-cost, more=more)


def answers(model, requests, at_least):
    """What a model answers to requests, beside full programs; where these have no model it raises.

    A request has what is asked, and the full programs that are the same.
    """
    answered = 0
    for asked, full in requests:
        if full.is_possible:
            answered += 1
            yield model.what_if(**asked), full
        else:
            with pytest.raises(InfeasibleError):
                model.what_if(**asked)
    assert answered >= at_least
