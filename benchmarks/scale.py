"""CPU time and memory of fits as tables get taller and wider: `make bench-scale`.

Each fit runs in a process of its own, with data that another one has made, so that the memory is
its own, too. What was measured is kept in a file, row by row, so that a run that was stopped goes
on, and parts can be measured one by one (``--only wide``, ``--only "1,000,000 × 50"``); ``--list``
says what is left. Writes docs/results/scale.md and its picture.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.data import open_parquet
from allrelevant.datasets import make_classification, make_regression, make_text
from allrelevant.linear.fit.rows.sample import Sample
from benchmarks.kept import keep, read_kept
from benchmarks.outside import CHUNK, chunk
from benchmarks.scale_cases import C_TIMES_ROWS, CASES, FOLDS_AND_PROBES, Case
from benchmarks.scale_page import DOCS, draw, page
from benchmarks.speed import ecos_seconds, equivalent

FEW_ROWS = 200  # of wide tables


def data(what: str, n: int, d: int) -> tuple[object, np.ndarray]:
    """A table and its target.

    Tall ones have 4 features that matter, 9 near copies of 3 others, and noise; a tenth of the
    labels is wrong. Wide ones have 4 that matter, 12 near copies of 4 others, and noise. Where rows
    are fewest only half of these have an effect, else there would be nothing to find.
    """
    kinds = {"n_strong": 4, "n_weak": 9, "n_groups": 3, "n_irrelevant": d - 13, "random_state": 0}
    if what == "classes":
        return make_classification(n, noise=0.1, label_noise=0.1, **kinds)[:2]
    if what == "numbers":
        return make_regression(n, noise=0.5, **kinds)[:2]
    if what == "text":
        return make_text(n, n_irrelevant=d - 7, random_state=0)[:2]
    random = np.random.default_rng(0)
    X, hidden = random.normal(size=(n, d)), random.normal(size=(n, 4))
    X[:, 4:16] = np.repeat(hidden, 3, axis=1) + 0.3 * random.normal(size=(n, 12))
    k = 2 if n < FEW_ROWS else 4
    y = np.where(X[:, :k].sum(axis=1) + hidden[:, :k].sum(axis=1) > 0, 1, -1)
    return X, np.where(random.random(n) < 0.05, -y, y)


def make(case: Case, folder: Path) -> None:
    """Write the data of a case."""
    if case.how == "Parquet":
        names = [*(f"x{k}" for k in range(case.columns)), "y"]
        for first in range(0, case.rows, CHUNK):
            rows = chunk(first, min(CHUNK, case.rows - first))
            pd.DataFrame(rows, columns=names).to_parquet(folder / f"{first:010d}.parquet")
        return
    X, y = data(case.what, case.rows, case.columns)
    np.save(folder / "y.npy", y)
    if sp.issparse(X):
        sp.save_npz(folder / "X.npz", sp.csr_matrix(X))
    else:
        np.save(folder / "X.npy", X)


def fit(case: Case, folder: Path) -> dict[str, float]:
    """What the fit of a case takes."""
    if case.how == "Parquet":
        X, y = open_parquet(folder, target="y")
        size = 8.0 * case.rows * case.columns
    else:
        is_sparse = (folder / "X.npz").exists()
        X = sp.load_npz(folder / "X.npz") if is_sparse else np.load(folder / "X.npy")
        y = np.load(folder / "y.npy")
        size = X.data.nbytes if is_sparse else X.nbytes
    if case.how == "the published way":
        return published(case, X, y)
    kind = RelevanceRegressor if case.what == "numbers" else RelevanceClassifier
    settings: dict[str, float] = {}
    if case.how in ("C given", "Parquet"):
        settings["C"] = C_TIMES_ROWS / case.rows
    if case.how == "tolerance 0.001":
        settings["tolerance"] = 0.001
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(random_state=0, **settings).fit(X, y)
    found = {
        "seconds": time.process_time() - begun,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "data": size / 2**20,
        "used": model.result_.baseline["n_used"],
        "solved": model.result_.work["lps_solved"],
    }
    if case.how == "Parquet":
        found["passes"] = X.n_passes
        found["core"] = len(model.fitted_set_.analysis.problem.core.rows)
    return found


def published(case: Case, X: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """What its programs take as the published code solves them, by those of one feature."""
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    weight = np.ones(case.rows)
    models, _ = equivalent(Sample(scaled, np.where(y > 0, 1.0, -1.0), weight, weight), 0.001)
    seconds = ecos_seconds(models, np.where(y > 0, 1.0, -1.0), 0) / 3.0
    programs = 3 * case.columns + FOLDS_AND_PROBES
    mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    used = int((models.reference.weights != 0).sum())
    known = {"seconds": seconds * programs, "mib": mib, "data": X.nbytes / 2**20}
    return known | {"used": used, "solved": programs}


def measured(case: Case) -> dict[str, float]:
    """The same in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.scale", "--case", json.dumps(case), folder]
        subprocess.check_call([*command, "--make"])
        found: dict[str, float] = json.loads(subprocess.check_output(command, text=True))
        return found


def main() -> None:
    """Measure what is not known yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--case", nargs=2, metavar=("CASE", "FOLDER"), help="one fit, printed")
    parser.add_argument("--make", action="store_true", help="only make the data of that fit")
    parser.add_argument("--kept", type=Path, default=Path("out/scale.json"), help="what is known")
    parser.add_argument("--most-rows", type=int, default=10**7, help="no taller tables")
    parser.add_argument("--only", default="", help="tables whose names hold this")
    parser.add_argument("--list", action="store_true", help="only say what is not known yet")
    arguments = parser.parse_args()
    if arguments.case:
        case, folder = Case(*json.loads(arguments.case[0])), Path(arguments.case[1])
        if arguments.make:
            make(case, folder)
        else:
            print(json.dumps(fit(case, folder)), end="")
        return
    known = read_kept(arguments.kept)
    for case in CASES:
        if arguments.only not in case.key or case.rows > arguments.most_rows or case.key in known:
            continue
        if arguments.list:
            print(case.key)
            continue
        known[case.key] = measured(case)
        keep(arguments.kept, known)
        print(case.key, known[case.key], flush=True)
    if arguments.list:
        return
    draw(known)
    (DOCS / "results" / "scale.md").write_text(page(known), encoding="utf-8")


if __name__ == "__main__":
    main()
