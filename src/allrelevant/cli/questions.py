"""Questions about the equivalent models: what if, groups, sets, ranges of predictions."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

from allrelevant.cli.options import Request, data_options, fitted, names_option, prepared
from allrelevant.cli.output import as_document, check_report, save_report, write_json
from allrelevant.grouped import by_feature
from allrelevant.tabular import Prepared, TableError, read_table

__all__ = ["groups", "predict_range", "read_costs", "sets", "whatif"]

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


@click.command()
@data_options
@names_option("--forbid", text="Features no model may use.")
@names_option("--keep", text="Features every model uses, more than noise would be.")
@click.option("--bound", "bounds", multiple=True, metavar="F=LOW:HIGH", help="Range of relevance.")
@click.option("--sign", "signs", multiple=True, metavar="F=+|-", help="Sign of a weight.")
@click.option("--report", type=click.Path(path_type=Path), help="Write an HTML report here.")
@_JSON
def whatif(
    request: Request,
    forbid: tuple[str, ...],
    keep: tuple[str, ...],
    bounds: tuple[str, ...],
    signs: tuple[str, ...],
    report: Path | None,
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
    if report is not None:
        check_report(report)
    ready = prepared(request)
    asked: dict[str, Any] = {
        "forbid": [c for name in forbid for c in ready.columns_of(name, "--forbid")],
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
        click.echo(str(by_feature(answer)))
        click.echo("\n" + _changes(by_feature(answer)))
    if report is not None:
        save_report(request, ready, answer, report)


@click.command()
@data_options
@click.option("--number", type=click.IntRange(min=1), help="How many groups; default: by distance.")
@names_option("--instead-of", text="Features for which to say what takes their place.")
@_JSON
def groups(
    request: Request, number: int | None, instead_of: tuple[str, ...], as_json: bool
) -> None:
    """Group features that carry the same information, and say what stands in for what.

    \b
    Examples:
      allrelevant groups patients.csv --target ill
      allrelevant groups patients.csv --target ill --instead-of age,dose
      allrelevant groups patients.csv --target ill --number 5 --json
    """
    ready = prepared(request)
    left_out = [_single(ready, name, "--instead-of") for name in instead_of]
    estimator = fitted(request, ready)
    result = estimator.result_
    found = estimator.groups(n_groups=number)
    labels = np.asarray(found.labels)
    listed = [
        [result.names[j] for j in result.order if labels[j] == label]
        for label in sorted(set(labels[labels > 0].tolist()))
    ]
    listed.sort(key=len, reverse=True)
    if as_json:
        found_instead = {name: _stand_ins(estimator, name) for name in left_out}
        write_json(as_document("groups", ready, groups=listed, substitutes=found_instead))
        return
    for number_, names in enumerate(listed, start=1):
        click.echo(f"group {number_}: {', '.join(names)}")
    if not listed:
        click.echo("no relevant features, so no groups")
    for name in left_out:
        click.echo(str(estimator.substitutes(name)))


@click.command()
@data_options
@click.option("-k", "number", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--costs", type=click.Path(path_type=Path), help="Table of features and their costs.")
@names_option("--forbid", text="Features that no set may contain.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds after which what was found so far is given, and said to be that.",
)
@_JSON
def sets(
    request: Request,
    number: int,
    costs: Path | None,
    forbid: tuple[str, ...],
    time_limit: float,
    as_json: bool,
) -> None:
    """List the smallest sets of features that are enough, or find the cheapest one.

    COSTS is a table with a column of features and a column of numbers; others cost 1.

    \b
    Examples:
      allrelevant sets patients.csv --target ill
      allrelevant sets patients.csv --target ill --costs costs.csv
      allrelevant sets patients.csv --target ill --forbid biopsy
    """
    ready = prepared(request)
    without = [c for name in forbid for c in ready.columns_of(name, "--forbid")]
    prices = None if costs is None else read_costs(costs, ready)
    estimator = fitted(request, ready)
    if prices is None:
        answer = _smallest(estimator.smallest_sets(number, forbid=without, time_limit=time_limit))
    else:
        answer = _cheapest(estimator.cheapest_set(prices, forbid=without, time_limit=time_limit))
    if as_json:
        write_json(as_document("sets", ready, costs=prices, **answer))
    else:
        for one in answer["sets"]:
            click.echo(_set_line(one))


@click.command("predict-range")
@data_options
@click.option("--samples", type=click.Path(path_type=Path), help="Other samples; default: DATA.")
@click.option("--unsettled", is_flag=True, help="Only samples that depend on the model.")
@_JSON
def predict_range(request: Request, samples: Path | None, unsettled: bool, as_json: bool) -> None:
    """Say for each sample what equally good models predict, and whether they agree.

    Prints a table as CSV: row (counted from 0), low, high, and for classes settled and labels.
    Three or more ordered classes have low_0, high_0, low_1, high_1, ...: a range for each step from
    one class to the next.

    \b
    Examples:
      allrelevant predict-range loans.csv --target default > ranges.csv
      allrelevant predict-range loans.csv --target default --samples new.csv --unsettled
    """
    ready = prepared(request)
    if unsettled and ready.target.task == "regression":
        raise TableError("--unsettled is for classes: predictions of a number are never settled")
    # Who is to be predicted has no privileged columns.
    X = ready.X if samples is None else ready.code(read_table(samples), request.privileged)
    estimator = fitted(request, ready)
    ranges = estimator.prediction_range(X[list(estimator.feature_names_in_)])
    frame = ranges.to_frame()
    frame.insert(0, "row", X.index.to_numpy())
    if "labels" in frame:
        frame["labels"] = ["|".join(map(str, labels)) for labels in frame["labels"]]
        if unsettled:
            frame = frame[~frame["settled"].astype(bool)]
    if as_json:
        ambiguity = ranges.ambiguity if len(ranges.outcomes) else None
        rows = frame.to_dict("records")
        write_json(as_document("predict-range", ready, ambiguity=ambiguity, samples=rows))
    else:
        click.echo(frame.to_csv(index=False), nl=False)


def read_costs(path: Path, ready: Prepared) -> dict[str, float]:
    """Read a table of features and costs; the columns of a category share its cost evenly."""
    table = read_table(path)
    numbers = [c for c in table.columns if pd.api.types.is_numeric_dtype(table[c])]
    texts = [c for c in table.columns if c not in numbers]
    if len(numbers) != 1 or len(texts) != 1:
        raise TableError(f"{path} must have one column of features and one of costs")
    prices: dict[str, float] = {}
    for name, price in zip(table[texts[0]].astype(str), table[numbers[0]], strict=True):
        if not price >= 0:
            raise TableError(f"{path}: the cost of {name!r} must be 0 or more, got {price}")
        columns = ready.columns_of(name, str(path))
        if prices.keys() & set(columns):
            raise TableError(f"{path} names the cost of {name!r} twice")
        prices |= {column: float(price) / len(columns) for column in columns}
    return prices


def _smallest(found: Any) -> dict[str, Any]:
    if not found.is_complete:
        smaller = "" if found.is_optimal else ", and there may be smaller sets"
        # A warning, not a remark: even the quiet must know that the answer is not whole.
        warnings.warn(f"the time limit cut the list of sets short{smaller}", stacklevel=2)
    return {
        "sets": [{"features": list(one.features), "size": len(one.features)} for one in found],
        "is_complete": found.is_complete,
        "is_exhaustive": found.is_exhaustive,
    }


def _cheapest(one: Any) -> dict[str, Any]:
    if not one.is_optimal:
        warnings.warn(
            f"the time limit was reached: there may be a set up to {one.gap:.0%} cheaper",
            stacklevel=2,
        )
    return {
        "sets": [{"features": list(one.features), "cost": one.cost, "gap": one.gap}],
        "is_complete": one.is_optimal,
        "is_exhaustive": False,
    }


def _set_line(one: dict[str, Any]) -> str:
    names = one["features"]
    if not names:
        return "no feature is needed: models without any are equally good"
    price = f", cost {one['cost']:g}" if "cost" in one else ""
    return f"{len(names)} feature{'s' if len(names) > 1 else ''}{price}: {', '.join(names)}"


def _single(ready: Prepared, name: str, option: str) -> str:
    columns = ready.columns_of(name, option)
    if len(columns) > 1:
        raise TableError(
            f"{option}: {name!r} is a category; name one of its columns, such as {columns[0]!r}"
        )
    return columns[0]


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
