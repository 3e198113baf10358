"""Rows that belong together: noise alone with several rows a patient, told and untold."""

from __future__ import annotations

import inspect
from itertools import product

from benchmarks.defaults.fits import ESTIMATORS, Setup
from benchmarks.defaults.noise import BARS, COLUMNS, TASKS, outcomes
from benchmarks.defaults.page import Page

SIZES = ((150, 20), (300, 100))
EACH = (3, 10)


def run(setup: Setup, page: Page) -> None:
    """One row per task and number of rows a patient; bars are for fits that were told."""
    table = page.table(
        "Several rows a patient",
        "Noise alone, " + " and ".join(f"{n} × {d}" for n, d in SIZES) + "; rows of a patient "
        "differ by a tenth of what patients do.",
        COLUMNS,
    )
    for task, each in product(TASKS, EACH):
        kind = f"{each} rows a patient"
        told = "groups" in inspect.signature(ESTIMATORS[task].fit).parameters
        if told and setup.wants(label := f"{task}: {kind}, groups given"):
            found = [o for size in SIZES for o in outcomes(setup, task, kind, size)]
            table.row(label, found, BARS)
        words = "not given" if told else "not known to `fit`"
        if setup.wants(label := f"{task}: {kind}, groups {words}"):
            found = [o for size in SIZES for o in outcomes(setup, task, kind, size, grouped=False)]
            table.row(label, found, None if told else BARS)
