"""The papers' tables in one run; writes docs/papers/index.md and a CSV file for each table.

Run as ``make papers``, or ``python -m benchmarks.papers [--tables thesis-3.3] [--seeds 2]
[--write]``. What is measured is kept in out/papers.json, so that the next run goes on where the
last one ended.
Public tables that do not come with scikit-learn are read from the folder that the variable
ALLRELEVANT_ORDINAL names; without it their rows have the paper's numbers alone.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import argparse
import sys
import time
from itertools import product
from pathlib import Path

from joblib import Parallel, delayed

from benchmarks.kept import keep, read_kept
from benchmarks.papers import real, selection
from benchmarks.papers.page import write_page
from benchmarks.papers.table import Numbers, Table

KEPT = Path(__file__).parent.parent.parent / "out" / "papers.json"
Task = tuple[Table, str, str, int]


def key_of(table: Table, row: str, variant: str, seed: int) -> str:
    """What a measurement is kept under."""
    return f"{table.measure_key}|{row}|{variant}|{seed}"


def measured(task: Task) -> tuple[Task, Numbers | None]:
    """One measurement."""
    table, row, variant, seed = task
    return task, table.measure(row, variant, seed)


def main() -> None:
    """Measure what is not known yet, and write the pages if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="+", help="by the names of their CSV files")
    parser.add_argument("--rows", nargs="+", help="some rows only")
    parser.add_argument("--seeds", type=int, help="instead of the number each table has")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--afresh", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    known = read_kept(KEPT, afresh=arguments.afresh)
    tables = [*selection.tables(), *real.tables()]
    tasks: dict[str, Task] = {}
    for table in tables:
        if arguments.tables and table.key not in arguments.tables:
            continue
        rows = [row for row in table.printed if not arguments.rows or row in arguments.rows]
        for row, variant, seed in product(
            rows, table.variants, range(arguments.seeds or table.seeds)
        ):
            key = key_of(table, row, variant, seed)
            if key not in known:
                tasks[key] = table, row, variant, seed
    start = time.time()
    run = Parallel(n_jobs=arguments.jobs, return_as="generator_unordered")
    for done, (task, numbers) in enumerate(
        run(delayed(measured)(task) for task in tasks.values()), 1
    ):
        known[key_of(*task)] = numbers
        keep(KEPT, known)
        print(f"{done}/{len(tasks)} {time.time() - start:.0f} s: {key_of(*task)}", file=sys.stderr)
    write_page(tables, known, write=arguments.write)


if __name__ == "__main__":
    main()
