"""CPU time of a few fits and questions: this tree beside an earlier commit, in one run.

Run as ``make bench-beside COMMIT=…`` or ``python -m benchmarks.beside COMMIT [--repeats N]``.

Every measurement is a process of its own that has one of the two trees on its path, does the task
once to warm up, and counts the CPU time of the second time. The trees take turns, and which is
first changes, so that slow phases of the machine hit both. Settings that have changed their
defaults over time (C, tolerance, probes) are given, so that both do the same work; ends of
intervals are compared to see that they have. What a commit does not know yet is left out.
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

import numpy as np

ROOT = Path(__file__).parent.parent
_GIVEN = "C={C}, tolerance=0.1, n_probes=50, random_state=0"
_DATA = {
    "breast cancer": "X, y = load_breast_cancer(return_X_y=True)",
    "diabetes": "X, y = load_diabetes(return_X_y=True)",
    "wine": "X, y = load_wine(return_X_y=True)",
    "300 x 200": "X, y, _ = make_classification(300, n_strong=4, n_weak=8, n_groups=2, "
    "n_irrelevant=188, random_state=0)",
    "3000 x 30": "X, y, _ = make_classification(3000, n_strong=4, n_weak=8, n_groups=2, "
    "n_irrelevant=18, label_noise=0.05, random_state=0)",
}
# Name, data, what is done beforehand, what is timed.
_TASKS: dict[str, tuple[str, str, str]] = {
    f"fit, {name}": (name, "", f"model = {kind}({own}{_GIVEN.format(C=C)}).fit(X, y)")
    for name, kind, own, C in (
        ("breast cancer", "RelevanceClassifier", "", 0.05),
        ("diabetes", "RelevanceRegressor", "epsilon=0.1, ", 0.02),
        ("wine", "OrdinalRelevanceClassifier", "", 0.2),
        ("300 x 200", "RelevanceClassifier", "", 0.05),
        ("3000 x 30", "RelevanceClassifier", "", 0.01),
    )
}
_FITTED = f"model = RelevanceClassifier({_GIVEN.format(C=0.05)}).fit(X, y)"
_TASKS["what_if, breast cancer"] = ("breast cancer", _FITTED, "model.what_if(forbid=[20, 22, 23])")

_PROGRAM = """
import json, time, warnings
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_classification
import allrelevant
warnings.simplefilter("ignore")
{data}
{before}
for _ in range(2):
    start = time.process_time()
    {timed}
    spent = time.process_time() - start
ends = np.asarray(model.intervals_).tolist()
print(json.dumps({{"spent": spent, "ends": ends, "from": allrelevant.__file__}}))
"""


def unpacked(commit: str, folder: Path) -> Path:
    """The source of a commit."""
    packed = subprocess.run(
        ["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def measured(source: Path, task: str) -> tuple[float, np.ndarray] | None:
    """CPU seconds of a task and the ends of intervals; None where the tree cannot do it."""
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
    return answer["spent"], np.array(answer["ends"])


def compared(trees: Sequence[Path], task: str, repeats: int) -> tuple[list[float], float] | None:
    """The least CPU seconds of a task in each tree, and how far apart ends of intervals are."""
    spent: list[list[float]] = [[] for _ in trees]
    ends: list[np.ndarray] = [np.zeros(0) for _ in trees]
    for turn in range(repeats):
        order = range(len(trees)) if turn % 2 == 0 else reversed(range(len(trees)))
        for k in order:
            found = measured(trees[k], task)
            if found is None:
                return None
            spent[k].append(found[0])
            ends[k] = found[1]
    return [min(times) for times in spent], float(np.abs(ends[0] - ends[1]).max())


def main() -> None:
    """Measure and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", help="what to compare with")
    parser.add_argument("--repeats", type=int, default=5, help="turns of each tree")
    parser.add_argument("--only", default="", help="tasks whose names hold this")
    arguments = parser.parse_args()
    print(f"| CPU s | {arguments.commit} | now | ratio | ends differ by |")
    print("|---|---|---|---|---|")
    logs = []
    with tempfile.TemporaryDirectory() as folder:
        trees = unpacked(arguments.commit, Path(folder).resolve()), ROOT / "src"
        for task in _TASKS:
            if arguments.only not in task:
                continue
            found = compared(trees, task, arguments.repeats)
            if found is None:
                print(f"| {task} | – | – | – | – |", flush=True)
                continue
            (before, now), apart = found
            logs.append(np.log(now / before))
            print(f"| {task} | {before:.3f} | {now:.3f} | {now / before:.2f} | {apart:.1g} |")
            sys.stdout.flush()
    print(f"\nRatio over all, as a geometric mean: {np.exp(np.mean(logs)):.2f}")


if __name__ == "__main__":
    main()
