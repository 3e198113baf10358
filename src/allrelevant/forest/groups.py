"""Which weak features stand in for one another."""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.three_classes import WEAK
from allrelevant.forest.clusters import rank_correlations
from allrelevant.forest.learners import boosted_trees
from allrelevant.forest.models import Learner
from allrelevant.forest.result import SubstituteGroup
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.swaps import MeanRises, joint_rises, mean_rises, rises, shuffled
from allrelevant.forest.task import Task

_SHARE = 0.1  # of a feature's predictability that makes another its relative
_FOLDS, _DRAWS = 5, 3


def groups(
    table: Table, classes: Ints, redundancy: float, learner: Learner, seed: int
) -> list[SubstituteGroup]:
    """Groups of the weak columns, by what relevant columns say of each other and the target.

    They know their columns by position only, names are added later.
    """
    relevant = np.flatnonzero(classes)
    table = table.columns(relevant)
    which = np.flatnonzero(classes[relevant] == WEAK)
    if not len(which):
        return []
    related = _related(table, which, redundancy, seed)
    _, label = connected_components(related[np.ix_(which, which)], directed=False)
    found = [which[label == k] for k in range(label.max() + 1)]
    together = _together(table, found, learner, seed)
    return [
        SubstituteGroup((), tuple(relevant[members].tolist()), float(r), float(p))
        for members, r, p in zip(found, together.mean, together.p_values, strict=True)
    ]


def _related(table: Table, which: Ints, redundancy: float, seed: int) -> Mask:
    """Near copies, and features that help to predict one that has none."""
    correlation = rank_correlations(table.X, table.categorical)
    related = correlation >= redundancy
    for j in which:
        others = np.setdiff1d(np.arange(table.n_features), j)
        if related[j, others].any() or not len(others):
            continue
        related[j, others[_shares(table, j, others, seed) > _SHARE]] = True
    return related | related.T


def _shares(table: Table, j: int, others: Ints, seed: int) -> Floats:
    """What each of the others contributes to the prediction of a column."""
    column = table.X[:, j]
    task = Task("regression")
    if table.categorical[j]:
        _, codes = np.unique(column, return_inverse=True)
        task = Task("classification", max(int(codes.max()) + 1, 2))
        target = codes.astype(float)
    else:
        target = np.where(np.isnan(column), np.nanmedian(column), column)
        target = (target - target.mean()) / (target.std() or 1.0)
    inner = Table(table.X[:, others], table.categorical[others], target, table.weight, task)
    model = boosted_trees()(inner, seed)
    gain = np.maximum(rises(model, inner, shuffled(inner.X, seed)).mean(axis=1), 0.0)
    return gain / max(gain.sum(), 1e-12)


def _together(table: Table, found: list[Ints], learner: Learner, seed: int) -> MeanRises:
    """Rise of the loss when the rows of a group's columns are shuffled together."""
    rise = np.zeros((len(found), table.n_samples))
    for k, (learn, judge) in enumerate(folds(table, _FOLDS, seed)):
        model = learner(table.rows(learn), seed + k)
        judged = table.rows(judge)
        rng = np.random.default_rng(seed + k)
        for _ in range(_DRAWS):
            donors = rng.permutation(len(judge))
            rise[:, judge] += joint_rises(model, judged, found, donors) / _DRAWS
    return mean_rises(rise, table.weight)
