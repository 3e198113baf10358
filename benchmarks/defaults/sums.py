"""Collinear columns: sums, parts of a whole, near copies, and ages with their squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from benchmarks.defaults.data import Data, Random, random_of, target
from benchmarks.defaults.fits import Outcome, Setup, fit
from benchmarks.defaults.page import Page

USUAL = 20
ROWS = 300
COPY = 0.1  # how far a near copy is away, in standard deviations
TASKS = ("classification", "classification, 15 %", "regression")
EFFECTS = {"regression": 0.6, "classification": 1.2, "classification, 15 %": 1.5}
COLUMNS = {"selects anything": 3, "noise selected": 4, "FDP": 3, "power": 2, "CPU s": 1}
BARS = {
    "selects anything": ("≤", 0.1),
    "noise selected": ("≤", 0.005),
    "FDP": ("≤", 0.06),
    "power": ("≥", 0.8),
}
NOTE = (
    f"{ROWS} rows. *Years* are ages, years of school and of work, which add up, with squares and "
    "products; *panel* columns are one measured four times, a little later each time. "
    "Four independent columns are added. The effect is that of a difference of two near "
    "copies; other copies are noise."
)


def _copies(random: Random) -> np.ndarray:
    X = random.standard_normal((ROWS, 5))
    return np.hstack([X, X + COPY * random.standard_normal(X.shape)])


def _parts(random: Random) -> np.ndarray:
    return np.hstack([random.dirichlet(np.full(5, 2.0), ROWS) for _ in range(2)])


def _years(random: Random) -> np.ndarray:
    age, school = random.integers(25, 60, ROWS), random.integers(8, 18, ROWS)
    work = age - school - 6
    return np.column_stack([age, school, work, age**2, work**2, age * school]).astype(float)


def _panel(random: Random) -> np.ndarray:
    first = random.standard_normal((ROWS, 2, 1))
    later = 0.15 * random.standard_normal((ROWS, 2, 4)).cumsum(axis=2)
    return (first + later).reshape(ROWS, -1)


KINDS: Mapping[str, Callable[[Random], np.ndarray]] = {
    "near copies": _copies,
    "parts of a whole": _parts,
    "years": _years,
    "panel": _panel,
}


def run(setup: Setup, page: Page) -> None:
    """One row per task and kind without effects; then one per task with an effect."""
    table = page.table("Collinear columns", NOTE, COLUMNS)
    every: list[Outcome | None] = []
    for task, kind in product(TASKS, KINDS):
        if setup.wants(label := f"{task}: {kind}, noise alone"):
            found = setup.each(outcome, setup.numbers(USUAL), task, kind, False, setup)
            table.row(label, found, BARS)
            every += found
    if not setup.only:
        table.row("**all: noise alone**", every, BARS)
    for task in TASKS:
        if setup.wants(label := f"{task}: a difference of near copies"):
            found = setup.each(outcome, setup.numbers(USUAL), task, "near copies", True, setup)
            table.row(label, found, BARS)


def outcome(seed: int, task: str, kind: str, has_effect: bool, setup: Setup) -> Outcome | None:
    """One fit."""
    data = data_of(task, kind, has_effect, random_of(seed, "sums", task, kind, has_effect))
    found = fit(task, data.X, data.y, seed, setup)
    if found.model is None:
        return None
    selected = found.selected
    answer = {"noise selected": float(selected[~data.truth].mean()), "CPU s": found.seconds}
    if not has_effect:
        return answer | {"selects anything": float(selected.any())}
    false = float((selected & ~data.truth).sum())
    return answer | {
        "FDP": false / max(float(selected.sum()), 1.0),
        "power": float(selected[data.truth].mean()),
    }


def data_of(task: str, kind: str, has_effect: bool, random: Random) -> Data:
    """A table; the effect is that of the first column's difference from its copy."""
    made_up = KINDS[kind](random)
    X = np.hstack([made_up, random.standard_normal((ROWS, 4))])
    truth, score = np.zeros(X.shape[1], dtype=bool), np.zeros(ROWS)
    if has_effect:
        truth[[0, 5]] = True
        score = EFFECTS[task] * (X[:, 0] - X[:, 5]) / COPY
    intercept = -2.2 if task.endswith("15 %") else 0.0
    return Data(X, target(task, score, random, intercept), truth)
