"""Questions about the equivalent models: what if, groups, ranges of predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from allrelevant import tabular
from allrelevant.base.names import visible
from allrelevant.cli.echo import echo
from allrelevant.cli.fitting import (
    all_known,
    fitted,
    known_when_predicting,
    prepared,
    privileged_columns,
    read_beside,
)
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.output import (
    as_document,
    check_outputs,
    save_report,
    write_json,
    write_result,
)
from allrelevant.cli.tables import save_table
from allrelevant.cli.values import json_option, names_option, table_option
from allrelevant.tabular.errors import TableError
from allrelevant.tabular.names import few

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared

__all__ = ["groups", "predict_range", "whatif"]


@click.command()
@data_options
@names_option("--forbid", text="Features no model may use.")
@names_option("--keep", text="Features every model uses, more than noise would be.")
@click.option("--bound", "bounds", multiple=True, metavar="F=LOW:HIGH", help="Range of relevance.")
@click.option("--sign", "signs", multiple=True, metavar="F=+|-", help="Sign of a weight.")
@click.option("--report", type=click.Path(path_type=Path), help="Write an HTML report here.")
@table_option
@json_option("text")
def whatif(
    request: Request,
    forbid: tuple[str, ...],
    keep: tuple[str, ...],
    bounds: tuple[str, ...],
    signs: tuple[str, ...],
    report: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Ask what becomes of all features when some are forbidden, kept or bounded.

    Relevances are shares of the model's total weight, as in the table of `fit`.

    \b
    Examples:
      allrelevant whatif loans.csv --target default --forbid sex
      allrelevant whatif patients.csv --target ill --keep age --bound dose=0.1:0.3
      allrelevant whatif patients.csv --target ill --sign dose=+
    """
    check_outputs(request, report=report, out=out)
    ready = prepared(request)
    asked: dict[str, Any] = {
        "forbid": all_known(ready, forbid, "--forbid"),
        "keep": [_single(ready, name, "--keep") for name in keep],
        "bounds": dict(_parse_bound(ready, text) for text in bounds),
        "signs": dict(_parse_sign(ready, text) for text in signs),
    }
    if not any(asked.values()):
        raise click.UsageError("give at least one of --forbid, --keep, --bound and --sign")
    estimator = fitted(request, ready)
    answer = estimator.what_if(**{key: value for key, value in asked.items() if value})
    if as_json:
        parts = {key: json.loads(r.to_json()) for key, r in _both(estimator, answer).items()}
        write_json(as_document("whatif", ready, constraints=asked, **parts))
    else:
        write_result(answer)
        echo("\n" + _changes(answer))
    if out is not None:
        save_table(request, answer.to_frame(sort=True), out)
    if report is not None:
        save_report(request, ready, answer, report)


@click.command()
@data_options
@click.option(
    "--number",
    type=click.IntRange(min=1),
    help="How many groups of features; default: by trade-off.",
)
@names_option("--instead-of", text="Features for which to say what takes their place.")
@table_option
@json_option("text")
def groups(
    request: Request,
    number: int | None,
    instead_of: tuple[str, ...],
    out: Path | None,
    as_json: bool,
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
    """
    check_outputs(request, out=out)
    ready = prepared(request)
    left_out = all_known(ready, instead_of, "--instead-of")
    estimator = fitted(request, ready)
    result = estimator.result_
    found = estimator.groups(n_groups=number)
    if out is not None:
        save_table(request, found.to_frame(), out)
    labels = found.labels
    listed = [
        [result.names[j] for j in result.order if labels[j] == label]
        for label in range(1, labels.max(initial=0) + 1)
    ]
    if as_json:
        found_instead = {name: _stand_ins(estimator, name) for name in left_out}
        about = {"groups": listed, "unsure": list(found.unsure), "substitutes": found_instead}
        write_json(as_document("groups", ready, **about))
        return
    for number_, names in enumerate(listed, start=1):
        echo(f"group {number_}: {', '.join(names)}")
    if found.unsure:
        echo(f"could be grouped otherwise: {', '.join(found.unsure)}")
    if not listed:
        echo("no relevant features, so no groups")
    for name in left_out:
        echo(str(estimator.substitutes(name)))


@click.command("predict-range")
@data_options
@click.option("--samples", type=click.Path(path_type=Path), help="Other samples; default: DATA.")
@click.option("--unsettled", is_flag=True, help="Only samples that depend on the model.")
@table_option
@json_option("text")
def predict_range(
    request: Request, samples: Path | None, unsettled: bool, out: Path | None, as_json: bool
) -> None:
    """Say for each sample what equally good models predict, and whether they agree.

    Prints a table as CSV: row (counted from 1), low, high, and for classes settled and labels.
    Three or more ordered classes have low_1, high_1, low_2, high_2, ...: a range for each step from
    one class to the next.

    \b
    Examples:
      allrelevant predict-range loans.csv --target default > ranges.csv
      allrelevant predict-range loans.csv --target default --samples new.csv --unsettled
    """
    check_outputs(request, out=out)
    ready = prepared(request)
    if unsettled and ready.target.task in ("regression", "survival"):
        raise TableError("--unsettled is for classes: predictions of a number are never settled")
    # Who is to be predicted has no privileged columns.
    X, rows = known_when_predicting(request, ready), ready.rows
    if samples is not None:
        others = read_beside(request, samples)
        X, rows = ready.code(others, privileged_columns(request, ready)), tabular.row_names(others)
    estimator = fitted(request, ready)
    ranges = estimator.prediction_range(X)
    frame = ranges.to_frame()
    frame.insert(0, "row", rows)
    if "labels" in frame:
        frame["labels"] = ["|".join(visible(str(one)) for one in row) for row in frame["labels"]]
        if unsettled:
            frame = frame[~frame["settled"].astype(bool)]
    if out is not None:
        save_table(request, frame, out)
    if as_json:
        ambiguity = ranges.ambiguity if len(ranges.outcomes) else None
        rows = frame.to_dict("records")
        write_json(as_document("predict-range", ready, ambiguity=ambiguity, samples=rows))
    elif out is None:
        echo(frame.to_csv(index=False), nl=False)


def _single(ready: Prepared, name: str, option: str) -> str:
    ready.known(name, option)  # raises where it is not
    columns = ready.categories.groups.get(name, ())
    if columns:
        raise TableError(
            f"{option}: {name!r} is a category; name one of its columns: {few(columns)}"
        )
    return name


def _parse_bound(ready: Prepared, text: str) -> tuple[str, tuple[float, float]]:
    name, _, limits = text.rpartition("=")
    low, colon, high = limits.partition(":")
    try:
        ends = (float(low or 0.0), float(high or "inf"))
    except ValueError:
        colon = ""
    if not name or not colon or not 0.0 <= ends[0] <= ends[1]:
        raise click.UsageError(f"--bound must be FEATURE=LOW:HIGH, such as age=0.1:0.5; got {text}")
    return _single(ready, name, "--bound"), ends


def _parse_sign(ready: Prepared, text: str) -> tuple[str, int]:
    name, _, sign = text.rpartition("=")
    if not name or sign not in ("+", "-", "+1", "-1", "1"):
        raise click.UsageError(f"--sign must be FEATURE=+ or FEATURE=-; got {text}")
    return _single(ready, name, "--sign"), -1 if sign.startswith("-") else 1


def _stand_ins(estimator: Any, name: str) -> dict[str, Any]:
    found = estimator.substitutes(name)
    return {"is_replaceable": found.is_replaceable, "stand_ins": list(found.stand_ins)}


def _both(estimator: Any, answer: Any) -> dict[str, Any]:
    return {"before": estimator.result_, "result": answer}


def _changes(after: Any) -> str:
    """Say which features have become more or less important."""
    words = []
    for j in after.order:
        old, new = after.before.class_names[j], after.class_names[j]
        if old != new:
            words.append(f"{after.names[j]}: {old} -> {new}")
    return "changed: " + "; ".join(words) if words else "no feature changes its class"
