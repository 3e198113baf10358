"""``allrelevant forest``: relevance for non-linear relations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

import allrelevant
from allrelevant.cli.fitting import prepared
from allrelevant.cli.options import Request, data_options
from allrelevant.cli.wanted import Wanted, gives, writing
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared

__all__ = ["fitted_forest", "forest", "refuse_what_trees_lack"]

# Options that only linear models have.
_FOR_LINES = (
    *("event", "loss", "quantile", "basis", "privileged", "by_column"),
    *("cv", "tolerance", "fdr", "confidence", "probes"),
    *("replace_probes", "budget", "baseline", "as_in"),
)


@click.command()
@data_options
@gives("report", "page", "out", "plot", "save", else_="a table")
def forest(request: Request, wanted: Wanted) -> None:
    """Find strong, weak and irrelevant features with trees, for non-linear relations.

    Categories and missing numbers are taken as they are; there may be more than two classes. DATA
    can also be what --save has written, which needs no --target and no new fit.

    \b
    Examples:
      allrelevant forest patients.csv --target ill
      allrelevant forest flowers.csv --target species --json
    """
    refuse_what_trees_lack(request)
    wanted.check(request)
    ready = prepared(request, for_trees=True)
    estimator = fitted_forest(request, ready)
    result = estimator.result_
    if wanted.save is not None:
        from allrelevant.cli.saved import save_forest_fit

        save_forest_fit(request, estimator, ready, wanted.save)
    wanted.answer("forest", ready, result)
    wanted.save_table(request, partial(result.to_frame, sort=True))
    wanted.save_picture(request, lambda: allrelevant.RelevanceDisplay.from_result(result))
    wanted.save_report(request, ready, result, lambda: {"shapes": estimator.shapes()})
    if wanted.page is not None:
        with writing(request, "page", wanted.page):
            result.page(wanted.page, target=ready.target.name, shapes=estimator.shapes())


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
            "forest has no --groups: trees count every row as independent, and rows that belong "
            f"together are not; give one row for each {request.groups!r} and --drop "
            f"{request.groups}, or ask a command for linear models, such as fit"
        )
    if request.task in ("reject", "survival"):
        raise TableError(f"forest has no --task {request.task}: it is for linear models")
    for name in _FOR_LINES:
        if name in request.given:
            option = f"--{name.replace('_', '-')}"
            raise TableError(f"forest has no {option}: it is for linear models")
