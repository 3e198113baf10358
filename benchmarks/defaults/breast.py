"""How much the answer hangs on the random seed: breast cancer and other small tables."""

from __future__ import annotations

import numpy as np

from benchmarks.defaults.data import small_tables
from benchmarks.defaults.fits import Fit, Setup, fit
from benchmarks.defaults.page import Page

USUAL = 8
COLUMNS = {
    "features": 0,
    "relevant": 1,
    "change class": 3,
    "of these never marked": 0,
    "marked in some runs only": 0,
    "borderline": 3,
    "CPU s": 1,
}


def run(setup: Setup, page: Page) -> None:
    """One row per table of data."""
    table = page.table(
        "The same data, other seeds",
        "Share of the features whose class changes with `random_state`; how many of these no run "
        "calls borderline, and how many only some runs do; share of borderline features.",
        COLUMNS,
    )
    for name in filter(setup.wants, small_tables()):
        fits = setup.each(_fit, setup.numbers(USUAL), name, setup)
        answers = [each for each in fits if each is not None]
        bars = {"change class": ("≤", 0.05), "of these never marked": ("≤", 0.0)}
        table.row(name, [_summary(answers) if each else None for each in fits], bars)


def _fit(seed: int, name: str, setup: Setup) -> tuple[np.ndarray, np.ndarray, float] | None:
    task, load = small_tables()[name]
    found: Fit = fit(task, *load(), seed, setup)
    if found.model is None:
        return None
    return found.model.relevance_classes_, found.marked, found.seconds


def _summary(fits: list[tuple[np.ndarray, np.ndarray, float]]) -> dict[str, float]:
    """The same for every run: it is about all of them."""
    classes = np.array([each[0] for each in fits])
    marked = np.array([each[1] for each in fits])
    changed = (classes != classes[0]).any(axis=0)
    often = marked.mean(axis=0)
    return {
        "features": classes.shape[1],
        "relevant": float((classes > 0).sum(axis=1).mean()),
        "change class": float(changed.mean()),
        "of these never marked": int((changed & (often == 0)).sum()),
        "marked in some runs only": int((changed & (often > 0) & (often < 1)).sum()),
        "borderline": float(marked.mean()),
        "CPU s": float(np.mean([each[2] for each in fits])),
    }
