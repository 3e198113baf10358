"""Markdown tables that are printed row by row, with the bar beside each number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parent.parent.parent / "docs" / "results" / "defaults-measured.md"
Bar = tuple[str, float]
_MET = {"≤": np.less_equal, "≥": np.greater_equal}


class Page:
    """The lines of one part, printed as they come."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.lines: list[str] = []

    def say(self, *lines: str) -> None:
        """Add lines."""
        for line in lines:
            print(line, flush=True)
            self.lines.append(line)

    def table(self, title: str, note: str, columns: Mapping[str, int]) -> Table:
        """Begin a table; columns have a name and a number of digits."""
        self.say("", f"## {title}", "", note, "")
        return Table(self, columns)

    def write(self, *, some: bool = False) -> None:
        """Put the part's lines into the page, in the place of those it had there.

        Where they are `some` rows, other rows stay.
        """
        text = PAGE.read_text() if PAGE.exists() else INTRODUCTION
        begin, end = f"<!-- {self.part} -->", f"<!-- end of {self.part} -->"
        old = re.compile(re.escape(begin) + ".*?" + re.escape(end), flags=re.DOTALL)
        found = old.search(text)
        block = "\n".join([begin, *self.lines, "", end])
        if found and some:
            block = "\n".join(self._rows().get(_name(row), row) for row in found[0].split("\n"))
        text = old.sub(lambda _: block, text) if found else f"{text.rstrip()}\n\n{block}\n"
        PAGE.write_text(text)

    def _rows(self) -> dict[str, str]:
        """Rows of tables by their names; heads have none."""
        return {_name(line): line for line in self.lines if _name(line)}


class Table:
    """One table: means over runs; a number that misses its bar is bold."""

    def __init__(self, page: Page, columns: Mapping[str, int]) -> None:
        self.page = page
        self.columns = columns
        page.say(f"| | runs | {' | '.join(columns)} |", "|---|" + "---|" * (len(columns) + 1))

    def row(
        self,
        label: str,
        outcomes: Sequence[Mapping[str, float] | None],
        bars: Mapping[str, Bar] | None = None,
    ) -> None:
        """The means of some runs; None is a run that gave no answer."""
        answers = [outcome for outcome in outcomes if outcome is not None]
        runs = str(len(answers))
        whole = len(answers) == len(outcomes)
        if not whole:
            runs += f" + {len(outcomes) - len(answers)} without an answer"
        means = means_of(answers)
        cells = [
            _cell(means.get(name, np.nan), digits, (bars or {}).get(name), whole)
            for name, digits in self.columns.items()
        ]
        self.page.say(f"| {label} | {runs} | {' | '.join(cells)} |")


def means_of(outcomes: Sequence[Mapping[str, float] | None]) -> dict[str, float]:
    """Mean of each number over the runs that have it."""
    answers = [outcome for outcome in outcomes if outcome is not None]
    names = dict.fromkeys(name for outcome in answers for name in outcome)
    return {
        name: float(np.mean([outcome[name] for outcome in answers if name in outcome]))
        for name in names
    }


def _name(line: str) -> str:
    """What the first cell of a row says."""
    cells = line.split(" | ")
    return cells[0].removeprefix("| ") if line.startswith("| ") and len(cells) > 1 else ""


def _cell(value: float, digits: int, bar: Bar | None, whole: bool) -> str:
    if np.isnan(value):
        return "–"
    number = f"{value:.{digits}f}"
    if bar is None:
        return number
    sign, least = bar
    if not _MET[sign](round(value, digits), round(least, digits)):
        number = f"**{number}**"
    elif not whole:
        number += "?"  # slow runs select the most: without them no bar is met
    return f"{number} ({sign} {least:.{digits}f})"


INTRODUCTION = """# The defaults, measured

What the default settings find on data they were not chosen on, from `make defaults-bench`: every
number is the mean of the runs in its row, its bar is beside it in brackets, and where it misses
the bar it is bold. A question mark says that some runs took too long and gave no answer, so that
the bar may be missed: runs that take long are those that select much. CPU time is that of one fit.
"""
