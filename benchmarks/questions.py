"""CPU time of the questions against the direct way, in one run.

Run as ``make questions-bench`` or ``python -m benchmarks.questions``. Writes
docs/results/benchmarks-questions.md. Everything runs on one thread, and CPU time is counted.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"

import argparse
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import scipy.sparse as sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from sklearn.datasets import load_breast_cancer

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier
from allrelevant.datasets import make_classification, make_ordinal
from allrelevant.linear.engine.batch.solver import ManySolver
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from benchmarks.startup import cpu as cpu_of_process

PAGE = Path(__file__).parent.parent / "docs" / "results" / "benchmarks-questions.md"
ASKED = 20  # times less CPU than cold programs, for the prediction ranges
TOLERANCES = ("auto", 0.02, 0.001)
SETS_TOLERANCES = ("auto", 0.05, 0.02)
MIP_LIMIT = 60.0
ASKED_OF_REPORT = 15.0
N_REPORTS = 3
MOST_EXACT = 500  # features whose intervals are all solved for along the tolerance
WIDE = "## Reports of wide tables"


def cpu(function: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of a call, and its answer."""
    start = time.process_time()
    answer = function()
    return time.process_time() - start, answer


def breast_cancer_like(n: int) -> np.ndarray:
    """The 569 samples of the data, and mixtures of two of them each for the rest."""
    X, _ = load_breast_cancer(return_X_y=True)
    random = np.random.default_rng(0)
    one, other = random.integers(0, len(X), (2, n - len(X)))
    part = random.random((n - len(X), 1))
    return np.vstack([X, part * X[one] + (1 - part) * X[other]])


def fitted(tolerance: Any) -> RelevanceClassifier:
    """The breast cancer data with the default settings but for the tolerance."""
    X, y = load_breast_cancer(return_X_y=True)
    return RelevanceClassifier(tolerance=tolerance, n_probes=2, random_state=0).fit(X, y)


class FullProgram:
    """The equivalent models as one linear program: w⁺, w⁻, the offset and all slacks."""

    def __init__(self, models: EquivalentModels) -> None:
        pieces = models.pieces
        n, self.d = len(pieces), models.n_features
        data = pieces.sign[:, None] * models.X.dense()[pieces.row]
        offset = pieces.offset_sign[:, None]
        hinge = sparse.hstack([-data, data, -offset, -sparse.identity(n)])
        norm = np.concatenate([np.ones(2 * self.d), np.zeros(n + 1)])
        loss = np.concatenate([np.zeros(2 * self.d + 1), pieces.weight])
        budgets = [b.norm * norm + b.loss * loss for b in models.budgets]
        self.rows = sparse.vstack([hinge, sparse.csr_matrix(budgets)], format="csr")
        self.limits = np.append(-pieces.target, models.limits)
        self.low = np.zeros(2 * self.d + 1 + n)
        self.low[2 * self.d] = -np.inf

    def largest(self, sample: np.ndarray, sign: int, offset: float) -> float:
        """The largest value of ``sign · (x·w + offset·b)``, from scratch."""
        cost = np.zeros(len(self.low))
        cost[: self.d], cost[self.d : 2 * self.d] = -sign * sample, sign * sample
        cost[2 * self.d] = -sign * offset
        bounds = np.column_stack([self.low, np.full(len(self.low), np.inf)])
        found = linprog(cost, self.rows, self.limits, bounds=bounds, method="highs")
        return -float(found.fun)

    def smallest_set(self, low: np.ndarray, high: np.ndarray, limit: float) -> Any:
        """The size of the smallest feature set by one mixed-integer program.

        What a weight can be at most, its big M, comes from its signed interval.
        """
        d, n = self.d, len(self.low)
        eye, nothing = sparse.identity(d), sparse.csr_matrix((d, d))
        rest = sparse.csr_matrix((d, n - 2 * d))
        plus = sparse.hstack([eye, nothing, rest, -sparse.diags(np.maximum(high, 0.0))])
        minus = sparse.hstack([nothing, eye, rest, -sparse.diags(np.maximum(-low, 0.0))])
        wide = sparse.hstack([self.rows, sparse.csr_matrix((self.rows.shape[0], d))])
        return milp(
            np.append(np.zeros(n), np.ones(d)),
            integrality=np.append(np.zeros(n, dtype=int), np.ones(d, dtype=int)),
            bounds=Bounds(
                np.append(self.low, np.zeros(d)), np.append(np.full(n, np.inf), np.ones(d))
            ),
            constraints=[
                LinearConstraint(wide, ub=self.limits),
                LinearConstraint(sparse.vstack([plus, minus]), ub=0.0),
            ],
            options={"mip_rel_gap": 0.0, "time_limit": limit},
        )


@dataclass(frozen=True)
class Ranges:
    """Seconds for the ranges of many samples, ours and cold."""

    tolerance: float
    n_samples: int
    ours: float
    cold: float
    error: float
    ambiguity: float


def time_ranges(tolerance: Any, n_samples: int, n_cold: int) -> Ranges:
    """Ours for all samples; cold programs for some, before and after, and their mean."""
    model, samples = fitted(tolerance), breast_cancer_like(n_samples)
    full = FullProgram(model.equivalent_models_)  # type: ignore[arg-type]
    scaled = model.fitted_set_.scaling.apply(samples)
    sampled = np.linspace(0, n_samples - 1, n_cold).astype(int)

    def cold(rows: np.ndarray) -> list[tuple[float, float]]:
        how = model.offset_scale_
        return [(-full.largest(scaled[i], -1, how), full.largest(scaled[i], 1, how)) for i in rows]

    before, first = cpu(lambda: cold(sampled[::2]))
    ours, found = cpu(lambda: model.prediction_range(samples))
    after, second = cpu(lambda: cold(sampled[1::2]))
    order = np.concatenate([sampled[::2], sampled[1::2]])
    expected = np.array(first + second) + model.offset_shift_
    error = np.abs(np.column_stack([found.low, found.high])[order] - expected).max()
    return Ranges(
        model.tolerance_[0],
        n_samples,
        ours,
        (before + after) / n_cold * n_samples,
        float(error),
        found.ambiguity,
    )


@dataclass(frozen=True)
class Ordered:
    """Seconds for the ranges of samples of ordered classes: together, and one program by one."""

    n_samples: int
    fit: float
    ours: float
    alone: float
    error: float


def ordered_table(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Five ordered classes of 412 samples."""
    X, y, _ = make_ordinal(
        412,
        n_strong=4,
        n_weak=6,
        n_irrelevant=8,
        n_classes=5,
        noise=0.5,
        label_noise=0.1,
        random_state=seed,
    )
    return X, y


def time_report(seed: int) -> float:
    """CPU seconds of a command that fits ordered classes and writes their report, all in all."""
    X, y = ordered_table(seed)
    frame = pd.DataFrame(X, columns=[f"item {k}" for k in range(X.shape[1])]).assign(grade=y)
    with tempfile.TemporaryDirectory() as folder:
        table, report = Path(folder) / "table.csv", Path(folder) / "report.html"
        frame.to_csv(table, index=False)
        command = ("fit", table, "--target", "grade", "--report", report, "--quiet")
        seconds = cpu_of_process(("-m", "allrelevant", *map(str, command)))
        assert report.exists()
    return seconds


def time_ordered() -> list[Ordered]:
    """Every sample has four thresholds, and two ends each."""
    X, y = ordered_table(0)
    fit, model = cpu(lambda: OrdinalRelevanceClassifier(random_state=0).fit(X, y))
    rows = []
    for n in (40, len(X)):
        ours, found = cpu(lambda n=n: model.prediction_range(X[:n]))
        with patch.object(ManySolver, "takes", lambda models: False):
            alone, expected = cpu(lambda n=n: model.prediction_range(X[:n]))
        apart = [np.abs(found.low - expected.low), np.abs(found.high - expected.high)]
        rows.append(Ordered(n, fit, ours, alone, float(np.max(apart))))
    return rows


@dataclass(frozen=True)
class Sets:
    """Seconds for the ten smallest sets, ours, and for one by a mixed-integer program."""

    tolerance: float
    size: int
    n_found: int
    first: float
    ten: float
    mip: float
    mip_answer: str


def time_sets(tolerance: Any) -> Sets:
    """Ours for one and for ten sets; the mixed-integer program for the size of the smallest."""
    model = fitted(tolerance)
    first, _ = cpu(lambda: model.smallest_sets(1))
    ten, found = cpu(lambda: model.smallest_sets(10))
    ends = np.array([(r.low.value, r.high.value) for r in model.ranges_])
    full = FullProgram(model.equivalent_models_)  # type: ignore[arg-type]
    mip, answer = cpu(lambda: full.smallest_set(*ends.T * (1 + 1e-6), MIP_LIMIT))
    told = f"{answer.fun:.0f}" if answer.status == 0 else f"≥ {np.ceil(answer.mip_dual_bound):.0f}"
    return Sets(model.tolerance_[0], len(found[0]), len(found), first, ten, mip, told)


@dataclass(frozen=True)
class Wide:
    """CPU seconds of one wide table.

    A fit by the command, and the same with its report; in Python a fit, its path over the
    tolerance, and the path where the intervals of all features are exact.
    """

    kind: str
    n_rows: int
    n_features: int
    fit: float
    report: float
    alone: float
    path: float
    exact: float | None  # where there are so many features that it takes long

    def row(self) -> str:
        """A line of the table."""
        size = f"{self.n_rows}×{self.n_features}"
        return (
            f"| {self.kind} | {size} | {self.fit:.1f} | {self.report:.1f} | "
            f"**{self.report / self.fit:.1f}** | {self.alone:.1f} | {self.path:.1f} | "
            f"**{self.path / self.alone:.1f}** | {self._exact} |"
        )

    @property
    def _exact(self) -> str:
        return (
            "– | –" if self.exact is None else f"{self.exact:.1f} | {self.exact / self.alone:.1f}"
        )


def wide_tables() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Few features that matter among much noise, and features of hidden factors."""
    for n_rows, n_irrelevant in ((300, 180), (200, 1980)):
        kinds = {"n_strong": 4, "n_weak": 16, "n_irrelevant": n_irrelevant}
        X, y, _ = make_classification(n_rows, **kinds, label_noise=0.02, random_state=0)
        yield "noise", X, y
    random = np.random.default_rng(3)
    factors = random.normal(size=(200, 30))
    loadings = random.normal(size=(30, 2000)) * (random.random((30, 2000)) < 0.15)
    X = factors @ loadings + random.normal(size=(200, 2000))
    yield "factors", X, factors @ np.eye(30)[:3].sum(0) + 0.5 * random.normal(size=200) > 0


def time_wide(kind: str, X: np.ndarray, y: np.ndarray) -> Wide:
    """A fit, its report, and the intervals of its relevant features as the tolerance grows."""
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    fit, model = cpu(lambda: RelevanceClassifier(random_state=0).fit(frame, y))
    path, _ = cpu(model.path_over_tolerance)
    exact = None
    if X.shape[1] <= MOST_EXACT:
        exact, _ = cpu(lambda: model.path_over_tolerance(features=model.result_.names))
    with tempfile.TemporaryDirectory() as folder:
        table, report = Path(folder) / "table.csv", Path(folder) / "report.html"
        frame.assign(group=np.where(y > 0, "yes", "no")).to_csv(table, index=False)
        command = ("-m", "allrelevant", "fit", str(table), "--target", "group", "--quiet")
        alone = cpu_of_process(command)
        told = cpu_of_process((*command, "--report", str(report)))
        assert report.exists()
    return Wide(kind, *X.shape, alone, told, fit, path, exact)


def about_wide(tables: list[Wide]) -> list[str]:
    """What reports of wide tables cost."""
    return [
        "",
        WIDE,
        "",
        "CPU seconds of `allrelevant fit table.csv --target group`, and the same with `--report`;",
        "then, in Python, of a fit, of its `path_over_tolerance()`, which solves for the relevant",
        "features at nine tolerances and bounds the others (at most one more fit is asked for),",
        "and of the same path where all features are solved for, if they are not thousands.",
        "*Noise*: few features matter, the others are noise. *Factors*: every feature is made of",
        "some of 30 hidden factors, of which three matter. Then features have very many stand-ins,",
        "and the search for a short list of them ends after five seconds each.",
        "",
        "| table | size | command | and report | ratio | fit | path | ratio | all exact | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|",
        *(one.row() for one in tables),
    ]


def about_reports(reports: list[float]) -> list[str]:
    """What a report of ordered classes costs."""
    listed = ", ".join(f"{seconds:.1f}" for seconds in reports)
    return [
        "",
        "`allrelevant fit table.csv --target grade --report report.html` of such a table, with all",
        f"that its report tells, takes {listed} CPU seconds in all for the seeds 0 to",
        f"{len(reports) - 1} ({ASKED_OF_REPORT:.0f} are asked for).",
    ]


def page(
    ranges: list[Ranges],
    ordered: list[Ordered],
    reports: list[float],
    wide: list[Wide],
    sets: list[Sets],
) -> str:
    """The page with all tables."""
    lines = [
        "# Benchmarks of the questions",
        "",
        "CPU seconds on one thread, from one run of `make questions-bench`. The models are those",
        "equivalent to the default fit of the breast cancer data (569×30), at three tolerances",
        '(0.085 is what `tolerance="auto"` gives here).',
        "",
        "## Prediction ranges",
        "",
        "The smallest and the largest decision value of 1,000 samples: the 569 of the data and",
        "mixtures of two of them each. *Cold HiGHS*: the full linear program from scratch for each",
        "sample and side, extrapolated from a sample of them, half of it timed before and half",
        "after ours. *Error* is the largest difference between the two.",
        "",
        "| tolerance | ambiguity | ours | cold HiGHS | ratio | target | error |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r.tolerance:g} | {r.ambiguity:.3f} | {r.ours:.2f} | {r.cold:.1f} | "
        f"**{r.cold / r.ours:.1f}** | {ASKED} | {r.error:.0e} |"
        for r in ranges
    ]
    lines += [
        "",
        "## Prediction ranges of ordered classes",
        "",
        "Five ordered classes, 412 samples and 18 features: both ends of a sample at each of four",
        "thresholds, eight programs. *Alone*: one program after the other, each from the best",
        "vertex found before. *Together*: the interior points of hundreds of programs advance in",
        "step, by products of matrices. Near their optima all of them move to vertices at once,",
        "and each value is proven.",
        "",
        "The same beside an earlier commit, which solved programs alone, on nine fits:",
        "[ordered predictions](beside.md#predictions-of-ordered-classes).",
        "",
        "| samples | the fit itself | together | alone | ratio | difference |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {o.n_samples} | {o.fit:.1f} | {o.ours:.2f} | {o.alone:.2f} | "
        f"**{o.alone / o.ours:.1f}** | {o.error:.0e} |"
        for o in ordered
    ]
    lines += about_reports(reports) + about_wide(wide)
    lines += [
        "",
        "## Smallest feature sets",
        "",
        "*One* and *ten*: the smallest set, and the ten smallest, by cuts (see",
        "[how](../notes/mathematics.md)). *Mixed-integer program*: one smallest set by HiGHS",
        "on the full problem with a binary variable per feature, its big M from the feature's",
        f"signed interval, stopped after {MIP_LIMIT:.0f} s.",
        "",
        "| tolerance | smallest size | one | ten (found) | mixed-integer program | its answer |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {s.tolerance:g} | {s.size} | {s.first:.2f} | {s.ten:.2f} ({s.n_found}) | "
        f"{s.mip:.1f} | {s.mip_answer} |"
        for s in sets
    ]
    load, processors = os.getloadavg()[0], os.cpu_count() or 1
    if load > processors:  # ours lives in the caches, which the others then fill
        lines += [
            "",
            f"Other jobs used the machine: a load of {load:.0f} on {processors} processors.",
        ]
    versions = ", ".join(f"{p} {metadata.version(p)}" for p in ("numpy", "scipy", "highspy"))
    lines += ["", f"Python {platform.python_version()}, {versions}.", ""]
    return "\n".join(lines)


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--cold", type=int, default=40)
    parser.add_argument("--wide-only", action="store_true", help="only what is said of wide tables")
    options = parser.parse_args()
    if options.wide_only:
        before, rest = PAGE.read_text(encoding="utf-8").split(f"\n{WIDE}\n")
        after = rest[rest.index("\n## ") :]
        wide = [time_wide(*table) for table in wide_tables()]
        PAGE.write_text(before + "\n".join(about_wide(wide)) + "\n" + after, encoding="utf-8")
        return
    ranges = []
    for tolerance in TOLERANCES:
        ranges.append(time_ranges(tolerance, options.samples, options.cold))
        print(ranges[-1], flush=True)
    ordered = time_ordered()
    print(ordered, flush=True)
    reports = [time_report(seed) for seed in range(N_REPORTS)]
    print(reports, flush=True)
    wide = [time_wide(*table) for table in wide_tables()]
    print(wide, flush=True)
    sets = []
    for tolerance in SETS_TOLERANCES:
        sets.append(time_sets(tolerance))
        print(sets[-1], flush=True)
    PAGE.write_text(page(ranges, ordered, reports, wide, sets), encoding="utf-8")
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
