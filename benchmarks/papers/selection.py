"""Simulated sets with known truth: Tables 3.3, 3.6, 4.2, 4.3 and 4.9 of the thesis."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, papers
from allrelevant.datasets import (
    PAPER_SETS,
    PRIVILEGED_SETS,
    make_classification,
    make_ordinal,
    make_privileged,
)
from benchmarks.papers.public import two_classes
from benchmarks.papers.table import PRESET, Numbers, Table, columns

SCORES = ("F1", "precision", "recall")
SIZES = ("strong", "weak")


def quietly(model: Any, *data: Any, **more: Any) -> Any:
    """Fit; what is warned of is not for this page."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return model.fit(*data, **more)


def scores(found: np.ndarray, truth: np.ndarray) -> Numbers:
    """How the relevant features compare with the true ones; finding nothing in nothing is right."""
    hits = float(((found > 0) & (truth > 0)).sum())
    n_found, n_true = float((found > 0).sum()), float((truth > 0).sum())
    if not n_found and not n_true:
        return dict.fromkeys(SCORES, 1.0)
    numbers = 2 * hits / (n_found + n_true), hits / max(n_found, 1.0), hits / max(n_true, 1.0)
    return dict(zip(SCORES, numbers, strict=True))


def binary(row: str, variant: str, seed: int) -> Numbers | None:
    """Relevant features of a set of two classes, and how many are strong and weak."""
    model = papers.thesis("classification") if variant == PRESET else RelevanceClassifier()
    if row in ("wbc", "spectf"):
        table = two_classes(row)
        if table is None:
            return None
        X, y = table
        some = np.random.default_rng(seed).integers(len(X), size=len(X))
        X, y, truth = X[some], y[some], np.zeros(X.shape[1])
    else:
        X, y, truth = make_classification(**PAPER_SETS[row]._asdict(), random_state=seed)
    found = quietly(model.set_params(random_state=seed), X, y).relevance_classes_
    return scores(found, truth) | {
        k: float((found == v).sum()) for k, v in zip(SIZES, (2, 1), strict=True)
    }


def at_c(row: str, variant: str, seed: int) -> Numbers:
    """Strong and weak features of a sample of the breast cancer table at a C that is given."""
    X, y = load_breast_cancer(return_X_y=True)
    some = np.random.default_rng(seed).integers(len(X), size=len(X))
    model = papers.thesis("classification").set_params(C=float(row), random_state=seed)
    found = quietly(model, X[some], y[some])
    classes = found.relevance_classes_
    return {
        "strong": float((classes == 2).sum()),
        "weak": float((classes == 1).sum()),
        "in the baseline": float(found.result_.baseline["n_used"]),
    }


def ordered(noise: float, order: str) -> Any:
    """What measures sets of ordered classes."""
    return _Ordered(noise, order)


class _Ordered:
    def __init__(self, noise: float, order: str) -> None:
        self.noise, self.order = noise, order

    def __call__(self, row: str, variant: str, seed: int) -> Numbers:
        model = (
            papers.thesis("ordinal", order=self.order)
            if variant == PRESET
            else OrdinalRelevanceClassifier(order=self.order)
        )
        spec = PAPER_SETS[row]._asdict() | {"noise": self.noise, "random_state": seed}
        X, y, truth = make_ordinal(**spec, n_classes=5)
        return scores(quietly(model.set_params(random_state=seed), X, y).relevance_classes_, truth)


def privileged(row: str, variant: str, seed: int) -> Numbers:
    """Relevant features of both kinds."""
    model = (
        papers.neurocomputing2020("explicit") if variant == PRESET else OrdinalRelevanceClassifier()
    )
    X, Z, y, truth, of_privileged = make_privileged(
        **PRIVILEGED_SETS[row]._asdict(), random_state=seed
    )
    quietly(model.set_params(random_state=seed), X, y, X_privileged=Z)
    regular = scores(model.relevance_classes_, truth)["F1"]
    return {
        "regular F1": regular,
        "privileged F1": scores(model.privileged_classes_, of_privileged)["F1"],
    }


_SIMS = ("Sim1", "Sim2", "Sim3", "Sim4", "Sim5")
_FRI = (
    (0.98, 0.98, 0.99),
    (0.98, 1.00, 0.97),
    (0.99, 0.98, 1.00),
    (0.99, 0.99, 0.98),
    (0.99, 1.00, 0.99),
)
_SETS = tuple(f"Set {k}" for k in range(1, 10))
_NOISY = {
    "explicit": (
        (0.95, 1.0, 0.92),
        (0.97, 1.0, 0.96),
        (0.97, 1.0, 0.95),
        (0.96, 1.0, 0.93),
        (1.0, 1.0, 1.0),
        (0.94, 1.0, 0.89),
        (0.90, 1.0, 0.84),
        (0.98, 1.0, 0.97),
        (1.0, 1.0, 1.0),
    ),
    "implicit": (
        (0.98, 1.0, 0.96),
        (0.98, 1.0, 0.96),
        (0.96, 1.0, 0.93),
        (0.97, 1.0, 0.94),
        (1.0, 1.0, 1.0),
        (0.94, 1.0, 0.89),
        (0.91, 1.0, 0.86),
        (0.98, 1.0, 0.97),
        (1.0, 1.0, 1.0),
    ),
}
_PUBLISHED_NOISY = (0.90, 0.90, 0.76, 0.74, 1.00, 0.44, 0.43, 0.645)


_LITTLE_MOVES = (
    "if the norm may grow by only a thousandth, little can move, and the thresholds come from the "
    "few probes that leave a model. By default nearly all relevant features are found."
)
_ABOUT_CLEAN = (
    "Everything relevant is found, as printed. With the papers' settings some noise passes, most "
    "of it in Set 9, by default hardly any."
)
_ABOUT_NOISE = {
    "explicit": "With the thesis's settings we get about what its published code gets on Sets 1 "
    f"to 7, not what is printed: {_LITTLE_MOVES}",
    "implicit": "With the thesis's settings less is found than printed, as with the explicit "
    f"order: {_LITTLE_MOVES}",
}

_OF_C = (
    "The printed 4.0 and 11.6 are nearest to a C of 0.01 to 0.02, where 4 to 6 features are "
    "strong and 12 to 18 weak. Our cross-validation takes a larger C (the table above has 12.4 "
    "strong and 3.2 weak features). The larger C is, the more features the baseline uses, and if "
    "the norm may grow by only a thousandth, nearly all of these are strong and no others are "
    "relevant. The thesis's program draws ten values of C at random, and the range is not "
    "printed, so we cannot say which C it took."
)


def tables() -> list[Table]:
    """All of them."""
    made = [
        Table(
            key="thesis-3.3",
            title="Two classes, simulated (thesis, Table 3.3)",
            text="500 rows, 30 features. Our generator, with weights of at least half the largest.",
            names=SCORES,
            printed=columns(SCORES, dict(zip(_SIMS, _FRI, strict=True))),
            published=columns(
                ("F1",),
                {
                    "Sim1": (0.93,),
                    "Sim2": (0.73,),
                    "Sim3": (1.0,),
                    "Sim4": (0.625,),
                    "Sim5": (0.675,),
                },
            ),
            measure=binary,
            verdict="With its settings and by default all relevant features are found, and hardly "
            "any others, most of them with its settings in Sim3. The published code of today "
            "misses some: half of its probes leave no model, and the few that remain give a "
            "threshold that is too high.",
        ),
        Table(
            key="thesis-3.6",
            title="Strong and weak features (thesis, Table 3.6)",
            text="Mean numbers of features. *wbc* (breast cancer) and *spectf* (heart scans) are "
            "bootstrap samples of public tables. Here *spectf* keeps its unequal classes (55 and "
            "212 rows); the thesis makes them equal with synthetic rows. *t21* and *flip* are "
            "private; *colposcopy* is in no package that we can install.",
            names=SIZES,
            printed=columns(
                SIZES,
                {
                    "Sim1": (5.1, 3.0),
                    "Sim2": (12.4, 7.0),
                    "Sim3": (4.0, 0.1),
                    "Sim4": (17.9, 0.0),
                    "Sim5": (0.0, 19.9),
                    "wbc": (4.0, 11.6),
                    "spectf": (5.9, 14.0),
                },
            ),
            measure=binary,
            verdict="The simulated sets agree, up to a little noise. On the breast cancer table "
            "all columns differ. With the thesis's settings only the norm may grow, by a "
            "thousandth, so most features of the model are indispensable. By default models may be "
            "worse by as much as chance "
            "could account for, so nearly all features can be replaced. The printed numbers "
            "belong to a smaller C than our cross-validation takes, as the next table shows. "
            "*spectf* differs in the same way: 17 strong features with the thesis's settings, and "
            "by default about eight weak ones, where the thesis has 6 and 14.",
        ),
    ]
    made.append(
        Table(
            key="thesis-3.6-c",
            title="Breast cancer at several values of C (row wbc of the thesis's Table 3.6)",
            text="Mean numbers of features with the thesis's settings where C is given, and how "
            "many features the baseline uses. The thesis prints 4.0 strong and 11.6 weak "
            "features.",
            names=(*SIZES, "in the baseline"),
            printed={row: {} for row in ("0.005", "0.01", "0.02", "0.05", "0.3")},
            measure=at_c,
            variants=(PRESET,),
            seeds=3,
            verdict=_OF_C,
        )
    )
    for order, place in (("explicit", 0), ("implicit", 1)):
        clean = dict.fromkeys(_SETS, (1.0, 1.0, 1.0)) | {"Set 9": (0.98, 0.97, 1.0)}
        perfect = columns(SCORES, clean)
        noisy = columns(SCORES, dict(zip(_SETS, _NOISY[order], strict=True)))
        code = columns(
            ("F1",), {row: (value,) for row, value in zip(_SETS, _PUBLISHED_NOISY, strict=False)}
        )
        exact = columns(("F1",), dict.fromkeys(_SETS[:8], (1.0,)))
        for number, noise, printed, published in ((2, 0.0, perfect, exact), (3, 0.5, noisy, code)):
            made.append(
                Table(
                    key=f"thesis-4.{number}-{order}",
                    title=f"Ordered classes, {order} order, {'noise 0.5' if noise else 'clean'} "
                    f"(thesis, Table 4.{number}; 2020, Table 2)",
                    text="Five ordered classes.",
                    names=SCORES,
                    printed=printed,
                    published={} if place else published,
                    measure=ordered(noise, order),
                    seeds=3,
                    verdict=_ABOUT_NOISE[order] if noise else _ABOUT_CLEAN,
                )
            )
    both = ("regular F1", "privileged F1")
    printed = dict.fromkeys(_SETS, (1.0, 1.0)) | {"Set 6": (1.0, 0.99)}
    made.append(
        Table(
            key="thesis-4.9",
            title="Privileged features (thesis, Table 4.9; 2020, Table 7)",
            text="200 rows. In Sets 1 to 6 the privileged features are the other features without "
            "noise; in Sets 7 and 8 they are noise.",
            names=both,
            printed=columns(
                both, {row: pair for row, pair in printed.items() if row in PRIVILEGED_SETS}
            ),
            measure=privileged,
            seeds=3,
            verdict="By default nearly everything is found. With the settings of 2020 it is not. "
            "The published code has .95 and 1.00 on sets of 1+4 features, and .55 and .77 on sets "
            "of 6+6. We do not know how the printed numbers came about.",
        )
    )
    return made
