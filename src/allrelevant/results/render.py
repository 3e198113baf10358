"""Text and HTML views of a result; pure functions of its `ClassifiedFeatures`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from allrelevant.base.names import display_width, padded, short_names
from allrelevant.results.marks import CONDITIONAL, EITHER, least_end, lines_below, mark_of
from allrelevant.results.notebook import CLASS_COLORS, class_cell, notebook_table

if TYPE_CHECKING:
    from allrelevant.results.classified import ClassifiedFeatures

__all__ = [
    "BOUND",
    "EITHER",
    "NOISE",
    "STRONG",
    "as_html",
    "as_text",
    "common_threshold",
    "describe_rest",
    "noise_label",
    "noise_of_bars",
    "own_noise",
    "scores",
]

BOUND = "an upper bound"  # said of intervals whose upper end was not computed exactly
# Strong bars may start before noise ends: that line is for ends, beginnings are held to zero.
STRONG, NOISE = "no good model does without it", "noise ends here"
_ALIKE = 0.02  # noise thresholds that differ by less than this share are drawn as one

_TEXT_ROWS, _TEXT_BAR, _TEXT_NAME = 20, 24, 28
_HTML_ROWS, _HTML_BAR = 50, 180


def as_text(result: ClassifiedFeatures) -> str:
    """Return a plain text summary with one bar per feature."""
    lines = [_headline(result), _baseline_line(result), _threshold_line(result)]
    lines = [line for line in [*lines, _level_line(result)] if line]
    shown = result.order[:_TEXT_ROWS]
    if len(shown):
        lines += ["", *_text_table(result, shown)]
    if len(shown) < result.n_features:
        lines.append(f"... and {describe_rest(result, len(shown))}")
    lines += lines_below(result, len(shown))
    if result.privileged is not None:
        lines += ["", "known in training only: " + as_text(result.privileged)]
    if result.warnings:
        lines += ["", *(f"warning: {warning}" for warning in result.warnings)]
    return "\n".join(lines)


def as_html(result: ClassifiedFeatures) -> str:
    """Return a self-contained HTML table for notebooks, with one bar per feature."""
    shown = result.order[:_HTML_ROWS]
    notes = [_baseline_line(result), _threshold_line(result), _level_line(result)]
    noise = ("noise",) if result.shows_noise else ()
    below = lines_below(result, len(shown))
    below += [f"warning: {warning}" for warning in result.warnings]
    if len(shown) < result.n_features:
        below.insert(0, f"… and {describe_rest(result, len(shown))}")
    table = notebook_table(
        [_headline(result), *(note for note in notes if note)],
        ("feature", "class", "min", "max", *noise, ""),
        [_html_cells(result, j) for j in shown],
        below,
    )
    if result.privileged is None:
        return table
    return f"{table}<p>Training only</p>{as_html(result.privileged)}"


def describe_rest(result: ClassifiedFeatures, n_shown: int) -> str:
    """Say which features follow the first `n_shown` in the result's order.

    Returns
    -------
    str
        Such as "180 irrelevant features", or "190 more features: 10 weak, 180 irrelevant".
    """
    rest = Counter(np.array(result.class_names)[result.order[n_shown:]].tolist())
    parts = ", ".join(f"{count} {name}" for name, count in rest.items())
    if len(rest) > 1:
        return f"{rest.total()} more features: {parts}"
    return f"{parts} feature{'' if rest.total() == 1 else 's'}"


def common_threshold(limits: NDArray[np.float64]) -> float | None:
    """Return the noise threshold that all share, more or less; None where they differ.

    Where there is no finite one, what they share is no number.
    """
    finite = limits[np.isfinite(limits)]
    if not len(finite):
        return math.nan
    typical = float(np.median(finite))
    is_shared = len(finite) == len(limits) and np.ptp(finite) <= _ALIKE * abs(typical)
    return typical if is_shared else None


def noise_of_bars(
    result: ClassifiedFeatures, shown: NDArray[np.intp]
) -> tuple[float | None, NDArray[np.bool_]]:
    """Return the line that the bars shown share, if they do, and which have their own threshold.

    Features of several columns are held to what as many shuffled columns reach; they do not keep
    the others from sharing a line. Where there are no others, nothing shares one.
    """
    is_own = np.array([result.names[j] in result.columns for j in shown], dtype=np.bool_)
    if is_own.size and is_own.all():
        return None, is_own
    shared = ~is_own & ~result.only_conditional[shown]
    others = result.drawn_thresholds[shown][shared] if shared.any() else result.thresholds[1:]
    common = common_threshold(others)
    return common, np.ones(len(shown), dtype=np.bool_) if common is None else is_own


def noise_label(result: ClassifiedFeatures) -> str:
    """Return what the line or the ticks at the noise thresholds mean."""
    limits = result.upper_thresholds
    beyond = limits > np.fmax(result.drawn_thresholds, 0.0)
    if not beyond.any():
        return NOISE
    where = "" if beyond.all() else "here, or "
    return f"noise ends {where}farther out, at {limits[beyond].min():.3g} or more"


def scores(result: ClassifiedFeatures) -> dict[str, tuple[float, float | None]]:
    """Return the baseline's scores by name, each with its standard error where that is known."""
    known = result.baseline
    name, error = str(known.get("score_name", "score")), _known_number(known.get("score_error"))
    more = known.get("scores")
    found = {name: known.get("score"), **(more if isinstance(more, Mapping) else {})}
    numbers = {key: _known_number(value) for key, value in found.items()}
    return {
        key: (value, error if key == name else None)
        for key, value in numbers.items()
        if value is not None
    }


def _known_number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _headline(result: ClassifiedFeatures) -> str:
    d, parts = result.n_features, [f"{n} {word}" for word, n in result.counts.items()]
    return f"{d} feature{'' if d == 1 else 's'}: {', '.join(parts)}"


def _baseline_line(result: ClassifiedFeatures) -> str:
    known = {key: value for key, value in result.baseline.items() if value is not None}
    parts = [
        f"{name} {_number(score)}" + ("" if error is None else f" ± {error:.2g}")
        for name, (score, error) in scores(result).items()
    ]
    is_usual = known.get("loss_name", "hinge") == "hinge"
    loss = "loss" if is_usual else f"{known['loss_name']} loss"
    labels = {"C": "C", "norm": "L1 norm", "loss": loss}
    parts += [f"{label} {_number(known[key])}" for key, label in labels.items() if key in known]
    if "cv_rows" in known:
        parts.append(f"cross-validated on {known['cv_rows']:,} rows")
    if "kind" in known:
        parts[-1] += f" (the least of this norm is {_number(known['least_loss'])})"
        parts.insert(0, str(known["kind"]))
    return f"baseline: {', '.join(parts)}" if parts else ""


def _threshold_line(result: ClassifiedFeatures) -> str:
    low, high = result.thresholds
    if math.isnan(high):  # the classes do not come from thresholds
        return ""
    m = len(result.probes)
    if not m and high <= 0:  # no model uses any feature, so there was nothing to compare
        return "noise threshold: not measured (no probes)"
    source = f"{m or 'no'} probe{'' if m == 1 else 's'}"
    own = "; features of several columns have their own" if result.columns else ""
    limits = result.single_thresholds
    spread = ""
    if len(limits) and common_threshold(limits) is None:
        spread = f", by feature {_number(float(limits.min()))} to {_number(float(limits.max()))}"
    # Only probes that take the place of features can have a smallest relevance above zero.
    both = f"thresholds: min {_number(low)}, max" if low > 0 else "threshold:"
    return f"noise {both} {_number(high)}{spread} ({source}){own}"


def _level_line(result: ClassifiedFeatures) -> str:
    """Say how unlikely noise has to be, where that was decided by p-values."""
    level, fdr = (_known_number(result.baseline.get(key)) for key in ("level", "fdr"))
    if level is None:
        return ""
    line = f"relevant where p is at most {_number(level)}"
    if fdr is None:
        return line
    return f"{line}: at most {100 * fdr:.3g} % of the relevant features are expected to be noise"


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, int | float) else str(value)


def _scale(result: ClassifiedFeatures) -> float:
    """Return the largest relevance of all, where every bar's scale ends."""
    ends = result.intervals[:, 1]
    largest = float(np.max(ends[np.isfinite(ends)], initial=0.0))
    return largest if largest > 0 else 1.0


def _fractions(result: ClassifiedFeatures, j: int) -> tuple[float, float, float]:
    """Return both ends of a feature's bar and the noise threshold as parts of the scale."""
    scale = _scale(result)
    noise = np.inf if result.only_conditional[j] else result.upper_thresholds[j]
    low, high, threshold = np.clip([*result.intervals[j], noise], 0, scale) / scale
    return low, high, threshold


def own_noise(result: ClassifiedFeatures, j: int) -> str:
    """Return the noise threshold of a feature; a dash where it need not pass one."""
    return "–" if result.only_conditional[j] else f"{result.upper_thresholds[j]:.3f}"


def _text_table(result: ClassifiedFeatures, shown: NDArray[np.intp]) -> list[str]:
    names = short_names([result.names[j] for j in shown], _TEXT_NAME)
    pad = max(7, *map(display_width, names))
    end = _number(_scale(result))
    noise = "  noise" if result.shows_noise else ""
    marks = [mark_of(result, j) for j in shown]
    wide = 12 if any(marks) else 10
    lines = [f"{'feature':{pad}}  {'class':{wide}}    min    max{noise}  0{end:>{_TEXT_BAR - 1}}"]
    for name, j, mark in zip(names, shown, marks, strict=True):
        high = result.intervals[j, 1]
        bar = _text_bar(*_fractions(result, j))
        label = f"{result.class_names[j]} {mark}".rstrip()
        noise = f"  {own_noise(result, j):>5}" if result.shows_noise else ""
        end = f"{'≤' if result.only_bounded[j] else ''}{high:5.3f}"
        lines.append(
            f"{padded(name, pad)}  {label:{wide}}  {least_end(result, j):>5} {end:>6}{noise}  {bar}"
        )
    return lines


def _text_bar(low: float, high: float, threshold: float) -> str:
    cells = ["·"] * _TEXT_BAR
    if threshold < 1:
        cells[int(threshold * _TEXT_BAR)] = "┊"
    if math.isfinite(low) and math.isfinite(high):
        start = min(round(low * _TEXT_BAR), _TEXT_BAR - 1)
        stop = max(round(high * _TEXT_BAR), start + 1)  # a point is still seen
        cells[start:stop] = "━" * (stop - start)
    return "".join(cells)


def _html_cells(result: ClassifiedFeatures, j: int) -> tuple[str, ...]:
    high = result.intervals[j, 1]
    mark = mark_of(result, j)
    said = f' <b title="{EITHER if mark == "?" else CONDITIONAL}">{mark}</b>' if mark else ""
    return (
        escape(result.names[j]),
        f"{class_cell(result.class_names[j])}{said}",
        escape(least_end(result, j)),
        f"{'≤ ' if result.only_bounded[j] else ''}{high:.3f}",
        *([own_noise(result, j)] if result.shows_noise else []),
        _html_bar(result, j),
    )


def _html_bar(result: ClassifiedFeatures, j: int) -> str:
    low, high, threshold = _fractions(result, j)
    parts = [
        f'<svg width="{_HTML_BAR}" height="12" style="vertical-align:middle">'
        f'<rect width="{_HTML_BAR}" height="12" fill="#808080" fill-opacity="0.15"/>'
    ]
    if math.isfinite(low) and math.isfinite(high):
        width = max((high - low) * _HTML_BAR, 2.0)  # a point is still seen
        start = min(low * _HTML_BAR, _HTML_BAR - width)
        color = CLASS_COLORS[result.class_names[j]]
        open_ = ' fill-opacity="0.35" stroke="currentColor" stroke-dasharray="3 2"'
        look = open_ if result.could_be_either[j] else ""
        parts.append(
            f'<rect x="{start:.1f}" y="1" width="{width:.1f}" height="10" fill="{color}"{look}/>'
        )
    if threshold < 1:
        x = f"{threshold * _HTML_BAR:.1f}"
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="0" y2="12" stroke="currentColor" stroke-dasharray="2"/>'
        )
    return "".join(parts) + "</svg>"
