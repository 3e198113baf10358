"""Curves: a column of numbers as several, so that a linear model of them is a function of it.

Every column becomes what is gained between one knot and the next. Their weights are what a function
rises by there, so it is monotone where they all have one sign, and the sum of their sizes is the
way that it goes up and down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, Protocol

import numpy as np
from sklearn.base import clone

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.names import position

Basis = Literal["spline", "bins"] | Any

_PIECES = 5  # of a curve; their ends are quantiles, so each has a fifth of the samples


class Curve(Protocol):
    """What makes several columns of one."""

    def columns(self, values: Floats) -> Floats:
        """The columns, for some values."""
        ...

    def labels(self, name: str) -> list[str]:
        """What to call them."""
        ...

    @property
    def ends(self) -> Floats | None:
        """Where pieces of it begin and end; None where that is not known."""
        ...


@dataclass(frozen=True)
class Ramps:
    """Functions that rise from 0 to 1 between one knot and the next; straight lines in pieces."""

    knots: tuple[float, ...]

    def columns(self, values: Floats) -> Floats:
        """A column for each piece; beyond the first and the last knot nothing changes."""
        knots = np.array(self.knots)
        return np.clip((values[:, None] - knots[:-1]) / np.diff(knots), 0.0, 1.0)

    @property
    def ends(self) -> Floats:
        """The knots."""
        return np.array(self.knots)

    def labels(self, name: str) -> list[str]:
        """Each piece by its ends."""
        ends = _written(self.knots)
        return [f"{name}: {low} to {high}" for low, high in pairwise(ends)]


@dataclass(frozen=True)
class Stairs:
    """Functions that are 1 above a knot, and 0 up to it; the first and last knot are the ends."""

    knots: tuple[float, ...]

    def columns(self, values: Floats) -> Floats:
        """A column for each knot between the ends."""
        return (values[:, None] > np.array(self.knots[1:-1])).astype(float)

    @property
    def ends(self) -> Floats:
        """The knots."""
        return np.array(self.knots)

    def labels(self, name: str) -> list[str]:
        """Each step by where it is."""
        return [f"{name} > {knot}" for knot in _written(self.knots[1:-1])]


@dataclass(frozen=True)
class Transformed:
    """What somebody's own transformer makes of a column."""

    transformer: Any

    def columns(self, values: Floats) -> Floats:
        """Its columns, dense."""
        found = self.transformer.transform(values[:, None])
        return np.asarray(found.toarray() if hasattr(found, "toarray") else found, dtype=float)

    ends = None

    def labels(self, name: str) -> list[str]:
        """By their numbers."""
        n_columns = self.columns(np.zeros(1)).shape[1]
        return [f"{name}: {k}" for k in range(1, n_columns + 1)]


@dataclass(frozen=True, eq=False)
class Curves:
    """The curves of a table.

    Parameters
    ----------
    parts : sequence of Curve or None
        One for each column of the table; None for one that stays as it is.
    names : sequence of str
        The names of these columns.
    """

    parts: Sequence[Curve | None]
    names: list[str]

    @classmethod
    def of(cls, table: Floats, names: Sequence[str], count: Floats, basis: Basis) -> Curves:
        """Curves of all columns with three values or more; row i counts ``count[i]`` times."""
        return cls([_curve(column, count, basis) for column in table.T], list(names))

    def code(self, table: Floats) -> Floats:
        """The columns that a model is linear in."""
        pairs = zip(table.T, self.parts, strict=True)
        made = [column[:, None] if one is None else one.columns(column) for column, one in pairs]
        return np.hstack(made) if made else table

    @property
    def groups(self) -> dict[str, list[str]]:
        """For each column that became several, the names of these."""
        pairs = zip(self.names, self.parts, strict=True)
        return {name: one.labels(name) for name, one in pairs if one is not None}

    def of_feature(self, name: str) -> Curve | None:
        """The curve of a column of the table; None where it has none."""
        return self.parts[self.names.index(name)] if name in self.names else None

    def with_groups(self, given: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        """`groups`, joined by given groups of columns of the table, as the columns these became."""
        own, found, taken = self.groups, {}, []
        for name, members in given.items():
            found[name] = members
            if np.iterable(members) and not isinstance(members, str):
                named = [self.names[position(self.names, one, name)] for one in members]
                taken += named
                found[name] = [label for one in named for label in own.get(one, [one])]
        return {name: labels for name, labels in own.items() if name not in taken} | found

    def of_table(self, kept: Mask) -> Mask:
        """Which columns of the table something is true of, by those that they became."""
        found = np.zeros(len(self.names), dtype=bool)
        np.logical_or.at(found, self.source, kept)
        return found

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        groups = self.groups
        return [label for name in self.names for label in groups.get(name, [name])]

    @property
    def are_plain(self) -> bool:
        """Whether they are all of this library's own kinds."""
        return not any(isinstance(part, Transformed) for part in self.parts)

    @property
    def is_piece(self) -> Mask:
        """Which of them are pieces of a curve."""
        return np.array([part is not None for part in self.parts])[self.source]

    @property
    def source(self) -> Ints:
        """The column of the table that each comes from."""
        groups = self.groups
        sizes = [len(groups.get(name, [name])) for name in self.names]
        return np.repeat(np.arange(len(sizes)), sizes)


def _curve(values: Floats, count: Floats, basis: Basis) -> Curve | None:
    distinct = np.unique(values[count > 0])
    if len(distinct) < 3:
        return None
    if basis not in ("spline", "bins"):
        return Transformed(clone(basis).fit(values[:, None]))
    is_coarse = len(distinct) <= _PIECES + 1
    knots = distinct if is_coarse else _quantiles(values, count)
    if basis == "spline":
        return Ramps(tuple(knots.tolist()))
    if is_coarse:  # one step between two values
        knots = np.concatenate([knots[:1], (knots[1:] + knots[:-1]) / 2.0, knots[-1:]])
    return Stairs(tuple(knots.tolist())) if len(knots) > 2 else None


def _quantiles(values: Floats, count: Floats) -> Floats:
    """Values between which there are as many observations each, as far as they can be told."""
    order = np.argsort(values, kind="stable")
    upto = np.cumsum(count[order])
    shares = np.linspace(0.0, 1.0, _PIECES + 1)
    # A row that counts twice is two rows: the value at which a share of all is reached.
    places = np.searchsorted(upto, shares * upto[-1] * (1.0 - 1e-12), side="left")
    knots = values[order][np.minimum(places, len(order) - 1)]
    used = values[order][count[order] > 0]
    knots[0], knots[-1] = used[0], used[-1]
    return np.unique(knots)


def _written(knots: Sequence[float]) -> list[str]:
    """Numbers with as many digits as it takes to tell them apart."""
    for digits in range(3, 17):
        written = [f"{knot:.{digits}g}" for knot in knots]
        if len(set(written)) == len(written):
            return written
    return [repr(knot) for knot in knots]
