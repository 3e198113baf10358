"""Privileged features under constraints: what their weights in all slack functions can be then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.three_classes import classify
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.fit.ranges.norms import LargestNorm, NormRange, larger_of
from allrelevant.linear.fit.ranges.several import privileged_by_feature
from allrelevant.linear.questions.constraints.norms import norms_under
from allrelevant.linear.questions.constraints.solver import Union
from allrelevant.linear.questions.fitted_set import FittedSet, still
from allrelevant.results.relevance import RelevanceResult


def privileged_under(
    fitted: FittedSet,
    before: RelevanceResult,
    boxes: Sequence[Boxes],
    columns: Mapping[int, Union],
) -> dict[str, Any]:
    """The fields of a result that are about privileged features.

    Parameters
    ----------
    before : RelevanceResult
        The privileged features without constraints; noise is that of the fit.
    boxes : sequence of Boxes
        The branches, each of which holds a model.
    columns : mapping from int to Union
        The ranges of single weights within the branches.
    """
    analysis, features = fitted.analysis, fitted.privileged
    if not analysis.problem.n_privileged:  # the models do without them
        return {}
    compared = analysis.privileged
    norm, limits = compared.norm, compared.classes.upper
    places = [fitted.privileged_places([k]) for k in range(len(features.columns))]
    unions = [[columns[k] for (k,) in own] for own in places]
    bound = [any(one.is_bound for one in own) for own in unions]
    intervals = np.array([_larger(own) for own in unions]) / norm
    by_function = np.array([[one.relevance for one in own] for own in unions])[features.first]
    norms = {}
    for j, own in features.several.items():
        parts = _norms(fitted, boxes, columns, own.tolist())
        norms[j] = _either([larger_of(each) for each in parts])
        by_function[j] = [_either(each).relevance for each in zip(*parts, strict=True)]
    labels = classify(intervals, before.thresholds, limits)
    values, several = (intervals, labels, limits, np.array(bound)), analysis.privileged_several
    known = privileged_by_feature(features, values, several, norms, norm)
    known["classes"] = still(before, known["classes"], known["intervals"])
    known["by_function"] = by_function / norm
    return {f"privileged_{name}": value for name, value in known.items()}


def _larger(unions: Sequence[Union]) -> Floats:
    """The relevance of a column with several weights: the larger of its bounds in each branch.

    Branch by branch, because a lower bound may be met by one weight here and by another there.
    """
    branches = zip(*(union.parts for union in unions), strict=True)
    bounds = np.array([np.max([part.relevance for part in parts], axis=0) for parts in branches])
    return np.array([bounds[:, 0].min(), bounds[:, 1].max()])


def _norms(
    fitted: FittedSet, boxes: Sequence[Boxes], columns: Mapping[int, Union], own: Sequence[int]
) -> list[list[NormRange]]:
    """The norm of several columns in every function, branch by branch for the same reason."""
    functions = dict(enumerate(fitted.privileged_places(own)))
    found = []
    for number, branch in enumerate(boxes):
        parts = {k: Union([columns[k].parts[number]]) for own in functions.values() for k in own}
        ranges = dict(norms_under(fitted.solver.ranges, [branch], functions, parts))
        found.append([ranges[function] for function in functions])
    return found


def _either(ranges: Sequence[NormRange]) -> NormRange:
    """The range over the models of all branches."""
    smallest = min((one.smallest for one in ranges), key=lambda end: end.value)
    attained = max((one.largest.attained for one in ranges), key=lambda end: end.value)
    return NormRange(smallest, LargestNorm(attained, max(one.largest.bound for one in ranges)))
