"""CPU time of our intervals against the published way and against cold HiGHS, in one run.

Run as ``make bench`` or ``python -m benchmarks.speed [--quick]``. Writes
docs/results/benchmarks.md.

Everything runs on one thread, and CPU time is counted, not wall-clock time. The rivals are:

*ECOS* as in the published code: cvxpy builds every linear program from scratch and ECOS solves it,
three programs per feature. A few features are sampled and their mean is multiplied by 3d.

*Cold HiGHS*: the same full linear program, built once as arrays, solved from scratch by HiGHS, two
programs per feature, sampled likewise.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import platform
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier
from allrelevant.datasets import make_privileged, make_regression
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.baseline.best import equivalent_models
from allrelevant.linear.fit.baseline.c_values import grid
from allrelevant.linear.fit.baseline.crossvalidation import Trial, cross_validate
from allrelevant.linear.fit.baseline.kinds import Sparsest
from allrelevant.linear.fit.baseline.tolerance import RESAMPLES, make_budgets, resolve_tolerance
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.folds import N_FOLDS, make_splits
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import Classification

PAGE = Path(__file__).parent.parent / "docs" / "results" / "benchmarks.md"
SIZES = ((500, 20), (500, 100), (1000, 230), (10000, 100), (200, 2000))
REPEATS = {500: 10, 1000: 5, 10000: 1, 200: 1}
# What the ratio to ECOS has to reach: at the papers' tolerance, and at the default.
ASKED = {
    (500, 20): (60, 6),
    (500, 100): (700, 30),
    (1000, 230): (4000, 200),
    (10000, 100): (3000, 300),
    (200, 2000): (5000, 500),
}


@dataclass(frozen=True)
class Timing:
    """CPU seconds for all relevance intervals of one data set."""

    size: tuple[int, int]
    tolerance: float
    ours: float
    programs: int
    ecos: float
    highs: float


def cpu(function: Callable[[], object], repeats: int = 1) -> float:
    """The least CPU time of a few calls."""
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best


def simulated(n: int, d: int) -> Sample:
    """Strong, nearly redundant and noise features; labels by the sign of a noisy score."""
    X, score, _ = make_regression(
        n,
        n_strong=4,
        n_weak=9,
        n_groups=3,
        n_irrelevant=d - 13,
        noise=0.1,
        label_noise=0.3,
        random_state=0,
    )
    ones = np.ones(n)
    return Sample((X - X.mean(0)) / X.std(0), np.where(score > 0, 1.0, -1.0), ones, ones)


def equivalent(sample: Sample, tolerance: float | str) -> tuple[EquivalentModels, float]:
    """The equivalent models of a baseline with moderate C, and the relative tolerance used."""
    problem = Problem(Classification(), sample)
    C = 0.5 / np.sqrt(len(sample.X))
    baseline = Sparsest().fit(problem, C, 1.0, chosen=False)
    room = resolve_tolerance(tolerance, problem, baseline)  # type: ignore[arg-type]
    budgets = make_budgets("split", baseline, room)
    return equivalent_models(problem, baseline, budgets), room.norm


# Rivals


def ecos_seconds(models: EquivalentModels, target: np.ndarray, feature: int) -> float:
    """CPU time of the three programs of one feature with cvxpy and ECOS."""
    import cvxpy

    X, (norm_limit, loss_limit) = models.X.dense(), models.limits
    n, d = X.shape

    def solve(kind: str) -> None:
        w, b, bound = cvxpy.Variable(d), cvxpy.Variable(), cvxpy.Variable(nonneg=True)
        slack = cvxpy.Variable(n, nonneg=True)
        rules = [
            cvxpy.multiply(target, X @ w + b) >= 1 - slack,
            cvxpy.norm(w, 1) <= norm_limit,
            cvxpy.sum(slack) <= loss_limit,
        ]
        if kind == "min":
            problem = cvxpy.Problem(cvxpy.Minimize(bound), [*rules, cvxpy.abs(w[feature]) <= bound])
        else:
            side = w[feature] if kind == "max" else -w[feature]
            problem = cvxpy.Problem(cvxpy.Maximize(bound), [*rules, bound <= side])
        try:
            problem.solve(solver=cvxpy.ECOS)
        except cvxpy.SolverError:
            return  # it happens to the published code, too; the time was spent

    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in ("min", "max", "max of the negative"):
            solve(kind)
    return time.process_time() - start


class ColdProgram:
    """The full program as arrays; every question is solved from scratch by HiGHS."""

    def __init__(self, X: np.ndarray, target: np.ndarray, weight: np.ndarray | None = None) -> None:
        self.n, self.d = X.shape
        data = target[:, None] * X
        self.rows = sparse.hstack(
            [-data, data, -target[:, None], -sparse.identity(self.n)], format="csr"
        )
        self.bounds = [(0, None)] * (2 * self.d) + [(None, None)] + [(0, None)] * self.n
        self.norm = np.r_[np.ones(2 * self.d), np.zeros(self.n + 1)]
        weight = np.ones(self.n) if weight is None else weight
        self.loss = np.r_[np.zeros(2 * self.d + 1), weight]

    def baseline(self, C: float) -> None:
        """A baseline model."""
        self._solve(self.norm + C * self.loss, self.rows, -np.ones(self.n))

    def interval(self, feature: int, limits: np.ndarray) -> None:
        """Both ends of one weight's range."""
        rows = sparse.vstack([self.rows, sparse.csr_matrix(np.vstack([self.norm, self.loss]))])
        cost = np.zeros(rows.shape[1])
        for sign in (1.0, -1.0):
            cost[feature], cost[self.d + feature] = sign, -sign
            self._solve(cost, rows, np.r_[-np.ones(self.n), limits])

    def _solve(self, cost: np.ndarray, rows: sparse.csr_matrix, right: np.ndarray) -> None:
        linprog(cost, A_ub=rows, b_ub=right, bounds=self.bounds, method="highs-ds")


# Measurements


def measure(size: tuple[int, int], tolerance: float | str, sampled: int) -> Timing:
    """Our time for all features, and the rivals' by a sample of features."""
    n, d = size
    sample = simulated(n, d)
    models, used = equivalent(sample, tolerance)
    solved = []

    def ours() -> None:
        solver = RangeSolver(models)
        solver.ranges(range(d), signed=False)
        solved.append(solver.solved)

    seconds = cpu(ours, REPEATS[n])
    features = np.linspace(0, d - 1, sampled).astype(int)
    ecos = np.mean([ecos_seconds(models, sample.target, int(j)) for j in features]) * d
    cold = ColdProgram(sample.X.dense(), sample.target)
    highs = np.mean([cpu(lambda j=j: cold.interval(int(j), models.limits)) for j in features[:2]])
    return Timing(size, used, seconds, solved[-1], float(ecos), float(highs) * d)


def whole_fit() -> tuple[float, float]:
    """A default fit of breast cancer, and the same steps with cold programs."""
    X, y = load_breast_cancer(return_X_y=True)
    fitted: list[RelevanceClassifier] = []

    def fit() -> None:
        fitted.append(RelevanceClassifier(random_state=0).fit(X, y))

    ours = cpu(fit, 3)
    analysis = fitted[-1].fitted_set_.analysis
    models, sample = analysis.models, analysis.problem.sample
    target, weight = sample.target, sample.weight
    model = Classification()

    def cold() -> None:
        Cs = grid(model, sample)
        splits = make_splits(sample, N_FOLDS, has_classes=True)
        # As many steps of the path as ours takes before it stops.
        (reached,) = cross_validate([Trial(model, sample, Cs)], splits)
        for split in splits:
            train = split.train
            program = ColdProgram(sample.X.dense()[train], target[train], weight[train])
            for C in Cs[: len(reached)]:
                program.baseline(C)
        program = ColdProgram(sample.X.dense(), target, weight)
        for _ in range(1 + RESAMPLES):  # of the data, and of as many bootstrap samples
            program.baseline(models.reference.C)
        for feature in range(sample.X.shape[1]):
            program.interval(feature, models.limits)
        for probe in analysis.found.probes.probes:
            column = probe.column(Problem(model, sample))
            beside = ColdProgram(np.column_stack([sample.X.dense(), column]), target, weight)
            beside.interval(sample.X.shape[1], models.limits)

    seconds = cpu(cold)
    # The machine has slow phases: ours is timed before and after.
    return min(ours, cpu(fit, 3)), seconds


def privileged_fit(n: int = 200, d: int = 24, repeats: int = 3) -> tuple[float, float]:
    """A default ordinal fit with d privileged features beside d others, and one without them."""
    shape = {"n_strong": 4, "n_weak": 8, "n_groups": 2, "n_irrelevant": d - 12}
    X, X_privileged, y, *_ = make_privileged("ordinal", n, **shape, random_state=0)
    model = OrdinalRelevanceClassifier(random_state=0)
    times = []
    for _ in range(repeats):  # in turns: the machine has slow phases
        beside = cpu(lambda: model.fit(X, y, X_privileged=X_privileged))
        if not model.privileged_classes_.any():
            raise RuntimeError("the privileged features were found to be useless: nothing to time")
        times.append((beside, cpu(lambda: model.fit(X, y))))
    beside, alone = np.min(times, axis=0)
    return float(beside), float(alone)


# The page


def page(
    timings: list[Timing],
    fit: tuple[float, float],
    privileged: tuple[float, float],
    quick: bool,
) -> str:
    """The results as Markdown."""
    lines = [
        "# Benchmarks",
        "",
        "CPU seconds on one thread for the relevance intervals of all features, from one run of",
        "`make bench`. Simulated data with 4 strong, 9 nearly redundant and otherwise noise",
        "features, labels by the sign of a noisy score; C = 0.5/√n. *ECOS*: cvxpy builds each",
        "program from scratch and ECOS solves it, three per feature, as the published code does.",
        "*Cold HiGHS*: the full program from scratch, two per feature. Both are extrapolated from",
        "a sample of features. Ours: the least of up to ten repeats, all features; sides that",
        "cannot matter for the relevance are skipped.",
        "",
        "| n, d | tolerance | ECOS | cold HiGHS | ours | programs | ratio to ECOS | target | "
        "ratio to HiGHS |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for timing in timings:
        asked = ASKED[timing.size][0 if timing.tolerance == 0.001 else 1]
        lines.append(
            f"| {timing.size[0]}, {timing.size[1]} | {timing.tolerance:.3g} | {timing.ecos:,.1f} "
            f"| {timing.highs:,.1f} | {timing.ours:.3f} | {timing.programs} "
            f"| **{timing.ecos / timing.ours:,.0f}** | {asked:,} "
            f"| {timing.highs / timing.ours:,.0f} |"
        )
    lines += [
        "",
        "Tolerance 0.001 is the papers'; the other is what the default gave here.",
        "",
        "A whole default fit of breast cancer (569×30: 5-fold search for C, tolerance, intervals, "
        "all probes) "
        f"takes {fit[0]:.2f} s; the same steps with cold HiGHS take {fit[1]:.1f} s: "
        f"a ratio of **{fit[1] / fit[0]:.1f}** (target: 10).",
        "",
        _about_privileged(privileged),
        "",
        f"Machine: {_processor()}, Python {platform.python_version()}, "
        + ", ".join(
            f"{name} {metadata.version(name)}"
            for name in ("numpy", "scipy", "highspy", "cvxpy", "ecos", "scikit-learn")
        )
        + ("." if not quick else ". A quick run: fewer sizes and samples."),
        "",
    ]
    return "\n".join(lines)


def _about_privileged(privileged: tuple[float, float]) -> str:
    beside, without = privileged
    return (
        "A whole default fit of 200 samples in three ordered classes with 24 features and 24 "
        f"privileged ones takes {beside:.2f} s, without the privileged ones {without:.2f} s: "
        f"a ratio of **{beside / without:.1f}** (target: at most 4)."
    )


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes only")
    parser.add_argument("--dry", action="store_true", help="do not write the page")
    parser.add_argument("--privileged", action="store_true", help="that ratio only; no page")
    arguments = parser.parse_args()
    if arguments.privileged:
        print(_about_privileged(privileged_fit()))
        return
    timings = []
    for size in SIZES[:2] if arguments.quick else SIZES:
        for tolerance in (0.001, "auto"):
            sampled = 1 if size[0] * size[1] > 500_000 else 3
            timing = measure(size, tolerance, sampled)
            timings.append(timing)
            print(f"{timing}: ratio to ECOS {timing.ecos / timing.ours:,.0f}", flush=True)
    text = page(timings, whole_fit(), privileged_fit(), arguments.quick)
    print(text)
    if not arguments.dry:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
