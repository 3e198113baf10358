"""What becomes of all features if some are forbidden, kept, bounded, or given a sign."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from allrelevant.base.three_classes import classify
from allrelevant.base.validation import check_choice
from allrelevant.linear.engine.limits import Boxes
from allrelevant.linear.fit.norms import NormRange
from allrelevant.linear.fit.several import ColumnValues, by_feature
from allrelevant.linear.questions.class_what_if import (
    FeatureAnswer,
    find_spreads_under,
    spread_witness_under,
    stream_spreads_under,
)
from allrelevant.linear.questions.constrained_privileged import privileged_under
from allrelevant.linear.questions.constrained_solver import Union
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.requests import as_asked
from allrelevant.linear.questions.what_if_result import WhatIfResult

Columns = Mapping[int, Union]  # the ranges of all weights under constraints
Ranges = Mapping[int, Union | NormRange]  # those of all features


def find_what_if(fitted: FittedSet, *, n_jobs: int | None = None, **asked: Any) -> WhatIfResult:
    """All intervals under constraints."""
    if fitted.model.n_scores > 1:
        return find_spreads_under(fitted, n_jobs, **asked)
    before, features = fitted.result, fitted.features
    constraints = fitted.constraints(**asked)
    boxes = fitted.solver.feasible(constraints)
    ranges, columns = fitted.all_under(boxes, n_jobs)
    norms = {j: found for j, found in ranges.items() if isinstance(found, NormRange)}
    known = {entry.name: getattr(before, entry.name) for entry in fields(before)}
    known["needed_up_to"] = ()  # it is that of all models
    values, norm = _column_values(fitted, columns), before.baseline["norm"]
    known |= by_feature(features, values, fitted.several, norms, norm)
    known["classes"] = fitted.labels(known["classes"], known["intervals"])
    if before.privileged is not None:
        known |= privileged_under(fitted, before.privileged, boxes, columns)
    result = WhatIfResult(**known, constraints=as_asked(constraints), before=before)

    def witness(feature: Any, bound: str) -> EquivalentModel:
        known = fitted.features.columns_of(feature)
        # No model comes with a bound.
        if any(part.is_bound for k in known for part in columns[k].parts):
            return _witness_under(fitted, boxes, feature, bound)
        return _witness(fitted, ranges, columns, feature, bound)

    return result.with_models(witness)


def witness_under(fitted: FittedSet, feature: Any, bound: str, **asked: Any) -> EquivalentModel:
    """The model at one end of a feature's relevance, without the ranges of all others."""
    if fitted.model.n_scores > 1:
        return spread_witness_under(fitted, feature, bound, **asked)
    boxes = fitted.solver.feasible(fitted.constraints(**asked))
    return _witness_under(fitted, boxes, feature, bound)


def _witness_under(
    fitted: FittedSet, boxes: Sequence[Boxes], feature: Any, bound: str
) -> EquivalentModel:
    columns = dict(fitted.solver.under(boxes, fitted.features.columns_of(feature)))
    ranges: Ranges = {}
    if fitted.features.part(feature) is None:
        ranges = dict(fitted.under(boxes, [fitted.features.position(feature)], columns))
    return _witness(fitted, ranges, columns, feature, bound)


def stream_what_if(
    fitted: FittedSet, features: Sequence[int], **asked: Any
) -> Generator[FeatureAnswer]:
    """The same one by one; features of several columns come last."""
    if fitted.model.n_scores > 1:
        return stream_spreads_under(fitted, features, **asked)
    boxes = fitted.solver.feasible(fitted.constraints(**asked))  # raises now, not later
    columns: dict[int, Union] = {}
    found = fitted.under(boxes, features, columns)
    return (_answer(fitted, j, one, columns) for j, one in found)


def _answer(fitted: FittedSet, j: int, found: Union | NormRange, columns: Columns) -> FeatureAnswer:
    norm, own = fitted.result.baseline["norm"], fitted.features.places[j]
    lower, limits = fitted.result.thresholds, fitted.analysis.classes.upper[list(own)]
    intervals = np.array([columns[k].relevance for k in own]) / norm
    labels = classify(intervals, lower, limits)
    relevance, label = np.array(found.relevance) / norm, int(labels[0])
    if isinstance(found, NormRange):
        label, _ = fitted.several[j].judged(relevance, intervals)
    label = int(fitted.labels(np.array([label]), relevance[None], [j])[0])
    ends = [(columns[k].ends[0] / norm, columns[k].ends[1] / norm) for k in own]
    signed = ends[0] if len(own) == 1 else found.ends
    return FeatureAnswer(j, (float(relevance[0]), float(relevance[1])), signed, label, ends)


def _column_values(fitted: FittedSet, found: Columns) -> ColumnValues:
    """What is known of the columns under the constraints; noise is that of the fit."""
    n, analysis, norm = fitted.n_columns, fitted.analysis, fitted.result.baseline["norm"]
    intervals = np.array([found[k].relevance for k in range(n)]) / norm
    limits = analysis.classes.upper
    return ColumnValues(
        intervals,
        np.array([found[k].ends for k in range(n)]) / norm,
        classify(intervals, fitted.result.thresholds, limits),
        limits,
        analysis.baseline.weights[:n] / norm,
        np.array([any(part.is_bound for part in found[k].parts) for k in range(n)], dtype=bool),
    )


def _witness(
    fitted: FittedSet, ranges: Ranges, columns: Columns, feature: Any, bound: str
) -> EquivalentModel:
    """The model under the constraints that attains one end of a feature's relevance."""
    check_choice("bound", bound, ("min", "max"))
    part = fitted.features.part(feature)
    found = ranges[fitted.features.position(feature)] if part is None else columns[part]
    witness = found.witness(bound)
    assert witness is not None
    return EquivalentModel.of(fitted, witness)
