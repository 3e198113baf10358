"""Columns as numbers: what is left out, filled in and coded, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from allrelevant.tabular.cells import (
    MISSING,
    as_numbers,
    holds_lists,
    levels_of,
    name_cells,
    no_numbers,
)
from allrelevant.tabular.coding import Coding, Impute
from allrelevant.tabular.names import check_columns, few
from allrelevant.tabular.read import TableError
from allrelevant.tabular.row_groups import NO_FEATURE, RowGroups, understand_row_groups
from allrelevant.tabular.target import Target, understand_target

__all__ = ["Prepared", "prepare"]

_MOST_REASONS = 10  # columns that one line names


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
    known_levels : mapping from str to list of str
        The levels of every category.
    fills : mapping from str to float
        What missing numbers were replaced by.
    left_out : mapping from str to str
        Columns that are not used, and why.
    row_groups : RowGroups, optional
        Which rows belong together, where a column says so.
    """

    X: pd.DataFrame
    y: pd.Series
    target: Target
    column_groups: Mapping[str, list[str]]
    notes: list[str]
    facts: Mapping[str, object]
    levels: Mapping[str, tuple[str, str]]
    known_levels: Mapping[str, list[str]]
    fills: Mapping[str, float]
    left_out: Mapping[str, str]
    row_groups: RowGroups | None = None

    def code(self, frame: pd.DataFrame, without: Sequence[str] = ()) -> pd.DataFrame:
        """Make other samples ready in the same way, without columns that are not needed."""
        coded = {}
        self._check_levels(frame.drop(columns=list(without), errors="ignore"))
        for name in map(str, self.X.columns):
            source, level = self.levels.get(name, (name, ""))
            if source in without or name in without:
                continue
            if source not in frame:
                raise TableError(f"the samples lack the column {source!r}")
            if name in self.levels:
                coded[name] = (levels_of(frame[source]) == level).astype(float)
                continue
            odd = no_numbers(frame[source])
            if odd.any():
                cells = name_cells(frame[source], odd, range(1, len(frame) + 1))
                raise TableError(f"column {source!r} of the samples has no number: {cells}")
            numbers = as_numbers(frame[source]).fillna(self.fills.get(name, np.nan))
            if not np.isfinite(numbers).all():
                raise TableError(f"the samples have no number in every row of column {source!r}")
            coded[name] = numbers
        return pd.DataFrame(coded, index=frame.index)

    def _check_levels(self, frame: pd.DataFrame) -> None:
        """Refuse levels not seen before: as no level at all they would pass for another one."""
        strange = []
        for name, known in self.known_levels.items():
            found = set(levels_of(frame[name])) - set(known) if name in frame else set()
            if found:
                shown = [level if level == MISSING else repr(level) for level in sorted(found)]
                strange.append(f"column {name!r} has {few(shown)} (known: {few(known)})")
        if strange:
            raise TableError(
                "the samples hold values that the data do not: "
                f"{'; '.join(strange)}: mend these rows or leave them out"
            )

    def columns_of(self, feature: str, option: str) -> list[str]:
        """The columns of a feature, which may be a column itself."""
        if feature in self.column_groups:
            return list(self.column_groups[feature])
        if feature == self.target.name:
            raise TableError(f"{option}: {feature!r} is the target, not a feature")
        if feature in self.left_out:
            raise TableError(f"{option}: column {feature!r} was left out: {self.left_out[feature]}")
        if feature not in self.X:
            check_columns([feature], self._known_names(), option)
        return [feature]

    def _known_names(self) -> list[str]:
        """Features, where a category is one, and then the columns of categories."""
        owner = {column: name for name, columns in self.column_groups.items() for column in columns}
        features = dict.fromkeys(owner.get(name, name) for name in map(str, self.X.columns))
        return [*features, *owner]


def prepare(
    frame: pd.DataFrame,
    target: str,
    *,
    task: str = "auto",
    order: Sequence[str] | None = None,
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    drop: Sequence[str] = (),
    groups: str | None = None,
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
        Columns to use as numbers although they look like identifiers or are text.
    drop : sequence of str
        Columns to leave out.
    groups : str, optional
        The column that says which rows belong together; it is no feature then.
    impute : {"mean", "median", "none"}
        What to put where a number is missing; "none" refuses missing numbers.
    for_trees : bool, default False
        Leave categories and missing numbers as they are, and allow more than two classes.

    Raises
    ------
    TableError
        If a column is unknown, or the table cannot be used as it is.
    """
    notes: list[str] = list(frame.attrs.get("notes", ()))  # of how the file was read
    frame = frame.set_axis(list(map(str, frame.columns)), axis=1)
    of_features = {"--categorical": categorical, "--numeric": numeric, "--drop": drop}
    _check_names(list(frame.columns), target, groups, of_features)
    if holds_lists(frame[target]):
        raise TableError(f"target {target!r} holds lists, not single values")
    has_target = frame[target].notna().to_numpy()
    rows = frame[has_target]
    if len(rows) < len(frame):
        n = len(frame) - len(rows)
        notes.append(f"{n} row{' was' if n == 1 else 's were'} left out for lack of a target")
    understood = understand_target(rows[target], task, order, many_classes=for_trees)
    numbers = (np.flatnonzero(has_target) + 1).tolist()
    table = rows.drop(columns=[target, *drop])
    row_groups = None
    if groups is not None:
        row_groups = understand_row_groups(table.pop(groups), numbers)
        notes.append(row_groups.sentence())
    coding = Coding(set(categorical), set(numeric), impute, notes, numbers, for_trees)
    for name in map(str, table.columns):
        coding.add(name, table[name])
    coding.check_gaps()
    kept, categories = coding.kept, coding.groups
    left_out = coding.left_out | dict.fromkeys(drop, "--drop")
    if groups is not None:
        left_out[groups] = NO_FEATURE
    if not kept:
        raise TableError(f"no column is left to use as a feature{_reasons(left_out)}")
    X = pd.DataFrame(kept, index=table.index)
    facts = {
        "rows": len(rows),
        **({} if row_groups is None else {"groups of rows": row_groups.number}),
        "columns in the file": frame.shape[1],
        "features": X.shape[1] - sum(len(part) - 1 for part in categories.values()),
        "columns used": X.shape[1],
        "target": target,
        "values of the target": int(rows[target].nunique()),
    }
    return Prepared(
        X=X,
        y=rows[target],
        target=understood,
        column_groups=categories,
        notes=notes,
        facts=facts,
        levels=coding.levels,
        known_levels=coding.known_levels,
        fills=coding.fills,
        left_out=left_out,
        row_groups=row_groups,
    )


def _check_names(
    names: Sequence[str],
    target: str,
    groups: str | None,
    of_features: Mapping[str, Sequence[str]],
) -> None:
    """Refuse columns that are not there, or cannot be what they are named as."""
    if len(set(names)) < len(names):
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise TableError(f"there are two columns called {twice!r}: rename one")
    check_columns([target], names, "--target")
    if groups is not None:
        check_columns([groups], names, "--groups")
    if groups == target:
        raise TableError(f"--groups: {groups!r} is the target; name the column of the groups")
    for option, given in of_features.items():
        check_columns(given, names, option)
        if target in given:
            raise TableError(f"{option}: {target!r} is the target, not a feature")
        if groups in given:
            raise TableError(f"{option}: {groups!r} is no feature: {NO_FEATURE}")


def _reasons(left_out: Mapping[str, str]) -> str:
    """Every column that is not used, and why."""
    reasons = [f"{name!r}: {reason}" for name, reason in left_out.items()]
    more = f"; and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
    return f" ({'; '.join(reasons[:_MOST_REASONS])}{more})" if reasons else ""
