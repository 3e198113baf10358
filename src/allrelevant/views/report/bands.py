"""Geometry of the intervals as the tolerance grows: a small picture for each relevant feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.results.relevance import RelevanceResult
from allrelevant.views.report.pictures import axis_of

_MOST = 12


@dataclass(frozen=True)
class Band:
    """One feature: the outline of its band, and where things are."""

    width, height = 250.0, 118.0
    left, right, top, bottom = 34.0, 234.0, 6.0, 98.0

    name: str
    kind: str
    label: str
    points: str
    ticks: tuple[tuple[float, str], ...]
    tolerances: tuple[tuple[float, str], ...]
    here: float
    without: float | None  # the smallest tolerance at which some model does without it


def tolerance_bands(
    result: RelevanceResult, path: Any, needed: Mapping[str, float] | None = None
) -> list[Band]:
    """Lay out the relevant features, the most relevant first.

    Parameters
    ----------
    path : TolerancePath or None
        What ``estimator.path_over_tolerance()`` gives.
    needed : mapping, optional
        Of features the tolerance up to which all good models need them.
    """
    if path is None or len(path.factors) < 2:
        return []
    chosen = [j for j in result.order.tolist() if result.classes[j] > 0][:_MOST]
    if not chosen:
        return []
    tolerances, own = path.tolerances[:, 0], float(result.baseline["tolerance_norm"])
    _, highest, ticks = axis_of([0.0, *path.feature_intervals[:, chosen, 1].ravel()])
    last = float(tolerances.max()) or 1.0

    def x(tolerance: float) -> float:
        return round(Band.left + tolerance / last * (Band.right - Band.left), 2)

    def y(relevance: float) -> float:
        return round(Band.bottom - relevance / highest * (Band.bottom - Band.top), 2)

    marks = tuple((y(tick), f"{tick:.3g}") for tick in ticks[:: max(1, len(ticks) // 3)])
    ends = tuple((x(value), f"{value:.2g}") for value in (0.0, own, last) if value <= last)
    bands = []
    for j in chosen:
        low, high = path.feature_intervals[:, j].T
        there = [f"{x(t)},{y(value)}" for t, value in zip(tolerances, high, strict=True)]
        name = result.names[j]
        price = (needed or {}).get(name, 0.0)
        lower = sorted([*zip(tolerances, low, strict=True), (min(price, last), 0.0)])
        back = [f"{x(t)},{y(value)}" for t, value in lower if value > 0 or t >= price]
        bands.append(
            Band(
                name=name,
                kind=result.class_names[j],
                label=_said(name, tolerances, low, high),
                points=" ".join([*there, *reversed(back)]),
                ticks=marks,
                tolerances=ends,
                here=x(own),
                without=x(price) if 0.0 < price <= last else None,
            )
        )
    return bands


def _said(name: str, tolerances: Any, low: Any, high: Any) -> str:
    """The picture in words, for those who do not see it."""
    places = [0, int(np.argmax(tolerances))]
    parts = [f"{low[k]:.3f} to {high[k]:.3f} at tolerance {tolerances[k]:.3g}" for k in places]
    return f"Relevance of {name}: {', '.join(parts)}"
