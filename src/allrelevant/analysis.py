"""One fit, from data to answer: baseline, equivalent models, ranges, probes."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from operator import methodcaller
from typing import Any, Literal

import numpy as np

from allrelevant import backends
from allrelevant.baseline import Choice, FoldPath, candidates, choose, fit_baseline, folds, grid
from allrelevant.engine.equivalent import Budget, EquivalentModels, joint_budget, split_budgets
from allrelevant.engine.penalised import Penalised, PenalisedPath
from allrelevant.engine.pieces import Floats
from allrelevant.engine.ranges import End, WeightRange, Witness
from allrelevant.models import LinearModel
from allrelevant.probes import draw_probes, thresholds
from allrelevant.progress import Progress
from allrelevant.relevance import Relevances, find_relevances
from allrelevant.sample import Sample

logger = logging.getLogger(__name__)

Tolerance = float | tuple[float, float] | Literal["auto"]
_LARGEST, _SMALLEST = 0.1, 0.001  # within which the automatic tolerance stays
_NO_SIGNAL = (
    "no learnable signal: the model without any feature does as well as the others, so every "
    "feature is irrelevant"
)
_FLOOR = 1e-3  # per sample: what the automatic tolerance takes a vanishing loss for


@dataclass(frozen=True)
class Plan:
    """Everything a fit has to know beside data and model."""

    C: float | None
    tolerance: Tolerance
    budget: Literal["split", "joint"]
    n_probes: int
    probes: Literal["append", "replace"]
    confidence: float
    n_jobs: int | None


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a fit has found. Intervals are shares of the baseline's norm."""

    choice: Choice
    baseline: Penalised
    tolerance: tuple[float, float]
    models: EquivalentModels | None
    found: Relevances
    confidence: float

    @property
    def norm(self) -> float:
        """The baseline's norm, of which relevances are shares; 1 where it uses no feature."""
        return self.baseline.norm or 1.0

    @property
    def intervals(self) -> Floats:
        """Smallest and largest relevance of each feature."""
        return np.array([r.relevance for r in self.found.ranges]).reshape(-1, 2) / self.norm

    @property
    def signed_intervals(self) -> Floats:
        """Smallest and largest weight of each feature."""
        ends = np.array([(r.low.value, r.high.value) for r in self.found.ranges])
        return ends.reshape(-1, 2) / self.norm

    @property
    def probes(self) -> Floats:
        """Smallest and largest relevance of each usable probe."""
        return self.found.probes / self.norm

    @property
    def thresholds(self) -> Floats:
        """What noise reaches: for the smallest and for the largest relevance."""
        return thresholds(self.probes, self.confidence)

    def quality(self) -> dict[str, Any]:
        """The baseline in numbers."""
        return {
            "score": self.choice.score,
            "score_error": self.choice.score_error,
            "score_name": self.choice.model.score_name,
            "C": self.baseline.C,
            "n_used": int(np.count_nonzero(self.baseline.weights)),
            "norm": self.baseline.norm,
            "loss": self.baseline.loss,
            "tolerance_norm": self.tolerance[0],
            "tolerance_loss": self.tolerance[1],
        }


def analyse(
    variants: Sequence[LinearModel],
    sample: Sample,
    plan: Plan,
    names: Sequence[str],
    random: np.random.RandomState,
    progress: Progress,
) -> Analysis:
    """Do a whole fit. `variants` are the models to choose from (differing in ε, say)."""
    choice = search(variants, sample, plan, progress)
    baseline = fit_baseline(choice.model, sample, choice.C)
    if baseline.norm <= 0:
        return _nothing_learnable(choice, baseline, plan)
    tolerance, floor = resolve_tolerance(plan.tolerance, choice.model, sample, baseline)
    logger.info(
        "baseline: C=%.4g, norm %.4g, loss %.4g; tolerance %s",
        baseline.C,
        baseline.norm,
        baseline.loss,
        tolerance,
    )
    budgets = make_budgets(plan.budget, baseline, tolerance, floor)
    models = equivalent_models(choice.model, sample, baseline, budgets)
    progress.stage("relevance intervals", models.n_features + plan.n_probes)
    found = find_relevances(
        models,
        draw_probes(plan.n_probes, models.n_features, random),
        names=names,
        count=sample.count,
        replace_probes=plan.probes == "replace",
        n_jobs=plan.n_jobs,
        advance=progress.advance,
    )
    return Analysis(choice, baseline, tolerance, models, found, plan.confidence)


def search(
    variants: Sequence[LinearModel], sample: Sample, plan: Plan, progress: Progress
) -> Choice:
    """Choose C (and the variant) by cross-validation, or just score them where they are given."""
    paths, grids = [], []
    tests = folds(variants[0], sample)
    for model in variants:
        Cs = grid(model, sample) if plan.C is None else np.array([plan.C])
        grids.append(Cs)
        paths += [FoldPath(model, sample, test, Cs) for test in tests]
    progress.stage("cross-validation", len(paths))
    outcomes = backends.run(partial(methodcaller, "run"), paths, plan.n_jobs, progress.advance)
    found: list[Choice] = []
    for k, (model, Cs) in enumerate(zip(variants, grids, strict=True)):
        part = outcomes[k * len(tests) : (k + 1) * len(tests)]
        found += candidates(model, sample, Cs, tests, part)
    return choose(found)


def resolve_tolerance(
    tolerance: Tolerance, model: LinearModel, sample: Sample, baseline: Penalised
) -> tuple[tuple[float, float], float]:
    """Relative room for norm and loss, and an absolute room for the loss.

    Automatic: one standard error of the baseline's loss, relative to it, within [0.001, 0.1].
    With more data fewer models are equivalent. A loss near zero has no standard error to speak of
    and gets the largest room, counted from a floor, so that separable data keep some.
    """
    if tolerance != "auto":
        pair = tolerance if isinstance(tolerance, tuple) else (tolerance, tolerance)
        return (float(pair[0]), float(pair[1])), 0.0
    pieces = model.pieces(sample.target, sample.weight)
    losses = pieces.loss_by_row(sample.X @ baseline.weights, baseline.offsets) / sample.count
    n = float(sample.count.sum())
    mean = float(sample.count @ losses) / n
    spread = float(np.sqrt(sample.count @ (losses - mean) ** 2 / n))
    relative = spread / np.sqrt(n) / mean if mean > 0 else np.inf
    size = float(np.clip(relative, _SMALLEST, _LARGEST))
    floor = size * _FLOOR * float(sample.weight.sum()) if relative > _LARGEST else 0.0
    return (size, size), floor


def make_budgets(
    kind: Literal["split", "joint"],
    baseline: Penalised,
    tolerance: tuple[float, float],
    floor: float,
) -> tuple[Budget, ...]:
    """The limits that equivalent models keep."""
    norm_limit = (1.0 + tolerance[0]) * baseline.norm
    loss_limit = (1.0 + tolerance[1]) * baseline.loss + floor
    if kind == "joint":
        return joint_budget(baseline.C, norm_limit + baseline.C * loss_limit)
    return split_budgets(norm_limit, loss_limit)


def equivalent_models(
    model: LinearModel, sample: Sample, baseline: Penalised, budgets: tuple[Budget, ...]
) -> EquivalentModels:
    """The models within the budgets, with what bounds their norm where the budgets do not."""
    pieces = model.pieces(sample.target, sample.weight)
    steeper = None
    if len(budgets) == 1:
        path = PenalisedPath(sample.X, pieces, start=baseline)
        steeper = path.solve(2.0 * baseline.C).as_reference()
    return EquivalentModels(sample.X, pieces, budgets, baseline.as_reference(), steeper)


def _nothing_learnable(choice: Choice, baseline: Penalised, plan: Plan) -> Analysis:
    """The empty answer: the best model uses no feature."""
    warnings.warn(_NO_SIGNAL, UserWarning, stacklevel=4)
    nothing = Witness(np.zeros(0, dtype=np.intp), np.zeros(0), baseline.offsets)
    point = WeightRange(End(0.0, nothing), End(0.0, nothing), contains_zero=True)
    found = Relevances(
        ranges=(point,) * len(baseline.weights),
        probes=np.zeros((0, 2)),
        warnings=[_NO_SIGNAL],
    )
    return Analysis(choice, baseline, (0.0, 0.0), None, found, plan.confidence)
