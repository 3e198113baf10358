"""What it costs to have features; one of several columns is paid for once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.features import Features
from allrelevant.base.validation import check_number


def check_costs(
    features: Features, costs: Mapping[Any, float] | None, default_cost: float
) -> Floats:
    """The cost of every feature."""
    if costs is not None and not isinstance(costs, Mapping):
        raise ValueError(f"costs must map features to numbers, got {costs!r}.")
    found = np.full(len(features), float(default_cost))
    named: dict[int, Any] = {}
    for feature, cost in (costs or {}).items():
        check_number(f"the cost of {feature!r}", cost, low=0.0)
        part = features.part(feature)
        if part is not None:
            whole = features.names[features.owner[part]]
            raise ValueError(
                f"costs names {feature!r}, a column of {whole!r}, which is paid for once: give "
                f"the cost of {whole!r}."
            )
        j = features.position(feature, "costs")
        if j in named:
            raise ValueError(
                f"costs names one feature twice: {named[j]!r} and {feature!r}, so leave out one "
                "of them."
            )
        named[j], found[j] = feature, cost
    return found
