"""Features and their columns: one of each as a rule, several for a category or a spline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.base.names import position


@dataclass(frozen=True, eq=False)
class Features:
    """Which columns belong to which feature; made once, when a model is fitted.

    Parameters
    ----------
    names : tuple of str
        The features, in the order of their first columns.
    columns : tuple of str
        The columns of the table.
    places : tuple of tuples of int
        The columns of each feature by their positions.
    curves : tuple of int
        The features, by their positions, whose columns are pieces of a curve.
    references : tuple of int
        The columns without a weight: levels with which others of their category are compared.
    """

    names: tuple[str, ...]
    columns: tuple[str, ...]
    places: tuple[tuple[int, ...], ...]
    curves: tuple[int, ...] = ()
    references: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        groups: Mapping[str, Sequence[Any]] | None = None,
        others: Sequence[str] = (),
    ) -> Features:
        """Every column a feature of its own, but for groups of them; `others` are names taken."""
        owned = _checked(groups, list(columns), others)
        taken = {k for places in owned.values() for k in places}
        alone = [(name, (k,)) for k, name in enumerate(columns) if k not in taken]
        both = sorted([*owned.items(), *alone], key=lambda pair: min(pair[1]))
        return cls(tuple(name for name, _ in both), tuple(columns), tuple(own for _, own in both))

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def owner(self) -> Ints:
        """The feature that each column belongs to."""
        owner = np.empty(len(self.columns), dtype=np.intp)
        for j, places in enumerate(self.places):
            owner[list(places)] = j
        return owner

    @cached_property
    def first(self) -> Ints:
        """The first column of each feature, which of most is the only one."""
        return np.array([places[0] for places in self.places], dtype=np.intp)

    @cached_property
    def several(self) -> dict[int, Ints]:
        """The columns of the features that have several."""
        every = enumerate(self.places)
        return {j: np.array(own, dtype=np.intp) for j, own in every if len(own) > 1}

    @cached_property
    def by_norm(self) -> frozenset[int]:
        """Features that pass by the norm of their columns alone: all, where there are curves.

        Else a single column is enough. But probes of single columns are pieces of curves then,
        beside which nothing makes up for them, and so they reach less far than noise does in a
        column that others of the same feature make up for: a piece, or a level of a category.
        """
        return frozenset(self.several if self.curves else ())

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Of values of the columns the largest of each feature's."""
        found = values[self.first]
        for j, own in self.several.items():
            found[j] = values[own].max()
        return found

    # Features by name or position

    def position(self, feature: Any, parameter: str = "feature") -> int:
        """The position of a feature that is given by its name or its position."""
        return position(list(self.names), feature, parameter)

    def columns_of(self, feature: Any, parameter: str = "feature") -> tuple[int, ...]:
        """The columns of a feature; or a single one of them, by its own name."""
        part = self.part(feature)
        return self.places[self.position(feature, parameter)] if part is None else (part,)

    def part(self, name: Any) -> int | None:
        """The column of this name where that is no feature's; None for all else."""
        return self.parts.get(name) if isinstance(name, str) else None

    @cached_property
    def parts(self) -> dict[str, int]:
        """The columns that are called otherwise than their feature, which most have several of."""
        known = set(self.names)
        return {name: k for k, name in enumerate(self.columns) if name not in known}


def _checked(
    groups: Mapping[str, Sequence[Any]] | None, columns: list[str], others: Sequence[str]
) -> dict[str, tuple[int, ...]]:
    """The columns of each group by their positions."""
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise ValueError(f"column_groups must map names to lists of columns, got {groups!r}.")
    owner: dict[int, str] = {}
    found = {}
    for name, members in groups.items():
        if not isinstance(name, str):
            raise ValueError(f"column_groups must name its groups by strings, got {name!r}.")
        if isinstance(members, str) or not hasattr(members, "__iter__"):
            raise ValueError(f"column_groups[{name!r}] must list columns, got {members!r}.")
        places = [position(columns, column, f"column_groups[{name!r}]") for column in members]
        if not places:
            raise ValueError(f"column_groups[{name!r}] is empty: list its columns or drop it.")
        for k in places:
            if k in owner:
                raise ValueError(
                    f"column_groups has column {columns[k]!r} in {owner[k]!r} and in {name!r}: "
                    "a column can be in one group, once."
                )
            owner[k] = name
        if name in (*columns, *others) and [columns[k] for k in places] != [name]:
            raise ValueError(
                f"column_groups calls a group {name!r}, which is the name of a column: "
                "give the group another one."
            )
        found[name] = tuple(places)
    return found


NO_FEATURES = Features.of(())
