"""``allrelevant explore``: the bars, live, on a local page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from allrelevant.cli.fitting import fitted, known_when_predicting, prepared
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.sets import read_costs
from allrelevant.cli.values import file_option


@click.command()
@data_options
@file_option("--costs", "Table of features and their costs.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; 0 takes a free one.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def explore(request: Request, costs: Path | None, port: int, no_browser: bool) -> None:
    """Open a page on this machine where the bars move as you forbid, keep and bound features.

    Nobody else can reach it: it listens on 127.0.0.1 and its address holds a random token. The
    variable ALLRELEVANT_EXPLORE_TOKEN fixes the token, so that an open page outlives a restart.

    \b
    Examples:
      allrelevant explore patients.csv --target ill
      allrelevant explore patients.csv --target ill --costs costs.csv --port 8000 --no-browser
    """
    from allrelevant.views.explorer import Session
    from allrelevant.views.explorer.serve import check_installed, serve

    check_installed()  # before a fit that may take long
    ready = prepared(request)
    prices = None if costs is None else read_costs(costs, request, ready)
    samples = known_when_predicting(request, ready).set_axis(ready.rows)
    estimator = fitted(request, ready)
    session = Session(
        estimator,
        samples,
        target=ready.target.name,
        costs=prices,
        notes=[ready.target.sentence(), *ready.notes],
    )
    with suppress(KeyboardInterrupt):  # how one ends it
        serve(session, port=port, open_browser=not no_browser)
