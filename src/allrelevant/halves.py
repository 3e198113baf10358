"""Half of the rows, fitted as all of them were: all that stability asks of the steps of a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from allrelevant.analysis import Analysis, Plan, equivalent_models
from allrelevant.classes import ACCURACY, IRRELEVANT, STRONG, WEAK
from allrelevant.engine.decide import RangeDecider
from allrelevant.engine.penalised import Penalised
from allrelevant.engine.pieces import Floats, Ints
from allrelevant.engine.ranges import RangeSolver
from allrelevant.probes import appended_relevance, draw_probes, replaced_relevance, thresholds
from allrelevant.problem import Problem, problem_of
from allrelevant.sample import Sample, Scaling
from allrelevant.stability.ask import Half
from allrelevant.tolerance import make_budgets, resolve_tolerance

_MOST_PROBES = 30  # of a half: they are most of its cost, and there are many halves
_FEWEST_USABLE = 10  # probes in the place of features; with fewer they stand beside them


class HalfWorker:
    """Fits one half after the other.

    Parameters
    ----------
    analysis : Analysis
        What the fit of all rows has found.
    plan : Plan
        What that fit was told.
    standardize : bool
        Whether columns are brought to one scale.
    """

    def __init__(self, analysis: Analysis, plan: Plan, standardize: bool) -> None:
        self._problem, self._baseline = analysis.problem, analysis.baseline
        self._plan, self._standardize = plan, standardize

    def __call__(self, half: Half) -> Ints:
        """Do one task."""
        return half_classes(self._problem, self._baseline, self._plan, half, self._standardize)


def half_classes(
    problem: Problem, baseline: Penalised, plan: Plan, half: Half, standardize: bool = True
) -> Ints:
    """The class of every feature, by a fit of some rows with what was chosen on all of them.

    Model, C·n and γ stay as they are, so that nothing is searched for. The tolerance is found
    anew by the rule of the fit: with fewer rows more models are equivalent.
    """
    own = problem_of(problem.model, _scaled(problem.sample.take(half.rows), standardize))
    C = baseline.C * float(problem.sample.weight.sum() / own.sample.weight.sum())
    fitted = own.path(_start(own, baseline, half.rows, C)).solve(C, baseline.side_price)
    if fitted.norm <= 0:
        return np.full(own.n_features, IRRELEVANT)
    room = resolve_tolerance(plan.tolerance, own, fitted)
    budgets = make_budgets(plan.budget, fitted, room, privileged=own.n_privileged > 0)
    solver = RangeDecider(equivalent_models(own, fitted, budgets))
    random = np.random.RandomState(half.seed)
    noise = _noise(solver, own, min(plan.n_probes, _MOST_PROBES), plan.probes == "replace", random)
    # The rule of `classify`, in the engine's units.
    limits = np.maximum(thresholds(noise / fitted.norm, plan.confidence), ACCURACY) * fitted.norm
    return _decided(solver, np.tile(limits, (own.n_features, 1)))


def _decided(solver: RangeDecider, limits: Floats) -> Ints:
    """Classes by limits for the smallest and the largest relevance of each feature."""
    classes = np.full(len(limits), IRRELEVANT)
    for k in solver.models.in_order(range(len(limits))):
        if solver.can_exceed(k, limits[k, 1]):
            classes[k] = STRONG if solver.must_exceed(k, limits[k, 0]) else WEAK
    return classes


def _scaled(sample: Sample, standardize: bool) -> Sample:
    """The rows with columns of scales of their own; what is constant among them becomes 0."""
    scaling = Scaling.of if standardize else Scaling.of_far_columns
    scaled = replace(sample, X=scaling(sample.X, sample.count).apply(sample.X))
    if sample.privileged is None:
        return scaled
    own = scaling(sample.privileged, sample.count)
    return replace(scaled, privileged=own.apply(sample.privileged))


def _start(own: Problem, baseline: Penalised, rows: Ints, C: float) -> Penalised | None:
    """The model of all rows, which is near that of a half.

    Where slacks are functions it would have to keep every row, and in other scales it does not.
    """
    if own.kinds is not None:
        return None
    return replace(baseline, row_duals=baseline.row_duals[rows] * (C / baseline.C))


def _noise(
    solver: RangeSolver, own: Problem, n_probes: int, in_place: bool, random: np.random.RandomState
) -> Floats:
    """Smallest and largest relevance of probes."""
    probes = draw_probes(n_probes, own.n_features, random)
    found: Sequence[tuple[float, float] | None] = []
    if in_place:
        found = [replaced_relevance(solver.models, own, probe) for probe in probes]
    usable = [one for one in found if one is not None]
    if len(usable) < min(_FEWEST_USABLE, n_probes):
        usable = [appended_relevance(solver, own, probe) for probe in probes]
    return np.array(usable, dtype=float).reshape(-1, 2)
