"""Features that share what they tell, and noise that shares something with effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np

from benchmarks.defaults.data import Data, Random, random_of
from benchmarks.defaults.fits import Outcome, Setup, discoveries, fit
from benchmarks.defaults.page import Page

USUAL = 6
TASKS = ("classification", "regression")
COLUMNS = {"finds nothing": 2, "found": 2, "FDP": 3, "selected of others": 3, "CPU s": 1}
NOTE = (
    "*Measurements* are of one thing and correlate by 0.3 (14 in 120 rows; with 16 "
    "columns of noise in 150 rows; ten with an effect and 14 columns of noise in 200 rows). *Equal "
    "correlations* (0.36) and *hidden factors* (four) have five effects among 40 columns of 300 "
    "rows; there all others count as false, although they are like effects."
)


def _measured(n: int, k: int, n_noise: int, effect: float, random: Random) -> Data:
    thing = random.standard_normal(n)
    X = np.hstack(
        [
            0.65 * thing[:, None] + random.standard_normal((n, k)),
            random.standard_normal((n, n_noise)),
        ]
    )
    score = thing + effect * X[:, k] if effect else thing
    truth = np.arange(k + n_noise) < k + (effect > 0)
    return Data(X, score + 1.1 * random.standard_normal(n), truth)


def _like_effects(
    columns: Callable[[Random, int], np.ndarray], random: Random, n_true: int = 5
) -> Data:
    X = columns(random, 300)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    effects = 0.4 * random.choice([-1.0, 1.0], n_true)
    return Data(X, X[:, :n_true] @ effects + random.standard_normal(300), np.arange(40) < n_true)


def _equal(random: Random, n: int) -> np.ndarray:
    return 0.6 * random.standard_normal((n, 1)) + 0.8 * random.standard_normal((n, 40))


def _factors(random: Random, n: int) -> np.ndarray:
    shared = random.standard_normal((n, 4)) @ random.standard_normal((4, 40))
    return shared + 1.5 * random.standard_normal((n, 40))


DESIGNS: Mapping[str, Callable[[Random], Data]] = {
    "measurements": lambda random: _measured(120, 14, 0, 0.0, random),
    "measurements and noise": lambda random: _measured(150, 14, 16, 0.0, random),
    "measurements, an effect, noise": lambda random: _measured(200, 10, 15, 0.8, random),
    "equal correlations": lambda random: _like_effects(_equal, random),
    "hidden factors": lambda random: _like_effects(_factors, random),
    "hidden factors, noise alone": lambda random: _like_effects(_factors, random, 0),
}


def run(setup: Setup, page: Page) -> None:
    """One row per task and design."""
    table = page.table("Features that share what they tell", NOTE, COLUMNS)
    for name, task in product(DESIGNS, TASKS):
        if setup.wants(label := f"{task}: {name}"):
            table.row(label, setup.each(outcome, setup.numbers(USUAL), task, name, setup))


def outcome(seed: int, task: str, name: str, setup: Setup) -> Outcome | None:
    """One fit."""
    data = DESIGNS[name](random_of(seed, "shared", task, name))
    y = data.y if task == "regression" else (data.y > 0).astype(int)
    found = fit(task, data.X, y, seed, setup)
    if found.model is None:
        return None
    shares, others = discoveries(found.selected, data.truth), ~data.truth
    known = {"finds nothing": float(not found.selected.any()), "CPU s": found.seconds}
    if data.truth.any():
        known |= {"found": shares["found"], "FDP": shares["false share"]}
    if others.any():
        known["selected of others"] = float(found.selected[others].mean())
    return known
