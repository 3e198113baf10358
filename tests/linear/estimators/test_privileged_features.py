"""Estimators with privileged features: answers, names, results."""

from __future__ import annotations

import pickle
import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest
from oracle import relevance
from privileged_cases import MODELS, oracle_of
from privileged_estimators import ESTIMATORS, data, estimator, every_task, frame_of
from sklearn.base import clone

from allrelevant.data import matrix_of
from allrelevant.linear.fit.baseline.c_values import GAMMAS
from allrelevant.linear.fit.privileged import USELESS
from allrelevant.results.relevance import RelevanceResult

pytestmark = pytest.mark.filterwarnings(
    "ignore:with privileged features the model predicts worse:UserWarning"
)


# Answers


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", ESTIMATORS)
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
    by_function = np.swapaxes(fitted.privileged_by_function_, 0, 1)
    np.testing.assert_allclose(by_function, functions, rtol=0, atol=1e-5)
    in_all = fitted.result_.privileged_in_all
    np.testing.assert_allclose(in_all.intervals, functions.min(axis=0), rtol=0, atol=1e-5)


class _Rows:
    def __init__(self, X, privileged, target, weight):
        self.X, self.privileged = matrix_of(X), privileged
        self.target, self.weight = target, weight


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@cache
def fitted_without(name):
    """Beside privileged features the logistic loss is not tried."""
    X, _, y = data(name)
    hinge = {} if name.startswith("regression") else {"loss": "hinge"}
    return estimator(name, C="cv", **hinge).fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["noise", "constant", "permuted"])
@every_task
def test_useless_privileged_features_change_nothing_else(name, kind):
    X, privileged, y = data(name)
    model = estimator(name, C="cv", gamma="cv")
    with pytest.warns(UserWarning, match="no better than if their rows were shuffled"):
        fitted = clone(model).fit(X, y, X_privileged=useless(kind, privileged))
    plain = fitted_without(name)
    np.testing.assert_array_equal(fitted.intervals_, plain.intervals_)
    np.testing.assert_array_equal(fitted.relevance_classes_, plain.relevance_classes_)
    np.testing.assert_array_equal(fitted.coef_, plain.coef_)
    np.testing.assert_array_equal(fitted.result_.probes, plain.result_.probes)
    assert fitted.C_ == plain.C_
    np.testing.assert_array_equal(fitted.privileged_intervals_, np.zeros((2, 2)))
    assert fitted.privileged_classes_.tolist() == [0, 0]
    assert USELESS in fitted.result_.warnings
    assert fitted.result_.privileged.irrelevant == ("p0", "p1")


def test_what_is_said_of_an_answer_is_said_once(monkeypatch):
    """The first answer is thrown away where no privileged feature is relevant."""
    monkeypatch.setattr("allrelevant.linear.fit.analyse.tell_anything", lambda *_: False)
    monkeypatch.setattr("allrelevant.linear.fit.cautions.dense", lambda *_: "so many features")
    X, privileged, y = data("classification")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        fitted = estimator("classification").fit(X, y, X_privileged=privileged)
    assert USELESS in fitted.result_.warnings
    assert fitted.result_.warnings.count("so many features") == 1
    assert [str(one.message) for one in told].count("so many features") == 1


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


# Columns of a data frame, and names


@pytest.mark.slow
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


@pytest.mark.slow
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
    assert fitted.result_.privileged_in_all is not None
    fitted.fit(X, y)
    assert fitted.result_.privileged_in_all is None
    for name in ("privileged_names_", "privileged_intervals_", "privileged_classes_", "gamma_"):
        assert not hasattr(fitted, name)
    assert fitted.result_.privileged is None


# Results


def test_what_is_relevant_in_all_functions():
    """A feature that only one of two functions needs is strong, and irrelevant in all of them."""
    in_each = [[[0.3, 0.6], [0.2, 0.5]], [[0.3, 0.6], [0.0, 0.05]], [[0.3, 0.6], [0.0, 0.4]]]
    result = RelevanceResult(
        task="ordinal",
        names=["a"],
        intervals=[[0, 1]],
        signed_intervals=[[0, 1]],
        classes=[1],
        weights=[1],
        thresholds=[0, 0],
        privileged_names=["p", "q", "r"],
        privileged_intervals=np.max(in_each, axis=1),
        privileged_classes=[2, 2, 2],
        privileged_thresholds=[0.0, 0.1],
        privileged_by_function=in_each,
    )
    assert result.privileged.class_names == ("strong",) * 3
    assert result.privileged_in_all.class_names == ("strong", "irrelevant", "weak")
    assert RelevanceResult.from_json(result.to_json()) == result
    with pytest.raises(ValueError, match="'privileged_by_function'"):
        replace(result, privileged_by_function=in_each[:2])


@pytest.mark.slow
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


@pytest.mark.slow
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
