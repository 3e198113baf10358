"""For whom good models disagree: how many samples have which labels, and who they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

_MOST_PEOPLE = 200  # samples that are listed
_MOST_BARS = 12  # sets of labels that have a bar of their own


def prediction_facts(predictions: Any, rows: Sequence[Any] | None) -> dict[str, Any] | None:
    """How many samples are open, and some of them by their rows, counted from 1."""
    if predictions is None or not len(predictions.outcomes):
        return None
    settled = list(predictions.settled)
    n_open = len(settled) - sum(map(bool, settled))
    names = range(1, len(settled) + 1) if rows is None else rows
    labels = [tuple(map(str, own)) for own in getattr(predictions, "labels", [()] * len(settled))]
    both = zip(names, labels, settled, strict=True)
    listed = [(name, " or ".join(own)) for name, own, done in both if not done]
    return {
        "n": len(settled),
        "open": n_open,
        "share": f"{n_open / max(len(settled), 1):.0%}",
        "listed": listed[:_MOST_PEOPLE],
        "bars": _bars(labels, [str(one) for one in predictions.outcomes]),
    }


def _bars(labels: Sequence[tuple[str, ...]], outcomes: Sequence[str]) -> list[dict[str, Any]]:
    """How many samples have which labels: one label in the order of classes, then several."""
    counts = Counter(own for own in labels if own)
    place = {label: k for k, label in enumerate(outcomes)}
    alone = sorted((own for own in counts if len(own) == 1), key=lambda own: place.get(own[0], 0))
    several = sorted((own for own in counts if len(own) > 1), key=lambda own: -counts[own])
    shown = [*alone, *several]
    most = max(counts.values(), default=1)
    bars = [
        {
            "labels": " or ".join(own),
            "n": counts[own],
            "open": len(own) > 1,
            "width": f"{100 * counts[own] / most:.1f}",
        }
        for own in shown[:_MOST_BARS]
    ]
    rest = sum(counts[own] for own in shown[_MOST_BARS:])
    if rest:
        width = f"{100 * min(rest / most, 1.0):.1f}"
        bars.append({"labels": "other labels", "n": rest, "open": True, "width": width})
    return bars
