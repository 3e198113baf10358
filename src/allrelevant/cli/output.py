"""What commands write: JSON of a stable form, and reports."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from allrelevant.cli.options import Request, say
from allrelevant.results.relevance import RelevanceResult
from allrelevant.tabular import Prepared, TableError
from allrelevant.views.plots.style import pyplot

__all__ = [
    "FORMAT",
    "as_document",
    "check_picture",
    "check_report",
    "save_report",
    "write_json",
]

FORMAT = "allrelevant.command/1"


def as_document(command: str, ready: Prepared, **parts: Any) -> dict[str, Any]:
    """Return what ``--json`` prints: who speaks, what the data were, and the answer."""
    target, groups = ready.target, ready.row_groups
    return {
        "format": FORMAT,
        "command": command,
        "target": {
            "name": target.name,
            "task": target.task,
            "guessed": target.guessed,
            "why": target.why,
            "order": None if target.order is None else list(target.order),
            "positive": target.positive,
        },
        "data": {
            "rows": len(ready.X),
            "features": ready.features,
            "row_groups": None if groups is None else {"column": groups.column, "n": groups.number},
            "notes": list(ready.notes),
        },
        **parts,
    }


def write_json(document: Mapping[str, Any]) -> None:
    """Write a document to standard output; numbers that JSON lacks become null."""
    click.echo(json.dumps(_plain(document), indent=2, allow_nan=False, ensure_ascii=False))


def check_report(path: Path) -> None:
    """Refuse a place for the report before the analysis, which may take long."""
    _check_place(path, "report")


def check_picture(path: Path) -> None:
    """Refuse a place or a kind of picture before the analysis, which may take long."""
    _check_place(path, "picture")
    plt = pyplot()
    figure = plt.figure()
    kinds = figure.canvas.get_supported_filetypes()
    plt.close(figure)
    if path.suffix.lower().lstrip(".") not in kinds:
        raise TableError(f"--plot: {path} must end in .png, .svg or .pdf")


def _check_place(path: Path, what: str) -> None:
    folder = path.absolute().parent
    reason = ""
    if not folder.is_dir():
        reason = f"there is no folder {folder}"
    elif path.is_dir():
        reason = "it is a folder"
    elif not os.access(path if path.exists() else folder, os.W_OK):
        reason = "permission denied"
    if reason:
        raise OSError(f"cannot write the {what} to {path}: {reason}")


def save_report(
    request: Request, ready: Prepared, result: RelevanceResult, path: Path, **details: Any
) -> None:
    """Write the report and say where it is."""
    try:
        result.report(
            path,
            target=ready.target.name,
            positive=ready.target.positive,
            data=ready.facts,
            notes=[ready.target.sentence(), *ready.notes],
            command=" ".join(["allrelevant", *map(_quoted, sys.argv[1:])]),
            **details,
        )
    except OSError as error:
        raise OSError(f"cannot write the report to {path}: {error.strerror}") from None
    say(request, f"report written to {path}")


def _quoted(argument: str) -> str:
    return f"'{argument}'" if set(argument) & set(' ;&|<>$"*?()') else argument


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    return str(value)
