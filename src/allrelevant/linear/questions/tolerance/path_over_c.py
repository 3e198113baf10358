"""The same fit at other values of C: at which sparsity a feature becomes indispensable."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from allrelevant.base.arrays import Floats
from allrelevant.base.features import NO_FEATURES
from allrelevant.base.progress import Progress
from allrelevant.base.validation import check_number
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.fit.analyse import analyse
from allrelevant.linear.fit.find_several import find_several
from allrelevant.linear.fit.result import result_of
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.results.path import RelevancePath
from allrelevant.results.relevance import RelevanceResult

_BEGIN = 2.1  # times the first C of the grid, at which no feature is used yet
_BEYOND = 10.0  # times the C of the fit


def find_path(
    fitted: FittedSet, Cs: Any, n_points: int, seed: int, progress: Progress
) -> RelevancePath:
    """Fit at every C what was fitted, with the same rows, model, noise and rules."""
    if fitted.analysis.plan.baseline.is_given:
        raise ValueError(
            "a baseline that was given has no path over C: it is what it is. Fit with "
            "baseline='l1' or 'l2'."
        )
    wanted = values_of_c(Cs) if Cs is not None else _usual(fitted, n_points)
    progress.stage("values of C", len(wanted))
    found: dict[float, RelevanceResult] = {}
    left_out: dict[str, str] = {}
    for C in wanted.tolist():
        try:
            found[C] = _fit_at(fitted, C, seed, progress.within())
        except SolverError as error:
            left_out[f"{C:.6g}"] = str(error)
        progress.advance()
    progress.finish()
    results = list(found.values())
    d = len(fitted.features)
    return RelevancePath(
        task=fitted.result.task,
        names=fitted.features.names,
        C=np.array(list(found)),
        intervals=np.array([one.intervals for one in results]).reshape(-1, d, 2),
        classes=np.array([one.classes for one in results]).reshape(-1, d),
        n_used=np.array([one.baseline["n_used"] for one in results], dtype=float),
        scores=np.array([one.baseline["score"] for one in results], dtype=float),
        score_name=fitted.model.score_name,
        chosen=fitted.analysis.baseline.C,
        left_out=left_out,
    )


def values_of_c(Cs: Any) -> Floats:
    """Values of C that were asked for, in order, each once."""
    given: Sequence[Any] = list(Cs) if np.iterable(Cs) and not isinstance(Cs, str) else [Cs]
    if not given:
        raise ValueError("Cs must have at least one value of C.")
    for C in given:
        check_number("Cs", C, low=0.0, closed=False)
    return np.unique(np.array(given, dtype=float))


def _usual(fitted: FittedSet, n_points: int) -> Floats:
    """From where the first feature comes in to ten times the C of the fit, which is among them."""
    analysis = fitted.analysis
    C = analysis.baseline.C
    first = _BEGIN * float(analysis.plan.baseline.grid(fitted.model, analysis.problem.sample)[0])
    spaced = np.geomspace(min(first, C / _BEYOND), _BEYOND * C, n_points)
    nearest = np.abs(np.log(spaced / C)).argmin()
    spaced[nearest] = C
    return spaced


def _fit_at(fitted: FittedSet, C: float, seed: int, progress: Progress) -> RelevanceResult:
    analysis, features = fitted.analysis, fitted.features
    gamma = analysis.baseline.side_price if analysis.problem.n_privileged else analysis.plan.gamma
    plan = replace(analysis.plan, C=C, gamma=gamma)
    privileged = fitted.privileged if analysis.problem.n_privileged else NO_FEATURES
    names = [*features.columns, *privileged.columns]
    random = check_random_state(seed)
    with warnings.catch_warnings():
        # Small C use no feature and large ones many: that is what a path is to show.
        warnings.simplefilter("ignore", UserWarning)
        sample, model = analysis.problem.sample, analysis.choice.model
        found = analyse([model], sample, plan, names, random, progress, privileged=privileged)
        found, several = find_several(
            features, found, n_jobs=plan.n_jobs, random=random, progress=progress
        )
        return result_of(found, features, several, privileged, settings={})
