"""What the estimator learns, and how it chooses numbers."""

import numpy as np
import pytest
from kernel_cases import few_labels, s_curve
from kernel_estimators import SOLVERS, error, fixed

from allrelevant import OrdinalKernelClassifier
from allrelevant.base.metrics import macro_mean_absolute_rank_error
from allrelevant.kernel.presets import PRESETS

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_graphs_in_input_and_kernel_space_are_the_same_for_one_width():
    X, y, _ = few_labels(80)
    one, other = (OrdinalKernelClassifier.preset(name).fit(X, y) for name in ("S-DL", "CES-DL"))
    np.testing.assert_allclose(one.transform(X), other.transform(X), rtol=1e-6, atol=1e-9)


@pytest.mark.slow
def test_unlabelled_rows_help_on_curved_data():
    X, y, truth = s_curve(300, seed=0)
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


@pytest.mark.slow
def test_order_of_rows_does_not_matter():
    X, y, _ = few_labels(80)
    order = np.random.RandomState(0).permutation(80)
    one, other = OrdinalKernelClassifier(n_repeats=2), OrdinalKernelClassifier(n_repeats=2)
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


@pytest.mark.slow
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


@pytest.mark.slow
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
