"""Columns as numbers: what is left out, filled in and coded, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.tabular.categories import Categories
from allrelevant.tabular.cells import holds_lists, level_name
from allrelevant.tabular.coding import Coding, Impute
from allrelevant.tabular.dates import Dates, owners_of_parts, understood_dates, with_dates
from allrelevant.tabular.errors import TableError, reasons
from allrelevant.tabular.events import with_events
from allrelevant.tabular.looks import remarks_on_classes
from allrelevant.tabular.names import check_columns
from allrelevant.tabular.recoding import Recoding
from allrelevant.tabular.row_groups import NO_FEATURE, RowGroups, understand_row_groups
from allrelevant.tabular.target import Target, class_labels, has_classes, understand_target

_AS_NUMBERS = {
    "days": "read as days since 1970",
    "parts": "read as year, month and day of the week",
}


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table as an estimator takes it.

    Parameters
    ----------
    X : DataFrame
        Numbers without gaps, and categories; or the columns of 0 and 1 of these.
    y : Series or DataFrame
        The target, without gaps; times and events where the times may be censored.
    target : Target
        What the target was read as.
    categories : Categories
        Features that are names of levels.
    by_column : bool
        Whether X has their columns in their place, each a feature of its own.
    notes : list of str
        What was left out, filled in or coded.
    facts : mapping
        Numbers about the table.
    fills : mapping from str to float
        What missing numbers were replaced by.
    left_out : mapping from str to str
        Columns that are not used, and why.
    rows : list
        What people call the rows, see `row_names`.
    row_groups : RowGroups, optional
        Which rows belong together, where a column says so.
    dates : Dates, default "leave_out"
        What was made of dates.
    first_in_dates : mapping from str to str
        The columns that dates were in, see `understood_dates`.

    Examples
    --------
    >>> import pandas as pd
    >>> from allrelevant.tabular import prepare
    >>> patients = pd.DataFrame({"age": [61, 45, 38, 52], "ward": ["a", "b", "a", "b"],
    ...                          "pain": ["low", "high", "medium", "low"]})
    >>> ready = prepare(patients, "pain")
    >>> ready.features
    {'age': ['age'], 'ward': ['ward']}
    """

    X: pd.DataFrame
    y: pd.Series | pd.DataFrame
    target: Target
    categories: Categories
    by_column: bool
    notes: list[str]
    facts: Mapping[str, object]
    fills: Mapping[str, float]
    left_out: Mapping[str, str]
    rows: list[Any]
    row_groups: RowGroups | None = None
    dates: Dates = "leave_out"
    first_in_dates: Mapping[str, str] = field(default_factory=dict)

    @property
    def features(self) -> dict[str, list[str]]:
        """The columns of numbers that each feature is."""
        own = {} if self.by_column else self.categories.groups
        return {name: own.get(name, [name]) for name in map(str, self.X.columns)}

    def code(self, frame: pd.DataFrame, without: Sequence[str] = ()) -> pd.DataFrame:
        """Make other samples ready in the same way, without columns that are not needed."""
        owner = {c: name for name, own in self.categories.groups.items() for c in own}
        names = list(dict.fromkeys(owner.get(c, c) for c in map(str, self.X.columns)))
        frame = with_dates(frame, self.first_in_dates, self.dates)
        dates = owners_of_parts(self.first_in_dates, self.dates)
        known = Recoding(names, self.categories, self.fills, self.by_column, dates)
        return known.code(frame, without)

    def known(self, feature: str, option: str) -> list[str]:
        """What the estimator calls a feature, or a column of one; several names by column."""
        groups = self.categories.groups
        if self.by_column and feature in groups:
            return groups[feature]
        if feature == self.target.name:
            raise TableError(f"{option}: {feature!r} is the target, not a feature")
        if feature in self.left_out:
            raise TableError(f"{option}: column {feature!r} was left out: {self.left_out[feature]}")
        if feature not in self.X:
            columns = [column for own in self.features.values() for column in own]
            check_columns([feature], list(dict.fromkeys([*self.features, *columns])), option)
        return [feature]


def row_names(frame: pd.DataFrame) -> list[Any]:
    """Names of the rows: as in the file, or their numbers from 1, below the header.

    Examples
    --------
    >>> import pandas as pd
    >>> from allrelevant.tabular import row_names
    >>> row_names(pd.DataFrame({"age": [61, 45]}))
    [1, 2]
    """
    named = not isinstance(frame.index, pd.RangeIndex)
    return frame.index.tolist() if named else list(range(1, len(frame) + 1))


def prepare(
    frame: pd.DataFrame,
    target: str,
    *,
    task: str = "auto",
    event: str | None = None,
    order: Sequence[str] | None = None,
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    drop: Sequence[str] = (),
    groups: str | None = None,
    impute: Impute = "none",
    dates: Dates = "leave_out",
    by_column: bool = False,
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
    event : str, optional
        The column that says whether an event happened at the time that the target has.
    categorical : sequence of str
        Columns of numbers that are names of categories.
    numeric : sequence of str
        Columns to use as numbers although they look like identifiers or are text.
    drop : sequence of str
        Columns to leave out.
    groups : str, optional
        The column that says which rows belong together; it is then not a feature.
    impute : {"mean", "median", "none"}
        What to put where a number is missing; "none" refuses missing numbers.
    dates : {"leave_out", "days", "parts"}
        What to make of dates: nothing, days since 1970, or year, month and day of the week.
    by_column : bool, default False
        Make columns of 0 and 1 of categories, each of them a feature.
    for_trees : bool, default False
        Leave categories and missing numbers as they are.

    Raises
    ------
    TableError
        If a column is unknown, or the table cannot be used as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> from allrelevant.tabular import prepare
    >>> patients = pd.DataFrame({"age": [61, 45, 38, 52], "ward": ["a", "b", "a", "b"],
    ...                          "pain": ["low", "high", "medium", "low"]})
    >>> ready = prepare(patients, "pain")
    >>> ready.target.order, list(ready.X.columns)
    (('low', 'medium', 'high'), ['age', 'ward'])
    """
    notes: list[str] = list(frame.attrs.get("notes", ()))  # of how the file was read
    frame = frame.set_axis(list(map(str, frame.columns)), axis=1)
    of_features = {"--categorical": categorical, "--numeric": numeric, "--drop": drop}
    _check_names(list(frame.columns), target, groups, of_features)
    if event is not None or task == "survival":
        frame = with_events(frame, target, event, task)
    if holds_lists(frame[target]):
        raise TableError(f"target {target!r} holds lists, not single values")
    has_target = frame[target].notna().to_numpy()
    rows = frame[has_target]
    if len(rows) < len(frame):
        n = len(frame) - len(rows)
        notes.append(f"{n} row{' was' if n == 1 else 's were'} left out for lack of a target")
    understood = understand_target(
        rows[target], task if event is None else "survival", order, for_trees=for_trees
    )
    labels = class_labels(rows[target], understood)
    if has_classes(understood):
        counts = labels.value_counts(sort=False).items()
        notes += remarks_on_classes(target, {level_name(one): n for one, n in counts if n})
    numbers = (np.flatnonzero(has_target) + 1).tolist()
    table = rows.drop(columns=[target, *drop, *([] if event is None else [event])])
    row_groups = None
    if groups is not None:
        row_groups = understand_row_groups(table.pop(groups), numbers)
        notes.append(row_groups.sentence())
    first = {} if dates == "leave_out" else understood_dates(table)
    table = with_dates(table, first, dates)
    notes += [f"column {name!r} holds dates: {_AS_NUMBERS[dates]}" for name in first]
    coding = Coding(set(categorical), set(numeric), impute, notes, numbers, for_trees)
    for name in map(str, table.columns):
        coding.add(name, table[name])
    coding.check_gaps(owners_of_parts(first, dates))
    left_out = coding.left_out | dict.fromkeys(drop, "--drop")
    if event is not None:
        left_out[event] = "--event"
    if groups is not None:
        left_out[groups] = NO_FEATURE
    if not coding.kept:
        raise TableError(f"no column is left to use as a feature{reasons(left_out)}")
    X = pd.DataFrame(coding.kept, index=table.index)
    categories = Categories({}) if for_trees else Categories.of(X)
    coded = categories.code(X)
    facts = {
        "rows": len(rows),
        **({} if row_groups is None else {"groups of rows": row_groups.number}),
        "columns in the file": frame.shape[1],
        "features": X.shape[1],
        "columns used": coded.shape[1],
        "target": target,
        **({} if event is None else {"events": int(rows[event].sum())}),
        "values of the target": int(rows[target].nunique()),
    }
    return Prepared(
        X=coded if by_column else X,
        y=labels if event is None else rows[[target, event]],
        target=understood,
        categories=categories,
        by_column=by_column,
        notes=notes,
        facts=facts,
        fills=coding.fills,
        left_out=left_out,
        rows=[name for name, has in zip(row_names(frame), has_target, strict=True) if has],
        row_groups=row_groups,
        dates=dates,
        first_in_dates=first,
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
            raise TableError(f"{option}: {groups!r} is not a feature: {NO_FEATURE}")
