"""Answers of estimators, made up: what the plots read, and nothing else."""

from dataclasses import fields
from types import SimpleNamespace

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from allrelevant import RelevanceResult
from allrelevant.linear.questions import WhatIfResult


def make_result(n_strong=2, n_weak=3, n_irrelevant=4, names=None, seed=0, **changes):
    """A result with so many features of each class, in random order."""
    rng = np.random.default_rng(seed)
    classes = np.repeat([2, 1, 0], [n_strong, n_weak, n_irrelevant])
    rng.shuffle(classes)
    d = len(classes)
    low = np.where(classes == 2, rng.uniform(0.1, 0.2, d), 0.0)
    high = low + np.where(classes == 0, rng.uniform(0.01, 0.08, d), rng.uniform(0.1, 0.3, d))
    sign = rng.choice([-1, 1], d)
    signed = np.column_stack([np.where(classes == 2, low, -high / 2), high]) * sign[:, None]
    content = {
        "task": "classification",
        "names": names or [f"x{j}" for j in range(d)],
        "intervals": np.column_stack([low, high]),
        "signed_intervals": np.sort(signed, axis=1),
        "classes": classes,
        "weights": sign * (low + high) / 2,
        "thresholds": [0.02, 0.09],
    }
    return RelevanceResult(**(content | changes))


def make_several(name, noise, *counts, **changes):
    """A result where one feature has several columns, and what these reach as noise."""
    plain = make_result(*counts, **changes)
    j = plain.names.index(name)
    signed, limits = np.array(plain.signed_intervals), np.array(plain.upper_thresholds)
    signed[j], limits[j] = np.nan, noise
    own = {"names": [f"{name}=x", f"{name}=y"], "signed_intervals": [[0.0, 0.0], [-0.2, 0.1]]}
    own["intervals"] = [[0.0, 0.0], [0.0, 0.2]]
    columns = {name: own | {"noise_thresholds": [0.09, 0.09]}}
    known = {"signed_intervals": signed, "noise_thresholds": limits, "columns": columns}
    return make_result(*counts, **(changes | known))


def make_what_if(result, **constraints):
    """The same result as the answer to a question with constraints."""
    known = {entry.name: getattr(result, entry.name) for entry in fields(result)}
    return WhatIfResult(**known, constraints=constraints, before=result)


def make_groups(result, cut=0.4, seed=0):
    """Groups of the relevant features, from made-up places."""
    leaves = np.flatnonzero(result.classes > 0)
    places = np.random.default_rng(seed).uniform(0, 4, (len(leaves), 1))
    tree = linkage(places, "single") if len(leaves) > 1 else np.empty((0, 4))
    labels = np.zeros(result.n_features, dtype=int)
    labels[leaves] = fcluster(tree, cut, "distance") if len(leaves) > 1 else 1
    names = tuple(result.names[j] for j in leaves)
    return SimpleNamespace(leaves=names, linkage=tree, labels=labels, height=cut)


def make_ranges(n=100, seed=0, kind="classes"):
    """Ranges of predictions: of two "classes", of three "ranks", or of "numbers"."""
    rng = np.random.default_rng(seed)
    low = rng.normal(size=n) * 2
    high = low + rng.uniform(0, 1, n)
    if kind == "numbers":
        return SimpleNamespace(low=low, high=high, outcomes=())
    if kind == "ranks":
        low, high = low[:, None] - [-1.0, 1.0], high[:, None] - [-1.0, 1.0]
        allowed = np.column_stack(
            [low[:, 0] < 0, (high[:, 0] > 0) & (low[:, 1] < 0), high[:, 1] > 0]
        )
        outcomes = ("low", "medium", "high")
    else:
        allowed, outcomes = np.column_stack([low < 0, high > 0]), (0, 1)
    settled = allowed.sum(axis=1) == 1
    return SimpleNamespace(low=low, high=high, outcomes=outcomes, allowed=allowed, settled=settled)


class Plane:
    """A linear classifier of two features."""

    def __init__(self, weights, intercept=0.0):
        self.coef_ = np.array([weights], dtype=float)
        self.intercept_ = np.array([intercept])

    def decision_function(self, X):
        return np.asarray(X, dtype=float) @ self.coef_[0] + self.intercept_[0]
