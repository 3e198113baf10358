"""CPU time and memory of default fits as tables get wider: `make bench-scale`.

Each fit runs in a process of its own, so that the memory is its own, too. The exponent is that of
the time in the number of features, by least squares over the dense tables.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import warnings

import numpy as np

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_text

DENSE = [(200, 1000), (200, 2000), (200, 5000), (200, 20000)]
TEXTS = [(300, 3000), (300, 20000)]


def dense(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Four features that matter, four triples of near copies of hidden ones, and noise."""
    random = np.random.default_rng(0)
    X, hidden = random.normal(size=(n, d)), random.normal(size=(n, 4))
    X[:, 4:16] = np.repeat(hidden, 3, axis=1) + 0.3 * random.normal(size=(n, 12))
    y = np.where(X[:, :4].sum(axis=1) + hidden.sum(axis=1) > 0, 1, -1)
    return X, np.where(random.random(n) < 0.05, -y, y)


def one(kind: str, n: int, d: int) -> dict[str, float]:
    """What one fit takes."""
    if kind == "dense":
        X, y = dense(n, d)
    else:
        X, y, _ = make_text(n, n_irrelevant=d - 7, random_state=0)
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RelevanceClassifier(random_state=0).fit(X, y)
    return {
        "seconds": time.process_time() - begun,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "used": model.result_.baseline["n_used"],
        "solved": model.result_.work["lps_solved"],
    }


def main() -> None:
    """Print a table of all fits."""
    print("| table | rows | columns | CPU s | MiB | features used | programs |")
    print("|---|---|---|---|---|---|---|")
    times = []
    for kind, sizes in (("dense", DENSE), ("text", TEXTS)):
        for n, d in sizes:
            command = [sys.executable, "-m", "benchmarks.scale", kind, str(n), str(d)]
            found = json.loads(subprocess.check_output(command, text=True))
            row = (
                f"{found['seconds']:.1f} | {found['mib']:.0f} | {found['used']} | {found['solved']}"
            )
            print(f"| {kind} | {n} | {d} | {row} |", flush=True)
            if kind == "dense":
                times.append((d, found["seconds"]))
    slope = np.polyfit(*np.log(np.array(times)).T, 1)[0]
    print(f"\nCPU time of dense tables grows as columns to the power of {slope:.2f}.")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(one(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
    else:
        main()
