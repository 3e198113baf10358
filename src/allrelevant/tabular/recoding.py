"""Other samples, made ready as those were that a table was prepared from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from allrelevant.tabular.categories import Categories
from allrelevant.tabular.cells import as_numbers, level_names, name_cells, no_numbers
from allrelevant.tabular.errors import TableError


@dataclass(frozen=True, eq=False)
class Recoding:
    """What was done to a table.

    Parameters
    ----------
    names : sequence of str
        The columns that were kept.
    categories : Categories
        Those of them that are names of levels.
    fills : mapping from str to float
        What missing numbers were replaced by.
    by_column : bool
        Whether categories become columns of 0 and 1.
    made_of : mapping from str to str
        The column of the table that a kept one was made of, where it is another one.
    """

    names: Sequence[str]
    categories: Categories
    fills: Mapping[str, float]
    by_column: bool
    made_of: Mapping[str, str] = field(default_factory=dict)

    def code(self, frame: pd.DataFrame, without: Sequence[str] = ()) -> pd.DataFrame:
        """The same of other samples, without columns that are not needed."""
        coded: dict[str, pd.Series] = {}
        for name in self.names:
            if name in without:
                continue
            if name not in frame:
                raise TableError(f"the samples lack the column {self.made_of.get(name, name)!r}")
            is_category = name in self.categories.levels
            coded[name] = level_names(frame[name]) if is_category else self._numbers(frame, name)
        known = self.categories.only(coded)
        table = pd.DataFrame(coded, index=frame.index)
        known.check(table)
        table = known.code(table) if self.by_column else table
        return table.drop(columns=list(without), errors="ignore")

    def _numbers(self, frame: pd.DataFrame, name: str) -> pd.Series:
        odd = no_numbers(frame[name])
        if odd.any():
            cells = name_cells(frame[name], odd, range(1, len(frame) + 1))
            raise TableError(f"column {name!r} of the samples has no number: {cells}")
        numbers = as_numbers(frame[name]).fillna(self.fills.get(name, np.nan))
        if not np.isfinite(numbers).all():
            raise TableError(f"column {name!r} of the samples has rows without a number")
        return numbers
