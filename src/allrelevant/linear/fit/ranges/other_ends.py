"""Ends of weights that do not decide a relevance: left open by a fit, solved for when read.

A relevance is the distance of the farther end from zero, and zero where some model does without the
feature. So where such a model is known, the end on the other side need only be shown to be no
farther out, which takes few programs to their end. Signed intervals need it: who first reads them
has all that are open solved for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.fit.ranges.range_worker import Both, Farther, OtherEnd, RangeTask
from allrelevant.linear.fit.ranges.relevance import RelevanceTask
from allrelevant.linear.fit.ranges.spreads import SpreadRange

Range = WeightRange | SpreadRange


def first_tasks(task: RelevanceTask, blocks: Sequence[Sequence[int]]) -> list[RangeTask]:
    """What to ask of every feature in a fit, in the order of their places.

    Both ends where the fit itself needs them: of the columns of a feature that has several, whose
    norms are found from them, and of rows that are elsewhere, which another end would have visited
    again.
    """
    problem = task.problem
    n_ranges = problem.n_features + problem.n_functions * problem.n_privileged
    if problem.model.n_scores > 1 or problem.sample.outside is not None:
        return [Both(k) for k in range(n_ranges)]
    both = {column for own in blocks for column in own}
    both.update(range(problem.n_features, n_ranges))
    return [Both(k) if k in both else Farther(k) for k in range(n_ranges)]


def open_ends(ranges: Sequence[Range]) -> list[OtherEnd]:
    """The ends that are to be solved for when they are read.

    Where features are screened none is: there bounds stay bounds, and are shown as such.
    """
    if any(one.is_screened for one in ranges):
        return []
    return [
        OtherEnd(k, -1 if one.low.is_bound else 1)
        for k, one in enumerate(ranges)
        if isinstance(one, WeightRange) and one.is_half
    ]


def with_other_ends(task: RelevanceTask, ranges: Sequence[Range]) -> tuple[Range, ...]:
    """The same ranges with no end left open."""
    known = list(ranges)
    tasks = open_ends(ranges)
    for one, answer in zip(tasks, task.run(tasks), strict=True):
        side = {"low" if one.sign < 0 else "high": answer.outcome}
        found = known[one.feature]
        assert isinstance(found, WeightRange)
        known[one.feature] = replace(found, **side)
    return tuple(known)
