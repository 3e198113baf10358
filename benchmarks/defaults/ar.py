"""Chains of correlated columns: whether what is needed is called strong."""

from __future__ import annotations

from itertools import product

import numpy as np

from benchmarks.defaults.data import autoregressive, chain_effects, random_of
from benchmarks.defaults.fits import Outcome, Setup, discoveries, fit
from benchmarks.defaults.page import Bar, Page

USUAL = 8
COLUMNS = {
    "strong recall": 2,
    "false strong": 2,
    "F1 of relevant": 2,
    "found": 2,
    "tolerance": 3,
    "CPU s": 1,
}
Case = tuple[str, float, int]
BARS: dict[Case, dict[str, Bar]] = {
    ("regression", 0.9, 1000): {"strong recall": ("≥", 0.9), "false strong": ("≤", 0.0)},
    ("classification", 0.5, 300): {"strong recall": ("≥", 0.5), "false strong": ("≤", 0.0)},
}


def run(setup: Setup, page: Page) -> None:
    """One row per task, correlation, number of rows and kind of effects."""
    table = page.table(
        "Autoregressive columns",
        "Five true features of 30, neighbours correlated. *False strong* is their number. Effects "
        "of one sign are harder to tell apart than effects of both.",
        COLUMNS,
    )
    cases = product(("regression", "classification"), (0.5, 0.9), (300, 1000))
    for case, one_sign in product(cases, (True, False)):
        found = setup.each(outcome, setup.numbers(USUAL), case, one_sign, setup)
        task, correlation, n = case
        label = f"AR({correlation}), n = {n}, {task}, {'one sign' if one_sign else 'both signs'}"
        table.row(label, found, BARS.get(case, {"false strong": ("≤", 0.0)}))


def outcome(seed: int, case: Case, one_sign: bool, setup: Setup) -> Outcome | None:
    """One fit."""
    random = random_of(seed, "AR", *case)
    effects = chain_effects(random, one_sign=one_sign)
    data = autoregressive(*case, random, effects=effects)
    found = fit(case[0], data.X, data.y, seed, setup)
    if found.model is None:
        return None
    strong = found.model.relevance_classes_ == 2
    shares = discoveries(found.selected, data.truth)
    precision, recall = 1.0 - shares["false share"], shares["found"]
    return {
        "strong recall": float(strong[data.truth].mean()),
        "false strong": int(strong[~data.truth].sum()),
        "F1 of relevant": 2 * precision * recall / (precision + recall) if recall else 0.0,
        "found": recall,
        "tolerance": float(np.max(found.model.tolerance_)),
        "CPU s": found.seconds,
    }
