"""Answers to questions that take long, as plain values; functions of the estimator alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.views.report import render_report

_MOST_SAMPLES = 500
_PATIENCE = 20.0  # seconds for a cheapest set, and for a list of stand-ins


def groups(estimator: Any) -> dict[str, Any]:
    """The group of every feature; 0 for irrelevant ones."""
    return {"labels": np.asarray(estimator.groups().labels).tolist()}


def needed(estimator: Any) -> dict[str, Any]:
    """Up to which tolerance all models need each feature."""
    return {
        "needed": [None if math.isinf(one) else one for one in estimator.needed_up_to_.tolist()]
    }


def samples(
    estimator: Any, constraints: Mapping[str, Any], asked: range, X: Any, n: int
) -> dict[str, Any]:
    """What equally good models under constraints predict, samples they differ most in first.

    `X` are those asked about, of `n` there are.
    """
    if not asked:
        return {"rows": [], "n": n, "open": 0}
    # With more than two classes there is no one decision value, and labels alone take less time.
    ends = len(getattr(estimator, "classes_", ())) <= 2
    ranges = estimator.prediction_range(X, ends=ends, **constraints)
    outcomes = list(ranges.outcomes)
    index = getattr(X, "index", asked)
    settled = np.asarray(ranges.settled) if outcomes else np.ones(len(asked), dtype=bool)
    labels = ranges.labels if outcomes else [()] * len(asked)
    rows = [
        {
            "name": str(index[k]),
            "low": finite(float(np.min(ranges.low[k]))),
            "high": finite(float(np.max(ranges.high[k]))),
            "labels": [str(label) for label in labels[k]],
            "settled": bool(settled[k]),
        }
        for k in np.argsort(settled if outcomes else -_widths(ranges), kind="stable").tolist()
    ][:_MOST_SAMPLES]
    return {"rows": rows, "n": n, "open": int((~settled).sum())}


def _widths(ranges: Any) -> Floats:
    """How much the predictions of a number differ: what is first in a list of them."""
    return np.asarray(ranges.high, dtype=float) - np.asarray(ranges.low, dtype=float)


def substitutes(estimator: Any, feature: str, constraints: Mapping[str, Any]) -> dict[str, Any]:
    """What has to be used when a feature is not, by models that keep constraints."""
    found = estimator.substitutes(feature, time_limit=_PATIENCE, **constraints)
    return {
        "feature": feature,
        "replaceable": bool(found.is_replaceable),
        "names": [str(name) for name in found.stand_ins],
        "found": bool(found.is_shortest),
    }


def cheapest(
    estimator: Any, costs: tuple[tuple[str, float], ...], constraints: Mapping[str, Any]
) -> dict[str, Any]:
    """The cheapest set of features that is enough for a model that keeps constraints."""
    found = estimator.cheapest_set(dict(costs), time_limit=_PATIENCE, **constraints)
    return {
        "features": [str(name) for name in found.features],
        "cost": finite(float(found.cost)),
        "gap": finite(float(found.gap)),
    }


def report(
    estimator: Any, constraints: Mapping[str, Any], target: str | None, notes: Sequence[str] = ()
) -> str:
    """The report, under constraints if there are any."""
    result = estimator.what_if(**constraints) if constraints else estimator.result_
    return render_report(result, target=target, notes=notes)


def finite(value: float) -> float | None:
    """The number, or None where JSON has none for it."""
    return float(value) if math.isfinite(value) else None
