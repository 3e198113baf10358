"""CPU time of a few fits and questions: this tree beside an earlier commit, in one run.

Run as ``make bench-beside COMMIT=…`` or ``python -m benchmarks.beside COMMIT [--repeats N]``.

Every measurement is a process of its own that has one of the two trees on its path, does the task
once to warm up, and counts the CPU time of the second time. The trees take turns, and which is
first changes, so that slow phases of the machine hit both. Settings that have changed their
defaults over time (C or its rule, loss, tolerance, probes, how many features noise may pass for,
weights of classes) are given, so that both do the same work: one loss, one test of noise. The
values of C and the ends of intervals are compared to see that they have. Folds are dealt in other
ways than they once were: where that leads to another C, compare fits with a C that is given. What
a commit does not know yet is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).parent.parent
_GIVEN = (
    "C={C}, tolerance=0.1, budget='split', loss='hinge', confidence=0.999, n_probes=50, "
    "class_weight=None, random_state=0"
)
_CHOSEN = _GIVEN.format(C="'cv'") + ", rule='one-se', scoring='loss'"
_DATA = {
    "breast cancer": "X, y = load_breast_cancer(return_X_y=True)",
    "diabetes": "X, y = load_diabetes(return_X_y=True)",
    "wine": "X, y = load_wine(return_X_y=True)",
    "300 x 200": "X, y, _ = make_classification(300, n_strong=4, n_weak=8, n_groups=2, "
    "n_irrelevant=188, random_state=0)",
    "3000 x 30": "X, y, _ = make_classification(3000, n_strong=4, n_weak=8, n_groups=2, "
    "n_irrelevant=18, label_noise=0.05, random_state=0)",
    "10,000 x 50": "X, y, _ = make_classification(10_000, n_strong=4, n_weak=9, n_groups=3, "
    "n_irrelevant=37, noise=0.1, label_noise=0.1, random_state=0)",
    "200 x 2000": "X, y, _ = make_classification(200, n_strong=4, n_weak=9, n_groups=3, "
    "n_irrelevant=1987, random_state=0)",
    "rare, 150 x 399": "random = np.random.default_rng(0); X = 1.0 * (random.random((150, 400)) < "
    "0.05); y = (3.0 * X[:, :10].sum(axis=1) - 1.5 + random.logistic(size=150) > 0).astype(int); "
    # One column has no yes. A constant one has no weight here; it took what is spare at ab7092d.
    "X = X[:, np.ptp(X, axis=0) > 0]",
    "Set 9, noisy": "X, y, _ = make_ordinal(**PAPER_SETS['Set 9']._asdict(), noise=0.5, "
    "random_state=0)",
}
# Name, data, what is done beforehand, what is timed.
_TASKS: dict[str, tuple[str, str, str]] = {
    f"fit, {name}": (name, "", f"model = estimator({kind}, {own}{_GIVEN.format(C=C)}).fit(X, y)")
    for name, kind, own, C in (
        ("breast cancer", "RelevanceClassifier", "", 0.05),
        ("diabetes", "RelevanceRegressor", "epsilon=0.1, ", 0.02),
        ("wine", "OrdinalRelevanceClassifier", "", 0.2),
        ("300 x 200", "RelevanceClassifier", "", 0.05),
        ("rare, 150 x 399", "RelevanceClassifier", "", 0.07),
        ("3000 x 30", "RelevanceClassifier", "", 0.01),
        ("200 x 2000", "RelevanceClassifier", "", 0.03),
    )
}
_TASKS |= {
    f"fit with C by folds, {name}": (name, "", f"model = estimator({kind}, {_CHOSEN}).fit(X, y)")
    for name, kind in (
        ("breast cancer", "RelevanceClassifier"),
        ("10,000 x 50", "RelevanceClassifier"),
        ("Set 9, noisy", "OrdinalRelevanceClassifier"),
    )
}
_FITTED = f"model = estimator(RelevanceClassifier, {_GIVEN.format(C=0.05)}).fit(X, y)"
_TASKS["what_if, breast cancer"] = ("breast cancer", _FITTED, "model.what_if(forbid=[20, 22, 23])")
# Three tables of ordered classes, and the C that is chosen on each.
_DATA["five classes"] = (
    "X, y, _ = make_ordinal(412, n_strong=4, n_weak=6, n_irrelevant=8, n_classes=5, noise=0.5, "
    "label_noise=0.1, random_state=0)"
)
_DATA["four noisy classes"] = (
    "X, y, _ = make_ordinal(412, n_strong=4, n_weak=6, n_irrelevant=8, n_classes=4, noise=1.0, "
    "label_noise=0.4, random_state=1)"
)
_DATA["diabetes in steps"] = (
    "X, y = load_diabetes(return_X_y=True); y = np.digitize(y, np.quantile(y, [.25, .5, .75]));"
    "more = 0.05 * np.random.default_rng(0).standard_normal((442, 8));"
    "X, y = np.column_stack([X, X[:, :8] + more])[:412], y[:412]"
)
for _name, _C in (
    ("five classes", 0.034),
    ("four noisy classes", 0.046),
    ("diabetes in steps", 0.045),
):
    for _tolerance in (0.02, 0.03, 0.3):
        _given = f"C={_C}, tolerance={_tolerance}, n_probes=20, random_state=0"
        _TASKS[f"prediction_range, {_name}, {_tolerance}"] = (
            _name,
            f"model = OrdinalRelevanceClassifier({_given}).fit(X, y)",
            "found = model.prediction_range(X[:40]); ends = [found.low, found.high]",
        )

_PROGRAM = """
import inspect, json, time, warnings
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import PAPER_SETS, make_classification, make_ordinal
import allrelevant
warnings.simplefilter("ignore")

def estimator(kind, **settings):
    known = inspect.signature(kind.__init__).parameters
    return kind(**{{name: value for name, value in settings.items() if name in known}})

{data}
{before}
ends = None
for _ in range(2):
    start = time.process_time()
    {timed}
    spent = time.process_time() - start
ends = np.asarray(model.intervals_ if ends is None else ends).tolist()
told = {{"spent": spent, "C": model.C_, "ends": ends, "from": allrelevant.__file__}}
print(json.dumps(told))
"""


def unpacked(commit: str, folder: Path) -> Path:
    """The source of a commit."""
    packed = subprocess.run(
        ["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


class Measured(NamedTuple):
    """CPU seconds of a task, its C, and the ends of intervals."""

    spent: float
    C: float
    ends: np.ndarray


def measured(source: Path, task: str) -> Measured | None:
    """What a task takes and gives; None where the tree cannot do it."""
    name, before, timed = _TASKS[task]
    program = _PROGRAM.format(data=_DATA[name], before=before, timed=timed)
    one = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **one, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
    )
    if found.returncode:
        print(found.stderr.strip().splitlines()[-1], file=sys.stderr)
        return None
    answer = json.loads(found.stdout)
    if not Path(answer["from"]).is_relative_to(source):
        raise RuntimeError(f"measured {answer['from']} instead of {source}")
    return Measured(answer["spent"], answer["C"], np.array(answer["ends"]))


def compared(trees: Sequence[Path], task: str, repeats: int) -> list[Measured] | None:
    """What a task gives in each tree, with the least CPU seconds that it took."""
    found: list[list[Measured]] = [[] for _ in trees]
    for turn in range(repeats):
        order = range(len(trees)) if turn % 2 == 0 else reversed(range(len(trees)))
        for k in order:
            one = measured(trees[k], task)
            if one is None:
                return None
            found[k].append(one)
    return [min(own, key=lambda one: one.spent) for own in found]


def main() -> None:
    """Measure and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", help="what to compare with")
    parser.add_argument("--repeats", type=int, default=5, help="turns of each tree")
    parser.add_argument("--only", default="", help="tasks whose names hold this")
    arguments = parser.parse_args()
    print(f"| CPU s | {arguments.commit} | now | now / then | then / now | C | ends differ by |")
    print("|---|---|---|---|---|---|---|")
    logs = []
    with tempfile.TemporaryDirectory() as folder:
        trees = unpacked(arguments.commit, Path(folder).resolve()), ROOT / "src"
        for task in _TASKS:
            if arguments.only not in task:
                continue
            found = compared(trees, task, arguments.repeats)
            if found is None:
                print(f"| {task} | – | – | – | – | – | – |", flush=True)
                continue
            (before, C, ends), (now, its, others) = found
            logs.append(np.log(now / before))
            ratios = f"{now / before:.2f} | {before / now:.2f}"
            chosen = f"{C:.3g}" if np.isclose(C, its) else f"{C:.3g} / {its:.3g}"
            apart = float(np.abs(ends - others).max())
            print(f"| {task} | {before:.3f} | {now:.3f} | {ratios} | {chosen} | {apart:.1g} |")
            sys.stdout.flush()
    print(f"\nRatio over all, as a geometric mean: {np.exp(np.mean(logs)):.2f}")


if __name__ == "__main__":
    main()
