"""Baselines that people bring: their norm and loss define the set, and every question works."""

import numpy as np
import pandas as pd
import pytest
from oracle import FullProblem, relevance
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import HuberRegressor, Lasso, LogisticRegression, Ridge, SGDClassifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from allrelevant import (
    OrdinalRelevanceClassifier,
    RejectOptionRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from allrelevant.datasets import make_classification, make_ordinal, make_regression
from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.models import Classification, Regression

QUICK = {"n_probes": 10, "tolerance": 0.01, "random_state": 0}


@pytest.fixture(scope="module")
def classes():
    X, y, _ = make_classification(
        60, n_strong=1, n_weak=2, n_irrelevant=2, noise=0.3, random_state=0
    )
    return X * [1.0, 10.0, 0.1, 1.0, 3.0] + [0, 5, 0, 1, 0], np.where(y > 0, "yes", "no")


@pytest.fixture(scope="module")
def numbers():
    X, y, _ = make_regression(
        60, n_strong=1, n_weak=2, n_irrelevant=2, label_noise=0.3, random_state=0
    )
    return X * [1.0, 10.0, 0.1, 1.0, 3.0] + 2.0, 40.0 * y + 7.0


def by_hand(model, X, y, coefficients, intercept, loss):
    """Intervals over all models within the norm and the loss of one, from full programs."""
    scale = X.std(axis=0)
    Z = (X - X.mean(axis=0)) / scale
    if loss == "numbers":
        unit = y.std()
        pieces = Regression(model.epsilon_).pieces((y - y.mean()) / unit, np.ones(len(y)))
        offset = (intercept + coefficients @ X.mean(axis=0) - y.mean()) / unit
    else:
        unit = 1.0
        pieces = Classification().pieces(np.where(y == "yes", 1.0, -1.0), np.ones(len(y)))
        offset = intercept + coefficients @ X.mean(axis=0)
    weights = coefficients * scale / unit
    norm, paid = np.abs(weights).sum(), pieces.loss(Z @ weights, np.array([offset]))
    assert model.result_.baseline["norm"] == pytest.approx(norm)
    assert model.result_.baseline["loss"] == pytest.approx(paid)
    budgets = [Budget(1.0, 0.0, 1.01 * norm), Budget(0.0, 1.0, 1.01 * paid)]
    return relevance(FullProblem(Z, pieces).signed_intervals(budgets)) / norm


@pytest.mark.slow
@pytest.mark.parametrize(
    "baseline",
    [
        LogisticRegression(),
        LinearSVC(C=0.1),
        make_pipeline(StandardScaler(), LogisticRegression(C=0.5)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_intervals_are_those_of_the_models_own_norm_and_loss(classes, baseline):
    X, y = classes
    model = RelevanceClassifier(baseline=baseline, **QUICK).fit(X, y)
    own = clone(baseline).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), own.decision_function(X), rtol=1e-6)
    assert (model.predict(X) == own.predict(X)).all()
    origin = own.decision_function(np.zeros((1, 5)))[0]
    slopes = own.decision_function(np.eye(5)) - origin
    expected = by_hand(model, X, y, slopes, origin, "classes")
    np.testing.assert_allclose(model.intervals_, expected, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("baseline", [Ridge(), Lasso(alpha=2.0), HuberRegressor(max_iter=2000)])
def test_the_same_for_numbers(numbers, baseline):
    X, y = numbers
    model = RelevanceRegressor(baseline=baseline, **QUICK).fit(X, y)
    own = clone(baseline).fit(X, y)
    np.testing.assert_allclose(model.predict(X), own.predict(X), rtol=1e-9)
    expected = by_hand(model, X, y, own.coef_, own.intercept_, "numbers")
    np.testing.assert_allclose(model.intervals_, expected, atol=1e-6)
    numbers_of = model.result_.baseline
    assert numbers_of["least_loss"] <= numbers_of["loss"] * (1 + 1e-9)
    assert f"{type(baseline).__name__}" in str(model.result_)


def test_a_fitted_model_is_taken_as_it_is(classes):
    X, y = classes
    known = SGDClassifier(random_state=0).fit(X[:30] / X.std(axis=0), y[:30])
    known.coef_ /= X.std(axis=0)
    before = known.coef_.copy()
    model = RelevanceClassifier(baseline=known, prefit=True, **QUICK).fit(X, y)
    np.testing.assert_allclose(model.coef_, before, rtol=1e-9)
    assert model.result_.baseline["score"] == pytest.approx(known.score(X, y))
    frozen = RelevanceClassifier(baseline=FrozenEstimator(known), **QUICK)
    np.testing.assert_allclose(frozen.fit(X, y).intervals_, model.intervals_)
    np.testing.assert_allclose(clone(frozen).fit(X, y).intervals_, model.intervals_)


def test_classes_in_another_order_and_frames(classes):
    X, y = classes
    frame = pd.DataFrame(X, columns=list("abcde"))
    known = make_pipeline(StandardScaler(), LogisticRegression()).fit(frame, y == "no")
    swapped = known[-1]
    swapped.classes_ = np.array(["yes", "no"])
    model = RelevanceClassifier(baseline=known, prefit=True, **QUICK).fit(frame, y)
    assert (model.predict(frame) == np.where(known.decision_function(frame) > 0, "no", "yes")).all()


@pytest.mark.slow
def test_weights_of_classes_are_the_models_own(classes):
    X, y = classes
    rare = np.flatnonzero((y == "no") | (np.arange(60) % 3 == 0))
    X, y = X[rare], y[rare]
    plain = RelevanceClassifier(baseline=LogisticRegression(), **QUICK).fit(X, y)
    assert plain.offset_shift_ == 0.0
    own = LogisticRegression(class_weight="balanced")
    weighed = RelevanceClassifier(baseline=own, **QUICK).fit(X, y)
    asked = RelevanceClassifier(baseline=own, class_weight="balanced", **QUICK).fit(X, y)
    np.testing.assert_allclose(weighed.intervals_, asked.intervals_)


def test_rows_given_twice_count_twice(classes):
    X, y = classes
    twice = RelevanceClassifier(baseline=LogisticRegression(), **QUICK)
    twice.fit(np.vstack([X, X[:20]]), np.append(y, y[:20]))
    own = LogisticRegression().fit(np.vstack([X, X[:20]]), np.append(y, y[:20]))
    np.testing.assert_allclose(twice.coef_, own.coef_, atol=1e-4)
    weight = np.linspace(0.5, 1.5, 60)
    weighed = RelevanceClassifier(baseline=LogisticRegression(tol=1e-8), **QUICK)
    weighed.fit(X, y, sample_weight=weight)
    assert weighed.baseline.get_params() == LogisticRegression(tol=1e-8).get_params()


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_least_euclidean_norm(classes, budget):
    X, y = classes
    model = RelevanceClassifier(baseline="l2", C=0.5, budget=budget, class_weight=None, **QUICK)
    model.fit(X, y)
    norm, loss = model.result_.baseline["norm"], model.result_.baseline["loss"]
    # ‖w‖₂ + C·loss has the minima of ½‖w‖₂² + C‖w‖₂·loss.
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    weights = model.coef_[0] * X.std(axis=0)
    machine = SVC(kernel="linear", C=0.5 * np.linalg.norm(weights), tol=1e-9).fit(Z, y)
    np.testing.assert_allclose(machine.coef_[0], weights, atol=1e-5)
    pieces = Classification().pieces(np.where(y == "yes", 1.0, -1.0), np.ones(60))
    budgets = [Budget(1.0, 0.5, 1.01 * (norm + 0.5 * loss))]
    if budget == "split":
        budgets = [Budget(1.0, 0.0, 1.01 * norm), Budget(0.0, 1.0, 1.01 * loss)]
    expected = relevance(FullProblem(Z, pieces).signed_intervals(budgets)) / norm
    np.testing.assert_allclose(model.intervals_, expected, atol=1e-6)


@pytest.mark.slow
def test_the_factor_is_chosen_for_least_euclidean_norm(classes):
    X, y = classes
    model = RelevanceClassifier(baseline="l2", **QUICK).fit(X, y)
    given = RelevanceClassifier(baseline="l2", C=model.C_, **QUICK).fit(X, y)
    np.testing.assert_allclose(given.intervals_, model.intervals_, atol=1e-6)
    assert model.score(X, y) > 0.7


def test_a_mean_loss_with_the_option_to_reject(classes):
    X, y = classes
    model = RejectOptionRelevanceClassifier(baseline="l2", C="mean", class_weight=None, **QUICK)
    model.fit(X, y)
    assert pytest.approx(1 / 60) == model.C_
    weights = model.coef_[0] * X.std(axis=0)
    offset = float(model.intercept_[0] + model.coef_[0] @ X.mean(axis=0))
    Z, sign = (X - X.mean(axis=0)) / X.std(axis=0), np.where(y == "yes", 1.0, -1.0)

    def cost(w, b):
        margin = sign * (Z @ w + b)
        paid = np.maximum(0, 1 - margin) + 3.0 * np.maximum(0, -margin)
        return float(w @ w) + paid.mean()

    random = np.random.default_rng(0)
    for size in 10.0 ** random.uniform(-5, 0, size=200):
        moved = cost(weights + size * random.normal(size=5), offset + size * random.normal())
        assert moved >= cost(weights, offset) - 1e-9


@pytest.mark.slow
def test_ordered_classes_of_least_euclidean_norm():
    X, y, _ = make_ordinal(
        80, n_strong=1, n_weak=2, n_irrelevant=2, n_classes=3, label_noise=0.2, random_state=0
    )
    model = OrdinalRelevanceClassifier(baseline="l2", **QUICK).fit(X, y)
    assert model.intervals_[:3, 1].min() > model.intervals_[3:, 1].max()
    assert model.score(X, y) > 0.7


@pytest.mark.slow
@pytest.mark.parametrize("baseline", ["l2", LogisticRegression()], ids=["l2", "given"])
def test_every_question_is_answered(classes, baseline, tmp_path):
    X, y = classes
    model = RelevanceClassifier(baseline=baseline, **(QUICK | {"tolerance": 0.4})).fit(X, y)
    assert model.what_if(forbid=[4]).intervals[4].tolist() == [0.0, 0.0]
    ranges = model.prediction_range(X)
    decision = model.decision_function(X)
    assert ((ranges.low <= decision + 1e-6) & (decision <= ranges.high + 1e-6)).all()
    assert len(model.groups().labels) == 5
    assert len(model.smallest_sets(1)) == 1
    witness = model.witness(0, "max")
    share = np.abs(witness.coef_[0][0] * X[:, 0].std()) / model.result_.baseline["norm"]
    assert share == pytest.approx(model.intervals_[0, 1], abs=1e-6)
    halves = model.stability(n_splits=2)
    assert halves.n_splits == 2
    page = tmp_path / "report.html"
    model.result_.report(page)
    assert "least loss" in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_scores_are_those_of_cross_validation(classes):
    X, y = classes
    model = RelevanceClassifier(baseline=LogisticRegression(), **QUICK).fit(X, y)
    usual = cross_val_score(LogisticRegression(), X, y, cv=5).mean()
    assert abs(model.result_.baseline["score"] - usual) < 0.08


def test_a_model_without_features_says_so(numbers):
    X, y = numbers
    with pytest.warns(UserWarning, match="Lasso, the baseline that was given, uses no feature"):
        model = RelevanceRegressor(baseline=Lasso(alpha=1e4), **QUICK).fit(X, y)
    assert not model.relevance_classes_.any()


def test_what_it_takes_to_flip_a_prediction(classes):
    X, y = classes
    model = RejectOptionRelevanceClassifier(C=1.0, **QUICK).fit(X, y)
    changes = model.flip_changes()
    for j in range(5):
        weights = [abs(model.witness(j, end).coef_[0, j]) for end in ("max", "min")]
        for found, weight in zip(changes[j], weights, strict=True):
            if model.intervals_[j, 0] == 0 and weight < 1e-9:
                assert found == np.inf
            else:
                assert found * weight == pytest.approx(2 * 0.2, rel=1e-4)
    # The most relevant column of the model that makes most of it: less does not flip any sample.
    j = int(np.argmin(changes[:, 0] / X.std(axis=0)))
    witness, step = model.witness(j, "max"), np.eye(5)[j] * changes[j, 0]

    def outcome(rows):
        decision = rows @ witness.coef_[0] + witness.intercept_[0]
        return np.where(np.abs(decision) <= 0.2, 0, np.sign(decision))

    assert (outcome(X) * outcome(X + 0.999 * step) >= 0).all()


def test_a_model_without_numbers_is_refused(classes):
    X, y = classes
    broken = LogisticRegression().fit(X, y)
    broken.coef_ = np.full_like(broken.coef_, np.nan)
    with pytest.raises(ValueError, match=r"coef_ or intercept_ of LogisticRegression is NaN"):
        RelevanceClassifier(baseline=broken, prefit=True, **QUICK).fit(X, y)


def test_heavy_rows_are_not_repeated(classes, monkeypatch):
    """Their numbers go to the model as weights, and it is that of repeated rows all the same."""
    X, y = classes
    heavy = np.where(np.arange(len(y)) % 7, 60, 301)
    asked = LogisticRegression(C=1e4, tol=1e-10, max_iter=10_000)
    alike = asked.fit(np.repeat(X, heavy, axis=0), np.repeat(y, heavy)).coef_
    lengths, repeat = [], np.repeat

    def noted(values, *args, **kwargs):
        found = repeat(values, *args, **kwargs)
        lengths.append(len(found))
        return found

    monkeypatch.setattr(np, "repeat", noted)
    model = RelevanceClassifier(baseline=asked, class_weight=None, **QUICK)
    model.fit(X, y, sample_weight=heavy)
    assert max(lengths, default=0) < heavy.sum()
    np.testing.assert_allclose(model.coef_, alike, rtol=1e-3)
