"""Which rows belong together: those of one patient, site or family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from allrelevant.tabular.cells import holds_lists, level_names
from allrelevant.tabular.errors import TableError
from allrelevant.tabular.names import few

NO_FEATURE = "it says which rows belong together (--groups)"


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Rows that belong together.

    Parameters
    ----------
    column : str
        The column that says so.
    codes : array of int of shape (n_rows,)
        The same number for rows of the same group.

    Examples
    --------
    >>> import pandas as pd
    >>> from allrelevant.tabular import prepare
    >>> visits = pd.DataFrame(
    ...     {"patient": ["a", "a", "b", "c"], "age": [61, 61, 45, 52], "ill": [1, 0, 1, 0]})
    >>> prepare(visits, "ill", groups="patient").row_groups.codes.tolist()
    [0, 0, 1, 2]
    """

    column: str
    codes: npt.NDArray[np.intp]

    @property
    def number(self) -> int:
        """How many groups there are."""
        return int(self.codes.max()) + 1

    def sentence(self) -> str:
        """What was made of the column, as one line."""
        n = len(self.codes)
        if self.number == n:
            return (
                f"column {self.column!r} is different in every row: no rows belong together, and "
                "--groups changes nothing"
            )
        return (
            f"rows of the same {self.column!r} were kept together: {n} rows, {self.number} groups"
        )


def understand_row_groups(column: pd.Series, rows: Sequence[int]) -> RowGroups:
    """Read which rows belong together.

    Parameters
    ----------
    column : Series
        A label for every row, the same one for rows that belong together.
    rows : sequence of int
        Their numbers in the file, for people.

    Raises
    ------
    TableError
        If a row has no label, or all have the same one.
    """
    name = str(column.name)
    if holds_lists(column):
        raise TableError(f"--groups: column {name!r} holds lists, not single values")
    labels = level_names(column).str.strip()
    empty = (column.isna() | (labels == "")).to_numpy()
    if empty.any():
        which = few([str(rows[k]) for k in np.flatnonzero(empty).tolist()])
        raise TableError(
            f"--groups: column {name!r} is empty in row{'s' if empty.sum() > 1 else ''} {which} "
            "(rows below the header): fill in who they belong to; a row that belongs to no other "
            "gets a label of its own"
        )
    codes, known = pd.factorize(labels)
    if len(known) == 1:
        raise TableError(
            f"--groups: column {name!r} is {known[0]!r} in every row: nothing could be tested on "
            "rows of another group; leave --groups out, or name another column"
        )
    return RowGroups(name, codes)
