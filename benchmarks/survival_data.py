"""Censored times: tables that come with packages, and simulated ones with known truth."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
import pandas as pd

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
_SOME_ROWS = 1000

Data = tuple[pd.DataFrame, np.ndarray, np.ndarray]


def data_sets(wanted: Collection[str]) -> Iterator[tuple[str, Data]]:
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
        yield name, (_numbers(X), time, event)
    for name, columns in {
        "rossi": ("week", "arrest"),
        "lung": ("time", "status"),
        "larynx": ("time", "death"),
        "leukemia": ("t", "status"),
        "kidney_transplant": ("time", "death"),
    }.items():
        X = getattr(lifelines, f"load_{name}")().drop(columns="inst", errors="ignore").dropna()
        time, event = (X.pop(column).to_numpy(float) for column in columns)
        yield name, (_numbers(X), time, event)
    if any(name in LAST for name in wanted):
        yield from _of_survset(name for name in wanted if name in LAST)


def _of_survset(names: Iterable[str]) -> Iterator[tuple[str, Data]]:
    """Tables of SurvSet: what is missing is a level of a category, or the median of a number."""
    from SurvSet.data import SurvLoader

    for name in names:
        table = SurvLoader().load_dataset(name)["df"]
        table = table[table["time"] > 0]
        factors, numbers = table.filter(like="fac_").astype(str), table.filter(like="num_")
        X = _numbers(pd.concat([numbers.fillna(numbers.median()), factors], axis=1))
        X.columns = X.columns.str.replace("^(num|fac)_", "", regex=True)
        yield name, (X, table["time"].to_numpy(float), table["event"].to_numpy(float))


def _numbers(X: pd.DataFrame) -> pd.DataFrame:
    return pd.get_dummies(X, drop_first=True).astype(float)


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
