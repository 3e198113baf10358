"""Constraints on, and questions about, differences between two of three classes: full programs."""

from itertools import pairwise, permutations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from class_programs import fitted_to, programs_of, three_classes

from allrelevant import ExplanationDisplay, InfeasibleError, RelevanceClassifier
from allrelevant.data import matrix_of

LABELS = np.array(["ant", "bee", "cat"])


@pytest.fixture(scope="module")
def data():
    X, y = three_classes()
    return X, LABELS[y]


@pytest.fixture(scope="module")
def model(data):
    return fitted_to(*data)


@pytest.fixture(scope="module")
def programs(model):
    return programs_of(model)


def scaled(model, X):
    """Samples as the programs have them."""
    return model.fitted_set_.scaling.of_matrix(matrix_of(X)).dense()


def within(full, feature, low, high):
    """The branches of a range of relevance: in each, two classes are that far apart."""
    pairs = list(permutations(range(3), 2))
    for pair in pairs:
        full = full.at_most(feature, *pair, high)
    return [full.at_most(feature, *pair, -low) for pair in pairs]


def spreads(branches, feature):
    """Both ends of a feature's relevance in any branch that holds a model."""
    found = []
    for full in branches:
        try:
            found.append(full.spread_interval(feature))
        except AssertionError:
            continue
    return min(low for low, _ in found), max(high for _, high in found)


def assert_intervals(found, branches, norm, features):
    for j in features:
        expected = np.array(spreads(branches, j)) / norm
        np.testing.assert_allclose(found.intervals[j], expected, atol=1e-6)


@pytest.mark.slow
def test_bounds_are_about_the_largest_difference(model, programs):
    norm, (low, high) = model.result_.baseline["norm"], model.intervals_[1]
    ends = low + 0.3 * (high - low), low + 0.8 * (high - low)
    found = model.what_if(bounds={"x1": ends})
    branches = within(programs, 1, *(end * norm for end in ends))
    assert_intervals(found, branches, norm, (0, 1))
    np.testing.assert_allclose(found.intervals[1], ends, atol=1e-6)


@pytest.mark.slow
def test_what_is_kept_is_more_than_noise(model, programs):
    norm, limit = model.result_.baseline["norm"], model.result_.upper_thresholds[2]
    found = model.what_if(keep=["x2"], forbid=["x4"])
    assert_intervals(found, within(programs.without([4]), 2, limit * norm, 1e6), norm, (2, 3))
    assert found.intervals[2, 0] >= limit - 1e-9


@pytest.mark.slow
def test_weights_do_not_fall_along_classes(model, programs):
    norm = model.result_.baseline["norm"]
    for order in permutations(range(3)):
        full = programs
        for k, other in pairwise(order):
            full = full.at_most(1, k, other, 0.0)
        asked = {"x1": LABELS[list(order)].tolist()}
        try:
            expected = full.spread_interval(1)
        except AssertionError:
            with pytest.raises(InfeasibleError, match="weight of 'x1': "):
                model.what_if(signs=asked)
            continue
        found = model.what_if(signs=asked)
        np.testing.assert_allclose(found.intervals[1], np.array(expected) / norm, atol=1e-6)
        assert list(found.constraints["signs"]["x1"]) == asked["x1"]
        for bound in ("min", "max"):
            weights = found.witness("x1", bound).weights_.reshape(3, -1)[list(order), 1]
            assert (np.diff(weights) >= -1e-7).all()


@pytest.mark.slow
def test_a_sufficient_tolerance_is_enough(model, data):
    most = float(model.intervals_[1, 1])
    with pytest.raises(InfeasibleError, match="relevance of 'x1'") as caught:
        model.what_if(bounds={"x1": (1.2 * most, 2.0 * most)})
    enough = caught.value.tolerance
    wider = RelevanceClassifier(C=0.5, tolerance=1.001 * enough, n_probes=5, random_state=0)
    assert wider.fit(*data).intervals_[1, 1] >= 1.2 * most - 1e-6
    narrow = RelevanceClassifier(C=0.5, tolerance=0.98 * enough, n_probes=5, random_state=0)
    assert narrow.fit(*data).intervals_[1, 1] < 1.2 * most


def test_what_cannot_be_is_said(model):
    with pytest.raises(InfeasibleError, match="contradiction"):
        model.what_if(keep=["x1"], forbid=["x1"])
    with pytest.raises(InfeasibleError, match="contradiction"):
        model.what_if(keep=["x1"], bounds={"x1": (0.0, 0.0)})
    with pytest.raises(ValueError, match="any two classes"):
        model.what_if(keep=["x0", "x1", "x2", "x3"])


QUESTIONS = {
    "what_if_stream": lambda model, X, asked: list(model.what_if_stream(**asked)),
    "witness": lambda model, X, asked: model.witness("x2", "max", **asked).predict(X),
    "prediction_range": lambda model, X, asked: model.prediction_range(X[:3], **asked).labels,
    "groups": lambda model, X, asked: model.groups(**asked).labels,
    "substitutes": lambda model, X, asked: [model.substitutes("x2", **asked)],
    "smallest_sets": lambda model, X, asked: model.smallest_sets(**asked),
    "explain": lambda model, X, asked: model.explain(X, **asked).names,
}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_take_constraints(model, data, question):
    order = ["ant", "cat"][:: model.range_of({"x0": 1.0}, classes=("ant", "cat")).sign or 1]
    asked = {"bounds": {"x1": (0.0, 0.5), "x3": (0.01, 1.0)}, "signs": {"x0": order}}
    assert len(QUESTIONS[question](model, data[0], asked)) > 0


@pytest.mark.slow
def test_sets_contain_what_is_kept(model):
    found = model.smallest_sets(keep=["x3"])
    assert all("x3" in one.features for one in found)


# Between two classes


@pytest.mark.slow
def test_sums_of_weights_and_scores(model, data, programs):
    X, norm = data[0], model.result_.baseline["norm"]
    own = scaled(model, X)
    found = model.range_of({"x1": 1.0, "x2": -2.0}, classes=("ant", "cat"))
    cost = programs.difference(1, 2, 0) - 2.0 * programs.difference(2, 2, 0)
    expected = np.array(programs.ends(cost)) / norm
    np.testing.assert_allclose((found.low, found.high), expected, atol=1e-6)
    found = model.range_of(scores={3: 1.0, 8: -0.5}, X=X, classes=("bee", "ant"))
    cost = programs.score(own[3], 0, 1) - 0.5 * programs.score(own[8], 0, 1)
    np.testing.assert_allclose((found.low, found.high), programs.ends(cost), atol=1e-6)
    attained = found.highest.decision_function(X)[[3, 8]] @ [1.0, -1.0, 0.0]
    assert attained @ [1.0, -0.5] == pytest.approx(found.high, abs=1e-6)


@pytest.mark.slow
def test_regions_reach_as_far_as_programs(model, programs):
    norm = model.result_.baseline["norm"]
    region = model.region("x1", "x3", classes=("ant", "bee"), n_programs=200)
    assert region.is_exact
    for angle in np.linspace(0.0, 6.0, 7):
        normal = np.array([np.cos(angle), np.sin(angle)])
        cost = normal[0] * programs.difference(1, 1, 0) + normal[1] * programs.difference(3, 1, 0)
        expected = -programs.least(-cost) / norm
        assert (region.corners @ normal).max() == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_explanations_compare_two_classes(model, data, programs):
    X, mean = data[0], programs.X.mean(axis=0)
    own = scaled(model, X)[4]
    found = model.explain(X, 4)
    scores = model.decision_function(X)[4]
    second, first = np.argsort(scores)[-2:]
    assert (found.rather_than, found.speaks_for) == (LABELS[second], LABELS[first])
    assert found.score[2] == pytest.approx(scores[first] - scores[second], abs=1e-9)
    cost = programs.score(own, first, second)
    np.testing.assert_allclose(found.score[:2], programs.ends(cost), atol=1e-6)
    for j in range(5):
        cost = (own[j] - mean[j]) * programs.difference(j, first, second)
        np.testing.assert_allclose((found.low[j], found.high[j]), programs.ends(cost), atol=1e-6)
    assert found.mean[2] + found.baseline.sum() == pytest.approx(found.score[2], abs=1e-9)
    assert all(
        "rather than" in said or "prediction" in said or "counts" in said
        for said in found.statements
    )
    turned = model.explain(X, 4, classes=(LABELS[first], LABELS[second]))
    np.testing.assert_allclose(turned.low, -found.high, atol=1e-6)


@pytest.mark.slow
def test_long_names_of_classes_fit_below_a_picture(data):
    X, y = data
    names = {label: f"a rather long name of the {label}" for label in LABELS}
    model = fitted_to(X, [names[label] for label in y])
    found = model.explain(X, 4, classes=(names["ant"], names["bee"]))
    display = ExplanationDisplay(found).plot()
    display.figure_.canvas.draw()
    label, whole = display.ax_.xaxis.label.get_window_extent(), display.figure_.bbox
    assert whole.x0 <= label.x0 < label.x1 <= whole.x1
    plt.close(display.figure_)


@pytest.mark.slow
def test_intervals_as_the_tolerance_grows(model, data):
    found = model.path_over_tolerance([0.5, 1.0], features=model.result_.names)
    np.testing.assert_allclose(found.intervals[1], model.intervals_, atol=1e-6)
    half = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=5, random_state=0).fit(*data)
    np.testing.assert_allclose(found.feature_intervals[0], half.intervals_, atol=1e-6)
    some = model.path_over_tolerance([0.5], features=["x1"])
    np.testing.assert_allclose(some.intervals[0, 1], found.intervals[0, 1], atol=1e-6)
    assert np.isnan(np.delete(some.intervals, 1, axis=1)).all()


@pytest.mark.slow
def test_bands_of_lines_are_ranges_of_weights(model, data):
    found = model.shape_range("x1", [-1.0, 0.0, 2.0], classes=("ant", "bee"))
    explained = [
        model.explain(np.array([[0.0, x, 0, 0, 0]]), classes=("ant", "bee"))
        for x in (-1.0, 0.0, 2.0)
    ]
    np.testing.assert_allclose(found.low, [one.low[1] for one in explained], atol=1e-6)
    np.testing.assert_allclose(found.high, [one.high[1] for one in explained], atol=1e-6)


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.range_of({"x0": 1.0}),
        lambda model: model.region("x0", "x1"),
        lambda model: model.shape_range("x0"),
    ],
)
def test_which_classes_are_compared_has_to_be_said(model, ask):
    with pytest.raises(ValueError, match=r"needs classes=\(one, other\)"):
        ask(model)
