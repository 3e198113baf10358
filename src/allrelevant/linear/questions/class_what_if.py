"""What becomes of all features under constraints, where each has a weight for every class."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import classify
from allrelevant.base.validation import check_choice
from allrelevant.linear.engine.direction import NO_FEATURES
from allrelevant.linear.engine.limits import Boxes
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.engine.restricted import RestrictedRanges
from allrelevant.linear.engine.weight_range import End, Witness
from allrelevant.linear.fit.spreads import (
    SpreadRange,
    largest_spread,
    smallest_spread,
    spread_range,
)
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.requests import as_asked
from allrelevant.linear.questions.what_if_result import WhatIfResult

Columns = tuple[int, ...]  # of a feature, by their positions

_TOGETHER = 4  # features at least that a worker looks at: each takes several programs


class FeatureAnswer(NamedTuple):
    """A feature under constraints; intervals are shares, its columns' are signed ones."""

    position: int
    relevance: tuple[float, float]
    signed: tuple[float, float]
    label: int
    columns: list[tuple[float, float]]


def find_spreads_under(fitted: FittedSet, n_jobs: int | None, **asked: Any) -> WhatIfResult:
    """All intervals over the models that keep constraints."""
    before, constraints = fitted.result, fitted.constraints(**asked)
    boxes = fitted.solver.feasible(constraints)
    of_several = [(int(k),) for own in fitted.features.several.values() for k in own]
    wanted = [*fitted.features.places, *of_several]
    with fitted.solver.alone:
        for branch in boxes:
            fitted.solver.ranges.member(branch)  # which workers need not look for
    make = partial(SpreadWorker, fitted, copy(fitted.solver.ranges), boxes)
    n_batches = backends.shares_of(len(wanted), _TOGETHER)
    found = dict(zip(wanted, backends.run(make, wanted, n_jobs, n_batches=n_batches), strict=True))
    norm = before.baseline["norm"]
    intervals = np.array([found[own].relevance for own in fitted.features.places]) / norm
    known = {entry.name: getattr(before, entry.name) for entry in fields(before)}
    known["needed_up_to"] = ()  # it is that of all models
    labels = classify(intervals, before.thresholds, before.upper_thresholds)
    known |= {"intervals": intervals, "classes": fitted.labels(labels, intervals)}
    known["columns"] = {
        fitted.features.names[j]: {
            **before.columns[fitted.features.names[j]],
            "intervals": np.array([found[k,].relevance for k in own]) / norm,
        }
        for j, own in fitted.features.several.items()
    }
    result = WhatIfResult(**known, constraints=as_asked(constraints), before=before)
    return result.with_models(lambda *end: _witness(fitted, found, *end))


def spread_witness_under(
    fitted: FittedSet, feature: Any, bound: str, **asked: Any
) -> EquivalentModel:
    """The model at one end of a feature's relevance, without the ranges of all others."""
    boxes = fitted.solver.feasible(fitted.constraints(**asked))
    own = fitted.features.places[fitted.features.position(feature)]
    found = dict(_under(fitted, boxes, [own]))
    return _witness(fitted, found, feature, bound)


def stream_spreads_under(
    fitted: FittedSet, features: Sequence[int], **asked: Any
) -> Generator[FeatureAnswer]:
    """The same one by one."""
    before, constraints = fitted.result, fitted.constraints(**asked)
    boxes = fitted.solver.feasible(constraints)  # raises now, not later
    limits = before.upper_thresholds

    def answer(j: int, found: SpreadRange) -> FeatureAnswer:
        low, high = (float(end) / before.baseline["norm"] for end in found.relevance)
        shares = np.array([[low, high]])
        label = fitted.labels(classify(shares, before.thresholds, limits[[j]]), shares, [j])
        ends = [(np.nan, np.nan)] * len(fitted.features.places[j])
        return FeatureAnswer(j, (low, high), found.ends, int(label[0]), ends)

    places = [fitted.features.places[j] for j in features]
    found = _under(fitted, boxes, places)
    return (answer(j, one) for j, (_, one) in zip(features, found, strict=True))


def _under(
    fitted: FittedSet, boxes: Sequence[Boxes], wanted: Sequence[Columns]
) -> Iterator[tuple[Columns, SpreadRange]]:
    ask = SpreadWorker(fitted, fitted.solver.ranges, boxes)
    for columns in wanted:
        with fitted.solver.alone:
            found = ask(columns)
        yield columns, found


class SpreadWorker:
    """Finds the ranges of columns within branches that hold models, one after the other."""

    def __init__(self, fitted: FittedSet, ranges: RestrictedRanges, boxes: Sequence[Boxes]) -> None:
        self._fitted = fitted
        self._branches = [(copy(ranges).solver_within(branch), branch.features) for branch in boxes]

    def __call__(self, columns: Columns) -> SpreadRange:
        """The least and the largest value of a feature of these columns in any branch."""
        found: SpreadRange | None = None
        for solver, barred in self._branches:
            found = _spread(self._fitted, solver, barred, columns, found)
        assert found is not None
        return found


def _spread(
    fitted: FittedSet,
    solver: RangeSolver,
    barred: Ints,
    columns: Columns,
    known: SpreadRange | None = None,
) -> SpreadRange:
    """The range of a feature, of which single columns may be forbidden, and what is known of it."""
    problem = fitted.analysis.problem
    places = np.array([problem.places_of(k, False) for k in columns], dtype=np.intp)
    allowed = places[~np.isin(places[:, 0], barred)]
    if not len(allowed):
        reference = solver.models.reference
        nothing = End(0.0, Witness.of(reference.weights, reference.offsets).without(places.ravel()))
        return SpreadRange(nothing, nothing)
    largest = None if known is None else known.largest
    seen: list[Witness] = []
    for own in allowed:
        end, seen = largest_spread(solver, own, 0.0 if largest is None else largest.value)
        largest = end if largest is None else max(largest, end, key=lambda one: one.value)
    assert largest is not None
    if known is not None and known.smallest.value == 0.0:
        return SpreadRange(known.smallest, largest)
    smallest = smallest_spread(solver, allowed, seen if len(allowed) == 1 else ())
    if known is not None:
        smallest = min(known.smallest, smallest, key=lambda one: one.value)
    return SpreadRange(smallest, largest)


def spreads_of(
    fitted: FittedSet, asked: Sequence[int], progress: Progress
) -> tuple[Floats, Floats]:
    """The least and the largest relevance of the columns, and of features asked about; else NaN."""
    assert fitted.models is not None
    solver, places_of = RangeSolver(fitted.models), fitted.analysis.problem.places_of
    of_columns = np.full((fitted.n_columns, 2), np.nan)
    of_features = np.full((len(fitted.features), 2), np.nan)
    own = [(j, fitted.features.places[j]) for j in asked]
    for k in progress.each("columns", [k for _, places in own for k in places]):
        of_columns[k] = spread_range(solver, places_of(k, False)).relevance
    for j, places in progress.each("features", own):
        several = len(places) > 1
        found = _spread(fitted, solver, NO_FEATURES, places).relevance if several else None
        of_features[j] = of_columns[places[0]] if found is None else found
    return of_columns, of_features


def _witness(
    fitted: FittedSet, found: Mapping[Columns, SpreadRange], feature: Any, bound: str
) -> EquivalentModel:
    """The model under the constraints that attains one end of a feature's relevance."""
    check_choice("bound", bound, ("min", "max"))
    own = fitted.features.places[fitted.features.position(feature)]
    return EquivalentModel.of(fitted, found[own].witness(bound))
