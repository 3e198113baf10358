"""A page about two fits: what has changed, and which changes are beyond noise."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np

from allrelevant._version import __version__
from allrelevant.results.comparison import Comparison
from allrelevant.views.report.environment import template_named
from allrelevant.views.report.pictures import axis_of
from allrelevant.views.report.words import readable_p

_PLOT = 300.0  # width of a row's picture
_MOST_SAME = 30  # rows without a change that are in the table


def render_comparison(
    found: Comparison,
    *,
    title: str | None = None,
    before: str = "before",
    after: str = "after",
    day: date | None = None,
) -> str:
    """Return the page as HTML; the parameters are those of `Comparison.report`."""
    ends = np.concatenate([found.intervals_before, found.intervals_after])
    _, highest, ticks = axis_of([0.0, *ends[np.isfinite(ends)]])
    rows = [_row(found, j, highest) for j in found.order.tolist()]
    differs = sum(bool(row["change"]) for row in rows)
    return template_named("comparison.html").render(
        title=title or "What has changed?",
        before=before,
        after=after,
        verdict=found.verdict(),
        rows=rows[: differs + _MOST_SAME],
        rest=max(0, len(rows) - differs - _MOST_SAME),
        ticks=[(round(tick / highest * _PLOT, 1), f"{tick:.3g}") for tick in ticks],
        width=_PLOT,
        same_rows=found.same_rows,
        level=f"{found.level:.3g}",
        day=(day or date.today()).isoformat(),
        version=__version__,
    )


def _ends(interval: Any) -> str:
    low, high = interval
    return f"{low:.3f} to {high:.3f}" if np.isfinite(interval).all() else "not there"


def _row(found: Comparison, j: int, highest: float) -> dict[str, Any]:
    def bar(ends: Any, kind: str) -> dict[str, Any] | None:
        low, high = ends
        if not np.isfinite(ends).all():
            return None
        x, width = low / highest * _PLOT, max((high - low) / highest * _PLOT, 1.5)
        return {"x": round(x, 2), "width": round(width, 2), "kind": kind}

    was, now = found.intervals_before[j], found.intervals_after[j]
    return {
        "name": found.names[j],
        "before": found.before[j],
        "after": found.after[j],
        "change": found.changes[j],
        "counts": bool(found.is_beyond_noise[j]),
        "judgement": found.judgements[j],
        "p": readable_p(found.p_values[j]),
        "bars": (bar(was, found.before[j]), bar(now, found.after[j])),
        "said": f"{_ends(was)} before, {_ends(now)} after",
    }
