"""A result by feature, where a feature may be several columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from allrelevant.classified import CLASS_NAMES
from allrelevant.result import RelevanceResult

__all__ = ["by_feature"]


def by_feature(result: RelevanceResult) -> RelevanceResult:
    """Put one feature in the place of each of the result's groups of columns.

    Its relevance is the sum of its columns' relevances, whose interval the result holds. It has no
    signed weight, and its class comes from a noise threshold of its own.
    """
    if not getattr(result, "column_groups", None):  # forests take categories as they are
        return result
    owner = {
        column: name for name, group in result.column_groups.items() for column in group["columns"]
    }
    names = list(dict.fromkeys(owner.get(name, name) for name in result.names))
    rows = {name: k for k, name in enumerate(result.names)}
    parts = []
    for name in names:
        group = result.column_groups.get(name)
        if group is None:
            k = rows[name]
            parts.append(
                (
                    result.intervals[k],
                    result.signed_intervals[k],
                    result.classes[k],
                    result.weights[k],
                )
            )
            continue
        own = [rows[column] for column in group["columns"]]
        ends = np.array([group["min"], group["max"]])
        label = CLASS_NAMES.index(group["class"])
        weight = np.abs(result.weights[own]).sum()
        parts.append((ends, np.full(2, np.nan), np.int64(label), weight))
    intervals, signed, classes, weights = zip(*parts, strict=True)
    inexact = [name for name, group in result.column_groups.items() if not group["is_exact"]]
    warnings = result.warnings
    if inexact:
        warnings = (*warnings, f"the largest relevance is an upper bound for {', '.join(inexact)}")
    return replace(
        result,
        names=tuple(names),
        intervals=np.array(intervals),
        signed_intervals=np.array(signed),
        classes=np.array(classes),
        weights=np.array(weights),
        column_groups={},
        warnings=warnings,
    )
