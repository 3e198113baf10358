"""What people see of a fit: the result, made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allrelevant.base.versions import package_versions
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.results.relevance import RelevanceResult


def result_of(
    analysis: Analysis,
    names: Sequence[str],
    privileged_names: Sequence[str] = (),
    *,
    settings: Mapping[str, Any],
    warnings: Sequence[str] = (),
    column_groups: Mapping[str, Any],
) -> RelevanceResult:
    """The result of a fit, with what is to be told beside what the analysis has warned of."""
    classes, found = analysis.classes, analysis.found
    return RelevanceResult(
        task=analysis.choice.model.task,
        names=tuple(names),
        intervals=analysis.intervals,
        signed_intervals=analysis.signed_intervals,
        classes=classes.values,
        weights=analysis.baseline.weights[: len(names)] / analysis.norm,
        thresholds=classes.thresholds,
        noise_thresholds=classes.upper,
        p_values=classes.p_values,
        q_values=classes.q_values,
        borderline=classes.borderline,
        probes=classes.probes,
        baseline=analysis.quality(),
        settings=settings,
        versions=package_versions(),
        work={
            "lps_solved": found.solved,
            "lps_skipped": found.skipped,
            "probes_usable": len(classes.probes),
        },
        warnings=(*found.warnings, *warnings),
        column_groups=column_groups,
        **_of_privileged(analysis, privileged_names),
    )


def _of_privileged(analysis: Analysis, names: Sequence[str]) -> dict[str, Any]:
    """What a result says of privileged features: nothing where there are none."""
    if not names:
        return {}
    classes = analysis.privileged_classes
    return {
        "privileged_names": tuple(names),
        "privileged_intervals": analysis.privileged_intervals,
        "privileged_classes": classes.values,
        "privileged_thresholds": classes.thresholds,
        "privileged_noise_thresholds": classes.upper,
        "privileged_p_values": classes.p_values,
        "privileged_q_values": classes.q_values,
        "privileged_borderline": classes.borderline,
        "privileged_probes": classes.probes,
    }
