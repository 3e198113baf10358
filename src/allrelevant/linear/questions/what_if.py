"""What becomes of all features if some are forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.three_classes import classify
from allrelevant.base.validation import check_choice
from allrelevant.linear.engine.equivalent import Boxes
from allrelevant.linear.questions.column_groups import ColumnGroup, SingleColumns
from allrelevant.linear.questions.constrained_groups import groups_under
from allrelevant.linear.questions.constrained_solver import Union, largest_of
from allrelevant.linear.questions.constraints import Constraint, as_asked
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.what_if_result import WhatIfResult
from allrelevant.results.classified import FORBIDDEN
from allrelevant.results.relevance import RelevanceResult

Found = Mapping[int, Union]  # the ranges of all weights under constraints
Groups = Mapping[str, ColumnGroup]


def find_what_if(fitted: FittedSet, with_groups: bool = True, **asked: Any) -> WhatIfResult:
    """All intervals under constraints; groups of columns can be left out, as they may take long."""
    solver = fitted.solver
    constraints = fitted.constraints(**asked)
    boxes = solver.feasible(constraints)
    found = dict(solver.under(boxes, range(len(solver.names))))
    before, n = fitted.result, fitted.n_features
    norm = before.baseline["norm"]
    intervals = np.array([found[k].relevance for k in range(n)]) / norm
    privileged = _privileged_intervals(fitted, found)
    classes = _classes(before, intervals)
    has_groups = with_groups and bool(fitted.column_groups)
    groups = _groups(fitted, boxes, found, classes) if has_groups else {}
    known = {entry.name: getattr(before, entry.name) for entry in fields(before)}
    known |= {
        "intervals": intervals,
        "signed_intervals": np.array([found[k].ends for k in range(n)]) / norm,
        "classes": classes,
        "privileged_intervals": privileged,
        "privileged_classes": _classes(before.privileged, privileged),
        "column_groups": _shown(groups, constraints),
    }
    result = WhatIfResult(**known, constraints=as_asked(constraints), before=before)
    return result.with_models(lambda *end: _witness(fitted, found, groups, *end))


def stream_what_if(
    fitted: FittedSet, features: Sequence[int], **asked: Any
) -> Generator[tuple[int, tuple[float, float], tuple[float, float]]]:
    """The same one by one: position, interval and signed interval of some features."""
    solver = fitted.solver
    boxes = solver.feasible(fitted.constraints(**asked))  # raises now, not later
    norm = fitted.result.baseline["norm"]

    def shares(ends: tuple[float, float]) -> tuple[float, float]:
        return ends[0] / norm, ends[1] / norm

    return (
        (feature, shares(found.relevance), shares(found.ends))
        for feature, found in solver.under(boxes, features)
    )


def _classes(before: RelevanceResult | None, intervals: Floats) -> Ints:
    """Classes by the noise of the fit."""
    if before is None:
        return np.zeros(0, dtype=int)
    return classify(intervals, before.thresholds, before.upper_thresholds)


def _privileged_intervals(fitted: FittedSet, found: Found) -> Floats:
    privileged = [
        feature for feature in fitted.features if feature.is_privileged and feature.places
    ]
    if not privileged:
        return np.zeros((len(fitted.result.privileged_names), 2))
    return np.array(
        [
            largest_of([found[place] for place in feature.places]) / feature.norm
            for feature in privileged
        ]
    )


def _groups(
    fitted: FittedSet, boxes: Sequence[Boxes], found: Found, classes: Ints
) -> dict[str, ColumnGroup]:
    """The groups of columns under the constraints."""
    result = fitted.result
    norm, limits = result.baseline["norm"], result.upper_thresholds
    singles = SingleColumns(result.names, classes, limits, norm)
    with fitted.solver.alone:
        return groups_under(fitted.solver, fitted.column_groups, boxes, found, singles)


def _shown(groups: Groups, constraints: Sequence[Constraint]) -> dict[str, Any]:
    """The groups as plain values; those that are forbidden wholly say so."""
    barred = {k for c in constraints if c.asked == "forbid" for k in c.feature.places}
    return {
        name: group.to_dict() | ({"class": FORBIDDEN} if barred >= {*group.places} else {})
        for name, group in groups.items()
    }


def _witness(
    fitted: FittedSet, found: Found, groups: Groups, feature: Any, bound: str
) -> EquivalentModel:
    """The model under the constraints that attains one end of a feature's relevance."""
    check_choice("bound", bound, ("min", "max"))
    if fitted.group(feature) is not None:
        return EquivalentModel.of(fitted, groups[feature].witness(bound))
    witness = found[fitted.place(feature)].witness(bound)
    assert witness is not None
    return EquivalentModel.of(fitted, witness)
