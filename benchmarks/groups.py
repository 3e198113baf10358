"""How well groups of features are found, and whether they last: parts of the constraints' page.

Where the tree of features is cut (1/6) was chosen with the breast cancer data, the
simulated sets (runs 1 to 100) and blocks of noisy copies in view; seeds from 1000 on were not
looked at, and of the other data see `CHOICE`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.metrics import adjusted_rand_score, v_measure_score

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_classification, make_ordinal, make_regression
from allrelevant.linear.engine.ranges.solver import RangeSolver
from benchmarks.speed import ecos_seconds

# Pairs of identical features, unique features, noise; asked V-measure; what the thesis reports.
SETS = {
    "Set 1": ((5, 0, 10), 0.99, 1.00),
    "Set 2": ((5, 3, 5), 0.95, 0.90),
    "Set 3": ((5, 0, 0), 1.00, 1.00),
}
FRESH = 1000  # the first seed that nobody had looked at
RATIO_ASKED, ARI_ASKED = 50, 0.8
COPIES: dict[str, tuple[Any, Any]] = {
    "classification": (make_classification, RelevanceClassifier),
    "regression": (make_regression, RelevanceRegressor),
    "ordinal": (make_ordinal, OrdinalRelevanceClassifier),
}
NOISES = (0.0, 0.2, 0.4)
CHOICE = (
    "How the rule was chosen: the cut of 1/6 came from the breast cancer data and simulated",
    "copies, with trade-offs alone. Groups by trade-offs alone did not last. Then trade-offs were",
    "multiplied by correlations, with the first five data sets below in view, and the cut stayed.",
    "Digits, 4 or 9, and digits, 1 or 7, were not looked at before the rule was settled.",
)
TOLERANCES = (0.03, 0.2, 0.3)


def labels_of(model: Any) -> tuple[np.ndarray, float, int]:
    """The groups from nothing but a fit, CPU seconds and programs."""
    model = copy(model)
    model.fitted_set_ = copy(model.fitted_set_)  # shares all but the solver
    solved, maximise = [0], RangeSolver.maximise

    def counted(self: RangeSolver, direction: Any) -> Any:
        solved[0] += 1
        return maximise(self, direction)

    RangeSolver.maximise = counted  # type: ignore[method-assign]
    start = time.process_time()
    try:
        labels = model.groups().labels
    finally:
        RangeSolver.maximise = maximise  # type: ignore[method-assign]
    return labels, time.process_time() - start, solved[0]


# The thesis' sets


def simulated(parts: tuple[int, int, int], seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The thesis' protocol: X, y and the true group of each feature, 0 for noise.

    Normal features; the class is the sign of a weighted sum of the relevant ones, whose weights
    are between 0.5 and 1 in size.
    """
    n_pairs, n_unique, n_noise = parts
    random = np.random.default_rng(seed)
    informative = random.normal(size=(100, n_pairs + n_unique))
    signs = random.choice([-1.0, 1.0], n_pairs + n_unique)
    score = informative @ (signs * random.uniform(0.5, 1.0, n_pairs + n_unique))
    X = np.hstack([informative, informative[:, :n_pairs], random.normal(size=(100, n_noise))])
    relevant = np.arange(1, n_pairs + n_unique + 1)
    truth = np.concatenate([relevant, relevant[:n_pairs], np.zeros(n_noise, dtype=int)])
    order = random.permutation(X.shape[1])
    return X[:, order], np.sign(score), truth[order]


@dataclass(frozen=True)
class Grouping:
    """V-measures of one set, of the first seeds and of fresh ones, and CPU seconds."""

    name: str
    scores: list[float]
    fresh: list[float]
    ours: float
    ecos: float

    @property
    def row(self) -> str:
        """A line of the table."""
        _, asked, thesis = SETS[self.name]
        means = [np.mean(self.scores[:n]) for n in (10, len(self.scores))]
        return (
            f"| {self.name} | {asked:.2f} | {thesis:.2f} | "
            f"{' | '.join(f'{mean:.3f}' for mean in means)} | "
            f"**{np.mean(self.fresh):.3f}** ± {np.std(self.fresh) / len(self.fresh) ** 0.5:.3f} | "
            f"{self.ours:.2f} | {self.ecos:.0f} | **{self.ecos / self.ours:.0f}** | {RATIO_ASKED} |"
        )


def time_groups(name: str, n_runs: int, n_fresh: int, n_sampled: int) -> Grouping:
    """Group the features of several runs; the direct way is sampled in the first five."""
    scores, times, ecos = [], [], []
    for seed in [*range(n_runs), *range(FRESH, FRESH + n_fresh)]:
        X, y, truth = simulated(SETS[name][0], seed)
        model = quiet(RelevanceClassifier(random_state=seed), X, y)
        labels, seconds, _ = labels_of(model)
        scores.append(float(v_measure_score(truth, labels)))
        times.append(seconds)
        if seed < 5:
            models, d = model.equivalent_models_, X.shape[1]
            sampled = np.linspace(0, d - 1, n_sampled).astype(int)
            three = np.mean([ecos_seconds(models, models.pieces.sign, int(j)) for j in sampled])
            ecos.append(2 * d * d * float(three))
    ours, direct = float(np.mean(times)), float(np.mean(ecos or [0.0]))
    return Grouping(name, scores[:n_runs], scores[n_runs:], ours, direct)


def quiet(model: Any, X: Any, y: Any) -> Any:
    """A fit whose warnings nobody reads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


# Noisy copies, for three models


def copies(n_runs: int) -> Iterator[str]:
    """Lines of a table: three copies each of three features, beside two others and noise."""
    shape = {"n_samples": 200, "n_strong": 2, "n_weak": 9, "n_groups": 3, "n_irrelevant": 4}
    truth = np.array([1, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 7, 8, 9])
    for task, (make, estimator) in COPIES.items():
        cells = []
        for noise in NOISES:
            found = []
            for seed in range(FRESH, FRESH + n_runs):
                X, y, _ = make(**shape, noise=noise, label_noise=0.1, random_state=seed)
                model = quiet(estimator(random_state=seed), X, y)
                weak = model.relevance_classes_ == 1
                if weak.sum() > 1:
                    found.append(v_measure_score(truth[weak], labels_of(model)[0][weak]))
            cells.append(f"{np.mean(found):.3f}")
        yield f"| {task} | {' | '.join(cells)} |"


# Do they last?


def real() -> dict[str, tuple[Any, np.ndarray, np.ndarray]]:
    """An estimator and data by name; the last two had no part in choosing the rule."""
    wine, digits = load_wine(), load_digits()

    def two_digits(*both: int) -> tuple[Any, np.ndarray, np.ndarray]:
        rows = np.isin(digits.target, both)
        return RelevanceClassifier, digits.data[rows], digits.target[rows]

    return {
        "breast cancer": (RelevanceClassifier, *load_breast_cancer(return_X_y=True)),
        "wine, first cultivar": (RelevanceClassifier, wine.data, wine.target == 0),
        "wine, cultivars as steps": (OrdinalRelevanceClassifier, wine.data, wine.target),
        "diabetes": (RelevanceRegressor, *load_diabetes(return_X_y=True)),
        "digits, 3 or 8": two_digits(3, 8),
        "digits, 4 or 9": two_digits(4, 9),
        "digits, 1 or 7": two_digits(1, 7),
    }


def agreement(one: np.ndarray, other: np.ndarray) -> float:
    """The adjusted Rand index of two groupings, over the features that both find relevant."""
    both = (one > 0) & (other > 0)
    return float(adjusted_rand_score(one[both], other[both])) if both.sum() > 1 else np.nan


def lasting(name: str, n_subsamples: int) -> str:
    """A line of a table: subsamples of 80 % and other tolerances, compared with one another."""
    estimator, X, y = real()[name]
    random = np.random.default_rng(0)
    fitted = quiet(estimator(random_state=0), X, y)
    whole, seconds, programs = labels_of(fitted)
    held, found, found_held = fitted.result_.baseline["C"], [], []
    for seed in range(n_subsamples):
        rows = random.permutation(len(X))[: int(0.8 * len(X))]
        few = X[rows], y[rows]
        found.append(labels_of(quiet(estimator(random_state=seed), *few))[0])
        found_held.append(labels_of(quiet(estimator(random_state=seed, C=held), *few))[0])
    mutual, mutual_held = (
        np.nanmean([agreement(*pair) for pair in combinations(labels, 2)])
        for labels in (found, found_held)
    )
    to_whole = np.nanmean([agreement(whole, labels) for labels in found])
    others = [
        agreement(whole, labels_of(quiet(estimator(random_state=0, tolerance=tolerance), X, y))[0])
        for tolerance in TOLERANCES
    ]
    relevant = whole[whole > 0]
    return (
        f"| {name} | {len(relevant)} in {len(set(relevant.tolist()))} | **{mutual:.2f}** | "
        f"{mutual_held:.2f} | {to_whole:.2f} | {' / '.join(f'{value:.2f}' for value in others)} | "
        f"{programs} | {seconds:.1f} |"
    )


def section(n_runs: int, n_fresh: int, n_sampled: int, n_subsamples: int) -> Iterator[str]:
    """The lines of the page, as they are measured."""
    yield from (
        "## Groups",
        "",
        "The cut of the tree was chosen on runs 1 to 100 of the sets below, on blocks of noisy",
        "copies, and on the breast cancer data. *Fresh* runs had no part in it. The text below",
        "says which of the other data were looked at.",
        "",
        "The protocol of Table 3.7 of the thesis: pairs of identical features (Set 1: 5 pairs and",
        "10 noise features; Set 2: 5 pairs, 3 unique, 5 noise; Set 3: 5 pairs), n = 100. The class",
        "is the side of a random hyperplane. The thesis does not say how that is drawn; here its",
        "weights are between 0.5 and 1 in size. Default settings; all irrelevant features are one",
        "group. Mean V-measures of the first runs, and of fresh ones ± their standard error.",
        "*ECOS*: the 2d·3d linear programs of the thesis, built from scratch with cvxpy and",
        "extrapolated from a sample. *Target* is what we aimed at: a V-measure, and a ratio.",
        "",
        f"| data | target | thesis | first 10 | first {n_runs} | {n_fresh} fresh | ours | ECOS | "
        "ratio | target |",
        "|---|---|---|---|---|---|---|---|---|---|",
    )
    for name in SETS:
        yield time_groups(name, n_runs, n_fresh, n_sampled).row
    n_copies = n_fresh // 3
    yield from (
        "",
        "Three copies each of three features, beside two features that have none and four of",
        "noise (n = 200, a tenth of the labels moved; fresh seeds). Mean V-measure over the",
        f"features that were found to be weak, {n_copies} runs, by the noise that was added:",
        "",
        f"| task | {' | '.join(f'{noise:g}' for noise in NOISES)} |",
        f"|---|{'---|' * len(NOISES)}",
    )
    yield from copies(n_copies)
    yield from (
        "",
        "Are groups stable? The adjusted Rand index, over the features that both fits find",
        f"relevant, of {n_subsamples} subsamples of 80 % of the rows with one another (the target",
        f"is {ARI_ASKED}) and with all rows, and of all rows at other tolerances with the default",
        "one. *C held*: the same with the C of all rows in the subsamples' fits.",
        "",
        *CHOICE,
        "",
        "| data | relevant, in groups | subsamples, mutual | C held | with all rows | tolerance "
        f"{' / '.join(f'{value:g}' for value in TOLERANCES)} | programs | CPU s |",
        "|---|---|---|---|---|---|---|---|",
    )
    for name in real():
        yield lasting(name, n_subsamples)
