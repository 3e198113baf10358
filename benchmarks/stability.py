"""CPU time of stability, in fits, in one run.

Run as ``make stability-bench`` or ``python -m benchmarks.stability``. Writes
docs/results/benchmarks-stability.md. Everything runs on one thread, and CPU time is counted.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from sklearn.datasets import load_breast_cancer, load_diabetes

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_classification, make_ordinal, make_regression

PAGE = Path(__file__).parent.parent / "docs" / "results" / "benchmarks-stability.md"
ASKED = 25  # fits that a hundred halves may cost
SHAPE = {"n_strong": 4, "n_weak": 4, "n_irrelevant": 20}
PARTS = 5  # of the hundred halves; a fit stands before each, so that both meet the same machine
HEAD = """# Benchmark of stability

CPU seconds on one thread, from one run of `make stability-bench`: default fits, and
`stability(groups=None)` with 50 splits, in turns. *In fits*: what the 100 halves cost, as a
multiple of one fit; the target is at most {asked}. *Same class* is the share of features and
halves with the class of all rows; *index* is that of the selected sets.

| data | rows × features | fit | 100 halves | in fits | same class | index |
|---|---|---|---|---|---|---|
"""


def cpu(function: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of a call, and its answer."""
    start = time.process_time()
    answer = function()
    return time.process_time() - start, answer


def problems() -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, estimators and data."""
    X, y = load_breast_cancer(return_X_y=True)
    yield "breast cancer", RelevanceClassifier(random_state=0), X, y
    X, y = load_diabetes(return_X_y=True)
    yield "diabetes", RelevanceRegressor(random_state=0), X, y
    kinds = (
        ("two classes", RelevanceClassifier, make_classification),
        ("numbers", RelevanceRegressor, make_regression),
        ("ordered classes", OrdinalRelevanceClassifier, make_ordinal),
    )
    for name, estimator, simulate in kinds:
        for noise in (0.0, 0.5):
            X, y, _ = simulate(300, **SHAPE, noise=noise, random_state=0)
            yield f"simulated, {name}, noise {noise:g}", estimator(random_state=0), X, y


def row(name: str, model: Any, X: Any, y: Any) -> str:
    """One line of the table."""
    fits, halves, parts = [], 0.0, []
    for part in range(PARTS):
        seconds, _ = cpu(partial(model.fit, X, y))
        fits.append(seconds)
        seconds, found = cpu(partial(model.stability, 50 // PARTS, groups=None, random_state=part))
        halves += seconds
        parts.append(found)
    fit = sorted(fits)[PARTS // 2]
    same = sum(found.agreement.mean() for found in parts) / PARTS
    index = sum(found.index for found in parts) / PARTS
    size = f"{X.shape[0]} × {X.shape[1]}"
    return (
        f"| {name} | {size} | {fit:.2f} | {halves:.1f} | {halves / fit:.1f} | {same:.2f} | "
        f"{index:.2f} |"
    )


def main() -> None:
    """Measure, and write the page."""
    lines = []
    for problem in problems():
        lines.append(row(*problem))
        print(lines[-1], flush=True)
    PAGE.write_text(HEAD.format(asked=ASKED) + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
