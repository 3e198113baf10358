"""Which features are enough: the smallest sets, and the cheapest one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.base.arrays import Floats, Mask
from allrelevant.base.errors import InfeasibleError
from allrelevant.base.progress import Progress
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.sets.choice import OutOfTime
from allrelevant.linear.questions.sets.hitting import SetSearch
from allrelevant.linear.questions.sets.rules import Rules
from allrelevant.linear.questions.sets.subsets import PartsSolver, Verdict, always_used, never_used
from allrelevant.results.answer import PlainAnswer

_NEEDED = 1e-6  # a smallest relevance above this is none of rounding


@dataclass(frozen=True, eq=False, repr=False)
class FeatureSet(PlainAnswer):
    """A set of features that holds an equivalent model.

    Attributes
    ----------
    features : tuple of str
        Their names; none of them can be left out.
    cost : float
        Their total cost; their number if no costs were given.
    bound : float
        A proven lower bound: no set is cheaper.
    model : EquivalentModel
        A model that uses only these features.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> cheapest = model.cheapest_set({"x1": 5.0})
    >>> cheapest, cheapest.is_optimal
    (FeatureSet of cost 2: x0, x2, True)
    """

    features: tuple[str, ...]
    cost: float
    bound: float
    model: EquivalentModel

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that there is no cheaper set."""
        return self.gap <= 1e-6

    @property
    def gap(self) -> float:
        """By which share of its cost a cheaper set may still exist."""
        return max(0.0, self.cost - self.bound) / self.cost if self.cost > 0 else 0.0

    def __len__(self) -> int:
        return len(self.features)

    def __iter__(self) -> Iterator[str]:
        return iter(self.features)

    def to_frame(self) -> pd.DataFrame:
        """The set's model: *feature, weight, coefficient*."""
        return self.model.to_frame()

    def to_dict(self) -> dict[str, Any]:
        """The set as plain values."""
        return super().to_dict() | {"is_optimal": self.is_optimal}

    def __repr__(self) -> str:
        doubt = "" if self.is_optimal else f", at most {self.gap:.0%} too dear"
        return f"FeatureSet of cost {self.cost:.6g}{doubt}: {', '.join(self.features) or 'empty'}"


@dataclass(frozen=True, eq=False, repr=False)
class FeatureSets(PlainAnswer):
    """Feature sets by size, the smallest first, then as columns come; none contains another.

    Attributes
    ----------
    sets : tuple of FeatureSet
    is_complete : bool
        Whether all sets that were asked for are here, or there are no more.
    is_exhaustive : bool
        Whether there are no more: every other set that holds an equivalent model contains one of
        these.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> model.smallest_sets()
    2 feature sets that hold an equivalent model
    2: x0, x1
    2: x0, x2
    there are no others, but for those that contain one of these
    """

    sets: tuple[FeatureSet, ...]
    is_complete: bool
    is_exhaustive: bool

    def __len__(self) -> int:
        return len(self.sets)

    def __iter__(self) -> Iterator[FeatureSet]:
        return iter(self.sets)

    def __getitem__(self, k: int) -> FeatureSet:
        return self.sets[k]

    @property
    def gap(self) -> float:
        """By which share of its size a set smaller than the smallest may still exist."""
        return self.sets[0].gap

    @property
    def is_optimal(self) -> bool:
        """Whether each set is proven to be as small as it says."""
        return all(found.is_optimal for found in self.sets)

    @property
    def shared(self) -> tuple[str, ...]:
        """Features that are in all of the sets."""
        return tuple(name for name in self.sets[0] if all(name in found for found in self.sets))

    def to_frame(self) -> pd.DataFrame:
        """One row per set, one column per feature that occurs: whether it is in the set."""
        names = list(dict.fromkeys(name for found in self.sets for name in found))
        rows = [[name in found.features for name in names] for found in self.sets]
        frame = pd.DataFrame(rows, columns=names, dtype=bool)
        frame.insert(0, "size", [len(found) for found in self.sets], allow_duplicates=True)
        return frame

    def __repr__(self) -> str:
        n = len(self.sets)
        lines = [f"{n} feature set{' that holds' if n == 1 else 's that hold'} an equivalent model"]
        lines += [f"{len(found)}: {', '.join(found.features) or 'no feature'}" for found in self]
        if self.is_exhaustive:
            lines.append("there are no others, but for those that contain one of these")
        elif not self.is_complete:
            lines.append("the time limit cut the list short")
        return "\n".join(lines)


def smallest(
    fitted: FittedSet, k: int, time_limit: float, rules: Rules, progress: Progress
) -> FeatureSets:
    """Up to `k` sets by size that keep the rules."""
    costs = np.ones(len(fitted.features))
    progress.stage("feature sets", k)
    search = _search(fitted, costs, time_limit, rules, progress)
    if search is None:
        return FeatureSets((_nothing(fitted),), is_complete=True, is_exhaustive=True)
    found: list[FeatureSet] = []
    exhausted = False
    try:
        while len(found) < k and not exhausted:
            answer = search.next()
            if answer is None:
                exhausted = True
            else:
                found.append(_as_set(fitted, *answer, costs, search.bound))
                progress.advance()
    except OutOfTime:
        found = found or [_as_set(fitted, *search.any_set(), costs, search.bound)]
        return FeatureSets(_in_order(fitted, found), is_complete=False, is_exhaustive=False)
    finally:
        progress.finish()
    return FeatureSets(_in_order(fitted, found), is_complete=True, is_exhaustive=exhausted)


def _in_order(fitted: FittedSet, sets: list[FeatureSet]) -> tuple[FeatureSet, ...]:
    """By size, and by the order of the columns where the solver finds one as soon as another."""
    place = {name: k for k, name in enumerate(fitted.result.names)}
    return tuple(sorted(sets, key=lambda one: (one.cost, [place[name] for name in one.features])))


def cheapest(
    fitted: FittedSet, costs: Floats, time_limit: float, rules: Rules, progress: Progress
) -> FeatureSet:
    """The set of least total cost that keeps the rules."""
    progress.stage("cheapest set", 1)
    search = _search(fitted, costs, time_limit, rules, progress)
    if search is None:
        return _nothing(fitted)
    try:
        answer = search.next()
        assert answer is not None  # all that is possible holds a model
    except OutOfTime:
        answer = search.any_set()
    finally:
        progress.finish()
    return _as_set(fitted, *answer, costs, search.bound)


def _search(
    fitted: FittedSet, costs: Floats, time_limit: float, rules: Rules, progress: Progress
) -> SetSearch | None:
    """The search among all models that keep the rules; None where the only one is a constant."""
    features, intervals = fitted.by_weight, fitted.result.intervals
    lists = rules.masks(fitted.features)
    parts = fitted.parts(**rules.constraints)
    if not parts:
        _ = lists and fitted.solver  # which says that there is no model to choose from
        return None
    n, n_items, n_columns = len(features.columns), len(features), parts[0].n_features
    # What no model uses is in no set, what every model uses is in all of them.
    possible: Mask = np.zeros(n_columns, dtype=bool)
    possible[:n] = np.tile(fitted.analysis.intervals[:, 1] > 0, fitted.model.n_scores)
    possible &= ~never_used(parts)
    # What is privileged is never chosen.
    item = np.concatenate([features.owner, np.arange(n_items, n_items + n_columns - n)])
    required: Mask = np.zeros(item.max() + 1, dtype=bool)
    required[:n_items] = intervals[:, 0] > _NEEDED
    required[item[:n][always_used(parts)[:n]]] = True
    every = np.append(costs, np.zeros(len(required) - n_items))
    one_of = [np.append(mask, np.zeros(len(required) - n_items, dtype=bool)) for mask in lists]
    usable = np.unique(item[possible])
    for mask in lists:
        if not mask[usable].any():
            raise _none_of(fitted, mask)
    solver = PartsSolver(parts, possible, fitted.witnesses)
    return SetSearch(solver, every, possible, required, time_limit, item, one_of, progress)


def _none_of(fitted: FittedSet, members: Mask) -> InfeasibleError:
    names = ", ".join(repr(fitted.features.names[j]) for j in np.flatnonzero(members))
    asked = f"one of {names}" if names else "one of nothing"
    why = f"no model that is left can use {asked}." if names else "one_of has an empty list."
    return InfeasibleError(why, [asked], np.inf)


def _as_set(
    fitted: FittedSet, chosen: Mask, verdict: Verdict, costs: Floats, bound: float
) -> FeatureSet:
    own = np.flatnonzero(chosen[: len(costs)])
    cost = float(costs[own].sum())
    return FeatureSet(
        features=tuple(fitted.features.names[j] for j in own),
        cost=cost,
        bound=min(bound, cost),
        model=EquivalentModel(fitted, verdict.weights, verdict.offsets),
    )


def _nothing(fitted: FittedSet) -> FeatureSet:
    """The answer where the baseline uses no feature."""
    return FeatureSet((), 0.0, 0.0, EquivalentModel(fitted, *fitted.constant))
