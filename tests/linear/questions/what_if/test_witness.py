"""Witnesses: models in the units of the columns that attain the ends of an interval."""

import json
import pickle
from copy import copy
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case, ordinal_cases

from allrelevant import RelevanceClassifier
from allrelevant.base.features import Features
from allrelevant.datasets import make_classification
from allrelevant.linear.engine.ranges.weight_range import End
from allrelevant.linear.questions import EquivalentModel

NAMES = ["age", "dose", "girth", "room", "day"]


@cache
def fitted(case):
    X, y = case.data()
    X = pd.DataFrame(X * [1.0, 100.0, 0.01, 5.0, 1.0] + [0.0, 30.0, 2.0, -7.0, 1.0], columns=NAMES)
    return case.make(tolerance=0.1).fit(X, y), X, y


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("standardize", [True, False])
def test_a_witness_attains_its_end_within_the_budgets(case, standardize):
    model = case.fitted(tolerance=0.1, standardize=standardize)
    found = model.result_.baseline
    for feature, interval in enumerate(model.intervals_):
        for bound, share in zip(("min", "max"), interval, strict=True):
            witness = model.witness(feature, bound)
            assert abs(witness.weights_[feature]) == pytest.approx(share, abs=1e-6)
            assert witness.norm_ <= 1.1 * found["norm"] * (1 + 1e-6)
            assert witness.loss_ <= 1.1 * found["loss"] * (1 + 1e-6) + 1e-6
            if share == 0:
                assert np.ravel(witness.coef_)[feature] == 0.0, "exactly 0, not nearly"


@pytest.mark.slow
@every_case
def test_coefficients_are_for_the_columns_as_they_came(case):
    model, X, _ = fitted(case)
    spread = X.to_numpy().std(axis=0)
    target = getattr(model.fitted_set_.decoder, "scale", 1.0)
    witness = model.witness("dose", "max")
    weights = np.ravel(witness.coef_) * spread / target
    np.testing.assert_allclose(weights, witness.weights_ * model.result_.baseline["norm"])
    assert np.abs(weights).sum() == pytest.approx(witness.norm_)
    assert witness.coef_.shape == model.coef_.shape


@every_case
def test_decisions_come_from_the_coefficients(case):
    model, X, y = fitted(case)
    witness = model.witness("age", "max")
    scores = X.to_numpy() @ np.ravel(witness.coef_)
    predicted = witness.predict(X)
    if case.is_ordinal:
        expected = model.classes_[np.searchsorted(witness.thresholds_, scores, side="left")]
        assert not hasattr(witness, "intercept_")
        assert (np.diff(witness.thresholds_) >= 0).all()
    else:
        scores = scores + witness.intercept_
        expected = scores if case.is_regression else model.classes_[(scores > 0).astype(int)]
        np.testing.assert_allclose(witness.decision_function(X), scores)
    if case.is_regression:
        np.testing.assert_allclose(predicted, expected)
    else:
        np.testing.assert_array_equal(predicted, expected)
    assert np.isfinite(witness.score(X, y))


@every_case
def test_loss_is_that_of_the_predictions(case):
    """The loss of the baseline, asked of a model that has its weights, is the baseline's."""
    model, *_ = fitted(case)
    reference = model.equivalent_models_.reference
    baseline = EquivalentModel(model.fitted_set_, reference.weights, reference.offsets)
    assert baseline.loss_ == pytest.approx(model.result_.baseline["loss"])
    assert baseline.norm_ == pytest.approx(model.result_.baseline["norm"])
    np.testing.assert_allclose(baseline.coef_, model.coef_)


@every_case
def test_features_are_named_by_name_and_position(case):
    model, *_ = fitted(case)
    by_name, by_place, from_behind = (model.witness(f, "max") for f in ("room", 3, -2))
    np.testing.assert_array_equal(by_name.coef_, by_place.coef_)
    np.testing.assert_array_equal(by_name.coef_, from_behind.coef_)
    used = np.flatnonzero(np.ravel(by_name.coef_))
    assert by_name.features_ == tuple(NAMES[k] for k in used)


@every_case
@pytest.mark.parametrize("bound", ["min", "max"])
def test_an_end_without_a_model_is_solved_for(case, bound):
    model, *_ = fitted(case)
    expected = [model.witness(k, bound) for k in range(len(NAMES))]
    model = copy(model)
    bounds = tuple(replace(r, low=End(r.low.value), high=End(r.high.value)) for r in model.ranges_)
    analysis = model.fitted_set_.analysis
    analysis = replace(analysis, found=replace(analysis.found, ranges=bounds))
    model.fitted_set_ = replace(model.fitted_set_, analysis=analysis)
    for k, witness in enumerate(expected):
        again = model.witness(k, bound)
        assert abs(again.weights_[k]) == pytest.approx(abs(witness.weights_[k]), abs=1e-6)


def test_where_nothing_is_learned_the_witness_is_a_constant():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    witness = model.witness(0, "max")
    assert witness.features_ == ()
    assert witness.loss_ == model.result_.baseline["loss"]
    assert len(set(witness.predict(X))) == 1
    assert "a constant" in repr(witness)


@ordinal_cases
def test_views(case):
    model, X, _ = fitted(case)
    witness = model.witness("dose", "max")
    frame = witness.to_frame()
    assert list(frame.columns) == ["feature", "weight", "coefficient"]
    assert (np.diff(frame["weight"].abs()) <= 0).all()
    document = json.loads(witness.to_json())
    assert document["features"] == list(witness.features_)
    assert document["thresholds"] == witness.thresholds_.tolist()
    assert document["coefficients"] == dict(
        zip(frame["feature"], frame["coefficient"], strict=True)
    )
    assert f"of {len(frame)} features" in repr(witness)
    again = pickle.loads(pickle.dumps(witness))
    np.testing.assert_array_equal(again.predict(X), witness.predict(X))


def test_a_witness_is_light_and_cannot_be_changed():
    model, *_ = fitted(CASES["classification"])
    witness = model.witness("age")
    assert len(pickle.dumps(witness)) < len(pickle.dumps(model)) / 2
    with pytest.raises(AttributeError, match="cannot be changed"):
        witness.coef_ = None
    for each in (witness, pickle.loads(pickle.dumps(witness))):
        for array in (each.coef_, each.weights_):
            with pytest.raises(ValueError, match="read-only"):
                array[:] = 0.0


@ordinal_cases
def test_its_thresholds_cannot_be_changed_either(case):
    model, *_ = fitted(case)
    with pytest.raises(ValueError, match="read-only"):
        model.witness("dose").thresholds_[0] = 0.0
    assert model.thresholds_.flags.writeable, "the estimator's own are not touched"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("height",), "feature names 'height', which is not a feature: .*'age', 'dose'"),
        ((5,), "feature names position 5, but there are 5 features"),
        ((-6,), "position -6"),
        ((None,), "feature names None"),
        (("age", "mean"), "bound must be one of 'min', 'max', got 'mean'"),
    ],
)
def test_bad_questions(arguments, message):
    model, *_ = fitted(CASES["classification"])
    with pytest.raises(ValueError, match=message):
        model.witness(*arguments)


def test_a_name_that_several_columns_have_is_refused():
    model = copy(CASES["classification"].fitted())
    alike = Features.of(["age", "age", "a", "b", "c"])
    model.fitted_set_ = replace(model.fitted_set_, features=alike)
    with pytest.raises(ValueError, match="'age', which several features are called"):
        model.witness("age")


def test_scores_of_several_models_are_those_of_each():
    X, y, _ = make_classification(60, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    model = RelevanceClassifier(C=1.0, n_probes=5, confidence=0.9, random_state=0).fit(X, y)
    models = [model.witness(j, bound) for j in range(4) for bound in ("min", "max")]
    assert models[0].scores_of(models, X, y) == [one.score(X, y) for one in models]
