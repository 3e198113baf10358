"""What a report says about halves of the rows: words and the geometry of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.names import short_names
from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.results.stability import StabilityResult
from allrelevant.results.stability.views import bound_line, index_words
from allrelevant.views.report.pictures import room_for
from allrelevant.views.report.words import joined, sentence

_ROW, _MARK, _WIDTH, _TOP, _BOTTOM = 22.0, 26.0, 765.0, 10.0, 44.0
_NAME_LENGTH = 28
_SELDOM, _OFTEN = 0.1, 0.9
_POOR, _EXCELLENT = 0.4, 0.75  # below and above, by the authors of the index
_MOST_GROUPS, _MOST_MEMBERS = 8, 8


@dataclass(frozen=True)
class StackedChart:
    """Rows of a name, a mark for the class with all rows, and parts of a bar."""

    rows: tuple[dict[str, Any], ...]
    ticks: tuple[tuple[float, str], ...]
    rest: str
    width: float
    height: float
    bottom: float
    names: float
    left: float


def stability_section(result: Any, names: tuple[str, ...]) -> dict[str, Any] | None:
    """Return what the template needs for the section; None where nothing was asked of halves.

    Parameters
    ----------
    result : StabilityResult or None
    names : tuple of str
        The columns that the report is about.
    """
    if result is None:
        return None
    if not isinstance(result, StabilityResult):
        raise TypeError(
            f"stability must be what estimator.stability() gives, got {type(result).__name__}."
        )
    if result.names != names:
        raise ValueError("stability must be about the same features as the result.")
    return {
        "n_splits": result.n_splits,
        "sentences": _findings(result),
        "groups": [_group(result, name) for name in list(result.groups)[:_MOST_GROUPS]],
        "chart": stacked_chart(result),
    }


def _findings(result: StabilityResult) -> list[str]:
    """Return what was found, in a few sentences."""
    what = "useful" if result.select == "relevant" else "indispensable"
    often = result.often(_OFTEN)
    share = [(result.names[j], result.selected[j]) for j in result.order]
    doubtful = [name for name, value in share if _SELDOM < value < _OFTEN and name not in often]
    found = []
    if often:
        found.append(f"At least nine of ten halves find {_these(len(often), what)}: ")
        found[-1] += f"{joined(often, 12)}."
    else:
        found.append(f"No feature is found {what} by nine of ten halves.")
    if doubtful:
        found.append(
            f"Whether {_these(len(doubtful), _are(len(doubtful), what))} depends on the rows: "
            f"{joined(doubtful, 12)}."
        )
    found.append(_alike(result, what))
    if bound_line(result):
        found.append(sentence(bound_line(result)))
    return found


def _these(n: int, what: str) -> str:
    return f"this feature {what}" if n == 1 else f"these {n} features {what}"


def _are(n: int, what: str) -> str:
    return f"is {what}" if n == 1 else f"are {what}"


def _alike(result: StabilityResult, what: str) -> str:
    if np.isnan(result.index):
        every = "all features" if result.n_selected else "no feature at all"
        return f"Every half finds {every} {what}."
    how = "fairly alike"
    if result.index < _POOR:
        how = "hardly alike"
    elif result.index > _EXCELLENT:
        how = "very much alike"
    return (
        f"All in all the halves' lists of {what} features are {how}: their stability is "
        f"{index_words(result)}, where 1 means the same list every time and 0 lists drawn at "
        "random."
    )


def _group(result: StabilityResult, name: str) -> dict[str, str]:
    members = result.members(name)
    each = result.selected[list(result.groups[name])]
    return {
        "members": joined(members, _MOST_MEMBERS),
        "share": f"{result.group_frequencies[name]:.0%}",
        "least": f"{each.min():.0%}",
        "most": f"{each.max():.0%}",
    }


def stacked_chart(result: StabilityResult, most: int = 40) -> StackedChart:
    """Lay out one stacked bar per feature, in the order of the fit's own result."""
    shown = list(result.order[:most])
    names = short_names([result.names[j] for j in shown], _NAME_LENGTH)
    room = room_for(names)
    left, plot = room + _MARK, _WIDTH - room - 2 * _MARK
    rows = []
    for place, (name, j) in enumerate(zip(names, shown, strict=True)):
        shares = result.frequencies[j]
        ends = left + plot * np.concatenate([[0.0], np.cumsum(shares[::-1])])
        parts = [
            {"kind": word, "x": round(float(x), 2), "width": round(float(width), 2)}
            for word, x, width in zip(CLASS_NAMES[::-1], ends, np.diff(ends), strict=False)
            if width > 0
        ]
        said = ", ".join(
            f"{word} in {share:.0%}" for word, share in zip(CLASS_NAMES, shares, strict=True)
        )
        label = f"{result.names[j]}: {said}; {result.class_names[j]} with all rows"
        y = _TOP + place * _ROW
        rows.append(
            {"name": name, "label": label, "y": y, "kind": result.class_names[j], "parts": parts}
        )
    rest = result.n_features - len(shown)
    bottom = _TOP + _ROW * (len(shown) + bool(rest))
    return StackedChart(
        rows=tuple(rows),
        ticks=tuple((left + plot * part, f"{part:.0%}") for part in (0.0, 0.25, 0.5, 0.75, 1.0)),
        rest=f"and {rest} more feature{'' if rest == 1 else 's'}" if rest else "",
        width=_WIDTH,
        height=bottom + _BOTTOM,
        bottom=bottom,
        names=room,
        left=left,
    )
