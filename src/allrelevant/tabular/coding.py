"""One column after the other becomes numbers, or is left out with a reason."""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
import pandas as pd
from pandas.api import types

from allrelevant.tabular.cells import is_number, levels_of
from allrelevant.tabular.names import few
from allrelevant.tabular.read import TableError

__all__ = ["Coding", "Impute"]

Impute = Literal["mean", "median", "none"]
_MOST_LEVELS = 30
_FEWEST_DISTINCT = 20  # rows from which distinct values in every one of them are suspicious
_IDENTIFIER = re.compile(r"(^|[\s_.-])(id|ids|uuid|guid|key|index|rownames?|nr|no)$|^unnamed: \d+$")


class Coding:
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
        self.known_levels: dict[str, list[str]] = {}
        self.fills: dict[str, float] = {}
        self._gaps: list[str] = []

    def add(self, name: str, column: pd.Series) -> None:
        """Take a column as it is, coded, or not at all."""
        reason = _unusable(name, column, name in self.categorical, name in self.numeric)
        if reason:
            self.notes.append(f"column {name!r} was left out: {reason}")
        elif self.for_trees and (name in self.categorical or not is_number(column)):
            self.kept[name] = column.astype("category")
        elif name in self.categorical or not is_number(column):
            self._add_levels(name, column)
        else:
            self._add_numbers(name, column.astype(float))

    def _add_levels(self, name: str, column: pd.Series) -> None:
        """One column of 0 and 1 for every level; a single one where there are two."""
        text = levels_of(column)
        levels = self.known_levels[name] = sorted(text.unique())
        if len(levels) == 2:
            said = f"column {name!r} is 1 for {levels[1]!r} and 0 for {levels[0]!r}"
            coded = {name: levels[1]}
        else:
            said = f"column {name!r} is a category of {len(levels)} levels: {few(levels)}"
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
                f"numbers are missing in {few(self._gaps)}: give --impute median (or mean), "
                "or --drop them"
            )
        if self._gaps:
            self.notes.append(
                f"missing numbers in {few(self._gaps)} were replaced by the column's {self.impute}"
            )


def _unusable(name: str, column: pd.Series, categorical: bool, numeric: bool) -> str:
    """Why a column cannot be a feature, or nothing."""
    n_distinct, n = column.nunique(), int(column.notna().sum())
    if n == 0:
        return "it is empty"
    if n_distinct == 1 and (n == len(column) or is_number(column)):
        return f"it is constant ({column.dropna().iloc[0]!r})"
    if types.is_datetime64_any_dtype(column) or types.is_timedelta64_dtype(column):
        return "it holds dates; make numbers of them first, such as an age in days"
    if categorical:
        return ""
    all_distinct = n_distinct == n >= _FEWEST_DISTINCT
    if is_number(column):
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
