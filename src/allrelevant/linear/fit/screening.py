"""Very many features, nearly all of them noise: exact where it tells something, bounds elsewhere.

Where there are more features than rows the noise among them speaks for itself: the farthest few per
cent of all reaches are what p-values come from (see
:mod:`~allrelevant.linear.fit.statistics.noise`). Of all others it need only be known that they are
not among these. So a feature is solved for only if it may reach farther than most probes do. What
the bounds of the others hide is where they stand among each other: the tail, every p-value in it
and every class is what it would be if all had been solved for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.ranges.weight_range import End, WeightRange
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.c_values import is_wide
from allrelevant.linear.fit.ranges.range_worker import Both, Screened
from allrelevant.linear.fit.ranges.relevance import RelevanceTask
from allrelevant.linear.fit.statistics.classes import FIRST_PROBES

_MANY = 1000  # features up to which all are solved for
_SAME = 1e-9  # reaches that differ by less are the same
_PARTS = (0.1, 0.2, 0.4)  # of the probes that reach farther than what is left a bound


def is_screened(task: RelevanceTask, n_probes: int) -> bool:
    """Whether ranges are found exactly only where they reach far."""
    problem = task.problem
    return (
        problem.n_features > _MANY
        and is_wide(problem.sample)
        and n_probes >= FIRST_PROBES
        and not task.replace_probes
        and not problem.n_privileged
        and task.models.n_features == problem.n_features
        and problem.model.n_scores == 1
        and task.models.reference.row_duals is not None
    )


def unknown_ranges(task: RelevanceTask) -> tuple[WeightRange, ...]:
    """What is known of all features before anything is solved for: what the budgets say."""
    far = task.models.largest_norm
    return (WeightRange(End(-far), End(far), contains_zero=True),) * task.problem.n_features


def with_far_reaches(analysis: Analysis, task: RelevanceTask, progress: Progress) -> Analysis:
    """The analysis in which no bound is as far out as the tail of the noise begins.

    Bounds below it stand for reaches below it, and those above it are exact: so it begins where it
    would if all were.
    """
    if not any(one.is_screened for one in analysis.found.ranges):
        return analysis
    for part in (*_PARTS, 1.0):
        open_ = _in_the_tail(analysis)
        if not len(open_):
            break
        probes = analysis.found.probes.tail(analysis.shapes)
        level = float(np.quantile(probes.ordered, 1.0 - part)) if part < 1.0 else 0.0
        levels = np.where(analysis.shapes.scale > 0, level * probes.usual(analysis.shapes), 0.0)
        tasks = [Screened(int(k), float(levels[k])) for k in open_]
        analysis = _solved(analysis, task, tasks, progress)
    return analysis


def with_both_ends(analysis: Analysis, task: RelevanceTask, progress: Progress) -> Analysis:
    """The analysis with exact signed intervals of all relevant features.

    Those that pass by what others leave need not reach far, and are solved for only now.
    """
    ranges = analysis.found.ranges
    told = (analysis.classes.values > 0) | analysis.classes.borderline
    half = [Both(int(k)) for k in np.flatnonzero(told) if ranges[k].is_bound and ranges[k].is_exact]
    return _solved(analysis, task, half, progress) if half else analysis


def _in_the_tail(analysis: Analysis) -> Ints:
    """Features with a bound that is in the tail, in the order in which to solve for them."""
    ranges, tail, models = analysis.found.ranges, analysis.tail, analysis.models
    assert tail is not None
    assert models is not None
    assert models.gradient is not None
    is_open = np.array([one.is_screened for one in ranges], dtype=bool)
    scaled = analysis.intervals[:, 1] / tail.usual(analysis.shapes)
    # Where the tail begins at a bound, all that share it are open, whatever their last digit.
    open_ = np.flatnonzero(is_open & (scaled >= (1.0 - _SAME) * tail.start))
    # Those that reach farthest tell most of the others; those in the reference call many others in.
    far = -np.abs(models.gradient[open_])
    return open_[np.lexsort([far, models.near_reference[open_]])]


def _solved(
    analysis: Analysis,
    task: RelevanceTask,
    tasks: Sequence[Both | Screened],
    progress: Progress,
) -> Analysis:
    """The analysis with the ranges that these tasks find."""
    progress.stage("relevance intervals", len(tasks))
    answers = task.run(tasks)
    found = analysis.found
    ranges = list(found.ranges)
    for one, answer in zip(tasks, answers, strict=True):
        ranges[one.feature] = answer.outcome
    found = replace(
        found,
        ranges=tuple(ranges),
        solved=found.solved + sum(answer.solved for answer in answers),
        skipped=found.skipped + sum(answer.skipped for answer in answers),
    )
    return replace(analysis, found=found)
