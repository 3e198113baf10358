"""Whether privileged features tell anything about the samples they belong to."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
from scipy import stats

from allrelevant.base.features import Features
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.problem.problem import PrivilegedProblem
from allrelevant.linear.fit.ranges.several import none_of
from allrelevant.linear.fit.rows.resampling import shuffled_rows

_PERMUTATIONS = 10
_CONFIDENCE = 0.95  # the probes have the last word
_EQUAL = 1e-6  # relative: objectives that differ by less are equal

USELESS = (
    "the privileged features explain the slacks no better than if their rows were shuffled; "
    "the answer is the one without them, and all of them are irrelevant"
)
WORSE = (
    "with privileged features the model predicts worse than without them (R² {:.2f} instead of "
    "{:.2f} in cross-validation): they may explain what the prediction should"
)


def are_informative(problem: PrivilegedProblem, baseline: Penalised) -> bool:
    """Whether the baseline is better than baselines with the privileged rows permuted.

    Slacks that no function of the privileged features explains have to be paid as a constant. On
    data that are not separable the best such model uses no feature at all, however good the
    features are; then it is better to do without what is privileged. Rows of one group change
    places together.
    """
    if baseline.norm <= 0 or baseline.side_norm <= 0:
        return False
    privileged = problem.sample.privileged
    assert privileged is not None
    objectives = []
    start = None
    with suppress(SolverError):  # only a place to start from
        start = problem.constant_solution(baseline.C)
    for seed in range(_PERMUTATIONS):
        order = shuffled_rows(problem.sample, np.random.default_rng(seed))
        permuted = replace(problem, sample=replace(problem.sample, privileged=privileged[order]))
        path = permuted.path(start)
        with suppress(SolverError):
            objectives.append(path.solve(baseline.C, baseline.side_price).objective)
    if len(objectives) < 2:
        return True  # the probes have the last word
    n = len(objectives)
    mean, spread = float(np.mean(objectives)), float(np.std(objectives, ddof=1))
    reach = float(stats.t.ppf(_CONFIDENCE, n - 1)) * np.sqrt(1.0 + 1.0 / n)
    return baseline.objective < mean - max(reach * spread, _EQUAL * mean)


def as_useless(privileged: Features, plain: Analysis) -> Analysis:
    """The answer without privileged features, where they are all irrelevant."""
    offsets = plain.baseline.offsets
    found = replace(
        plain.found,
        privileged=((WeightRange.of_nothing(offsets),),) * len(privileged.columns),
        warnings=[USELESS, *plain.found.warnings],
    )
    return replace(plain, found=found, privileged_several=none_of(privileged, offsets))


def tell_anything(analysis: Analysis, privileged: Features) -> bool:
    """Whether at least one privileged feature reaches farther than noise."""
    compared = analysis.privileged
    labels = compared.classes.values[privileged.first]
    for j, one in analysis.privileged_several.items():
        interval = np.array(one.range.relevance) / compared.norm
        labels[j], _ = one.judged(interval, compared.intervals[privileged.several[j]])
    return bool(labels.any())
