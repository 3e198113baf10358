"""Columns as numbers: what is left out, filled in and coded, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from pandas.api import types

from allrelevant.tabular.read import TableError
from allrelevant.tabular.target import Target, understand_target

__all__ = ["Prepared", "check_columns", "prepare"]

Impute = Literal["mean", "median", "none"]
_MOST_LEVELS = 30
_FEWEST_DISTINCT = 20  # rows from which distinct values in every one of them are suspicious
_IDENTIFIER = re.compile(r"(^|[\s_.-])(id|ids|uuid|guid|key|index|rownames?|nr|no)$|^unnamed: \d+$")
_MISSING = "(missing)"


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table as an estimator takes it.

    Parameters
    ----------
    X : DataFrame
        Numbers only, without gaps.
    y : Series
        The target, without gaps.
    target : Target
        What the target was taken for.
    column_groups : mapping from str to list of str
        Features that take several columns, with their columns.
    notes : list of str
        What was left out, filled in or coded.
    facts : mapping
        Numbers about the table.
    levels : mapping from str to (str, str)
        For columns of 0 and 1 the column they come from and the level they stand for.
    fills : mapping from str to float
        What missing numbers were replaced by.
    """

    X: pd.DataFrame
    y: pd.Series
    target: Target
    column_groups: Mapping[str, list[str]]
    notes: list[str]
    facts: Mapping[str, object]
    levels: Mapping[str, tuple[str, str]]
    fills: Mapping[str, float]

    def code(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Make other samples ready in the same way; levels not seen before are no level."""
        coded = {}
        for name in map(str, self.X.columns):
            source, level = self.levels.get(name, (name, ""))
            if source not in frame:
                raise TableError(f"the samples lack the column {source!r}")
            if name in self.levels:
                coded[name] = (_levels(frame[source]) == level).astype(float)
                continue
            numbers = pd.to_numeric(frame[source], errors="coerce").astype(float)
            numbers = numbers.fillna(self.fills.get(name, np.nan))
            if not np.isfinite(numbers).all():
                raise TableError(f"the samples have no number in every row of column {source!r}")
            coded[name] = numbers
        return pd.DataFrame(coded, index=frame.index)

    def columns_of(self, feature: str, option: str) -> list[str]:
        """The columns of a feature, which may be a column itself."""
        if feature in self.column_groups:
            return list(self.column_groups[feature])
        check_columns([feature], list(self.X.columns), option)
        return [feature]


def prepare(
    frame: pd.DataFrame,
    target: str,
    *,
    task: str = "auto",
    order: Sequence[str] | None = None,
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    drop: Sequence[str] = (),
    impute: Impute = "none",
    for_trees: bool = False,
) -> Prepared:
    """Make a table ready for an estimator.

    Parameters
    ----------
    frame : DataFrame
        The table, with its target.
    target : str
        The target's column.
    task, order
        As in `understand_target`.
    categorical : sequence of str
        Columns of numbers that are names of categories.
    numeric : sequence of str
        Columns to use as numbers although they look like identifiers.
    drop : sequence of str
        Columns to leave out.
    impute : {"mean", "median", "none"}
        What to put where a number is missing; "none" refuses missing numbers.
    for_trees : bool, default False
        Leave categories and missing numbers as they are, and allow more than two classes.

    Raises
    ------
    TableError
        If a column is unknown, or the table cannot be used as it is.
    """
    names = [str(name) for name in frame.columns]
    check_columns([target], names, "--target")
    for option, given in (("--categorical", categorical), ("--numeric", numeric), ("--drop", drop)):
        check_columns(given, names, option)
    notes: list[str] = []
    rows = frame[frame[target].notna()]
    if len(rows) < len(frame):
        notes.append(f"{len(frame) - len(rows)} rows without a target were left out")
    understood = understand_target(rows[target], task, order, many_classes=for_trees)
    table = rows.drop(columns=[target, *drop])
    coding = _Coding(set(categorical), set(numeric), impute, notes, for_trees)
    for name in map(str, table.columns):
        coding.add(name, table[name])
    coding.check_gaps()
    kept, groups = coding.kept, coding.groups
    if not kept:
        raise TableError("no column is left to use as a feature")
    X = pd.DataFrame(kept, index=table.index)
    facts = {
        "rows": len(rows),
        "columns in the file": frame.shape[1],
        "features": X.shape[1] - sum(len(part) - 1 for part in groups.values()),
        "columns used": X.shape[1],
        "target": target,
        "values of the target": int(rows[target].nunique()),
    }
    return Prepared(X, rows[target], understood, groups, notes, facts, coding.levels, coding.fills)


def check_columns(given: Sequence[str], known: Sequence[str], option: str) -> None:
    """Refuse a column that is not there; name the nearest one that is."""
    for name in given:
        if name in known:
            continue
        close = _closest(name, known)
        hint = f"did you mean {close!r}?" if close else f"there are {_few(known)}"
        raise TableError(f"{option}: there is no column {name!r}; {hint}")


class _Coding:
    """Takes one column after the other, and remembers what it did."""

    def __init__(
        self,
        categorical: set[str],
        numeric: set[str],
        impute: Impute,
        notes: list[str],
        for_trees: bool,
    ) -> None:
        self.for_trees = for_trees
        self.categorical, self.numeric, self.impute = categorical, numeric, impute
        self.notes = notes
        self.kept: dict[str, pd.Series] = {}
        self.groups: dict[str, list[str]] = {}
        self.levels: dict[str, tuple[str, str]] = {}
        self.fills: dict[str, float] = {}
        self._gaps: list[str] = []

    def add(self, name: str, column: pd.Series) -> None:
        """Take a column as it is, coded, or not at all."""
        reason = _unusable(name, column, name in self.categorical, name in self.numeric)
        if reason:
            self.notes.append(f"column {name!r} was left out: {reason}")
        elif self.for_trees and (name in self.categorical or not _is_number(column)):
            self.kept[name] = column.astype("category")
        elif name in self.categorical or not _is_number(column):
            self._add_levels(name, column)
        else:
            self._add_numbers(name, column.astype(float))

    def _add_levels(self, name: str, column: pd.Series) -> None:
        """One column of 0 and 1 for every level; a single one where there are two."""
        text = _levels(column)
        levels = sorted(text.unique())
        if len(levels) == 2:
            said = f"column {name!r} is 1 for {levels[1]!r} and 0 for {levels[0]!r}"
            coded = {name: levels[1]}
        else:
            said = f"column {name!r} is a category of {len(levels)} levels: {_few(levels)}"
            coded = {f"{name}={level}": level for level in levels}
            self.groups[name] = list(coded)
        self.notes.append(said)
        for column_name, level in coded.items():
            self.kept[column_name] = (text == level).astype(float)
            self.levels[column_name] = (name, level)

    def _add_numbers(self, name: str, numbers: pd.Series) -> None:
        if np.isinf(numbers).any():
            raise TableError(f"column {name!r} has infinite values: replace or --drop them")
        if numbers.isna().any():
            self._gaps.append(name)
        if self.impute != "none":
            centre = numbers.mean() if self.impute == "mean" else numbers.median()
            self.fills[name] = float(centre)
            numbers = numbers.fillna(self.fills[name])
        self.kept[name] = numbers

    def check_gaps(self) -> None:
        """Refuse missing numbers, or say how they were replaced."""
        if self.for_trees and self.impute == "none":
            return
        if self._gaps and self.impute == "none":
            raise TableError(
                f"numbers are missing in {_few(self._gaps)}: give --impute median (or mean), "
                "or --drop them"
            )
        if self._gaps:
            self.notes.append(
                f"missing numbers in {_few(self._gaps)} were replaced by the column's {self.impute}"
            )


def _unusable(name: str, column: pd.Series, categorical: bool, numeric: bool) -> str:
    """Why a column cannot be a feature, or nothing."""
    n_distinct, n = column.nunique(), int(column.notna().sum())
    if n == 0:
        return "it is empty"
    if n_distinct == 1 and (n == len(column) or _is_number(column)):
        return f"it is constant ({column.dropna().iloc[0]!r})"
    if types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        return "it holds dates; make numbers of them first, such as an age in days"
    if categorical:
        return ""
    all_distinct = n_distinct == n >= _FEWEST_DISTINCT
    if _is_number(column):
        whole = types.is_integer_dtype(column)
        steps = bool(whole and all_distinct and (column.dropna().diff().dropna() == 1).all())
        named = bool(_IDENTIFIER.search(name.lower())) and whole and all_distinct
        if (steps or named) and not numeric:
            return f"it looks like an identifier (--numeric {name} uses it all the same)"
        return ""
    if all_distinct:
        return "it is different in every row, like an identifier"
    if n_distinct > _MOST_LEVELS:
        return f"it is text with {n_distinct} distinct values (--categorical {name} uses it)"
    return ""


def _levels(column: pd.Series) -> pd.Series:
    return column.astype(object).where(column.notna(), _MISSING).map(_level)


def _level(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_number(column: pd.Series) -> bool:
    return types.is_numeric_dtype(column) or types.is_bool_dtype(column)


def _closest(name: str, known: Sequence[str]) -> str | None:
    from difflib import get_close_matches

    by_lower = {other.lower(): other for other in known}
    found = get_close_matches(name.lower(), list(by_lower), n=1)
    return by_lower[found[0]] if found else None


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(map(str, names[:5]))
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown
