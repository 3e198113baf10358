"""Censored times: Harrell's C of held-out rows beside that of an ℓ1-penalised Cox model.

Run as ``python -m benchmarks.survival [--folds 5] [--repeats 2] [--scoring loss]``; it needs
scikit-survival and lifelines, whose data sets it takes (``pip install allrelevant[survival]``).
Both methods see the same training rows and choose their penalty there, by cross-validation.
"""

from __future__ import annotations

import argparse
import os
import warnings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import SurvivalRelevanceRegressor
from allrelevant.base.censored import concordance

Set = tuple[str, pd.DataFrame, np.ndarray, np.ndarray]


def data_sets() -> Iterator[Set]:
    """Name, features as numbers, times and events."""
    from lifelines.datasets import load_rossi
    from sksurv import datasets

    for name in ("veterans_lung_cancer", "gbsg2", "whas500", "breast_cancer"):
        X, y = getattr(datasets, f"load_{name}")()
        event, time = (y[field].astype(float) for field in y.dtype.names)
        yield name, _numbers(X), time, event
    rossi = load_rossi()
    time, event = (rossi.pop(name).to_numpy(float) for name in ("week", "arrest"))
    yield "rossi", _numbers(rossi), time, event


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


def compare(
    name: str, X: pd.DataFrame, time: np.ndarray, event: np.ndarray, args: Any
) -> dict[str, Any]:
    """Both methods on the same held-out rows, and the features they use."""
    y, ours, theirs = np.column_stack([time, event]), [], []
    for seed in range(args.repeats):
        dealt = StratifiedKFold(args.folds, shuffle=True, random_state=seed).split(X, event)
        for train, test in dealt:
            model = SurvivalRelevanceRegressor(scoring=args.scoring, n_probes=5, random_state=0)
            model.fit(X.iloc[train], y[train])
            ours.append(model.score(X.iloc[test], y[test]))
            other = cox(X.to_numpy()[train], time[train], event[train])
            risk = other.predict(X.to_numpy()[test])
            theirs.append(concordance(time[test], event[test], -risk, np.ones(len(test))))
    fitted = SurvivalRelevanceRegressor(scoring=args.scoring, random_state=0).fit(X, y)
    used = np.flatnonzero(cox(X.to_numpy(), time, event)[-1].coef_.ravel())
    names, relevant = np.array(X.columns), fitted.result_.classes
    return {
        "set": name,
        "rows": len(X),
        "features": X.shape[1],
        "ours": np.mean(ours),
        "cox": np.mean(theirs),
        "error of the difference": np.std(np.subtract(ours, theirs)) / np.sqrt(len(ours)),
        "strong": ", ".join(names[relevant == 2]),
        "weak": ", ".join(names[relevant == 1]),
        "in the Cox model": ", ".join(names[used]),
    }


def main() -> None:
    """Print one line for each data set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--scoring", choices=("loss", "score"))
    parser.add_argument("--sets", default="")
    args = parser.parse_args()
    for one in data_sets():
        if args.sets and one[0] not in args.sets.split(","):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = compare(*one, args)
        print(
            "  ".join(
                f"{k}: {v:.3f}" if isinstance(v, float) else f"{k}: {v}" for k, v in found.items()
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
