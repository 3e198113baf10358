"""Columns of many shapes: false discoveries and power where there are 100 features."""

from __future__ import annotations

from itertools import product

from benchmarks.defaults.data import random_of, with_effects
from benchmarks.defaults.fits import Outcome, Setup, discoveries, fit
from benchmarks.defaults.page import Page

USUAL = 8
ROWS, FEATURES, TRUE = 300, 100, 10
KINDS = ("Gaussian", "log-normal", "rare binary", "mixed", "t3")
EFFECTS = {"regression": 0.3, "classification": 1.2}  # of a standardised column
BARS = {"FDP": ("≤", 0.06), "power": ("≥", 0.80)}


def run(setup: Setup, page: Page) -> None:
    """One row per task and kind."""
    table = page.table(
        "Columns of other shapes",
        f"{ROWS} × {FEATURES}, {TRUE} true features.",
        {"FDP": 3, "power": 2, "borderline": 3, "CPU s": 1},
    )
    for task, kind in product(EFFECTS, KINDS):
        if setup.wants(label := f"{task}: {kind}"):
            found = setup.each(outcome, setup.numbers(USUAL), task, kind, setup)
            table.row(label, found, BARS)


def outcome(seed: int, task: str, kind: str, setup: Setup) -> Outcome | None:
    """One fit."""
    random = random_of(seed, "shapes", task, kind)
    data = with_effects(task, kind, ROWS, FEATURES, TRUE, EFFECTS[task], random)
    found = fit(task, data.X, data.y, seed, setup)
    if found.model is None:
        return None
    shares = discoveries(found.selected, data.truth)
    return {
        "FDP": shares["false share"],
        "power": shares["found"],
        "borderline": float(found.marked.mean()),
        "CPU s": found.seconds,
    }
