"""Fits to rows that are elsewhere, on a cluster of two processes: `make bench-outside`.

Rows are made on the workers, and kept there (`persist`) or made anew in every pass. Each fit runs
in a process of its own. What was measured is kept in a file, so that a run that was stopped goes
on. Writes docs/results/outside.md.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import json
import pickle
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from allrelevant import RelevanceClassifier
from allrelevant.data.rows import BlockedRows
from benchmarks.kept import keep, read_kept

PAGE = Path(__file__).parent.parent / "docs" / "results" / "outside.md"
_D = 50
CHUNK = 125_000
_C_TIMES_ROWS = 307.0  # as for the tables in memory
Case = tuple[int, bool, bool]  # rows, whether C is given, whether rows are kept on the workers
CASES: list[Case] = [
    (10**5, True, True),
    (10**6, True, True),
    (10**6, False, True),
    (4 * 10**6, True, False),
    (2 * 10**7, True, False),
]


def chunk(first: int, n: int) -> np.ndarray:
    """Rows and in the last column their classes, the same whoever makes them.

    4 features matter, 9 are near copies of 3 hidden ones, the others noise. A tenth of the labels
    is wrong.
    """
    random = np.random.default_rng(first + 1)
    hidden, X = random.standard_normal((n, 7)), random.standard_normal((n, _D))
    X[:, :4] = hidden[:, :4]
    X[:, 4:13] = np.repeat(hidden[:, 4:7], 3, axis=1) + 0.1 * X[:, 4:13]
    score = hidden @ np.linspace(0.5, 1.0, 7) + 0.6 * random.standard_normal(n)
    y = np.where(score > 0, 1.0, -1.0) * np.where(random.random(n) < 0.1, -1.0, 1.0)
    return np.column_stack([3.0 * X + 1.0, y])


def table(n: int) -> Any:
    """All rows as a dask array."""
    import dask
    import dask.array as da

    firsts = range(0, n, CHUNK)
    sizes = [min(CHUNK, n - first) for first in firsts]
    made = [
        da.from_delayed(dask.delayed(chunk)(first, size), (size, _D + 1), float)
        for first, size in zip(firsts, sizes, strict=True)
    ]
    return da.concatenate(made)


def used() -> tuple[float, float]:
    """CPU seconds of this process so far, and the most memory it has had, in MiB."""
    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Traffic:
    """Counts what passes send and bring back, as they would be on a wire."""

    sent = received = 0

    def __init__(self) -> None:
        genuine, counted = BlockedRows.visit, self

        def visit(rows: Any, task: Any, shared: Any = None, own: Any = None) -> Any:
            found = genuine(rows, task, shared, own)
            n_workers = min(2, len(rows.sizes))  # a worker gets what all blocks share once
            counted.sent += n_workers * len(pickle.dumps(shared)) + len(pickle.dumps(own))
            counted.received += len(pickle.dumps(found))
            return found

        BlockedRows.visit = visit  # type: ignore[method-assign]


def fit(case: Case) -> dict[str, float]:
    """What the fit of a case takes."""
    from distributed import Client, LocalCluster, wait

    n, is_given, is_kept = case
    settings = {"C": _C_TIMES_ROWS / n} if is_given else {}
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
    with cluster, Client(cluster) as client:
        everything = table(n)
        if is_kept:
            everything = everything.persist()
            wait(everything)
        before = {"driver": used(), **client.run(used)}
        traffic, begun = Traffic(), time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = RelevanceClassifier(random_state=0, **settings)
            model.fit(everything[:, :-1], everything[:, -1])
        wall = time.perf_counter() - begun
        after = {"driver": used(), **client.run(used)}
    problem = model.fitted_set_.analysis.problem
    cpu = {name: after[name][0] - before[name][0] for name in after}
    driver = cpu.pop("driver")
    return {
        "cpu": driver + sum(cpu.values()),
        "driver_cpu": driver,
        "wall": wall,
        "driver_mib": after["driver"][1],
        "worker_mib": max(after[name][1] for name in cpu),
        "passes": problem.outside.rows.n_passes,
        "sent": traffic.sent / 1e6,
        "received": traffic.received / 1e6,
        "core": len(problem.core.rows),
        "programs": model.result_.work["lps_solved"],
        "relevant": int(model.result_.support.sum()),
    }


def measured(case: Case) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.outside", "--case", json.dumps(case)]
    found: dict[str, float] = json.loads(subprocess.check_output(command, text=True))
    return found


def page(known: dict[str, dict[str, float]]) -> str:
    """The page."""
    lines = [
        "# Rows out of memory, measured",
        "",
        "Two classes and 50 columns, made on a cluster of two processes on one machine (`make",
        "bench-outside`); 8 bytes a value. CPU seconds are those of driver and workers together.",
        "Memory is the peak of the driver, and of the larger worker, each with its",
        "interpreter and libraries (200 MiB). MB is what passes send to workers and bring back.",
        "The machine was busy with other work, which makes times longer.",
        "",
        "| rows | C | rows are | CPU s | of it driver | driver MiB | worker MiB | passes | MB sent "
        "| MB back | core | programs |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for case in CASES:
        one = known.get(str(case))
        if one is None:
            continue
        n, is_given, is_kept = case
        where = "kept" if is_kept else "made anew"
        times = f"{one['cpu']:.0f} | {one['driver_cpu']:.0f}"
        memory = f"{one['driver_mib']:.0f} | {one['worker_mib']:.0f}"
        traffic = f"{one['passes']} | {one['sent']:.0f} | {one['received']:.0f}"
        lines.append(
            f"| {n:,} | {'given' if is_given else 'chosen'} | {where} | {times} | {memory} | "
            f"{traffic} | {one['core']:,} | {one['programs']} |"
        )
    left = [case for case in CASES if str(case) not in known]
    if left:
        lines += [
            "",
            f"Not measured in this run: {', '.join(f'{case[0]:,}' for case in left)} rows.",
        ]
    lines += ["", "[Large data](../manual/large-data.md#how) says what each pass does.", ""]
    return "\n".join(lines)


def main() -> None:
    """Measure what is not known yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", help="one fit, printed")
    parser.add_argument("--kept", type=Path, default=Path("out/outside.json"), help="what is known")
    parser.add_argument("--most-rows", type=int, default=10**7, help="no taller tables")
    parser.add_argument("--rows", type=int, help="tables of this many rows only")
    arguments = parser.parse_args()
    if arguments.case:
        n, is_given, is_kept = json.loads(arguments.case)
        print(json.dumps(fit((n, is_given, is_kept))), end="")
        return
    known = read_kept(arguments.kept)
    for case in CASES:
        rows = arguments.rows
        asked = case[0] <= arguments.most_rows if rows is None else case[0] == rows
        if asked and str(case) not in known:
            known[str(case)] = measured(case)
            keep(arguments.kept, known)
            print(case, known[str(case)], flush=True)
    PAGE.write_text(page(known), encoding="utf-8")


if __name__ == "__main__":
    main()
