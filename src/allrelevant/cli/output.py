"""What commands print: JSON of a stable form, and results as text."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from allrelevant.cli.echo import echo

if TYPE_CHECKING:
    from allrelevant.tabular import Prepared

FORMAT = "allrelevant.command/1"
_TOLD = "allrelevant.told"


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
    text = json.dumps(_plain(document), indent=2, allow_nan=False, ensure_ascii=False)
    echo("\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n")))


def _escaped(line: str) -> str:
    """A line of JSON that is the same to who reads it, and hides nothing."""
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def remember(warning: str) -> None:
    """Keep in mind that a warning was shown."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta.setdefault(_TOLD, []).append(warning)


def write_result(result: Any) -> None:
    """Write a result as text, without the warnings that are read in the same place already."""
    if getattr(result, "warnings", ()) and _go_to_one_place():
        told = click.get_current_context().meta.get(_TOLD, ())
        result = replace(result, warnings=[text for text in result.warnings if text not in told])
    echo(str(result))


def _go_to_one_place() -> bool:
    """Whether results and warnings are read together: on a screen, or in one file."""
    if sys.stdout.isatty() and sys.stderr.isatty():
        return True
    try:
        return os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno())
    except (OSError, ValueError, AttributeError):  # no files at all, as in a notebook
        return False


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy's
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
