"""A result by feature, where a feature may be several columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.results.classified import FORBIDDEN
from allrelevant.results.relevance import RelevanceResult

__all__ = ["by_feature"]


def by_feature(result: RelevanceResult) -> RelevanceResult:
    """Put one feature in the place of each of the result's groups of columns.

    Its relevance is the sum of its columns' relevances, whose interval the result holds. It has no
    signed weight, and its class comes from a noise threshold of its own. So it is with what an
    answer to a what-if question says was before; a group is forbidden if all its columns are.
    """
    groups: Mapping[str, Any] = getattr(result, "column_groups", {})
    if not groups:  # forests take categories as they are
        return result
    owner = {column: name for name, group in groups.items() for column in group["columns"]}
    names = tuple(dict.fromkeys(owner.get(name, name) for name in result.names))
    rows = {name: k for k, name in enumerate(result.names)}
    parts = [
        _of_group(result, groups[name], [rows[column] for column in groups[name]["columns"]])
        if name in groups
        else _of_column(result, rows[name])
        for name in names
    ]
    intervals, signed, classes, weights = zip(*parts, strict=True)
    known: dict[str, Any] = {
        "names": names,
        "intervals": np.array(intervals),
        "signed_intervals": np.array(signed),
        "classes": np.array(classes),
        "weights": np.array(weights),
        "baseline": _baseline(result, rows),
        "column_groups": {},
        "own_thresholds": {name: group["threshold"] for name, group in groups.items()},
        "warnings": (*result.warnings, *_inexact(groups)),
        **_certainty(result, [None if name in groups else rows[name] for name in names]),
    }
    before = getattr(result, "before", None)
    if before is not None:
        known["before"] = by_feature(before)
        known["constraints"] = _as_features(getattr(result, "constraints", {}), groups)
    return replace(result, **known)


def _of_column(result: RelevanceResult, k: int) -> tuple[Any, ...]:
    return (
        result.intervals[k],
        result.signed_intervals[k],
        result.classes[k],
        result.weights[k],
    )


def _certainty(result: RelevanceResult, places: list[int | None]) -> dict[str, Any]:
    """What is known of each column by itself; nothing is known of a group (None) that way."""
    known = {
        "noise_thresholds": result.thresholds[1],  # a group's own threshold takes precedence
        "p_values": np.nan,
        "q_values": np.nan,
        "borderline": False,
    }
    return {
        name: [otherwise if k is None else getattr(result, name)[k] for k in places]
        for name, otherwise in known.items()
        if len(getattr(result, name))
    }


def _of_group(result: RelevanceResult, group: Any, own: list[int]) -> tuple[Any, ...]:
    ends = np.array([group["min"], group["max"]])
    word = group["class"]
    label = np.int64(0 if word == FORBIDDEN else CLASS_NAMES.index(word))
    return ends, np.full(2, np.nan), label, np.abs(result.weights[own]).sum()


def _baseline(result: RelevanceResult, rows: Mapping[str, int]) -> dict[str, Any]:
    """The baseline's numbers, where a group of columns counts as one feature that is used."""
    known = dict(result.baseline)
    if known.get("n_used") is not None:
        for group in result.column_groups.values():
            used = np.count_nonzero(result.weights[[rows[c] for c in group["columns"]]])
            known["n_used"] -= max(used - 1, 0)
    return known


def _inexact(groups: Mapping[str, Any]) -> list[str]:
    names = [name for name, group in groups.items() if not group["is_exact"]]
    return [f"the largest relevance is an upper bound for {', '.join(names)}"] if names else []


def _as_features(asked: Mapping[str, Any], groups: Mapping[str, Any]) -> dict[str, Any]:
    """The constraints of a question; columns that make up a forbidden group by its name."""
    barred: Iterable[str] = asked.get("forbid", ())
    whole = {
        column: name
        for name, group in groups.items()
        if set(group["columns"]) <= set(barred)
        for column in group["columns"]
    }
    named = dict.fromkeys(whole.get(name, name) for name in barred)
    return {**asked, "forbid": tuple(named)}
