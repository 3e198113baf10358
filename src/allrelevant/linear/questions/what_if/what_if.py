"""What becomes of all features if some are forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import classify
from allrelevant.base.validation import check_choice
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.fit.ranges.several import ColumnValues, by_feature
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.questions.constraints.requests import as_asked
from allrelevant.linear.questions.constraints.solver import Union
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet, RangeUnder
from allrelevant.linear.questions.what_if.privileged import privileged_under
from allrelevant.linear.questions.what_if.result import WhatIfResult

Columns = Mapping[int, Union | SpreadRange]  # the ranges of columns under constraints


class FeatureAnswer(NamedTuple):
    """A feature under constraints; intervals are shares, its columns' are signed ones."""

    position: int
    relevance: tuple[float, float]
    signed: tuple[float, float]
    label: int
    columns: list[tuple[float, float]]


def find_what_if(
    fitted: FittedSet, *, n_jobs: int | None, progress: Progress, **asked: Any
) -> WhatIfResult:
    """All intervals under constraints."""
    before, features = fitted.result, fitted.features
    constraints = fitted.constraints(**asked)
    boxes = fitted.solver.feasible(constraints)
    ranges, columns = fitted.all_under(boxes, n_jobs, progress)
    known = {entry.name: getattr(before, entry.name) for entry in fields(before)}
    known["needed_up_to"] = ()  # it is that of all models
    values, norm = _column_values(fitted, columns), before.baseline["norm"]
    several = {j: one for j, one in ranges.items() if not isinstance(one, Union)}
    known |= by_feature(features, values, fitted.several, several, norm)
    known["classes"] = fitted.labels(known["classes"], known["intervals"])
    if before.privileged is not None:
        weights = {k: one for k, one in columns.items() if isinstance(one, Union)}
        known |= privileged_under(fitted, before.privileged, boxes, weights)
    result = WhatIfResult(**known, constraints=as_asked(constraints), before=before)

    def witness(feature: Any, bound: str) -> EquivalentModel:
        known = fitted.features.columns_of(feature)
        # No model comes with a bound.
        if any(columns[k].is_bound for k in known):
            return _witness_under(fitted, boxes, feature, bound)
        return _witness(fitted, ranges, columns, feature, bound)

    return result.with_models(witness)


def witness_under(fitted: FittedSet, feature: Any, bound: str, **asked: Any) -> EquivalentModel:
    """The model at one end of a feature's relevance, without the ranges of all others."""
    boxes = fitted.solver.feasible(fitted.constraints(**asked))
    return _witness_under(fitted, boxes, feature, bound)


def _witness_under(
    fitted: FittedSet, boxes: Sequence[Boxes], feature: Any, bound: str
) -> EquivalentModel:
    columns = dict(fitted.columns_under(boxes, fitted.features.columns_of(feature)))
    ranges: dict[int, RangeUnder] = {}
    if fitted.features.part(feature) is None:
        ranges = dict(fitted.under(boxes, [fitted.features.position(feature)], columns))
    return _witness(fitted, ranges, columns, feature, bound)


def stream_what_if(
    fitted: FittedSet, features: Sequence[int], **asked: Any
) -> Generator[FeatureAnswer]:
    """The intervals under constraints one by one; features of several columns come last."""
    boxes = fitted.solver.feasible(fitted.constraints(**asked))  # raises now, not later
    columns: dict[int, Union | SpreadRange] = {}
    found = fitted.under(boxes, features, columns)
    return (_answer(fitted, j, one, columns) for j, one in found)


def _answer(fitted: FittedSet, j: int, found: RangeUnder, columns: Columns) -> FeatureAnswer:
    norm, own = fitted.result.baseline["norm"], fitted.features.places[j]
    lower, limits = fitted.result.thresholds, fitted.analysis.classes.upper[list(own)]
    intervals = np.array([columns[k].relevance for k in own]) / norm
    labels = classify(intervals, lower, limits)
    relevance, label = np.array(found.relevance) / norm, int(labels[0])
    if len(own) > 1:
        label, _ = fitted.several[j].judged(relevance, intervals)
    label = int(fitted.labels(np.array([label]), relevance[None], [j])[0])
    ends = [(columns[k].ends[0] / norm, columns[k].ends[1] / norm) for k in own]
    signed = ends[0] if len(own) == 1 else found.ends
    return FeatureAnswer(j, (float(relevance[0]), float(relevance[1])), signed, label, ends)


def _column_values(fitted: FittedSet, found: Columns) -> ColumnValues:
    """What is known of the columns under the constraints; noise is that of the fit."""
    analysis, norm = fitted.analysis, fitted.result.baseline["norm"]
    own = [found[k] for k in range(fitted.n_columns)]
    intervals = np.array([one.relevance for one in own]) / norm
    limits = analysis.classes.upper
    return ColumnValues(
        intervals,
        np.array([one.ends for one in own]) / norm,
        classify(intervals, fitted.result.thresholds, limits),
        limits,
        analysis.problem.by_feature(analysis.baseline.weights) / norm,
        np.array([one.is_bound for one in own], dtype=bool),
    )


def _witness(
    fitted: FittedSet,
    ranges: Mapping[int, RangeUnder],
    columns: Columns,
    feature: Any,
    bound: str,
) -> EquivalentModel:
    """The model under the constraints that attains one end of a feature's relevance."""
    check_choice("bound", bound, ("min", "max"))
    part = fitted.features.part(feature)
    found = ranges[fitted.features.position(feature)] if part is None else columns[part]
    witness = found.witness(bound)
    assert witness is not None
    return EquivalentModel.of(fitted, witness)
