"""The choice of the learner, by its losses on rows it has not seen."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.forest.learners import (
    FEW_TREES,
    LightGBM,
    boosted_trees,
    has_lightgbm,
    learner,
    random_forest,
)
from allrelevant.forest.linear import linear, linear_part, product_part, products
from allrelevant.forest.models import Learner
from allrelevant.forest.needed import ForestFold, Judge, by_row
from allrelevant.forest.sample import Table, folds
from allrelevant.forest.swaps import mean_rises
from allrelevant.forest.work import Work

logger = logging.getLogger(__name__)
FOLDS = 5
_BETTER = 0.025  # p-value below which another learner replaces the trees


def choose(table: Table, estimator: Any, work: Work) -> tuple[Learner, str, Floats, int]:
    """The learner, its name, its cross-validated losses and the number of fits it took."""
    candidates = {"trees": learner(estimator, table.task)}
    if isinstance(estimator, str) and estimator == "auto":
        candidates["few trees"] = boosted_trees(FEW_TREES)
        if has_lightgbm():
            candidates["forest"] = random_forest
        candidates["linear"] = linear
        if has_lightgbm():
            candidates["linear and trees"] = LightGBM(below=linear_part)
        candidates["products"] = products
        if has_lightgbm():
            candidates["products and trees"] = LightGBM(below=product_part)
    elif isinstance(estimator, str):
        candidates = {estimator: candidates["trees"]}
    else:
        candidates = {type(estimator).__name__: candidates["trees"]}
    seed = work.seed()
    parts = [ForestFold(learn, judge, seed) for learn, judge in folds(table, FOLDS, seed)]
    work.progress.stage("choice of the learner", len(parts) * len(candidates))
    # In one call, so that processes share all candidates' folds.
    make = partial(_Trials, table, tuple(candidates.values()))
    found = iter(work.run(make, [(k, part) for k in range(len(candidates)) for part in parts]))
    losses = {
        name: by_row(table, parts, [next(found)[None] for _ in parts])[0] for name in candidates
    }
    best = next(iter(candidates))
    constant = constant_losses(table)
    for name, loss in losses.items():
        # Where nothing can be learned, trees lose most by trying: that is no sign of a line.
        gains = np.stack([losses[best] - loss, constant - loss])
        if name != best and (mean_rises(gains, table.weight).p_values < _BETTER).all():
            best = name
    logger.info("learner: %s", best)
    return candidates[best], best, losses[best], len(parts) * len(candidates)


@dataclass(frozen=True, eq=False)
class _Trials:
    """Tries candidates on folds."""

    table: Table
    candidates: tuple[Learner, ...]

    def __call__(self, task: tuple[int, ForestFold]) -> Floats:
        """The losses of a candidate, by its number, on the judged rows of a fold."""
        number, part = task
        return Judge(self.table, self.candidates[number])(part)


def constant_losses(table: Table) -> Floats:
    """The losses of all rows where one prediction is made for them."""
    row = table.task.constant(table.target, table.weight)
    return table.task.losses(np.repeat(row, table.n_samples, axis=0), table.target)
