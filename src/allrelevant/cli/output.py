"""What commands write: JSON of a stable form, and reports."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from allrelevant.base.writing import refuse_overwriting, written_whole
from allrelevant.cli.echo import echo
from allrelevant.cli.options import Request, say
from allrelevant.cli.tables import check_table_kind
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    from allrelevant import RelevanceResult
    from allrelevant.tabular import Prepared

__all__ = [
    "FORMAT",
    "as_document",
    "check_outputs",
    "remember",
    "save_page",
    "save_picture",
    "save_report",
    "write_json",
    "write_result",
]

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
    if _go_to_one_place():
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


def check_outputs(
    request: Request,
    *,
    report: Path | None = None,
    plot: Path | None = None,
    out: Path | None = None,
    save: Path | None = None,
    page: Path | None = None,
) -> None:
    """Refuse places and kinds of files before the analysis, which may take long."""
    outputs = {"--report": report, "--plot": plot, "--out": out, "--save": save}
    outputs["--page"] = page
    refuse_overwriting(outputs, {"DATA": request.data})
    if save is not None:
        _check_place(save, "fit")
    if out is not None:
        _check_place(out, "table")
        check_table_kind(out)
    if report is not None:
        _check_place(report, "report")
    if page is not None:
        _check_place(page, "page")
    if plot is not None:
        _check_place(plot, "picture")
        _check_kind(plot)


def _check_kind(path: Path) -> None:
    from allrelevant.views.plots.style import pyplot

    plt = pyplot()
    figure = plt.figure()
    kinds = figure.canvas.get_supported_filetypes()
    plt.close(figure)
    if path.suffix.lower().lstrip(".") not in kinds:
        raise TableError(f"--plot: {path} must end in .png, .svg or .pdf")


def _check_place(path: Path, what: str) -> None:
    folder = Path(os.path.realpath(path)).parent
    reason = ""
    if not folder.is_dir():
        reason = f"there is no folder {folder}"
    elif path.is_dir():
        reason = "it is a folder"
    elif not os.access(path if path.exists() else folder, os.W_OK):
        reason = "permission denied"
    elif (path.is_file() or not path.exists()) and not os.access(folder, os.W_OK):
        reason = f"permission denied in {folder}"
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


def save_page(request: Request, ready: Prepared, estimator: Any, path: Path) -> None:
    """Write the page of a forest and say where it is."""
    try:
        estimator.result_.page(path, target=ready.target.name, shapes=estimator.shapes())
    except OSError as error:
        raise OSError(f"cannot write the page to {path}: {error.strerror}") from None
    say(request, f"page written to {path}")


def save_picture(request: Request, figure: Any, path: Path) -> None:
    """Write a picture, whose name says its kind, and say where it is."""
    from allrelevant.views.plots.style import save_figure

    try:
        with written_whole(path) as file:
            save_figure(figure, file)
    except OSError as error:
        raise OSError(f"cannot write the picture to {path}: {error.strerror}") from None
    say(request, f"picture written to {path}")


def _quoted(argument: str) -> str:
    return f"'{argument}'" if set(argument) & set(' ;&|<>$"*?()') else argument


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
