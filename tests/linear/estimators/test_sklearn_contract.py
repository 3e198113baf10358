"""The estimators keep scikit-learn's contract, in pipelines, searches and on disk."""

import inspect
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from estimator_cases import CASES, every_case, label_cases
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

NAMES = ["age", "dose", "weight", "site", "day"]


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:no learnable signal:UserWarning",
    "ignore:no feature helps as the classes are weighed:UserWarning",
    "ignore:predictions are:UserWarning",
    "ignore:No features were selected:UserWarning",  # scikit-learn's own
)
@parametrize_with_checks(
    # The implicit order is a parameter of the same class; C is chosen in the same way by all.
    [
        case.make(C="cv" if name == "reject" else 0.5, tolerance=0.05, cv=2)
        for name, case in CASES.items()
        if name != "ordinal-implicit"
    ]
)
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


# Parameters

COMMON = {
    "baseline": "l1",
    "C": "cv",
    "cv": 5,
    "rule": "auto",
    "scoring": None,
    "tolerance": "auto",
    "budget": "auto",
    "n_probes": "auto",
    "probes": "append",
    "fdr": 0.1,
    "confidence": None,
    "standardize": True,
    "select": "relevant",
    "basis": None,
    "column_groups": None,
    "n_jobs": None,
    "random_state": None,
    "verbose": 0,
    "checkpoint": None,
}
TRAINING_ONLY = {"gamma": "cv", "privileged": None}
OWN = {
    "RelevanceClassifier": TRAINING_ONLY
    | {"class_weight": "auto", "prefit": False, "loss": "auto"},
    "RelevanceRegressor": TRAINING_ONLY
    | {"epsilon": "cv", "prefit": False, "loss": "auto", "quantile": 0.5},
    "OrdinalRelevanceClassifier": TRAINING_ONLY
    | {"class_weight": "auto", "loss": "auto", "order": "explicit", "classes": None}
    | {"slacks": "compared"},
    "RejectOptionRelevanceClassifier": {
        "class_weight": "auto",
        "prefit": False,
        "reject_cost": 0.2,
        "reject_threshold": None,
        "reject_label": None,
    },
}


@every_case
def test_parameters_and_their_defaults_are_the_documented_ones(case):
    estimator_class = case.estimator_class
    assert estimator_class().get_params() == COMMON | OWN[estimator_class.__name__]


@every_case
def test_parameters_are_given_by_name_only(case):
    parameters = inspect.signature(case.estimator_class).parameters.values()
    assert {parameter.kind for parameter in parameters} == {inspect.Parameter.KEYWORD_ONLY}


CHANGED = {
    "baseline": "l2",
    "prefit": True,
    "loss": "quantile",
    "quantile": 0.9,
    "C": 0.5,
    "cv": 3,
    "rule": "one-se",
    "scoring": "score",
    "tolerance": (0.01, 0.02),
    "budget": "joint",
    "n_probes": 7,
    "probes": "replace",
    "fdr": 0.2,
    "confidence": 0.9,
    "standardize": False,
    "select": "strong",
    "basis": "bins",
    "column_groups": {"both": [0, 1]},
    "n_jobs": 2,
    "random_state": 3,
    "verbose": 1,
    "checkpoint": "run.part",
    "class_weight": "balanced",
    "gamma": 0.5,
    "privileged": ["cost"],
    "epsilon": 0.2,
    "order": "implicit",
    "classes": [2, 1, 0],
    "slacks": "all",
    "reject_cost": 0.1,
    "reject_threshold": 0.3,
    "reject_label": -9,
}


@every_case
def test_parameters_survive_set_get_and_clone(case):
    estimator = case.estimator_class()
    wanted = {name: CHANGED[name] for name in estimator.get_params()}
    assert estimator.set_params(**wanted) is estimator
    assert estimator.get_params() == wanted
    copy = clone(estimator)
    assert copy.get_params() == wanted
    assert not hasattr(copy, "result_")


@pytest.mark.slow
@every_case
def test_clone_of_a_fitted_estimator_is_not_fitted_and_fits_the_same(case):
    X, y = case.data()
    fitted = case.make().fit(X, y)
    copy = clone(fitted)
    assert not hasattr(copy, "result_")
    np.testing.assert_array_equal(copy.fit(X, y).intervals_, fitted.intervals_)


@pytest.mark.slow
@every_case
def test_fit_leaves_the_parameters_alone(case):
    X, y = case.data()
    before = case.make(tolerance=[0.01, 0.02]).get_params()
    estimator = case.make(tolerance=[0.01, 0.02]).fit(X, y)
    assert estimator.get_params() == before


@every_case
def test_kind_of_estimator(case):
    estimator = case.make()
    assert is_regressor(estimator) == case.is_regression
    assert is_classifier(estimator) != case.is_regression


@label_cases
def test_estimators_of_two_classes_alone_say_so(case):
    is_reject = case.estimator_class.__name__ == "RejectOptionRelevanceClassifier"
    assert case.make().__sklearn_tags__().classifier_tags.multi_class != is_reject


# Selecting features


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_set_output_gives_frames_of_the_selected_columns(case, kind):
    X, y = case.data()
    frame_class = {"pandas": pd.DataFrame, "polars": pl.DataFrame}[kind]
    frame = pd.DataFrame(X, columns=NAMES) if kind == "pandas" else pl.DataFrame(X, schema=NAMES)
    estimator = case.make().set_output(transform=kind).fit(frame, y)
    out = estimator.transform(frame)
    assert isinstance(out, frame_class)
    kept = [name for name, keep in zip(NAMES, estimator.support_, strict=True) if keep]
    assert 0 < len(kept) < len(NAMES)
    assert list(out.columns) == kept == list(estimator.get_feature_names_out())
    np.testing.assert_array_equal(out.to_numpy(), X[:, estimator.support_])


@pytest.mark.slow
@every_case
def test_get_support_and_made_up_feature_names(case):
    X, _ = case.data()
    estimator = case.fitted()
    kept = np.flatnonzero(estimator.support_)
    assert 0 < len(kept) < X.shape[1]
    np.testing.assert_array_equal(estimator.get_support(), estimator.support_)
    np.testing.assert_array_equal(estimator.get_support(indices=True), kept)
    assert list(estimator.get_feature_names_out()) == [f"x{k}" for k in kept]
    assert list(estimator.get_feature_names_out(NAMES)) == [NAMES[k] for k in kept]
    np.testing.assert_array_equal(estimator.transform(X), X[:, kept])


@pytest.mark.slow
@every_case
def test_inverse_transform_puts_columns_back(case):
    X, _ = case.data()
    estimator = case.fitted()
    back = estimator.inverse_transform(estimator.transform(X))
    np.testing.assert_array_equal(back, np.where(estimator.support_, X, 0.0))


@pytest.mark.slow
@every_case
def test_data_of_other_width_or_names_are_refused(case):
    X, y = case.data()
    frame = pd.DataFrame(X, columns=NAMES)
    estimator = case.make().fit(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        estimator.predict(frame.rename(columns={"dose": "dosage"}))
    with pytest.raises(ValueError, match=r"4 features.*expecting 5"):
        case.fitted().predict(X[:, :4])


# In pipelines and searches


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@every_case
def test_last_step_of_a_pipeline_and_cross_validation(case):
    X, y = case.data()
    pipeline = Pipeline([("scale", StandardScaler()), ("relevance", case.make())])
    scores = cross_validate(pipeline, X, y, cv=3, return_estimator=True, error_score="raise")
    assert (scores["test_score"] > 0.3).all()
    fitted = scores["estimator"][0]
    assert fitted["relevance"].intervals_.shape == (5, 2)


@pytest.mark.slow
@every_case
def test_selecting_step_of_a_pipeline(case):
    X, y = case.data()
    pipeline = Pipeline([("select", case.make()), ("model", case.make(C=0.5))]).fit(X, y)
    assert pipeline["model"].n_features_in_ == pipeline["select"].support_.sum() < X.shape[1]
    assert len(pipeline.predict(X)) == len(X)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
@every_case
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_grid_search_over_c_and_tolerance(case):
    X, y = case.data(label_noise=0.0)
    grid = {"C": [1e-6, 1.0], "tolerance": [(0.01, 0.05), "auto"]}
    search = GridSearchCV(case.make(), grid, cv=2, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_params_["C"] == 1.0, "with C=1e-6 no feature is used"
    assert search.best_estimator_.C_ == 1.0


@pytest.fixture
def metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.slow
@every_case
@pytest.mark.usefixtures("metadata_routing")
def test_sample_weight_is_routed_through_a_pipeline(case):
    X, y = case.data()
    weight = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    step = case.make(standardize=False)
    routed = clone(step).set_fit_request(sample_weight=True)
    scale = StandardScaler().set_fit_request(sample_weight=False)
    pipeline = Pipeline([("scale", scale), ("relevance", routed)]).fit(X, y, sample_weight=weight)
    scaled = StandardScaler().fit_transform(X)
    expected = clone(step).fit(scaled, y, sample_weight=weight)
    np.testing.assert_allclose(pipeline["relevance"].intervals_, expected.intervals_, atol=1e-9)
    unweighted = clone(step).fit(scaled, y)
    assert np.abs(expected.intervals_ - unweighted.intervals_).max() > 1e-4


@pytest.mark.slow
@every_case
@pytest.mark.usefixtures("metadata_routing")
def test_sample_weight_is_routed_to_fit_and_score_in_cross_validation(case):
    X, y = case.data()
    weight = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    weighted = case.make().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    first = np.arange(len(X)) % 2 == 0
    folds = [(np.flatnonzero(first), np.flatnonzero(~first))]
    scores = cross_validate(
        weighted, X, y, cv=folds, params={"sample_weight": weight}, error_score="raise"
    )
    by_hand = case.make().fit(X[first], y[first], sample_weight=weight[first])
    expected = by_hand.score(X[~first], y[~first], sample_weight=weight[~first])
    assert scores["test_score"][0] == pytest.approx(expected, abs=1e-9)


# On disk


@pytest.mark.slow
@every_case
def test_fitted_estimator_survives_pickling(case):
    X, y = case.data()
    fitted = case.make().fit(pd.DataFrame(X, columns=NAMES), y)
    loaded = pickle.loads(pickle.dumps(fitted))
    frame = pd.DataFrame(X, columns=NAMES)
    np.testing.assert_array_equal(loaded.predict(frame), fitted.predict(frame))
    np.testing.assert_array_equal(loaded.transform(frame), fitted.transform(frame))
    assert loaded.result_ == fitted.result_
    assert len(loaded.ranges_) == len(NAMES)
    refit = loaded.fit(frame, y)
    assert refit.result_ == fitted.result_


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
@label_cases
def test_predictions_have_the_type_of_the_labels(case):
    X, y = case.data()
    words = np.array(["a", "b", "c"])[y]
    predicted = case.make().fit(X, words).predict(X)
    assert predicted.dtype.kind == words.dtype.kind
    assert set(predicted) <= set(words)
