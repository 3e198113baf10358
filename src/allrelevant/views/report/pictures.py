"""Geometry of the report's pictures; the template turns it into SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import dendrogram

from allrelevant.base.names import display_width, short_names
from allrelevant.results.marks import CONDITIONAL
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import BOUND, EITHER, STRONG, describe_rest, noise_of_bars
from allrelevant.views.report.words import readable_p

_MOST = 40  # bars
_ROW, _NAMES, _PLOT, _TOP, _BOTTOM = 22.0, 235.0, 495.0, 10.0, 44.0
_NAME_LENGTH, _LETTER = 28, 8.4  # as much as a browser without fonts of its own needs
_NARROW = 60.0
_MARGIN, _LINE = 14.0, 17.0
_PRICES = 78.0
# A screen in the hand: its width, the line above a bar, and what a price takes of it.
_PHONE, _ABOVE, _SAID = 345.0, 18.0, 135.0


@dataclass(frozen=True)
class Bar:
    """One row: its name, its class in a word, and where things are."""

    name: str
    label: str
    kind: str
    y: float
    x: float
    width: float
    marker: float | None
    noise: tuple[float, ...]  # its own threshold, where that is not the common one
    either: float | None  # where to put the mark of a borderline feature
    bound: float | None  # where to put that of a bound
    explains: float | None  # where to put that of one that passes the conditional test alone
    before: tuple[float, float] | None
    price: str  # up to which tolerance all models need the feature


@dataclass(frozen=True)
class BarChart:
    """Bars with their axis."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    thresholds: tuple[float, ...]
    ticked: bool  # every bar has its own threshold, so there is no common line
    zero: float | None
    rest: str
    width: float
    height: float
    bottom: float
    row: float
    names: float
    axis: tuple[str, ...]  # its lines
    priced: float | None  # where prices are written, if there are any
    phone: BarChart | None = None  # the same for a narrow screen, with names above the bars


@dataclass(frozen=True)
class Tree:
    """The tree of groups: names of the leaves, and lines as lists of points."""

    names: tuple[tuple[float, str], ...]
    bands: tuple[tuple[float, float], ...]
    lines: tuple[str, ...]
    cut: float | None
    width: float
    height: float
    left: float


def bar_chart(
    result: RelevanceResult,
    *,
    signed: bool = False,
    needed: Mapping[str, str] | None = None,
) -> BarChart:
    """Lay out one bar per feature, the most relevant on top, and what doing without it takes."""
    wide, narrow = (
        _laid_out(result, signed, needed or {}, on_phone=on_phone) for on_phone in (False, True)
    )
    return replace(wide, phone=narrow)


def _laid_out(
    result: RelevanceResult, signed: bool, needed: Mapping[str, str], *, on_phone: bool
) -> BarChart:
    shown = result.order[:_MOST]
    if signed:
        shown = shown[np.isfinite(result.signed_intervals[shown]).all(axis=1)]
    ends = (result.signed_intervals if signed else result.intervals)[shown]
    weights = result.weights[shown] if signed else np.abs(result.weights[shown])
    earlier: RelevanceResult | None = getattr(result, "before", None)
    past = None
    if earlier is not None:
        past = (earlier.signed_intervals if signed else earlier.intervals)[shown]
    lines, own = _thresholds(result, shown, signed)
    extent = [0.0, *ends.ravel(), *weights, *lines, *(value for row in own for value in row)]
    extent += [] if past is None else past.ravel().tolist()
    low, high, ticks = axis_of([value for value in extent if np.isfinite(value)])

    prices = _PRICES if needed else 0.0
    if on_phone:
        lift, room, plot = _ABOVE, 0.0, _PHONE - 3 * _MARGIN
        width, letters = _PHONE, int((_PHONE - (_SAID if needed else 0.0)) / _LETTER)
    else:
        lift, width, letters = 0.0, _NAMES + _PLOT + 3 * _MARGIN + prices, _NAME_LENGTH
    names = short_names([result.names[j] for j in shown], letters)
    if not on_phone:
        room = room_for(names)
        plot = _NAMES + _PLOT - room  # what names leave
    height = _ROW + lift

    def at(value: float) -> float:
        return round(room + _MARGIN + (value - low) / (high - low) * plot, 2)

    either, bounded = result.could_be_either[shown], result.only_bounded[shown]
    explains = result.relevant_by_conditional[shown]
    bars = []
    for row, j in enumerate(shown):
        start, stop = np.nan_to_num(ends[row], posinf=high, neginf=low)
        noise = tuple(at(value) for value in own[row])
        stop_at = max(at(start) + 2.0, at(stop))
        end = max([stop_at, *noise, *map(at, lines)])
        bars.append(
            Bar(
                name=names[row],
                label=_said(result, j, start, stop, bool(noise)),
                kind=result.class_names[j],
                y=_TOP + row * height + lift,
                x=at(start),
                width=round(stop_at - at(start), 2),
                marker=at(float(weights[row])) if np.isfinite(weights[row]) else None,
                noise=noise,
                either=end if either[row] else None,
                bound=end if bounded[row] and not either[row] else None,
                explains=end if explains[row] and not either[row] else None,
                before=None if past is None else (at(past[row, 0]), at(past[row, 1])),
                price=needed.get(result.names[j], ""),
            )
        )
    rest = describe_rest(result, _MOST) if result.n_features > _MOST else ""
    bottom = _TOP + height * len(shown) + _ROW * bool(rest)
    about = f"{'signed weight' if signed else 'relevance'} ({result.unit})"
    axis = tuple(wrap(about, int(width / _LETTER)))
    return BarChart(
        bars=tuple(bars),
        ticks=tuple((at(tick), f"{tick:.3g}") for tick in ticks),
        thresholds=tuple(at(line) for line in lines),
        ticked=not lines and any(own),
        zero=at(0.0) if signed else None,
        rest=f"and {rest}" if rest else "",
        width=width,
        height=bottom + _BOTTOM + (len(axis) - 1) * _LINE,
        bottom=bottom,
        row=height,
        names=room,
        priced=width - 6.0 if needed else None,
        axis=axis,
    )


def _thresholds(
    result: RelevanceResult, shown: NDArray[np.intp], signed: bool
) -> tuple[list[float], list[tuple[float, ...]]]:
    """Return the lines that all bars share, and what each bar has of its own."""
    limits = result.drawn_thresholds[shown]
    common, is_own = noise_of_bars(result, shown)
    sides = (1.0, -1.0) if signed else (1.0,)
    has_own = np.isfinite(limits) & is_own
    own = [
        tuple(side * float(limit) for side in sides) if has else ()
        for limit, has in zip(limits, has_own, strict=True)
    ]
    if common is None or not np.isfinite(common):
        return [], own
    return [side * common for side in sides], own


def _said(result: RelevanceResult, j: int, start: float, stop: float, has_own: bool) -> str:
    """Return what a row says when it is pointed at."""
    name = result.names[j]
    if name in result.forbidden:
        return f"{name}: forbidden"
    parts = [f"{name}: {result.class_names[j]}, {start:.3f} to {stop:.3f}"]
    if result.class_names[j] == "strong":
        parts.append(STRONG)
    if result.only_conditional[j]:
        parts.append(CONDITIONAL)
    if has_own:
        parts.append(f"its own noise threshold: {result.upper_thresholds[j]:.3f}")
    p = np.ravel(result.p_values[j])[-1] if len(result.p_values) else np.nan  # of being relevant
    if np.isfinite(p):
        parts.append(f"p {readable_p(p)}")
    if result.could_be_either[j]:
        parts.append(EITHER)
    if result.only_bounded[j]:
        parts.append(BOUND)
    return "; ".join(parts)


def group_tree(result: RelevanceResult, groups: Any) -> Tree | None:
    """Lay out the tree of groups, leaves on the left; None where there is none."""
    leaves = np.array([result.names.index(name) for name in groups.leaves], dtype=np.intp)
    if len(leaves) < 2:
        return None
    tree: Any = dendrogram(np.asarray(groups.linkage, dtype=float), no_plot=True)
    order = leaves[tree["leaves"]]
    names = short_names([result.names[j] for j in order], _NAME_LENGTH)
    room = room_for(names)
    left, span = room + _MARGIN, (_NAMES + _PLOT - room) * 0.8

    def x(height: float) -> float:
        return round(left + height * span, 2)

    def y(place: float) -> float:
        return round(_TOP + (place / 10.0) * _ROW, 2)

    lines = tuple(
        " ".join(f"{x(h)},{y(p)}" for p, h in zip(places, heights, strict=True))
        for places, heights in zip(tree["icoord"], tree["dcoord"], strict=True)
    )
    labels = np.asarray(groups.labels)[order]
    starts = np.flatnonzero(np.r_[True, labels[1:] != labels[:-1]])
    stops = np.r_[starts[1:], len(order)]
    bands = [
        (_TOP + a * _ROW, (b - a) * _ROW) for a, b in zip(starts[::2], stops[::2], strict=True)
    ]
    cut = float(groups.height)
    return Tree(
        names=tuple((_TOP + (k + 0.5) * _ROW, name) for k, name in enumerate(names)),
        bands=tuple((float(a), float(b)) for a, b in bands),
        lines=lines,
        cut=x(cut) if cut > 0 else None,
        width=left + span + 2 * _MARGIN,
        height=_TOP + _ROW * len(order) + _TOP,
        left=room,
    )


def room_for(names: Sequence[str]) -> float:
    """The width of a column of names: as much as the longest needs, so that bars have the rest."""
    longest = max(map(display_width, names), default=0)
    return min(_NAMES, max(_NARROW, _LETTER * longest))


def axis_of(values: list[float]) -> tuple[float, float, list[float]]:
    """Return the ends of an axis that holds all values, and round numbers on it."""
    low, high = min(values), max(values)
    if high - low < 1e-12:
        high = low + 1.0
    raw = (high - low) / 6.0
    power = 10.0 ** np.floor(np.log10(raw))
    step = float(next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= raw * (1 - 1e-9)))
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    ticks = [float(k * step) for k in np.arange(first, last + 1)]
    return ticks[0], ticks[-1], ticks
