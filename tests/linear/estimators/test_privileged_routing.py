"""Privileged features find their way through scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn
from privileged_estimators import data, estimator, every_task
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler


@pytest.fixture
def metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:with privileged features the model predicts worse:UserWarning")
@every_task
@pytest.mark.usefixtures("metadata_routing")
def test_privileged_features_are_routed_through_a_pipeline(name):
    X, privileged, y = data(name)
    routed = estimator(name).set_fit_request(X_privileged=True)
    pipeline = Pipeline([("scale", StandardScaler()), ("relevance", routed)])
    pipeline.fit(X, y, X_privileged=privileged)
    expected = estimator(name).fit(StandardScaler().fit_transform(X), y, X_privileged=privileged)
    step = pipeline["relevance"]
    np.testing.assert_allclose(step.intervals_, expected.intervals_, atol=1e-9)
    np.testing.assert_allclose(
        step.privileged_intervals_, expected.privileged_intervals_, atol=1e-9
    )
    assert len(pipeline.predict(X)) == len(X)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:with privileged features the model predicts worse:UserWarning")
@every_task
@pytest.mark.usefixtures("metadata_routing")
def test_privileged_features_are_split_along_with_the_rows(name):
    X, privileged, y = data(name)
    test = np.arange(60) < 15
    folds = [(np.flatnonzero(~test), np.flatnonzero(test))]
    routed = estimator(name).set_fit_request(X_privileged=True)
    scores = cross_validate(
        routed,
        X,
        y,
        cv=folds,
        params={"X_privileged": privileged},
        return_estimator=True,
        error_score="raise",
    )
    train, test = folds[0]
    by_hand = estimator(name).fit(X[train], y[train], X_privileged=privileged[train])
    (fitted,) = scores["estimator"]
    np.testing.assert_array_equal(fitted.privileged_intervals_, by_hand.privileged_intervals_)
    assert scores["test_score"][0] == by_hand.score(X[test], y[test])


@pytest.mark.slow
@pytest.mark.usefixtures("metadata_routing")
def test_grid_search_over_gamma():
    X, privileged, y = data("ordinal-3")
    routed = estimator("ordinal-3").set_fit_request(X_privileged=True)
    search = GridSearchCV(routed, {"gamma": [0.1, 1.0], "C": [1e-6, 1.0]}, cv=2)
    search.set_params(error_score="raise")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # with C=1e-6 nothing is learned
        search.fit(X, y, X_privileged=privileged)
    assert search.best_params_["C"] == 1.0
    assert search.best_estimator_.gamma_ == search.best_params_["gamma"]


@pytest.mark.usefixtures("metadata_routing")
def test_without_a_request_privileged_features_are_not_passed_on_in_silence():
    X, privileged, y = data("ordinal-3")
    pipeline = Pipeline([("scale", StandardScaler()), ("relevance", estimator("ordinal-3"))])
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
        pipeline.fit(X, y, X_privileged=privileged)
