"""Fits the sets named on its input, and answers with the CPU time of each."""

from __future__ import annotations

import json
import sys

from allrelevant.datasets import PAPER_SETS, make_classification, make_ordinal
from benchmarks.defaults.data import small_tables
from benchmarks.defaults.fits import Setup, fit


def seconds(name: str, seed: int, setup: Setup) -> float:
    """CPU time of one default fit."""
    if name not in PAPER_SETS:
        task, load = small_tables()[name]
        return fit(task, *load(), seed, setup).seconds
    spec = PAPER_SETS[name]._asdict()
    n = spec.pop("n_samples")
    if name.startswith("Set"):
        X, y, _ = make_ordinal(n, **spec, n_classes=5, random_state=seed)
        return fit("ordinal", X, y, seed, setup).seconds
    X, y, _ = make_classification(n, **spec, random_state=seed)
    return fit("classification", X, y, seed, setup).seconds


if __name__ == "__main__":
    asked = Setup(options=json.loads(sys.argv[1]), limit=3600.0)
    for line in sys.stdin:
        print(seconds(*json.loads(line), asked), flush=True)
