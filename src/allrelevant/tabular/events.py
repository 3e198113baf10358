"""The column that says whether an event happened at a time, or had not happened yet."""

from __future__ import annotations

import numpy as np
import pandas as pd

from allrelevant.base.censored import HAPPENED, NOT_YET
from allrelevant.tabular.cells import level_name
from allrelevant.tabular.errors import TableError
from allrelevant.tabular.names import check_columns


def with_events(frame: pd.DataFrame, target: str, event: str | None, task: str) -> pd.DataFrame:
    """The table with its events as 0 and 1; rows of which it is not known lack their target."""
    if event is None:
        raise TableError(
            "--task survival needs --event COL: the column that is 1 where the event happened at "
            f"the time that {target!r} has, and 0 where it had not happened yet"
        )
    if task not in ("auto", "survival"):
        raise TableError(f"--event is for times until an event: leave it or --task {task} out")
    check_columns([event], list(frame.columns), "--event")
    if event == target:
        raise TableError(f"--event: {event!r} is the target; name the column of the events")
    words = frame[event].map(lambda cell: level_name(cell).strip().lower(), na_action="ignore")
    odd = words.notna() & ~words.isin(HAPPENED | NOT_YET)
    if odd.any():
        first = frame[event][odd].tolist()[0]
        raise TableError(
            f"--event: column {event!r} has {first!r}; it has to be 1 (or yes, true) where the "
            "event happened at that time, and 0 (or no, false) where it had not happened yet"
        )
    happened = words.isin(HAPPENED)
    if not happened.any():
        raise TableError(f"--event: no row of column {event!r} has an event: nothing to predict")
    times = frame[target]
    is_number = pd.api.types.is_numeric_dtype(times) and not pd.api.types.is_bool_dtype(times)
    if is_number and (times <= 0).any():
        raise TableError(
            f"target {target!r} has {int((times <= 0).sum())} times that are not above 0: "
            "correct these or leave them empty, and their rows are left out"
        )
    known = times.where(words.notna(), other=np.nan) if words.isna().any() else times
    return frame.assign(**{event: happened.astype(int), target: known})
