"""Where privileged features help, and where they do not: small experiments behind the method.

Run by ``make privileged-tables``, which writes them under its table.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.datasets import make_privileged

EXAMPLE = Path(__file__).parent.parent / "examples" / "plot_privileged.py"
ESTIMATORS = {
    "ordinal": OrdinalRelevanceClassifier,
    "classification": RelevanceClassifier,
    "regression": RelevanceRegressor,
}
NOISE = {
    "ordinal": (0.2, 0.3, 0.5),
    "classification": (0.05, 0.2, 0.65),
    "regression": (0.2, 0.5, 1.0),
}
#: Gap between the classes, errors of the three groups, whether their sign is hidden.
ILLUSTRATIONS = (
    (0.0, (0.1, 0.5, 2.0), False),
    (0.9, (0.1, 0.5, 2.0), False),
    (0.9, (0.5, 1.0, 2.0), False),
    (0.9, (0.5, 1.0, 2.0), True),
    (0.6, (0.5, 1.0, 2.0), False),
)


def fit(estimator: Any, X: Any, y: Any, privileged: Any = None) -> Any:
    """Fit, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return estimator.fit(X, y, X_privileged=privileged)


def twins(problem: Any, noise: float, seed: int) -> tuple[bool, float, float, float]:
    """Clean twins: whether they are used, F1 of the features, the score with and without them."""
    data = make_privileged(problem, noise=noise, random_state=seed)
    X, X_privileged, y, truth, _ = data
    model = fit(ESTIMATORS[problem](random_state=seed), X, y, X_privileged)
    plain = fit(ESTIMATORS[problem](random_state=seed), X, y)
    found = model.relevance_classes_ > 0
    hits, named = (found & (truth > 0)).sum(), found.sum() + (truth > 0).sum()
    used = bool(model.privileged_classes_.any())
    scores = (one.result_.baseline["score"] for one in (model, plain))
    return used, 2.0 * float(hits) / float(named), *map(float, scores)


def illustration(gap: float, levels: tuple[float, ...], hidden: bool, seed: int) -> list[float]:
    """The largest relevance of each group's error, 0 where it is not found."""
    spec = importlib.util.spec_from_file_location("plot_privileged", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    X, errors, y = example.make_data(seed, levels=levels, gap=gap)
    model = OrdinalRelevanceClassifier(random_state=0)
    model = fit(model, X, y, errors.abs() if hidden else errors)
    largest = model.privileged_intervals_[:, 1]
    return np.where(model.privileged_classes_ > 0, largest, 0.0).tolist()


def lines(seeds: int, n_jobs: int) -> Iterator[str]:
    """Both tables, line by line."""
    run = Parallel(n_jobs=n_jobs)
    yield from ["", TWINS, "", TWINS_HEAD]
    for problem, levels in NOISE.items():
        for noise in levels:
            found = run(delayed(twins)(problem, noise, seed) for seed in range(seeds))
            used, f1, score, plain = (list(part) for part in zip(*found, strict=True))
            yield (
                f"| {problem} | {noise:g} | {sum(used)} of {seeds} | {np.mean(f1):.2f} "
                f"| {np.mean(score):.2f} ({min(score):.2f}) | {np.mean(plain):.2f} |"
            )
    yield from ["", GROUPS, "", GROUPS_HEAD]
    for gap, levels, hidden in ILLUSTRATIONS:
        runs = run(delayed(illustration)(gap, levels, hidden, seed) for seed in range(seeds))
        largest = np.array(runs)
        ordered = ((np.diff(largest, axis=1) > 0) & (largest[:, :-1] > 0)).all(axis=1)
        counts = ", ".join(str(n) for n in (largest > 0).sum(axis=0))
        errors = ", ".join(f"{level:g}" for level in levels) + (", sizes only" if hidden else "")
        yield f"| {gap:g} | {errors} | {counts} | {ordered.sum()} |"


TWINS = """## Where clean twins help, and where they do not

The default sizes of `make_privileged` (3 strong, 4 weak, 3 irrelevant features, each with a clean
privileged twin; 200 samples), by the noise on the features. *Used*: fits that did not fall back to
the answer without privileged features. F1 is that of the features. The score is the cross-validated
one of the baseline, with its lowest value in brackets, and beside it that of fits without
privileged features."""
TWINS_HEAD = """| problem | noise | used | F1 | score (lowest) | score without them |
|---|---|---|---|---|---|"""
GROUPS = """## The paper's illustration

Its section 6.2.2, as in `examples/plot_privileged.py`: 400 samples, in three of four groups one
feature is measured with an error, which is privileged. *Found*: how often the error of each group
is relevant. *Ordered*: how often all are found and the larger error has the larger relevance."""
GROUPS_HEAD = """| gap between classes | errors | found | ordered |
|---|---|---|---|"""
