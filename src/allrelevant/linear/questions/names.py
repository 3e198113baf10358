"""Features by name or position, and what is said about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from allrelevant.base.names import closest
from allrelevant.base.validation import column_names

if TYPE_CHECKING:
    from allrelevant.linear.questions.column_groups import ColumnGroup


def feature_index(estimator: Any, feature: Any, parameter: str = "feature") -> int:
    """The position of a feature that is given by its name or its position."""
    group = group_of(estimator, feature)
    if group is not None:
        raise is_a_group(feature, group.columns, parameter)
    names = column_names(estimator, estimator.n_features_in_)
    return position(names, feature, parameter, also=list(estimator._column_groups))


def group_of(estimator: Any, feature: Any) -> ColumnGroup | None:
    """The group of columns that has this name; None where it is a feature's, or no name at all."""
    groups: Mapping[str, ColumnGroup] = estimator._column_groups
    if not isinstance(feature, str) or feature not in groups:
        return None
    return None if feature in column_names(estimator, estimator.n_features_in_) else groups[feature]


def columns_of(estimator: Any, feature: Any, parameter: str) -> list[int]:
    """The positions of a feature's columns: of all of them where it is a group."""
    group = group_of(estimator, feature)
    return [feature_index(estimator, feature, parameter)] if group is None else list(group.places)


def listed(given: Any, parameter: str) -> list[Any]:
    """Features that are given as any iterable but a string, which would be one of letters."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ValueError(f"{parameter} must be a list of features, got {given!r}.")
    return list(given)


def is_a_group(name: str, columns: Sequence[str], parameter: str) -> ValueError:
    """The error where a feature is asked for and a group of columns is given."""
    shown = ", ".join(repr(column) for column in columns[:8]) + (", …" if len(columns) > 8 else "")
    return ValueError(
        f"{parameter} names {name!r}, which is a group of columns: give one of them, {shown}."
    )


def position(names: list[str], feature: Any, parameter: str, *, also: Sequence[str] = ()) -> int:
    """The place of a name, or of a position counted from either end.

    Names that were meant are looked for among `also`, too: those of groups.
    """
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
    meant = closest(feature, [*also, *names]) if isinstance(feature, str) else None
    shown = ", ".join(repr(name) for name in names[:8]) + (", …" if n > 8 else "")
    advice = f"did you mean {meant!r}?" if meant else f"give a position or one of {shown}."
    raise ValueError(f"{parameter} names {feature!r}, which is no feature: {advice}")
