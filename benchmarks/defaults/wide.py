"""Far more features than rows, beside ipss and knockpy on the same data."""

from __future__ import annotations

import numpy as np

from benchmarks.defaults import peers
from benchmarks.defaults.data import Data, random_of, with_copies
from benchmarks.defaults.fits import Outcome, Setup, discoveries, fit
from benchmarks.defaults.page import Page, means_of

ROWS = 200
USUAL = {2000: 4, 10_000: 2}
#: Task, kind of columns, and effects with which peers find most but not all.
CASES = (
    ("regression", "Gaussian", 0.5),
    ("regression", "rare binary", 0.5),
    ("regression", "AR 0.7", 0.5),
    ("classification", "Gaussian", 3.0),
    ("classification", "rare binary", 3.0),
)
ALIKE = 0.3  # correlated with an effect as much, a column can stand in for it
COLUMNS = {"selected": 1, "FDP": 2, "power of 13": 2, "power of 10": 2, "CPU s": 1}
OURS = "default"


def run(setup: Setup, page: Page) -> None:
    """One row per case and method."""
    has_peers = peers.available(setup.peers_python)
    absent = "" if has_peers else " No peers: `--peers-python` names no Python that has them."
    table = page.table(
        "Far more features than rows",
        f"{ROWS} rows, ten effects and three near copies. Peers have target {peers.LEVEL}; the bar "
        "of power is the best peer's. Knockpy's own kind of knockoffs is made of up to 3,000 "
        f"columns. Columns that correlate by more than {ALIKE} with an effect can stand in for it; "
        "where they are found they count as neither true nor false. A run without an answer took "
        f"more CPU time than {setup.limit:.0f} s.{absent}",
        COLUMNS,
    )
    for d in setup.widths:
        seeds = setup.numbers(USUAL.get(d, 2))
        asked = peers.QUICK if setup.quick_peers else tuple(peers.MOST)
        rivals = [name for name in asked if has_peers and d <= peers.MOST[name]]
        for case in CASES:
            if not setup.wants(label := f"{ROWS} × {d:,}, {case[1]}, {case[0]}"):
                continue
            found = {
                name: setup.each(outcome, seeds, name, d, case, setup) for name in (*rivals, OURS)
            }
            bars = {"FDP": ("≤", 0.12)}
            means = [means_of(found[name]) for name in rivals]
            for power in ("power of 13", "power of 10"):
                reached = [mean[power] for mean in means if power in mean]
                if reached:
                    bars[power] = ("≥", max(reached))
            table.row(f"{label}: {OURS}", found[OURS], bars)
            for name in rivals:
                table.row(f"{label}: {name}", found[name])


def outcome(
    seed: int, method: str, d: int, case: tuple[str, str, float], setup: Setup
) -> Outcome | None:
    """One method on one data set."""
    task, kind, effect = case
    data = with_copies(task, kind, ROWS, d, effect, random_of(seed, "wide", d, *case))
    answer = _ours(task, data, seed, setup) if method == OURS else None
    if method != OURS:
        answer = peers.selected(method, data, seed, setup)
    if answer is None:
        return None
    chosen, seconds = answer
    shares = discoveries(chosen & ~_stand_ins(data), data.truth)
    return {
        "selected": int(chosen.sum()),
        "FDP": shares["false share"],
        "power of 13": shares["found"],
        "power of 10": float(chosen[data.truth == 2].mean()),
        "CPU s": seconds,
    }


def _stand_ins(data: Data) -> np.ndarray:
    """Columns that have no effect but are correlated with one: neither true nor false."""
    Z = (data.X - data.X.mean(axis=0)) / np.maximum(data.X.std(axis=0), 1e-12)
    correlation = Z.T @ Z[:, data.truth == 2] / len(Z)
    return (np.abs(correlation).max(axis=1) > ALIKE) & (data.truth == 0)


def _ours(task: str, data: Data, seed: int, setup: Setup) -> tuple[np.ndarray, float] | None:
    found = fit(task, data.X, data.y, seed, setup)
    return None if found.model is None else (found.selected, found.seconds)
