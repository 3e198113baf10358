"""Estimators with privileged features: answers, names, routing, refusals, properties."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import relevance
from privileged_cases import MODELS, marked, oracle_of
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from allrelevant import (
    OrdinalRelevanceClassifier,
    RejectOptionRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from allrelevant.linear.fit.baseline import GAMMAS
from allrelevant.linear.fit.privileged import USELESS
from allrelevant.results.relevance import RelevanceResult

ESTIMATORS = {
    "classification": (RelevanceClassifier, {}),
    "regression-eps0.3": (RelevanceRegressor, {"epsilon": 0.3}),
    "ordinal-3": (OrdinalRelevanceClassifier, {}),
}
every_task = pytest.mark.parametrize("name", ESTIMATORS)


def estimator(name, **changes):
    """A quick one. Give C="cv" to have C and gamma searched for."""
    cls, own = ESTIMATORS[name]
    quick = {"C": 1.0, "gamma": 0.3, "n_probes": 5, "confidence": 0.9, "random_state": 0}
    return cls(**(own | quick | changes))


def data(name, n=60, seed=0):
    """One feature matters; the first privileged one says by how much each sample is off."""
    return marked(np.random.default_rng([seed, n]), MODELS[name], n)


def frame_of(X, privileged):
    """Both in one data frame, the privileged columns not at the end."""
    columns = {"cost": privileged[:, 0], "age": X[:, 0], "dose": X[:, 1], "site": X[:, 2]}
    return pd.DataFrame(columns | {"delay": privileged[:, 1]})


# Answers


@every_task
def test_the_marked_samples_are_explained(name):
    X, privileged, y = data(name)
    fitted = estimator(name, C="cv", gamma="cv", n_probes=20, confidence=0.99)
    fitted.fit(X, y, X_privileged=privileged)
    assert fitted.relevance_classes_.tolist() == [2, 0, 0]
    assert fitted.privileged_classes_.tolist() == [2, 0]
    assert (fitted.privileged_p_values_ <= 0.01).tolist() == [True, False]
    assert fitted.privileged_borderline_.shape == fitted.privileged_q_values_.shape == (2,)
    assert fitted.gamma_ in GAMMAS
    # Samples whose features are off cost a regression more if they are believed otherwise.
    said = [warning[:44] for warning in fitted.result_.warnings]
    assert said == (["with privileged features the model predicts "] if "regr" in name else [])
    assert fitted.result_.baseline["gamma"] == fitted.gamma_
    assert fitted.result_.baseline["privileged_norm"] > 0


@pytest.mark.parametrize("budget", ["split", "joint"])
@every_task
def test_intervals_are_those_of_the_full_program_as_shares_of_their_norms(name, budget):
    X, privileged, y = data(name)
    weight = np.random.default_rng(1).integers(1, 4, 60).astype(float)
    unweighted = {} if name.startswith("regression") else {"class_weight": None}
    fitted = estimator(name, budget=budget, tolerance=0.02, **unweighted)
    fitted.fit(X, y, X_privileged=privileged, sample_weight=weight)
    models = fitted.equivalent_models_
    # The oracle is given the rows as they came, not as the fit arranged them.
    share = weight / weight.sum()
    standard = lambda Z: (Z - share @ Z) / np.sqrt(share @ (Z - share @ Z) ** 2)  # noqa: E731
    target = standard(y) if name.startswith("regression") else y
    sample = _Rows(standard(X), standard(privileged), target, weight)
    oracle = oracle_of(MODELS[name], sample)
    baseline = fitted.result_.baseline
    objective = baseline["norm"] + 0.3 * baseline["privileged_norm"] + baseline["loss"]
    assert objective == pytest.approx(oracle.baseline(1.0, 0.3), rel=1e-6)
    expected = relevance(oracle.signed_intervals(models.budgets))
    n_functions = (len(expected) - 3) // 2
    shares = expected[:3] / baseline["norm"]
    np.testing.assert_allclose(fitted.intervals_, shares, rtol=0, atol=1e-5)
    functions = expected[3:].reshape(n_functions, 2, 2) / baseline["privileged_norm"]
    np.testing.assert_allclose(
        fitted.privileged_intervals_, functions.max(axis=0), rtol=0, atol=1e-5
    )


class _Rows:
    def __init__(self, X, privileged, target, weight):
        self.X, self.privileged, self.target, self.weight = X, privileged, target, weight


@every_task
def test_free_privileged_weights_stay_within_their_norm(name):
    """A tiny gamma, and copies that could cancel each other at any size."""
    X, privileged, y = data(name)
    copies = np.column_stack([privileged, privileged, -privileged])
    fitted = estimator(name, gamma=1e-6, tolerance=0.01).fit(X, y, X_privileged=copies)
    assert fitted.gamma_ == 1e-6
    assert fitted.privileged_intervals_.min() >= 0.0
    assert fitted.privileged_intervals_.max() <= 1.01 + 1e-6
    assert fitted.intervals_.max() <= 1.01 + 1e-6


@every_task
def test_replacing_probes_that_all_fail_give_way_to_appended_ones(name):
    """The one feature that matters cannot be replaced: never is everything strong then."""
    X, privileged, y = data(name)
    parameters = {"probes": "replace", "tolerance": 0.001}
    fitted = estimator(name, **parameters).fit(X[:, :1], y, X_privileged=privileged[:, :1])
    assert fitted.result_.probes.shape == (5, 2)
    assert fitted.result_.privileged_probes.shape == (5, 2)
    for kind in ("probes", "privileged probes"):
        assert f"5 of 5 {kind} infeasible" in fitted.result_.warnings
        assert any(f"only 0 {kind} could take" in text for text in fitted.result_.warnings)
    assert fitted.result_.thresholds[1] > 0
    assert fitted.result_.privileged_thresholds[1] > 0


@every_task
def test_replacing_probes_find_what_matters_too(name):
    X, privileged, y = data(name)
    parameters = {"probes": "replace", "n_probes": 20, "tolerance": 0.01}
    fitted = estimator(name, **parameters).fit(X, y, X_privileged=privileged)
    assert fitted.relevance_classes_[0] == 2
    assert fitted.privileged_classes_[0] == 2
    assert fitted.privileged_classes_[1] == 0


# Where privileged features tell nothing


def useless(kind, privileged):
    random = np.random.default_rng(3)
    if kind == "noise":
        return random.normal(size=privileged.shape)
    return np.ones_like(privileged) if kind == "constant" else random.permutation(privileged)


@pytest.mark.parametrize("kind", ["noise", "constant", "permuted"])
@every_task
def test_useless_privileged_features_change_nothing_else(name, kind):
    X, privileged, y = data(name)
    model = estimator(name, C="cv", gamma="cv")
    with pytest.warns(UserWarning, match="no better than their rows in random order"):
        fitted = clone(model).fit(X, y, X_privileged=useless(kind, privileged))
    plain = clone(model).fit(X, y)
    np.testing.assert_array_equal(fitted.intervals_, plain.intervals_)
    np.testing.assert_array_equal(fitted.relevance_classes_, plain.relevance_classes_)
    np.testing.assert_array_equal(fitted.coef_, plain.coef_)
    np.testing.assert_array_equal(fitted.result_.probes, plain.result_.probes)
    assert fitted.C_ == plain.C_
    np.testing.assert_array_equal(fitted.privileged_intervals_, np.zeros((2, 2)))
    assert fitted.privileged_classes_.tolist() == [0, 0]
    assert USELESS in fitted.result_.warnings
    assert fitted.result_.privileged.irrelevant == ("p0", "p1")


@every_task
def test_where_nothing_at_all_can_be_learned_both_are_irrelevant(name):
    X, privileged, y = data(name)
    random = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        fitted = estimator(name, C=1e-4).fit(
            random.permutation(X), y, X_privileged=random.permutation(privileged)
        )
    assert not fitted.relevance_classes_.any()
    assert not fitted.privileged_classes_.any()


# Refusals

BAD = {
    "too short": (lambda P: P[:-1], "X_privileged must have one row for each row of X: 60, got 59"),
    "missing": (lambda P: _with(P, np.nan), "X_privileged contains NaN in column 'p1'"),
    "infinite": (lambda P: _with(P, np.inf), "X_privileged contains infinity in column 'p1'"),
    "text": (lambda P: P.astype(str).astype(object) + "m", "Column 'x0' does not hold numbers"),
    "no columns": (lambda P: P[:, :0], "X_privileged has no columns"),
    "one dimension": (lambda P: P[:, 0], "2D array"),
}


def _with(table, value):
    table = table.copy()
    table[3, 1] = value
    return table


@pytest.mark.parametrize("kind", BAD)
def test_unusable_privileged_features_are_refused(kind):
    X, privileged, y = data("ordinal-3")
    change, message = BAD[kind]
    model = estimator("ordinal-3")
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, X_privileged=change(privileged))
    assert not hasattr(model, "result_")


def test_a_frame_names_the_column_that_is_missing_values():
    X, privileged, y = data("regression-eps0.3")
    frame = pd.DataFrame(_with(privileged, np.nan), columns=["cost", "delay"])
    with pytest.raises(ValueError, match="X_privileged contains NaN in column 'delay'"):
        estimator("regression-eps0.3").fit(X, y, X_privileged=frame)


def test_the_implicit_order_has_no_place_for_privileged_features():
    X, privileged, y = data("ordinal-3")
    model = estimator("ordinal-3", order="implicit")
    with pytest.raises(ValueError, match="need order='explicit'"):
        model.fit(X, y, X_privileged=privileged)
    with pytest.raises(ValueError, match="need order='explicit'"):
        model.set_params(privileged=["cost"]).fit(frame_of(X, privileged), y)


def test_names_and_a_table_of_privileged_features_exclude_each_other():
    X, privileged, y = data("classification")
    model = estimator("classification", privileged=["cost"])
    with pytest.raises(ValueError, match="either X_privileged or the parameter privileged"):
        model.fit(frame_of(X, privileged), y, X_privileged=privileged)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["cost", "price"], r"not among them: \['price'\]"),
        ("cost", "must be a list of column names"),
    ],
)
def test_unusable_names_are_refused(names, message):
    X, privileged, y = data("classification")
    with pytest.raises(ValueError, match=message):
        estimator("classification", privileged=names).fit(frame_of(X, privileged), y)


def test_names_need_a_data_frame():
    X, _, y = data("classification")
    with pytest.raises(ValueError, match="but X is none: pass the privileged features as fit"):
        estimator("classification", privileged=["cost"]).fit(X, y)


@pytest.mark.parametrize("gamma", [0.0, -1.0, "best", None, np.inf])
def test_gamma_is_a_positive_number(gamma):
    X, privileged, y = data("classification")
    with pytest.raises(ValueError, match="gamma must be 'cv' or a number above 0"):
        estimator("classification", gamma=gamma).fit(X, y, X_privileged=privileged)


def test_the_reject_option_takes_no_privileged_features():
    X, privileged, y = data("classification")
    with pytest.raises(TypeError, match="X_privileged"):
        RejectOptionRelevanceClassifier().fit(X, y, X_privileged=privileged)


# Columns of a data frame, and names


@pytest.mark.parametrize("library", ["pandas", "polars"])
@every_task
def test_columns_named_as_privileged_are_the_same_as_a_table_of_their_own(name, library):
    X, privileged, y = data(name)
    frame = frame_of(X, privileged)
    frame = frame if library == "pandas" else pl.from_pandas(frame)
    named = estimator(name, privileged=["cost", "delay"]).fit(frame, y)
    apart = estimator(name).fit(X, y, X_privileged=privileged)
    np.testing.assert_array_equal(named.intervals_, apart.intervals_)
    np.testing.assert_array_equal(named.privileged_intervals_, apart.privileged_intervals_)
    assert list(named.feature_names_in_) == ["age", "dose", "site"]
    assert named.n_features_in_ == 3
    assert named.privileged_names_ == ["cost", "delay"]
    assert apart.privileged_names_ == ["p0", "p1"]
    assert named.result_.privileged_names == ("cost", "delay")
    assert named.result_.privileged.strong == ("cost",)
    assert list(named.get_feature_names_out()) == ["age"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
@every_task
def test_predictions_do_without_the_privileged_columns(name, library):
    X, privileged, y = data(name)
    frame = frame_of(X, privileged)
    bare = frame[["age", "dose", "site"]]
    if library == "polars":
        frame, bare = pl.from_pandas(frame), pl.from_pandas(bare)
    fitted = estimator(name, privileged=["cost", "delay"]).set_output(transform=library)
    fitted.fit(frame, y)
    np.testing.assert_array_equal(fitted.predict(frame), fitted.predict(bare))
    assert fitted.score(frame, y) == fitted.score(bare, y)
    assert list(fitted.transform(frame).columns) == list(fitted.transform(bare).columns) == ["age"]
    np.testing.assert_array_equal(
        fitted.transform(frame).to_numpy(), fitted.transform(bare).to_numpy()
    )


def test_no_privileged_columns_are_none():
    X, privileged, y = data("classification")
    frame = frame_of(X, privileged)
    fitted = estimator("classification", privileged=[]).fit(frame, y)
    assert not hasattr(fitted, "privileged_names_")
    assert fitted.n_features_in_ == 5
    assert fitted.result_.privileged is None


def test_a_second_fit_without_privileged_features_forgets_them():
    X, privileged, y = data("classification")
    fitted = estimator("classification").fit(X, y, X_privileged=privileged)
    assert fitted.privileged_names_ == ["p0", "p1"]
    fitted.fit(X, y)
    for name in ("privileged_names_", "privileged_intervals_", "privileged_classes_", "gamma_"):
        assert not hasattr(fitted, name)
    assert fitted.result_.privileged is None


# Results


@every_task
def test_the_result_keeps_both_kinds_of_features(name):
    X, privileged, y = data(name)
    table = pd.DataFrame(privileged, columns=["cost", "delay"])
    fitted = estimator(name).fit(X, y, X_privileged=table)
    result = fitted.result_
    frame = result.to_frame()
    assert frame["kind"].tolist() == ["feature"] * 3 + ["privileged"] * 2
    assert frame["feature"].tolist() == ["x0", "x1", "x2", "cost", "delay"]
    np.testing.assert_array_equal(frame[["min", "max"]][3:], fitted.privileged_intervals_)
    assert frame[["low", "high"]][3:].isna().all(axis=None)
    assert frame.index.is_unique
    assert RelevanceResult.from_json(result.to_json()) == result
    assert "cost" in str(result)
    assert "training only" in str(result)
    assert "cost" in result._repr_html_()
    assert "kind" not in estimator(name).fit(X, y).result_.to_frame()


def test_a_sorted_table_keeps_the_kinds_apart():
    X, privileged, y = data("ordinal-3")
    fitted = estimator("ordinal-3").fit(X[:, ::-1], y, X_privileged=privileged[:, ::-1])
    frame = fitted.result_.to_frame(sort=True)
    assert frame["feature"].tolist()[0] == "x2"
    assert frame["feature"].tolist()[3] == "p1"
    assert sorted(frame.index) == list(range(5))


@every_task
def test_clones_and_pickles(name):
    X, privileged, y = data(name)
    frame = frame_of(X, privileged)
    fitted = estimator(name, privileged=["cost", "delay"]).fit(frame, y)
    loaded = pickle.loads(pickle.dumps(fitted))
    assert loaded.result_ == fitted.result_
    np.testing.assert_array_equal(loaded.predict(frame), fitted.predict(frame))
    copy = clone(fitted)
    assert copy.get_params() == fitted.get_params()
    assert not hasattr(copy, "privileged_names_")
    assert copy.fit(frame, y).result_ == fitted.result_


# Metadata routing


@pytest.fixture
def metadata_routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


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


# Properties

few = settings(max_examples=3, deadline=None)
seeds = st.integers(0, 10_000)


@every_task
@given(seed=seeds)
@few
def test_copies_of_a_privileged_feature_can_stand_in_for_each_other(name, seed):
    X, privileged, y = data(name, seed=seed)
    twice = np.column_stack([privileged[:, 0], privileged])
    fitted = estimator(name, tolerance=0.01).fit(X, y, X_privileged=twice)
    once = estimator(name, tolerance=0.01).fit(X, y, X_privileged=privileged)
    # Five probes may say that nothing is more than noise.
    assume(once.privileged_classes_.any() and fitted.privileged_classes_.any())
    intervals, single = fitted.privileged_intervals_, once.privileged_intervals_
    assert (intervals[:2, 0] <= 1e-6).all()
    np.testing.assert_allclose(intervals[0], intervals[1], atol=1e-5)
    assert intervals[0, 1] >= single[0, 1] - 1e-5
    assert fitted.privileged_classes_[:2].tolist() == [1, 1]
    assert once.privileged_classes_[0] == 2
    np.testing.assert_allclose(fitted.intervals_, once.intervals_, atol=1e-5)


@every_task
@given(seed=seeds)
@few
def test_the_order_of_privileged_columns_and_rows_does_not_matter(name, seed):
    X, privileged, y = data(name, n=40, seed=seed)
    random = np.random.default_rng(seed)
    rows, columns = random.permutation(40), random.permutation(2)
    one = estimator(name, tolerance=0.02).fit(X, y, X_privileged=privileged)
    other = estimator(name, tolerance=0.02)
    other.fit(X[rows], y[rows], X_privileged=privileged[rows][:, columns])
    # The few probes are of other columns then, and may say that nothing is more than noise.
    assume(one.privileged_classes_.any() and other.privileged_classes_.any())
    np.testing.assert_allclose(
        other.privileged_intervals_, one.privileged_intervals_[columns], atol=1e-5
    )
    np.testing.assert_allclose(other.intervals_, one.intervals_, atol=1e-5)


@every_task
@given(seed=seeds, tolerance=st.floats(0.001, 0.05), factor=st.floats(1.0, 5.0))
@few
def test_a_wider_tolerance_never_narrows_an_interval(name, seed, tolerance, factor):
    X, privileged, y = data(name, seed=seed)
    narrow, wide = (
        estimator(name, tolerance=t).fit(X, y, X_privileged=privileged)
        for t in (tolerance, factor * tolerance)
    )
    # In a wide enough set everything is noise, and then the answer is one without them.
    assume(narrow.privileged_classes_.any() and wide.privileged_classes_.any())
    for inner, outer in (
        (narrow.intervals_, wide.intervals_),
        (narrow.privileged_intervals_, wide.privileged_intervals_),
    ):
        assert (outer[:, 0] <= inner[:, 0] + 1e-6).all()
        assert (outer[:, 1] >= inner[:, 1] - 1e-6).all()


@every_task
@given(seed=seeds)
@few
def test_a_row_of_weight_two_is_the_row_given_twice(name, seed):
    X, privileged, y = data(name, n=40, seed=seed)
    weight = np.random.default_rng(seed).integers(1, 3, 40)
    rows = np.repeat(np.arange(40), weight)
    weighted = estimator(name)
    repeated = clone(weighted).fit(X[rows], y[rows], X_privileged=privileged[rows])
    weighted.fit(X, y, X_privileged=privileged, sample_weight=weight)
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-5)
    np.testing.assert_allclose(
        weighted.privileged_intervals_, repeated.privileged_intervals_, atol=1e-5
    )


def test_the_number_of_processes_does_not_matter():
    name = "ordinal-3"
    X, privileged, y = data(name)
    one = estimator(name).fit(X, y, X_privileged=privileged)
    two = estimator(name, n_jobs=2).fit(X, y, X_privileged=privileged)
    np.testing.assert_allclose(one.privileged_intervals_, two.privileged_intervals_, atol=1e-6)
    np.testing.assert_allclose(
        one.result_.privileged_probes, two.result_.privileged_probes, atol=1e-6
    )
