"""Features of several columns under constraints: what the sum of their weights can be then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.linear.engine.limits import Boxes
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.engine.weight_range import End, WeightRange
from allrelevant.linear.fit.norms import LargestNorm, NormRange, largest_norm, smallest_norm
from allrelevant.linear.questions.constrained_solver import ConstrainedSolver, Union

_NOTHING = NormRange(End(np.inf), LargestNorm(End(-np.inf), -np.inf))


def norms_under(
    solver: ConstrainedSolver,
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
            with solver.alone:
                found[j] = _widened(found[j], solver.ranges.solver_within(branch), parts)
            if number == len(boxes) - 1:
                yield j, found[j]


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
