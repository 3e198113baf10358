"""What a command is to give: JSON or text, and files of tables, pictures, pages and fits."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from allrelevant.base.writing import refuse_overwriting, written_whole
from allrelevant.cli.options import Request, say
from allrelevant.cli.output import as_document, write_json, write_result
from allrelevant.cli.tables import check_table_kind, write_table
from allrelevant.cli.values import file_option, packing
from allrelevant.tabular.errors import TableError

if TYPE_CHECKING:
    import pandas as pd

    from allrelevant.tabular import Prepared

__all__ = ["Wanted", "gives", "writing"]

_FILES = {
    "report": "Write an HTML report here.",
    "page": "Write a page to look through here.",
    "out": "Write the table as .csv, .xlsx or .parquet.",
    "plot": "Write a picture: .png, .svg, .pdf.",
    "save": "Save the fit here, to be used as DATA later.",
}
_CALLED = {"report": "report", "page": "page", "out": "table", "plot": "picture", "save": "fit"}


def gives(*files: str, else_: str) -> Callable[..., Any]:
    """Add the options of files, and --json; the command gets them as one `Wanted`."""
    about = f"Print JSON instead of {else_}."
    options = [file_option(f"--{name}", _FILES[name]) for name in files]
    options.append(click.option("--json", "as_json", is_flag=True, help=about))
    return partial(packing, Wanted, "wanted", options)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a call asks for; files that it does not are None."""

    as_json: bool
    report: Path | None = None
    page: Path | None = None
    out: Path | None = None
    plot: Path | None = None
    save: Path | None = None

    def check(self, request: Request, **inputs: Path) -> None:
        """Refuse places and kinds of files before the analysis, which may take long."""
        files = {f"--{name}": getattr(self, name) for name in _FILES}
        refuse_overwriting(files, {"DATA": request.data, **inputs})
        for name, what in _CALLED.items():
            path = getattr(self, name)
            if path is not None:
                _check_place(path, what)
        if self.out is not None:
            check_table_kind(self.out)
        if self.plot is not None:
            _check_picture_kind(self.plot)

    def answer(self, command: str, ready: Prepared, answer: Any, **parts: Any) -> None:
        """Print the answer: JSON with these parts, its own by default, or text."""
        if self.as_json:
            parts = parts or {"result": json.loads(answer.to_json())}
            write_json(as_document(command, ready, **parts))
        else:
            write_result(answer)

    def save_table(self, request: Request, frame: Callable[[], pd.DataFrame]) -> None:
        """Write the table, whose name says its kind."""
        if self.out is not None:
            with writing(request, "table", self.out):
                write_table(frame(), self.out)

    def save_picture(self, request: Request, display: Callable[[], Any]) -> None:
        """Write a picture, whose name says its kind."""
        if self.plot is not None:
            drawn = display()
            with writing(request, "picture", self.plot), written_whole(self.plot) as file:
                drawn.save(file)

    def save_report(
        self,
        request: Request,
        ready: Prepared,
        result: Any,
        details: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        """Write the report, with details that take time to find."""
        if self.report is None:
            return
        about = {
            "target": ready.target.name,
            "positive": ready.target.positive,
            "data": ready.facts,
            "notes": [ready.target.sentence(), *ready.notes],
            "command": " ".join(["allrelevant", *map(_quoted, sys.argv[1:])]),
            **details(),
        }
        with writing(request, "report", self.report):
            result.report(self.report, **about)


@contextmanager
def writing(request: Request, what: str, path: Path, more: str = "") -> Iterator[None]:
    """Say where something was written, or why it could not be."""
    try:
        yield
    except OSError as error:
        raise OSError(f"cannot write the {what} to {path}: {error.strerror}") from None
    say(request, f"{what} written to {path}{more}")


def _check_picture_kind(path: Path) -> None:
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


def _quoted(argument: str) -> str:
    return f"'{argument}'" if set(argument) & set(' ;&|<>$"*?()') else argument
