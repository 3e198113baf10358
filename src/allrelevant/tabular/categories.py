"""Categories: columns that name levels, and the columns of 0 and 1 that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.base.disguised import as_frame
from allrelevant.base.validation import refuse_same_names, with_plain_gaps
from allrelevant.tabular.cells import MISSING, level_names, looks_like_dates, name_cells, no_numbers
from allrelevant.tabular.errors import TableError
from allrelevant.tabular.names import few
from allrelevant.tabular.unusable import FEWEST_DISTINCT, MOST_LEVELS, MOST_ODD


@dataclass(frozen=True, eq=False)
class Categories:
    """The categories of a table, with their levels.

    A category of three or more levels has a column for each of them; one of two levels is a single
    column, 1 for the second. A missing value is a level, too.

    Parameters
    ----------
    levels : mapping from str to list of str
        The levels of every category, in order.
    """

    levels: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, frame: Any) -> Categories:
        """The categories of a data frame, pandas' or polars', or a table of Arrow; else none.

        They are what is declared as one, and text that is no numbers.

        Raises
        ------
        TableError
            If a column of text cannot be one: dates, or names that all differ.
        """
        found, frame = {}, as_frame(frame)
        for name in frame.columns if hasattr(frame, "dtypes") and hasattr(frame, "columns") else ():
            column = category_of(frame, name)
            if column is not None:
                found[str(name)] = sorted(level_names(column).unique())
        if found:
            refuse_same_names(frame)
        categories = cls(found)
        categories._check_names([str(name) for name in getattr(frame, "columns", ())])
        return categories

    def only(self, names: Iterable[str]) -> Categories:
        """Some of them."""
        return Categories({name: self.levels[name] for name in names if name in self.levels})

    def columns(self, name: str) -> dict[str, str]:
        """The columns of a category, and the level that each stands for."""
        levels = self.levels[name]
        if len(levels) < 3:
            return {name: levels[-1]}
        return {f"{name}={level}": level for level in levels}

    @property
    def groups(self) -> dict[str, list[str]]:
        """The categories of several columns, as `column_groups` of an estimator has them."""
        own = {name: list(self.columns(name)) for name in self.levels}
        return {name: columns for name, columns in own.items() if len(columns) > 1}

    def code(self, frame: Any) -> Any:
        """The same samples, or others, with columns of 0 and 1 in the place of categories.

        Raises
        ------
        TableError
            If there is a level not seen before: as no level at all it would pass for another one.
        """
        frame = as_frame(frame)
        if not self.levels or not hasattr(frame, "columns"):
            return frame
        self.check(frame)
        coded: dict[str, Any] = {}
        for name in frame.columns:
            if str(name) not in self.levels:
                coded[str(name)] = with_plain_gaps(np.asarray(frame[name]))
                continue
            text = _levels(frame, name)
            for column, level in self.columns(str(name)).items():
                coded[column] = (text == level).to_numpy(float)
        return pd.DataFrame(coded, index=getattr(frame, "index", None))

    def check(self, frame: Any) -> None:
        """Refuse samples with levels that are not known."""
        strange = []
        given = {str(name): name for name in frame.columns}  # names need not be words
        for name, known in self.levels.items():
            if name not in given:
                raise TableError(f"the samples lack the column {name!r}")
            found = set(_levels(frame, given[name])) - set(known)
            if found:
                shown = [level if level == MISSING else repr(level) for level in sorted(found)]
                strange.append(f"column {name!r} has {few(shown)} (known: {few(known)})")
        if strange:
            raise TableError(
                "the samples hold values that the data do not: "
                f"{'; '.join(strange)}: correct these rows or leave them out"
            )

    def _check_names(self, names: Sequence[str]) -> None:
        """Refuse names that two columns would give: one would overwrite the other."""
        source = {name: name for name in names}
        if self.levels and len(source) < len(names):
            raise TableError("two columns have the same name, one as a number: rename one of them")
        for name in self.levels:
            for column in self.columns(name):
                other = source.setdefault(column, name)
                if other != name:
                    raise TableError(
                        f"columns {other!r} and {name!r} would both give a column called "
                        f"{column!r}: rename or drop one of them"
                    )


def _levels(frame: Any, name: Any) -> pd.Series:
    return level_names(pd.Series(np.asarray(frame[name]), dtype=object, name=name))


def category_of(frame: Any, name: Any) -> pd.Series | None:
    """A column that is declared as a category, or holds text that is no numbers; else None."""
    column = frame[name]
    kind, cells = str(getattr(column, "dtype", "")).lower(), np.asarray(column)
    if kind.startswith(("category", "categorical", "enum")):
        return pd.Series(cells, dtype=object, name=name)
    if cells.ndim != 1 or cells.dtype.kind not in "OUT":
        return None
    if not any(isinstance(cell, str) for cell in cells.tolist()):
        return None
    text = pd.Series(cells, dtype=object, name=name)
    if not no_numbers(text).any():
        return None  # numbers that are written as text
    _check_text(str(name), text)
    return text


def _check_text(name: str, column: pd.Series) -> None:
    """Refuse text that nobody would have taken for names of levels."""
    example = next(cell for cell in column if isinstance(cell, str))
    said = f"Column {name!r} does not hold numbers (for example {example!r})"
    n_distinct, n = column.nunique(), int(column.notna().sum())
    if looks_like_dates(column):
        raise TableError(
            f"{said} but dates: make numbers of them first, such as an age in days, or let "
            "TablePreparer(dates='days') do it."
        )
    if no_numbers(column).sum() <= MOST_ODD * n:
        odd = name_cells(column, no_numbers(column), range(1, len(column) + 1))
        raise TableError(
            f"Column {name!r} holds numbers, but not in all cells: {odd}; correct these."
        )
    if n_distinct > MOST_LEVELS or n_distinct == n >= FEWEST_DISTINCT:
        raise TableError(
            f"{said}, and has {n_distinct} different values, too many for a category. Drop it, as "
            f"TablePreparer does, or say that it is one: X[{name!r}].astype('category')."
        )
