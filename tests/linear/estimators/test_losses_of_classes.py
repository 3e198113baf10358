"""The loss of classes, two, several or ordered ones: hinge, logistic, and which is taken."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from oracle import FullProblem, relevance
from scipy.integrate import quad
from scipy.special import logit

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, load, papers
from allrelevant.datasets import make_classification, make_ordinal
from allrelevant.linear.models import Logistic, MulticlassLogistic, OrderedLogistic


def likely(n=400):
    """A feature decides which class is likelier; another makes it more or less so, and no more."""
    random = np.random.default_rng(0)
    first = random.choice([-1.0, 1.0], n)
    second = random.choice([-1.0, 1.0], n)
    noise = random.normal(size=n)
    chance = 0.5 + 0.25 * first + 0.2 * second
    X = pd.DataFrame({"first": first, "second": second, "noise": noise})
    return X, (random.random(n) < chance).astype(int)


@pytest.mark.parametrize("n_kinks", [1, 2, 5])
def test_kinks_are_the_means_of_slices_of_the_logistic_distribution(n_kinks):
    borders = np.arange(n_kinks + 1) / n_kinks
    means = [n_kinks * quad(logit, *ends)[0] for ends in pairwise(borders)]
    np.testing.assert_allclose(Logistic(n_kinks).kinks, means, atol=1e-8)


def test_the_loss_is_the_logistic_one_where_slices_meet_and_below_it_in_between():
    model = Logistic()
    margin = np.linspace(-8.0, 8.0, 4001)
    lines = np.mean([np.maximum(0.0, kink - margin) for kink in model.kinks], axis=0)
    below = np.log1p(np.exp(-margin)) - lines
    assert below.min() >= 0.0
    assert below.max() < 0.08
    meeting = logit(np.arange(1, 5) / 5)
    np.testing.assert_allclose(np.interp(meeting, margin, below), 0.0, atol=1e-5)


@pytest.mark.slow
def test_the_logistic_loss_is_taken_where_it_predicts_clearly_better():
    """By the hinge loss the second feature is none: it makes nobody's class the likelier one."""
    X, y = likely()
    hinge = RelevanceClassifier(loss="hinge", n_probes=5, random_state=0).fit(X, y)
    assert hinge.loss_ == "hinge"
    assert hinge.intervals_[1, 1] < 0.01
    model = RelevanceClassifier(random_state=0).fit(X, y)
    assert model.loss_ == model.result_.baseline["loss_name"] == "logistic"
    assert model.result_.class_names == ("strong", "strong", "irrelevant")
    assert "logistic loss" in str(model.result_)
    forced = RelevanceClassifier(loss="logistic", n_probes=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(forced.intervals_, model.intervals_, atol=1e-8)


@pytest.mark.slow
def test_the_hinge_loss_stays_where_the_other_is_no_better():
    X, y, _ = make_classification(150, n_strong=2, n_weak=2, n_irrelevant=2, random_state=1)
    model = RelevanceClassifier(n_probes=5, random_state=0).fit(X, y)
    hinge = RelevanceClassifier(loss="hinge", n_probes=5, random_state=0).fit(X, y)
    assert model.loss_ == "hinge"
    np.testing.assert_array_equal(model.intervals_, hinge.intervals_)


def quick(**parameters):
    return RelevanceClassifier(loss="logistic", C=0.1, n_probes=20, random_state=0, **parameters)


@pytest.fixture(scope="module")
def fitted():
    return quick(tolerance=0.05).fit(*likely(80))


def test_intervals_equal_the_full_programs(fitted):
    models = fitted.equivalent_models_
    full = FullProblem(models.X.dense(), models.pieces)
    assert len(models.pieces) == 5 * len(models.X)
    expected = relevance(full.signed_intervals(models.budgets)) / fitted.result_.baseline["norm"]
    np.testing.assert_allclose(fitted.intervals_, expected, atol=1e-7)


def test_all_questions_can_be_asked(fitted, tmp_path):
    X, _ = likely(80)
    ranges = fitted.prediction_range(X)
    inside = fitted.decision_function(X)
    assert (ranges.low <= inside + 1e-7).all()
    assert (inside <= ranges.high + 1e-7).all()
    without = fitted.what_if(forbid=["noise"])
    low, high = without.interval("first")
    assert low >= fitted.intervals_[0, 0] - 1e-6
    assert high <= fitted.intervals_[0, 1] + 1e-6
    assert "noise" not in fitted.witness("noise").features_
    assert "noise" not in fitted.smallest_sets(1)[0].features
    fitted.save(tmp_path / "fit.zip")
    again = load(tmp_path / "fit.zip")
    assert again.loss_ == "logistic"
    np.testing.assert_allclose(again.prediction_range(X).low, ranges.low, atol=1e-9)


def test_privileged_features_and_the_logistic_loss_do_not_go_together():
    X, y = likely(80)
    with pytest.raises(ValueError, match="for features that are not privileged"):
        quick().fit(X[["first", "second"]], y, X_privileged=X[["noise"]])


@pytest.mark.slow
def test_with_privileged_features_the_loss_is_the_hinge():
    X, y = likely(80)
    model = RelevanceClassifier(n_probes=20, random_state=0)
    with pytest.warns(UserWarning, match="privileged"):
        model.fit(X[["first", "second"]], y, X_privileged=X[["noise"]])
    assert model.loss_ == "hinge"


def test_the_papers_have_the_hinge_loss():
    assert papers.thesis().loss == papers.esann2017().loss == "hinge"
    assert papers.thesis("ordinal").loss == papers.neurocomputing2020().loss == "hinge"


def satisfied(n=400):
    """Ratings that a feature makes better or worse; most people give one of the two best."""
    random = np.random.default_rng(1)
    X = pd.DataFrame(random.normal(size=(n, 3)), columns=["years", "noise", "other noise"])
    latent = -0.6 * X["years"] + random.logistic(size=n)
    return X, np.digitize(latent, [-3.5, -2.0, -1.2, 0.4])


@pytest.mark.slow
def test_ordered_classes_have_the_logistic_loss_where_it_orders_rows_clearly_better():
    """By the hinge loss always the same rating is as good as any model."""
    X, y = satisfied()
    with pytest.warns(UserWarning, match="no learnable signal"):
        hinge = OrdinalRelevanceClassifier(loss="hinge", random_state=0).fit(X, y)
    assert not hinge.relevance_classes_.any()
    model = OrdinalRelevanceClassifier(random_state=0).fit(X, y)
    assert model.loss_ == model.result_.baseline["loss_name"] == "logistic"
    assert model.result_.class_names == ("strong", "irrelevant", "irrelevant")
    assert model.score(X, y) > hinge.score(X, y) + 0.03
    forced = OrdinalRelevanceClassifier(loss="logistic", n_probes=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(forced.intervals_, model.intervals_, atol=1e-8)


@pytest.mark.slow
def test_ordered_classes_keep_the_hinge_loss_where_the_other_is_no_better():
    X, y, _ = make_ordinal(150, n_strong=2, n_weak=2, n_irrelevant=2, random_state=1)
    model = OrdinalRelevanceClassifier(n_probes=5, random_state=0).fit(X, y)
    hinge = OrdinalRelevanceClassifier(loss="hinge", n_probes=5, random_state=0).fit(X, y)
    assert model.loss_ == "hinge"
    np.testing.assert_array_equal(model.intervals_, hinge.intervals_)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:predictions are 3 for:UserWarning")
def test_intervals_of_ordered_classes_equal_the_full_programs():
    X, y = satisfied(50)
    model = OrdinalRelevanceClassifier(
        loss="logistic", C=0.1, tolerance=0.05, n_probes=20, random_state=0
    ).fit(X, y)
    models = model.equivalent_models_
    # Every sample and every threshold, five kinks.
    assert len(models.pieces) == len(models.X) * (len(model.classes_) - 1) * 5
    full = FullProblem(models.X.dense(), models.pieces)
    expected = relevance(full.signed_intervals(models.budgets)) / model.result_.baseline["norm"]
    np.testing.assert_allclose(model.intervals_, expected, atol=1e-7)
    ranges = model.prediction_range(X)
    assert all(label in some for label, some in zip(model.predict(X), ranges.labels, strict=True))


def test_two_ordered_classes_are_two_classes():
    target, weight = np.array([0.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0])
    ordered = OrderedLogistic(2).pieces(target, weight)
    other = Logistic().pieces(2.0 * target - 1.0, weight)
    score = np.array([0.3, -0.4, 2.0])
    found = ordered.loss_by_row(score, np.array([0.5]))
    np.testing.assert_allclose(found, other.loss_by_row(score, np.array([-0.5])))


def test_privileged_features_and_the_logistic_loss_of_ordered_classes_do_not_go_together():
    X, y = satisfied(50)
    model = OrdinalRelevanceClassifier(loss="logistic", C=0.1, n_probes=20, random_state=0)
    with pytest.raises(ValueError, match="for features that are not privileged"):
        model.fit(X[["years"]], y, X_privileged=X[["noise"]])


# Several classes without an order


def likely_of_three(n=500):
    """A feature decides which of three classes is likeliest; another only how much so."""
    random = np.random.default_rng(0)
    first, second = random.integers(0, 3, n), random.choice([-1.0, 1.0], n)
    sure = random.random(n) < 0.75 + 0.2 * second
    y = np.where(sure, first, (first + 1) % 3)
    frame = pd.DataFrame({"second": second, "noise": random.normal(size=n)})
    return frame.assign(first=np.array(["a", "b", "c"])[first]), y


@pytest.mark.slow
def test_by_the_logistic_loss_several_classes_use_what_makes_them_likelier():
    X, y = likely_of_three()
    X = X.assign(both=X["second"] * (X["first"] == "a"))
    hinge = RelevanceClassifier(loss="hinge", cv=3, n_probes=5, random_state=0).fit(X, y)
    assert hinge.result_.interval("both")[0] == 0.0
    model = RelevanceClassifier(loss="logistic", cv=3, n_probes=30, random_state=0).fit(X, y)
    assert model.loss_ == model.result_.baseline["loss_name"] == "logistic"
    assert model.result_.interval("both")[0] > 0.05
    assert "noise" in model.result_.irrelevant
    assert "logistic loss" in str(model.result_)


@pytest.mark.slow
def test_several_classes_keep_the_hinge_loss_where_the_other_is_no_better():
    X, y, _ = make_classification(90, n_classes=3, noise=0.1, label_noise=0.05, random_state=1)
    model = RelevanceClassifier(n_probes=5, random_state=0).fit(X, y)
    hinge = RelevanceClassifier(loss="hinge", n_probes=5, random_state=0).fit(X, y)
    assert model.loss_ == "hinge"
    np.testing.assert_array_equal(model.intervals_, hinge.intervals_)


def test_two_classes_without_an_order_are_two_classes():
    target, weight = np.array([0.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0])
    several = MulticlassLogistic(2).pieces(target, weight)
    other = Logistic().pieces(2.0 * target - 1.0, weight)
    score = np.array([0.3, -0.4, 2.0])
    ahead = np.where(target > 0, score, -score)  # of the own class
    found = several.loss_by_row(ahead, np.array([0.5]))
    np.testing.assert_allclose(found, other.loss_by_row(score, np.array([0.5])))


@pytest.mark.slow
def test_a_file_keeps_the_loss_of_several_and_of_ordered_classes(tmp_path):
    X, y, _ = make_ordinal(90, n_strong=2, n_weak=2, n_irrelevant=2, n_classes=3, random_state=1)
    for estimator in (RelevanceClassifier, OrdinalRelevanceClassifier):
        model = estimator(loss="logistic", C=0.1, n_probes=20, random_state=0).fit(X, y)
        model.save(tmp_path / "fit.zip")
        again = load(tmp_path / "fit.zip")
        assert again.loss_ == "logistic"
        assert again.result_ == model.result_
        np.testing.assert_allclose(again.what_if().intervals, model.intervals_, atol=1e-9)
