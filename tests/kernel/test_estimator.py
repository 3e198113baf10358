"""The estimator: what it learns, what it refuses, and scikit-learn's contract."""

import pickle
import re
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from kernel_cases import few_labels, s_curve
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from allrelevant import OrdinalKernelClassifier
from allrelevant.base.metrics import macro_mean_absolute_rank_error
from allrelevant.kernel.presets import PRESETS

FIXED = {"gamma": 0.1, "ridge": 0.01, "mu": 1.0}
SOLVERS = ["exact", "nystroem", "linear"]


def fixed(**changes):
    return OrdinalKernelClassifier(**FIXED | changes)


def error(model, X, truth):
    return np.abs(model.predict(X) - truth).mean()


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


# What it learns


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("graph", [None, "input", "kernel", "reduced"])
def test_every_solver_and_graph_learns_the_order(solver, graph):
    X, y, truth = few_labels(120, n_classes=3)
    model = fixed(solver=solver, graph=graph, n_landmarks=40).fit(X, y)
    assert error(model, X, truth) < 0.45  # the middle class alone would give 0.67
    assert (np.diff(model.thresholds_) > 0).all()
    assert np.corrcoef(model.transform(X).ravel(), truth)[0, 1] > 0.7
    assert model.solver_ == solver


@pytest.mark.parametrize("name", PRESETS)
def test_presets_learn_the_order_with_the_papers_numbers(name):
    X, y, truth = few_labels(90, n_classes=3, n_strong=2, n_weak=0, n_irrelevant=0)
    model = OrdinalKernelClassifier.preset(name).fit(X, y)
    assert error(model, X, truth) < 0.5  # the middle class alone would give 0.67
    assert model.ridge_ == 1e-8
    assert model.thresholds == "midpoint"
    assert model.graph == {"S-DL": "input", "CES-DL": "kernel"}.get(name, model.graph)
    if name == "KES-DL":
        assert model.gamma_.shape == (2,)
    else:
        assert model.gamma_ in (0.1, 1.0, 10.0)


def test_preset_takes_changes_and_refuses_unknown_names():
    assert OrdinalKernelClassifier.preset("DL", ridge=0.1).ridge == 0.1
    for name in ("XL", None, ["DL"]):
        with pytest.raises(ValueError, match="CES-DL"):
            OrdinalKernelClassifier.preset(name)


def test_graphs_in_input_and_kernel_space_are_the_same_for_one_width():
    X, y, _ = few_labels(80)
    one, other = (OrdinalKernelClassifier.preset(name).fit(X, y) for name in ("S-DL", "CES-DL"))
    np.testing.assert_allclose(one.transform(X), other.transform(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("seed", [0, 1])
def test_unlabelled_rows_help_on_curved_data(seed):
    X, y, truth = s_curve(300, seed=seed)
    free = y == -1
    with_them, without = (OrdinalKernelClassifier(mu=mu).fit(X, y) for mu in ("cv", 0.0))
    assert error(with_them, X[free], truth[free]) < 0.7 * error(without, X[free], truth[free])


def test_mu_of_zero_ignores_unlabelled_rows():
    X, y, _ = few_labels(80)
    known = y != -1
    options = {"mu": 0.0, "standardize": False}
    one, other = fixed(**options).fit(X, y), fixed(**options).fit(X[known], y[known])
    np.testing.assert_allclose(one.transform(X), other.transform(X), atol=1e-6)


def test_propagation_uses_unlabelled_rows():
    X, y, truth = few_labels(120, n_classes=3, every=10)
    plain, spread = fixed(graph=None).fit(X, y), fixed(graph=None, weights="propagation").fit(X, y)
    assert np.abs(plain.transform(X) - spread.transform(X)).max() > 1e-3
    assert error(spread, X, truth) < 0.6


@pytest.mark.parametrize("most", [2000, 50], ids=["all rows", "landmarks"])
def test_labels_spread_by_the_kernel_also_where_the_projection_has_none(most, monkeypatch):
    monkeypatch.setattr("allrelevant.kernel.fitting.EXACT_UP_TO", most)
    X, y, truth = few_labels(120, n_classes=3, every=10)
    options = {"solver": "linear", "graph": None, "n_landmarks": 60, "random_state": 0}
    plain = fixed(**options).fit(X, y).transform(X)
    narrow, wide = (fixed(**options, weights="propagation", gamma=g).fit(X, y) for g in (1.0, 0.01))
    for one, other in [(plain, narrow.transform(X)), (narrow.transform(X), wide.transform(X))]:
        assert np.abs(one - other).max() > 1e-3
    assert error(wide, X, truth) < 0.6


@pytest.mark.parametrize("kernel_learning", [True, "semi"])
def test_kernel_learning_gives_a_width_for_each_column(kernel_learning):
    X, y, truth = few_labels(120, n_classes=3, every=2)
    model = fixed(kernel_learning=kernel_learning).fit(X, y)
    assert model.gamma_.shape == (X.shape[1],)
    assert len(set(model.gamma_)) > 1
    assert error(model, X, truth) < 0.4


def test_all_landmarks_are_exact():
    X, y, _ = few_labels(60)
    exact, all_of_them = fixed(solver="exact"), fixed(solver="nystroem", n_landmarks=60)
    np.testing.assert_allclose(exact.fit(X, y).transform(X), all_of_them.fit(X, y).transform(X))


def test_auto_takes_landmarks_for_many_rows(monkeypatch):
    X, y, _ = few_labels(80)
    assert fixed().fit(X, y).solver_ == "exact"
    monkeypatch.setattr("allrelevant.kernel.learning.EXACT_UP_TO", 50)
    assert fixed(n_landmarks=30).fit(X, y).solver_ == "nystroem"


def test_order_of_rows_does_not_matter():
    X, y, _ = few_labels(80)
    order = np.random.RandomState(0).permutation(80)
    one, other = OrdinalKernelClassifier(), OrdinalKernelClassifier()
    one.fit(X, y)
    other.fit(X[order], y[order])
    np.testing.assert_allclose(one.transform(X), other.transform(X), atol=1e-6)


def test_scale_of_columns_does_not_matter_when_standardized():
    X, y, _ = few_labels(80)
    scaled = 100.0 * X + 3.0
    np.testing.assert_array_equal(
        fixed().fit(X, y).predict(X), fixed().fit(scaled, y).predict(scaled)
    )


@pytest.mark.parametrize(
    "changes",
    [{}, {"solver": "linear"}, {"graph": "reduced"}, {"kernel_learning": True}],
    ids=["kernel", "linear", "reduced", "learned widths"],
)
@pytest.mark.parametrize(
    "n_columns", [3, 20]
)  # neighbours among many columns are searched otherwise
def test_place_of_columns_does_not_matter(changes, n_columns):
    rng = np.random.RandomState(0)
    X = np.round(64 * rng.randn(60, n_columns)) / 64  # so that sums with 2^30 are exact
    y = np.where(np.arange(60) % 2, np.digitize(X[:, 0], [-0.5, 0.5]), -1)
    here, far = (
        fixed(standardize=False, **changes).fit(X + place, y).transform(X + place)
        for place in (0.0, 2.0**30)
    )
    np.testing.assert_allclose(far, here, atol=1e-3 * np.ptp(here))


def test_probabilities_agree_with_predictions():
    X, y, truth = few_labels(150, label_noise=0.2)
    model = fixed().fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    assert p[np.arange(150), truth].mean() > 0.4


def test_midpoints_know_no_probabilities():
    X, y, _ = few_labels(60)
    model = fixed(thresholds="midpoint").fit(X, y)
    assert not hasattr(model, "predict_proba")
    means = [model.transform(X)[y == k].mean() for k in range(4)]
    np.testing.assert_allclose(model.thresholds_, np.add(means[1:], means[:-1]) / 2)


def test_decision_function_is_largest_for_the_predicted_class():
    X, y, _ = few_labels(80)
    model = fixed().fit(X, y)
    margins = model.decision_function(X)
    np.testing.assert_array_equal(model.classes_[margins.argmax(axis=1)], model.predict(X))
    binary = fixed().fit(X, np.where(y == -1, -1, y > 1))
    assert binary.decision_function(X).shape == (80,)
    np.testing.assert_array_equal(binary.decision_function(X) > 0, binary.predict(X) == 1)


def test_score_is_that_of_macro_averaged_ranks_over_labelled_rows():
    X, y, truth = few_labels(80)
    model = fixed().fit(X, y)
    expected = 1 - macro_mean_absolute_rank_error(truth, model.predict(X)) / 3
    assert model.score(X, truth) == pytest.approx(expected)
    known = y != -1
    assert model.score(X, y) == pytest.approx(model.score(X[known], y[known]))
    with pytest.raises(ValueError, match="no labelled row"):
        model.score(X, np.full(80, -1))


def test_transduction_keeps_given_labels():
    X, y, _ = few_labels(80)
    model = fixed().fit(X, y)
    known = y != -1
    np.testing.assert_array_equal(model.transduction_[known], y[known])
    np.testing.assert_array_equal(model.transduction_[~known], model.predict(X)[~known])


# Choosing numbers


def test_chosen_numbers_are_among_the_candidates():
    X, y, _ = few_labels(80)
    model = OrdinalKernelClassifier(gamma=(0.05, 0.5), ridge=(0.1, 1.0), n_neighbors="cv").fit(X, y)
    assert model.gamma_ in (0.05, 0.5)
    assert model.ridge_ in (0.1, 1.0)
    assert model.mu_ in (0.0, 1.0, 10.0, 100.0)
    assert model.n_neighbors_ in (5, 7, 10)
    assert len(model.cv_results_["params"]) == 2 * 2 * (1 + 3 * 3)
    total = model.cv_results_["mean_absolute_error"] + model.cv_results_["mean_loss"]
    chosen = model.cv_results_["params"][int(np.argmin(total))]
    assert (chosen["gamma"], chosen["ridge"]) == (model.gamma_, model.ridge_)


def test_processes_do_not_change_the_answer():
    X, y, _ = few_labels(60)
    one, two = (
        OrdinalKernelClassifier(n_jobs=n, gamma=(0.1, 1.0), ridge=0.01).fit(X, y) for n in (1, 2)
    )
    np.testing.assert_array_equal(one.transform(X), two.transform(X))


def test_one_label_per_class_takes_the_usual_numbers():
    X, y, truth = few_labels(60, n_classes=3)
    y = np.full(60, -1)
    for k in range(3):
        y[np.flatnonzero(truth == k)[0]] = k
    model = OrdinalKernelClassifier().fit(X, y)
    assert (model.ridge_, model.mu_) == (0.01, 1.0)
    assert model.gamma_ == pytest.approx(1 / X.shape[1])
    assert model.cv_results_ == {}
    np.testing.assert_array_equal(model.predict(X[y != -1]), y[y != -1])


# Labels


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param(lambda s: s.where(s >= 0), id="NaN"),
        pytest.param(lambda s: s.astype("Int64").where(s >= 0), id="NA"),
        pytest.param(lambda s: s.astype(object).where(s >= 0, None), id="None"),
        pytest.param(lambda s: s.tolist(), id="list"),
    ],
)
def test_missing_labels_of_any_kind_are_unlabelled(missing):
    X, y, _ = few_labels(60)
    model = fixed().fit(X, missing(pd.Series(y)))
    np.testing.assert_array_equal(model.predict(X).astype(int), fixed().fit(X, y).predict(X))


def test_words_in_the_given_order():
    X, y, truth = few_labels(90, n_classes=3)
    words = np.array(["low", "medium", "high", None], dtype=object)
    order = ["low", "medium", "high"]
    expected = words[fixed().fit(X, y).predict(X)]
    by_parameter = fixed(classes=order).fit(X, words[y])
    np.testing.assert_array_equal(by_parameter.predict(X), expected)
    assert by_parameter.classes_.tolist() == order
    categorical = pd.Series(pd.Categorical(words[y], categories=order, ordered=True))
    for given in (categorical, categorical.to_frame(), pl.Series(words[y], dtype=pl.Enum(order))):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataConversionWarning)
            fitted = fixed().fit(X, given)
        assert fitted.classes_.tolist() == order
        np.testing.assert_array_equal(fitted.predict(X), expected)
    assert by_parameter.score(X, words[truth]) > 0.7


def test_polars_labels_with_gaps():
    X, y, _ = few_labels(60)
    labels = pl.Series([int(v) if v >= 0 else None for v in y])
    np.testing.assert_array_equal(fixed().fit(X, labels).predict(X), fixed().fit(X, y).predict(X))


def test_class_without_a_labelled_row_is_not_predicted_but_counts_in_the_score():
    X, y, truth = few_labels(100, n_classes=4)
    y = np.where(y == 2, -1, y)
    model = fixed(classes=[0, 1, 2, 3]).fit(X, y)
    assert model.classes_.tolist() == [0, 1, 3]
    assert set(model.predict(X)) <= {0, 1, 3}
    expected = 1 - macro_mean_absolute_rank_error(truth, model.predict(X), classes=range(4)) / 3
    assert model.score(X, truth) == pytest.approx(expected)
    unnamed = fixed().fit(X, y)
    assert unnamed.score(X, truth) == pytest.approx(expected)


def test_minus_one_and_one_alone_are_two_classes_with_a_warning():
    X, _, truth = few_labels(60, n_classes=2)
    y = 2 * truth - 1
    with pytest.warns(UserWarning, match="−1 and 1 only"):
        model = fixed().fit(X, y)
    assert model.classes_.tolist() == [-1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        three = fixed().fit(X, np.where(np.arange(60) < 20, -1, truth))
    assert three.classes_.tolist() == [0, 1]


@pytest.mark.parametrize("value", [-1, np.nan, None])
def test_nothing_labelled_is_refused(value):
    X, _, _ = few_labels(40)
    with pytest.raises(ValueError, match="no labelled row"):
        fixed().fit(X, np.full(40, value, dtype=object))


def test_one_labelled_class_is_refused():
    X, y, _ = few_labels(40)
    with pytest.raises(ValueError, match="one class only"):
        fixed().fit(X, np.where(y == 2, 2, -1))
    with pytest.raises(ValueError, match="one class only"):
        fixed().fit(X, np.where(y == 2, 1.0, np.nan))


# Unusual data


def test_all_rows_labelled():
    X, _, truth = few_labels(100)
    assert error(OrdinalKernelClassifier().fit(X, truth), X, truth) < 0.15


@pytest.mark.parametrize("solver", SOLVERS)
def test_duplicates_and_constant_columns(solver):
    X, y, truth = few_labels(60, n_classes=3)
    table = np.column_stack([np.vstack([X, X, X]), np.full(180, 5.0)])
    labels = np.concatenate([y, np.full(120, -1)])
    model = OrdinalKernelClassifier(solver=solver, n_landmarks=30).fit(table, labels)
    assert np.isfinite(model.transform(table)).all()
    assert error(model, table, np.tile(truth, 3)) < 0.3


@pytest.mark.parametrize("name", ["DL", "WS-DL", "S-DL", "KES-DL"])
def test_presets_with_duplicates_and_a_tiny_ridge_stay_silent(name):
    X, y, _ = few_labels(40, n_classes=3, n_strong=1, n_weak=0, n_irrelevant=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = OrdinalKernelClassifier.preset(name).fit(np.vstack([X, X]), np.tile(y, 2))
    assert np.isfinite(model.transform(X)).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_rows_that_are_all_alike_get_the_median_class(solver):
    y = np.array([0, 0, 1, 2, 0, 0, -1, -1])
    model = OrdinalKernelClassifier(solver=solver).fit(np.ones((8, 2)), y)
    np.testing.assert_array_equal(model.predict(np.ones((3, 2))), 0)
    assert np.isfinite(model.predict_proba(np.ones((3, 2)))).all()


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


def test_more_columns_than_rows():
    rng = np.random.RandomState(0)
    X = rng.randn(30, 200)
    y = np.where(np.arange(30) < 15, np.arange(30) % 3, -1)
    model = OrdinalKernelClassifier().fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()


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
