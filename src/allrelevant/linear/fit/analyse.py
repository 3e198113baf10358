"""One fit, from data to answer: baseline, equivalent models, ranges, probes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace

import numpy as np

from allrelevant.base.errors import warn_user
from allrelevant.base.features import NO_FEATURES, Features
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.optimum import SolverError
from allrelevant.linear.engine.penalised import Penalised
from allrelevant.linear.engine.weight_range import End, WeightRange, Witness
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline import is_wide
from allrelevant.linear.fit.best import opened_set
from allrelevant.linear.fit.candidate import Choice
from allrelevant.linear.fit.cautions import (
    NOT_USED,
    dense,
    few_probes,
    left_out,
    lost_probes,
    moved,
    no_signal,
    only_bounds,
)
from allrelevant.linear.fit.classes import FIRST_OF_MANY, FIRST_PROBES
from allrelevant.linear.fit.find_several import with_privileged_several
from allrelevant.linear.fit.plan import Plan
from allrelevant.linear.fit.privileged import USELESS, WORSE, are_informative, tell_anything
from allrelevant.linear.fit.probes import draw_probes
from allrelevant.linear.fit.problem import PrivilegedProblem, Problem, problem_of
from allrelevant.linear.fit.relevance import (
    ProbeReaches,
    Relevances,
    RelevanceTask,
    find_relevances,
    with_more_probes,
)
from allrelevant.linear.fit.sample import Sample
from allrelevant.linear.fit.screening import (
    is_screened,
    unknown_ranges,
    with_both_ends,
    with_far_reaches,
)
from allrelevant.linear.fit.search import search
from allrelevant.linear.fit.several import none_of
from allrelevant.linear.fit.unexplained import can_be_asked, rows_are_few, what_others_leave
from allrelevant.linear.models import LinearModel

_NEARBY = (1.0, 1 / 1.02, 1.02, 1 / 1.1, 1.1)  # times C, where none can be proven at C itself


def analyse(
    variants: Sequence[LinearModel],
    sample: Sample,
    plan: Plan,
    names: Sequence[str],
    random: np.random.RandomState,
    progress: Progress,
    balanced: Sample | None = None,
    privileged: Features = NO_FEATURES,
) -> Analysis:
    """Do a whole fit.

    Parameters
    ----------
    variants : sequence of LinearModel
        The models to choose from (differing in ε, say).
    sample : Sample
    plan : Plan
    names : sequence of str
        Names of all features, those known in training only at the end.
    random : RandomState
        For the probes.
    progress : Progress
    balanced : Sample, optional
        The same sample where classes weigh the same, to be tried where nothing is found.
    privileged : Features
        Those known in training only.
    """
    choice = search(variants, sample, plan, progress)
    problem = problem_of(choice.model, sample)
    baseline = baseline_near(problem, choice, plan)
    if isinstance(problem, PrivilegedProblem) and not are_informative(problem, baseline):
        return _without_privileged(variants, sample, plan, names, random, progress, privileged)
    if baseline.norm <= 0:
        warning = _nothing_learnable(variants, sample, balanced, plan, progress)
        return _nothing(choice, problem, baseline, plan, warning)
    opened = opened_set(problem, baseline, plan)
    standing, room, models = opened.standing, opened.room, opened.models
    d = problem.n_features
    random_before = deepcopy(random)
    task = RelevanceTask(
        models,
        problem,
        names=[*names[:d], *list(names[d:]) * problem.n_functions],
        replace_probes=plan.probes == "replace",
        n_jobs=plan.n_jobs,
        advance=progress.advance,
    )
    found = _with_probes(task, plan, random, progress)
    baseline, reference, least = standing.baseline, standing.reference, standing.least_loss
    analysis = Analysis(choice, problem, baseline, room.pair, models, found, plan, reference, least)
    if can_be_asked(problem, plan) and rows_are_few(problem):
        analysis = replace(analysis, unexplained=what_others_leave(problem, plan, progress))
    has_bounds = any(one.is_screened for one in found.ranges)
    if has_bounds:
        analysis = with_far_reaches(analysis, task, progress)
    analysis = _with_enough_probes(analysis, task, progress, has_bounds)
    if analysis.unexplained is None and can_be_asked(problem, plan) and _contradicts(analysis):
        analysis = replace(analysis, unexplained=what_others_leave(problem, plan, progress))
        analysis = _with_enough_probes(analysis, task, progress, has_bounds)
    if has_bounds:
        analysis = with_both_ends(analysis, task, progress)
    if problem.n_privileged:
        analysis = with_privileged_several(
            privileged, analysis, task.names, random=random, progress=progress
        )
    if problem.n_privileged and not tell_anything(analysis, privileged):
        return _without_privileged(
            variants, sample, plan, names, random_before, progress, privileged
        )
    analysis = replace(analysis, models=problem.present(models))
    # Only now: what is said of an answer that is thrown away would be said twice.
    analysis = _with_cautions(analysis, names)
    if not problem.n_privileged:
        return analysis
    return _compared_with_plain(analysis, variants, plan, progress)


def baseline_near(problem: Problem, choice: Choice, plan: Plan) -> Penalised:
    """The reference model at the chosen C, or near it where none can be proven to be the best.

    A C that was asked for stays.
    """
    for factor in _NEARBY if plan.C is None else ():
        with suppress(SolverError):
            return plan.baseline.fit(problem, factor * choice.C, choice.gamma, chosen=True)
    return plan.baseline.fit(problem, choice.C, choice.gamma, chosen=plan.C is None)


def _with_probes(
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
        return find_relevances(task, probes, unknown_ranges(task))
    n_ranges = problem.n_features + problem.n_privileged * problem.n_functions
    progress.stage("relevance intervals", n_ranges + len(probes))
    return find_relevances(task, probes)


def _contradicts(analysis: Analysis) -> bool:
    """Whether features that every equivalent model uses reach no farther than noise."""
    classes, needed = analysis.classes, analysis.intervals[:, 0]
    return bool(((classes.values == 0) & (needed > classes.thresholds[0])).any())


def _with_enough_probes(
    analysis: Analysis, task: RelevanceTask, progress: Progress, has_bounds: bool
) -> Analysis:
    """Twice as many probes, and again, until no feature could be either or there are very many.

    They have seeds of their own and take the places of the first ones: close calls are decided by
    the same probes whatever the seed of the fit, as folds are the same. Where probes are dear, the
    first ones have such seeds already, and stay.
    """
    if analysis.plan.n_probes is not None or task.replace_probes:
        return analysis
    for is_privileged in (False, True):
        if is_privileged and not task.problem.n_privileged:
            break
        afresh = not task.probes_are_dear
        while True:
            found = analysis.found
            probes = found.privileged_probes if is_privileged else found.probes
            classes = analysis.privileged.classes if is_privileged else analysis.classes
            n_more = min(len(probes), task.most_probes - len(probes) - found.n_lost)
            close = classes.borderline.copy()
            if not is_privileged:
                close[list(analysis.plan.judged_together)] = False
            if n_more <= 0 or not close.any():
                break
            columns = task.problem.useful_columns(is_privileged)
            random = np.random.RandomState(len(probes))
            n_drawn = len(probes) + n_more if afresh else n_more
            drawn = draw_probes(n_drawn, columns, random, is_privileged=is_privileged)
            progress.stage("more probes", n_drawn)
            analysis = replace(analysis, found=with_more_probes(task, found, drawn, afresh=afresh))
            if has_bounds:
                analysis = with_far_reaches(analysis, task, progress)
            afresh = False
    return analysis


def _with_cautions(analysis: Analysis, names: Sequence[str]) -> Analysis:
    """The same, with a word where something was left out, is a bound, or tells little."""
    found = (
        few_probes(
            analysis.plan.n_probes,
            float(analysis.classes.thresholds[1]),
            analysis.largest_possible,
        ),
        left_out(analysis.choice),
        moved(analysis.choice, analysis.baseline, analysis.plan),
        only_bounds(analysis.found, names),
        lost_probes(analysis.found),
        dense(analysis.problem, analysis.reference),
    )
    for warning in found:
        if warning is not None:
            analysis = analysis.warning_that(warning)
    return analysis


def _compared_with_plain(
    analysis: Analysis, variants: Sequence[LinearModel], plan: Plan, progress: Progress
) -> Analysis:
    """The same, with a warning where privileged features make the predictions worse.

    That happens where they explain a number's error so well that little is left to predict.
    """
    choice, sample = analysis.choice, analysis.problem.sample
    if choice.model.task != "regression":
        return analysis
    plain = search(variants, sample.plain(), plan, progress)
    if choice.score >= plain.score - plain.score_error:
        return analysis
    return analysis.warning_that(WORSE.format(choice.score, plain.score))


def _without_privileged(
    variants: Sequence[LinearModel],
    sample: Sample,
    plan: Plan,
    names: Sequence[str],
    random: np.random.RandomState,
    progress: Progress,
    privileged: Features,
) -> Analysis:
    """The answer where what is privileged does not help: that of the other features alone."""
    assert sample.privileged is not None
    warn_user(USELESS)
    plain = analyse(variants, sample.plain(), plan, names, random, progress)
    nothing = Witness(np.zeros(0, dtype=np.intp), np.zeros(0), plain.baseline.offsets)
    point = WeightRange(End(0.0, nothing), End(0.0, nothing), contains_zero=True)
    found = replace(
        plain.found,
        privileged=((point,),) * sample.privileged.shape[1],
        warnings=[USELESS, *plain.found.warnings],
    )
    several = none_of(privileged, plain.baseline.offsets)
    return replace(plain, found=found, privileged_several=several)


def _nothing_learnable(
    variants: Sequence[LinearModel],
    sample: Sample,
    balanced: Sample | None,
    plan: Plan,
    progress: Progress,
) -> str:
    """What to say where the best model uses no feature; classes that weigh the same are tried."""
    kind = plan.baseline
    if kind.is_given:
        return NOT_USED.format(kind.name)
    Cs = kind.grid(variants[0], sample) if plan.C is None else np.array([plan.C])
    weights = ["classes weighed by their sizes"] if np.ptp(sample.weight / sample.count) else []
    if balanced is not None:
        choice = search(variants, balanced, plan, progress)
        other = baseline_near(problem_of(choice.model, balanced), choice, plan)
        if other.norm > 0:
            return (
                "no feature helps as the classes are weighed, but with balanced class weights "
                'some do: leave class_weight at "auto", or set it to "balanced"'
            )
        weights = ["every sample weighed alike", "all classes weighed alike"]
    return no_signal(Cs, plan.cv if isinstance(plan.cv, int) else None, weights)


def _nothing(
    choice: Choice, problem: Problem, baseline: Penalised, plan: Plan, warning: str
) -> Analysis:
    """The empty answer."""
    baseline = replace(baseline, offsets=problem.predicting_offsets(baseline))
    nothing = Witness(np.zeros(0, dtype=np.intp), np.zeros(0), baseline.offsets)
    point = WeightRange(End(0.0, nothing), End(0.0, nothing), contains_zero=True)
    n_ranges = len(baseline.weights) // problem.model.n_scores
    found = Relevances(ranges=(point,) * n_ranges, probes=ProbeReaches())
    empty = Analysis(choice, problem, baseline, (0.0, 0.0), None, found, plan, baseline)
    for message in (left_out(choice), moved(choice, baseline, plan), warning):
        empty = empty if message is None else empty.warning_that(message)
    return empty
