"""Classes without an order: what is found in data with known truth, and CPU time.

Run as ``make classes-bench`` or ``python -m benchmarks.classes [--seeds 5] [--only iris]``. What
has been measured is kept in out/classes.json, so that the next run goes on where the last one
ended, also within a fit; ``--afresh`` forgets it. CPU seconds of a fit are those of all its runs.
Writes a part of docs/results/classes.md. It runs on one thread.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import signal
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.metrics import f1_score

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between

KEPT = Path(__file__).parent.parent / "out" / "classes.json"
REAL = {"iris": load_iris, "wine": load_wine, "digits": load_digits}
SIMULATED = {"3 classes": (3, 200), "5 classes": (5, 300), "10 classes": (10, 600)}
UNEQUAL = {
    "3 classes, 70, 20 and 10 %": (210, 60, 30),
    "5 classes, 50 to 5 %": (200, 80, 60, 40, 20),
}
FRESH = 100  # the first seed: none that was looked at while the method was made
HEAD = """| data | rows × features | fits | F1 | strong, weak, irrelevant | accuracy | CPU s a fit |
|---|--:|--:|--:|--:|--:|--:|"""


def simulated(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Data with known truth; where classes are unequal, some rows of each class of a larger set."""
    if name in SIMULATED:
        K, n = SIMULATED[name]
        return make_classification(n, n_classes=K, random_state=seed)
    sizes = UNEQUAL[name]
    n = 2 * len(sizes) * max(sizes)
    X, y, truth = make_classification(n, n_classes=len(sizes), random_state=seed)
    rows = np.concatenate([np.flatnonzero(y == k)[:size] for k, size in enumerate(sizes)])
    return X[rows], y[rows], truth


def fit(name: str, seed: int, spent: dict[str, float]) -> dict[str, Any]:
    """One default fit, and what is to be told of it; `spent` on it are CPU seconds."""
    truth = None
    if name in REAL:
        X, y = REAL[name](return_X_y=True)
    else:
        X, y, truth = simulated(name, FRESH + seed)
    start = time.process_time()
    checkpoint = KEPT.with_name(f"classes {name} {seed}.checkpoint")
    model = RelevanceClassifier(random_state=0, checkpoint=checkpoint)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = model.fit(X, y).relevance_classes_
    finally:
        key = f"{name} {seed}"
        spent[key] = spent.get(key, 0.0) + time.process_time() - start
    checkpoint.unlink(missing_ok=True)
    return {
        "seconds": spent.pop(key),
        "size": f"{X.shape[0]} × {X.shape[1]}",
        "counts": [int((found == kind).sum()) for kind in (2, 1, 0)],
        "accuracy": float(model.score(X, y)),
        "f1": None if truth is None else float(f1_score(truth > 0, found > 0)),
    }


def row(name: str, fits: list[dict[str, Any]]) -> str:
    """One line of the table: means over fits."""
    mean = {key: np.mean([one[key] for one in fits]) for key in ("seconds", "accuracy")}
    f1 = "" if fits[0]["f1"] is None else f"{np.mean([one['f1'] for one in fits]):.3f}"
    counts = ", ".join(f"{c:.3g}" for c in np.mean([one["counts"] for one in fits], axis=0))
    return (
        f"| {name} | {fits[0]['size']} | {len(fits)} | {f1} | {counts} | "
        f"{mean['accuracy']:.2f} | {mean['seconds']:.1f} |"
    )


def main() -> None:
    """Measure what has not been measured, and write the table."""
    names = [*SIMULATED, *UNEQUAL, *REAL]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="of each simulated kind")
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("to be gone on with"))
    spent = kept.setdefault("spent", {})
    for name in asked.only:
        for seed in range(len(kept.get(name, [])), 1 if name in REAL else asked.seeds):
            try:
                kept.setdefault(name, []).append(fit(name, seed, spent))
                print(name, seed, kept[name][-1], flush=True)
            finally:
                keep(KEPT, kept)
    lines = [row(name, kept[name]) for name in names if kept.get(name)]
    write_between("classes.md", "classes", "\n".join([HEAD, *lines]))


if __name__ == "__main__":
    main()
