"""Other ways to select features beside ours, in one run; writes docs/results/peers.md.

Run as ``make peers`` or ``make peers-quick``, or ``python -m benchmarks.peers [--seeds 3]
[--halves 2] [--cases chain blocks] [--methods lasso] [--again] [--write]``. What is known is kept
in benchmarks/peers/measured.json, so that the next run goes on where the last one ended, and
``--methods allrelevant "allrelevant, forest" --again --write`` measures ours anew beside what the
others had. ``--known --write`` writes the page of what is known, and measures nothing.
Environments of their own for methods that are not ours are made by ``make peers``;
what is missing is left out and named.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.kept import keep, read_kept
from benchmarks.peers.cases import Case, Drawn, cases
from benchmarks.peers.page import write_page
from benchmarks.peers.runner import KNOW_ORDER, METHODS

ROOT = Path(__file__).parent.parent.parent
KEPT = Path(__file__).parent / "measured.json"
RUNNER = Path(__file__).parent / "runner.py"
FIRST_SEED = 31_000
IMPORTS = {
    "peers": "boruta, shap, ipss, knockpy, hidimstat",
    "arfs": "arfs",
    "ordered": "mord, skordinal",
}
QUICK = ("blocks", "heavy tails", "rare class", "bent", "breast cancer", "diabetes in steps")


def python_of(environment: str, folder: Path) -> str | None:
    """The Python that has an environment's packages."""
    if environment == "ours":
        return sys.executable
    python = folder / environment / "bin" / "python"
    command = [str(python), "-c", f"import {IMPORTS[environment]}"]
    if not python.exists() or subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    return str(python)


def selected(python: str, method: str, data: Drawn, task: str, seed: int, limit: float) -> dict:
    """The classes that a method finds and its CPU time, or what became of it."""
    seconds = int(limit)
    # Benchmarks are for all of them, our own package for our own environment.
    paths = [str(ROOT), *([str(ROOT / "src")] if python == sys.executable else [])]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, X=data.X, y=data.y, task=task)
        done = subprocess.run(
            [python, str(RUNNER), method, str(path), str(seed)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )
    if done.returncode == 0:
        return json.loads(done.stdout.splitlines()[-1])
    if done.returncode > 0:  # an error; running out of time is a signal
        print(f"{method} failed:\n{done.stderr[-2000:]}", file=sys.stderr)
        return {"failed": done.stderr.strip().splitlines()[-1][:200]}
    return {"failed": "time"}


def halves(data: Drawn, k: int, seed: int) -> Drawn:
    """The k-th of complementary halves of the rows."""
    order = np.random.default_rng([seed, k // 2]).permutation(len(data.X))
    rows = np.sort(order[k % 2 :: 2])
    return replace(data, X=data.X[rows], y=data.y[rows])


def tasks_of(arguments: argparse.Namespace, chosen: list[Case], known: dict) -> list[tuple]:
    """What is not known yet: whole data first, then halves; seed by seed."""
    pythons = {e: python_of(e, arguments.environments) for e in ("ours", *IMPORTS)}
    missing = [name for name, python in pythons.items() if python is None]
    if missing:
        print(f"Not there, and left out: {', '.join(missing)} (make peers)", file=sys.stderr)
    tasks = []
    seeds = range(FIRST_SEED, FIRST_SEED + arguments.seeds)
    for part, seed, case in product(range(1 + arguments.halves), seeds, chosen):
        n_columns = case.data(seed).X.shape[1]
        for method in arguments.methods or METHODS:
            _, environment, most, _ = METHODS[method]
            is_for_order = method in KNOW_ORDER and not method.startswith("allrelevant")
            if pythons[environment] is None or n_columns > most:
                continue
            if is_for_order and case.task != "ordered":
                continue
            key = f"{case.name}|{seed}|{method}|{part}"
            if arguments.again or key not in known:
                tasks.append((key, case, seed, method, part, pythons[environment]))
    return tasks


def run(arguments: argparse.Namespace, chosen: list[Case]) -> dict:
    """Do what is not known yet, and keep it."""
    known = {} if arguments.quick else read_kept(KEPT, afresh=arguments.afresh)
    tasks = tasks_of(arguments, chosen, known)
    too_slow = {tuple(key.split("|")[::2]) for key, own in known.items() if _ran_out(key, own)}

    def one(task: tuple) -> tuple[str, dict]:
        key, case, seed, method, part, python = task
        if (case.name, method) in too_slow and not arguments.again:
            return key, {"failed": "time"}  # as before, with another seed or with all rows
        data = case.data(seed)
        data = halves(data, part - 1, seed) if part else data
        found = selected(python, method, data, case.task, seed, arguments.limit)
        if _ran_out(key, found):
            too_slow.add((case.name, method))
        return key, found

    start = time.time()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for done, (key, found) in enumerate(pool.map(one, tasks), 1):
            known[key] = found
            if not arguments.quick:
                keep(KEPT, known)
            print(f"{done}/{len(tasks)} {time.time() - start:.0f} s: {key}", file=sys.stderr)
    return known


def _ran_out(key: str, found: dict) -> bool:
    """Whether a selection by all rows took too long."""
    return key.endswith("|0") and found.get("failed") == "time"


def main() -> None:
    """Measure, and write the page if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--halves", type=int, default=2, help="selections by halves of the rows")
    parser.add_argument("--limit", type=float, default=100.0, help="CPU seconds of a selection")
    parser.add_argument("--jobs", type=int, default=2, help="selections side by side")
    parser.add_argument("--cases", nargs="+")
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--environments", type=Path, default=ROOT / ".venv-peers")
    parser.add_argument(
        "--quick", action="store_true", help="one seed of six kinds, 30 s each, kept nowhere"
    )
    parser.add_argument("--afresh", action="store_true", help="forget what is known")
    parser.add_argument("--again", action="store_true", help="measure these methods anew")
    parser.add_argument("--known", action="store_true", help="measure nothing: what is known")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.seeds, arguments.halves, arguments.limit = 1, 0, 30.0
        arguments.cases = arguments.cases or list(QUICK)
    chosen = [case for case in cases() if case.name in (arguments.cases or [case.name])]
    known = read_kept(KEPT) if arguments.known else run(arguments, chosen)
    seeds = range(FIRST_SEED, FIRST_SEED + arguments.seeds)
    write_page(known, chosen, seeds, arguments.halves, arguments.limit, write=arguments.write)


if __name__ == "__main__":
    main()
