"""From the shared options to data and a fit."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from allrelevant import papers, tabular
from allrelevant.base.archive_mark import SUFFIX, begins_as_archive
from allrelevant.base.target_kinds import TargetKind, estimator_class_for, target_kinds
from allrelevant.cli.options import Request, say, say_target
from allrelevant.tabular.errors import TableError, check_file

if TYPE_CHECKING:
    import pandas as pd

    from allrelevant.tabular import Prepared


def prepared(request: Request, *, for_trees: bool = False) -> Prepared:
    """Read the data, and say what was made of them."""
    ready = read(request, for_trees=for_trees)
    say_reading(request, ready)
    return ready


def say_reading(request: Request, ready: Prepared) -> None:
    """Say what was made of the data; of a saved fit `fit` says it all, and others how much."""
    is_fit = begins_as_archive(request.data)
    say_target(request, ready.target, guessed=ready.target.guessed and not is_fit)
    if is_fit and click.get_current_context().info_name != "fit" and len(ready.notes) > 1:
        n = len(ready.notes)
        say(
            request,
            f"{n} notes on how its table was read: 'allrelevant fit {request.data}' has them",
        )
        return
    for note in ready.notes:
        say(request, note)


def read(request: Request, *, for_trees: bool = False) -> Prepared:
    """Read the data, a table or a fit that was saved."""
    is_fit = begins_as_archive(request.data)  # spreadsheets are zips, too
    if not is_fit and request.data.suffix.lower() == SUFFIX:
        _refuse_as_fit(request.data)
    if not is_fit and not request.target:
        raise click.MissingParameter(param_hint="'--target' / '-t'", param_type="option")
    check_file(request.data)  # before what reads tables is imported, which takes a second
    _watch_workers()
    return _loaded(request, for_trees) if is_fit else _read(request, for_trees)


def _refuse_as_fit(path: Path) -> NoReturn:
    """Say that a file has the name of a fit and is none, instead of asking for its target."""
    check_file(path)
    raise TableError(
        f"{path} is not a fit that allrelevant saved: if it is a table, give it a name that does "
        f"not end in {SUFFIX}, such as {path.with_suffix('.csv').name}"
    )


def _loaded(request: Request, for_trees: bool) -> Prepared:
    from allrelevant.cli.saved import load_fit

    return load_fit(request, for_trees=for_trees)


def _read(request: Request, for_trees: bool) -> Prepared:
    ready = tabular.prepare(
        tabular.read_table(request.data),
        request.target,
        task=request.task,
        event=request.event,
        order=request.order or None,
        categorical=request.categorical,
        numeric=request.numeric,
        drop=request.drop,
        groups=request.groups,
        impute=request.impute,
        dates="leave_out" if request.dates == "leave-out" else request.dates,
        by_column=request.by_column,
        for_trees=for_trees,
    )
    if request.class_weight != "auto" and not _kind(ready).has_classes:
        raise TableError(
            f"--class-weight {request.class_weight} is for classes, and {request.target!r} is "
            "read as numbers: leave it out, or say what the target is with --task"
        )
    if request.loss is not None and ready.target.task not in _TASKS_OF_LOSS[request.loss]:
        what = "numbers" if request.loss == "huber" else "classes"
        raise TableError(
            f"--loss {request.loss} is for {what}, and {request.target!r} is read as "
            f"{_kind(ready).taken_for}: leave it out, or say what the target is with --task"
        )
    if request.quantile is not None and request.loss is not None:
        raise TableError(
            f"--quantile has a loss of its own: leave out --loss {request.loss}, or --quantile"
        )
    if request.quantile is not None and ready.target.task != "regression":
        raise TableError(
            f"--quantile is for numbers, and {request.target!r} is read as "
            f"{_kind(ready).taken_for}: leave it out, or give --task regression"
        )
    return ready


def _watch_workers() -> None:
    """Have workers end with a program from the first moment on; else they learn of it with work."""
    context = click.get_current_context()
    if not context.obj:  # the process is somebody else's
        return
    from joblib import parallel_config

    from allrelevant.backends.watch import watch

    with suppress(TypeError):  # joblib before 1.5 has no such settings
        settings = {"initializer": watch, "initargs": (os.getpid(),)}
        context.with_resource(parallel_config(backend="loky", **settings))


def read_beside(request: Request, path: Path) -> pd.DataFrame:
    """Read a table that goes with the data, and say what was made of it."""
    table = tabular.read_table(path)
    for note in table.attrs["notes"]:
        say(request, note)
    return table


def _kind(ready: Any) -> TargetKind:
    return target_kinds()[ready.target.task]


def fitted(request: Request, ready: Prepared) -> Any:
    """Fit the estimator that the target needs, or take the one that was saved."""
    from allrelevant.cli.saved import SavedTable

    if isinstance(ready, SavedTable):
        return ready.estimator
    estimator = _estimator(request, ready)
    if hasattr(ready, "fit"):  # rows that are elsewhere
        return ready.fit(request, estimator)
    groups = None if ready.row_groups is None else ready.row_groups.codes
    known = known_when_predicting(request, ready)
    if not request.privileged:
        return estimator.fit(known, ready.y, groups=groups)
    if "privileged" not in estimator.get_params():
        raise TableError(f"--privileged: models for {_kind(ready).taken_for} have no such columns")
    if not known.shape[1]:
        raise TableError("--privileged leaves no column that is known when predicting")
    privileged = ready.X[privileged_columns(request, ready)]
    return estimator.fit(known, ready.y, X_privileged=privileged, groups=groups)


def known_when_predicting(request: Request, ready: Prepared) -> pd.DataFrame:
    """The features without the privileged ones, as the estimator is to be asked."""
    return ready.X.drop(columns=privileged_columns(request, ready))


def privileged_columns(request: Request, ready: Prepared) -> list[str]:
    """Columns that are known in training only; no single level of a category."""
    from allrelevant.cli.saved import SavedTable

    if isinstance(ready, SavedTable):
        return ready.privileged
    names = all_known(ready, request.privileged, "--privileged")
    owner = {level: name for name, own in ready.features.items() for level in own}
    for name in names:
        if name not in ready.X:
            raise TableError(
                f"--privileged: {name!r} is a level of {owner[name]!r}; name {owner[name]!r}, or "
                "give --by-column"
            )
    return names


def all_known(ready: Prepared, names: Iterable[str], option: str) -> list[str]:
    """What an option names, as the estimator knows it, each once."""
    known = [part for name in names for part in ready.known(name, option)]
    return list(dict.fromkeys(known))


def _estimator(request: Request, ready: Any) -> Any:
    """The estimator for the target, set by options or as a paper has it."""
    task, parameters = ready.target.task, _parameters(request, ready)
    if request.as_in is None:
        return estimator_class_for(task)(**parameters)
    own = {name for option, name in _OPTIONS.items() if option not in request.given}
    try:
        changes = {name: value for name, value in parameters.items() if name not in own}
        return papers.preset(request.as_in, task, **changes)
    except ValueError as error:
        raise TableError(f"--as-in {error}") from None


# What a paper says unless the option was given, by the name of the option.
_TASKS_OF_LOSS = {
    "hinge": ("classification", "ordinal"),
    "logistic": ("classification", "ordinal"),
    "huber": ("regression",),
}
_OPTIONS = {
    "cv": "cv",
    "tolerance": "tolerance",
    "fdr": "fdr",
    "confidence": "confidence",
    "probes": "n_probes",
    "replace_probes": "probes",
    "budget": "budget",
    "baseline": "baseline",
    "class_weight": "class_weight",
}


def _parameters(request: Request, ready: Any) -> Mapping[str, Any]:
    parameters: dict[str, Any] = {
        "cv": request.cv,
        "tolerance": request.tolerance,
        "fdr": request.fdr,
        "confidence": request.confidence,
        "n_probes": request.probes,
        "probes": "replace" if request.replace_probes else "append",
        "budget": request.budget,
        "baseline": request.baseline,
        "basis": request.basis,
        "random_state": request.seed,
        "n_jobs": request.jobs,
        "verbose": 0 if request.quiet else 1,
        "checkpoint": request.checkpoint,
    }
    if ready.target.order is not None:
        parameters["classes"] = list(ready.target.order)
    if request.loss is not None:
        parameters["loss"] = request.loss
    if request.quantile is not None:
        parameters |= {"loss": "quantile", "quantile": request.quantile}
    if _kind(ready).has_classes:
        weight = request.class_weight
        parameters["class_weight"] = None if weight == "none" else weight
    return parameters
