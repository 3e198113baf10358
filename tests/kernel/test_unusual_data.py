"""Unusual data and parameters: an answer, or an error that says what is wrong."""

import re
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from kernel_cases import few_labels
from kernel_estimators import SOLVERS, error, fixed

from allrelevant import OrdinalKernelClassifier
from allrelevant.kernel.presets import PRESETS


@pytest.mark.slow
def test_all_rows_labelled():
    X, _, truth = few_labels(100)
    assert error(OrdinalKernelClassifier().fit(X, truth), X, truth) < 0.15


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_duplicates_and_constant_columns(solver):
    X, y, truth = few_labels(60, n_classes=3)
    table = np.column_stack([np.vstack([X, X, X]), np.full(180, 5.0)])
    labels = np.concatenate([y, np.full(120, -1)])
    model = OrdinalKernelClassifier(solver=solver, n_landmarks=30, n_repeats=1).fit(table, labels)
    assert np.isfinite(model.transform(table)).all()
    assert error(model, table, np.tile(truth, 3)) < 0.3


@pytest.mark.parametrize("name", ["DL", "WS-DL", "S-DL", "KES-DL"])
def test_presets_with_duplicates_and_a_tiny_ridge_stay_silent(name):
    X, y, _ = few_labels(40, n_classes=3, n_strong=1, n_weak=0, n_irrelevant=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = OrdinalKernelClassifier.preset(name).fit(np.vstack([X, X]), np.tile(y, 2))
    assert np.isfinite(model.transform(X)).all()


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_rows_that_are_all_alike_get_the_median_class(solver):
    y = np.array([0, 0, 1, 2, 0, 0, -1, -1])
    model = OrdinalKernelClassifier(solver=solver).fit(np.ones((8, 2)), y)
    np.testing.assert_array_equal(model.predict(np.ones((3, 2))), 0)
    assert np.isfinite(model.predict_proba(np.ones((3, 2)))).all()


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", PRESETS)
def test_rows_that_are_all_alike_are_predicted_alike(name, solver):
    # Each copy is a node of its own here, and rounding errors may differ among them.
    X, y = np.full((9, 1), 7.3), np.array([-1, 3, 0, 2, 0, 1, 4, 4, 0])
    model = OrdinalKernelClassifier.preset(name, solver=solver, n_landmarks=4).fit(X, y)
    np.testing.assert_array_equal(model.transform(X), 0.0)
    assert set(model.predict(X)) == set(model.predict(X[:1]))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("penalty", ["scaled", "paper"])
def test_classes_with_the_same_mean_get_the_median_class(solver, penalty):
    # Nothing tells the classes apart: what is left of their difference are rounding errors.
    rng = np.random.RandomState(0)
    half = rng.randn(9, 3)
    X, y = np.vstack([half, half, half]), np.repeat([0, 1, 2], 9)
    for order in [np.arange(27), rng.permutation(27)]:
        model = fixed(solver=solver, penalty=penalty).fit(X[order], y[order])
        np.testing.assert_array_equal(model.transform(X), 0.0)
        np.testing.assert_array_equal(model.predict(X), 1)


def test_column_of_small_numbers_counts_beside_one_of_large_numbers():
    rng = np.random.RandomState(0)
    X = rng.randn(80, 2) * [1.0, 1e7]
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    model = fixed(solver="linear", standardize=False, graph=None).fit(X, y)
    assert error(model, X, y) < 0.05


def test_outlier_of_huge_numbers_does_not_overflow():
    for seed in range(5):
        rng = np.random.RandomState(seed)
        X, y = rng.randn(30, 1), np.arange(30) % 2
        X[seed] *= 1e18
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = fixed(solver="linear", standardize=False, mu=(0.0, 1e8)).fit(X, y)
        assert np.isfinite(model.transform(X)).all()


def test_same_row_with_different_labels():
    X, _, truth = few_labels(60, n_classes=3)
    table, labels = np.vstack([X, X]), np.concatenate([truth, (truth + 1) % 3])
    model = fixed().fit(table, labels)
    assert np.isfinite(model.thresholds_).all()
    assert set(model.predict(X)) <= {0, 1, 2}


@pytest.mark.parametrize("solver", SOLVERS)
def test_points_far_away(solver):
    X, y, _ = few_labels(100, n_classes=3)
    model = fixed(solver=solver, n_landmarks=40).fit(X, y)
    far = np.vstack([np.full(X.shape[1], 1e8), np.full(X.shape[1], -1e8)])
    p = model.predict_proba(far)
    assert np.isfinite(p).all()
    assert np.isfinite(model.transform(far)).all()
    if solver != "linear":
        np.testing.assert_array_equal(model.predict(far), np.median(y[y != -1]))


@pytest.mark.slow
def test_more_columns_than_rows():
    rng = np.random.RandomState(0)
    X = rng.randn(30, 200)
    y = np.where(np.arange(30) < 15, np.arange(30) % 3, -1)
    model = OrdinalKernelClassifier(n_repeats=1).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
def test_two_rows_are_enough():
    model = OrdinalKernelClassifier().fit([[0.0], [1.0]], ["a", "b"])
    assert model.predict([[0.0], [1.0]]).tolist() == ["a", "b"]


def test_values_under_a_mask_are_missing():
    X, y, truth = few_labels(60)
    masked = np.ma.masked_array(truth, mask=y == -1)
    np.testing.assert_array_equal(fixed().fit(X, masked).predict(X), fixed().fit(X, y).predict(X))
    with pytest.raises(ValueError, match="NaN in column 'x0'"):
        fixed().fit(np.ma.masked_array(X, mask=np.arange(X.size).reshape(X.shape) == 0), y)


def test_huge_values_are_standardized_or_refused():
    X, y, _ = few_labels(40)
    huge = X * 1e140
    expected = fixed(graph="kernel").fit(X, y).predict(X)
    np.testing.assert_array_equal(fixed(graph="kernel").fit(huge, y).predict(huge), expected)
    with pytest.raises(ValueError, match=r"up to .*e\+140 in column 'x\d'.*standardize=True"):
        fixed(graph="kernel", standardize=False).fit(huge, y)


def test_missing_value_names_the_column():
    X, y, _ = few_labels(40)
    frame = pd.DataFrame(X).add_prefix("c")
    frame.loc[3, "c2"] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*'c2'"):
        fixed().fit(frame, y)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("graph", "output"),
        ("weights", "heavy"),
        ("kernel_learning", "full"),
        ("gamma", 0.0),
        ("gamma", "auto"),
        ("gamma", (0.1, -1.0)),
        ("gamma", np.array(0.5)),
        ("ridge", 0.0),
        ("ridge", ()),
        ("mu", -1.0),
        ("n_neighbors", 2.5),
        ("n_neighbors", 0),
        ("rank", 1.5),
        ("rank", 0),
        ("rank", (0.5, 0.0)),
        ("separation", "largest"),
        ("penalty", "none"),
        ("thresholds", "median"),
        ("solver", "fast"),
        ("n_landmarks", 0),
        ("n_repeats", 0),
        ("n_repeats", "often"),
        ("standardize", "yes"),
        ("cv", 1),
        ("graph", np.array(["input", "kernel"])),
        ("graph", pd.NA),
        ("gamma", b"cv"),
        ("gamma", 10**400),
        ("gamma", 1e300),
        ("ridge", 1e-300),
        ("mu", (0.0, 1e300)),
        ("n_jobs", "two"),
        ("n_jobs", 1.5),
        ("random_state", "seed"),
        ("verbose", "x"),
        ("classes", {0, 1, 2, 3}),
        ("classes", [[0], [1], [2], [3]]),
        pytest.param("classes", iter([0, 1, 2, 3]), id="classes-iterator"),
    ],
)
def test_bad_parameters_are_named(name, value):
    X, y, _ = few_labels(40)
    with pytest.raises(ValueError, match=f"^{re.escape(name)} must "):
        OrdinalKernelClassifier(**{name: value}).fit(X, y)


@pytest.mark.slow
def test_more_folds_than_labels_are_as_many_folds():
    X, y, _ = few_labels(40)
    many, all_of_them = (fixed(ridge="cv", cv=n).fit(X, y).transform(X) for n in (10**30, 10))
    np.testing.assert_array_equal(many, all_of_them)


def test_fractions_are_numbers():
    X, y, _ = few_labels(40)
    third = Fraction(1, 3)
    one, same = (fixed(gamma=g, ridge=g, mu=[g]).fit(X, y).transform(X) for g in (third, 1 / 3))
    np.testing.assert_array_equal(one, same)


def test_candidates_in_any_sequence():
    X, y, _ = few_labels(40)
    model = fixed(gamma=np.array([0.1, 1.0]), n_neighbors=range(2, 4), ridge=[0.1]).fit(X, y)
    assert model.gamma_ in (0.1, 1.0)
    assert model.n_neighbors_ in (2, 3)
    assert fixed(graph="reduced", rank=1).fit(X, y).rank_ == 1


def test_more_neighbours_than_rows_are_all_of_them():
    X, y, _ = few_labels(30)
    many, all_others = (fixed(n_neighbors=k).fit(X, y).transform(X) for k in (1000, 29))
    np.testing.assert_array_equal(many, all_others)
