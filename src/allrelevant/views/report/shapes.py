"""Geometry of how predictions follow features, in forests and curves: a small picture for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from allrelevant.base.names import short_names
from allrelevant.views.report.pictures import axis_of

__all__ = ["ShapePicture", "curve_pictures", "shape_pictures"]

_MOST = 12  # features
_MOST_OUTCOMES = 5  # curves in a picture
_LETTERS = 9  # of a level's name below its mark


@dataclass(frozen=True)
class ShapePicture:
    """One feature: curves with their bands, or marks of a category's levels."""

    width, height = 250.0, 128.0
    left, right, top, bottom = 38.0, 238.0, 6.0, 102.0

    name: str
    label: str
    curves: tuple[tuple[str, str, str], ...]  # of each outcome its name, its line and its band
    marks: tuple[tuple[int, float, float, float, float], ...]  # outcome, x, y, and both ends
    ticks: tuple[tuple[float, str], ...]
    below: tuple[tuple[float, str], ...]
    rows: tuple[float, ...]  # where the values of the fit are dense
    zero: float | None = None  # where nothing is added, of what is added to a score


def shape_pictures(shapes: Sequence[Any] | None, most: int | None = _MOST) -> list[ShapePicture]:
    """Lay out what ``estimator.shapes()`` gives, all with the same scale upwards."""
    some = list(shapes or ())[:most]
    if not some:
        return []
    every = np.concatenate([np.concatenate([one.low, one.high]).ravel() for one in some])
    y, marks = _upwards(every.tolist())
    # The same classes in the same colours in all pictures: those that change most.
    reach = np.max([np.ptp(one.mean, axis=0) for one in some], axis=0)
    chosen = sorted(np.argsort(-reach, kind="stable")[:_MOST_OUTCOMES].tolist())
    return [_picture(one, y, marks, chosen) for one in some]


def curve_pictures(bands: Sequence[Any] | None) -> list[ShapePicture]:
    """Lay out what ``estimator.shape_range(feature)`` gives of some features, in the same way."""
    some = list(bands or ())[:_MOST]
    if not some:
        return []
    ends = [float(end) for band in some for end in (band.low.min(), band.high.max())]
    y, marks = _upwards([0.0, *ends])
    pictures = []
    for band in some:
        name = band.feature
        if band.classes is not None:
            name = "{}: {} rather than {}".format(name, *reversed(band.classes))
        shape = _CurveShape(name, band.values, *_as_columns(band))
        said = f"{name}: adds between {band.low.min():.3g} and {band.high.max():.3g}"
        drawn = _picture(shape, y, marks, [0])
        pictures.append(replace(drawn, label=said, rows=(), zero=y(0.0)))
    return pictures


@dataclass(frozen=True)
class _CurveShape:
    """The band of a curve in the form that forests have: a column for each outcome."""

    name: str
    values: Any
    low: Any
    high: Any
    mean: Any
    outcomes: tuple[str, ...] = ()
    is_category: bool = False


def _as_columns(band: Any) -> list[Any]:
    return [np.asarray(one)[:, None] for one in (band.low, band.high, band.baseline)]


def _upwards(values: list[float]) -> tuple[Any, tuple[tuple[float, str], ...]]:
    """A common scale upwards, and its marks."""
    low, high, ticks = axis_of(values)

    bottom, room = ShapePicture.bottom, ShapePicture.bottom - ShapePicture.top

    def y(value: float) -> float:
        return round(bottom - (value - low) / (high - low) * room, 2)

    return y, tuple((y(tick), _mark(tick)) for tick in ticks[:: max(1, len(ticks) // 3)])


def _mark(value: float) -> str:
    """A number beside a small picture, where there is room for six characters."""
    size = abs(value)
    if 1e4 <= size < 1e9:
        return f"{value / 1e6:.3g}M" if size >= 1e6 else f"{value / 1e3:.3g}k"
    return f"{value:.3g}".replace("e+0", "e").replace("e-0", "e-")


def _picture(
    shape: Any, y: Any, ticks: tuple[tuple[float, str], ...], chosen: list[int]
) -> ShapePicture:
    k, left, right = len(shape.values), ShapePicture.left, ShapePicture.right
    if shape.is_category:
        places = [left + (i + 0.5) / k * (right - left) for i in range(k)]
        words = short_names(list(shape.values), _LETTERS) if k <= 4 else ["" for _ in range(k)]
        below = tuple(zip(places, words, strict=True))
    else:
        first, last = float(shape.values[0]), float(shape.values[-1])
        span = (last - first) or 1.0
        places = [left + (float(v) - first) / span * (right - left) for v in shape.values]
        below = ((left, _end(first)), (right, _end(last))) if k > 1 else ()
    places = [round(x, 2) for x in places]
    outcomes = shape.outcomes or ("prediction",)
    curves, marks = [], []
    for number, c in enumerate(chosen):
        low, high, mean = shape.low[:, c], shape.high[:, c], shape.mean[:, c]
        if shape.is_category:
            ends = zip(places, mean, low, high, strict=True)
            marks += [(number, x + 4.0 * number, y(m), y(a), y(b)) for x, m, a, b in ends]
            curves.append((outcomes[c], "", ""))
            continue
        line = [f"{x},{y(m)}" for x, m in zip(places, mean, strict=True)]
        upper = [f"{x},{y(v)}" for x, v in zip(places, high, strict=True)]
        lower = [f"{x},{y(v)}" for x, v in zip(places, low, strict=True)]
        curves.append((outcomes[c], " ".join(line), " ".join([*upper, *reversed(lower)])))
    said = (
        f"{shape.name}: mean prediction of {outcomes[c]} from {shape.mean[:, c].min():.3g} "
        f"to {shape.mean[:, c].max():.3g}"
        for c in chosen
    )
    return ShapePicture(
        name=shape.name,
        label="; ".join(said),
        curves=tuple(curves),
        marks=tuple(marks),
        ticks=ticks,
        below=below,
        rows=() if shape.is_category else tuple(places),
    )


def _end(value: float) -> str:
    """A number of three digits; a large one whole, without an exponent."""
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"
