"""Run times: thesis, Figures 3.6 and A.3, which print no numbers."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import matplotlib.pyplot as plt

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, papers
from allrelevant.datasets import PAPER_SETS, make_classification, make_ordinal
from benchmarks.forest import boruta
from benchmarks.papers.selection import quietly
from benchmarks.papers.table import DEFAULT, PRESET, RUN, Cells, Numbers, Table
from benchmarks.papers.training import elastic_net

PATH = Path(__file__).parent.parent.parent / "docs" / "images" / "paper_run_times.png"
ROWS = (30, 100, 300, 1000, 3000, 10_000)  # of 20 features
FEATURES = (10, 20, 50, 100, 200, 500)  # of 500 rows
SIZES = {f"{n:,} × 20": (n, 20) for n in ROWS} | {f"500 × {d}": (500, d) for d in FEATURES}
NOT_TRIED = ("10,000 × 20", "500 × 500")  # with the papers' settings


def ordered_seconds(row: str, variant: str, seed: int) -> Numbers | None:
    """CPU seconds of a fit to ordered classes: five strong features, five weak ones, and noise."""
    if variant == PRESET and row in NOT_TRIED:
        return None
    n, d = SIZES[row]
    X, y, _ = make_ordinal(
        n, n_strong=5, n_weak=5, n_irrelevant=d - 10, n_classes=5, random_state=seed
    )
    model = papers.thesis("ordinal") if variant == PRESET else OrdinalRelevanceClassifier()
    start = time.process_time()
    quietly(model.set_params(random_state=seed), X, y)
    return {"seconds": time.process_time() - start}


def selection_seconds(row: str, variant: str, seed: int) -> Numbers:
    """CPU seconds of one selection from a simulated set of two classes."""
    X, y, _ = make_classification(**PAPER_SETS[row]._asdict(), random_state=seed)
    found = {}
    if variant == RUN:
        for name, select in (("elastic net", elastic_net), ("Boruta", boruta)):
            start = time.process_time()
            select(X, y, seed)
            found[name] = time.process_time() - start
        return found
    model = papers.thesis("classification") if variant == PRESET else RelevanceClassifier()
    start = time.process_time()
    quietly(model.set_params(random_state=seed), X, y)
    return {"FRI": time.process_time() - start}


def tables() -> list[Table]:
    """Both figures as tables."""
    return [
        Table(
            key="thesis-figure-3.6",
            title="Run time beside other selectors (thesis, Figure 3.6)",
            text="CPU seconds of one selection on one thread, on the simulated sets of two "
            "classes. The figure prints no numbers; the thesis says that the elastic net is "
            "the fastest, and FRI about as fast as Boruta.",
            names=("FRI", "elastic net", "Boruta"),
            printed={row: {} for row in ("Sim1", "Sim2", "Sim3", "Sim4", "Sim5")},
            measure=selection_seconds,
            variants=(PRESET, DEFAULT, RUN),
            seeds=3,
            digits=1,
            verdict=_OF_SELECTORS,
        ),
        Table(
            key="thesis-figure-a.3",
            title="Run time of ordered classes as data grow (thesis, Figure A.3)",
            text="CPU seconds of one fit on one thread: five strong features, five weak ones, "
            "otherwise noise, in five ordered classes. The figure prints no numbers; its "
            "experiments are 20 features with 10 to 10,000 rows, and 500 rows with 10 to 500 "
            "features. Empty cells were not measured.",
            names=("seconds",),
            printed={row: {} for row in SIZES},
            measure=ordered_seconds,
            seeds=1,
            digits=1,
            verdict=_OF_GROWTH,
        ),
    ]


def draw(made: Mapping[str, Cells]) -> None:
    """Figure A.3 from the cells of its table."""
    heads, *rows = made["thesis-figure-a.3"]
    cells = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    panels = (
        (axes[0], [f"{n:,} × 20" for n in ROWS], ROWS, "rows (20 features)"),
        (axes[1], [f"500 × {d}" for d in FEATURES], FEATURES, "features (500 rows)"),
    )
    for place, names, sizes, label in panels:
        for head, marker in (("its settings", "s"), ("our defaults", "o")):
            known = [
                (k, cells[name].get(f"seconds: {head}"))
                for k, name in zip(sizes, names, strict=True)
            ]
            known = [(size, float(value)) for size, value in known if value]
            place.plot(*zip(*known, strict=True), marker=marker, label=head)
        place.set(xscale="log", yscale="log", xlabel=label)
        place.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("CPU seconds")
    axes[0].legend(frameon=False)
    figure.savefig(PATH, dpi=110)
    plt.close(figure)


_OF_SELECTORS = (
    "As in the thesis, intervals take about as long as Boruta, with its settings and by default. "
    "The elastic net is not the fastest here: it is tuned and eliminated by cross-validation. How "
    "the thesis's was tuned is not printed in detail."
)
_OF_GROWTH = (
    "The thesis calls tables with more than 10,000 rows or 500 features feasible, and recommends "
    "several processes for them. By default one thread takes seconds up to 3,000 rows, 16 seconds "
    "for 10,000 rows, and 51 for 500 features. With its settings, which allow less, more rows cost "
    "more and more features less."
)
