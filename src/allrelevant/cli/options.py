"""Options that all commands on data share, and the fit they ask for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

import allrelevant
from allrelevant.tabular import Prepared, TableError, prepare, read_table
from allrelevant.tabular.target import TASKS

__all__ = [
    "Request",
    "all_known",
    "as_known",
    "data_options",
    "fitted",
    "json_option",
    "names_option",
    "prepared",
    "say",
]

_ESTIMATORS = {
    "classification": "RelevanceClassifier",
    "regression": "RelevanceRegressor",
    "ordinal": "OrdinalRelevanceClassifier",
    "reject": "RejectOptionRelevanceClassifier",
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the shared options say."""

    data: Path
    target: str
    task: str
    order: tuple[str, ...]
    balanced: bool
    privileged: tuple[str, ...]
    categorical: tuple[str, ...]
    numeric: tuple[str, ...]
    by_column: bool
    drop: tuple[str, ...]
    impute: Literal["mean", "median", "none"]
    tolerance: float | Literal["auto"]
    seed: int
    jobs: int | None
    quiet: bool
    verbose: bool


class _Names(click.ParamType):
    """Names with commas between them; a backslash before a comma that belongs to a name."""

    name = "a,b,…"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, ...]:
        if not isinstance(value, str):
            return tuple(value)
        parts = value.replace("\\,", "\0").split(",")
        return tuple(part.replace("\0", ",").strip() for part in parts if part.strip())


class _Tolerance(click.ParamType):
    """A number, or "auto"."""

    name = "auto|number"

    def convert(self, value: Any, param: Any, ctx: Any) -> float | str:
        if value == "auto":
            return "auto"
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0.0 <= number < float("inf"):
            self.fail(f"{value!r} is neither 'auto' nor a number of at least 0.", param, ctx)
        return number


def names_option(*flags: str, text: str, **kwargs: Any) -> Callable[..., Any]:
    """Return an option that takes names with commas between them, and may be repeated."""

    def joined(ctx: Any, param: Any, value: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        return tuple(name for part in value for name in part)

    return click.option(*flags, type=_Names(), multiple=True, callback=joined, help=text, **kwargs)


def json_option(usual: str) -> Callable[..., Any]:
    """Return the option that asks for JSON instead of what is usual."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print JSON instead of {usual}.")


def data_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the shared options to a command, which gets them as one `Request`."""
    own = dict.fromkeys(Request.__dataclass_fields__)

    def command(**given: Any) -> Any:
        request = Request(**{name: given.pop(name) for name in own})
        level = logging.INFO if request.verbose else logging.WARNING
        logging.basicConfig(level=level, format="%(name)s: %(message)s")
        return function(request, **given)

    command.__doc__ = function.__doc__
    command.__name__ = function.__name__
    command.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]
    options = (
        click.argument("data", type=click.Path(path_type=Path)),
        click.option("--target", "-t", required=True, metavar="COL", help="Column to predict."),
        click.option(
            "--task",
            type=click.Choice(TASKS),
            default="auto",
            show_default=True,
            help="Kind of target; auto says what it took the target for, and why.",
        ),
        names_option("--order", text="Ordered classes, lowest first: low,medium,high."),
        click.option(
            "--balanced",
            is_flag=True,
            help="Give all classes the same say, however few samples they have.",
        ),
        names_option("--privileged", text="Columns that are known in training only."),
        names_option("--categorical", text="Columns of numbers that are names of categories."),
        names_option("--numeric", text="Columns of numbers that look like identifiers or text."),
        click.option(
            "--by-column",
            is_flag=True,
            help="Report each level of a category by itself; faster on large tables.",
        ),
        names_option("--drop", text="Columns to leave out."),
        click.option(
            "--impute",
            type=click.Choice(["mean", "median", "none"]),
            default="none",
            show_default=True,
            help="What to put where a number is missing; none refuses.",
        ),
        click.option(
            "--tolerance",
            type=_Tolerance(),
            default="auto",
            show_default=True,
            help="How much worse a model may be and still count as equally good.",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Random seed."),
        click.option("--jobs", "-j", type=int, help="Number of processes; -1 for all processors."),
        click.option("--quiet", "-q", is_flag=True, help="No progress, no remarks."),
        click.option("--verbose", "-v", is_flag=True, help="Log what is done."),
    )
    for option in reversed(options):
        command = option(command)
    return command


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
        impute=request.impute,
        for_trees=for_trees,
    )
    if request.balanced and ready.target.task == "regression":
        raise TableError(f"--balanced is for classes, and {request.target!r} is taken for numbers")
    # Said even when quiet: a wrong guess makes every number after it meaningless.
    mark = "  <-- a guess: --task says otherwise" if ready.target.guessed else ""
    click.secho(f"{ready.target.sentence()}{mark}", err=True, bold=ready.target.guessed)
    for note in ready.notes:
        say(request, note)
    return ready


def fitted(request: Request, ready: Prepared) -> Any:
    """Fit the estimator that the target needs."""
    estimator = getattr(allrelevant, _ESTIMATORS[ready.target.task])(**_parameters(request, ready))
    if not request.privileged:
        return estimator.fit(ready.X, ready.y)
    columns = [c for name in request.privileged for c in ready.columns_of(name, "--privileged")]
    if not request.by_column:
        _refuse_levels(ready, request.privileged)
    if len(columns) == ready.X.shape[1]:
        raise TableError("--privileged leaves no column that is known when predicting")
    rest = ready.X.drop(columns=columns)
    return estimator.fit(rest, ready.y, X_privileged=ready.X[columns])


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
        "tolerance": request.tolerance,
        "random_state": request.seed,
        "n_jobs": request.jobs,
        "verbose": 0 if request.quiet else 1,
    }
    if ready.target.task == "ordinal" and ready.target.order is not None:
        parameters["classes"] = list(ready.target.order)
    if request.balanced:
        parameters["class_weight"] = "balanced"
    if not request.by_column:
        groups = {k: v for k, v in ready.column_groups.items() if k not in request.privileged}
        parameters["column_groups"] = groups or None
    return parameters


def say(request: Request, text: str) -> None:
    """Remark on standard error, unless asked to be quiet."""
    if not request.quiet:
        click.echo(text, err=True)
