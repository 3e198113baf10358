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
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.best import opened_set
from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.baseline.search import search
from allrelevant.linear.fit.cautions import NOT_USED, left_out, moved, no_signal, with_cautions
from allrelevant.linear.fit.enough_probes import first_relevances, told_from_noise
from allrelevant.linear.fit.find_several import with_privileged_several
from allrelevant.linear.fit.privileged import (
    USELESS,
    WORSE,
    are_informative,
    as_useless,
    tell_anything,
)
from allrelevant.linear.fit.problem.problem import PrivilegedProblem, Problem, problem_of
from allrelevant.linear.fit.ranges.relevance import ProbeReaches, Relevances, RelevanceTask
from allrelevant.linear.fit.rows.sample import Sample
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
    names : sequence of str
        Names of all features, those known in training only at the end.
    random : RandomState
        For the probes.
    balanced : Sample, optional
        The same sample where classes weigh the same, to be tried where nothing is found.
    privileged : Features
        Those known in training only.
    """

    def without_privileged(random: np.random.RandomState) -> Analysis:
        warn_user(USELESS)
        plain = analyse(variants, sample.plain(), plan, names, random, progress)
        return as_useless(privileged, plain)

    choice = search(variants, sample, plan, progress)
    problem = problem_of(choice.model, sample)
    baseline = baseline_near(problem, choice, plan)
    if isinstance(problem, PrivilegedProblem) and not are_informative(problem, baseline):
        return without_privileged(random)
    if baseline.norm <= 0:
        warning = _nothing_learnable(variants, sample, balanced, plan, progress)
        return _nothing(choice, problem, baseline, plan, warning)

    opened = opened_set(problem, baseline, plan)
    standing, models = opened.standing, opened.models
    d = problem.n_features
    of_engine = [*names[:d], *list(names[d:]) * problem.n_functions]
    task = RelevanceTask(
        models,
        problem,
        names=of_engine,
        replace_probes=plan.probes == "replace",
        n_jobs=plan.n_jobs,
        advance=progress.advance,
    )
    random_before = deepcopy(random)
    analysis = Analysis(
        choice,
        problem,
        standing.baseline,
        opened.room.pair,
        models,
        first_relevances(task, plan, random, progress),
        plan,
        standing.reference,
        standing.least_loss,
    )
    analysis = told_from_noise(analysis, task, progress)
    if problem.n_privileged:
        analysis = with_privileged_several(
            privileged, analysis, of_engine, random=random, progress=progress
        )
        if not tell_anything(analysis, privileged):
            return without_privileged(random_before)
    analysis = replace(analysis, models=problem.present(models))
    # Only now: what is said of an answer that is thrown away would be said twice.
    analysis = with_cautions(analysis, names)
    return _compared_with_plain(analysis, variants, progress)


def baseline_near(problem: Problem, choice: Choice, plan: Plan) -> Penalised:
    """The reference model at the chosen C, or near it where none can be proven to be the best.

    A C that was asked for stays.
    """
    for factor in _NEARBY if plan.C is None else ():
        with suppress(SolverError):
            return plan.baseline.fit(problem, factor * choice.C, choice.gamma, chosen=True)
    return plan.baseline.fit(problem, choice.C, choice.gamma, chosen=plan.C is None)


def _compared_with_plain(
    analysis: Analysis, variants: Sequence[LinearModel], progress: Progress
) -> Analysis:
    """The analysis, with a warning where privileged features make the predictions worse.

    That happens where they explain a number's error so well that little is left to predict.
    """
    choice, problem = analysis.choice, analysis.problem
    if not problem.n_privileged or choice.model.task != "regression":
        return analysis
    plain = search(variants, problem.sample.plain(), analysis.plan, progress)
    if choice.score >= plain.score - plain.score_error():
        return analysis
    return analysis.warning_that(WORSE.format(choice.score, plain.score))


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
    n_ranges = len(baseline.weights) // problem.model.n_scores
    ranges = (WeightRange.of_nothing(baseline.offsets),) * n_ranges
    found = Relevances(ranges, probes=ProbeReaches())
    empty = Analysis(choice, problem, baseline, (0.0, 0.0), None, found, plan, baseline)
    return empty.warning_that(left_out(choice), moved(choice, baseline, plan), warning)
