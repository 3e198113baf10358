"""Groups of features that stand in for one another."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import IRRELEVANT
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.sets.subsets import never_used
from allrelevant.linear.questions.sets.trade_offs import near_pairs, trade_offs_in
from allrelevant.linear.questions.what_if.result import WhatIfResult
from allrelevant.linear.questions.what_if.what_if import find_what_if
from allrelevant.results.answer import PlainAnswer

_LISTED = 5  # irrelevant features that are named; `members` has all
_TOGETHER = 5  # pairs at least that a worker looks at: each takes four programs
OUTLIERS = 0  # the label of the group of irrelevant features
_CUT = 1 / 6  # how much members of a group stand in for one another; three copies and more have 1/2
_LAST = 1.0 + 1e-9  # above all others: where what stands in for nobody joins
# What is found among 80 % of the rows differs by about this much (standard deviations of pairs on
# breast cancer, both wines, diabetes and digits: 0.02 to 0.04), and groups that change with such
# differences in one case of four are those that change among subsamples.
_DIFFERENCE, _N_OTHERS, _OFTEN = 0.03, 100, 0.25


@dataclass(frozen=True, eq=False)
class FeatureGroups(PlainAnswer):
    """Which features replace one another.

    Attributes
    ----------
    names : tuple of str
        All features; a group of columns is one.
    labels : array of int
        The group of each; 0 for irrelevant features, which form one group of outliers.
    linkage : array
        The tree of the relevant features, as scipy's hierarchical clustering has it. Features meet
        at 1 minus the mean, over both sides, of trade-off times correlation.
    leaves : tuple of str
        The features that are the tree's leaves.
    height : float
        Where the tree was cut.
    unsure : tuple of str
        Features that would often be in another group, with other rows of the same kind.
    forbidden : tuple of str
        Features that no model may use; they have no group.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> model.groups()
    2 groups of features
    irrelevant: x3
    group 1: x0
    group 2: x1, x2
    """

    names: tuple[str, ...]
    labels: Ints
    linkage: Floats
    leaves: tuple[str, ...]
    height: float
    unsure: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()

    @property
    def members(self) -> dict[int, tuple[str, ...]]:
        """The features of each group."""
        groups = sorted(set(self.labels.tolist()))
        named = list(zip(self.names, self.labels.tolist(), strict=True))
        return {group: tuple(name for name, own in named if own == group) for group in groups}

    def to_frame(self) -> pd.DataFrame:
        """A table of features and their groups."""
        unsure = [name in self.unsure for name in self.names]
        return pd.DataFrame({"feature": self.names, "group": self.labels, "unsure": unsure})

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read groups written by `to_json`."""
        found = json.loads(text)
        return cls(
            tuple(found["names"]),
            np.array(found["labels"], dtype=np.intp),
            np.array(found["linkage"], dtype=float).reshape(-1, 4),
            tuple(found["leaves"]),
            float(found["height"]),
            tuple(found.get("unsure", ())),
            tuple(found.get("forbidden", ())),
        )

    def __repr__(self) -> str:
        n = len(self.members) - (OUTLIERS in self.members)
        lines = [f"{n} group{'' if n == 1 else 's'} of features"]
        if self.forbidden:
            lines.append(f"forbidden: {', '.join(self.forbidden)}")
        for group, names in self.members.items():
            if group == OUTLIERS:
                names = tuple(name for name in names if name not in self.forbidden)
                if not names:
                    continue
                few = f"{', '.join(names[:_LISTED])} and {len(names) - _LISTED} more"
                lines.append(f"irrelevant: {few if len(names) > _LISTED + 1 else ', '.join(names)}")
            else:
                lines.append(f"group {group}: {', '.join(names)}")
        if self.unsure:
            lines.append(f"could be grouped otherwise: {', '.join(self.unsure)}")
        return "\n".join(lines)


def find_groups(
    fitted: FittedSet,
    n_groups: int | None = None,
    cut: float | None = None,
    *,
    n_jobs: int | None = None,
    progress: Progress,
    keeping: AbstractContextManager[None] | None = None,
    **asked: Any,
) -> FeatureGroups:
    """Group the relevant features by how the models that keep constraints trade their weights."""
    constraints = fitted.constraints(**asked)
    result = fitted.result
    if constraints:
        result = find_what_if(fitted, n_jobs=n_jobs, progress=progress, **asked)
    relevant = np.flatnonzero(result.classes > IRRELEVANT)
    leaves = tuple(result.names[k] for k in relevant)
    labels = np.full(result.n_features, OUTLIERS, dtype=np.intp)
    labels[relevant] = 1
    tree, height = np.zeros((0, 4)), 0.0
    unsure: tuple[str, ...] = ()
    if fitted.models is not None and len(relevant) > 1:
        parts = fitted.parts(**asked)
        spared = _spared(result.intervals[relevant])
        columns = [
            _columns(fitted, parts[0], int(j)) if share > _CUT else np.zeros(0, dtype=np.intp)
            for j, share in zip(relevant, spared.tolist(), strict=True)
        ]
        make = trade_offs_in(fitted, parts, changed=bool(constraints))
        least = min(_CUT, cut or _CUT)
        pairs = _pairs(fitted.analysis.problem, columns, least)
        progress.stage("trade-offs of features", len(pairs))
        tasks = [pair.columns for pair in pairs]
        n_batches = backends.shares_of(len(tasks), _TOGETHER)
        with keeping or nullcontext():
            found = backends.run(make, tasks, n_jobs, progress.advance, n_batches)
        progress.finish()
        distance = _distances(columns, pairs, found, spared)
        tree = _tree(distance)
        if n_groups is not None:
            n_groups = min(n_groups, len(relevant))
            # Exactly so many, also where several mergers are of the same height.
            own = hierarchy.cut_tree(tree, n_clusters=[n_groups])[:, 0].astype(np.intp)
            height = float(tree[len(tree) - n_groups, 2]) if n_groups <= len(tree) else 0.0
        else:
            height = 1.0 - (_CUT if cut is None else cut)
            own = hierarchy.fcluster(tree, height, criterion="distance").astype(np.intp)
            unsure = tuple(
                leaves[k] for k in np.flatnonzero(_often_otherwise(distance, own, height))
            )
        labels[relevant] = _in_order(own)
    barred = result.forbidden if isinstance(result, WhatIfResult) else ()
    return FeatureGroups(result.names, labels, tree, leaves, height, unsure, barred)


def _spared(intervals: Floats) -> Floats:
    """The share of its largest weight that each feature can do without: all, unless it is strong.

    What is irreplaceable to a large part stands in for nobody, and nothing is asked about it.
    """
    low, high = intervals.T
    return 1.0 - np.divide(low, high, out=np.zeros_like(low), where=high > 0)


def _columns(fitted: FittedSet, models: EquivalentModels, feature: int) -> Ints:
    """The columns of a feature that can trade: those that are relevant by themselves, if any."""
    places = np.array(fitted.features.places[feature], dtype=np.intp)
    unused = never_used([models])[: len(fitted.by_weight.columns)]
    by_class = unused.reshape(fitted.model.n_scores, -1)  # of several classes a weight for each
    places = places[~by_class[:, places].all(axis=0)]
    relevant = places[fitted.analysis.classes.values[places] > IRRELEVANT]
    return relevant if len(relevant) else places


class Pair(NamedTuple):
    """Two columns whose trade-off counts, the relevant features they are of, by number."""

    columns: tuple[int, int]
    owners: tuple[int, int]
    alike: float


def _pairs(problem: Problem, columns: Sequence[Ints], least: float) -> list[Pair]:
    """The pairs to ask about; what correlates less than `least` cannot be one group."""
    every = np.concatenate(columns)
    owner = np.repeat(np.arange(len(columns)), [len(own) for own in columns])
    near = near_pairs(problem.sample.X.columns(every), owner, least)
    return [
        Pair((int(every[j]), int(every[k])), (int(owner[j]), int(owner[k])), alike)
        for j, k, alike in near
    ]


def _distances(
    columns: Sequence[Ints], pairs: Sequence[Pair], trade_offs: Sequence[float], spared: Floats
) -> Floats:
    """1 less what every two features stand in for one another: the most of a column of either's.

    That is their trade-off times their correlation. Trade-offs alone depend on C and on the other
    features: columns that have little in common trade as well where models have room. And it counts
    to the share of their weights that both can do without, so that nothing changes suddenly where a
    feature becomes strong.
    """
    can_trade = np.array([len(own) > 0 for own in columns])
    distance = np.where(can_trade[:, None] & can_trade, 1.0, _LAST)
    np.fill_diagonal(distance, 0.0)
    for pair, trade_off in zip(pairs, trade_offs, strict=True):
        one, other = pair.owners
        found = 1.0 - pair.alike * trade_off * float(min(spared[one], spared[other]))
        distance[one, other] = distance[other, one] = min(distance[one, other], found)
    return distance


def _tree(distance: Floats) -> Floats:
    return np.asarray(hierarchy.linkage(squareform(distance, checks=False), "average"))


def _often_otherwise(distance: Floats, labels: Ints, height: float) -> Mask:
    """Which features would often have another group where trade-offs differ as among other rows.

    Another group is one that shares no more than half of the members of both.
    """
    together, random = labels[:, None] == labels, np.random.default_rng(0)
    changed = np.zeros(len(labels))
    for _ in range(_N_OTHERS):
        one_sided = np.triu(random.normal(scale=_DIFFERENCE, size=distance.shape), 1)
        # What was not asked about stays where it is.
        other = np.clip(distance + one_sided + one_sided.T, 0.0, 1.0)
        tree = _tree(np.where(distance < 1.0, other, distance))
        own = hierarchy.fcluster(tree, height, criterion="distance")
        kept = (own[:, None] == own) & together
        either = (own[:, None] == own) | together
        changed += kept.sum(axis=1) <= either.sum(axis=1) / 2
    return changed > _OFTEN * _N_OTHERS


def _in_order(labels: Ints) -> Ints:
    """Groups numbered from 1 in the order in which their first members come."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse] + 1
