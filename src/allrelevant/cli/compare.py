"""``allrelevant compare``: what has changed from one fit to another."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

import allrelevant
from allrelevant.base.archive_mark import begins_as_archive
from allrelevant.base.target_kinds import target_kinds
from allrelevant.cli.fitting import fitted, read, say_reading
from allrelevant.cli.options import Request, data_options, say
from allrelevant.cli.values import NumberOr
from allrelevant.cli.wanted import Wanted, gives, writing
from allrelevant.results.comparable import nothing_in_common
from allrelevant.tabular.errors import TableError


@click.command()
@data_options
@click.argument("other", type=click.Path(path_type=Path))
@click.option(
    "--other-tolerance",
    type=NumberOr("auto", "bootstrap", least=0.0),
    help="The tolerance of the fit of OTHER.",
)
@click.option(
    "--halves",
    type=click.IntRange(min=1),
    help="Also fit halves of the rows, in so many splits: changes from strong to weak need it.",
)
@gives("report", "out", "plot", else_="text")
def compare(
    request: Request, other: Path, other_tolerance: Any, halves: int | None, wanted: Wanted
) -> None:
    """Say what is different in OTHER, and which differences are beyond noise.

    DATA and OTHER are tables, or fits that --save has written: the same table at two times, with
    and without a group of people, at two tolerances. Options are for both.

    \b
    Examples:
      allrelevant compare spring.csv autumn.csv --target ill
      allrelevant compare spring.fit autumn.fit --report changes.html
      allrelevant compare all.csv without-smokers.csv --target ill --halves 20
      allrelevant compare patients.csv patients.csv --target ill --other-tolerance 0.2
    """
    wanted.check(request, OTHER=other)
    second = replace(request, data=other)
    if other_tolerance is not None:
        if begins_as_archive(other):
            raise TableError(
                f"--other-tolerance: {other} is a saved fit, whose tolerance is fixed: leave the "
                "option out, or give the data instead of the fit"
            )
        second = replace(second, tolerance=other_tolerance, given=second.given | {"tolerance"})
    request, second = _own_options(request, second)
    ready, also = _read(request), _read(second)
    _check_same_kind(request, ready, second, also)
    say_reading(request, ready)
    say_reading(second, also)
    fits = fitted(request, ready), fitted(second, also)
    stability = None
    if halves is not None:
        say(request, "fitting halves of the rows of both")
        stability = tuple(one.stability(n_splits=halves, groups=None) for one in fits)
    answer = allrelevant.compare(*fits, stability=stability)
    wanted.answer("compare", ready, answer, comparison=json.loads(answer.to_json()))
    wanted.save_table(request, partial(answer.to_frame, sort=True))
    wanted.save_picture(request, lambda: allrelevant.ComparisonDisplay.from_result(answer))
    if wanted.report is not None:
        title = f"What has changed for {ready.target.name}?"
        names = (request.data.name, other.name)
        called = names if names[0] != names[1] else ("the first fit", "the second fit")
        with writing(request, "report", wanted.report):
            answer.report(wanted.report, title=title, before=called[0], after=called[1])


def _read(request: Request) -> Any:
    """Read one of the two; an error says which of them it is about."""
    try:
        return read(request)
    except TableError as error:
        if str(request.data) in str(error):
            raise
        raise TableError(f"{request.data}: {error}") from None


def _check_same_kind(request: Request, ready: Any, second: Request, also: Any) -> None:
    """Refuse to compare what has no common meaning, before anything is fitted."""
    tasks = ready.target.task, also.target.task
    two = [one.target.positive is not None for one in (ready, also)]
    if tasks[0] == tasks[1] and two[0] != two[1]:
        few, many = (request.data, second.data) if two[0] else (second.data, request.data)
        raise TableError(
            f"the target of {few} has two classes, that of {many} has more, and relevance is "
            "something else there: leave out the rows of classes that only one of them has"
        )
    if tasks[0] == tasks[1]:
        problem = nothing_in_common(*(one.features for one in (ready, also)))
        if problem is not None:
            raise TableError(problem)
        return
    first, other = (target_kinds()[task].taken_for for task in tasks)
    saved = begins_as_archive(request.data) and begins_as_archive(second.data)
    advice = "" if saved else ": give --task, which is for both"
    raise TableError(
        f"the target of {request.data} is {first}, that of {second.data} is {other}; only fits "
        f"of the same kind can be compared{advice}"
    )


def _own_options(first: Request, second: Request) -> tuple[Request, Request]:
    """Of a table and a saved fit options are for the table: the fit is what it is."""
    saved = begins_as_archive(first.data), begins_as_archive(second.data)
    if saved[0] and not saved[1]:
        first = replace(first, given=frozenset(), target="")
    if saved[1] and not saved[0]:
        second = replace(second, given=frozenset(), target="")
    return first, second
