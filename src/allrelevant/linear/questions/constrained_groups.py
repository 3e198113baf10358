"""Groups of columns under constraints: what the sum of their absolute weights can be then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.linear.engine.equivalent import Boxes
from allrelevant.linear.engine.ranges import End, RangeSolver, WeightRange
from allrelevant.linear.questions.column_groups import ColumnGroup, SingleColumns, smallest_norm
from allrelevant.linear.questions.constrained_solver import ConstrainedSolver, Union
from allrelevant.linear.questions.sign_patterns import LargestNorm, largest_norm


def groups_under(
    solver: ConstrainedSolver,
    groups: Mapping[str, ColumnGroup],
    boxes: Sequence[Boxes],
    found: Mapping[int, Union],
    singles: SingleColumns,
) -> dict[str, ColumnGroup]:
    """The relevance of every group over the models within the branches.

    Parameters
    ----------
    groups : mapping from str to ColumnGroup
        The groups without constraints; their noise stays what it was.
    boxes : sequence of Boxes
        The branches, each of which holds a model.
    found : mapping from int to Union
        The ranges of single weights within the branches.
    singles : SingleColumns
        Single columns under the constraints.
    """
    ranges = {name: _Range() for name in groups}
    for number, branch in enumerate(boxes):  # one after the other: a solver knows one of them
        within = solver.ranges.solver_within(branch)
        for name, group in groups.items():
            parts = {k: found[k].parts[number] for k in group.places}
            ranges[name].widen(within, parts)
    return {
        name: ColumnGroup.judged(
            np.array(group.places, dtype=np.intp),
            ranges[name].smallest,
            LargestNorm(ranges[name].attained, ranges[name].bound),
            group.noise,
            singles=singles,
        )
        for name, group in groups.items()
    }


class _Range:
    """Both ends of a group's sum over all branches so far."""

    def __init__(self) -> None:
        self.smallest, self.attained, self.bound = End(np.inf), End(-np.inf), -np.inf

    def widen(self, solver: RangeSolver, parts: Mapping[int, WeightRange]) -> None:
        """Take in one more branch, where the ranges of its columns leave room for anything new."""
        # Forbidden columns are left out: to some solvers they are zeros, whose weight is nobody's.
        used = {k: part for k, part in parts.items() if part.relevance[1] > 0}
        columns = np.array(list(used), dtype=np.intp)
        unused = np.array([k for k in parts if k not in used], dtype=np.intp)
        least, most = np.array([part.relevance for part in parts.values()]).sum(axis=0)
        if least < self.smallest.value:
            smallest = _without(smallest_norm(solver, columns), unused)
            self.smallest = min(self.smallest, smallest, key=lambda end: end.value)
        if most > self.bound:
            ends = np.array([(part.low.value, part.high.value) for part in used.values()])
            largest = largest_norm(solver, columns, *ends.reshape(-1, 2).T)
            attained = _without(largest.attained, unused)
            self.attained = max(self.attained, attained, key=lambda end: end.value)
            self.bound = max(self.bound, largest.bound)


def _without(end: End, columns: Ints) -> End:
    return End(end.value, None if end.witness is None else end.witness.without(columns))
