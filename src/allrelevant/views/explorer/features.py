"""What a page shows of each feature, and of the fit, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from allrelevant.linear.models import Ordinal
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import scores
from allrelevant.views.explorer.answers import finite
from allrelevant.views.report.words import classes_off


def feature_rows(result: RelevanceResult) -> list[dict[str, Any]]:
    """What a page shows of each feature."""
    unknown = np.full(result.n_features, np.nan)
    columns = {
        "min": result.intervals[:, 0],
        "max": result.intervals[:, 1],
        "low": result.signed_intervals[:, 0],
        "high": result.signed_intervals[:, 1],
        "noise": np.where(result.only_conditional, np.nan, result.upper_thresholds),
        "noise_at": result.drawn_thresholds,
        "p": result.p_values if len(result.p_values) else unknown,
        "q": result.q_values if len(result.q_values) else unknown,
    }
    masks = (result.could_be_either, result.only_bounded, result.only_conditional)
    flags = [mask.tolist() for mask in masks]
    words = zip(result.names, result.class_names, *flags, strict=True)
    ends = "intervals" if result.has_weights_by_class else "signed_intervals"
    parts = [
        parts_of(result, name, result.columns.get(name, {}).get(ends, ())) for name in result.names
    ]
    return [
        {
            "name": name,
            "class": kind,
            "borderline": either,
            "bound": bound,
            "explains": explains,
            "columns": parts[j],
            "curve": result.is_curve(name),
        }
        | {key: finite(float(values[j])) for key, values in columns.items()}
        for j, (name, kind, either, bound, explains) in enumerate(words)
    ]


def parts_of(
    result: RelevanceResult, feature: str, ends: Sequence[Sequence[float]]
) -> list[dict[str, Any]]:
    """The columns of a feature that has several, with both ends of what is said of each.

    That is a column's weight, or the difference that it makes between classes. The pieces of a
    curve mean nothing by themselves.
    """
    columns = result.columns.get(feature)
    if columns is None or result.is_curve(feature):
        return []
    references = columns.get("references", ())
    return [
        {
            "name": name,
            "low": finite(float(low)),
            "high": finite(float(high)),
            "reference": name in references,
        }
        for name, (low, high) in zip(columns["names"], ends, strict=True)
    ]


def scores_in_words(result: RelevanceResult) -> str:
    """The baseline's scores in a line; that of ordered classes in words."""
    own = Ordinal.score_name
    return ", ".join(
        f"on average {classes_off(result, score, error)}"
        if name == own
        else f"{name} {score:.3f}" + ("" if error is None else f" ± {error:.3f}")
        for name, (score, error) in scores(result).items()
    )
