"""Constraints on models as options: what is forbidden, kept, bounded or given a sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from allrelevant.cli.fitting import all_known
from allrelevant.cli.values import names_option, packing
from allrelevant.tabular.errors import TableError
from allrelevant.tabular.names import few

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared


@dataclass(frozen=True)
class Asked:
    """The constraints of a call as they were written."""

    forbid: tuple[str, ...]
    keep: tuple[str, ...]
    bounds: tuple[str, ...]
    signs: tuple[str, ...]

    def of(self, ready: Prepared) -> dict[str, Any]:
        """The constraints as arguments of `what_if`, by names that the estimator knows."""
        asked: dict[str, Any] = {
            "forbid": all_known(ready, self.forbid, "--forbid"),
            "keep": [single(ready, name, "--keep") for name in self.keep],
            "bounds": dict(_parse_bound(ready, text) for text in self.bounds),
            "signs": dict(_parse_sign(ready, text) for text in self.signs),
        }
        return {key: value for key, value in asked.items() if value}


def constraint_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which gets them as one `Asked`."""
    bound: dict[str, Any] = {"multiple": True, "metavar": "F=LOW:HIGH"}
    options = (
        names_option("--forbid", text="Features that no model may use."),
        names_option("--keep", text="Features every model has to use, more than noise."),
        click.option("--bound", "bounds", help="Range of relevance.", **bound),
        click.option(
            "--sign",
            "signs",
            multiple=True,
            metavar="F=+|-",
            help="Sign of a weight; F=A<B: of class B at least that of class A.",
        ),
    )
    return packing(Asked, "asked", options, function)


def single(ready: Prepared, name: str, option: str) -> str:
    """A name that is known and no category's; raises where it is."""
    ready.known(name, option)  # raises where it is not
    columns = ready.categories.groups.get(name, ())
    if columns:
        raise TableError(
            f"{option}: {name!r} is a category; name one of its columns: {few(columns)}"
        )
    return name


def _parse_bound(ready: Prepared, text: str) -> tuple[str, tuple[float, float]]:
    name, _, limits = text.rpartition("=")
    low, colon, high = limits.partition(":")
    try:
        ends = (float(low or 0.0), float(high or "inf"))
    except ValueError:
        colon = ""
    if not name or not colon or not 0.0 <= ends[0] <= ends[1]:
        raise click.UsageError(f"--bound must be FEATURE=LOW:HIGH, such as age=0.1:0.5; got {text}")
    if ends[0] > 0.0 or ready.known(name, "--bound") != [name]:
        single(ready, name, "--bound")
    return name, ends


def _parse_sign(ready: Prepared, text: str) -> tuple[str, Any]:
    name, _, sign = text.rpartition("=")
    if name and "<" in sign:
        return single(ready, name, "--sign"), labels_of(ready, sign.split("<"), "--sign")
    if not name or sign not in ("+", "-", "+1", "-1", "1"):
        raise click.UsageError(
            "--sign must be FEATURE=+ or FEATURE=-, or with three and more classes FEATURE=A<B, "
            f"along which the weight does not fall; got {text}"
        )
    return single(ready, name, "--sign"), -1 if sign.startswith("-") else 1


def labels_of(ready: Prepared, texts: Sequence[str], option: str) -> list[Any]:
    """Classes as the estimator knows them, from how they are written."""
    saved = getattr(ready, "estimator", None)
    known = ready.y.to_numpy().ravel() if saved is None else getattr(saved, "classes_", ())
    labels = {str(label): label for label in sorted(set(known), key=str)}
    for text in texts:
        if text.strip() not in labels:
            raise TableError(f"{option}: there is no class {text.strip()!r}: {few(list(labels))}")
    return [labels[text.strip()] for text in texts]
