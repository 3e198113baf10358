"""From the shared options to data and a fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from allrelevant.base.target_kinds import TargetKind, estimator_class_for, target_kinds
from allrelevant.cli.echo import echo
from allrelevant.cli.options import Request, say
from allrelevant.tabular import Prepared, TableError, prepare, read_table

__all__ = ["all_known", "as_known", "fitted", "prepared", "read_beside"]


def prepared(request: Request, *, for_trees: bool = False) -> Prepared:
    """Read the data, and say what was made of them."""
    ready = prepare(
        read_table(request.data),
        request.target,
        task=request.task,
        order=request.order or None,
        categorical=request.categorical,
        numeric=request.numeric,
        drop=request.drop,
        groups=request.groups,
        impute=request.impute,
        for_trees=for_trees,
    )
    if request.class_weight != "auto" and not _kind(ready).has_classes:
        raise TableError(
            f"--class-weight {request.class_weight} is for classes, and {request.target!r} is "
            "taken for numbers: leave it out, or say what the target is by --task"
        )
    # Said even when quiet: a wrong guess makes every number after it meaningless.
    mark = "  <-- a guess: --task says otherwise" if ready.target.guessed else ""
    echo(f"{ready.target.sentence()}{mark}", err=True, bold=ready.target.guessed)
    for note in ready.notes:
        say(request, note)
    return ready


def read_beside(request: Request, path: Path) -> pd.DataFrame:
    """Read a table that goes with the data, and say what was made of it."""
    table = read_table(path)
    for note in table.attrs["notes"]:
        say(request, note)
    return table


def _kind(ready: Prepared) -> TargetKind:
    return target_kinds()[ready.target.task]


def fitted(request: Request, ready: Prepared) -> Any:
    """Fit the estimator that the target needs."""
    estimator = estimator_class_for(ready.target.task)(**_parameters(request, ready))
    groups = None if ready.row_groups is None else ready.row_groups.codes
    if not request.privileged:
        return estimator.fit(ready.X, ready.y, groups=groups)
    columns = [c for name in request.privileged for c in ready.columns_of(name, "--privileged")]
    if not request.by_column:
        _refuse_levels(ready, request.privileged)
    if len(columns) == ready.X.shape[1]:
        raise TableError("--privileged leaves no column that is known when predicting")
    rest = ready.X.drop(columns=columns)
    return estimator.fit(rest, ready.y, X_privileged=ready.X[columns], groups=groups)


def _refuse_levels(ready: Prepared, names: Iterable[str]) -> None:
    """Refuse to tear one level out of a category that is one feature."""
    for category, columns in ready.column_groups.items():
        for name in set(names) & set(columns):
            raise TableError(
                f"--privileged: {name!r} is a level of {category!r}; name {category!r}, or give "
                "--by-column"
            )


def as_known(request: Request, ready: Prepared, name: str, option: str) -> list[str]:
    """What the estimator calls a feature: a category is one feature, or its columns."""
    columns = ready.columns_of(name, option)  # raises where there are none
    as_one = set() if request.by_column else set(ready.column_groups) - set(request.privileged)
    return [name] if name in as_one else columns


def all_known(request: Request, ready: Prepared, names: Iterable[str], option: str) -> list[str]:
    """What an option names, as the estimator knows it, each once."""
    known = [part for name in names for part in as_known(request, ready, name, option)]
    return list(dict.fromkeys(known))


def _parameters(request: Request, ready: Prepared) -> Mapping[str, Any]:
    parameters: dict[str, Any] = {
        "cv": request.cv,
        "tolerance": request.tolerance,
        "fdr": request.fdr,
        "confidence": request.confidence,
        "n_probes": request.probes,
        "random_state": request.seed,
        "n_jobs": request.jobs,
        "verbose": 0 if request.quiet else 1,
    }
    if ready.target.order is not None:
        parameters["classes"] = list(ready.target.order)
    if _kind(ready).has_classes:
        weight = request.class_weight
        parameters["class_weight"] = None if weight == "none" else weight
    if not request.by_column:
        groups = {k: v for k, v in ready.column_groups.items() if k not in request.privileged}
        parameters["column_groups"] = groups or None
    return parameters
