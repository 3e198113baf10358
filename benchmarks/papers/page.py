"""The page of the papers' tables, and a CSV file for each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from benchmarks.papers.table import Numbers, Table

FOLDER = Path(__file__).parent.parent.parent / "docs" / "papers"
BEGIN, END = "<!-- papers -->", "<!-- end of papers -->"
HEADS = {"preset": "its settings", "default": "our defaults"}


def means(
    table: Table, known: Mapping[str, Numbers | None], row: str, variant: str
) -> tuple[Numbers, int]:
    """Mean numbers of a row over the seeds that are known, and how many these are."""
    begin = f"{table.measure_key}|{row}|{variant}|"
    found = [value for key, value in known.items() if key.startswith(begin) and value]
    return {
        name: float(np.mean([one[name] for one in found])) for name in table.names if found
    }, len(found)


def lines(table: Table, known: Mapping[str, Numbers | None]) -> Iterator[list[str]]:
    """Cells of a table: for each number the paper's, the published code's and ours."""
    heads = [
        "",
        *(
            f"{name}: {head}"
            for name in table.names
            for head in ("paper", "its code", *(HEADS[v] for v in table.variants))
        ),
    ]
    yield [*heads, "seeds"]
    for row, printed in table.printed.items():
        ours = {variant: means(table, known, row, variant) for variant in table.variants}
        cells = [row]
        for name in table.names:
            values = [printed.get(name), table.published.get(row, {}).get(name)]
            values += [ours[variant][0].get(name) for variant in table.variants]
            cells += ["" if value is None else f"{value:.2f}" for value in values]
        yield [*cells, ", ".join(str(ours[variant][1]) for variant in table.variants)]


def _without_empty(cells: list[list[str]]) -> list[list[str]]:
    kept = [k for k in range(len(cells[0])) if k == 0 or any(row[k] for row in cells[1:])]
    return [[row[k] for k in kept] for row in cells]


def write_page(tables: list[Table], known: Mapping[str, Numbers | None], *, write: bool) -> None:
    """Print all tables; write them if asked."""
    parts = []
    for table in tables:
        cells = _without_empty(list(lines(table, known)))
        text = [f"## {table.title}", "", table.text, "", f"| {' | '.join(cells[0])} |"]
        text += ["|" + "---|" * len(cells[0]), *(f"| {' | '.join(row)} |" for row in cells[1:]), ""]
        parts += [*text, table.verdict, ""] if table.verdict else text
        if write:
            file = io.StringIO()
            csv.writer(file, lineterminator="\n").writerows(cells)
            (FOLDER / f"{table.key}.csv").write_text(file.getvalue(), encoding="utf-8")
    print("\n".join(parts))
    if write:
        page = FOLDER / "index.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        body = "\n".join(parts).rstrip()
        page.write_text(f"{before}{BEGIN}\n\n{body}\n\n{END}{after}", encoding="utf-8")
