"""Questions about the equivalent models: what if, groups, ranges of predictions."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import allrelevant
from allrelevant import tabular
from allrelevant.base.names import visible
from allrelevant.cli.constraints import Asked, constraint_options, labels_of
from allrelevant.cli.echo import echo
from allrelevant.cli.fit import report_details
from allrelevant.cli.fitting import (
    all_known,
    fitted,
    known_when_predicting,
    prepared,
    privileged_columns,
    read_beside,
)
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.output import as_document, write_json
from allrelevant.cli.values import file_option, names_option
from allrelevant.cli.wanted import Wanted, gives
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared

__all__ = ["groups", "predict_range", "whatif"]


@click.command()
@data_options
@constraint_options
@gives("report", "out", "plot", else_="text")
def whatif(request: Request, asked: Asked, wanted: Wanted) -> None:
    """Ask what happens to all features when some are forbidden, kept or bounded.

    Relevances are shares of the model's total weight, as in the table of `fit`.

    \b
    Examples:
      allrelevant whatif loans.csv --target default --forbid sex
      allrelevant whatif patients.csv --target ill --keep age --bound dose=0.1:0.3
      allrelevant whatif patients.csv --target ill --sign dose=+ --plot bars.pdf
    """
    wanted.check(request)
    ready = prepared(request)
    constraints = asked.of(ready)
    if not constraints:
        raise click.UsageError("give at least one of --forbid, --keep, --bound and --sign")
    estimator = fitted(request, ready)
    answer = estimator.what_if(**constraints)
    both = {"before": estimator.result_, "result": answer}
    parts = {key: json.loads(one.to_json()) for key, one in both.items()}
    wanted.answer("whatif", ready, answer, constraints=dict(answer.constraints), **parts)
    if not wanted.as_json:
        echo("\n" + _changes(answer))
    wanted.save_table(request, partial(answer.to_frame, sort=True))
    wanted.save_picture(request, partial(allrelevant.RelevanceDisplay.from_result, answer))
    details = partial(report_details, request, estimator, ready, answer)
    wanted.save_report(request, ready, answer, details)


@click.command()
@data_options
@click.option(
    "--number",
    type=click.IntRange(min=1),
    help="How many groups of features; default: by trade-off.",
)
@names_option("--instead-of", text="Features for which to say what takes their place.")
@constraint_options
@gives("out", "plot", else_="text")
def groups(
    request: Request, number: int | None, instead_of: tuple[str, ...], asked: Asked, wanted: Wanted
) -> None:
    """Group FEATURES that carry the same information, and say what stands in for what.

    Groups of rows, such as those of one patient, are what the option --groups of every command is
    for.

    \b
    Examples:
      allrelevant groups patients.csv --target ill
      allrelevant groups patients.csv --target ill --instead-of age,dose
      allrelevant groups patients.csv --target ill --number 5 --json
      allrelevant groups visits.csv --target ill --groups patient
      allrelevant groups loans.csv --target default --forbid sex --instead-of age
    """
    wanted.check(request)
    ready = prepared(request)
    left_out = all_known(ready, instead_of, "--instead-of")
    constraints = asked.of(ready)
    estimator = fitted(request, ready)
    result = estimator.result_
    kept = request.kept_for("groups")
    found = estimator.groups(n_groups=number, checkpoint=kept, **constraints)
    wanted.save_table(request, found.to_frame)

    def tree() -> Any:
        shown = estimator.what_if(**constraints) if constraints else result
        return allrelevant.GroupsDisplay.from_result(shown, found)

    wanted.save_picture(request, tree)
    labels = found.labels
    listed = [
        [result.names[j] for j in result.order if labels[j] == label]
        for label in range(1, labels.max(initial=0) + 1)
    ]
    if wanted.as_json:
        found_instead = {name: _stand_ins(estimator, name, constraints) for name in left_out}
        about = {"groups": listed, "unsure": list(found.unsure), "substitutes": found_instead}
        write_json(as_document("groups", ready, **about))
        return
    for number_, names in enumerate(listed, start=1):
        echo(f"group {number_}: {', '.join(names)}")
    if found.unsure:
        echo(f"could be grouped otherwise: {', '.join(found.unsure)}")
    if not listed:
        echo("no relevant features, so no groups")
    elif not any(names[1:] for names in listed):
        echo("no two features were found to carry the same information")
    for name in left_out:
        echo(str(estimator.substitutes(name, **constraints)))


@click.command("predict-range")
@data_options
@file_option("--samples", "Other samples; default: DATA.")
@click.option("--unsettled", is_flag=True, help="Only samples that depend on the model.")
@click.option(
    "--explain",
    metavar="ROW",
    help="One sample instead: what each feature adds to its score, over all good models.",
)
@click.option(
    "--classes",
    nargs=2,
    metavar="A B",
    help="With --explain and three or more classes: the score of B minus that of A.",
)
@constraint_options
@gives("out", "plot", else_="text")
def predict_range(
    request: Request,
    samples: Path | None,
    unsettled: bool,
    explain: str | None,
    classes: tuple[str, str] | None,
    asked: Asked,
    wanted: Wanted,
) -> None:
    """Say for each sample what equally good models predict, and whether they agree.

    Prints a table as CSV: row (counted from 1), low, high, and for classes settled and labels.
    Three or more ordered classes have low_1, high_1, low_2, high_2, ...: a range for each step from
    one class to the next.

    \b
    Examples:
      allrelevant predict-range loans.csv --target default > ranges.csv
      allrelevant predict-range loans.csv --target default --samples new.csv --unsettled
      allrelevant predict-range loans.csv --target default --forbid sex
      allrelevant predict-range loans.csv --target default --explain 17 --plot row17.png
    """
    wanted.check(request)
    ready = prepared(request)
    if unsettled and ready.target.task in ("regression", "survival"):
        raise TableError("--unsettled is for classes: predictions of a number are never settled")
    # Who is to be predicted has no privileged columns.
    X, rows = known_when_predicting(request, ready), ready.rows
    if samples is not None:
        others = read_beside(request, samples)
        X, rows = ready.code(others, privileged_columns(request, ready)), tabular.row_names(others)
    constraints = asked.of(ready)
    if classes is not None and explain is None:
        raise click.UsageError("--classes says which scores --explain compares: give both")
    place = None if explain is None else _place(rows, explain)
    compared = None if classes is None else labels_of(ready, classes, "--classes")
    estimator = fitted(request, ready)
    if place is not None:
        found = estimator.explain(X, place, classes=compared, **constraints)
        _explain(request, ready, found, wanted)
        return
    ranges = estimator.prediction_range(X, **constraints)
    display = allrelevant.PredictionRangeDisplay.of_ranges(estimator, ranges, list(map(str, rows)))
    wanted.save_picture(request, display.plot)
    frame = ranges.to_frame()
    frame.insert(0, "row", rows)
    if "labels" in frame:
        frame["labels"] = ["|".join(visible(str(one)) for one in row) for row in frame["labels"]]
        if unsettled:
            frame = frame[~frame["settled"].astype(bool)]
    wanted.save_table(request, lambda: frame)
    if wanted.as_json:
        ambiguity = ranges.ambiguity if len(ranges.outcomes) else None
        rows = frame.to_dict("records")
        write_json(as_document("predict-range", ready, ambiguity=ambiguity, samples=rows))
    elif wanted.out is None:
        echo(frame.to_csv(index=False), nl=False)


def _place(rows: Any, row: str) -> int:
    """The position of a row by its name in tables."""
    names = [str(name) for name in rows]
    if row not in names:
        raise TableError(
            f"--explain: there is no row {row}; rows go from {names[0]} to {names[-1]}"
        )
    return names.index(row)


def _explain(request: Request, ready: Prepared, found: Any, wanted: Wanted) -> None:
    wanted.save_table(request, found.to_frame)
    wanted.save_picture(request, allrelevant.ExplanationDisplay(found).plot)
    if wanted.as_json:
        write_json(as_document("explain", ready, **json.loads(found.to_json())))
    elif wanted.out is None:
        echo(str(found))
        if found.statements:
            echo("\ntrue of all good models:\n" + "\n".join(found.statements))


def _stand_ins(estimator: Any, name: str, constraints: dict[str, Any]) -> dict[str, Any]:
    found = estimator.substitutes(name, **constraints)
    return {"is_replaceable": found.is_replaceable, "stand_ins": list(found.stand_ins)}


def _changes(after: Any) -> str:
    """Say which features have become more or less important."""
    words = []
    for j in after.order:
        old, new = after.before.class_names[j], after.class_names[j]
        if old != new:
            words.append(f"{after.names[j]}: {old} -> {new}")
    return "changed: " + "; ".join(words) if words else "no feature changes its class"
