"""The class of a feature can be read off the numbers that are shown of it."""

import numpy as np
import pytest
from forest_cases import classifier, regressor, signal
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant.base.three_classes import classify
from allrelevant.forest.evidence import Evidence
from allrelevant.forest.needed import Needs
from allrelevant.forest.score import ROUNDS, Round, Score


def faint(seed):
    """One feature of eight tells a little, in few rows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((100, 8))
    return X, 0.35 * X[:, 0] + rng.standard_normal(100)


def assert_classes_can_be_read_off(result):
    shown = classify(result.intervals, result.thresholds, result.noise_thresholds)
    np.testing.assert_array_equal(shown, result.classes)
    lost, limit = result.losses[result.support].T
    np.testing.assert_array_equal(lost > limit, result.classes[result.support] == 2)
    np.testing.assert_array_equal(np.isnan(result.losses[:, 0]) & result.support, False)
    assert (result.intervals[:, 0] <= result.intervals[:, 1]).all()


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3, None])
def test_with_a_signal(n_classes):
    X, y, _ = signal(n_classes=n_classes)
    result = (classifier if n_classes else regressor)().fit(X, y).result_
    assert set(result.classes) == {0, 1, 2}
    assert_classes_can_be_read_off(result)
    # The smallest importance of all that noise may have is not what all are held to.
    assert result.thresholds[1] == pytest.approx(np.median(result.noise_thresholds))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
def test_with_hardly_any_signal(seed):
    X, y = faint(seed)
    assert_classes_can_be_read_off(regressor().fit(X, y).result_)
    assert_classes_can_be_read_off(classifier().fit(X, (y > 0).astype(int)).result_)


@pytest.mark.slow
def test_parts_of_a_relevant_sum_show_what_the_sum_brings():
    rng = np.random.default_rng(0)
    a, b, noise = rng.standard_normal((3, 400))
    X = np.column_stack([a, b, a + b + 0.01 * rng.standard_normal(400), noise])
    result = regressor().fit(X, np.sin(a + b)).result_
    assert_classes_can_be_read_off(result)
    assert result.classes.tolist() == [1, 1, 1, 0]


@pytest.mark.slow
def test_the_thesis_algorithm_has_no_threshold_to_show():
    X, y, _ = signal(n=120)
    model = classifier(method="squamish").fit(X, y)
    result = model.result_
    assert np.isnan(result.upper_thresholds).all()
    assert "noise threshold" not in repr(result)
    np.testing.assert_array_equal(result.intervals[:, 0] > 0, result.classes == 2)
    assert result.unit == "share of all features' importance"


@pytest.mark.slow
@given(seed=st.integers(0, 10**6), unlike=st.floats(1.0, 50.0), level=st.floats(0.001, 0.9))
@settings(max_examples=60, deadline=None)
def test_limits_of_the_contest_agree_with_its_decision_however_unlike_blocks_are(
    seed, unlike, level
):
    rng = np.random.default_rng(seed)
    d, n_shadows = 5, 20
    score = Score(2, np.arange(d), [False, False])
    size = rng.choice([1.0, 2.0, 3.0], d)
    for scale in (1.0, unlike):
        rounds = [
            Round(view, np.arange(d), np.arange(n_shadows) % d, 0, 0)
            for view in (0, 1)
            for _ in range(ROUNDS)
        ]
        found = [
            scale * np.append(size + rng.standard_normal(d), rng.standard_normal(n_shadows))
            for _ in rounds
        ]
        score.add(rounds, found)
    outcome = score.outcome(level, 0)
    beyond = (outcome.importances > np.maximum(outcome.limits, 0.0)).any(axis=0)
    np.testing.assert_array_equal(beyond, outcome.confirmed)


def test_the_limit_shown_is_that_of_a_test_that_was_passed():
    brings = np.array([[0.5, 0.1, np.nan], [0.3, 0.2, -0.1]])
    limits = np.array([[0.6, 0.3, np.nan], [0.2, 0.4, 0.1]])
    found = Evidence.of_tests(brings, limits)
    np.testing.assert_allclose(found.most, [0.5, 0.2, -0.1])
    np.testing.assert_allclose(found.noise, [0.2, 0.4, 0.1])


def test_what_a_later_test_decides_is_shown():
    found = Evidence.of_tests(np.array([[0.5, 0.4, 0.3, 0.1]]), np.full((1, 4), 0.2))
    told = Needs(
        classes=np.array([2, 1, 0]),
        rise=np.array([-0.1, 0.2, 0.05]),
        limits=np.array([0.1, 0.3, 0.08]),
        is_measured=np.array([False, True, True]),
        p_values=np.ones(3),
        r2=np.zeros(3),
        n_fits=1,
    )
    judged = found.judged(np.arange(3), told)
    classes = np.array([2, 1, 0, 0])
    # The first is strong by the contest alone, so it is the contest's number that is lost.
    np.testing.assert_allclose(judged.losses[:2], [[0.5, 0.2], [0.2, 0.3]])
    np.testing.assert_allclose(
        judged.intervals(classes), [[0.5, 0.5], [0, 0.4], [0, 0.05], [0, 0.1]]
    )
    np.testing.assert_allclose(judged.noise, [0.2, 0.2, 0.08, 0.2])
