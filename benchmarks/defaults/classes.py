"""Several classes without an order, most of unequal size: noise that passes, effects found."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from benchmarks.defaults.data import Data, columns, random_of
from benchmarks.defaults.fits import Outcome, Setup, fit
from benchmarks.defaults.page import Page

USUAL = 4
SHARES: Mapping[str, tuple[float, ...]] = {
    "three equal": (1 / 3, 1 / 3, 1 / 3),
    ".7 .25 .05": (0.7, 0.25, 0.05),
    ".4 .3 .2 .05 .05": (0.4, 0.3, 0.2, 0.05, 0.05),
    "seven, .4 to .04": (0.4, 0.22, 0.14, 0.09, 0.06, 0.05, 0.04),
}
KINDS = ("Gaussian", "rare binary")
ALONE, BESIDE = ((100, 10), (200, 50), (400, 20)), ((400, 20),)
FREQUENT, RARE = 1.2, 1.5  # logits
COLUMNS = {
    "selects anything": 3,
    "noise selected": 4,
    "FDP": 3,
    "found, frequent": 2,
    "found, rare": 2,
    "CPU s": 1,
}
BARS = {
    "selects anything": ("≤", 0.1),
    "noise selected": ("≤", 0.005),
    "FDP": ("≤", 0.06),
}
NOTE = (
    f"Sizes of noise alone: {', '.join(f'{n} × {d}' for n, d in ALONE)}. With effects there are "
    f"{BESIDE[0][0]} rows and {BESIDE[0][1]} columns: two of them distinguish the two most "
    f"frequent classes (logits differ by {FREQUENT:g} for a standard deviation), and "
    f"one distinguishes the rarest class from all others ({RARE:g}). *found* are the shares of the "
    "two kinds that are relevant."
)


def run(setup: Setup, page: Page) -> None:
    """One row per kind of columns and shares of the classes, without effects and with them."""
    table = page.table("Several classes", NOTE, COLUMNS)
    for sizes, words in ((ALONE, "noise alone"), (BESIDE, "with effects")):
        every: list[Outcome | None] = []
        for kind, shares in product(KINDS, SHARES):
            if not setup.wants(label := f"{shares}, {kind}: {words}"):
                continue
            found: list[Outcome | None] = []
            for size in sizes:
                case = (kind, shares, size, words == "with effects", setup)
                found += setup.each(outcome, setup.numbers(USUAL), *case)
            table.row(label, found, BARS)
            every += found
        if not setup.only:
            table.row(f"**all: {words}**", every, BARS)


def outcome(
    seed: int, kind: str, shares: str, size: tuple[int, int], has_effects: bool, setup: Setup
) -> Outcome | None:
    """One fit."""
    random = random_of(seed, "classes", kind, shares, *size, has_effects)
    data = data_of(kind, SHARES[shares], size, has_effects, random)
    found = fit("classification", data.X, data.y, seed, setup)
    if found.model is None:
        return None
    selected, is_noise = found.selected, data.truth == 0
    answer = {"noise selected": float(selected[is_noise].mean()), "CPU s": found.seconds}
    if not has_effects:
        return answer | {"selects anything": float(selected.any())}
    return answer | {
        "FDP": float((selected & is_noise).sum() / max(selected.sum(), 1)),
        "found, frequent": float(selected[data.truth == 1].mean()),
        "found, rare": float(selected[data.truth == 2].mean()),
    }


def data_of(
    kind: str,
    shares: tuple[float, ...],
    size: tuple[int, int],
    has_effects: bool,
    random: np.random.Generator,
) -> Data:
    """A table with classes drawn by their logits; truth is 1 between frequent ones, 2 of the rare.

    Classes of which fewer than five rows are drawn are drawn again.
    """
    n, d = size
    truth = np.zeros(d, dtype=int)
    weights = np.zeros((d, len(shares)))
    if has_effects:
        truth[:3] = 1, 1, 2
        weights[:2, :2] = FREQUENT / 2.0 * np.array([[1.0, -1.0], [-1.0, 1.0]])
        weights[2, -1] = RARE
    while True:
        X = columns(kind, n, d, random)
        logits = X @ weights + np.log(shares)
        y = (logits + random.gumbel(size=logits.shape)).argmax(axis=1)
        if np.bincount(y, minlength=len(shares)).min() >= 5:
            return Data(X, y, truth)
