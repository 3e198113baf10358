"""What-if, groups and how well the groups are found, in one run.

Run as ``make constraints-bench`` or ``python -m benchmarks.constraints``. Writes
docs/results/benchmarks-constraints.md. Everything runs on one thread, and CPU time is counted.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer

from allrelevant import InfeasibleError, RelevanceClassifier
from allrelevant.linear.engine.ranges.solver import RangeSolver
from benchmarks.groups import section

PAGE = Path(__file__).parent.parent / "docs" / "results" / "benchmarks-constraints.md"


def cpu(function: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of a call, and its answer."""
    start = time.process_time()
    answer = function()
    return time.process_time() - start, answer


# What if


@dataclass(frozen=True)
class WhatIf:
    """Seconds for what-ifs about the breast cancer data."""

    tolerance: float
    intervals: float
    first: float
    later: np.ndarray
    n_impossible: int

    @property
    def ratio(self) -> float:
        """The median what-if as a part of the first interval computation."""
        return float(np.median(self.later)) / self.intervals


def time_what_if(tolerance: Any) -> WhatIf:
    """All intervals anew, the first what-if, then one for each feature."""
    X, y = load_breast_cancer(return_X_y=True)
    model = RelevanceClassifier(tolerance=tolerance, n_probes=2, random_state=0).fit(X, y)
    models = model.equivalent_models_
    assert models is not None
    intervals = min(
        cpu(lambda: RangeSolver(models).ranges(range(models.n_features)))[0] for _ in range(3)
    )
    used = int(np.argmax(np.abs(model.result_.weights)))
    first, _ = cpu(lambda: forbid(model, used))
    times, missing = [], 0
    for feature in range(models.n_features):
        seconds, answer = cpu(lambda feature=feature: forbid(model, feature))  # type: ignore[misc]
        times.append(seconds)
        missing += answer is None
    return WhatIf(model.tolerance_[0], intervals, first, np.array(times), missing)


def forbid(model: RelevanceClassifier, feature: int) -> Any:
    """The answer where a feature is forbidden; None where no model is left."""
    try:
        return model.what_if(forbid=[feature])
    except InfeasibleError:
        return None


# The page


def page(what_ifs: list[WhatIf], groups: list[str]) -> str:
    """The results as Markdown."""
    lines = [
        "# Benchmarks of constraints",
        "",
        "CPU seconds on one thread, from one run of `make constraints-bench`.",
        "",
        "## What if",
        "",
        "All relevance intervals of the breast cancer data (569×30), then `what_if(forbid=[k])`.",
        "*First*: the first what-if after the fit, which solves every program once, so that",
        "later ones can start from there. *Later*: median and largest over one what-if for each",
        "feature. *Ratio*: the median as a part of the interval computation; the target is at most",
        "1/3.",
        "",
        "| tolerance | all intervals | first | later, median | later, largest | ratio |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {w.tolerance:.3g} | {w.intervals:.3f} | {w.first:.3f} | {np.median(w.later):.4f} | "
        f"{w.later.max():.3f} | **1/{1 / w.ratio:.0f}** |"
        for w in what_ifs
    ]
    lines += ["", *groups]
    packages = ("numpy", "scipy", "highspy", "cvxpy", "ecos", "scikit-learn")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in packages)
    return "\n".join([*lines, "", f"Python {platform.python_version()}, {versions}.", ""])


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30, help="of each simulated set")
    parser.add_argument("--fresh", type=int, default=30, help="further ones, of other seeds")
    parser.add_argument("--subsamples", type=int, default=10, help="of each real data set")
    parser.add_argument("--sampled", type=int, default=2, help="features of a run for ECOS")
    parser.add_argument("--dry", action="store_true", help="do not write the page")
    options = parser.parse_args()
    what_ifs = []
    for tolerance in ("auto", 0.02, 0.001):
        what_ifs.append(time_what_if(tolerance))
        print(f"{what_ifs[-1].tolerance}: ratio {what_ifs[-1].ratio:.3f}", flush=True)
    groups = []
    for line in section(options.runs, options.fresh, options.sampled, options.subsamples):
        groups.append(line)
        print(line, flush=True)
    text = page(what_ifs, groups)
    print(text)
    if not options.dry:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
