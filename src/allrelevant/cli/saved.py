"""Fits that were saved: what `fit --save` writes, and what every other command takes for data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.base.archive import ArchiveError
from allrelevant.cli.options import Request
from allrelevant.cli.wanted import writing
from allrelevant.forest.files import ESTIMATORS as FORESTS
from allrelevant.forest.files import save_forest
from allrelevant.linear.estimators.files import save_with
from allrelevant.loading import load_with
from allrelevant.tabular import Prepared
from allrelevant.tabular.errors import TableError

__all__ = ["SavedTable", "load_fit", "save_fit", "save_forest_fit"]

_ANYWAY = {"data", "jobs", "quiet", "verbose"}  # options that speak of neither data nor models


@dataclass(frozen=True, eq=False, kw_only=True)
class SavedTable(Prepared):
    """A table as the command had read it, and its fit."""

    estimator: Any
    privileged: list[str]


def save_fit(
    request: Request, estimator: Any, ready: Prepared, privileged: list[str], path: Path
) -> None:
    """Write a fit and the table that it is of, and say where."""
    beside = {field.name: getattr(ready, field.name) for field in fields(Prepared)}
    del beside["X"], beside["y"]
    beside["privileged"] = list(privileged)
    beside["table"] = _columns(ready.X)
    beside["answers"] = _columns(pd.DataFrame(ready.y))
    with writing(request, "fit", path, ": all commands but forest take it in place of data"):
        save_with(estimator, path, beside)


def _columns(frame: pd.DataFrame) -> list[tuple[str, np.ndarray]]:
    return [(str(name), frame[name].to_numpy()) for name in frame.columns]


def save_forest_fit(request: Request, estimator: Any, ready: Prepared, path: Path) -> None:
    """Write what a forest has found and how the table was read, without its rows; say where."""
    of_rows = {"X", "y", "rows", "row_groups"}
    names = (field.name for field in fields(Prepared) if field.name not in of_rows)
    beside = {name: getattr(ready, name) for name in names}
    beside |= {"columns": [str(name) for name in ready.X.columns], "n_rows": len(ready.X)}
    with writing(request, "fit", path, ": forest takes it in place of data"):
        save_forest(estimator, path, beside)


def load_fit(request: Request, *, for_trees: bool = False) -> SavedTable:
    """Read a fit that `save_fit`, or for trees `save_forest_fit`, has written."""
    for name in sorted(request.given - _ANYWAY):
        raise TableError(
            f"--{name.replace('_', '-')}: {request.data} is a saved fit, which fixes data and "
            "models: leave the option out, or give the data instead of the fit"
        )
    estimator, beside = load_with(request.data)
    is_forest = type(estimator).__name__ in FORESTS
    if for_trees and not is_forest:
        raise TableError(f"{request.data} is a saved fit of linear models: trees need the data")
    if is_forest and not for_trees:
        raise TableError(
            f"{request.data} is a saved forest, of which there are no rows: the command forest "
            "shows it, all others need the data"
        )
    if beside is None:
        raise TableError(
            f"{request.data} was saved in Python and lacks the table as a command reads it: load "
            "it there, or save it by fit --save"
        )
    try:
        if is_forest:  # of its table only the names are known
            n_rows, columns = beside.pop("n_rows"), beside.pop("columns")
            blank = np.zeros((n_rows, len(columns)), dtype=np.int8)
            beside |= {"table": zip(columns, blank.T, strict=True), "rows": [None] * n_rows}
            beside |= {"privileged": [], "answers": [("", np.zeros(n_rows))]}
        X = pd.DataFrame(dict(beside.pop("table")))
        if len(beside["rows"]) != len(X):
            raise ValueError("the table is not whole")
        answers = pd.DataFrame(dict(beside.pop("answers")))
        y = answers if answers.shape[1] > 1 else answers.iloc[:, 0]
        ready = SavedTable(X=X, y=y, estimator=estimator, **beside)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ArchiveError(f"{request.data} is damaged: {error}") from error
    estimator.set_params(n_jobs=request.jobs, verbose=0 if request.quiet else 1)
    return ready
