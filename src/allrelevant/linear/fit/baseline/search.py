"""The choice of C, of γ and of the variant of a model, by cross-validation."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.progress import Progress
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.fit.baseline.c_values import GAMMAS, is_wide, most_features
from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.baseline.choosing import (
    Criterion,
    best_variant,
    choose_privileged,
    one_loss_is_enough,
)
from allrelevant.linear.fit.baseline.crossvalidation import Trial, cross_validate, most_tasks
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.rows.folds import deals_for, make_splits
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel

logger = logging.getLogger(__name__)
_RARE = 3  # a class of fewer samples joins another while C is sought
MANY_ROWS = 50_000  # observations; where there are more, C is sought on some of them
_SOME_ROWS = 20_000


def search(
    variants: Sequence[LinearModel], sample: Sample, plan: Plan, progress: Progress
) -> Choice:
    """Choose C (γ, and the variant), or score them where they are given.

    Rare classes are merged meanwhile: what a fold says of a class that it has hardly seen is
    chance. The choice that is given back has been tried with all classes. Scorers that were given
    know no merged classes, so where one decides all are kept.

    Where there are very many rows C is chosen on some of them, so that C times their weight is that
    of all: folds of all rows would take most of the time.
    """
    few = some_rows(sample, variants[0].has_classes) if _may_sample(sample, plan) else sample
    if few is sample and sample.outside is None:
        return _search(variants, sample, plan, progress)
    logger.info("C is chosen or tried on %d of %d rows", len(few), len(sample))
    factor = float(few.weight.sum() / sample.whole_weight)
    own = plan if plan.C is None else replace(plan, C=plan.C / factor)
    found = _search(variants, few, own, progress)
    C = found.C * factor if plan.C is None else plan.C
    left_out = tuple(value * factor for value in found.left_out)
    return replace(found, C=C, left_out=left_out, n_rows=len(few))


def _may_sample(sample: Sample, plan: Plan) -> bool:
    """Whether nothing that was given speaks of all rows."""
    is_free = isinstance(plan.cv, int) and not callable(plan.scoring)
    return is_free and plan.baseline.is_best and sample.privileged is None


def some_rows(sample: Sample, has_classes: bool) -> Sample:
    """Rows to choose C on: all, or of very many some.

    All rows of a group, or none; all rows of a class that would be missing. Rows have an order that
    depends on the data alone, and so do those that are chosen.
    """
    many = MANY_ROWS if sample.outside is None else 0  # of all rows, which these are some of
    if float(sample.numbers.sum()) <= many or len(sample) <= _SOME_ROWS:
        return sample
    n_units = len(sample) if sample.group is None else sample.n_groups
    unit = np.arange(n_units) if sample.group is None else sample.group
    chosen = np.zeros(n_units, dtype=bool)
    n_chosen = max(n_units * _SOME_ROWS // len(sample), 2)
    chosen[np.random.default_rng(n_units).permutation(n_units)[:n_chosen]] = True
    if has_classes:
        chosen[unit[~np.isin(sample.target, sample.target[chosen[unit]])]] = True
    rows = np.flatnonzero(chosen[unit])
    few = sample.take(rows)
    if few.group is None:
        return few
    return replace(few, group=np.unique(few.group, return_inverse=True)[1].ravel())


def _search(
    variants: Sequence[LinearModel], sample: Sample, plan: Plan, progress: Progress
) -> Choice:
    usual = [model for model in variants if model.loss_name == variants[0].loss_name]
    picked = [_pick(model, sample, plan, progress) for model in usual]
    if len(usual) < len(variants) and not one_loss_is_enough(picked, sample):
        others = [model for model in variants if model not in usual]
        picked += [_pick(model, sample, plan, progress) for model in others]
    choice = best_variant(picked, coarsest=is_wide(sample))
    model = variants[picked.index(choice)]
    if model == choice.model:
        return choice
    kind, chosen = plan.baseline, plan.C is None
    only = Trial(model, sample, np.array([choice.C]), choice.gamma, kind=kind, chosen=chosen)
    ((tried,),) = _try([only], plan, progress)
    return tried


def without_rare(model: LinearModel, sample: Sample, plan: Plan) -> tuple[LinearModel, Floats]:
    """The model and the target that C is sought with: those where rare classes are merged."""
    if plan.C is None and not callable(plan.scoring):
        return model.coarser(sample.target, sample.numbers, _RARE)
    return model, sample.target


def _pick(model: LinearModel, sample: Sample, plan: Plan, progress: Progress) -> Choice:
    """The candidate of one variant."""
    model, target = without_rare(model, sample, plan)
    sample = replace(sample, target=target)
    kind, chosen = plan.baseline, plan.C is None
    Cs = kind.grid(model, sample) if plan.C is None else np.array([plan.C])
    if sample.privileged is None:
        most = most_features(sample) if chosen and kind.is_best else np.inf
        trial = Trial(model, sample, Cs, most_features=most, kind=kind, chosen=chosen)
        (found,) = _try([trial], plan, progress)
        sparse = [choice for choice in found if choice.n_used <= most]
        return plan.criterion(model).choose(sparse or found[:1])
    return _pick_privileged(model, sample, Cs, plan, progress)


def _pick_privileged(
    model: LinearModel, sample: Sample, Cs: Floats, plan: Plan, progress: Progress
) -> Choice:
    gammas = GAMMAS if plan.gamma is None else (plan.gamma,)
    trials = [Trial(model, sample.without_columns(), Cs)]
    trials += [Trial(model, sample, Cs, gamma) for gamma in gammas]
    without, *found = _try(trials, plan, progress)
    losses = {choice.C: choice.loss for choice in without}
    usable = [choice for part in found for choice in part if choice.C in losses]
    if not usable:
        raise SolverError("no C could be found at which all folds have a model")
    return choose_privileged(usable, losses)


def _try(trials: Sequence[Trial], plan: Plan, progress: Progress) -> list[list[Choice]]:
    """Cross-validate: the candidates of each trial, on the same folds."""
    model, sample = trials[0].model, trials[0].sample
    criterion: Criterion = plan.criterion(model)
    is_plain = sample.privileged is None
    n_telling = round(model.n_telling(sample.target, sample.numbers))
    splits = make_splits(
        sample,
        plan.cv,
        has_classes=model.has_classes,
        has_order=model.has_order,
        n_deals=deals_for(n_telling) if is_plain and criterion.looks_at_scores else 1,
    )
    progress.stage("cross-validation", most_tasks(trials, splits))
    return cross_validate(
        trials,
        splits,
        level=criterion.level if is_plain and criterion.by_score else None,
        n_jobs=plan.n_jobs,
        advance=progress.advance,
    )
