"""Curves: CPU time by size, and what is found in additive data beside what a forest finds.

Run as ``make curves-bench`` or ``python -m benchmarks.curves [--seeds 3] [--only bumps]``. What has
been measured is kept in out/curves.json, so that the next run goes on where the last one ended;
``--afresh`` forgets it. Writes parts of docs/results/curves.md. Everything runs on one thread.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.metrics import f1_score

from allrelevant import ForestRelevanceRegressor, RelevanceClassifier, RelevanceRegressor
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between

KEPT = Path(__file__).parent.parent / "out" / "curves.json"
SIZES = {"200 × 6": (200, 6), "300 × 8": (300, 8), "1000 × 20": (1000, 20)}
ROWS_OF_CLASSES = 400
RARER = (0.4, 0.15)  # shares of the rarer class
ROWS, NOISE = 200, 4  # rows of the data with known truth, and columns of noise in them
FRESH = 100  # the first seed: none that was looked at while the method was made
Data = tuple[np.ndarray, np.ndarray, np.ndarray]


def example() -> dict[str, float]:
    """R² in the example at the top of the page, on its own rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 4))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2 + X[:, 2] + 0.3 * random.normal(size=200)
    return {way: float(METHODS[way]().fit(X, y).score(X, y)) for way in ("lines", "curves")}


def shapes(seed: int, n: int = ROWS, d: int = 4 + NOISE) -> Data:
    """A sine, a bowl, a line and a step, among normal noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2 + X[:, 2] + (X[:, 3] > 0)
    return X, y + 0.3 * random.normal(size=n), np.arange(d) < 4


def friedman(seed: int, n: int = ROWS, d: int = 5 + NOISE) -> Data:
    """Friedman's first function: a product of sines, a bowl and two lines."""
    X, y = make_friedman1(n, d, noise=1.0, random_state=seed)
    return X, y, np.arange(d) < 5


def bumps(seed: int, n: int = ROWS, d: int = 4 + NOISE) -> Data:
    """Two bumps, a threshold and a root, of uniform columns with normal ones among the noise."""
    random = np.random.default_rng(seed)
    X = random.uniform(-2, 2, size=(n, d))
    X[:, -2:] = random.normal(size=(n, 2))
    y = np.exp(-2 * X[:, 0] ** 2) - np.exp(-2 * (X[:, 1] - 1) ** 2)
    y += np.maximum(X[:, 2], 0) / 2 + np.sqrt(np.abs(X[:, 3])) / 2
    return X, y + 0.2 * random.normal(size=n), np.arange(d) < 4


def three(seed: int, n: int = ROWS_OF_CLASSES, d: int = 4 + NOISE) -> Data:
    """Three classes: a sine speaks for one, a bowl for another, a line and a step for the third."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    third = 1.5 * (X[:, 3] > 0) - X[:, 2]
    scores = [2.0 * np.sin(2 * X[:, 0]) + X[:, 2], 1.2 * X[:, 1] ** 2 - 1.2, third]
    y = (np.column_stack(scores) + 0.5 * random.gumbel(size=(n, 3))).argmax(axis=1)
    return X, y, np.arange(d) < 4


SIMULATED = {"sine, bowl, line and step": shapes, "friedman1": friedman, "bumps": bumps}
LARGE = {f"{name}, 1000 × 20": make for name, make in SIMULATED.items()}
OF_CLASSES: dict[str, tuple[Any, float | None]] = {
    f"{name}, {share:.0%}": (make, share) for name, make in SIMULATED.items() for share in RARER
} | {"sine, bowl, line and step, three classes": (three, None)}
METHODS: dict[str, Any] = {
    "curves": lambda: RelevanceRegressor(basis="spline", random_state=0),
    "lines": lambda: RelevanceRegressor(random_state=0),
    "forest": lambda: ForestRelevanceRegressor(random_state=0),
}


def measure(method: str, data: Data) -> dict[str, float]:
    """F1 of relevant features and CPU seconds of a default fit."""
    X, y, truth = data
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = METHODS[method]().fit(X, y)
    seconds = time.process_time() - start
    return {"f1": float(f1_score(truth, found.support_)), "seconds": seconds}


def measure_classes(seed: int, make: Any, share: float | None) -> dict[str, float]:
    """What is found and what is found falsely where the target is a class.

    Where a share is given, the largest values are one of two classes.
    """
    X, y, truth = make(seed, n=ROWS_OF_CLASSES)
    if share is not None:
        y = (y > np.quantile(y, 1.0 - share)).astype(int)
    found = {}
    for way, basis in (("curves", "spline"), ("lines", None)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = RelevanceClassifier(basis=basis, random_state=0)
            support = model.fit(X, y).support_
        found[f"found by {way}"] = float(support[truth].mean())
        found[f"false by {way}"] = float(support[~truth].mean())
    return found


def tables(kept: dict[str, Any]) -> None:
    """Write what has been measured; the rest of the page stays as it is."""
    costs = [
        f"{kept[size]['seconds']:.0f} CPU seconds for {size}" for size in SIZES if size in kept
    ]
    if costs:
        shown = kept["example"]
        r2 = "R² of the example in [the manual](../manual/curves.md): {lines:.2f} with lines, "
        r2 += "{curves:.2f} with curves."
        write_between("curves.md", "costs", f"{', '.join(costs)}.\n\n{r2.format(**shown)}")
    small = {name: kept[name] for name in SIMULATED if name in kept}
    if small:
        head = f"| data | fits | {' | '.join(METHODS)} |\n|---|--:|" + "--:|" * len(METHODS)
        lines = [_row(name, fits, ("f1",), tuple(METHODS)) for name, fits in small.items()]
        write_between("curves.md", "found", "\n".join([head, *lines]))
    large = {name: kept[name] for name in LARGE if name in kept}
    if large:
        head = "| data | fits | curves | forest | CPU s: curves | forest |\n|---|--:" + "|--:" * 4
        ways = ("curves", "forest")
        lines = [_row(name, fits, ("f1", "seconds"), ways) for name, fits in large.items()]
        write_between("curves.md", "large", "\n".join([f"{head}|", *lines]))

    classes = {name: kept[name] for name in OF_CLASSES if name in kept}
    if classes:
        keys = list(next(iter(classes.values()))[0])
        head = f"| data | fits | {' | '.join(keys)} |\n|---|--:|" + "--:|" * len(keys)
        lines = [
            f"| {name} | {len(fits)} | "
            + " | ".join(f"{np.mean([one[key] for one in fits]):.2f}" for key in keys)
            + " |"
            for name, fits in classes.items()
        ]
        write_between("curves.md", "classes", "\n".join([head, *lines]))


def _row(name: str, fits: Any, keys: tuple[str, ...], ways: tuple[str, ...]) -> str:
    """One line of a table: means over fits."""
    forms = {"f1": ".3f", "seconds": ".0f"}
    cells = [
        f"{np.mean([one[way][key] for one in fits]):{forms[key]}}" for key in keys for way in ways
    ]
    return f"| {name} | {len(fits)} | {' | '.join(cells)} |"


def main() -> None:
    """Measure what has not been measured, and write the tables."""
    names = [*SIZES, *SIMULATED, *LARGE, *OF_CLASSES]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="of each kind of data")
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    if "example" not in kept:
        kept["example"] = example()
    for name in asked.only:
        if name in SIZES:
            if name not in kept:
                kept[name] = measure("curves", shapes(0, *SIZES[name]))
        elif name in OF_CLASSES:
            for seed in range(len(kept.get(name, [])), asked.seeds):
                fit = measure_classes(FRESH + seed, *OF_CLASSES[name])
                kept.setdefault(name, []).append(fit)
                keep(KEPT, kept)
        else:
            for seed in range(len(kept.get(name, [])), asked.seeds):
                make = SIMULATED.get(name)
                data = make(FRESH + seed) if make else LARGE[name](FRESH + seed, 1000, 20)
                ways = METHODS if make else ("curves", "forest")
                kept.setdefault(name, []).append({way: measure(way, data) for way in ways})
        print(name, kept[name], flush=True)
        keep(KEPT, kept)
    tables(kept)


if __name__ == "__main__":
    main()
