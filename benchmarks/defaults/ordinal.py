"""Ordered classes on published splits, beside mord."""

from __future__ import annotations

import time
from importlib.util import find_spec

import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import StratifiedShuffleSplit

from allrelevant import macro_mean_absolute_rank_error
from benchmarks.defaults.fits import Outcome, Setup, fit
from benchmarks.defaults.page import Bar, Page, means_of
from benchmarks.ordinal_data import SETS, Split, split

BARS: dict[str, dict[str, Bar]] = {
    "contact-lenses": {"MMAE": ("≤", 0.20)},
    "tae": {"MMAE": ("≤", 0.60)},
    "pasture": {"MMAE": ("≤", 0.33)},
    "car": {"MMAE": ("≤", 0.18), "accuracy": ("≥", 0.90)},
    "winequality-red": {"MMAE": ("≤", 1.10), "accuracy": ("≥", 0.50)},
}
#: Where the classes of a cut regression end, as shares of the rows.
CUTS = {"diabetes, 5 classes": (0.2, 0.4, 0.6, 0.8), "diabetes, 60/25/10/5 %": (0.6, 0.85, 0.95)}
DRAWN = ("lev", "swd", *CUTS)  # have no published splits


def run(setup: Setup, page: Page) -> None:
    """One row per set and method."""
    has_mord = find_spec("mord") is not None
    absent = "" if has_mord else " No rival: mord is not installed."
    table = page.table(
        "Ordered classes",
        "Held-out rows of the published 75/25 splits; lev, swd and diabetes (a regression, cut) "
        f"are split at random. Where no bar was set it is mord's MMAE, and a tenth.{absent}",
        {"MMAE": 3, "accuracy": 3, "features used": 1, "CPU s": 1},
    )
    names = (*BARS, *(each for each in SETS if each not in BARS), *CUTS)
    for name in filter(setup.wants, names):
        if name not in CUTS and not (setup.data / f"{name}.csv.gz").exists():
            table.row(f"{name}: no such file in the folder of data", [])
            continue
        splits = range(min(setup.splits, 10 if name in DRAWN else 30))
        bars = BARS.get(name, {})
        rival = setup.each(rival_outcome, splits, name, setup) if has_mord else []
        if rival and not bars:
            bars = {"MMAE": ("≤", 1.1 * means_of(rival)["MMAE"])}
        table.row(f"{name}: default", setup.each(outcome, splits, name, setup), bars)
        if rival:
            table.row(f"{name}: mord.LogisticAT", rival)


def outcome(number: int, name: str, setup: Setup) -> Outcome | None:
    """Our errors on one split."""
    part = _split(number, name, setup)
    found = fit("ordinal", part.X, part.y, number, setup)
    if found.model is None:
        return None
    used = float(np.count_nonzero(found.model.coef_))
    return {
        **_errors(part, found.model.predict(part.X_test)),
        "features used": used,
        "CPU s": found.seconds,
    }


def rival_outcome(number: int, name: str, setup: Setup) -> Outcome:
    """Those of mord, its penalty chosen by cross-validation."""
    from benchmarks.rivals import all_threshold

    part = _split(number, name, setup)
    start = time.process_time()
    predicted = all_threshold(part)
    return {**_errors(part, predicted), "CPU s": time.process_time() - start}


def _split(number: int, name: str, setup: Setup) -> Split:
    if name not in CUTS:
        return split(setup.data, name, number, share=1.0)
    X, values = load_diabetes(return_X_y=True)
    y = np.searchsorted(np.quantile(values, CUTS[name]), values)
    draw = StratifiedShuffleSplit(1, test_size=0.25, random_state=number)
    train, test = next(draw.split(X, y))
    return Split(X[train], y[train], X[test], y[test])


def _errors(part: Split, predicted: np.ndarray) -> Outcome:
    classes = sorted({*part.y.tolist(), *part.y_test.tolist()})
    return {
        "MMAE": macro_mean_absolute_rank_error(part.y_test, predicted, classes=classes),
        "accuracy": float((predicted == part.y_test).mean()),
    }
