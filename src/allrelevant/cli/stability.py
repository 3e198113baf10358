"""``allrelevant stability``: whether half of the data would have told the same."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import allrelevant
from allrelevant.cli.fit import report_details
from allrelevant.cli.fitting import fitted, prepared
from allrelevant.cli.forest import fitted_forest, refuse_what_trees_lack
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.wanted import Wanted, gives
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    from allrelevant import StabilityResult


@click.command()
@data_options
@click.option(
    "--splits", type=click.IntRange(min=1), help="How many splits; default: 50, for trees 10."
)
@click.option("--forest", is_flag=True, help="Trees, for non-linear relations.")
@gives("report", "out", "plot", else_="a table")
def stability(request: Request, splits: int | None, forest: bool, wanted: Wanted) -> None:
    """Say how often halves of the data find each feature strong, weak and irrelevant.

    The rows are split into two halves many times, and each half is fitted by itself. For features
    that stand in for one another it says how often at least one was found. Rows that belong
    together (--groups) are in the same half.

    \b
    Examples:
      allrelevant stability patients.csv --target ill
      allrelevant stability patients.csv --target ill --splits 20 --plot stability.png
      allrelevant stability patients.csv --target ill --report report.html
      allrelevant stability visits.csv --target ill --groups patient
      allrelevant stability flowers.csv --target species --forest
    """
    if forest:
        refuse_what_trees_lack(request)
        if wanted.report is not None:
            raise TableError(
                "stability --forest has no --report: allrelevant forest --report writes one"
            )
    wanted.check(request)
    ready = prepared(request, for_trees=forest)
    estimator = fitted_forest(request, ready) if forest else fitted(request, ready)
    answer = estimator.stability(**({} if splits is None else {"n_splits": splits}))
    wanted.answer("stability", ready, answer, **_numbers(answer))
    wanted.save_table(request, partial(answer.to_frame, sort=True))
    wanted.save_picture(request, lambda: allrelevant.StabilityDisplay.from_result(answer))
    found = partial(report_details, request, estimator, ready, estimator.result_)
    wanted.save_report(request, ready, estimator.result_, lambda: {"stability": answer, **found()})


def _numbers(answer: StabilityResult) -> dict[str, Any]:
    """What is asked for most often, and the result it comes from."""
    return {
        "index": answer.index,
        "index_interval": answer.index_interval,
        "features": answer.to_frame(sort=True).to_dict("records"),
        "groups": [
            {"name": name, "features": answer.members(name), "selected": share}
            for name, share in answer.group_frequencies.items()
        ],
        "false_selections": answer.false_selections(),
        "result": json.loads(answer.to_json()),
    }
