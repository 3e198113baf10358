"""The features of a report: how many of each class, a row for each, and their groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from allrelevant.results.marks import least_end
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import own_noise
from allrelevant.views.report import words

_MOST_IRRELEVANT = 30  # rows of the table; the names of further ones are listed below it


def tiles(result: RelevanceResult) -> list[dict[str, Any]]:
    """How many features there are of each class, what that means, and the first names."""
    said = {
        "strong": "must be used",
        "weak": "can be used, or replaced",
        "irrelevant": "need not be used",
    }
    if result.forbidden:
        said["forbidden"] = "must not be used"
    kinds = result.class_names
    tiles = []
    for kind, meaning in said.items():
        names = [result.names[j] for j in result.order if kinds[j] == kind]
        shown = words.joined(names, 5)
        tiles.append({"kind": kind, "n": len(names), "said": meaning, "names": shown})
    return tiles


def table_rows(result: RelevanceResult) -> list[dict[str, Any]]:
    """The table: all features, the most relevant first."""
    if not isinstance(result, RelevanceResult):
        return _forest_rows(result)
    limits, kinds, either = result.upper_thresholds, result.class_names, result.could_be_either
    unknown = np.full(result.n_features, np.nan)
    p, q = (values if len(values) else unknown for values in (result.p_values, result.q_values))
    rows = []
    for j in result.order:
        name = result.names[j]
        rows.append(
            {
                "name": name,
                "kind": kinds[j],
                "min": least_end(result, j),
                "max": ("≤ " if result.only_bounded[j] else "") + _share(result.intervals[j, 1]),
                **_signed(result.signed_intervals[j], float(limits[j])),
                "noise": own_noise(result, j),
                "p": words.readable_p(p[j]),
                "q": words.readable_p(q[j]),
                "either": bool(either[j]),
                "parts": _parts(name, result),
            }
        )
        if kinds[j] == "forbidden":
            rows[-1] |= {"direction": "", "parts": []}
        elif name in result.columns and not rows[-1]["parts"]:
            rows[-1]["direction"] = "a curve"
    return rows


def _forest_rows(result: Any) -> list[dict[str, Any]]:
    frame = result.to_frame(sort=True).rename(columns={"feature": "name", "class": "kind"})
    numbers = ["min", "max", "noise", "lost", "lost_limit"]
    frame[numbers] = frame[numbers].map(_share)
    p_values = ["p_relevant", "p_strong"]
    frame[p_values] = frame[p_values].map(words.readable_p)
    return frame.rename(columns={"tentative": "either"}).to_dict("records")


def _parts(feature: str, result: RelevanceResult) -> list[dict[str, str]]:
    """The columns of a feature, where it has several; pieces of a curve mean nothing by one."""
    columns = result.columns.get(feature)
    if columns is None or result.is_curve(feature):
        return []
    ends = zip(columns["intervals"], columns["signed_intervals"], strict=True)
    each = zip(columns["names"], ends, columns["noise_thresholds"], strict=True)
    references = columns.get("references", ())
    return [
        {
            "name": name,
            "min": _share(least),
            "max": _share(most),
            **_signed(signed, limit),
            "reference": "others are compared with it" if name in references else "",
        }
        for name, ((least, most), signed), limit in each
    ]


def _signed(ends: Sequence[float], limit: float) -> dict[str, str]:
    """Both ends of a weight, and what they say about its sign."""
    low, high = ends
    said = words.direction(low, high, limit)
    return {"low": _share(low), "high": _share(high), "direction": said}


def _share(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}" if np.isfinite(value) else ""  # no minus before 0


def n_listed(result: RelevanceResult) -> int:
    """How many rows of the table are shown."""
    relevant = len(result.strong) + len(result.weak)
    extra = result.n_features - relevant
    return relevant + (extra if extra <= _MOST_IRRELEVANT + 5 else _MOST_IRRELEVANT)


def named_references(result: Any) -> list[str]:
    """The levels that others are compared with."""
    if not isinstance(result, RelevanceResult):
        return []
    return [name for own in result.columns.values() for name in own.get("references", ())]


def members_of_groups(result: RelevanceResult, groups: Any) -> list[list[str]]:
    """Names of each group of two or more, the largest first."""
    if groups is None:  # a forest's result has its own
        own = vars(result).get("groups", ())
        return [list(group.names) for group in own if group.names[1:]]
    by_label: dict[int, list[str]] = {}
    for j in result.order:
        label = int(groups.labels[j])
        if label > 0:
            by_label.setdefault(label, []).append(result.names[j])
    return sorted((names for names in by_label.values() if len(names) > 1), key=len, reverse=True)


def instead_of(
    result: RelevanceResult, found: Mapping[str, Sequence[str] | None]
) -> dict[str, str]:
    """What is said to take the place of features; None where no short list is known."""
    return {name: _instead(result, names) for name, names in found.items()}


def _instead(result: RelevanceResult, names: Sequence[str] | None) -> str:
    """Names of stand-ins, with a word for those that are irrelevant as things are."""
    if names is None:
        return "(no short list was found: different models use different features)"
    if not names:
        return "(no single feature has to take its place)"
    irrelevant = set(result.irrelevant)
    return ", ".join(f"{n} (irrelevant otherwise)" if n in irrelevant else n for n in names)
