"""The forest estimators keep scikit-learn's contract, in pipelines, searches and on disk."""

import inspect
import pickle
from copy import deepcopy

import numpy as np
import pandas as pd
import polars as pl
import pytest
from forest_cases import NAMES, classifier, regressor, signal
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_validate
from sklearn.pipeline import Pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from allrelevant import ForestRelevanceClassifier, ForestRelevanceRegressor


# Trees have their own tests; here the quick learner does.
@pytest.mark.slow
@parametrize_with_checks([classifier(estimator="linear"), regressor(estimator="linear")])
@pytest.mark.filterwarnings("ignore:no learnable signal", "ignore:No features were selected")
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", [ForestRelevanceClassifier, ForestRelevanceRegressor])
def test_parameters_are_given_by_name_only_and_survive_clone(kind):
    parameters = inspect.signature(kind).parameters.values()
    assert {parameter.kind for parameter in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    changed = kind().set_params(estimator="linear", alpha=0.1, redundancy=0.8, max_blocks=3)
    assert clone(changed).get_params() == changed.get_params()


def test_kind_of_estimator():
    assert is_classifier(classifier())
    assert is_classifier(classifier(ordinal=True))
    assert is_regressor(regressor())


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = signal()
    return classifier().fit(pd.DataFrame(X, columns=NAMES), y)


@pytest.mark.slow
def test_selecting(fitted):
    X, _, truth = signal()
    frame = pd.DataFrame(X, columns=NAMES)
    kept = [name for name, c in zip(NAMES, truth, strict=True) if c]
    np.testing.assert_array_equal(fitted.get_support(), truth > 0)
    assert fitted.get_feature_names_out().tolist() == kept
    np.testing.assert_array_equal(fitted.transform(frame), X[:, truth > 0])
    strong = deepcopy(fitted).set_params(select="strong")
    assert strong.get_feature_names_out().tolist() == ["age", "dose"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_in_frames_out(fitted, kind):
    X, _, truth = signal()
    frame = pd.DataFrame(X, columns=NAMES) if kind == "pandas" else pl.DataFrame(X, schema=NAMES)
    out = deepcopy(fitted).set_output(transform=kind).transform(frame)
    assert type(out) is type(frame)
    assert list(out.columns) == [name for name, c in zip(NAMES, truth, strict=True) if c]


def test_predictions_probabilities_and_score(fitted):
    X, y, _ = signal()
    test_X, test_y, _ = signal(seed=0, n=600)
    frame = pd.DataFrame(X, columns=NAMES)
    probabilities = fitted.predict_proba(frame)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(fitted.predict(frame), probabilities.argmax(axis=1))
    assert fitted.score(frame, y) > 0.9
    assert fitted.predict(pd.DataFrame(test_X, columns=NAMES)).shape == test_y.shape


def test_irrelevant_columns_do_not_change_predictions(fitted):
    X, _, truth = signal()
    other = X.copy()
    other[:, truth == 0] = 7.0
    before = fitted.predict_proba(pd.DataFrame(X, columns=NAMES))
    after = fitted.predict_proba(pd.DataFrame(other, columns=NAMES))
    np.testing.assert_array_equal(before, after)


def test_pickling(fitted):
    X, _, _ = signal()
    frame = pd.DataFrame(X, columns=NAMES)
    loaded = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(loaded.predict_proba(frame), fitted.predict_proba(frame))
    assert loaded.result_ == fitted.result_


@pytest.mark.slow
def test_in_a_pipeline_and_cross_validation():
    X, y, _ = signal(240)
    pipeline = Pipeline(
        [
            ("select", classifier(estimator="linear")),
            ("model", RandomForestClassifier(20, random_state=0)),
        ]
    )
    scores = cross_validate(pipeline, X, y, cv=2, return_estimator=True, error_score="raise")
    for estimator in scores["estimator"]:
        assert estimator["model"].n_features_in_ == estimator["select"].support_.sum()


def test_ordered_classes_have_no_probabilities():
    assert not hasattr(classifier(ordinal=True), "predict_proba")
    assert hasattr(classifier(), "predict_proba")


def test_not_fitted():
    with pytest.raises(NotFittedError):
        classifier().predict(np.zeros((2, 2)))
