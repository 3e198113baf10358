"""Noise alone: how often anything is selected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from benchmarks.defaults.data import noise, random_of
from benchmarks.defaults.fits import Outcome, Setup, fit
from benchmarks.defaults.page import Page

USUAL = 5
SIZES = ((100, 20), (100, 200), (300, 100), (200, 500), (500, 500))
KINDS = ("Gaussian", "log-normal", "rare binary", "AR 0.9", "t3", "3 rows a patient")
TASKS = ("classification", "classification, 15 %", "regression", "ordinal")
COLUMNS = {"selects anything": 3, "noise selected": 4, "CPU s": 1}
BARS = {"selects anything": ("≤", 0.1), "noise selected": ("≤", 0.005)}


def run(setup: Setup, page: Page) -> None:
    """One row per task and kind, over all sizes; then one per size, over all kinds."""
    table = page.table(
        "Noise alone",
        "Share of the runs that select anything, and of the features selected. Sizes: "
        + ", ".join(f"{n} × {d}" for n, d in SIZES)
        + ". Where rows belong to patients, `groups` says so if `fit` takes it.",
        COLUMNS,
    )
    by_size: dict[tuple[int, int], list[Outcome | None]] = defaultdict(list)
    for task in TASKS:
        for kind in KINDS:
            if not setup.wants(label := f"{task}: {kind}"):
                continue
            found = []
            for size in SIZES:
                some = outcomes(setup, task, kind, size)
                found += some
                by_size[size] += some
            table.row(label, found, BARS)
    if setup.only:
        return
    for (n, d), found in by_size.items():
        table.row(f"all: {n} × {d}", found, BARS)
    table.row("**all**", [each for found in by_size.values() for each in found], BARS)


def outcomes(
    setup: Setup, task: str, kind: str, size: tuple[int, int], grouped: bool = True
) -> Sequence[Outcome | None]:
    """All seeds of one case."""
    return setup.each(outcome, setup.numbers(USUAL), task, kind, size, grouped, setup)


def outcome(
    seed: int, task: str, kind: str, size: tuple[int, int], grouped: bool, setup: Setup
) -> Outcome | None:
    """One fit."""
    data = noise(task, kind, *size, random_of(seed, "noise", task, kind, *size))
    found = fit(task, data.X, data.y, seed, setup, groups=data.groups if grouped else None)
    if found.model is None:
        return None
    return {
        "selects anything": float(found.selected.any()),
        "noise selected": float(found.selected.mean()),
        "CPU s": found.seconds,
    }
