"""Non-linear relevance: accuracy on simulated data, CPU time against Boruta, real data.

Run as ``python -m benchmarks.forest [--seeds 10] [--parts linear,thesis,hard,noise,real,recipe,
difficult,unseen,further,oracle,program]``, and with ``--write`` to put the tables into the docs.
The part `program` runs the thesis's own program, which has no package: ``--program FILE`` is a
Python file whose function ``classes(X, y, seed)`` does what its source does.
"""

from __future__ import annotations

import argparse
import os
import runpy

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn import datasets as real_data
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import KFold, StratifiedKFold

from allrelevant import ForestRelevanceClassifier, ForestRelevanceRegressor, SquamishRecipe
from allrelevant.datasets import NONLINEAR_SETS, make_classification, make_nonlinear
from allrelevant.forest.recipe import AS_WRITTEN, PUBLISHED
from benchmarks.forest_data import DIFFICULT, FURTHER, UNSEEN, without_one
from benchmarks.marked import write_between

#: Table 5.1 of the thesis: samples, strong, weak, irrelevant.
LINEAR = {
    "Set 1": (150, 6, 0, 6),
    "Set 2": (150, 0, 6, 6),
    "Set 3": (150, 3, 4, 3),
    "Set 4": (256, 6, 6, 6),
    "Set 5": (512, 1, 2, 11),
    "Set 6": (200, 1, 20, 0),
    "Set 7": (200, 1, 20, 20),
    "Set 8": (2000, 10, 10, 50),
}
OF_RECIPES = ("Set 1", "Set 3", "Set 4", "NL 1")
OF_KIND = DIFFICULT | UNSEEN | FURTHER
THESIS = ("NL 1", "NL 2", "NL 3", "NL 4")
HARD = tuple(name for name in NONLINEAR_SETS if name not in (*THESIS, "noise"))
MEASURES = ("F1", "strong P", "strong R", "weak P", "weak R")
FIRST_SEED = 200  # the method was tuned on seeds below
FIRST_SEED_OF_NOISE = 1000
PARTS = "thesis,linear,hard,noise,real,recipe,difficult,unseen,further,oracle"  # not "program"


@dataclass(frozen=True)
class Outcome:
    """How one fit compares with the truth; NaN for a class that the truth does not have."""

    measures: tuple[float, ...]
    seconds: float


def data(name: str, seed: int, weights: str = "floor") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One simulated set; `weights` are those of the linear ones."""
    if name in OF_KIND:
        return OF_KIND[name](seed)
    if name not in LINEAR:
        return make_nonlinear(**NONLINEAR_SETS[name], random_state=seed)
    n, strong, weak, irrelevant = LINEAR[name]
    return make_classification(
        n,
        n_strong=strong,
        n_weak=weak,
        n_irrelevant=irrelevant,
        noise=0.1,  # that of the thesis's generator
        weights=weights,
        random_state=seed,
    )


def ours(X: np.ndarray, y: np.ndarray, seed: int) -> np.ndarray:
    """Classes by the default settings."""
    kind = ForestRelevanceRegressor if y.dtype.kind == "f" else ForestRelevanceClassifier
    return kind(random_state=seed).fit(X, y).relevance_classes_


def squamish(X: np.ndarray, y: np.ndarray, seed: int, recipe: SquamishRecipe) -> np.ndarray:
    """Classes by the thesis's algorithm."""
    model = ForestRelevanceClassifier(method=recipe, random_state=seed)
    return model.fit(X, y).relevance_classes_


def boruta(X: np.ndarray, y: np.ndarray, seed: int, regression: bool | None = None) -> np.ndarray:
    """Relevant features by BorutaPy, with the forest of the thesis; it takes no missing values."""
    from boruta import BorutaPy
    from lightgbm import LGBMClassifier, LGBMRegressor

    regression = y.dtype.kind == "f" if regression is None else regression
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    forest = (LGBMRegressor if regression else LGBMClassifier)(
        boosting_type="rf",
        num_leaves=32,
        max_depth=5,
        subsample=0.632,
        subsample_freq=1,
        colsample_bytree=0.1,
        importance_type="gain",
        n_jobs=1,
        verbose=-1,
    )
    search = BorutaPy(forest, n_estimators="auto", max_iter=100, random_state=seed)
    return search.fit(X, y).support_.astype(int)


def outcome(method: Callable[..., np.ndarray], name: str, seed: int) -> Outcome:
    """Fit one data set and compare."""
    X, y, truth = data(name, seed)
    start = time.process_time()
    found = method(X, y, seed)
    seconds = time.process_time() - start
    return Outcome(_measures(found, truth), seconds)


def _measures(found: np.ndarray, truth: np.ndarray) -> tuple[float, ...]:
    precision, recall = _hits(found > 0, truth > 0)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return (f1, *_hits(found == 2, truth == 2), *_hits(found == 1, truth == 1))


def _hits(found: np.ndarray, true: np.ndarray) -> tuple[float, float]:
    """Precision and recall; NaN if there is nothing to find, 0 if nothing is found."""
    if not true.any():
        return np.nan, np.nan
    both = (found & true).sum()
    return float(both / max(found.sum(), 1)), float(both / true.sum())


def accuracy(names: tuple[str, ...], methods: dict[str, tuple[Any, int]]) -> Iterator[str]:
    """One line per data set and method, then the means over the sets."""
    yield f"| method | data | {' | '.join(MEASURES)} | CPU s |"
    yield "|---|---|" + "---|" * (len(MEASURES) + 1)
    for label, (method, n_seeds) in methods.items():
        if not n_seeds:
            continue
        rows = []
        for name in names:
            found = [outcome(method, name, FIRST_SEED + seed) for seed in range(n_seeds)]
            row = np.append(
                _means([o.measures for o in found]), np.mean([o.seconds for o in found])
            )
            rows.append(row)
            yield _row(label, name, row)
        yield _row(f"**{label}**", "**mean of the sets**", _means(rows))


def _means(rows: list[Any]) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a class that no truth has
        return np.nanmean(np.array(rows, dtype=float), axis=0)


def _row(label: str, name: str, row: np.ndarray) -> str:
    cells = ["" if np.isnan(value) else f"{value:.3f}" for value in row[:-1]]
    return f"| {label} | {name} | {' | '.join(cells)} | {row[-1]:.1f} |"


def oracle(n_seeds: int) -> Iterator[str]:
    """What who knows everything sees of friedman2's two columns of little weight, and of counts."""
    yield "| data | column | standard errors: mean | least | most |"
    yield "|---|---|---|---|---|"
    for noise_share in (0.1, 0.02, 0.0, None):
        is_counts = noise_share is None
        label = "counts" if is_counts else f"friedman2, noise {noise_share:g} of the spread"
        for column in (0, 1, 2) if is_counts else (0, 3):
            seen = [without_one(FIRST_SEED + k, noise_share, column) for k in range(n_seeds)]
            cells = f"{np.mean(seen):.1f} | {min(seen):.1f} | {max(seen):.1f}"
            yield f"| {label} | x{column} | {cells} |"


def recipes(n_seeds: int) -> Iterator[str]:
    """The thesis's program, and with one point of it after the other as the text has it."""
    yield "| the program | F1 | strong P | strong R | weak P | weak R |"
    yield "|---|---|---|---|---|---|"
    variants = {"as it is": PUBLISHED}
    for one in fields(SquamishRecipe):
        text = getattr(AS_WRITTEN, one.name)
        variants[f"but `{one.name}={text}`"] = replace(PUBLISHED, **{one.name: text})
    for label, recipe in (variants | {"the text": AS_WRITTEN}).items():
        method = partial(squamish, recipe=recipe)
        by_set = [
            _means([outcome(method, name, FIRST_SEED + k).measures for k in range(n_seeds)])
            for name in OF_RECIPES
        ]
        yield f"| {label} | {' | '.join(f'{value:.2f}' for value in _means(by_set))} |"


def beside_program(n_seeds: int, program: Callable[..., np.ndarray]) -> Iterator[str]:
    """The thesis's own program and ours on the same data, which have equal weights as the thesis's.

    Bootstrap samples of the linear sets, on which the thesis reports, are there as well.
    """
    yield "| data | program: F1 | strong R | ours: F1 | strong R |"
    yield "|---|---|---|---|---|"
    for name in OF_RECIPES:
        for drawn in (False, True) if name in LINEAR else (False,):
            rows = []
            for seed in range(FIRST_SEED, FIRST_SEED + n_seeds):
                X, y, truth = data(name, seed, "unit")
                if drawn:
                    some = np.random.default_rng(seed).integers(len(X), size=len(X))
                    X, y = X[some], y[some]
                found = program(X, y, seed), squamish(X, y, seed, PUBLISHED)
                rows.append([_measures(classes, truth)[k] for classes in found for k in (0, 2)])
            cells = " | ".join(f"{value:.2f}" for value in _means(rows))
            yield f"| {name}{', bootstrap samples' if drawn else ''} | {cells} |"


def _program_in(path: str | None) -> Callable[..., np.ndarray]:
    if path is None:
        raise SystemExit("the part `program` needs --program FILE")
    return runpy.run_path(path)["classes"]


def noise(n_runs: int) -> Iterator[str]:
    """How often something is found where there is nothing."""
    yield "| data | runs | runs that select anything | features selected |"
    yield "|---|---|---|---|"
    shapes = {
        "20 normal features, 200 samples": {"n_samples": 200, "n_irrelevant": 20},
        "60 normal features, 300 samples": {"n_samples": 300, "n_irrelevant": 60},
        "20 normal features, 200 samples, number as target": {
            "n_samples": 200,
            "n_irrelevant": 20,
            "n_classes": None,
        },
    }
    total = []
    for label, shape in shapes.items():
        counts = []
        for seed in range(n_runs):
            X, y, _ = make_nonlinear(kind="noise", random_state=FIRST_SEED_OF_NOISE + seed, **shape)
            kind = ForestRelevanceRegressor if y.dtype.kind == "f" else ForestRelevanceClassifier
            counts.append(int(kind(random_state=seed).fit(X, y).support_.sum()))
        total += counts
        yield f"| {label} | {n_runs} | {np.count_nonzero(counts)} | {sum(counts)} |"
    share = np.count_nonzero(total) / len(total)
    yield f"| **all** | {len(total)} | {np.count_nonzero(total)} ({share:.1%}) | {sum(total)} |"


def real(n_folds: int) -> Iterator[str]:
    """Held-out score of a random forest with all, our and Boruta's features."""
    yield (
        "| data | score, all features | ours | Boruta | ours − all ± s.e. | ours − Boruta ± s.e. "
        "| features: all, ours, Boruta |"
    )
    yield "|---|---|---|---|---|---|---|"
    digits = real_data.load_digits()
    pair = np.isin(digits.target, (3, 8))
    tables = {
        "breast cancer": real_data.load_breast_cancer(return_X_y=True),
        "wine": real_data.load_wine(return_X_y=True),
        "diabetes": real_data.load_diabetes(return_X_y=True),
        "digits 3 and 8": (digits.data[pair], digits.target[pair]),
    }
    for name, (X, y) in tables.items():
        yield _real_row(name, X, y, n_folds)


def _real_row(name: str, X: np.ndarray, y: np.ndarray, n_folds: int) -> str:
    regression = name == "diabetes"
    ours_kind = ForestRelevanceRegressor if regression else ForestRelevanceClassifier
    model_kind = RandomForestRegressor if regression else RandomForestClassifier
    splitter = KFold if regression else StratifiedKFold
    scores, sizes = [], []
    folds = splitter(n_folds, shuffle=True, random_state=0).split(X, y)
    for k, (learn, judge) in enumerate(folds):
        mine = ours_kind(random_state=k).fit(X[learn], y[learn]).support_
        theirs = boruta(X[learn], y[learn], k, regression) > 0
        picks = [np.ones(X.shape[1], dtype=bool), mine, theirs]
        row = []
        for pick in picks:
            model = model_kind(300, random_state=0, n_jobs=1)
            model.fit(X[np.ix_(learn, pick)], y[learn])
            row.append(model.score(X[np.ix_(judge, pick)], y[judge]))
        scores.append(row)
        sizes.append([pick.sum() for pick in picks])
    table = np.array(scores)
    means = table.mean(axis=0)
    cells = [f"{value:.3f}" for value in means]
    for other in (0, 2):
        gap = table[:, 1] - table[:, other]
        cells.append(f"{gap.mean():+.3f} ± {gap.std(ddof=1) / np.sqrt(len(gap)):.3f}")
    count = ", ".join(f"{value:.1f}" for value in np.mean(sizes, axis=0))
    return f"| {name} | {' | '.join(cells)} | {count} |"


def main() -> None:
    """Print the tables, and write them into the docs if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--others", type=int, default=2, help="seeds of the other methods")
    parser.add_argument("--folds", type=int, default=10, help="of the real data")
    parser.add_argument("--runs", type=int, default=40, help="of each kind of noise")
    parser.add_argument("--parts", default=PARTS)
    parser.add_argument("--program", help="a file that does what the thesis's program does")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    seeds, few = arguments.seeds, arguments.others
    mine: dict[str, tuple[Any, int]] = {"ours": (ours, seeds)}
    others: dict[str, tuple[Any, int]] = {
        "thesis's program": (partial(squamish, recipe=PUBLISHED), few),
        "thesis's text": (partial(squamish, recipe=AS_WRITTEN), few),
    }
    rivals: dict[str, tuple[Any, int]] = others | {"BorutaPy": (boruta, few)}
    beside: dict[str, tuple[Any, int]] = mine | {"BorutaPy": (boruta, few)}
    counted = f"{seeds} seeds"
    and_others = f", {few} of the other methods" if few else ""
    parts: dict[str, tuple[str, Callable[[], Iterator[str]]]] = {
        "thesis": (f"{counted}{and_others}", lambda: accuracy(THESIS, mine | rivals)),
        "linear": (f"{counted}{and_others}", lambda: accuracy(tuple(LINEAR), mine | others)),
        "hard": (counted, lambda: accuracy(HARD, mine)),
        "noise": (f"{arguments.runs} runs of each kind", lambda: noise(arguments.runs)),
        "real": (f"{arguments.folds} folds", lambda: real(arguments.folds)),
        "difficult": (f"{counted}{and_others}", lambda: accuracy(tuple(DIFFICULT), beside)),
        "unseen": (f"{counted}{and_others}", lambda: accuracy(tuple(UNSEEN), beside)),
        "further": (counted, lambda: accuracy(tuple(FURTHER), mine)),
        "oracle": (counted, lambda: oracle(seeds)),
        "program": (counted, lambda: beside_program(seeds, _program_in(arguments.program))),
        "recipe": (f"{few} seeds of {', '.join(OF_RECIPES)}", lambda: recipes(few)),
    }
    warnings.simplefilter("ignore")
    for part in arguments.parts.split(","):
        title, make = parts[part]
        lines = [f"{title[0].upper()}{title[1:]}.", ""]
        print(f"\n## {part}\n\n{lines[0]}\n", flush=True)
        for line in make():
            print(line, flush=True)
            lines.append(line)
        if arguments.write:
            write_between("forest.md", part, "\n".join(lines))


if __name__ == "__main__":
    main()
