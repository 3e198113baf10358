"""Classes without an order, against full linear programs."""

import numpy as np
import pandas as pd
import pytest
from class_programs import programs_of
from sklearn.datasets import load_wine

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification

QUICK = {"C": 0.5, "tolerance": 0.02, "n_probes": 5, "random_state": 0}


def data(K, seed=0, n=45):
    X, y, _ = make_classification(
        n,
        n_strong=1,
        n_weak=2,
        n_irrelevant=2,
        noise=0.2,
        label_noise=0.1,
        n_classes=K,
        random_state=seed,
    )
    return X, y


@pytest.fixture(scope="module")
def three():
    return RelevanceClassifier(**QUICK | {"tolerance": 0.2}).fit(*data(3))


@pytest.fixture(
    scope="module",
    params=[
        (3, None, "hinge"),
        (4, "auto", "hinge"),
        (5, "balanced", "hinge"),
        (3, "auto", "logistic"),
    ],
)
def fitted(request):
    K, class_weight, loss = request.param
    return RelevanceClassifier(class_weight=class_weight, loss=loss, **QUICK).fit(*data(K))


@pytest.mark.slow
def test_baseline_is_the_minimum(fitted):
    known, C = fitted.result_.baseline, fitted.C_
    expected = programs_of(fitted).least_objective(C)
    assert known["norm"] + C * known["loss"] == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_intervals_are_those_of_the_full_programs(fitted):
    full, norm = programs_of(fitted), fitted.result_.baseline["norm"]
    for j, found in enumerate(fitted.intervals_):
        expected = np.array(full.spread_interval(j)) / norm
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.slow
def test_witnesses_attain_both_ends(fitted):
    X, y = data(len(fitted.classes_))
    for j, ends in enumerate(fitted.intervals_):
        for bound, end in zip(("min", "max"), ends, strict=True):
            model = fitted.witness(j, bound)
            weights = model.weights_.reshape(len(fitted.classes_), -1)[:, j]
            assert np.ptp(weights) == pytest.approx(end, abs=1e-6)
            assert model.loss_ <= fitted.equivalent_models_.budgets[1].limit * (1 + 1e-6)
            assert model.score(X, y) > 0.5


@pytest.mark.slow
def test_what_tells_two_classes_apart(three):
    full, norm = programs_of(three), three.result_.baseline["norm"]
    found, turned = three.between(0, 2), three.between(2, 0)
    for j, signed in enumerate(found.signed_intervals):
        expected = np.array(full.pair_interval(j, 2, 0)) / norm
        np.testing.assert_allclose(signed, expected, atol=1e-6)
    np.testing.assert_allclose(found.signed_intervals, -turned.signed_intervals[:, ::-1], atol=1e-6)
    assert (found.intervals[:, 1] <= three.intervals_[:, 1] + 1e-6).all()


@pytest.mark.slow
def test_what_is_left_without_a_feature(three):
    norm = three.result_.baseline["norm"]
    weak = 3
    found = three.what_if(forbid=[weak])
    full = programs_of(three).without([weak])
    for j in range(5):
        expected = np.zeros(2) if j == weak else np.array(full.spread_interval(j)) / norm
        np.testing.assert_allclose(found.intervals[j], expected, atol=1e-6)
    streamed = [answer.relevance for answer in three.what_if_stream(forbid=[weak])]
    np.testing.assert_allclose(streamed, found.intervals, atol=1e-6)
    assert all(f"x{weak}" not in one.features for one in three.smallest_sets(forbid=[weak]))


@pytest.mark.slow
def test_by_how_much_classes_can_be_ahead(three):
    X, _ = data(3)
    full, found = programs_of(three), three.prediction_range(X[:4])
    for i, sample in enumerate(three.fitted_set_.scaling.apply(X[:4])):
        for k in range(3):
            expected = full.largest_lead(sample, k)
            np.testing.assert_allclose((found.low[i, k], found.high[i, k]), expected, atol=1e-6)
    assert [three.predict(X[:4])[i] in found.labels[i] for i in range(4)] == [True] * 4
    assert list(found.to_frame())[:2] == ["low_0", "high_0"]


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{}, {"forbid": [4]}, {"keep": [0]}])
def test_labels_alone_are_those_of_the_leads(three, asked):
    X = data(3)[0][::4]
    found, labels = (three.prediction_range(X, ends=ends, **asked) for ends in (True, False))
    assert labels.allowed.sum(axis=1).max() > 1
    np.testing.assert_array_equal(labels.allowed, found.allowed)
    assert np.isnan(labels.low).all()
    assert np.isnan(labels.high).all()


def test_predictions_follow_coefficients_and_intercepts(three):
    X, y = data(3)
    scores = X @ three.coef_.T + three.intercept_
    np.testing.assert_allclose(three.decision_function(X), scores)
    np.testing.assert_array_equal(three.predict(X), scores.argmax(axis=1))
    assert three.score(X, y) == (three.predict(X) == y).mean()


@pytest.mark.slow
def test_names_of_classes_and_their_order_change_nothing(three):
    X, y = data(3)
    named = RelevanceClassifier(**three.get_params()).fit(X, np.array(["z", "b", "m"])[y])
    np.testing.assert_allclose(named.intervals_, three.intervals_, atol=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_a_category_counts_by_the_level_that_differs_most():
    X, y = data(3, n=60)
    frame = pd.DataFrame(X, columns=list("abcde")).assign(town=np.array(["p", "q", "r"])[y])
    found = RelevanceClassifier(**QUICK).fit(frame, y)
    assert found.result_.names[-1] == "town"
    low, high = found.result_.intervals[-1]
    assert high == pytest.approx(found.intervals_[5:, 1].max())
    assert 0.0 <= low <= high
    assert found.result_.classes[-1] > 0
    left, full = found.what_if(forbid=["a"]), programs_of(found).without([0])
    assert left.intervals[-1, 1] > 0
    columns, norm = left.columns["town"], found.result_.baseline["norm"]
    assert columns["references"] == ("town=q",)  # it has no weight
    expected = [np.array(full.spread_interval(k)) / norm for k in (5, 7)]
    np.testing.assert_allclose(columns["intervals"][::2], expected, atol=1e-6)
    assert left.intervals[-1, 1] == pytest.approx(np.max(expected), abs=1e-6)


@pytest.mark.slow
def test_known_truth_is_found():
    X, y, truth = make_classification(
        200, n_strong=2, n_weak=2, n_irrelevant=4, n_classes=3, random_state=0
    )
    found = RelevanceClassifier(random_state=0).fit(X, y)
    np.testing.assert_array_equal(found.relevance_classes_, truth)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
def test_many_classes_are_warned_of_before_the_fit_takes_long():
    y, X = np.arange(63) % 21, np.arange(63.0)[:, None] % 5
    with pytest.warns(UserWarning, match="y has 21 classes, and the time of a fit grows"):
        RelevanceClassifier(C=1e-6, n_probes=2).fit(X, y)


@pytest.mark.slow
def test_names_of_several_classes_do_not_matter():
    X, y = load_wine(return_X_y=True)
    plain, other = (
        RelevanceClassifier(n_probes=5, random_state=0).fit(X, names[y])
        for names in (np.array(["a", "b", "c"]), np.array(["c", "a", "b"]))
    )
    np.testing.assert_allclose(other.C_, plain.C_, rtol=0.01)
    np.testing.assert_allclose(other.intervals_, plain.intervals_, atol=1e-4)
    np.testing.assert_array_equal(other.relevance_classes_, plain.relevance_classes_)
