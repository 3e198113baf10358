"""Fits that were saved: what `fit --save` writes, and what every other command takes for data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pandas as pd

from allrelevant.base.archive import ArchiveError
from allrelevant.cli.options import Request, say
from allrelevant.linear.estimators.files import load_with, save_with
from allrelevant.tabular import Prepared
from allrelevant.tabular.errors import TableError

__all__ = ["SavedTable", "load_fit", "save_fit"]

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
    beside["table"] = [(str(name), ready.X[name].to_numpy()) for name in ready.X.columns]
    try:
        save_with(estimator, path, beside)
    except OSError as error:
        raise OSError(f"cannot write the fit to {path}: {error.strerror}") from None
    say(request, f"fit written to {path}: all commands but forest take it in place of data")


def load_fit(request: Request) -> SavedTable:
    """Read a fit that `save_fit` has written."""
    for name in sorted(request.given - _ANYWAY):
        raise TableError(
            f"--{name.replace('_', '-')}: {request.data} is a saved fit, whose data and models are "
            "what they are: leave it out, or give the data"
        )
    estimator, beside = load_with(request.data)
    if beside is None:
        raise TableError(
            f"{request.data} was saved in Python and lacks the table as a command reads it: load "
            "it there, or save it by fit --save"
        )
    try:
        X = pd.DataFrame(dict(beside.pop("table")))
        if len(beside["rows"]) != len(X):
            raise ValueError("the table is not whole")
        y = pd.Series(dtype=float)  # nothing is fitted to it any more
        ready = SavedTable(X=X, y=y, estimator=estimator, **beside)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ArchiveError(f"{request.data} is damaged: {error}") from error
    estimator.set_params(n_jobs=request.jobs, verbose=0 if request.quiet else 1)
    return ready
