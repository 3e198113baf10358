"""Features of several columns under constraints: what the sum of their weights can be then."""

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
from allrelevant.linear.engine.ranges.weight_range import End, WeightRange
from allrelevant.linear.fit.ranges.norms import LargestNorm, NormRange, largest_norm, smallest_norm
from allrelevant.linear.questions.constraints.solver import Union

_NOTHING = NormRange(End(np.inf), LargestNorm(End(-np.inf), -np.inf))
_TOGETHER = 4  # features at least that a worker looks at: each takes several programs


def norms_under(
    ranges: RestrictedRanges,
    boxes: Sequence[Boxes],
    features: Mapping[int, Sequence[int]],
    columns: Mapping[int, Union],
) -> Iterator[tuple[int, NormRange]]:
    """The range of every feature's norm over the models within the branches.

    Parameters
    ----------
    boxes : sequence of Boxes
        The branches, each of which holds a model.
    features : mapping from int to sequence of int
        The columns of each feature.
    columns : mapping from int to Union
        The ranges of single weights within the branches.
    """
    found = dict.fromkeys(features, _NOTHING)
    for number, branch in enumerate(boxes):  # one after the other: a solver knows one of them
        for j, own in features.items():
            parts = {k: columns[k].parts[number] for k in own}
            with ranges.alone:
                found[j] = _widened(found[j], ranges.solver_within(branch), parts)
            if number == len(boxes) - 1:
                yield j, found[j]


def all_norms_under(
    ranges: RestrictedRanges,
    boxes: Sequence[Boxes],
    features: Mapping[int, Sequence[int]],
    columns: Mapping[int, Union],
    n_jobs: int | None,
    progress: Progress,
) -> dict[int, NormRange]:
    """The norms of all features, by workers that start afresh."""
    n_batches = backends.shares_of(len(features), _TOGETHER) if features else 0
    shares = [list(features.items())[first::n_batches] for first in range(n_batches)]
    tasks = [(dict(own), {k: columns[k] for _, places in own for k in places}) for own in shares]
    make = partial(NormsWorker, ranges, boxes)
    progress.stage("features of several columns", len(tasks))
    found = backends.run(make, tasks, n_jobs, progress.advance, n_batches)
    return {j: one for part in found for j, one in part.items()}


class NormsWorker:
    """Finds the norms of some features over the models within branches."""

    def __init__(self, ranges: RestrictedRanges, boxes: Sequence[Boxes]) -> None:
        self._ranges, self._boxes = copy(ranges), boxes

    def __call__(
        self, task: tuple[Mapping[int, Sequence[int]], Mapping[int, Union]]
    ) -> dict[int, NormRange]:
        """The norms of features, given the ranges of their columns."""
        return dict(norms_under(self._ranges, self._boxes, *task))


def _widened(known: NormRange, solver: RangeSolver, parts: Mapping[int, WeightRange]) -> NormRange:
    """Take in one more branch, where the ranges of its columns leave room for anything new."""
    # Forbidden columns are left out: to some solvers they are zeros, whose weight is nobody's.
    used = {k: part for k, part in parts.items() if part.relevance[1] > 0}
    columns = np.array(list(used), dtype=np.intp)
    unused = np.array([k for k in parts if k not in used], dtype=np.intp)
    least, most = np.array([part.relevance for part in parts.values()]).sum(axis=0)
    smallest, largest = known.smallest, known.largest
    if least < smallest.value:
        own = _without(smallest_norm(solver, columns), unused)
        smallest = min(smallest, own, key=lambda end: end.value)
    if most > largest.bound:
        ends = np.array([(part.low.value, part.high.value) for part in used.values()])
        new = largest_norm(solver, columns, *ends.reshape(-1, 2).T)
        attained = _without(new.attained, unused)
        attained = max(largest.attained, attained, key=lambda end: end.value)
        largest = LargestNorm(attained, max(largest.bound, new.bound))
    return NormRange(smallest, largest)


def _without(end: End, columns: Ints) -> End:
    return End(end.value, None if end.witness is None else end.witness.without(columns))
