"""One fit, from data to answer: baseline, equivalent models, ranges, probes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from operator import methodcaller
from typing import Any, Literal

import numpy as np

from allrelevant import backends
from allrelevant.baseline import (
    GAMMAS,
    Choice,
    FoldPath,
    Trial,
    candidates,
    choose,
    choose_privileged,
    fit_baseline,
    folds,
    grid,
)
from allrelevant.classes import classify
from allrelevant.engine.equivalent import Budget, EquivalentModels
from allrelevant.engine.penalised import Penalised, PenalisedPath
from allrelevant.engine.pieces import Floats
from allrelevant.engine.ranges import End, WeightRange, Witness
from allrelevant.errors import warn_user
from allrelevant.models import LinearModel
from allrelevant.privileged import USELESS, WORSE, are_informative
from allrelevant.probes import draw_probes, thresholds
from allrelevant.problem import PrivilegedProblem, Problem, problem_of
from allrelevant.progress import Progress
from allrelevant.relevance import Relevances, find_relevances
from allrelevant.sample import Sample
from allrelevant.tolerance import Tolerance, make_budgets, resolve_tolerance

logger = logging.getLogger(__name__)

_NO_SIGNAL = (
    "no learnable signal: the model without any feature does as well as the others, so every "
    "feature is irrelevant"
)


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
    gamma: float | None = None


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a fit has found. Intervals are shares of the baseline's norm.

    Those of privileged features are shares of the norm of their own weights, summed over the
    functions of them.
    """

    choice: Choice
    problem: Problem
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

    @property
    def privileged_intervals(self) -> Floats:
        """Smallest and largest relevance of each privileged feature.

        It has a weight in every function; what counts is the function that needs it most, and the
        one that can make most of it.
        """
        bounds = [[r.relevance for r in ranges] for ranges in self.found.privileged]
        largest = np.array([np.max(b, axis=0) for b in bounds]).reshape(-1, 2)
        return largest / (self.baseline.side_norm or 1.0)

    @property
    def privileged_probes(self) -> Floats:
        """Smallest and largest relevance of each usable probe among the privileged features."""
        return self.found.privileged_probes / (self.baseline.side_norm or 1.0)

    @property
    def privileged_thresholds(self) -> Floats:
        """What noise among the privileged features reaches."""
        return thresholds(self.privileged_probes, self.confidence)

    @property
    def privileged_classes(self) -> np.ndarray:
        """Which privileged features are relevant, weakly or strongly."""
        return classify(self.privileged_intervals, self.privileged_thresholds)

    def quality(self) -> dict[str, Any]:
        """The baseline in numbers."""
        numbers = {
            "score": self.choice.score,
            "score_error": self.choice.score_error,
            "score_name": self.choice.model.score_name,
            "C": self.baseline.C,
            "n_used": int(np.count_nonzero(self.baseline.weights[: self.problem.n_features])),
            "norm": self.baseline.norm,
            "loss": self.baseline.loss,
            "tolerance_norm": self.tolerance[0],
            "tolerance_loss": self.tolerance[1],
        }
        if self.problem.n_privileged:
            numbers["gamma"] = self.baseline.side_price
            numbers["privileged_norm"] = self.baseline.side_norm
        return numbers


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
    problem = problem_of(choice.model, sample)
    baseline = fit_baseline(problem, choice.C, choice.gamma)
    if isinstance(problem, PrivilegedProblem) and not are_informative(problem, baseline):
        return _without_privileged(variants, sample, plan, names, random, progress)
    if baseline.norm <= 0:
        return _nothing_learnable(choice, problem, baseline, plan)
    room = resolve_tolerance(plan.tolerance, problem, baseline)
    logger.info(
        "baseline: C=%.4g, norm %.4g, loss %.4g; tolerance %s",
        baseline.C,
        baseline.norm,
        baseline.loss,
        room.pair,
    )
    budgets = make_budgets(plan.budget, baseline, room, privileged=problem.n_privileged > 0)
    models = equivalent_models(problem, baseline, budgets)
    random_before = deepcopy(random)
    probes = draw_probes(plan.n_probes, problem.n_features, random)
    if problem.n_privileged:
        probes += draw_probes(plan.n_probes, problem.n_privileged, random, is_privileged=True)
    n_ranges = problem.n_features + problem.n_privileged * problem.n_functions
    progress.stage("relevance intervals", n_ranges + len(probes))
    found = find_relevances(
        models,
        problem,
        probes,
        names=[
            *names[: problem.n_features],
            *list(names[problem.n_features :]) * problem.n_functions,
        ],
        replace_probes=plan.probes == "replace",
        n_jobs=plan.n_jobs,
        advance=progress.advance,
    )
    analysis = Analysis(choice, problem, baseline, room.pair, models, found, plan.confidence)
    if not problem.n_privileged:
        return analysis
    if not analysis.privileged_classes.any():
        return _without_privileged(variants, sample, plan, names, random_before, progress)
    return _with_caution(analysis, variants, plan, progress)


def _with_caution(
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
    warning = WORSE.format(choice.score, plain.score)
    warn_user(warning)
    return replace(
        analysis, found=replace(analysis.found, warnings=[*analysis.found.warnings, warning])
    )


def _without_privileged(
    variants: Sequence[LinearModel],
    sample: Sample,
    plan: Plan,
    names: Sequence[str],
    random: np.random.RandomState,
    progress: Progress,
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
    return replace(plain, found=found)


def search(
    variants: Sequence[LinearModel], sample: Sample, plan: Plan, progress: Progress
) -> Choice:
    """Choose C (γ, and the variant) by cross-validation, or score them where they are given."""
    if sample.privileged is None:
        trials = [Trial(model, sample, _grid(model, sample, plan)) for model in variants]
        return choose([choice for found in _try(trials, plan, progress) for choice in found])
    gammas = GAMMAS if plan.gamma is None else (plan.gamma,)
    constant = sample.without_columns()
    best: list[Choice] = []
    for model in variants:
        Cs = _grid(model, sample, plan)
        trials = [Trial(model, constant, Cs)]
        trials += [Trial(model, sample, Cs, gamma) for gamma in gammas]
        without, *found = _try(trials, plan, progress)
        losses = {choice.C: choice.loss for choice in without}
        usable = [choice for part in found for choice in part if choice.C in losses]
        best.append(choose_privileged(usable, losses))
    return choose(best)


def _grid(model: LinearModel, sample: Sample, plan: Plan) -> Floats:
    return grid(model, sample) if plan.C is None else np.array([plan.C])


def _try(trials: Sequence[Trial], plan: Plan, progress: Progress) -> list[list[Choice]]:
    """Cross-validate: the candidates of each trial, on the same folds."""
    tests = folds(trials[0].model, trials[0].sample)
    paths = [FoldPath(trial, test) for trial in trials for test in tests]
    progress.stage("cross-validation", len(paths))
    outcomes = backends.run(partial(methodcaller, "run"), paths, plan.n_jobs, progress.advance)
    n = len(tests)
    return [
        candidates(trial, tests, outcomes[k * n : (k + 1) * n]) for k, trial in enumerate(trials)
    ]


def equivalent_models(
    problem: Problem, baseline: Penalised, budgets: tuple[Budget, ...]
) -> EquivalentModels:
    """The models within the budgets, with what bounds their norm where the budgets do not."""
    X, pieces, kinds = problem.matrix, problem.pieces, problem.kinds
    steeper = None
    if len(budgets) == 1 and kinds is None:
        path = PenalisedPath(X, pieces, start=baseline)
        steeper = path.solve(2.0 * baseline.C).as_reference()
    return EquivalentModels(X, pieces, budgets, baseline.as_reference(), steeper, kinds)


def _nothing_learnable(
    choice: Choice, problem: Problem, baseline: Penalised, plan: Plan
) -> Analysis:
    """The empty answer: the best model uses no feature."""
    warn_user(_NO_SIGNAL)
    nothing = Witness(np.zeros(0, dtype=np.intp), np.zeros(0), baseline.offsets)
    point = WeightRange(End(0.0, nothing), End(0.0, nothing), contains_zero=True)
    found = Relevances(
        ranges=(point,) * len(baseline.weights),
        probes=np.zeros((0, 2)),
        warnings=[_NO_SIGNAL],
    )
    return Analysis(choice, problem, baseline, (0.0, 0.0), None, found, plan.confidence)
