"""What two processes bring: `make bench-cores`.

Each piece of work is done with ``n_jobs=1`` and with ``n_jobs=2``. CPU time is counted, in this
process and in each worker, so that other work on the machine does not matter: the longest way is
what this process does, and what the busier worker does. Wall time is shown beside it. Writes
docs/results/cores.md.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from allrelevant import (
    ForestRelevanceClassifier,
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    backends,
)
from allrelevant.backends import starting
from allrelevant.datasets import make_classification, make_ordinal
from benchmarks.kept import keep, read_kept

PAGE = Path(__file__).parent.parent / "docs" / "results" / "cores.md"
_BUSY = 1.2  # times the CPU time that one process has had: others were at work
_TICK = os.sysconf("SC_CLK_TCK")
Work = Callable[[], Any]


def tall(n: int = 10_000, d: int = 50, weak: int = 9) -> tuple[np.ndarray, np.ndarray]:
    """Two classes; features that stand in for one another in groups of three."""
    kinds = {"n_strong": 4, "n_weak": weak, "n_groups": weak // 3, "random_state": 0}
    kinds["n_irrelevant"] = d - 4 - weak
    X, y, _ = make_classification(n, noise=0.1, label_noise=0.1, **kinds)
    return X, y


def fitted(n_jobs: int, *data: Any, **settings: Any) -> Any:
    """A fit, of which something is to be asked."""
    return RelevanceClassifier(random_state=0, n_jobs=n_jobs, **settings).fit(*data)


def ordered(n_jobs: int) -> Work:
    """Prediction ranges of samples in ordered classes."""
    X, y, _ = make_ordinal(600, n_strong=4, n_weak=4, n_irrelevant=12, random_state=0)
    model = OrdinalRelevanceClassifier(random_state=0, n_jobs=n_jobs).fit(X, y)
    return lambda: model.prediction_range(np.repeat(X, 3, axis=0) + 1e-3 * np.arange(1800)[:, None])


def asking(question: Callable[[Any], Any], *shape: int, **settings: Any) -> Callable[[int], Work]:
    """A question that is asked of a fit."""

    def prepare(n_jobs: int) -> Work:
        model = fitted(n_jobs, *tall(*shape), n_probes=50, **settings)
        return lambda: question(model)

    return prepare


WORK: dict[str, Callable[[int], Work]] = {
    "fit, 10,000 × 50": lambda n_jobs: lambda: fitted(n_jobs, *tall()),
    "fit, 300 × 200": lambda n_jobs: lambda: fitted(n_jobs, *tall(300, 200)),
    "400 probes": lambda n_jobs: lambda: fitted(n_jobs, *tall(2000), C=0.15, n_probes=400),
    "what-if": asking(lambda model: model.what_if(forbid=[5]), 10_000, 100),
    "groups": asking(lambda model: model.groups(), 4000, 110, 99),
    "intervals as tolerance grows": asking(lambda model: model.path_over_tolerance(), 1000, 50),
    "prediction ranges": ordered,
    "smallest sets (one after the other)": asking(
        lambda model: model.smallest_sets(time_limit=600.0), 1000, 150
    ),
    "stability": asking(lambda model: model.stability(5, groups=None), 1000, 50),
    "forest": lambda n_jobs: (
        lambda: ForestRelevanceClassifier(random_state=0, n_jobs=n_jobs).fit(*tall(8000, 40))
    ),
    "small fit, 100 × 10": lambda n_jobs: lambda: fitted(n_jobs, *tall(100, 15)),
}


def workers() -> dict[int, float]:
    """CPU seconds of every process that this one has started."""
    found = {}
    for name in Path("/proc").iterdir():
        if not name.name.isdigit():
            continue
        try:
            parts = (name / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(parts[1]) == os.getpid():
            found[int(name.name)] = (int(parts[11]) + int(parts[12])) / _TICK
    return found


def wake() -> None:
    """Have two workers that wait for work, and have done some: starting is not what is measured."""
    with starting.at_once():
        backends.run(lambda: lambda data: fitted(1, *data), [tall(200, 30)] * 4, 2)


def measured(prepare: Callable[[int], Work], n_jobs: int) -> dict[str, float]:
    """CPU seconds here and of the busiest worker, and wall time."""
    work = prepare(n_jobs)
    before, wall, here = workers(), time.perf_counter(), time.process_time()
    work()
    here, wall = time.process_time() - here, time.perf_counter() - wall
    after = workers()
    others = [seconds - before.get(number, 0.0) for number, seconds in after.items()]
    return {"here": here, "busiest": max(others, default=0.0), "all": sum(others), "wall": wall}


def page(known: dict[str, Any]) -> str:
    """The page."""
    lines = [
        "# Two cores",
        "",
        "CPU seconds of work with `n_jobs=1`, and with `n_jobs=2` in the calling process and in",
        "the busier of two workers (`make bench-cores`). The last two, added up, are the critical",
        "path; the ratio says how much shorter it is. Answers are the same to the last bit. Where",
        "other work was running, wall time is left out, and two take more CPU seconds than one.",
        "",
        "| work | one | two: here | busier worker | ratio | wall, one | wall, two | ratio |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in (name for name in WORK if name in known):
        one, two = known[name]
        ratio = one["here"] / (two["here"] + two["busiest"])
        wall = f"{one['wall']:.1f} | {two['wall']:.1f} | {one['wall'] / two['wall']:.2f}"
        if one["wall"] > _BUSY * one["here"]:
            wall = "– | – | –"
        lines.append(
            f"| {name} | {one['here']:.1f} | {two['here']:.1f} | {two['busiest']:.1f} | "
            f"{ratio:.2f} | {wall} |"
        )
    left = [name for name in WORK if name not in known]
    lines += [
        "",
        *([f"Not measured in this run: {'; '.join(left)}.", ""] if left else []),
        "The rows of prediction ranges and stability are of an earlier version.",
        "",
        "Workers were already running; add a second or two if they have to be started. Then work",
        "begins in the calling process, and workers are started only if what is left takes longer",
        "than that: a fit of less than three seconds needs none. Sets are found one after the",
        "other, each with the help of the last one, so `n_jobs` makes no difference.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure what is not known yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept", type=Path, default=Path("out/cores.json"), help="what is known")
    parser.add_argument("--only", help="one piece of work")
    arguments = parser.parse_args()
    known = read_kept(arguments.kept)
    warnings.simplefilter("ignore")
    for name, prepare in WORK.items():
        if name in known or arguments.only not in (None, name):
            continue
        one = measured(prepare, 1)
        wake()
        known[name] = [one, measured(prepare, 2)]
        keep(arguments.kept, known)
        print(name, known[name], flush=True)
    PAGE.write_text(page(known), encoding="utf-8")


if __name__ == "__main__":
    main()
