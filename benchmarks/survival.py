"""Censored times: Harrell's C of held-out rows beside that of an ℓ1-penalised Cox model.

Run as ``python -m benchmarks.survival [--folds 5] [--repeats 2] [--only gbsg2]``; it needs
scikit-survival and lifelines, whose data sets it takes (``pip install allrelevant[survival]``).
All methods see the same training rows and choose their penalty there, by cross-validation. What
has been measured is kept in out/survival.json, so that the next run goes on where the last one
ended; ``--afresh`` forgets it. Writes a part of docs/results/survival.md. It runs on one thread.
"""

from __future__ import annotations

import argparse
import os
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import SurvivalRelevanceRegressor
from allrelevant.base.censored import concordance
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between

KEPT = Path(__file__).parent.parent / "out" / "survival.json"
NAMES = {
    "veterans_lung_cancer": "veterans' lung cancer",
    "gbsg2": "GBSG2",
    "whas500": "WHAS500",
    "rossi": "Rossi's arrests",
    "lung": "NCCTG lung cancer",
    "aids": "ACTG 320",
    "breast_cancer": "breast cancer, genes",
    "flchain": "free light chains, some rows",
    "larynx": "larynx cancer",
    "leukemia": "leukemia",
    "kidney_transplant": "kidney transplants",
}
SHOWN = ("gbsg2", "whas500", "flchain", "leukemia", "kidney_transplant")
_HEADS = (
    "data",
    "rows × columns",
    "events",
    "folds",
    "ours",
    "absolute",
    "Cox",
    "error",
    "strong",
    "weak",
)
HEAD = f"""| {" | ".join(_HEADS)} | in the Cox model |
|---|--:|--:|--:|--:|--:|--:|--:|---|---|--:|"""
_SOME_ROWS = 1000

Set = tuple[str, pd.DataFrame, np.ndarray, np.ndarray]


def data_sets() -> Iterator[Set]:
    """Name, features as numbers, times and events."""
    from lifelines import datasets as lifelines
    from sksurv import datasets

    for name in ("veterans_lung_cancer", "gbsg2", "whas500", "aids", "breast_cancer", "flchain"):
        X, y = getattr(datasets, f"load_{name}")()
        event, time = (y[field].astype(float) for field in y.dtype.names)
        if name == "flchain":  # the chapter is that of the cause of death
            X = X.drop(columns=["chapter", "creatinine"])
            kept = np.random.RandomState(0).permutation(np.flatnonzero(time > 0))[:_SOME_ROWS]
            X, time, event = X.iloc[kept], time[kept], event[kept]
        yield name, _numbers(X), time, event
    for name, columns in {
        "rossi": ("week", "arrest"),
        "lung": ("time", "status"),
        "larynx": ("time", "death"),
        "leukemia": ("t", "status"),
        "kidney_transplant": ("time", "death"),
    }.items():
        X = getattr(lifelines, f"load_{name}")().drop(columns="inst", errors="ignore").dropna()
        time, event = (X.pop(column).to_numpy(float) for column in columns)
        yield name, _numbers(X), time, event


def _numbers(X: pd.DataFrame) -> pd.DataFrame:
    return pd.get_dummies(X, drop_first=True).astype(float)


def cox(X: np.ndarray, time: np.ndarray, event: np.ndarray) -> Any:
    """An ℓ1-penalised Cox model whose penalty is chosen by the C-index in five folds."""
    from sksurv.linear_model import CoxnetSurvivalAnalysis
    from sksurv.util import Surv

    y = Surv.from_arrays(event > 0, time)
    path = make_pipeline(
        StandardScaler(), CoxnetSurvivalAnalysis(l1_ratio=1.0, alpha_min_ratio=0.01)
    ).fit(X, y)
    grid = {"coxnetsurvivalanalysis__alphas": [[a] for a in path[-1].alphas_[::4]]}
    folds = KFold(5, shuffle=True, random_state=0)
    search = GridSearchCV(path, grid, cv=folds, error_score=0.5)
    return search.fit(X, y).best_estimator_


def compare(X: pd.DataFrame, time: np.ndarray, event: np.ndarray, args: Any) -> dict[str, Any]:
    """All methods on the same held-out rows, and the features they use."""
    y, ours, absolute, theirs = np.column_stack([time, event]), [], [], []
    for seed in range(args.repeats):
        dealt = StratifiedKFold(args.folds, shuffle=True, random_state=seed).split(X, event)
        for train, test in dealt:
            for epsilon, scores in ((None, ours), ("cv", absolute)):
                model = SurvivalRelevanceRegressor(
                    epsilon=epsilon,
                    rule=args.rule,
                    scoring=args.scoring,
                    n_probes=5,
                    random_state=0,
                )
                model.fit(X.iloc[train], y[train])
                scores.append(model.score(X.iloc[test], y[test]))
            other = cox(X.to_numpy()[train], time[train], event[train])
            risk = other.predict(X.to_numpy()[test])
            theirs.append(concordance(time[test], event[test], -risk, np.ones(len(test))))
    model = SurvivalRelevanceRegressor(rule=args.rule, scoring=args.scoring, random_state=0)
    fitted = model.fit(X, y)
    used = np.flatnonzero(cox(X.to_numpy(), time, event)[-1].coef_.ravel())
    names, relevant = np.array(X.columns), fitted.result_.classes
    return {
        "size": f"{X.shape[0]} × {X.shape[1]}",
        "events": float(np.mean(event)),
        "folds": len(ours),
        "ours": float(np.mean(ours)),
        "absolute": float(np.mean(absolute)),
        "cox": float(np.mean(theirs)),
        "error": float(np.std(np.subtract(ours, theirs)) / np.sqrt(len(ours))),
        "strong": names[relevant == 2].tolist(),
        "weak": names[relevant == 1].tolist(),
        "in_cox": names[used].tolist(),
    }


def row(name: str, found: dict[str, Any]) -> str:
    """One line of the table; of what the Cox model uses, how much it is and what is missing."""
    relevant, in_cox = found["strong"] + found["weak"], found["in_cox"]
    missing = [f"not {one}" for one in relevant if one not in in_cox]
    cells = [
        NAMES[name],
        found["size"],
        f"{found['events']:.0%}",
        str(found["folds"]),
        *(f"{found[key]:.3f}" for key in ("ours", "absolute", "cox", "error")),
        *(", ".join(found[key]).replace("_", " ") for key in ("strong", "weak")),
        ", ".join([str(len(in_cox)), *missing]),
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure what has not been measured, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--rule", choices=("auto", "best"), default="auto", help="for C")
    parser.add_argument("--scoring", choices=("loss", "score"))
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    for name, *data in data_sets():
        if name in asked.only and name not in kept:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                kept[name] = compare(*data, asked)
            print(name, kept[name], flush=True)
            keep(KEPT, kept)
    for mark, names in (("survival", set(NAMES) - set(SHOWN)), ("shown", set(SHOWN))):
        lines = [row(name, kept[name]) for name in NAMES if name in kept and name in names]
        write_between("survival.md", mark, "\n".join([HEAD, *lines]))


if __name__ == "__main__":
    main()
