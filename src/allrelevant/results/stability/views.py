"""Text and HTML views of a `StabilityResult`."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from allrelevant.base.names import display_width, padded, short_names
from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.results.notebook import CLASS_COLORS, class_cell, notebook_table

if TYPE_CHECKING:
    from allrelevant.results.stability.result import StabilityResult

_TEXT_ROWS, _TEXT_BAR, _TEXT_NAME = 20, 20, 28
_HTML_ROWS, _HTML_BAR = 50, 180
_SHOWN_GROUPS, _SHOWN_MEMBERS = 8, 6
_OFTEN = 0.9
_MARKS = {"strong": "█", "weak": "▒", "irrelevant": "·"}


def as_text(result: StabilityResult) -> str:
    """Return a plain text summary with one bar per feature."""
    lines = _headlines(result)
    shown = result.order[:_TEXT_ROWS]
    if shown:
        lines += ["", *_text_table(result, shown)]
    if len(shown) < result.n_features:
        lines.append(f"... and {result.n_features - len(shown)} more features")
    below = _group_lines(result)
    return "\n".join([*lines, *([""] if below else []), *below])


def as_html(result: StabilityResult) -> str:
    """Return a self-contained HTML table for notebooks, with one bar per feature."""
    shown = result.order[:_HTML_ROWS]
    below = _group_lines(result)
    if len(shown) < result.n_features:
        below.insert(0, f"… and {result.n_features - len(shown)} more features")
    titles = ("feature", "class", "selected", "strong", "weak", "irrelevant", "")
    rows = [_html_cells(result, j) for j in shown]
    return notebook_table(_headlines(result), titles, rows, below)


def index_words(result: StabilityResult) -> str:
    """Return the index with its interval, or why there is none."""
    if np.isnan(result.index):
        what = "every feature" if result.n_selected else "no feature"
        return f"not defined, as every half selected {what}"
    low, high = result.index_interval
    return f"{result.index:.2f} (95% interval {low:.2f} to {high:.2f})"


def group_line(result: StabilityResult, group: str) -> str:
    """Return how often at least one of a group was selected, beside each member by itself."""
    names = result.members(group)
    each = result.selected[list(result.groups[group])]
    ends = dict.fromkeys([f"{each.min():.0%}", f"{each.max():.0%}"])
    n_more = len(names) - _SHOWN_MEMBERS
    listed = ", ".join(names[:_SHOWN_MEMBERS]) + f" and {n_more} more" * (n_more > 0)
    share = result.group_frequencies[group]
    return (
        f"one of these {len(names)} in {share:.0%} of the halves (each by itself in "
        f"{' to '.join(ends)}): {listed}"
    )


def bound_line(result: StabilityResult) -> str:
    """Return the bound on false selections where it says something, else nothing."""
    bound = result.false_selections(_OFTEN)
    if bound is None:
        return ""
    n = len(result.often(_OFTEN))
    return (
        f"of the {n} feature{'' if n == 1 else 's'} that at least {_OFTEN:.0%} of the halves "
        f"select, at most {bound:.2g} are expected to be false"
    )


def _headlines(result: StabilityResult) -> list[str]:
    n = result.n_splits
    lines = [
        f"stability over {n} split{'' if n == 1 else 's'} into halves: {2 * n} fits of half the "
        "rows",
        f"stability of the selected sets: {index_words(result)}",
        f"same class as with all rows: {result.agreement.mean():.0%}; selected by a half: "
        f"{result.n_selected:.1f} of {result.n_features} features",
        bound_line(result),
    ]
    return [line for line in lines if line]


def _group_lines(result: StabilityResult) -> list[str]:
    lines = [f"{name}: {group_line(result, name)}" for name in list(result.groups)[:_SHOWN_GROUPS]]
    if len(result.groups) > _SHOWN_GROUPS:
        lines.append(f"... and {len(result.groups) - _SHOWN_GROUPS} more groups")
    return lines


def _text_table(result: StabilityResult, shown: tuple[int, ...]) -> list[str]:
    names = short_names([result.names[j] for j in shown], _TEXT_NAME)
    pad = max(7, *map(display_width, names))
    key = " ".join(f"{mark} {word}" for word, mark in _MARKS.items())
    lines = [f"{'feature':{pad}}  {'class':10}  selected  {key}"]
    for name, j in zip(names, shown, strict=True):
        word, share = result.class_names[j], f"{result.selected[j]:.0%}"
        lines.append(f"{padded(name, pad)}  {word:10}  {share:>8}  {_text_bar(result, j)}")
    return lines


def _text_bar(result: StabilityResult, j: int) -> str:
    ends = np.round(np.cumsum(result.frequencies[j][::-1]) * _TEXT_BAR).astype(int)
    lengths = np.diff(ends, prepend=0)
    return "".join(mark * n for mark, n in zip(_MARKS.values(), lengths, strict=True))


def _html_cells(result: StabilityResult, j: int) -> tuple[str, ...]:
    return (
        escape(result.names[j]),
        class_cell(result.class_names[j]),
        f"{result.selected[j]:.0%}",
        *(f"{share:.0%}" for share in result.frequencies[j][::-1]),
        _html_bar(result, j),
    )


def _html_bar(result: StabilityResult, j: int) -> str:
    parts, start = [f'<svg width="{_HTML_BAR}" height="12" style="vertical-align:middle">'], 0.0
    for label in (2, 1, 0):
        width = result.frequencies[j, label] * _HTML_BAR
        parts.append(
            f'<rect x="{start:.1f}" y="1" width="{width:.1f}" height="10" '
            f'fill="{CLASS_COLORS[CLASS_NAMES[label]]}"/>'
        )
        start += width
    return "".join(parts) + "</svg>"
