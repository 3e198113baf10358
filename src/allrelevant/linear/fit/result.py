"""What people see of a fit: the result, made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import false_discovery_control

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.errors import told, warn_user
from allrelevant.base.features import NO_FEATURES, Features
from allrelevant.base.versions import package_versions
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.cautions import out_of_reach, shared, wide_tolerance
from allrelevant.linear.fit.compared import Compared
from allrelevant.linear.fit.ranges.other_ends import open_ends
from allrelevant.linear.fit.ranges.several import (
    ColumnValues,
    Several,
    by_feature,
    privileged_by_feature,
)
from allrelevant.linear.fit.statistics.verdict import could_be_either
from allrelevant.results.relevance import RelevanceResult


def result_of(
    analysis: Analysis,
    features: Features,
    several: Mapping[int, Several],
    privileged: Features = NO_FEATURES,
    *,
    settings: Mapping[str, Any],
    warnings: Sequence[str] = (),
) -> RelevanceResult:
    """The result of a fit, with what is to be told beside what the analysis has warned of."""
    classes, found = analysis.classes, analysis.found
    open_ = [one.feature for one in open_ends(found.ranges)]
    is_bound = np.array([one.is_bound for one in found.ranges], dtype=bool)
    is_bound[open_] = False  # they will be exact when they are read
    columns = ColumnValues(
        analysis.intervals,
        analysis.signed(found.ranges),
        classes.values,
        classes.upper,
        analysis.problem.by_feature(analysis.baseline.weights) / analysis.norm,
        is_bound,
    )
    ranges = {j: one.range for j, one in several.items()}
    shown = by_feature(features, columns, several, ranges, analysis.norm)
    wide = _wide_tolerance(analysis, features, shown["classes"])
    settled = _out_of_reach(analysis, features, shown["noise_thresholds"])
    if analysis.models is not None and analysis.plan.n_probes is None and not settled:
        settled = told(shared(analysis.choice, shown["classes"]))
    result = RelevanceResult(
        task=analysis.choice.model.task,
        names=features.names,
        **shown,
        thresholds=classes.thresholds,
        **_compared_with_noise(analysis.compared, features, several),
        probes=classes.probes,
        baseline=_quality(analysis, features),
        settings=settings,
        versions=package_versions(),
        work={
            "lps_solved": found.solved,
            "lps_skipped": found.skipped,
            "probes_usable": len(classes.probes),
        },
        warnings=(
            *(*found.warnings, *settled, *wide, *warnings),
            *_inexact(features, several),
            *_inexact(privileged, analysis.privileged_several),
        ),
        **_of_privileged(analysis, privileged),
    )
    if open_:
        find = partial(_signed_intervals, analysis, features, several)
        result.find_later("signed_intervals", find)
    return result


def _signed_intervals(
    analysis: Analysis, features: Features, several: Mapping[int, Several]
) -> Floats:
    """Smallest and largest weight of each feature, for which ends that are open are solved."""
    signed = analysis.signed_intervals[features.first]
    for j, one in several.items():
        signed[j] = one.range.ends
    inexact = [j for j, k in enumerate(features.first) if not analysis.ranges[k].is_exact]
    known = [j for j, k in enumerate(features.first) if not analysis.found.ranges[k].is_exact]
    if len(inexact) > len(known):
        names = [features.names[j] for j in inexact if j not in known]
        warn_user(f"the signed interval of {', '.join(map(repr, names))} is a bound on one side")
    return signed


def _wide_tolerance(analysis: Analysis, features: Features, classes: Ints) -> list[str]:
    """Warn where the tolerance alone is why no feature is strong; levels of one need not be."""
    models, tolerance = analysis.models, min(analysis.tolerance)
    if models is None:
        return []
    own = analysis.problem.in_columns(features)
    return told(wide_tolerance(models, analysis.baseline, tolerance, classes, own))


def _out_of_reach(analysis: Analysis, features: Features, thresholds: Floats) -> list[str]:
    """Warn where a feature could not have been relevant, however much it matters."""
    if analysis.unexplained is not None:
        return []  # it could, by what others leave
    n_rows, n_probes = analysis.problem.sample.n_groups, analysis.plan.n_probes
    largest = analysis.largest_possible
    return told(out_of_reach(features.names, thresholds, largest, n_rows, n_probes))


def _compared_with_noise(
    compared: Compared, features: Features, several: Mapping[int, Several]
) -> dict[str, Any]:
    """p-values of all features and what follows from them."""
    classes = compared.classes
    p, borderline = classes.p_values[features.first], classes.borderline[features.first]
    if not several:
        return {"p_values": p, "q_values": classes.q_values, "borderline": borderline}
    for j, one in several.items():
        p[j], error = one.p_value, np.array(one.p_error)
        is_close = could_be_either(p[j], compared.level, error)
        borderline[j] = classes.level is not None and bool(is_close)
    return {"p_values": p, "q_values": false_discovery_control(p), "borderline": borderline}


def _quality(analysis: Analysis, features: Features) -> dict[str, Any]:
    """The baseline's numbers, where a feature is used if one of its columns is."""
    known = analysis.quality()
    if known.get("n_used") is not None:
        used = analysis.problem.by_feature(analysis.baseline.weights) != 0
        extra = [max(int(used[own].sum()) - 1, 0) for own in features.several.values()]
        known["n_used"] -= sum(extra)
    return known


def _inexact(features: Features, several: Mapping[int, Several]) -> list[str]:
    """Say where an end is not attained, as far as is known."""
    found = {j: one.range for j, one in several.items()}
    upper = [features.names[j] for j, one in found.items() if not one.largest.is_exact]
    lower = [features.names[j] for j, one in found.items() if one.smallest.unproven]
    said = [("largest relevance is an upper", upper), ("smallest relevance is a lower", lower)]
    return [f"the {what} bound for {', '.join(names)}" for what, names in said if names]


def _of_privileged(analysis: Analysis, features: Features) -> dict[str, Any]:
    """What a result says of privileged features: nothing where there are none."""
    if not len(features):
        return {}
    compared, several = analysis.privileged, analysis.privileged_several
    classes, by_function = compared.classes, analysis.privileged_by_function
    bound = [any(one.is_bound for one in ranges) for ranges in analysis.found.privileged]
    columns = (compared.intervals, classes.values, classes.upper, np.array(bound, dtype=bool))
    ranges = {j: one.range for j, one in several.items()}
    in_each = by_function[features.first]
    for j, one in several.items():
        in_each[j] = np.array([r.relevance for r in one.by_function or (one.range,)])
        in_each[j] /= compared.norm
    known = {
        "names": features.names,
        **privileged_by_feature(features, columns, several, ranges, compared.norm),
        **_compared_with_noise(compared, features, several),
        "by_function": in_each,
        "thresholds": classes.thresholds,
        "probes": classes.probes,
    }
    return {f"privileged_{name}": value for name, value in known.items()}
