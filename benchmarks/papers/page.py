"""The page of the papers' tables, and a CSV file for each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.papers.table import DEFAULT, PRESET, RUN, Cells, Derived, Numbers, Table

FOLDER = Path(__file__).parent.parent.parent / "docs" / "papers"
BEGIN, END = "<!-- papers -->", "<!-- end of papers -->"
HEADS = {PRESET: "its settings", DEFAULT: "our defaults", RUN: "run here"}
Known = Mapping[str, Numbers | None]


def means(table: Table, known: Known, row: str, variant: str) -> tuple[Numbers, int]:
    """Mean numbers of a row over the seeds that are known, and how many these are."""
    begin = f"{table.measure_key}|{row}|{variant}|"
    found = [value for key, value in known.items() if key.startswith(begin) and value]
    by_name = {name: [one[name] for one in found if name in one] for name in table.names}
    return {name: float(np.mean(some)) for name, some in by_name.items() if some}, len(found)


def written(table: Table) -> dict[str, dict[str, str]]:
    """What the table's file has, by rows and heads: a run that was kept elsewhere is not lost."""
    path = FOLDER / f"{table.key}.csv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        heads, *rows = csv.reader(file)
    return {row[0]: dict(zip(heads, row, strict=True)) for row in rows}


def lines(table: Table, known: Known) -> Iterator[list[str]]:
    """Cells of a table: for each number the paper's, the published code's and ours."""
    heads = [HEADS[variant] for variant in table.variants]
    every = [f"{name}: {head}" for name in table.names for head in ("paper", "its code", *heads)]
    yield ["", *every, "seeds"]
    before = written(table)
    for row, printed in table.printed.items():
        cells = dict.fromkeys(every, "")
        for name, numbers in (("paper", printed), ("its code", table.published.get(row, {}))):
            cells |= _cells(table, name, numbers)
        old = before.get(row, {})
        old_seeds = dict(zip(heads, old.get("seeds", "").split(", "), strict=False))
        seeds = []
        for variant, head in zip(table.variants, heads, strict=True):
            numbers, n_seeds = means(table, known, row, variant)
            ours = _cells(table, head, numbers)
            if not n_seeds:
                ours = {key: old.get(key, "") for key in every if key.endswith(f": {head}")}
            cells |= ours
            seeds.append(str(n_seeds) if n_seeds else old_seeds.get(head) or "0")
        yield [row, *cells.values(), ", ".join(seeds)]


def _cells(table: Table, head: str, numbers: Numbers) -> dict[str, str]:
    return {f"{name}: {head}": f"{value:.{table.digits}f}" for name, value in numbers.items()}


def _without_empty(cells: Cells) -> Cells:
    kept = [k for k in range(len(cells[0])) if k == 0 or any(row[k] for row in cells[1:])]
    return [[row[k] for k in kept] for row in cells]


def all_cells(tables: Sequence[Table | Derived], known: Known) -> dict[str, Cells]:
    """Cells of each table by its key."""
    made: dict[str, Cells] = {}
    for table in tables:
        derived = isinstance(table, Derived)
        made[table.key] = _without_empty(table.make(made) if derived else list(lines(table, known)))
    return made


def section(table: Table | Derived, cells: Cells) -> list[str]:
    """Lines of a table's part of the page."""
    text = [f"## {table.title}", "", table.text, "", f"| {' | '.join(cells[0])} |"]
    text += ["|" + "---|" * len(cells[0]), *(f"| {' | '.join(row)} |" for row in cells[1:]), ""]
    return [*text, table.verdict, ""] if table.verdict else text


def write_page(tables: Sequence[Table | Derived], known: Known, *, write: bool) -> dict[str, Cells]:
    """Print all tables, and write them if asked; their cells by key."""
    made = all_cells(tables, known)
    body = "\n".join(line for table in tables for line in section(table, made[table.key]))
    print(body)
    if not write:
        return made
    for key, cells in made.items():
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(cells)
        (FOLDER / f"{key}.csv").write_text(file.getvalue(), encoding="utf-8")
    page = FOLDER / "index.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n\n{body.rstrip()}\n\n{END}{after}", encoding="utf-8")
    return made
