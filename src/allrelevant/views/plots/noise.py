"""What noise reaches, and which bars could be on either side of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from allrelevant.results.marks import CONDITIONAL
from allrelevant.results.render import EITHER, noise_label, noise_of_bars
from allrelevant.views.plots.style import BAR_STYLES, DARK, INK, THRESHOLD_STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from allrelevant.results.classified import ClassifiedFeatures

_START = "noise starts here"
_TICK = 0.45  # of a row, to either side
_FINE, _BOLD = 1.6, 2.4  # points
_OPEN: dict[str, Any] = {"linestyle": (0, (2.2, 1.3))}
# Light tints of the classes' colours, which stay apart in a grey print from the colours themselves.
_TINTS = {"strong": "#D6EAF5", "weak": "#FCF0D2", "irrelevant": "#F1F1F1", "forbidden": "#F6E0DD"}


def class_bars(
    ax: Axes,
    result: ClassifiedFeatures,
    shown: NDArray[np.intp],
    ends: NDArray[np.float64],
    *,
    upright: bool = False,
    **style: Any,
) -> list[Any]:
    """Draw a bar for each feature shown, in the style of its class.

    Returns
    -------
    list of handles
        Entries for the legend that no bar stands for: classes of which all bars are open, and
        what an open bar means.
    """
    words = np.array(result.class_names, dtype=object)[shown]
    either = result.could_be_either[shown]
    missing = []
    for word, own in BAR_STYLES.items():
        of_class = words == word
        sure, unsure = np.flatnonzero(of_class & ~either), np.flatnonzero(of_class & either)
        if len(sure):
            _bars(ax, sure, ends[sure], upright, label=word, **style, **own)
        if len(unsure):
            tint = own | {"facecolor": _TINTS[word]} | _OPEN
            _bars(ax, unsure, ends[unsure], upright, **style, **tint)
            if not len(sure):
                missing.append(_patch(label=word, **own))
    if either.any():
        look = {"facecolor": _TINTS["irrelevant"], "edgecolor": DARK, "linewidth": 1.2}
        missing.append(_patch(label=EITHER, **look, **_OPEN))
    if result.only_bounded[shown].any():
        missing.append(_mark("$\\leq$", "a bound"))
    if result.relevant_by_conditional[shown].any():
        missing.append(_mark("$\\ast$", CONDITIONAL))
    return missing


def mark_either(
    ax: Axes,
    result: ClassifiedFeatures,
    shown: NDArray[np.intp],
    ends: NDArray[np.float64],
    *,
    upright: bool = False,
) -> None:
    """Put a mark behind some bars, clear of their threshold.

    ? could be either, ≤ a bound, ∗ passes the conditional test.
    """
    limits = result.drawn_thresholds[shown]
    either, bounded = result.could_be_either[shown], result.only_bounded[shown]
    for row in np.flatnonzero(either | bounded | result.relevant_by_conditional[shown]):
        places = np.array([ends[row, 1], limits[row]])
        end = float(np.max(places[np.isfinite(places)], initial=0.0))
        ax.annotate(
            "?" if either[row] else "≤" if bounded[row] else "∗",
            (row, end) if upright else (end, row),
            xytext=(0, 3) if upright else (4, 0),
            textcoords="offset points",
            horizontalalignment="center" if upright else "left",
            verticalalignment="bottom" if upright else "center",
            fontsize="small",
            fontweight="bold",
            color=DARK,
        )


def noise_lines(
    ax: Axes,
    result: ClassifiedFeatures,
    shown: NDArray[np.intp],
    *,
    upright: bool = False,
    signed: bool = False,
) -> list[Any]:
    """Draw the noise threshold: one line for all, or a tick for each bar where they differ.

    Where bars of noise do not start at zero, as when probes replace features, there is a line for
    that, too.

    Returns
    -------
    list of handles
        Entries of the legend for ticks, which look like them.
    """
    limits = result.drawn_thresholds[shown]
    common, is_own = noise_of_bars(result, shown)
    line = ax.axhline if upright else ax.axvline
    if 0.0 < result.thresholds[0] < np.inf and not signed:
        line(result.thresholds[0], label=_START, **THRESHOLD_STYLE | {"linestyle": ":"})
    if common is None:
        if signed:
            _ticks(ax, -limits, upright, _FINE)
        return _ticks(ax, limits, upright, _FINE, noise_label(result))
    if np.isfinite(common):
        line(common, label=noise_label(result), **THRESHOLD_STYLE)
        if signed:
            line(-common, **THRESHOLD_STYLE)
    if signed:  # features of several columns have no sign
        return []
    return _ticks(ax, np.where(is_own, limits, np.nan), upright, _BOLD, "its own threshold")


def _bars(
    ax: Axes, rows: NDArray[np.intp], ends: NDArray[np.float64], upright: bool, **style: Any
) -> None:
    low, high = ends.T
    thickness = style.pop("thickness")
    if upright:
        ax.bar(rows, high - low, bottom=low, width=thickness, **style)
    else:
        ax.barh(rows, high - low, left=low, height=thickness, **style)


def _ticks(
    ax: Axes, at: NDArray[np.float64], upright: bool, width: float, label: str = ""
) -> list[Any]:
    """Draw a tick across each bar; give the legend's entry for them."""
    from matplotlib.lines import Line2D

    rows = np.flatnonzero(np.isfinite(at))
    if not len(rows):
        return []
    draw = ax.hlines if upright else ax.vlines
    draw(at[rows], rows - _TICK, rows + _TICK, color=INK, linewidth=width, label=label)
    mark: dict[str, Any] = {"marker": "_" if upright else "|", "markersize": 10, "mew": width}
    return [Line2D([], [], linestyle="none", color=INK, label=label, **mark)]


def _mark(sign: str, label: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none", marker=sign, color=DARK, label=label)


def _patch(**style: Any) -> Any:
    from matplotlib.patches import Patch

    return Patch(**style)
