"""``allrelevant path``: at which sparsity a feature becomes indispensable."""

from __future__ import annotations

import json
from pathlib import Path

import click

import allrelevant
from allrelevant.cli.echo import echo
from allrelevant.cli.fitting import fitted, prepared
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.output import as_document, check_outputs, save_picture, write_json
from allrelevant.cli.values import json_option

__all__ = ["path"]


@click.command()
@data_options
@click.option(
    "--points",
    type=click.IntRange(min=2),
    default=12,
    show_default=True,
    help="How many values of C; each is a fit.",
)
@click.option("--at", "values", type=float, multiple=True, help="A value of C; can be repeated.")
@click.option("--plot", type=click.Path(path_type=Path), help="Write a picture: .png, .svg, .pdf.")
@json_option("a table")
def path(
    request: Request, points: int, values: tuple[float, ...], plot: Path | None, as_json: bool
) -> None:
    """Say how classes and intervals change along C, from models of one feature to models of many.

    A small C allows models of few features. At which sparsity does a feature become one that no
    good model can do without, and when do others take its place?

    \b
    Examples:
      allrelevant path patients.csv --target ill
      allrelevant path patients.csv --target ill --points 20 --plot path.png
      allrelevant path patients.csv --target ill --at 0.01 --at 0.1 --at 1
    """
    check_outputs(request, plot=plot)
    ready = prepared(request)
    answer = fitted(request, ready).path_over_c(values or None, n_points=points)
    if as_json:
        numbers = {"indispensable": answer.indispensable, "result": json.loads(answer.to_json())}
        write_json(as_document("path", ready, **numbers))
    else:
        echo(str(answer))
    if plot is not None:
        save_picture(request, allrelevant.RelevancePathDisplay.from_result(answer).figure_, plot)
