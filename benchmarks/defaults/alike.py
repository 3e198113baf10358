"""Numbers of which many are the same: the middle says little of their features."""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LassoCV
from sklearn.metrics import r2_score
from sklearn.preprocessing import StandardScaler

from benchmarks.defaults.data import Random, random_of
from benchmarks.defaults.fits import Outcome, Setup, discoveries, fit
from benchmarks.defaults.page import Page

USUAL = 8
ROWS, COLUMNS, OTHERS = 400, 20, 4000
EFFECTS = np.array([0.6, -0.6, 0.5, 0.5])
KINDS = ("visits", "costs", "hours", "ratings", "a mixture of two places", "plain")
WAYS = {"default": {}, "middle": {"loss": "epsilon_insensitive"}}
BARS = {"found": ("≥", 0.8), "false share": ("≤", 0.06)}
NOISE_BARS = {"selects anything": ("≤", 0.1), "noise selected": ("≤", 0.005)}


def run(setup: Setup, page: Page) -> None:
    """One row per kind and way; then noise alone."""
    table = page.table(
        "Numbers of which many are the same",
        f"Four effects of {COLUMNS}, {ROWS} rows. *Visits* are counts that vary more than "
        "Poisson's, seven of ten are 0; *costs* are 0 for two of three; *hours* are 0 below some "
        "level, for more than half; *ratings* have five values, one of them for more than half; of "
        "a *mixture* of two places more than half of the rows are near one; *plain* ones are "
        "normal. *R²* is that on other rows; *middle* is the absolute loss throughout, *Huber* the "
        "share of the runs that take the other one. Noise alone is these targets beside columns of "
        "others.",
        {"found": 2, "false share": 3, "R²": 3, "Huber": 2, "selects anything": 3}
        | {"noise selected": 4, "CPU s": 1},
    )
    for kind in KINDS:
        for name in WAYS:
            if setup.wants(label := f"{kind}: {name}"):
                found = setup.each(outcome, setup.numbers(USUAL), kind, WAYS[name], setup)
                table.row(label, found, BARS if name == "default" else None)
        if setup.wants(label := f"{kind}: lasso"):
            table.row(label, setup.each(lasso, setup.numbers(USUAL), kind))
    for kind in KINDS:
        if setup.wants(label := f"{kind}: noise alone"):
            found = setup.each(noise, setup.numbers(2 * USUAL), kind, setup)
            table.row(label, found, NOISE_BARS)


def draw(kind: str, n: int, random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Columns that share a little, of which the first four have effects."""
    X = 0.9 * random.standard_normal((n, COLUMNS)) + 0.45 * random.standard_normal((n, 1))
    score = X[:, : len(EFFECTS)] @ EFFECTS
    if kind == "visits":
        y = random.poisson(np.exp(0.7 * score - 1.4) * random.gamma(2.0, 0.5, n))
    elif kind == "costs":
        y = (random.random(n) < expit(score - 0.9)) * random.gamma(1.5, np.exp(0.3 * score))
    elif kind == "hours":
        y = np.maximum(score + random.logistic(scale=0.7, size=n) - 0.3, 0.0)
    elif kind == "ratings":
        y = np.digitize(score + random.logistic(size=n), [-3.0, -1.5, 1.5, 3.0])
    elif kind == "a mixture of two places":
        y = 3.0 * (random.random(n) < expit(score - 0.6)) + 0.3 * random.standard_normal(n)
    else:
        y = score + 1.2 * random.standard_normal(n)
    return X, y.astype(float)


def outcome(seed: int, kind: str, options: dict[str, str], setup: Setup) -> Outcome | None:
    """One fit with effects."""
    random = random_of(seed, "alike", kind)
    X, y = draw(kind, ROWS, random)
    found = fit("regression", X, y, seed, setup, **options)
    if found.model is None:
        return None
    return {
        **discoveries(found.selected, np.arange(COLUMNS) < len(EFFECTS)),
        "R²": found.model.score(*draw(kind, OTHERS, random)),
        "Huber": float(found.model.loss_ == "huber"),
        "CPU s": found.seconds,
    }


def lasso(seed: int, kind: str) -> Outcome:
    """What a lasso that is tuned for prediction uses and predicts."""
    random = random_of(seed, "alike", kind)
    X, y = draw(kind, ROWS, random)
    scaler = StandardScaler().fit(X)
    model = LassoCV(cv=5).fit(scaler.transform(X), y)
    others, target = draw(kind, OTHERS, random)
    return {
        **discoveries(model.coef_ != 0, np.arange(COLUMNS) < len(EFFECTS)),
        "R²": float(r2_score(target, model.predict(scaler.transform(others)))),
    }


def noise(seed: int, kind: str, setup: Setup) -> Outcome | None:
    """One fit to columns without effect."""
    random = random_of(seed, "alike, noise", kind)
    X, y = draw(kind, ROWS, random)[0], draw(kind, ROWS, random)[1]
    found = fit("regression", X, y, seed, setup)
    if found.model is None:
        return None
    return {
        "Huber": float(found.model.loss_ == "huber"),
        "selects anything": float(found.selected.any()),
        "noise selected": float(found.selected.mean()),
        "CPU s": found.seconds,
    }
