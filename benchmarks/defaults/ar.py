"""Chains of correlated columns: whether what is needed is called strong."""

from __future__ import annotations

from itertools import product
from typing import Any

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
EFFECTS: dict[str, dict[str, Any]] = {
    "one size": {"smallest": 1.0},
    "one sign": {"one_sign": True},
    "both signs": {},
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
        "are of one size (1), or between a half and one; small ones are hard to distinguish from "
        "zero.",
        COLUMNS,
    )
    cases = product(("regression", "classification"), (0.5, 0.9), (300, 1000))
    for case, kind in product(cases, EFFECTS):
        task, correlation, n = case
        if setup.wants(label := f"AR({correlation}), n = {n}, {task}, {kind}"):
            found = setup.each(outcome, setup.numbers(USUAL), case, kind, setup)
            table.row(label, found, BARS.get(case, {"false strong": ("≤", 0.0)}))


def outcome(seed: int, case: Case, kind: str, setup: Setup) -> Outcome | None:
    """One fit."""
    random = random_of(seed, "AR", *case)
    effects = chain_effects(random, **EFFECTS[kind])
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
