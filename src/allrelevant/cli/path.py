"""``allrelevant path``: at which sparsity a feature becomes indispensable."""

from __future__ import annotations

import json

import click

import allrelevant
from allrelevant.cli.fitting import fitted, prepared
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.wanted import Wanted, gives

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
@gives("out", "plot", else_="a table")
def path(request: Request, points: int, values: tuple[float, ...], wanted: Wanted) -> None:
    """Say how classes and intervals change along C, from models of one feature to models of many.

    A small C allows models of few features. At which sparsity does a feature become one that no
    good model can do without, and when do others take its place?

    \b
    Examples:
      allrelevant path patients.csv --target ill
      allrelevant path patients.csv --target ill --points 20 --plot path.png
      allrelevant path patients.csv --target ill --at 0.01 --at 0.1 --at 1
    """
    wanted.check(request)
    ready = prepared(request)
    answer = fitted(request, ready).path_over_c(values or None, n_points=points)
    numbers = {"indispensable": answer.indispensable, "result": json.loads(answer.to_json())}
    wanted.answer("path", ready, answer, **numbers)
    wanted.save_table(request, answer.to_frame)
    wanted.save_picture(request, lambda: allrelevant.RelevancePathDisplay.from_result(answer))
