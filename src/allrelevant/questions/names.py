"""Features by name or position, and what is said about them."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from allrelevant.engine.pieces import Floats
from allrelevant.estimators.validation import check_number, column_names


def feature_index(estimator: Any, feature: Any, parameter: str = "feature") -> int:
    """The position of a feature that is given by its name or its position."""
    names = column_names(estimator, estimator.n_features_in_)
    return position(names, feature, parameter)


def position(names: list[str], feature: Any, parameter: str) -> int:
    """The place of a name, or of a position counted from either end."""
    n = len(names)
    if isinstance(feature, Integral) and not isinstance(feature, bool | np.bool_):
        if -n <= int(feature) < n:
            return int(feature) % n
        raise ValueError(
            f"{parameter} names position {feature}, but there are {n} features: give 0 to {n - 1}."
        )
    if isinstance(feature, str) and feature in names:
        if names.count(feature) > 1:
            raise ValueError(f"{parameter} names {feature!r}, which several features are called.")
        return names.index(feature)
    shown = ", ".join(repr(name) for name in names[:8]) + (", …" if n > 8 else "")
    raise ValueError(
        f"{parameter} names {feature!r}, which is no feature: give a position or one of {shown}."
    )


def check_costs(estimator: Any, costs: Mapping[Any, float] | None, default_cost: float) -> Floats:
    """The cost of every feature."""
    if costs is not None and not isinstance(costs, Mapping):
        raise ValueError(f"costs must map features to numbers, got {costs!r}.")
    every = np.full(estimator.n_features_in_, float(default_cost))
    seen: dict[int, Any] = {}
    for feature, cost in (costs or {}).items():
        k = feature_index(estimator, feature, "costs")
        if k in seen:
            raise ValueError(f"costs names one feature twice: {seen[k]!r} and {feature!r}.")
        check_number(f"the cost of {feature!r}", cost, low=0.0)
        seen[k] = feature
        every[k] = cost
    return every
