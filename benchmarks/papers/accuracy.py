"""How well models predict: thesis, Tables 3.2, 3.4 and 3.5, as far as their data are public."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import RelevanceClassifier, papers
from allrelevant.datasets import PAPER_SETS, make_classification
from benchmarks.papers.public import two_classes
from benchmarks.papers.selection import quietly
from benchmarks.papers.table import PRESET, Numbers, Table

NAMES = ("accuracy", "AUC")


def accuracy(row: str, variant: str, seed: int) -> Numbers | None:
    """Accuracy on the training rows; on real data also what the relevant features are worth.

    That is the area under the curve of a logistic regression of these features alone, on the rows
    that a sample with replacement, of seven tenths of the rows, left out.
    """
    model = papers.thesis("classification") if variant == PRESET else RelevanceClassifier()
    model.set_params(random_state=seed)
    if row not in ("wbc", "spectf"):
        X, y, _ = make_classification(**PAPER_SETS[row]._asdict(), random_state=seed)
        return {"accuracy": float(np.mean(quietly(model, X, y).predict(X) == y))}
    table = two_classes(row)
    if table is None:
        return None
    X, y = table
    drawn = np.random.default_rng(seed).integers(len(X), size=round(0.7 * len(X)))
    others = np.setdiff1d(np.arange(len(X)), drawn)
    found = quietly(model, X[drawn], y[drawn])
    right = float(np.mean(found.predict(X[drawn]) == y[drawn]))
    kept = found.get_support()
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    logistic.fit(X[np.ix_(drawn, kept)], y[drawn])
    chance = logistic.predict_proba(X[np.ix_(others, kept)])[:, 1]
    return {"accuracy": right, "AUC": float(roc_auc_score(y[others], chance))}


def tables() -> list[Table]:
    """The one table."""
    printed = dict(zip(("Sim1", "Sim2", "Sim3", "Sim4", "Sim5"), _PRINTED, strict=True))
    rows: dict[str, Numbers] = {row: {"accuracy": value} for row, value in printed.items()}
    rows["wbc"] = {"accuracy": 0.98, "AUC": 0.998}
    rows["spectf"] = {"accuracy": 0.92, "AUC": 0.880}
    return [
        Table(
            key="thesis-3.2",
            title="Accuracy of two classes (thesis, Tables 3.2, 3.4 and 3.5)",
            text="Accuracy on the training rows; for *wbc* (breast cancer) and *spectf* (heart "
            "scans) also the area under the curve of a logistic regression of the relevant "
            "features, on rows that a sample of seven tenths left out. The columns of the thesis "
            "are those of FRI. Here *spectf* keeps its unequal classes (55 and 212 rows); the "
            "thesis makes them equal with synthetic rows. *t21* and *flip* are private; "
            "*colposcopy* is in no package that we can install.",
            names=NAMES,
            printed=rows,
            measure=accuracy,
            seeds=3,
            digits=3,
            verdict=_VERDICT,
        )
    ]


_PRINTED = (0.92, 0.96, 0.96, 0.93, 0.91)
_VERDICT = (
    "Our models fit the training rows better than the thesis's (but by default on *spectf*): our "
    "C is the best of a grid, while the thesis's program draws ten values at random. On wbc the "
    "relevant features predict slightly worse than printed, most of all with the thesis's "
    "settings, which find fewer of them. The thesis has a separate held-out part; ours are tested "
    "on the rows that the sample left out. On *spectf* they predict worse by about a tenth; how "
    "much of that comes from the thesis's synthetic rows we do not know."
)
