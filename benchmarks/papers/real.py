"""Groups of simulated features and errors on public tables: thesis, Tables 3.7 and 4.5."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
from sklearn.cluster import HDBSCAN, AgglomerativeClustering
from sklearn.metrics import v_measure_score

from allrelevant import (
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    macro_mean_absolute_rank_error,
    papers,
)
from benchmarks.groups import SETS as GROUPS
from benchmarks.groups import labels_of, simulated
from benchmarks.ordinal_data import Split, split
from benchmarks.papers.public import thyroid
from benchmarks.papers.selection import quietly
from benchmarks.papers.table import DEFAULT, PRESET, Numbers, Table, columns

DATA = Path(os.environ.get("ALLRELEVANT_ORDINAL", "data/ordinal"))


def grouping(row: str, variant: str, seed: int) -> Numbers | None:
    """How well groups are told, by our groups, by correlations and by density."""
    X, y, truth = simulated(GROUPS[row][0], seed)
    if variant == PRESET:
        return None
    start = time.process_time()
    model = quietly(RelevanceClassifier(random_state=seed), X, y)
    labels = labels_of(model)[0]
    seconds = time.process_time() - start
    distance = 1.0 - np.abs(np.corrcoef(X, rowvar=False))
    n = len(np.unique(truth))
    by_correlation = AgglomerativeClustering(n, metric="precomputed", linkage="single").fit(
        distance
    )
    by_density = HDBSCAN(min_cluster_size=2, metric="precomputed", copy=True).fit(
        np.maximum(distance, 0.0)
    )
    return {
        "by relevance": float(v_measure_score(truth, labels)),
        "by correlation": float(v_measure_score(truth, by_correlation.labels_)),
        "by HDBSCAN": float(v_measure_score(truth, by_density.labels_)),
        "CPU s": seconds,
    }


def training_part(row: str, seed: int) -> Split | None:
    """A split of a public table: the published one, or a draw of our own where there is none."""
    if row == "newthyroid":
        return thyroid(seed)
    return split(DATA, row, seed, share=1.0) if (DATA / f"{row}.csv.gz").exists() else None


class Errors:
    """Errors of ordered classes on the published splits."""

    def __init__(self, order: str) -> None:
        self.order = order

    def model(self, variant: str, seed: int) -> OrdinalRelevanceClassifier:
        """With the paper's settings or ours, not fitted."""
        preset = papers.neurocomputing2020(self.order)
        model = preset if variant == PRESET else OrdinalRelevanceClassifier(order=self.order)
        return model.set_params(random_state=seed)

    def __call__(self, row: str, variant: str, seed: int) -> Numbers | None:
        """The mean error of the classes, each with the same weight."""
        part = training_part(row, seed)
        if part is None:
            return None
        model = quietly(self.model(variant, seed), part.X, part.y)
        classes = sorted({*part.y.tolist(), *part.y_test.tolist()})
        error = macro_mean_absolute_rank_error(
            part.y_test, model.predict(part.X_test), classes=classes
        )
        return {"MMAE": float(error)}


def tables() -> list[Table]:
    """All of them."""
    names = ("by relevance", "by correlation", "by HDBSCAN", "CPU s")
    made = [
        Table(
            key="thesis-3.7",
            title="Groups of features (thesis, Table 3.7)",
            text="V-measures, and CPU seconds. Clustering by correlation is given the number of "
            "groups here.",
            names=names,
            printed=columns(
                names,
                {
                    "Set 1": (1.00, 0.72, 0.79, 38.5),
                    "Set 2": (0.90, 0.89, 0.81, 30.2),
                    "Set 3": (1.00, 1.00, 1.00, 14.5),
                },
            ),
            measure=grouping,
            variants=(DEFAULT,),
            verdict="Our groups are at least as good as the thesis's, in a thirtieth of its time, "
            "on another machine. Clustering by correlation does worse here than printed: in the "
            "truth all noise is one group, and the thesis does not say how it cut its trees.",
        )
    ]
    errors = {
        "explicit": {
            "automobile": 0.532,
            "contact-lenses": 0.190,
            "newthyroid": 0.043,
            "pasture": 0.374,
            "tae": 0.552,
            "winequality-red": 0.868,
        },
        "implicit": {
            "automobile": 0.516,
            "contact-lenses": 0.265,
            "newthyroid": 0.045,
            "pasture": 0.430,
            "tae": 0.664,
            "winequality-red": 0.790,
        },
    }
    for order, printed in errors.items():
        made.append(
            Table(
                key=f"thesis-4.5-{order}",
                title=f"Errors on public tables, {order} order (thesis, Table 4.5; 2020, Table 4)",
                text="Macro-averaged mean absolute error on the first of the published splits, "
                "for the sets that we have; for *automobile* and *newthyroid* on draws of our own, "
                "with as many rows.",
                names=("MMAE",),
                printed=columns(("MMAE",), {row: (value,) for row, value in printed.items()}),
                measure=Errors(order),
                seeds=10,
                verdict="On *automobile* and *newthyroid* our errors are within 0.04 of the "
                "printed ones. On the other small sets they differ in both directions. On wine "
                "they are larger than printed, with either setting; we do not know why.",
            )
        )
    return made
