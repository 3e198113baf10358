"""The smallest sets of features that are enough, and the cheapest one."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from allrelevant.cli.constraints import Asked, constraint_options
from allrelevant.cli.echo import echo
from allrelevant.cli.fitting import all_known, fitted, prepared, read_beside
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.output import as_document, write_json
from allrelevant.cli.values import Names, file_option
from allrelevant.cli.wanted import Wanted, gives
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared

__all__ = ["read_costs", "sets"]


@click.command()
@data_options
@click.option(
    "-k",
    "number",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many sets to list at most.",
)
@file_option("--costs", "Table of features and their costs.")
@constraint_options
@click.option(
    "--one-of",
    type=Names(),
    multiple=True,
    help="Features of which every set contains at least one; may be repeated.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds after which to stop with what was found so far, and to say so.",
)
@gives(else_="text")
def sets(
    request: Request,
    number: int,
    costs: Path | None,
    asked: Asked,
    one_of: tuple[tuple[str, ...], ...],
    time_limit: float,
    wanted: Wanted,
) -> None:
    """List the smallest sets of features that are enough, or find the cheapest one.

    COSTS is a table with a column of features and a column of numbers; others cost 1. A category
    is one feature, and paid for once.

    \b
    Examples:
      allrelevant sets patients.csv --target ill
      allrelevant sets patients.csv --target ill --costs costs.csv
      allrelevant sets patients.csv --target ill --forbid biopsy --one-of blood,urine
    """
    ready = prepared(request)
    lists = [all_known(ready, names, "--one-of") for names in one_of]
    rules = {**asked.of(ready), "one_of": lists, "time_limit": time_limit}
    rules["checkpoint"] = request.kept_for("sets")
    prices = None if costs is None else read_costs(costs, request, ready)
    estimator = fitted(request, ready)
    if prices is None:
        answer = _smallest(estimator.smallest_sets(number, **rules))
    else:
        answer = _cheapest(estimator.cheapest_set(prices, **rules))
    if wanted.as_json:
        write_json(as_document("sets", ready, costs=prices, **answer))
    else:
        for one in answer["sets"]:
            echo(_set_line(one))


def read_costs(path: Path, request: Request, ready: Prepared) -> dict[str, float]:
    """Read a table of features and costs, by the names that the estimator knows.

    Where categories fall apart into their columns, those share the cost evenly.
    """
    prices: dict[str, float] = {}
    for name, price in _read_prices(request, path):
        if not 0 <= price < math.inf:
            raise TableError(f"{path}: the cost of {name!r} must be 0 or more, got {price}")
        known = ready.known(name, str(path))
        if set(known) & set(prices):
            raise TableError(f"{path} names the cost of {name!r} twice, or of one of its columns")
        if known[0] not in ready.features:
            raise TableError(f"{path}: {name!r} is a level of a category, which is paid for once")
        prices |= dict.fromkeys(known, float(price) / len(known))
    return prices


def _read_prices(request: Request, path: Path) -> list[tuple[str, float]]:
    """Read pairs of a feature and a cost; the costs are the column that holds numbers."""
    from allrelevant.tabular.cells import as_numbers, name_cells, no_numbers
    from allrelevant.tabular.text import is_number

    table = read_beside(request, path)
    if any(map(is_number, table.columns)):
        raise TableError(
            f"{path} has no header line: its first line must name a column of features and one of "
            "costs"
        )
    if table.shape[1] != 2:
        raise TableError(f"{path} must have one column of features and one of costs")
    odd = {name: no_numbers(table[name]) for name in table.columns}
    features, costs = sorted(table.columns, key=lambda name: -odd[name].sum())
    if not odd[features].any():
        raise TableError(f"{path} must have one column of features and one of costs")
    if odd[costs].any():
        cells = name_cells(table[costs], odd[costs], range(1, len(table) + 1))
        raise TableError(f"{path}: column {costs!r} has cells that are not costs: {cells}")
    return list(zip(table[features].astype(str), as_numbers(table[costs]), strict=True))


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
    """Name a set."""
    names = one["features"]
    if not names:
        return "no feature is needed: models without any are equally good"
    price = f", cost {one['cost']:g}" if "cost" in one else ""
    noun = f"feature{'s' if len(names) > 1 else ''}"
    return f"{len(names)} {noun}{price}: {', '.join(names)}"
