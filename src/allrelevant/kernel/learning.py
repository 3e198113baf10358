"""From a table and ranks to the fitted projection: widths, choice, fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Literal

import numpy as np

from allrelevant.backends import run
from allrelevant.base.arrays import Floats
from allrelevant.base.progress import Progress
from allrelevant.kernel.alignment import aligned_widths
from allrelevant.kernel.discriminant import Separation
from allrelevant.kernel.features import EXACT_UP_TO
from allrelevant.kernel.fitting import Fitted, Method, Penalty, Setting, fit
from allrelevant.kernel.graph import Graph
from allrelevant.kernel.rows import Rows, without_copies
from allrelevant.kernel.selection import Grid, Tried, WidthTrial, best, label_folds
from allrelevant.kernel.thresholds import Kind

Number = float | Sequence[float] | Literal["cv"]

#: What "cv" stands for; widths are relative to 1/(number of columns that vary).
CANDIDATES: dict[str, tuple[Any, ...]] = {
    "gamma": (0.03, 0.1, 0.3, 1.0, 3.0),
    "ridge": (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0),
    "mu": (0.0, 1.0, 10.0, 100.0),
    "n_neighbors": (5, 7, 10),
    "rank": (0.25, 0.5, 0.75),
}
#: What is taken where there are too few labels to choose by.
DEFAULTS = {"gamma": 1.0, "ridge": 1e-2, "mu": 1.0, "n_neighbors": 7, "rank": 0.5}


@dataclass(frozen=True)
class KernelPlan:
    """The parameters of a fit."""

    graph: Graph | None
    weights: Literal["propagation"] | None
    kernel_learning: bool | Literal["semi"]
    gamma: Number
    ridge: Number
    mu: Number
    n_neighbors: Number
    rank: Number
    separation: Separation
    penalty: Penalty
    thresholds: Kind
    solver: Literal["auto", "exact", "nystroem", "linear"]
    n_landmarks: int
    cv: int
    n_repeats: int | Literal["auto"]
    n_jobs: int | None

    def method(self, n_rows: int, seed: int) -> Method:
        """What is settled before any number is chosen."""
        solver = self.solver
        if solver == "auto":
            solver = "exact" if n_rows <= EXACT_UP_TO else "nystroem"
        shared = {f.name: getattr(self, f.name) for f in fields(Method) if hasattr(self, f.name)}
        return Method(**shared | {"solver": solver, "seed": seed})

    def candidates(self, name: str) -> tuple[Any, ...]:
        """The values to choose from."""
        value = getattr(self, name)
        if isinstance(value, str):
            return CANDIDATES[name]
        kind = int if name == "n_neighbors" else float
        return tuple(kind(one) for one in np.ravel(value).tolist())

    def gammas(self, unit: float) -> tuple[float, ...]:
        """The widths to choose from."""
        factor = unit if isinstance(self.gamma, str) else 1.0
        return tuple(factor * gamma for gamma in self.candidates("gamma"))

    def grid(self, gammas: Sequence[float | None]) -> Grid:
        """All combinations to choose from; what has no effect is not varied."""
        has_graph = self.graph is not None
        return Grid(
            gamma=tuple(gammas) if self._uses_width else tuple(gammas)[:1],
            n_neighbors=self.candidates("n_neighbors")[: None if has_graph else 1],
            rank=self.candidates("rank")[: None if self.graph == "reduced" else 1],
            mu=self.candidates("mu") if has_graph else (0.0,),
            ridge=self.candidates("ridge"),
        )

    @property
    def _uses_width(self) -> bool:
        return self.solver != "linear" or self.weights is not None


@dataclass(frozen=True, eq=False)
class Learned:
    """All that a fit has found."""

    fitted: Fitted
    setting: Setting
    widths: Floats
    method: Method
    tried: list[Tried]


def learn(
    table: Floats, rank: Floats, plan: KernelPlan, rng: np.random.RandomState, progress: Progress
) -> Learned:
    """Learn from standardised columns and ranks; −1 is unlabelled."""
    rows = without_copies(table, rank, collapse=plan.penalty == "scaled")
    if plan.graph is None and plan.weights is None:
        rows = rows.with_label()
    method = plan.method(len(rows.X), int(rng.randint(np.iinfo(np.int32).max)))
    unit = 1.0 / max(int((np.ptp(table, axis=0) > 0).sum()), 1)
    widths = _widths(table, rank, plan, unit, rng)
    setting, tried = _choose(rows, method, plan, widths, unit, progress)
    fitted = fit(rows, widths[setting.gamma], method, setting)
    return Learned(fitted, setting, widths[setting.gamma], method, tried)


def _widths(
    table: Floats, rank: Floats, plan: KernelPlan, unit: float, rng: np.random.RandomState
) -> dict[float | None, Floats]:
    """The widths of all columns by their name in the grid."""
    if plan.kernel_learning:
        start = unit if isinstance(plan.gamma, str) else plan.candidates("gamma")[0]
        is_semi = plan.kernel_learning == "semi"
        return {None: aligned_widths(table, rank, start, is_semi, rng)}
    return {g: np.full(table.shape[1], g) for g in plan.gammas(unit)}


def _choose(
    rows: Rows,
    method: Method,
    plan: KernelPlan,
    widths: dict[float | None, Floats],
    unit: float,
    progress: Progress,
) -> tuple[Setting, list[Tried]]:
    grid = plan.grid(list(widths))
    usual = Setting(**DEFAULTS | {"gamma": unit * DEFAULTS["gamma"]})  # type: ignore[arg-type]
    hidden = label_folds(rows.counts, plan.cv, plan.n_repeats)
    if grid.is_single or not hidden:
        return grid.nearest(usual), []
    trial = partial(WidthTrial, rows, hidden, method, grid, widths)
    progress.stage("kernel widths", len(grid.gamma))
    results = run(trial, list(grid.gamma), plan.n_jobs, progress.advance)
    tried = [one for of_width in results for one in of_width]
    return best(tried).setting, tried
