"""Censored times: Harrell's C of held-out rows beside that of an ℓ1-penalised Cox model.

Run as ``python -m benchmarks.survival [--repeats 3] [--only gbsg2] [--minutes 9]``; it needs
scikit-survival and lifelines, whose data sets it takes (``pip install allrelevant[survival]``), and
SurvSet for the tables of its last part (``pip install SurvSet``).
All methods see the same training rows and choose their penalty there, by cross-validation. Every
fold that has been measured is kept in out/survival.json, so that the next run goes on where the
last one ended; ``--afresh`` forgets it. Tables are written to docs/results/survival.md when
everything that was asked for is there. It runs on one thread.
"""

from __future__ import annotations

import argparse
import os
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from pathlib import Path
from time import monotonic as clock
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import SurvivalRelevanceRegressor
from allrelevant.base.censored import concordance
from benchmarks.kept import keep, read_kept
from benchmarks.marked import write_between
from benchmarks.survival_data import LAST, NAMES, SHOWN, SIMULATED, Data, data_sets, simulated

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
FOLDS = 5
KEPT = Path(__file__).parent.parent / "out" / "survival.json"
FRESH = 96_500  # the first seed: none that was looked at while the method was made
SIMULATED_HEAD = """| times | fits | found | false | fits with any feature |
|---|--:|--:|--:|--:|"""


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


def _in_order(time: np.ndarray, event: np.ndarray, risk: np.ndarray) -> float:
    return concordance(time, event, -risk, np.ones(len(time)))


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


def compare(fold: int, data: Data) -> list[float]:
    """All methods on the same held-out rows: ours, with the absolute loss, and the Cox model's."""
    X, time, event = data
    y, deal = np.column_stack([time, event]), fold // FOLDS
    dealt = StratifiedKFold(FOLDS, shuffle=True, random_state=deal).split(X, event)
    train, test = list(dealt)[fold % FOLDS]
    found = []
    for epsilon in (None, "cv"):
        model = SurvivalRelevanceRegressor(epsilon=epsilon, n_probes=5, random_state=0)
        found.append(model.fit(X.iloc[train], y[train]).score(X.iloc[test], y[test]))
    other = cox(X.to_numpy()[train], time[train], event[train])
    return [*found, _in_order(time[test], event[test], other.predict(X.to_numpy()[test]))]


def used(data: Data) -> dict[str, Any]:
    """What a table is, and the features that fits of all its rows use."""
    X, time, event = data
    model = SurvivalRelevanceRegressor(random_state=0)
    relevant = model.fit(X, np.column_stack([time, event])).result_.classes
    in_cox = np.flatnonzero(cox(X.to_numpy(), time, event)[-1].coef_.ravel())
    names = np.array(X.columns)
    return {
        "size": f"{X.shape[0]} × {X.shape[1]}",
        "events": float(np.mean(event)),
        "strong": names[relevant == 2].tolist(),
        "weak": names[relevant == 1].tolist(),
        "in_cox": names[in_cox].tolist(),
    }


def row(name: str, found: dict[str, Any]) -> str:
    """One line of the table; of what the Cox model uses, how much it is and what is missing."""
    relevant, in_cox = found["strong"] + found["weak"], found["in_cox"]
    missing = [f"not {one}" for one in relevant if one not in in_cox]
    folds = np.array(found["folds"])
    ahead = folds[:, 0] - folds[:, 2]
    numbers = [*folds.mean(axis=0), float(np.std(ahead, ddof=1) / np.sqrt(len(ahead)))]
    cells = [
        NAMES[name],
        found["size"],
        f"{found['events']:.0%}",
        str(len(folds)),
        *(f"{number:.3f}" for number in numbers),
        *(", ".join(found[key]).replace("_", " ") for key in ("strong", "weak")),
        ", ".join([str(len(in_cox)), *missing]),
    ]
    return f"| {' | '.join(cells)} |"


def measure(kept: dict[str, Any], asked: Any) -> bool:
    """Measure what has not been measured; False where the time is up before."""
    end = clock() + 60.0 * asked.minutes
    for name, data in data_sets(asked.only):
        if name not in asked.only:
            continue
        known = kept.setdefault(name, {"folds": []})
        for fold in range(len(known["folds"]), FOLDS * asked.repeats):
            if clock() > end:
                return False
            known["folds"].append(compare(fold, data))
            print(name, fold, known["folds"][-1], flush=True)
            keep(KEPT, kept)
        if "in_cox" not in known:
            known |= used(data)
            print(name, known, flush=True)
            keep(KEPT, kept)
    for name in SIMULATED if "simulated" in asked.only else ():
        for seed in range(len(kept.get(name, [])), asked.seeds):
            if clock() > end:
                return False
            kept.setdefault(name, []).append(found_in(name, seed))
            print(name, seed, kept[name][-1], flush=True)
            keep(KEPT, kept)
    return True


def main() -> None:
    """Measure what has not been measured, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="dealings into folds")
    every = [*NAMES, "simulated"]
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    parser.add_argument("--seeds", type=int, default=6, help="of each simulated kind")
    parser.add_argument("--minutes", type=float, default=np.inf, help="at most, then go on later")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    asked = parser.parse_args()
    kept = read_kept(KEPT, afresh=asked.afresh)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not measure(kept, asked):
            return
    tables = {"simulated": [SIMULATED_HEAD]}
    tables["simulated"] += [simulated_row(name, kept[name]) for name in SIMULATED if name in kept]
    first = set(NAMES) - set(SHOWN) - set(LAST)
    for mark, names in (("survival", first), ("shown", set(SHOWN)), ("last", set(LAST))):
        known = (name for name in NAMES if name in names and "in_cox" in kept.get(name, {}))
        tables[mark] = [HEAD, *(row(name, kept[name]) for name in known)]
    for mark, lines in tables.items():
        if len(lines) > 1:
            write_between("survival.md", mark, "\n".join(lines))


if __name__ == "__main__":
    main()
