"""The estimator in the company of scikit-learn."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from kernel_cases import few_labels
from kernel_estimators import fixed
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from allrelevant import OrdinalKernelClassifier


@pytest.mark.slow
@parametrize_with_checks(
    [
        OrdinalKernelClassifier(ridge=(1e-3, 0.1), mu=(0.0, 1.0), gamma=0.3),
        fixed(solver="nystroem", n_landmarks=20, weights="propagation"),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def test_defaults_are_the_documented_ones():
    assert OrdinalKernelClassifier().get_params() == {
        "graph": "input",
        "weights": None,
        "kernel_learning": False,
        "gamma": "cv",
        "ridge": "cv",
        "mu": "cv",
        "n_neighbors": 7,
        "rank": 0.5,
        "separation": "average",
        "penalty": "scaled",
        "thresholds": "logistic",
        "solver": "auto",
        "n_landmarks": 500,
        "standardize": True,
        "classes": None,
        "cv": 5,
        "n_repeats": "auto",
        "n_jobs": None,
        "random_state": None,
        "verbose": 0,
    }


# In the company of scikit-learn


def test_pipeline_search_clone_and_pickle():
    X, y, truth = few_labels(80)
    pipeline = make_pipeline(StandardScaler(), fixed(standardize=False))
    search = GridSearchCV(pipeline, {"ordinalkernelclassifier__ridge": [1e-3, 10.0]}, cv=2)
    search.fit(X, truth)
    assert search.best_params_["ordinalkernelclassifier__ridge"] in (1e-3, 10.0)
    assert cross_val_score(fixed(), X, truth, cv=3).min() > 0.6
    model = OrdinalKernelClassifier(gamma=(0.1, 1.0), ridge=0.1, mu=0.0).fit(X, y)
    assert clone(model).get_params() == model.get_params()
    loaded = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_projection_as_a_frame_and_no_warning_about_names():
    X, y, _ = few_labels(60)
    model = fixed().set_output(transform="pandas")
    frame = pd.DataFrame(X).add_prefix("c")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        projected = model.fit(frame, y).transform(frame)
        assert len(model.predict(frame)) == 60
    assert list(projected.columns) == ["ordinalkernelclassifier0"]


def test_fit_that_fails_leaves_the_model_as_it_was():
    X, y, _ = few_labels(60)
    frame = pd.DataFrame(X).add_prefix("c")
    model = fixed().fit(frame, y)
    expected = model.predict(frame)
    with pytest.raises(ValueError, match="no labelled row"):
        model.fit(X[:, :3], np.full(60, -1))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((60, 3), np.nan), y)
    np.testing.assert_array_equal(model.predict(frame), expected)
    assert not hasattr(model.fit(X[:, :3], y), "feature_names_in_")


def test_unfitted_is_said_so():
    with pytest.raises(NotFittedError):
        OrdinalKernelClassifier().predict([[1.0]])


def test_landmarks_follow_the_seed():
    X, y, _ = few_labels(80)
    one, same, other = (
        fixed(solver="nystroem", n_landmarks=10, random_state=s).fit(X, y).transform(X)
        for s in (0, 0, 1)
    )
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 1e-6
