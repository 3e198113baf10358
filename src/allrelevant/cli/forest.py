"""``allrelevant forest``: relevance for relations no line can draw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import allrelevant
from allrelevant.cli.fit import save_plot
from allrelevant.cli.fitting import prepared
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.output import (
    as_document,
    check_outputs,
    save_page,
    save_report,
    write_json,
    write_result,
)
from allrelevant.cli.tables import save_table
from allrelevant.cli.values import json_option, table_option
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared

__all__ = ["fitted_forest", "forest", "refuse_what_trees_lack"]

# Options that only linear models have.
_FOR_LINES = (
    *("event", "quantile", "basis", "privileged", "by_column"),
    *("cv", "tolerance", "fdr", "confidence", "probes"),
    *("replace_probes", "budget", "baseline", "as_in"),
)


@click.command()
@data_options
@click.option("--report", type=click.Path(path_type=Path), help="Write an HTML report here.")
@click.option("--page", type=click.Path(path_type=Path), help="Write a page to look through here.")
@table_option
@click.option("--plot", type=click.Path(path_type=Path), help="Write a picture: .png, .svg, .pdf.")
@click.option("--save", type=click.Path(path_type=Path), help="Write what is found here: see DATA.")
@json_option("a table")
def forest(
    request: Request,
    report: Path | None,
    page: Path | None,
    out: Path | None,
    plot: Path | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Find strong, weak and irrelevant features with trees, for relations no line can draw.

    Categories and missing numbers are taken as they are; there may be more than two classes. DATA
    can also be what --save has written, which needs no --target and no new fit.

    \b
    Examples:
      allrelevant forest patients.csv --target ill
      allrelevant forest flowers.csv --target species --json
    """
    refuse_what_trees_lack(request)
    check_outputs(request, report=report, plot=plot, out=out, save=save, page=page)
    ready = prepared(request, for_trees=True)
    estimator = fitted_forest(request, ready)
    result = estimator.result_
    if save is not None:
        from allrelevant.cli.saved import save_forest_fit

        save_forest_fit(request, estimator, ready, save)
    if as_json:
        write_json(as_document("forest", ready, result=json.loads(result.to_json())))
    else:
        write_result(result)
    if out is not None:
        save_table(request, result.to_frame(sort=True), out)
    if plot is not None:
        save_plot(request, result, plot)
    if report is not None:
        save_report(request, ready, result, report, shapes=estimator.shapes())
    if page is not None:
        save_page(request, ready, estimator, page)


def fitted_forest(request: Request, ready: Prepared) -> Any:
    """Fit the forest that the target needs, or take the one that was saved."""
    saved = getattr(ready, "estimator", None)
    if saved is not None:
        return saved
    parameters: dict[str, Any] = {
        "random_state": request.seed,
        "n_jobs": request.jobs,
        "verbose": 0 if request.quiet else 1,
        "checkpoint": request.checkpoint,
    }
    kind = "ForestRelevanceRegressor"
    if ready.target.task != "regression":
        kind = "ForestRelevanceClassifier"
        parameters["class_weight"] = "balanced" if request.class_weight == "balanced" else None
        if ready.target.task == "ordinal":
            parameters |= {"ordinal": True, "classes": ready.target.order}
    return getattr(allrelevant, kind)(**parameters).fit(ready.X, ready.y)


def refuse_what_trees_lack(request: Request) -> None:
    """Say which of the shared options are not for trees."""
    if request.groups is not None:
        raise TableError(
            "forest has no --groups: trees take every row for one of its own, so that rows that "
            f"belong together would pass for evidence; give one row for each {request.groups!r} "
            f"and --drop {request.groups}, or ask a command for linear models, such as fit"
        )
    if request.task in ("reject", "survival"):
        raise TableError(f"forest has no --task {request.task}: it is for linear models")
    for name in _FOR_LINES:
        if name in request.given:
            option = f"--{name.replace('_', '-')}"
            raise TableError(f"forest has no {option}: it is for linear models")
