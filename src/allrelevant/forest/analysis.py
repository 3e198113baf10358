"""One analysis from the table to the classes, step by step."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.forest import alone
from allrelevant.forest.choice import FOLDS, choose, constant_losses
from allrelevant.forest.closure import mixes
from allrelevant.forest.clusters import clusters, rank_correlations
from allrelevant.forest.contest import View, contest
from allrelevant.forest.evidence import Evidence
from allrelevant.forest.groups import groups
from allrelevant.forest.models import Learner
from allrelevant.forest.needed import Candidates, ForestFold, Judge, by_row, needs
from allrelevant.forest.result import SubstituteGroup
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.score import Outcome
from allrelevant.forest.swaps import MeanRises, mean_rises
from allrelevant.forest.work import Work

logger = logging.getLogger(__name__)
_REPEATS = 3


@dataclass(frozen=True)
class ForestPlan:
    """What was asked for."""

    estimator: Any
    alpha: float
    alpha_strong: float
    redundancy: float
    max_blocks: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """What an analysis has found, in the order of the table's columns.

    Intervals, thresholds, losses and importances are rises of the held-out loss, in units of the
    loss of a constant prediction; see `Evidence`. The thesis's algorithm has another forest, whose
    importances are compared with what noise has, for its minimal set.
    """

    classes: Ints
    tentative: Mask
    intervals: Floats
    noise: Floats
    losses: Floats
    importances: Floats
    p_values: Floats
    p_values_strong: Floats
    r2: Floats
    shadows: Floats
    groups: list[SubstituteGroup]
    learner: Learner | None
    learner_name: str
    loss: float
    n_fits: int
    minimal: Floats = field(default_factory=lambda: np.zeros(0))
    minimal_bounds: Floats = field(default_factory=lambda: np.zeros(0))


def analyse(table: Table, work: Work, plan: ForestPlan) -> Findings:
    """Find the relevant features and tell strong from weak ones."""
    chosen, name, losses, n_fits = choose(table, plan.estimator, work)
    relevance = _relevance(table, plan, chosen, work)
    verdict = _verdict(table, plan, chosen, losses, relevance, work)
    classes, evidence = verdict.classes, verdict.evidence
    unit = table.task.constant_loss(table.target, table.weight)
    found = relevance.contest
    return Findings(
        classes=classes,
        tentative=(found.tentative | relevance.mask) & (classes == 0),
        intervals=evidence.intervals(classes) / unit,
        noise=np.fmax(evidence.noise, 0.0) / unit,
        losses=evidence.losses / unit,
        importances=np.nan_to_num(found.importances[0]) / unit,
        p_values=relevance.p_values,
        p_values_strong=verdict.p_values,
        r2=verdict.r2,
        shadows=found.shadows / unit,
        groups=[replace(g, importance=g.importance / unit) for g in verdict.groups],
        learner=chosen,
        learner_name=name,
        loss=float(np.average(losses, weights=table.weight)) / unit,
        n_fits=n_fits + found.n_fits + verdict.n_fits,
    )


def nothing_found(table: Table) -> Findings:
    """The empty answer, where there is nothing to learn."""
    d = table.n_features
    none, unknown = np.zeros(d), np.full(d, np.nan)
    return Findings(
        classes=none.astype(int),
        tentative=none.astype(bool),
        intervals=np.zeros((d, 2)),
        noise=none,
        losses=np.full((d, 2), np.nan),
        importances=none,
        p_values=np.ones(d),
        p_values_strong=unknown,
        r2=unknown,
        shadows=np.zeros(0),
        groups=[],
        learner=None,
        learner_name="none",
        loss=1.0,
        n_fits=0,
    )


@dataclass(frozen=True, eq=False)
class _Relevance:
    """Which features are relevant so far, and why."""

    mask: Mask
    tells: Mask  # something about the target by itself
    contest: Outcome
    p_values: Floats
    usable: Floats  # what each brings where its substitutes are absent
    evidence: Evidence
    n_tested: int


def _relevance(table: Table, plan: ForestPlan, chosen: Learner, work: Work) -> _Relevance:
    """Features that beat shadows, those that tell something alone, and parts of either."""
    cluster = clusters(rank_correlations(table.X, table.categorical), plan.redundancy)
    n_tested = int(cluster.max()) + 1
    views = _views(chosen, cluster)
    n_tests = len(views) + 1  # of every feature; the last one is that of the feature alone
    share = len(views) / n_tests
    found = contest(table, cluster, views, plan.alpha * share, plan.max_blocks, work)
    by_itself = alone.gains(table, work)
    p_alone = np.minimum(by_itself.p_values * n_tests, 1.0)
    tells = p_alone < plan.alpha / n_tested
    evidence = Evidence.of_tests(
        np.vstack([found.importances, by_itself.mean]),
        np.vstack([found.limits, by_itself.limits(plan.alpha / n_tested / n_tests)]),
    )
    mix = mixes(table, found.confirmed, evidence.most)
    parts = np.flatnonzero((mix >= 0) & ~tells)
    brought = np.fmax.reduce(found.importances, axis=0)
    return _Relevance(
        mask=found.confirmed | tells | (mix >= 0),
        tells=tells,
        contest=found,
        p_values=np.minimum(np.minimum(found.p_values / share, p_alone), 1.0),
        usable=np.where(found.confirmed, brought, np.fmax(brought, by_itself.mean)),
        # A part can bring what the whole brings, which it takes the place of.
        evidence=evidence.replaced(parts, evidence.most[mix[parts]], evidence.noise[mix[parts]]),
        n_tested=n_tested,
    )


@dataclass(frozen=True, eq=False)
class _Verdict:
    """The classes of all features, and what is known of the relevant ones."""

    classes: Ints
    evidence: Evidence
    p_values: Floats
    r2: Floats
    groups: list[SubstituteGroup]
    n_fits: int


def _verdict(
    table: Table,
    plan: ForestPlan,
    chosen: Learner,
    losses: Floats,
    relevance: _Relevance,
    work: Work,
) -> _Verdict:
    """Tell strong from weak features, and take back what was found by chance."""
    d = table.n_features
    classes, p_values, r2 = np.zeros(d, dtype=int), np.full(d, np.nan), np.full(d, np.nan)
    which = np.flatnonzero(relevance.mask)
    if not len(which):
        return _Verdict(classes, relevance.evidence, p_values, r2, [], 0)
    gain = _gain(table, losses)
    learned = bool(gain.p_values[0] < plan.alpha / 2)
    found, tells = relevance.contest, relevance.tells
    doubtful = max(1, int((found.confirmed & ~found.sure & ~tells).sum()))
    candidates = Candidates(
        table.columns(which),
        relevance.usable[which],
        table.task.constant_loss(table.target, table.weight)
        - float(np.average(losses, weights=table.weight)),
        found.sure[which],
        tells[which],
        doubtful if learned else relevance.n_tested,
    )
    told = needs(candidates, chosen, plan.alpha_strong, work)
    classes[which], p_values[which], r2[which] = told.classes, told.p_values, told.r2
    evidence = relevance.evidence.judged(which, told)
    n_fits = told.n_fits
    if classes.any() and not learned:
        gain = _gain_of(table, classes, chosen, work)
        n_fits += FOLDS * _REPEATS
        if gain.p_values[0] * relevance.n_tested >= plan.alpha:
            # Those that tell something beat the constant by themselves.
            back = (classes > 0) & ~tells
            most = np.minimum(evidence.most[back], gain.mean)
            evidence = evidence.replaced(back, most, gain.limits(plan.alpha / relevance.n_tested))
            classes[back] = 0
    substitutes = groups(table, classes, plan.redundancy, chosen, work.seed())
    return _Verdict(classes, evidence, p_values, r2, substitutes, n_fits)


def _views(chosen: Learner, cluster: Ints) -> tuple[View, ...]:
    copies = len(cluster) > cluster.max() + 1
    choices = ("all", "representatives", "half") if copies else ("all", "half")
    return tuple(View(chosen, choice) for choice in choices)


def _gain(table: Table, losses: Floats) -> MeanRises:
    """By how much losses are smaller than those of a constant prediction."""
    return mean_rises((constant_losses(table) - losses)[None], table.weight)


def _gain_of(table: Table, classes: Ints, chosen: Learner, work: Work) -> MeanRises:
    """What the features found gain over a constant prediction, cross-validated.

    The best of many columns of noise goes with the target by chance, in every split of the same
    sample. Where all features together, of which none was picked, do not predict the target,
    those that were picked have to do so at a level for the best of all.
    """
    inner = table.columns(np.flatnonzero(classes))
    judge = Judge(inner, chosen)
    parts = []
    for _ in range(_REPEATS):
        seed = work.seed()
        parts += [ForestFold(learn, judge, seed) for learn, judge in folds(inner, FOLDS, seed)]
    gain = _gain(inner, by_row(inner, parts, [judge(part)[None] for part in parts])[0])
    logger.info("the features found gain %g, p-value %g", gain.mean[0], gain.p_values[0])
    return gain
