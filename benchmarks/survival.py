"""Censored times: Harrell's C of held-out rows beside that of an ℓ1-penalised Cox model.

Run as ``python -m benchmarks.survival [--folds 5] [--repeats 2] [--only gbsg2]``; it needs
scikit-survival and lifelines, whose data sets it takes (``pip install allrelevant[survival]``), and
SurvSet for the tables of its last part (``pip install SurvSet``).
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

from collections.abc import Collection, Iterable, Iterator
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
#: Those of SurvSet, which nobody had looked at before what is told here was written.
LAST = {
    "uis": "drug abuse, time to relapse",
    "cost": "strokes in Copenhagen",
    "nki70": "breast cancer, 70 genes",
    "hepatoCellular": "liver cancer",
    "phpl04K8a": "lung cancer, 20 genes",
    "wpbc": "breast cancer, nuclei",
    "e1684": "melanoma E1684",
    "zinc": "oesophageal cancer and zinc",
}
NAMES |= LAST
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
SIMULATED = (
    "40 % censored",
    "85 % censored",
    "ties",
    "a chain of neighbours",
    "wide",
    "noise alone",
    "noise alone, 85 % censored",
    "noise alone, wide",
)
FRESH = 96_500  # the first seed: none that was looked at while the method was made
SIMULATED_HEAD = """| times | fits | found | false | fits with any feature |
|---|--:|--:|--:|--:|"""

Set = tuple[str, pd.DataFrame, np.ndarray, np.ndarray]


def data_sets(wanted: Collection[str]) -> Iterator[Set]:
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
    if any(name in LAST for name in wanted):
        yield from _of_survset(name for name in wanted if name in LAST)


def _of_survset(names: Iterable[str]) -> Iterator[Set]:
    """Tables of SurvSet: what is missing is a level of a category, or the median of a number."""
    from SurvSet.data import SurvLoader

    for name in names:
        table = SurvLoader().load_dataset(name)["df"]
        table = table[table["time"] > 0]
        factors, numbers = table.filter(like="fac_").astype(str), table.filter(like="num_")
        X = _numbers(pd.concat([numbers.fillna(numbers.median()), factors], axis=1))
        X.columns = X.columns.str.replace("^(num|fac)_", "", regex=True)
        yield name, X, table["time"].to_numpy(float), table["event"].to_numpy(float)


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


def simulated(name: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, times and events, and which columns have an effect: four, or none of noise."""
    random = np.random.default_rng(seed)
    n, d = (120, 80) if "wide" in name else (220, 15)
    X = random.normal(size=(n, d))
    if "chain" in name:
        for j in range(1, d):
            X[:, j] = 0.7 * X[:, j - 1] + np.sqrt(1.0 - 0.7**2) * X[:, j]
        places = [0, 5, 10, 14]
    else:
        X[:, 1], X[:, 2], places = X[:, 1] > 0.8, np.exp(X[:, 2]), [0, 1, 2, 3]
    truth = np.zeros(d, dtype=bool)
    truth[places] = "noise" not in name
    score = X[:, places] @ [0.7, -0.9, 0.35, -0.45] * truth.any()
    time = np.exp(0.9 * (score - random.gumbel(size=n)) + 3.0)
    share = 0.85 if "85 %" in name else 0.4
    end = np.exp(0.6 * random.normal(size=n) + np.quantile(np.log(time), 1.0 - share))
    known = np.minimum(time, end)
    if "ties" in name:
        known = np.ceil(known / 8.0)
    return X, np.column_stack([known, time <= end]), truth


def found_in(name: str, seed: int) -> dict[str, float]:
    """How much of what has an effect a default fit finds, and how much of the noise."""
    X, y, truth = simulated(name, FRESH + seed)
    relevant = SurvivalRelevanceRegressor(random_state=0).fit(X, y).result_.classes > 0
    found = float(relevant[truth].mean()) if truth.any() else 0.0
    return {"found": found, "false": float(relevant[~truth].mean()), "any": bool(relevant.any())}


def simulated_row(name: str, fits: list[dict[str, float]]) -> str:
    """One line of the table of simulated times."""
    found, false, selected = ([one[key] for one in fits] for key in ("found", "false", "any"))
    share = "" if "noise" in name else f"{np.mean(found):.2f}"
    return f"| {name} | {len(fits)} | {share} | {np.mean(false):.3f} | {sum(selected)} |"


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
    every = [*NAMES, "simulated"]
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    parser.add_argument("--seeds", type=int, default=5, help="of each simulated kind")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    for name, *data in data_sets(asked.only):
        if name in asked.only and name not in kept:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                kept[name] = compare(*data, asked)
            print(name, kept[name], flush=True)
            keep(KEPT, kept)
    for name in SIMULATED if "simulated" in asked.only else ():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for seed in range(len(kept.get(name, [])), asked.seeds):
                kept.setdefault(name, []).append(found_in(name, seed))
                print(name, seed, kept[name][-1], flush=True)
                keep(KEPT, kept)
    lines = [simulated_row(name, kept[name]) for name in SIMULATED if name in kept]
    write_between("survival.md", "simulated", "\n".join([SIMULATED_HEAD, *lines]))
    first = set(NAMES) - set(SHOWN) - set(LAST)
    for mark, names in (("survival", first), ("shown", set(SHOWN)), ("last", set(LAST))):
        lines = [row(name, kept[name]) for name in NAMES if name in kept and name in names]
        write_between("survival.md", mark, "\n".join([HEAD, *lines]))


if __name__ == "__main__":
    main()
