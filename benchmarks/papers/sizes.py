"""Ordered classes on public tables: sizes of feature sets and run times of 2020, Tables 4 and 5."""

from __future__ import annotations

import time

from benchmarks.papers.real import Errors, training_part
from benchmarks.papers.rivals import elimination
from benchmarks.papers.selection import quietly
from benchmarks.papers.table import DEFAULT, PRESET, RUN, Numbers, Table, columns

N_FOLDS = 30  # of which the papers print the sum
NAMES = ("strong", "weak", "eliminated to")


class Fits(Errors):
    """Fits to the published splits: what they find, and what they take."""

    def __call__(self, row: str, variant: str, seed: int) -> Numbers | None:
        """How many features are strong and weak, or left; and what all the splits would take."""
        part = training_part(row, seed)
        if part is None:
            return None
        if variant == RUN:
            return {"eliminated to": float(elimination(part.X, part.y).sum())}
        model = self.model(variant, seed)
        start = time.process_time()
        found = quietly(model, part.X, part.y).relevance_classes_
        seconds = N_FOLDS * (time.process_time() - start)
        return {
            "strong": float((found == 2).sum()),
            "weak": float((found == 1).sum()),
            "seconds": seconds,
        }


def tables() -> list[Table]:
    """Sizes, and run times of both kinds of order."""
    sizes = {
        "automobile": (4.5, 12.6, 4.0),
        "contact-lenses": (0.9, 1.1, 2.0),
        "newthyroid": (0.0, 4.7, 2.0),
        "pasture": (0.0, 15.5, 6.0),
        "tae": (1.9, 5.4, 16.8),
        "winequality-red": (0.0, 7.6, 5.4),
    }
    seconds = {
        "explicit": (151.6, 23.7, 37.5, 28.6, 43.3, 349.4),
        "implicit": (876.8, 53.9, 92.3, 57.0, 83.4, 8359.4),
    }
    made = [
        Table(
            key="thesis-4.7",
            title="Features found in public tables (thesis, Table 4.7; 2020, Table 5)",
            text="Mean numbers of strong and weak features, with the explicit order, on the first "
            "of the published splits, for the sets that we have (for *automobile* and "
            "*newthyroid* draws of our own). Beside them is the number of "
            "features that recursive elimination with an elastic net keeps, as above.",
            names=NAMES,
            printed=columns(NAMES, sizes),
            measure=Fits("explicit"),
            variants=(PRESET, DEFAULT, RUN),
            seeds=3,
            verdict=_OF_SIZES,
        )
    ]
    for order, numbers in seconds.items():
        rows = {row: (value,) for row, value in zip(sizes, numbers, strict=True)}
        made.append(
            Table(
                key=f"thesis-4.6-{order}",
                title=f"Run time on public tables, {order} order (thesis, Table 4.6; 2020, "
                "Table 4)",
                text="The papers print seconds for all 30 splits on their machine, of the models "
                "without intervals. Ours are CPU seconds of whole fits: 30 times the mean of the "
                "fits that we made.",
                names=("seconds",),
                printed=columns(("seconds",), rows),
                measure=Fits(order),
                seeds=3,
                verdict=_OF_SECONDS,
            )
        )
    return made


_OF_SIZES = (
    "On wine about as many features are relevant as printed, but some or all are strong in ours "
    "and none in the paper. On *automobile* about six are relevant by default and eight with its "
    "settings, where the paper has 17; most of its 71 columns are levels of categories, which few "
    "of the 205 rows have. On *pasture* (27 rows) we find two of the printed 15, and seven with "
    "its settings, and on *tae* (54 columns, 113 rows) none beyond noise. By our tests so few rows "
    "hardly distinguish features from noise. Of the five columns of *newthyroid* about as many are "
    "relevant by default as printed, but most are strong in ours and none in the paper. Why the "
    "paper finds more we do not know: it prints neither "
    "its tolerance nor its C. Elimination keeps far fewer columns of *tae* than printed and far "
    "more of *automobile*, because its model is not the same here."
)
_OF_SECONDS = (
    "Our whole fits, with intervals and probes, take about as much time as the papers' models "
    "alone or less, on a newer machine. In ours the implicit order costs little more than the "
    "explicit one."
)
