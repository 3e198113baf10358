"""How often the set of equivalent models holds the best model of the population."""

from __future__ import annotations

import numpy as np

from benchmarks.defaults.data import Data, autoregressive, chain_effects, hidden_factors, random_of
from benchmarks.defaults.fits import Fit, Outcome, Setup, fit
from benchmarks.defaults.page import Page

USUAL = 20
ROWS = 300
POPULATION = 30_000  # rows: its best model is a hundred times nearer to the truth
DESIGNS = ("AR 0.0", "AR 0.5", "AR 0.9", "hidden factors")
TOLERANCES = {
    "default": {},
    "bootstrap": {"tolerance": "bootstrap", "budget": "joint"},
}


def run(setup: Setup, page: Page) -> None:
    """One row per task, design and tolerance."""
    table = page.table(
        "Does the set hold the population's best model?",
        f"{ROWS} rows; the best model is that of {POPULATION:,} others, with C times rows the "
        "same. *False strong* is the share of runs that call a feature without effect strong.",
        {"holds it": 2, "tolerance": 3, "false strong": 2, "CPU s": 1},
    )
    for task in ("regression", "classification"):
        for design in DESIGNS:
            if not setup.wants(f"{task}, {design}"):
                continue
            found = setup.each(outcomes, setup.numbers(USUAL), task, design, setup)
            for name in TOLERANCES:
                label = f"{task}, {design}: {name}"
                if all(each.get(name) == {} for each in found):
                    table.row(f"{label}, not known to the estimator", [])
                    continue
                bars = {"holds it": ("≥", 0.95)} if name == "bootstrap" else {}
                table.row(label, [each[name] for each in found], bars)


def outcomes(seed: int, task: str, design: str, setup: Setup) -> dict[str, Outcome | None]:
    """Every tolerance on one sample; {} for one that the estimator does not know."""
    random = random_of(seed, "coverage", task, design)
    effects = chain_effects(random)
    sample, others = (_draw(task, design, n, effects, random) for n in (ROWS, POPULATION))
    found: dict[str, Outcome | None] = {}
    best: dict[tuple[float, float], Fit] = {}
    for name, options in TOLERANCES.items():
        try:
            fitted = fit(task, sample.X, sample.y, seed, setup, **options)
        except ValueError as error:
            if "tolerance" not in str(error):
                raise
            found[name] = {}
            continue
        found[name] = None
        if fitted.model is None:
            continue
        key = (fitted.model.C_, getattr(fitted.model, "epsilon_", 0.0))
        if key not in best:
            best[key] = _best(task, others, key, setup)
        if best[key].model is not None:
            found[name] = _outcome(fitted, best[key], sample, others)
    return found


def _draw(task: str, design: str, n: int, effects: np.ndarray, random: np.random.Generator) -> Data:
    if design == "hidden factors":
        return hidden_factors(task, n, random, effects=effects)
    return autoregressive(task, float(design[3:]), n, random, effects=effects)


def _best(task: str, others: Data, key: tuple[float, float], setup: Setup) -> Fit:
    """The model that minimises the same objective on many more rows."""
    C, epsilon = key
    options = {"C": C * ROWS / POPULATION, "epsilon": epsilon, "tolerance": 1e-3, "n_probes": 2}
    return fit(task, others.X, others.y, 0, setup, **options)


def _outcome(fitted: Fit, best: Fit, sample: Data, others: Data) -> Outcome:
    strong = fitted.model.relevance_classes_ == 2
    return {
        "holds it": float(_holds(fitted, best, sample, others)),
        "tolerance": float(np.max(fitted.model.tolerance_)),
        "false strong": float(strong[~sample.truth].any()),
        "CPU s": fitted.seconds,
    }


def _holds(fitted: Fit, best: Fit, sample: Data, others: Data) -> bool:
    """Whether the best model keeps the budgets, its weights put into the sample's units."""
    reference = best.model.equivalent_models_.reference
    raw = reference.weights / others.X.std(axis=0)
    offset = reference.offsets[0] - raw @ others.X.mean(axis=0)
    if hasattr(best.model, "epsilon_"):  # a regression, whose target is standardised, too
        scale = others.y.std() / sample.y.std()
        centre = (others.y.mean() - sample.y.mean()) / sample.y.std()
        raw, offset = raw * scale, offset * scale + centre
    weights = raw * sample.X.std(axis=0)
    offset += raw @ sample.X.mean(axis=0)
    models = fitted.model.equivalent_models_
    loss = models.pieces.loss(models.X.scores(weights), np.array([offset]))
    norm = float(np.abs(weights).sum())
    return all(
        budget.norm * norm + budget.loss * loss <= budget.limit * (1.0 + 1e-9)
        for budget in models.budgets
    )
