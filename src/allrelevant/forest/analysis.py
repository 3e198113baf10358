"""One analysis from the table to the classes, step by step."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from allrelevant.backends import run
from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import WEAK
from allrelevant.forest import alone
from allrelevant.forest.closure import with_components
from allrelevant.forest.clusters import clusters, rank_correlations
from allrelevant.forest.contest import View, contest
from allrelevant.forest.groups import Group, groups
from allrelevant.forest.learners import Learner, LightGBM, Linear, has_lightgbm, learner
from allrelevant.forest.needed import Candidates, ForestFold, Judge, by_row, needs
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.swaps import means_and_p_values

logger = logging.getLogger(__name__)
_FOLDS, _REPEATS = 5, 3
_BETTER = 0.025  # p-value below which another learner replaces the trees


@dataclass(frozen=True)
class ForestPlan:
    """What was asked for."""

    estimator: Any
    alpha: float
    alpha_strong: float
    redundancy: float
    max_blocks: int
    n_jobs: int | None


@dataclass(frozen=True, eq=False)
class Findings:
    """What an analysis has found, in the order of the table's columns.

    Importances are rises of the held-out loss, as shares of the loss of a constant prediction.
    """

    classes: Ints
    tentative: Mask
    needed: Floats
    usable: Floats
    importances: Floats
    p_values: Floats
    p_values_strong: Floats
    r2: Floats
    threshold: float
    shadows: Floats
    groups: list[Group]
    learner: Learner | None
    learner_name: str
    loss: float
    n_fits: int


def analyse(
    table: Table, plan: ForestPlan, seeds: np.random.RandomState, progress: Progress
) -> Findings:
    """Find the relevant features and tell strong from weak ones."""
    unit = table.task.constant_loss(table.target, table.weight)
    chosen, name, losses, n_fits = _choose(table, plan, seeds, progress)
    loss = float(np.average(losses, weights=table.weight))
    correlation = rank_correlations(table.X, table.categorical)
    cluster = clusters(correlation, plan.redundancy)
    views = _views(chosen, cluster)
    share = len(views) / (len(views) + 1)  # of the level; the rest is for features alone
    found = contest(
        table, cluster, views, plan.alpha * share, plan.max_blocks, seeds, plan.n_jobs, progress
    )
    gain_alone, p_alone = alone.gains(table, seeds)
    p_alone = np.minimum(p_alone * (len(views) + 1), 1.0)
    n_tested = int(cluster.max()) + 1
    tells = p_alone < plan.alpha / n_tested
    relevant = with_components(table, found.confirmed) | tells
    usable = np.fmax.reduce(found.importances, axis=0)
    usable = np.where(found.confirmed, usable, np.fmax(usable, gain_alone))
    d = table.n_features
    classes = np.zeros(d, dtype=int)
    needed, p_strong, r2 = np.zeros(d), np.full(d, np.nan), np.full(d, np.nan)
    substitutes: list[Group] = []
    n_fits += found.n_fits
    if relevant.any():
        which = np.flatnonzero(relevant)
        learned = _beats_constant(table, losses)[1] < plan.alpha / 2
        doubtful = max(1, int((found.confirmed & ~found.sure & ~tells).sum()))
        candidates = Candidates(
            table.columns(which),
            usable[which],
            unit - loss,
            found.sure[which],
            tells[which],
            doubtful if learned else n_tested,
        )
        told = needs(candidates, chosen, plan.alpha_strong, seeds, plan.n_jobs, progress)
        classes[which] = told.classes
        needed[which], p_strong[which], r2[which] = told.rise, told.p_values, told.r2
        n_fits += told.n_fits
        if classes.any() and not learned:
            p_value = _p_value(table, classes, chosen, seeds)
            n_fits += _FOLDS * _REPEATS
            if p_value * n_tested >= plan.alpha:
                classes[~tells] = 0  # those that tell something beat the constant by themselves
        substitutes = _substitutes(table, classes, plan.redundancy, chosen, seeds)
    needed = np.maximum(needed, 0.0)
    return Findings(
        classes=classes,
        tentative=(found.tentative | relevant) & (classes == 0),
        needed=needed / unit,
        usable=np.maximum(np.maximum(usable, needed), 0.0) / unit,
        importances=np.nan_to_num(found.importances[0]) / unit,
        p_values=np.minimum(np.minimum(found.p_values / share, p_alone), 1.0),
        p_values_strong=p_strong,
        r2=r2,
        threshold=float(np.min(found.thresholds)) / unit,
        shadows=found.shadows[:, 0] / unit,
        groups=[Group(g.features, g.rise / unit, g.p_value) for g in substitutes],
        learner=chosen,
        learner_name=name,
        loss=loss / unit,
        n_fits=n_fits,
    )


def nothing_found(table: Table) -> Findings:
    """The empty answer, where there is nothing to learn."""
    d = table.n_features
    none, unknown = np.zeros(d), np.full(d, np.nan)
    return Findings(
        classes=none.astype(int),
        tentative=none.astype(bool),
        needed=none,
        usable=none,
        importances=none,
        p_values=np.ones(d),
        p_values_strong=unknown,
        r2=unknown,
        threshold=0.0,
        shadows=np.zeros(0),
        groups=[],
        learner=None,
        learner_name="none",
        loss=1.0,
        n_fits=0,
    )


def _views(chosen: Learner, cluster: Ints) -> tuple[View, ...]:
    copies = len(cluster) > cluster.max() + 1
    choices = ("all", "representatives", "half") if copies else ("all", "half")
    return tuple(View(chosen, choice) for choice in choices)


def _choose(
    table: Table, plan: ForestPlan, seeds: np.random.RandomState, progress: Progress
) -> tuple[Learner, str, Floats, int]:
    """The learner, its name, its cross-validated losses and the number of fits it took."""
    candidates = {"trees": learner(plan.estimator, table.task)}
    if isinstance(plan.estimator, str) and plan.estimator == "auto":
        candidates["linear"] = Linear()
        if has_lightgbm():
            candidates["linear and trees"] = LightGBM(on_linear=True)
    elif isinstance(plan.estimator, str):
        candidates = {plan.estimator: candidates["trees"]}
    else:
        candidates = {type(plan.estimator).__name__: candidates["trees"]}
    seed = int(seeds.randint(2**31 - 1))
    parts = [ForestFold(learn, judge, seed) for learn, judge in folds(table, _FOLDS, seed)]
    progress.stage("choice of the learner", len(parts) * len(candidates))
    losses = {}
    for name, candidate in candidates.items():
        found = run(partial(Judge, table, candidate), parts, plan.n_jobs, progress.advance)
        losses[name] = by_row(table, parts, [loss[None] for loss in found])[0]
    best = next(iter(candidates))
    constant = _constant_losses(table)
    for name, loss in losses.items():
        # Where nothing can be learned, trees lose most by trying: that is no sign of a line.
        gains = np.stack([losses[best] - loss, constant - loss])
        _, p_values = means_and_p_values(gains, table.weight)
        if name != best and (p_values < _BETTER).all():
            best = name
    logger.info("learner: %s", best)
    return candidates[best], best, losses[best], len(parts) * len(candidates)


def _beats_constant(table: Table, losses: Floats) -> tuple[float, float]:
    """By how much losses are smaller than those of a constant prediction, and the p-value."""
    gain, p_value = means_and_p_values((_constant_losses(table) - losses)[None], table.weight)
    return float(gain[0]), float(p_value[0])


def _p_value(table: Table, classes: Ints, chosen: Learner, seeds: np.random.RandomState) -> float:
    """How likely a constant prediction is as good as the features that were found.

    The best of many columns of noise goes with the target by chance, in every split of the same
    sample. Where all features together, of which none was picked, do not predict the target,
    those that were picked have to do so at a level for the best of all.
    """
    inner = table.columns(np.flatnonzero(classes))
    judge = Judge(inner, chosen)
    parts = []
    for _ in range(_REPEATS):
        seed = int(seeds.randint(2**31 - 1))
        parts += [ForestFold(learn, judge, seed) for learn, judge in folds(inner, _FOLDS, seed)]
    losses = by_row(inner, parts, [judge(part)[None] for part in parts])[0]
    gain, p_value = _beats_constant(inner, losses)
    logger.info("the features found gain %g over a constant, p-value %g", gain, p_value)
    return p_value


def _constant_losses(table: Table) -> Floats:
    row = table.task.constant(table.target, table.weight)
    return table.task.losses(np.repeat(row, table.n_samples, axis=0), table.target)


def _substitutes(
    table: Table, classes: Ints, redundancy: float, chosen: Learner, seeds: np.random.RandomState
) -> list[Group]:
    which = np.flatnonzero(classes)
    inner = table.columns(which)
    seed = int(seeds.randint(2**31 - 1))
    found = groups(inner, classes[which] == WEAK, redundancy, chosen, seed)
    return [
        Group(tuple(int(which[k]) for k in group.features), group.rise, group.p_value)
        for group in found
    ]
