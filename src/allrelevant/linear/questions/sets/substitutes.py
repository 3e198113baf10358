"""What takes a feature's place when it is forbidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.errors import InfeasibleError
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import IRRELEVANT
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.sets.stand_ins import RISES, StandInSearch
from allrelevant.linear.questions.sets.trade_offs import trade_offs_in
from allrelevant.linear.questions.what_if.result import WhatIfResult
from allrelevant.linear.questions.what_if.what_if import find_what_if
from allrelevant.results.answer import PlainAnswer
from allrelevant.results.relevance import RelevanceResult

_DIGITS = 6  # of shares: two that differ by less are the same, whatever vertex they come from


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
class Substitutes(PlainAnswer):
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
        the list has one feature or none, because noise could do as well as a feature that needs
        several others to replace it.
    is_shortest : bool
        Whether the list is proven to be the shortest. If not, the shortest has more than five
        features or was not found in time, and the list holds the features whose own smallest
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


def find_substitutes(
    fitted: FittedSet,
    feature: Any,
    *,
    time_limit: float,
    n_jobs: int | None,
    progress: Progress,
    **asked: Any,
) -> Substitutes:
    """What takes the place of a feature, or of a column, among models that keep constraints."""
    columns, part = fitted.features.columns_of(feature), fitted.features.part(feature)
    j = int(fitted.features.owner[columns[0]])
    name = fitted.features.names[j] if part is None else str(feature)
    constraints = fitted.constraints(**asked)
    how: dict[str, Any] = {"n_jobs": n_jobs, "progress": progress}
    before = find_what_if(fitted, **how, **asked) if constraints else fitted.result
    if isinstance(before, WhatIfResult) and name in before.constraints["forbid"]:
        return Substitutes(name, is_replaceable=True)
    more = asked | {"forbid": [*asked.get("forbid", ()), name]}
    try:
        after = find_what_if(fitted, **how, **more)
    except InfeasibleError:
        return Substitutes(name, is_replaceable=False)
    parts = fitted.parts(**asked)
    risen = np.flatnonzero(after.intervals[:, 0] - before.intervals[:, 0] > RISES)
    one = _one_is_enough(before.intervals, after.intervals)
    chosen: Ints | None = one
    own = before.classes[j] if part is None else fitted.analysis.classes.values[part]
    if not len(one) and own != IRRELEVANT:
        chosen = StandInSearch(fitted, parts, columns, before, after, time_limit, progress).run(
            name
        )
        progress.finish()
    is_shortest = chosen is not None
    chosen = risen if chosen is None else chosen
    ask = trade_offs_in(fitted, parts, changed=bool(constraints))()
    places = fitted.features.places
    listed = np.union1d(risen, chosen).tolist()
    ends_before, ends_after = (
        _exact(fitted, result, listed, how) for result, how in ((before, asked), (after, more))
    )
    rows = tuple(
        _successor(
            after.names[k],
            ends_before[k],
            ends_after[k],
            # A level's category has columns beside it.
            max(
                (ask.between(a, b) for a in columns for b in places[k] if b not in columns),
                default=0,
            ),
            k in chosen,
        )
        for k in listed
    )
    rows = tuple(sorted(rows, key=_place))
    stand_ins = tuple(row.feature for row in rows if row.stand_in)
    models = {stand_in: after.witness(stand_in, "max") for stand_in in stand_ins}
    return Substitutes(name, True, stand_ins, is_shortest, rows, models)


def _place(row: Successor) -> tuple[float, ...]:
    """By what the rows of a table are sorted; copies stay in the order of their columns."""
    return tuple(-round(value, _DIGITS) for value in (row.trade_off, row.rise, row.max))


def _one_is_enough(before: Floats, after: Floats) -> Ints:
    """The feature that has become necessary and was not; of several the one that rises most."""
    new = (before[:, 0] <= RISES) & (after[:, 0] > RISES)
    rise = np.where(new, np.round(after[:, 0], _DIGITS), 0.0)
    return np.array([np.argmax(rise)] if new.any() else [], dtype=np.intp)


def _exact(
    fitted: FittedSet, result: RelevanceResult, those: Sequence[int], asked: Mapping[str, Any]
) -> Floats:
    """The intervals of a result, without bounds for some features."""
    intervals = result.intervals.copy()
    bounded = [k for k in those if result.only_bounded[k]]
    if bounded:
        boxes = fitted.solver.feasible(fitted.constraints(**asked))
        for k, found in fitted.under(boxes, bounded, {}):
            intervals[k] = np.array(found.relevance) / fitted.result.baseline["norm"]
    return intervals


def _successor(
    name: str, before: Floats, after: Floats, trade_off: float, is_stand_in: bool
) -> Successor:
    low, high = after.tolist()
    low_before, high_before = before.tolist()
    necessary, rise = low > RISES, low - low_before
    own = (low, high, low_before, high_before, rise)
    return Successor(name, trade_off, is_stand_in, necessary, *own)
