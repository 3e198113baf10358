"""Categories of few and many levels beside numbers: noise that passes, by the number of levels."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import pandas as pd

from benchmarks.defaults.data import Random, random_of, target
from benchmarks.defaults.fits import Outcome, Setup, fit
from benchmarks.defaults.page import Page

USUAL = 3
TASKS = ("classification", "classification, 15 %", "regression", "ordinal")
SIZES: Mapping[str, tuple[int, tuple[int, ...], int]] = {
    "300 rows": (300, (2, 3, 3, 4, 5, 7), 6),
    "600 rows": (600, (2, 3, 4, 5, 6, 8, 10, 12), 8),
}
EFFECTS = {"regression": 0.5, "classification": 1.0, "classification, 15 %": 1.2, "ordinal": 1.0}
BANDS = {"2 levels": (2, 2), "3–4": (3, 4), "5–8": (5, 8), "9–12": (9, 12)}
NOTE = (
    "Categories of 2 to 12 levels, whose frequencies differ, and numbers. Where there are effects, "
    "two categories and two numbers have one; *power* is the share of them that is found. Then "
    "come shares of the noise that is selected: of all features, of numbers, and of categories by "
    "their levels."
)
ALONE = {"noise selected": ("≤", 0.005)}
BESIDE = {"FDP": ("≤", 0.06)}


def run(setup: Setup, page: Page) -> None:
    """One row per task and size, without effects and with them."""
    shares = dict.fromkeys(("noise selected", "numbers", *BANDS), 4)
    columns = {"FDP": 3, "power": 2, **shares, "CPU s": 1}
    table = page.table("Categories", NOTE, columns)
    for has_effects in (False, True):
        every: list[Outcome | None] = []
        bars = BESIDE if has_effects else ALONE
        words = "with effects" if has_effects else "noise alone"
        for task, size in product(TASKS, SIZES):
            if not setup.wants(label := f"{task}, {size}: {words}"):
                continue
            found = setup.each(outcome, setup.numbers(USUAL), task, size, has_effects, setup)
            table.row(label, found, bars)
            every += found
        if not setup.only:
            table.row(f"**all: {words}**", every, bars)


def outcome(seed: int, task: str, size: str, has_effects: bool, setup: Setup) -> Outcome | None:
    """One fit."""
    random = random_of(seed, "categories", task, size, has_effects)
    frame, y, n_levels, is_true = table_of(task, size, has_effects, random)
    found = fit(task, frame, y, seed, setup)
    if found.model is None:
        return None
    selected = found.model.result_.classes > 0
    is_noise = ~is_true
    answer = {"noise selected": float(selected[is_noise].mean()), "CPU s": found.seconds}
    kinds = {"numbers": n_levels == 0}
    kinds |= {name: (n_levels >= a) & (n_levels <= b) for name, (a, b) in BANDS.items()}
    for name, kind in kinds.items():
        if (kind & is_noise).any():
            answer[name] = float(selected[kind & is_noise].mean())
    if has_effects:
        answer["FDP"] = float((selected & is_noise).sum() / max(selected.sum(), 1))
        answer["power"] = float(selected[is_true].mean())
    return answer


def table_of(
    task: str, size: str, has_effects: bool, random: Random
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray, np.ndarray]:
    """A table, its target, each feature's number of levels (0: a number), and which are true."""
    n, levels, n_numbers = SIZES[size]
    frame = pd.DataFrame(
        {f"category {j}": _category(n, k, random) for j, k in enumerate(levels)}
        | {f"number {j}": random.standard_normal(n) for j in range(n_numbers)}
    )
    n_levels = np.array([*levels, *[0] * n_numbers])
    is_true = np.zeros(len(n_levels), dtype=bool)
    score = np.zeros(n)
    if has_effects:
        true = [*random.choice(len(levels), 2, replace=False), len(levels), len(levels) + 1]
        is_true[true] = True
        for j in true:
            score += EFFECTS[task] * _standardised(_effect(frame.iloc[:, j], random))
    intercept = -2.2 if task.endswith("15 %") else 0.0
    return frame, target(task, score, random, intercept), n_levels, is_true


def _category(n: int, n_levels: int, random: Random) -> np.ndarray:
    """Levels of unequal frequencies, each in six rows or more."""
    while True:
        shares = random.dirichlet(np.full(n_levels, 1.0))
        codes = random.choice(n_levels, n, p=shares)
        if np.bincount(codes, minlength=n_levels).min() >= 6:
            return np.array([f"level {k}" for k in range(n_levels)], dtype=object)[codes]


def _effect(column: pd.Series, random: Random) -> np.ndarray:
    """What a feature adds to the score: its values, or one value for each level."""
    if column.dtype != object and not isinstance(column.dtype, pd.StringDtype):
        return column.to_numpy() * random.choice([-1.0, 1.0])
    names, codes = np.unique(column.to_numpy(dtype=str), return_inverse=True)
    return random.standard_normal(len(names))[codes]


def _standardised(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / values.std()
