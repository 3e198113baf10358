"""``allrelevant fit``: the intervals and classes of all features."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import allrelevant
from allrelevant.base.names import padded, short_names
from allrelevant.cli.echo import echo
from allrelevant.cli.fitting import (
    all_known,
    fitted,
    known_when_predicting,
    prepared,
    privileged_columns,
)
from allrelevant.cli.options import Request, data_options, say
from allrelevant.cli.values import names_option
from allrelevant.cli.wanted import Wanted, gives

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared

__all__ = ["fit", "report_details"]

_NAME_LENGTH = 28
_MOST_SCORED = 50  # features whose witnesses are scored for a report
_MOST_CURVES = 12  # features whose curves, and bars along the tolerance, a report shows
_MOST_SUBSTITUTES = 4  # features for which a report lists what takes their place
_PATIENCE = 5.0  # seconds for each of these lists


@click.command()
@data_options
@names_option("--forbid", text="Features that no model may use.")
@click.option(
    "--needed", is_flag=True, help="Also list the tolerance up to which each feature is needed."
)
@click.option(
    "--dask",
    is_flag=False,
    flag_value="local",
    metavar="[ADDRESS]",
    help="Read Parquet files on a dask cluster: that of a scheduler, or one on this machine.",
)
@gives("report", "save", "out", "plot", else_="a table")
def fit(
    request: Request, forbid: tuple[str, ...], needed: bool, dask: str | None, wanted: Wanted
) -> None:
    """Find out which features must, can and need not be used to predict a target.

    DATA is a table with a header line: CSV (any delimiter, also .gz), Parquet or Excel. Text
    columns are coded as categories; identifiers and constant columns are left out and named. DATA
    can also be a fit that --save has written: all commands but forest take it, need no --target
    then, and do not fit again. A folder of Parquet files, or a pattern, is read block by block and
    may be larger than memory; its columns hold numbers.

    \b
    Examples:
      allrelevant fit patients.csv --target ill --report report.html
      allrelevant fit survey.csv.gz --target risk --order low,medium,high
      allrelevant fit houses.parquet --target price --impute median --json
      allrelevant fit loans.csv --target default --forbid sex,age
      allrelevant fit visits.csv --target ill --groups patient   (several rows for a patient)
      allrelevant fit 'visits/*.parquet' --target ill --dask scheduler:8786
      allrelevant fit patients.csv --target ill --save ill.fit && allrelevant whatif ill.fit ...
    """
    wanted.check(request)
    is_far = dask is not None or _is_many_files(request.data)
    ready = _elsewhere(request, dask, wanted.save, needed) if is_far else prepared(request)
    barred = all_known(ready, forbid, "--forbid")
    estimator = fitted(request, ready)
    prices = _prices(estimator) if needed else {}
    if wanted.save is not None:
        from allrelevant.cli.saved import save_fit

        save_fit(request, estimator, ready, privileged_columns(request, ready), wanted.save)
    result = estimator.result_
    if barred:
        result = estimator.what_if(forbid=barred)
    known = {"needed_up_to": prices} if needed else {}
    wanted.answer("fit", ready, result, result=json.loads(result.to_json()), **known)
    if needed and not wanted.as_json:
        echo(_listed(prices, estimator.tolerance_))
    wanted.save_table(request, partial(result.to_frame, sort=True))
    shown = estimator.needed_up_to_ if needed else None
    display = partial(allrelevant.RelevanceDisplay.from_result, result, needed=shown)
    wanted.save_picture(request, display)
    details = partial(report_details, request, estimator, ready, result)
    wanted.save_report(request, ready, result, dict if is_far else details)


def _is_many_files(data: Path) -> bool:
    """Whether this is a folder, or a pattern; brackets are also in names of tables."""
    if data.exists():
        return data.is_dir()
    return bool(set(str(data)) & set("*?[" if data.suffix == ".parquet" else "*?"))


def _elsewhere(request: Request, dask: str | None, save: Path | None, needed: bool) -> Any:
    """Files that are read block by block."""
    from allrelevant.cli.elsewhere import prepared_elsewhere

    others = {"--save": save is not None, "--needed": needed}
    return prepared_elsewhere(request, dask, [name for name, given in others.items() if given])


def _prices(estimator: Any) -> dict[str, float]:
    """Of each feature the tolerance up to which all models need it, the highest first."""
    found = dict(zip(estimator.result_.names, estimator.needed_up_to_.tolist(), strict=True))
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def _listed(prices: dict[str, float], tolerance: tuple[float, float]) -> str:
    names = short_names([name for name, price in prices.items() if price > 0], _NAME_LENGTH)
    rows = [
        f"  {padded(name, _NAME_LENGTH)}  {prices[k]:.3g}"
        for name, k in zip(names, prices, strict=False)
    ]
    rest = len(prices) - len(rows)
    more = [f"  all others ({rest}): the baseline does without them"] if rest else []
    head = f"\nneeded up to a tolerance of (it is {max(tolerance):.3g} here):"
    return "\n".join([head, *rows, *more])


def report_details(
    request: Request, estimator: Any, ready: Prepared, result: Any
) -> dict[str, Any]:
    """What a report tells beside the result itself, of all models or of those that are left."""
    source = estimator if result is estimator.result_ else result
    say(request, "looking for groups, stand-ins and unsettled predictions, for the report")
    if not result.support.any():
        return {}
    X = known_when_predicting(request, ready)
    ranges = source.prediction_range(X, ends=False)
    about = {"predictions": ranges, "rows": ready.rows}
    if source is estimator:
        about["needed"] = _prices(estimator)
        about["witnesses"] = _scored(estimator, X, ready.y)
        relevant = [result.names[j] for j in result.order if result.classes[j] > 0]
        about["tolerance_path"] = estimator.path_over_tolerance(features=relevant[:_MOST_CURVES])
        about["curves"] = _curves(estimator)
    weak = [result.names[j] for j in result.order if result.classes[j] == 1]
    substitutes: dict[str, list[str] | None] = {}
    for name in weak[:_MOST_SUBSTITUTES]:
        found = source.substitutes(name, time_limit=_PATIENCE)
        if found.is_replaceable:
            known = found.is_shortest or found.stand_ins
            substitutes[name] = list(found.stand_ins) if known else None
    return about | {"groups": source.groups(), "substitutes": substitutes}


def _curves(estimator: Any) -> list[Any]:
    """The bands of the relevant features that are curves, where there is a basis.

    With several classes they are about the two that a feature can set farthest apart.
    """
    if estimator.fitted_set_.columns.curves is None:
        return []
    result, known = estimator.result_, estimator.fitted_set_.columns.curves
    chosen = [result.names[j] for j in result.order if result.classes[j] > 0]
    drawn = [name for name in chosen if known.of_feature(name) is not None]
    return [
        estimator.shape_range(name, classes=_farthest(estimator, name))
        for name in drawn[:_MOST_CURVES]
    ]


def _farthest(estimator: Any, feature: str) -> tuple[Any, Any] | None:
    """The two classes that a piece of a curve can set farthest apart, of three and more."""
    fitted = estimator.fitted_set_
    if fitted.model.n_scores == 1:
        return None
    weights = estimator.witness(feature, "max").weights_.reshape(fitted.model.n_scores, -1)
    own = weights[:, list(fitted.features.columns_of(feature))]
    piece = own[:, (own.max(axis=0) - own.min(axis=0)).argmax()]
    labels = fitted.decoder.outcomes
    return labels[int(piece.argmin())], labels[int(piece.argmax())]


def _scored(estimator: Any, X: Any, y: Any) -> dict[str, Any]:
    """What models at the ends of the intervals score, on the rows of the fit."""
    result = estimator.result_
    chosen = [j for j in result.order.tolist() if result.classes[j] > 0][:_MOST_SCORED]
    models = [estimator.witness(j, bound) for j in chosen for bound in ("min", "max")]
    found = models[0].scores_of(models, X, y)
    of_classes = {"n_classes": len(estimator.classes_)} if result.task == "ordinal" else {}
    return {
        "n": len(found),
        "name": estimator.fitted_set_.model.score_name,
        "low": min(found),
        "high": max(found),
        "reference": estimator.score(X, y),
        **of_classes,
    }
