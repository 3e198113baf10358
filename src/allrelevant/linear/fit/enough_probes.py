"""Ranges of all features, and as many probes as it takes to tell them from noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from allrelevant.base.progress import Progress
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.c_values import is_wide
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.conditional.comparison import (
    can_be_asked,
    conditional_test,
    rows_are_few,
)
from allrelevant.linear.fit.ranges.more_probes import with_more_probes
from allrelevant.linear.fit.ranges.other_ends import first_tasks
from allrelevant.linear.fit.ranges.probes import draw_probes
from allrelevant.linear.fit.ranges.relevance import Relevances, RelevanceTask, find_relevances
from allrelevant.linear.fit.screening import (
    is_screened,
    unknown_ranges,
    with_both_ends,
    with_far_reaches,
)
from allrelevant.linear.fit.statistics.classes import FIRST_OF_MANY, FIRST_PROBES


def first_relevances(
    task: RelevanceTask, plan: Plan, random: np.random.RandomState, progress: Progress
) -> Relevances:
    """Ranges of all features, and as many probes as are wanted to begin with."""
    problem = task.problem
    n_probes = plan.n_probes or (FIRST_OF_MANY if is_wide(problem.sample) else FIRST_PROBES)
    if task.probes_are_dear and plan.n_probes is None:
        random = np.random.RandomState(0)  # others will join them, not take their places
    probes = draw_probes(n_probes, problem.useful_columns(False), random)
    if problem.n_privileged:
        columns = problem.useful_columns(True)
        probes += draw_probes(n_probes, columns, random, is_privileged=True)
    if is_screened(task, n_probes):
        progress.stage("probes", len(probes))
        return find_relevances(task, probes, (), unknown_ranges(task))
    asked = first_tasks(task, plan.blocks)
    progress.stage("relevance intervals", len(asked) + len(probes))
    return find_relevances(task, probes, asked)


def told_from_noise(analysis: Analysis, task: RelevanceTask, progress: Progress) -> Analysis:
    """The analysis with all that it takes to tell features from noise."""
    problem, plan = analysis.problem, analysis.plan
    has_bounds = any(one.is_screened for one in analysis.found.ranges)
    if can_be_asked(problem, plan):
        found = conditional_test(problem, plan, progress, predicts=analysis.choice.may_predict)
        analysis = replace(analysis, conditional=found)
    analysis = _with_enough_probes(with_far_reaches(analysis, task, progress), task, progress)
    if analysis.conditional is not None and _may_share(analysis):
        beside = analysis.conditional.beside(analysis.classes.values > 0, problem)
        analysis = replace(analysis, conditional=beside)
        analysis = _with_enough_probes(with_far_reaches(analysis, task, progress), task, progress)
    return with_both_ends(analysis, task, progress) if has_bounds else analysis


def _may_share(analysis: Analysis) -> bool:
    """Whether features may share what they tell, so that tests of each by itself miss them.

    Where rows are few a third test would let noise pass: only if nothing was found, and yet all
    together predict.
    """
    if rows_are_few(analysis.problem):
        return analysis.choice.predicts and not analysis.classes.values.any()
    return True


def _with_enough_probes(analysis: Analysis, task: RelevanceTask, progress: Progress) -> Analysis:
    """The analysis with more probes, of either kind, if nobody said how many to take."""
    if analysis.plan.n_probes is not None or task.replace_probes:
        return analysis
    analysis = _doubled(analysis, task, progress, is_privileged=False)
    if task.problem.n_privileged:
        analysis = _doubled(analysis, task, progress, is_privileged=True)
    return analysis


def _doubled(
    analysis: Analysis, task: RelevanceTask, progress: Progress, *, is_privileged: bool
) -> Analysis:
    """Twice as many probes, and again, until no feature could be either or there are very many.

    They have seeds of their own and take the places of the first ones: close calls are decided by
    the same probes whatever the seed of the fit, as folds are the same. Where probes are dear, the
    first ones have such seeds already, and stay.
    """
    columns = task.problem.useful_columns(is_privileged)
    afresh = not task.probes_are_dear
    while True:
        found = analysis.found
        n = len(found.privileged_probes if is_privileged else found.probes)
        n_more = min(n, task.most_probes - n - found.n_lost)
        if n_more <= 0 or not _are_close(analysis, is_privileged):
            return analysis
        n_drawn = n + n_more if afresh else n_more
        random = np.random.RandomState(n)
        drawn = draw_probes(n_drawn, columns, random, is_privileged=is_privileged)
        progress.stage("more probes", n_drawn)
        analysis = replace(analysis, found=with_more_probes(task, found, drawn, afresh=afresh))
        analysis = with_far_reaches(analysis, task, progress)
        afresh = False


def _are_close(analysis: Analysis, is_privileged: bool) -> bool:
    """Whether a column could be either; those that are judged together are looked at later."""
    if is_privileged:
        return bool(analysis.privileged.classes.borderline.any())
    close = analysis.classes.borderline.copy()
    close[list(analysis.plan.judged_together)] = False
    return bool(close.any())
