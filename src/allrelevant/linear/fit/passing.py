"""Which features can have a relevance above a level: without noise, and with few programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Mask
from allrelevant.base.features import Features
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.analyse import baseline_near
from allrelevant.linear.fit.baseline.best import opened_set
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.baseline.search import search
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.ranges.range_worker import Passing
from allrelevant.linear.fit.ranges.relevance import RelevanceTask
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel


@dataclass(frozen=True, eq=False)
class Passed:
    """Which features can have more than a share of a model, and what it took to know.

    `is_open` says that the baseline uses no feature, so that nothing can be said of any.
    """

    features: Mask
    is_open: bool
    solved: int = 0
    skipped: int = 0


def features_that_pass(
    variants: Sequence[LinearModel],
    sample: Sample,
    plan: Plan,
    features: Features,
    threshold: float,
    progress: Progress,
) -> Passed:
    """Which features all equivalent models need, or some of them use beyond a threshold.

    A feature of several columns may pass where one of them has its part of the threshold: where
    none has, their sum is below it in every model.
    """
    choice = search(variants, sample, plan, progress)
    problem = problem_of(choice.model, sample)
    baseline = baseline_near(problem, choice, plan)
    if baseline.norm <= 0:
        return Passed(np.ones(len(features), dtype=bool), is_open=True)
    opened = opened_set(problem, baseline, plan)
    level = threshold * opened.standing.baseline.norm
    shares = 1.0 / np.array([len(own) for own in features.places])
    # Several columns can be needed together and each by itself not: what is used of them passes.
    passed = features.largest(problem.by_feature(opened.standing.baseline.weights) != 0)
    passed &= shares < 1.0
    columns = opened.models.in_order(np.flatnonzero(~passed[features.owner]).tolist())
    tasks = [Passing(k, level * shares[features.owner[k]]) for k in columns]
    progress.stage("features", len(tasks))
    task = RelevanceTask(
        opened.models, problem, features.columns, n_jobs=plan.n_jobs, advance=progress.advance
    )
    answers = task.run(tasks)
    for one, answer in zip(tasks, answers, strict=True):
        passed[features.owner[one.feature]] |= answer.outcome
    solved = sum(answer.solved for answer in answers)
    return Passed(passed, False, solved, sum(answer.skipped for answer in answers))
