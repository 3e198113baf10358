"""Features with a weight for every class under constraints: what their spread can be then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import partial

import numpy as np

from allrelevant import backends
from allrelevant.base.arrays import Ints
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.ranges.restricted import RestrictedRanges
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.ranges.weight_range import End, Witness
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.spreads import SpreadRange, largest_spread, smallest_spread

Columns = tuple[int, ...]  # of a feature, by their positions

_TOGETHER = 4  # features at least that a worker looks at: each takes several programs


def spreads_under(
    problem: Problem,
    ranges: RestrictedRanges,
    boxes: Sequence[Boxes],
    features: Mapping[int, Columns],
) -> Iterator[tuple[int, SpreadRange]]:
    """The ranges of features within branches that hold models, as they are found."""
    ask = SpreadWorker(problem, ranges, boxes)
    for j, columns in features.items():
        with ranges.alone:
            found = ask(columns)
        yield j, found


def all_spreads_under(
    problem: Problem,
    ranges: RestrictedRanges,
    boxes: Sequence[Boxes],
    features: Sequence[Columns],
    n_jobs: int | None,
    progress: Progress,
) -> list[SpreadRange]:
    """The ranges of all features, by workers that start afresh."""
    with ranges.alone:
        for branch in boxes:
            ranges.member(branch)  # which workers need not look for
    make = partial(SpreadWorker, problem, copy(ranges), boxes)
    n_batches = backends.shares_of(len(features), _TOGETHER)
    progress.stage("intervals", len(features))
    return list(backends.run(make, features, n_jobs, progress.advance, n_batches))


class SpreadWorker:
    """Finds the ranges of columns within branches that hold models, one after the other."""

    def __init__(self, problem: Problem, ranges: RestrictedRanges, boxes: Sequence[Boxes]) -> None:
        self._problem = problem
        self._branches = [(copy(ranges).solver_within(branch), branch.features) for branch in boxes]

    def __call__(self, columns: Columns) -> SpreadRange:
        """The least and the largest value of a feature of these columns in any branch."""
        found: SpreadRange | None = None
        for solver, barred in self._branches:
            found = _spread(self._problem, solver, barred, columns, found)
        assert found is not None
        return found


def _spread(
    problem: Problem,
    solver: RangeSolver,
    barred: Ints,
    columns: Columns,
    known: SpreadRange | None = None,
) -> SpreadRange:
    """The range of a feature, of which single columns may be forbidden, and what is known of it."""
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
