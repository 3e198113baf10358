"""Options that all commands on data share."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from allrelevant import papers
from allrelevant.base.target_kinds import target_kinds
from allrelevant.cli.echo import echo
from allrelevant.cli.values import NumberOr, names_option

if TYPE_CHECKING:
    from allrelevant.tabular.target import Target


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the shared options say; `given` has the names of those that were on the command line."""

    data: Path
    target: str
    event: str | None
    task: str
    order: tuple[str, ...]
    groups: str | None
    class_weight: Literal["auto", "balanced", "none"]
    loss: Literal["hinge", "logistic", "huber"] | None
    quantile: float | None
    basis: Literal["spline", "bins"] | None
    privileged: tuple[str, ...]
    categorical: tuple[str, ...]
    numeric: tuple[str, ...]
    by_column: bool
    drop: tuple[str, ...]
    impute: Literal["mean", "median", "none"]
    dates: Literal["leave-out", "days", "parts"]
    cv: int
    tolerance: float | Literal["auto", "bootstrap"]
    fdr: float | None
    confidence: float | None
    probes: int | Literal["auto"]
    replace_probes: bool
    budget: Literal["auto", "split", "joint"]
    baseline: Literal["l1", "l2"]
    as_in: str | None
    seed: int
    jobs: int | None
    quiet: bool
    verbose: bool
    checkpoint: Path | None
    given: frozenset[str]

    def kept_for(self, question: str) -> Path | None:
        """Where work for a question is kept: beside the checkpoint of the fit."""
        file = self.checkpoint
        return None if file is None else file.with_name(f"{file.name}.{question}")


def data_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the shared options to a command, which gets them as one `Request`."""
    own = [name for name in Request.__dataclass_fields__ if name != "given"]

    @wraps(function)
    def command(balanced: bool, **values: Any) -> Any:
        context = click.get_current_context()
        given = frozenset(
            name
            for name in own
            if context.get_parameter_source(name) is not ParameterSource.DEFAULT
        )
        shared = {name: values.pop(name) for name in own}
        _refuse_clashes(given, balanced, shared["class_weight"])
        if balanced:
            shared["class_weight"] = "balanced"
            given |= {"class_weight"}
        level = logging.INFO if shared["verbose"] else logging.WARNING
        logging.basicConfig(level=level, format="%(name)s: %(message)s")
        return function(Request(**shared, given=given), **values)

    for option in reversed((*_about_data(), *_about_models(), *_about_running())):
        command = option(command)
    return command


def _refuse_clashes(given: frozenset[str], balanced: bool, class_weight: str) -> None:
    """Refuse options of which one would be ignored."""
    if balanced and "class_weight" in given and class_weight != "balanced":
        raise click.UsageError(
            f"--balanced means --class-weight balanced, but --class-weight is {class_weight}: "
            "leave out one of them"
        )
    if {"fdr", "confidence"} <= given:
        raise click.UsageError(
            "--confidence and --fdr are two ways to say how much noise may pass: leave out one of "
            "them"
        )


def _about_data() -> tuple[Callable[..., Any], ...]:
    """Options that say what the table holds."""
    return (
        click.argument("data", type=click.Path(path_type=Path)),
        click.option("--target", "-t", default="", metavar="COL", help="Column to predict."),
        click.option(
            "--event",
            metavar="COL",
            help="Column that is 1 where an event happened at the time that --target has, and 0 "
            "where it had not happened yet.",
        ),
        click.option(
            "--task",
            type=click.Choice(["auto", *target_kinds()]),
            default="auto",
            show_default=True,
            help="Kind of target; auto guesses it, and says why.",
        ),
        names_option("--order", text="Ordered classes, lowest first: low,medium,high."),
        click.option(
            "--groups",
            metavar="COL",
            help="Column that says which ROWS belong together, such as those of one patient or "
            "site: they are tested together and shuffled together. It is then not a feature.",
        ),
        names_option("--privileged", text="Columns that are known in training only."),
        names_option("--categorical", text="Columns of numbers that are names of categories."),
        names_option(
            "--numeric",
            text="Columns to read as numbers although they look like identifiers or text.",
        ),
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
            "--dates",
            type=click.Choice(["leave-out", "days", "parts"]),
            default="leave-out",
            show_default=True,
            help="Use dates as days since 1970, or as year, month and day of the week.",
        ),
    )


def _about_models() -> tuple[Callable[..., Any], ...]:
    """Options that say which models are good, and what noise is."""
    return (
        click.option(
            "--loss",
            type=click.Choice(["hinge", "logistic", "huber"]),
            help="hinge or logistic: the loss of classes; by default hinge, or logistic if that "
            "predicts clearly better. huber: the loss of numbers, for their mean instead of their "
            "middle.",
        ),
        click.option(
            "--quantile",
            type=NumberOr(above=0.0, below=1.0),
            help="Predict this quantile of a number, such as 0.9, instead of its middle.",
        ),
        click.option(
            "--basis",
            type=click.Choice(["spline", "bins"]),
            help="Use curves of every number instead of straight lines: piecewise straight lines, "
            "or steps.",
        ),
        click.option(
            "--class-weight",
            type=click.Choice(["auto", "balanced", "none"]),
            default="auto",
            show_default=True,
            help="How much classes count: auto makes up for different sizes (in part for ordered "
            "classes); balanced makes all classes count the same; none counts every row alike. "
            "Trees count every row alike unless balanced.",
        ),
        click.option("--balanced", is_flag=True, help="The same as --class-weight balanced."),
        click.option(
            "--cv",
            type=click.IntRange(min=2),
            default=5,
            show_default=True,
            metavar="N",
            help="Folds of the cross-validation that chooses how sparse models are.",
        ),
        click.option(
            "--tolerance",
            type=NumberOr("auto", "bootstrap", least=0.0),
            default="auto",
            show_default=True,
            help="How much worse a model may be and still count as equally good; bootstrap: so "
            "much that the best model of the population is most likely among them.",
        ),
        click.option(
            "--fdr",
            type=NumberOr("none", above=0.0, below=1.0),
            default=0.1,
            show_default=True,
            help="Share of the relevant features that may be noise, on average.",
        ),
        click.option(
            "--confidence",
            type=NumberOr(above=0.5, below=1.0),
            help="Instead of --fdr: the probability that a noise feature is not called "
            "relevant, for each feature by itself.",
        ),
        click.option(
            "--probes",
            type=NumberOr("auto", least=2, whole=True),
            default="auto",
            show_default=True,
            help="Shuffled columns for the noise threshold; auto takes as many as close "
            "calls need.",
        ),
        click.option(
            "--replace-probes",
            is_flag=True,
            help="Shuffled columns replace the columns they come from, with the papers' "
            "thresholds: the --confidence (0.999) end of a prediction interval.",
        ),
        click.option(
            "--budget",
            type=click.Choice(["auto", "split", "joint"]),
            default="auto",
            show_default=True,
            help="Whether norm and loss each have a limit, or their weighted sum has one.",
        ),
        click.option(
            "--baseline",
            type=click.Choice(["l1", "l2"]),
            default="l1",
            show_default=True,
            help="Norm of the reference model.",
        ),
        click.option(
            "--as-in",
            type=click.Choice(papers.NAMES),
            help="Use the settings of that paper; other options override them.",
        ),
    )


def _about_running() -> tuple[Callable[..., Any], ...]:
    return (
        click.option("--seed", type=int, default=0, show_default=True, help="Random seed."),
        click.option("--jobs", "-j", type=int, help="Number of processes; -1 for all processors."),
        click.option(
            "--checkpoint",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Keep finished work here; the same command continues where it was interrupted.",
        ),
        click.option("--quiet", "-q", is_flag=True, help="Print no progress and no remarks."),
        click.option("--verbose", "-v", is_flag=True, help="Log what is done."),
    )


def say_target(request: Request, target: Target, *, guessed: bool) -> None:
    """Say what the target was read as; even when quiet, if numbers were taken for classes."""
    if request.quiet and not (guessed and target.task == "ordinal"):
        return
    mark = "  <-- a guess: --task changes it" if guessed else ""
    echo(f"{target.sentence()}{mark}", err=True, bold=guessed)


def say(request: Request, text: str) -> None:
    """Remark on standard error, unless asked to be quiet."""
    if not request.quiet:
        echo(text, err=True)
