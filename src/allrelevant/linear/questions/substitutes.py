"""What takes a feature's place when it is forbidden."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.errors import InfeasibleError
from allrelevant.base.three_classes import IRRELEVANT
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.questions.choice import cheapest_choice
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.subsets import PartsSolver, Verdict, never_used
from allrelevant.linear.questions.trade_offs import trade_offs_in
from allrelevant.linear.questions.what_if import find_what_if
from allrelevant.linear.questions.what_if_result import WhatIfResult
from allrelevant.results.relevance import RelevanceResult

_MOST_ROUNDS = 100
_LONGEST = 5  # stand-ins; nobody asks for a list of six that only matter together
_RISES = 1e-6  # as a share: a smallest relevance that rises by less has not


class Successor(NamedTuple):
    """A feature that takes over from a forbidden one.

    `trade_off` says how far equivalent models can shift the two weights against each other, from 0
    to 1; `necessary` whether every model without the forbidden feature needs it; `rise` by how
    much its smallest relevance grows.
    """

    feature: str
    trade_off: float
    stand_in: bool
    necessary: bool
    min: float
    max: float
    min_before: float
    max_before: float
    rise: float


@dataclass(frozen=True, eq=False, repr=False)
class Substitutes:
    """What equivalent models use instead of a feature.

    Attributes
    ----------
    feature : str
        The feature, or one of its columns, that is forbidden.
    is_replaceable : bool
        Whether there is an equivalent model without it.
    stand_ins : tuple of str
        The shortest list of features such that every equivalent model without the feature uses at
        least one of them, while some models with the feature use none. For an irrelevant feature
        the list has one feature or none: what noise could do as well leaves no gap that several
        others would have to fill.
    is_shortest : bool
        Whether the list is proven to be the shortest. If not, the shortest has more than five
        features or is too hard to find, and the list holds the features whose own smallest
        relevance rises.
    successors : tuple of Successor
        All features that become more relevant or are stand-ins, by their trade-off with the
        feature, the largest first.
    models : mapping from str to EquivalentModel
        For each stand-in the model without the feature that makes the most of it.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> model.substitutes("x1")
    instead of x1 equivalent models use x2
    >>> model.substitutes("x0").is_replaceable
    False
    """

    feature: str
    is_replaceable: bool
    stand_ins: tuple[str, ...] = ()
    is_shortest: bool = True
    successors: tuple[Successor, ...] = ()
    models: Mapping[str, EquivalentModel] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "models", MappingProxyType(dict(self.models)))

    def to_frame(self) -> pd.DataFrame:
        """A table of the features that take over.

        Returns
        -------
        DataFrame
            Columns *feature, trade_off* (with the forbidden one), *stand_in, necessary* (whether
            every model without the forbidden feature needs it), *min, max, min_before,
            max_before, rise* (of the minimum).
        """
        return pd.DataFrame(self.successors, columns=list(Successor._fields))

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "feature": self.feature,
            "is_replaceable": self.is_replaceable,
            "stand_ins": list(self.stand_ins),
            "is_shortest": self.is_shortest,
            "successors": [successor._asdict() for successor in self.successors],
            "models": {name: model.to_dict() for name, model in self.models.items()},
        }

    def to_json(self, indent: int | None = None) -> str:
        """All of it as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def __repr__(self) -> str:
        if not self.is_replaceable:
            return f"{self.feature} is irreplaceable: no equivalent model does without it"
        if not self.is_shortest:
            listed = f": {', '.join(self.stand_ins)} matter more" if self.stand_ins else ""
            return f"no short list of features takes the place of {self.feature}{listed}"
        if not self.stand_ins:
            return f"{self.feature} can be left out, and nothing has to take its place"
        listed = " or ".join(self.stand_ins)
        return f"instead of {self.feature} equivalent models use {listed}"

    # Read-only mappings do not pickle.
    def __reduce__(self) -> tuple[type[Substitutes], tuple[Any, ...]]:
        own = (self.feature, self.is_replaceable, self.stand_ins, self.is_shortest)
        return type(self), (*own, self.successors, dict(self.models))


def find_substitutes(
    fitted: FittedSet, feature: Any, *, n_jobs: int | None = None, **asked: Any
) -> Substitutes:
    """What takes the place of a feature, or of a column, among models that keep constraints."""
    columns, part = fitted.features.columns_of(feature), fitted.features.part(feature)
    j = int(fitted.features.owner[columns[0]])
    name = fitted.features.names[j] if part is None else str(feature)
    constraints = fitted.constraints(**asked)
    before = find_what_if(fitted, n_jobs=n_jobs, **asked) if constraints else fitted.result
    if isinstance(before, WhatIfResult) and name in before.constraints["forbid"]:
        return Substitutes(name, is_replaceable=True)
    more = asked | {"forbid": [*asked.get("forbid", ()), name]}
    try:
        after = find_what_if(fitted, n_jobs=n_jobs, **more)
    except InfeasibleError:
        return Substitutes(name, is_replaceable=False)
    parts = fitted.parts(**asked)
    risen = np.flatnonzero(after.intervals[:, 0] - before.intervals[:, 0] > _RISES)
    one = _one_is_enough(before.intervals, after.intervals)
    chosen: Ints | None = one
    own = before.classes[j] if part is None else fitted.analysis.classes.values[part]
    if not len(one) and own != IRRELEVANT:
        chosen = _Search(fitted, parts, columns, before.intervals, after.intervals).run()
    is_shortest = chosen is not None
    chosen = risen if chosen is None else chosen
    ask = trade_offs_in(fitted, parts, changed=bool(constraints))()
    places = fitted.features.places
    rows = tuple(
        _successor(
            before,
            after,
            k,
            # A level's category has columns beside it.
            max(
                (ask.between(a, b) for a in columns for b in places[k] if b not in columns),
                default=0,
            ),
            k in chosen,
        )
        for k in np.union1d(risen, chosen).tolist()
    )
    rows = tuple(sorted(rows, key=lambda row: (-row.trade_off, -row.rise, -row.max)))
    stand_ins = tuple(row.feature for row in rows if row.stand_in)
    models = {stand_in: after.witness(stand_in, "max") for stand_in in stand_ins}
    return Substitutes(name, True, stand_ins, is_shortest, rows, models)


def _one_is_enough(before: Floats, after: Floats) -> Ints:
    """The feature that has become necessary and was not; of several the one that rises most."""
    new = (before[:, 0] <= _RISES) & (after[:, 0] > _RISES)
    rise = np.where(new, after[:, 0], 0.0)
    return np.array([np.argmax(rise)] if new.any() else [], dtype=np.intp)


def _successor(
    before: RelevanceResult, after: WhatIfResult, k: int, trade_off: float, is_stand_in: bool
) -> Successor:
    low, high = after.intervals[k].tolist()
    low_before, high_before = before.intervals[k].tolist()
    necessary, rise = low > _RISES, low - low_before
    own = (low, high, low_before, high_before, rise)
    return Successor(after.names[k], trade_off, is_stand_in, necessary, *own)


class _Search:
    """Looks for the fewest features that every model without a feature needs one of.

    A list that every such model hits is looked for among those that all models seen so far hit;
    a model that it misses is one more to hit. Features that models need anyway, with or without
    the feature, do not stand in for it: lists that cannot be left out even while the feature is
    there are cut off.
    """

    def __init__(
        self,
        fitted: FittedSet,
        parts: Sequence[EquivalentModels],
        columns: Sequence[int],
        before: Floats,
        after: Floats,
    ) -> None:
        # Of several classes a column has a weight for each.
        n_scores, n_weights = fitted.model.n_scores, len(fitted.by_weight.columns)
        self._possible: Mask = np.zeros(parts[0].n_features, dtype=bool)
        self._possible[:n_weights] = np.tile(fitted.analysis.intervals[:, 1] > 0, n_scores)
        self._possible &= ~never_used(parts)
        self._solver = PartsSolver(parts, self._possible, fitted.witnesses)
        self._columns = [k * fitted.n_columns + c for k in range(n_scores) for c in columns]
        self._features = fitted.by_weight
        # What is forbidden wholly is left with nothing that could rise.
        self._eligible: Mask = (after[:, 1] > _RISES) & (before[:, 0] <= _RISES)
        # Of lists equally short the one whose features can be given more weight.
        self._costs = 1.0 - 0.5 * after[:, 1] / (after[:, 1].sum() or 1.0)
        self._models: list[Ints] = []
        self._needed: list[Ints] = []

    def run(self) -> Ints | None:
        """The list; None where it is long or takes long to find."""
        for _ in range(_MOST_ROUNDS):
            chosen = self._fewest()
            if chosen is None:  # whatever models need without the feature they need with it, too
                return np.zeros(0, dtype=np.intp)
            if len(chosen) > _LONGEST:  # nothing shorter hits the models seen so far
                return None
            without = self._without(chosen, self._columns)
            if without.holds:
                self._models.append(self._smallest_support(without))
            elif self._without(chosen).holds:
                return chosen
            else:
                self._needed.append(self._fewest_needed(chosen))
        return None

    def _without(self, features: Ints, columns: Sequence[int] = ()) -> Verdict:
        allowed = self._possible.copy()
        allowed[: len(self._features.owner)] &= ~np.isin(self._features.owner, features)
        allowed[list(columns)] = False
        return self._solver.some(allowed)

    def _smallest_support(self, found: Verdict) -> Ints:
        """The features of a model without the feature of which none can be spared."""
        every = np.arange(len(self._eligible))
        sizes = self._features.largest(np.abs(found.weights[: len(self._features.owner)]))
        used = np.flatnonzero(sizes)
        for j in used[np.argsort(sizes[used], kind="stable")]:
            fewer = used[used != j]
            if self._without(np.setdiff1d(every, fewer), self._columns).holds:
                used = fewer
        return used

    def _fewest_needed(self, chosen: Ints) -> Ints:
        """The part of a list that models cannot do without in any case."""
        for k in chosen:
            fewer = chosen[chosen != k]
            if not self._without(fewer).holds:
                chosen = fewer
        return chosen

    def _fewest(self) -> Ints | None:
        """The fewest features that hit all models and contain no needed list, if there are any."""
        nothing = np.zeros(len(self._eligible), dtype=bool)
        found = cheapest_choice(
            self._costs,
            self._eligible,
            nothing,
            [_mask(members, nothing) for members in self._models],
            [_mask(members, nothing) for members in self._needed],
        )
        return None if found is None else np.flatnonzero(found)


def _mask(members: Ints, nothing: Mask) -> Mask:
    mask = nothing.copy()
    mask[members] = True
    return mask
