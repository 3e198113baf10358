"""One column after the other becomes numbers, or is left out with a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd

from allrelevant.base.names import same_look
from allrelevant.tabular.cells import (
    as_numbers,
    holds_decimals,
    holds_numbers,
    level_names,
    name_cells,
    no_numbers,
)
from allrelevant.tabular.errors import TableError
from allrelevant.tabular.looks import in_other_letters
from allrelevant.tabular.names import few
from allrelevant.tabular.unusable import almost_numbers, why_unusable

Impute = Literal["mean", "median", "none"]


class Coding:
    """Takes one column after the other, and remembers what it did."""

    def __init__(
        self,
        categorical: set[str],
        numeric: set[str],
        impute: Impute,
        notes: list[str],
        rows: Sequence[int],
        for_trees: bool,
    ) -> None:
        self.for_trees = for_trees
        self.categorical, self.numeric, self.impute = categorical, numeric, impute
        self.notes = notes
        self.rows = rows  # their numbers in the file, for people
        self.left_out: dict[str, str] = {}
        self.kept: dict[str, pd.Series] = {}
        self.fills: dict[str, float] = {}
        self._gaps: list[str] = []

    def add(self, name: str, column: pd.Series) -> None:
        """Take a column as it is, coded, or not at all."""
        if self.impute == "none" and name not in self.categorical and _is_plain(column):
            self.kept[name] = column  # most of them, where there are very many
            return
        if name in self.numeric or holds_decimals(column):
            column = self._read_numbers(name, column)
        reason = why_unusable(
            name,
            column,
            self.rows,
            categorical=name in self.categorical,
            numeric=name in self.numeric,
        )
        if reason:
            self.left_out[name] = reason
            self.notes.append(f"column {name!r} was left out: {reason}")
        elif self.for_trees and (name in self.categorical or not holds_numbers(column)):
            self.kept[name] = column.astype("category")
        elif name in self.categorical or not holds_numbers(column):
            self._add_levels(name, column)
        else:
            self._add_numbers(name, column.astype(float))

    def _read_numbers(self, name: str, column: pd.Series) -> pd.Series:
        odd = no_numbers(column)
        if odd.any():
            cells = name_cells(column, odd, self.rows)
            raise TableError(
                f"--numeric: column {name!r} has cells that are not numbers: {cells}; "
                "correct these or leave them empty"
            )
        return column if holds_numbers(column) else as_numbers(column)

    def _add_levels(self, name: str, column: pd.Series) -> None:
        """Take a category; what columns of 0 and 1 become of it is said here, and done later."""
        text = level_names(column)
        levels = sorted(text.unique())
        if len(levels) == 2:
            said = f"column {name!r} is 1 for {levels[1]!r} and 0 for {levels[0]!r}"
        else:
            said = f"column {name!r} is a category of {len(levels)} levels: {few(levels)}"
        pair = same_look(levels)
        if pair is not None:
            said += f"; {pair[0]!a} and {pair[1]!a} look the same, and are two of them"
        elif (pair := in_other_letters(levels)) is not None:
            said += f"; {pair[0]!r} and {pair[1]!r} differ in capital letters, and are two of them"
        hint = "" if name in self.categorical else almost_numbers(name, column, self.rows)
        self.notes.append(f"{said}{hint}")
        self.kept[name] = text.astype("category")

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

    def check_gaps(self, owners: Mapping[str, str]) -> None:
        """Refuse missing numbers, or say how they were replaced; parts go by their dates' names."""
        if self.for_trees and self.impute == "none":
            return
        gaps = list(dict.fromkeys(owners.get(name, name) for name in self._gaps))
        if gaps and self.impute == "none":
            raise TableError(
                f"numbers are missing in {few(gaps)}: give --impute median (or mean), "
                "or --drop them"
            )
        if gaps:
            self.notes.append(
                f"missing numbers in {few(gaps)} were replaced by the column's {self.impute}"
            )


def _is_plain(column: pd.Series) -> bool:
    """Whether a column is numbers with decimals, none of which is missing, that differ."""
    if column.dtype != np.float64:
        return False
    values = column.to_numpy()
    return bool(np.isfinite(values).all() and (values != values[:1]).any())
