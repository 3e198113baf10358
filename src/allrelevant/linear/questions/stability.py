"""How much of the answer depends on the sample: halves of the rows, asked for the classes."""

from __future__ import annotations

from functools import partial
from typing import Any

from allrelevant.base.progress import told_progress
from allrelevant.base.three_classes import WEAK
from allrelevant.linear.fit.halves import half_classes, observations_to_draw
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.sets.groups import find_groups
from allrelevant.results.stability.ask import SplitRequest, ask_halves, listed_groups
from allrelevant.results.stability.result import StabilityResult

_MOST_GROUPED = 40  # relevant features; finding groups takes time by their number squared


def find_stability(
    fitted: FittedSet,
    request: SplitRequest,
    *,
    groups: Any,
    standardize: bool,
) -> StabilityResult:
    """Fit halves of the rows as all of them were, and put their answers beside that of the fit."""
    sample = fitted.analysis.problem.sample
    row = observations_to_draw(sample)
    about = fitted.analysis, fitted.features, fitted.several
    return ask_halves(
        fitted.result,
        partial(partial, half_classes, *about, standardize=standardize),
        request,
        n_rows=len(row),
        strata=fitted.model.strata(sample.target[row]),
        group=None if sample.group is None else sample.group[row],
        groups=_standing_in(fitted, groups, request),
    )


def _standing_in(
    fitted: FittedSet, groups: Any, request: SplitRequest
) -> dict[str, tuple[int, ...]]:
    """The groups of features to tell of, by their positions."""
    if isinstance(groups, str) and groups == "auto":
        few = (fitted.result.classes >= WEAK).sum() <= _MOST_GROUPED
        progress = told_progress(request.verbose)
        groups = find_groups(fitted, n_jobs=request.n_jobs, progress=progress) if few else None
    return listed_groups(groups, lambda name: fitted.features.position(name, "groups"))
