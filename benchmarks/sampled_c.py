"""C chosen on 20,000 of 60,000 rows beside C chosen on all: what it changes.

Run as ``python -m benchmarks.sampled_c``.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
import warnings
from unittest.mock import patch

import numpy as np

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_classification, make_regression
from allrelevant.linear.fit.baseline import search

ROWS = 60_000
SHAPE = {"n_strong": 3, "n_weak": 6, "n_groups": 2, "n_irrelevant": 11, "noise": 0.3}
CASES = (
    ("two classes", RelevanceClassifier, make_classification, 0.15, 1),
    ("two classes", RelevanceClassifier, make_classification, 0.15, 2),
    ("numbers", RelevanceRegressor, make_regression, 0.5, 3),
)


def main() -> None:
    """One line a case."""
    warnings.simplefilter("ignore")
    print("| data | C, some rows | C, all | classes that differ | intervals differ by | CPU s |")
    print("|---|--:|--:|--:|--:|---|")
    for name, kind, make, label_noise, seed in CASES:
        X, y, _ = make(ROWS, **SHAPE, label_noise=label_noise, random_state=seed)
        models, seconds = [], []
        for most in (search.MANY_ROWS, ROWS):
            start = time.process_time()
            with patch.object(search, "MANY_ROWS", most):
                models.append(kind(random_state=0, n_probes=20).fit(X, y))
            seconds.append(time.process_time() - start)
        some, every = models
        differ = int((some.relevance_classes_ != every.relevance_classes_).sum())
        apart = float(np.abs(some.intervals_ - every.intervals_).max())
        cells = f"{some.C_:.4f} | {every.C_:.4f} | {differ} | {apart:.4f}"
        print(f"| {name} | {cells} | {seconds[0]:.0f}, {seconds[1]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
