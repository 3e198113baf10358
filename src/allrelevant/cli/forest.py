"""``allrelevant forest``: relevance for relations no line can draw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

import allrelevant
from allrelevant.cli.fit import save_plot
from allrelevant.cli.options import Request, data_options, json_option, prepared
from allrelevant.cli.output import as_document, check_picture, write_json
from allrelevant.tabular import TableError

__all__ = ["forest"]


@click.command()
@data_options
@click.option("--plot", type=click.Path(path_type=Path), help="Write a picture: .png, .svg, .pdf.")
@json_option("a table")
def forest(request: Request, plot: Path | None, as_json: bool) -> None:
    """Find strong, weak and irrelevant features with trees, for relations no line can draw.

    Categories and missing numbers are taken as they are; there may be more than two classes.

    \b
    Examples:
      allrelevant forest patients.csv --target ill
      allrelevant forest flowers.csv --target species --json
    """
    _refuse_what_trees_lack(request)
    if plot is not None:
        check_picture(plot)
    ready = prepared(request, for_trees=True)
    parameters: dict[str, Any] = {
        "random_state": request.seed,
        "n_jobs": request.jobs,
        "verbose": 0 if request.quiet else 1,
    }
    kind = "ForestRelevanceRegressor"
    if ready.target.task != "regression":
        kind = "ForestRelevanceClassifier"
        parameters["class_weight"] = "balanced" if request.balanced else None
        if ready.target.task == "ordinal":
            parameters |= {"ordinal": True, "classes": ready.target.order}
    result = getattr(allrelevant, kind)(**parameters).fit(ready.X, ready.y).result_
    if as_json:
        write_json(as_document("forest", ready, result=json.loads(result.to_json())))
    else:
        click.echo(str(result))
    if plot is not None:
        save_plot(request, result, plot)


def _refuse_what_trees_lack(request: Request) -> None:
    given = {
        "--task reject": request.task == "reject",
        "--privileged": request.privileged,
        "--tolerance": request.tolerance != "auto",
        "--by-column": request.by_column,
    }
    for option, is_given in given.items():
        if is_given:
            raise TableError(f"forest has no {option}: it is for linear models")
