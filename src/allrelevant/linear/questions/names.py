"""Features by name or position, and what is said about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from allrelevant.base.names import position
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
