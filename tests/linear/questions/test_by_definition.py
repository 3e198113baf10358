"""Privileged features, curves and models as baselines: every question by the definition itself."""

import warnings

import numpy as np
import pandas as pd
import pytest
from by_definition import Definition
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from allrelevant import (
    InfeasibleError,
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)

pytestmark = pytest.mark.slow

KINDS = {
    "classification": (RelevanceClassifier, {"class_weight": None, "loss": "hinge"}),
    "regression": (RelevanceRegressor, {"epsilon": 0.1}),
    "ordinal": (OrdinalRelevanceClassifier, {"class_weight": None, "loss": "hinge"}),
}
SCALED = make_pipeline(StandardScaler(), Lasso(0.05))
BASELINES = {
    "classification": [LinearSVC(), LogisticRegression()],
    "regression": [Ridge(), SCALED],
}
CASES = [
    *[("privileged", task, None) for task in KINDS],
    *[("curves", task, basis) for task in KINDS for basis in ("spline", "bins")],
    *[("given", task, one) for task, every in BASELINES.items() for one in every],
]


def fitted(group, task, how):
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(48, 4)), columns=["age", "dose", "girth", "room"])
    if group == "privileged":  # one feature tells the target, but for rows that `off` marks
        y = random.normal(size=48) if task == "regression" else np.arange(48) % 2
        y = np.arange(48) % 3 if task == "ordinal" else y
        size = random.uniform(1, 3, 48) * (random.random(48) < 0.25)
        X["age"] = 2 * y + size * random.choice([-1, 1], 48) + random.uniform(-0.2, 0.2, 48)
        X["dose"] = 2 * y + random.normal(size=48)
        known = pd.DataFrame({"off": size, "noise": random.normal(size=48)})
    else:
        X["room"] = X["age"] + 0.3 * X["room"]
        level = X["age"] - X["dose"] + 0.4 * random.normal(size=48)
        y = {"classification": level > 0, "regression": level}.get(
            task, np.digitize(level, [-0.7, 0.7])
        )
    kind, own = KINDS[task]
    own = own | {"tolerance": 0.1, "budget": "split", "n_probes": 5, "confidence": 0.9}
    if group == "privileged":
        own |= {"C": 1.0, "gamma": 0.3}
    elif group == "curves":
        X = X[["age", "dose", "room"]]
        own |= {"C": 1.0, "basis": how}
    else:
        own["baseline"] = how
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        more = {"X_privileged": known} if group == "privileged" else {}
        return kind(random_state=0, **own).fit(X, y, **more), X


@pytest.mark.parametrize(("group", "task", "how"), CASES, ids=lambda one: str(one)[:20])
def test_answers_are_those_of_the_definition(group, task, how):
    model, X = fitted(group, task, how)
    truth, inner = Definition(model), model.fitted_set_
    names, places = inner.result.names, inner.features.places
    assert (inner.analysis.problem.n_privileged > 0) == (group == "privileged")

    def same(found, expected):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)

    same(inner.result.intervals, [truth.relevance(own) for own in places])
    same(model.needed_up_to_, [truth.least_tolerance(own) for own in places])
    factors = [0.5, 2.0]
    path = model.path_over_tolerance(factors, features=names)
    bounds = model.path_over_tolerance(factors).feature_intervals
    for k, factor in enumerate(factors):
        limits = truth.exactly + factor * (truth.limits - truth.exactly)
        wanted = np.array([truth.relevance(own, limits=limits) for own in places])
        same(path.feature_intervals[k], wanted)
        assert (bounds[k, :, 0] <= wanted[:, 0] + 1e-6).all()
        assert (bounds[k, :, 1] >= wanted[:, 1] - 1e-6).all()
    predictions_are(model, truth, X, same)
    without_one_at_a_time(model, truth, X, same)
    names_of_columns = inner.features.columns
    random = np.random.default_rng(1)
    weights = random.normal(size=truth.d)
    found = model.range_of(dict(zip(names_of_columns, weights, strict=True)))
    same([found.low, found.high], np.array(truth.ends(truth.weights(weights))) / truth.norm)


def predictions_are(model, truth, X, same, **how):
    """Both ends of the predictions for two rows."""
    inner, rows = model.fitted_set_, X.iloc[[0, 3]]
    asked = {"forbid": [inner.result.names[j] for j in how.get("forbid", ())]}
    found = model.prediction_range(rows, **({} if not asked["forbid"] else asked))
    without = [k for j in how.get("forbid", ()) for k in inner.features.places[j]]
    samples = inner.scaling.apply(np.asarray(model._table(rows), dtype=float))
    scale, centre = inner.decoder.units
    for i, sample in enumerate(samples):
        cost, place = truth.weights(sample), 2 * truth.d
        if inner.result.task == "ordinal":
            for t in range(inner.model.n_classes - 1):
                steps = cost - np.eye(truth.size)[place + t]
                own = np.ravel(found.low[i])[t], np.ravel(found.high[i])[t]
                same(own, truth.ends(steps, without=without))
            continue
        cost[place] = inner.model.offset_sign * inner.placing.scale
        ends = np.array(truth.ends(cost, without=without)) + inner.placing.shift
        same([found.low[i], found.high[i]], scale * ends + centre)


def without_one_at_a_time(model, truth, X, same):
    """What becomes of the others, or the tolerance that it would take."""
    names, places = model.result_.names, model.fitted_set_.features.places
    for j, barred in enumerate(places):
        if truth.least(np.zeros(truth.size), without=barred) is None:
            with pytest.raises(InfeasibleError) as refused:
                model.what_if(forbid=[names[j]])
            expected = truth.least_tolerance(barred)
            np.testing.assert_allclose(refused.value.tolerance, expected, rtol=1e-3)
            continue
        found = model.what_if(forbid=[names[j]])
        same(found.intervals, [truth.relevance(own, without=barred) for own in places])
        predictions_are(model, truth, X, same, forbid=[j])
