"""What left-out rows say of a candidate."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.baseline.candidate import Tested as Part
from allrelevant.linear.fit.cautions import shared
from allrelevant.linear.fit.rows.sample import Observations
from allrelevant.linear.models import Classification, Multiclass, Quantile, Survival


def choice(model, *folds, count=None):
    """A candidate whose folds are (scores, targets); each has an offset of its own."""
    tested = []
    for k, (scores, target) in enumerate(folds):
        n = len(scores)
        once = np.ones(n) if count is None else count
        offset = np.array([3.0 * k])
        tested.append(Part(np.arange(n), np.asarray(target), np.asarray(scores), offset, once))
    n = len(folds[0][0])
    return Choice(model, 1.0, np.ones(n), Observations(np.ones(n)), 1.0, tuple(tested))


def test_scores_that_follow_the_target_are_beyond_chance_by_their_standard_error():
    random = np.random.default_rng(0)
    target = np.repeat([-1.0, 1.0], 50)
    scores = random.standard_normal(100) + 0.5 * target
    # Folds of other models are at other places; only what is within them counts.
    found = choice(Classification(), (scores, target), (scores + 100.0, target)).beyond_chance()
    alone = np.corrcoef(scores, target)[0, 1] * np.sqrt(100.0)
    assert found == pytest.approx(np.sqrt(2.0) * alone)
    orders = [np.corrcoef(scores, random.permutation(target))[0, 1] for _ in range(2000)]
    assert np.std(orders) * 10.0 == pytest.approx(1.0, abs=0.05)
    assert found > 4.0
    assert choice(Classification(), (-scores, target)).beyond_chance() < -3.0
    noise = [choice(Classification(), (random.standard_normal(100), target)) for _ in range(300)]
    assert np.std([one.beyond_chance() for one in noise]) == pytest.approx(1.0, abs=0.12)


def test_times_count_by_how_late_they_are():
    random = np.random.default_rng(1)
    scores = random.standard_normal(160)
    time = np.exp(scores + random.gumbel(size=160))
    seen = np.column_stack([np.log(time), random.random(160) < 0.6])
    assert choice(Survival(), (scores, seen)).beyond_chance() > 3.0


@pytest.mark.parametrize("model", [Multiclass(3), Quantile()])
def test_models_without_numbers_say_nothing(model):
    target = np.arange(30) % 3.0
    assert choice(model, (target, target)).beyond_chance() == 0.0


def test_scores_that_are_all_equal_say_nothing():
    assert choice(Classification(), (np.zeros(4), [-1.0, 1, 1, -1])).beyond_chance() == 0.0


def test_what_is_told_needs_both_nothing_found_and_a_prediction():
    target = np.repeat([-1.0, 1.0], 50)
    good, poor = (choice(Classification(), (sign * target, target)) for sign in (1.0, -1.0))
    nothing = np.zeros(3, dtype=int)
    assert shared(good, nothing).startswith("no feature can be distinguished from noise, but all")
    assert shared(poor, nothing) is None
    assert shared(good, np.array([0, 1, 0])) is None


def test_what_cannot_be_compared_with_numbers_may_predict():
    target = np.repeat([-1.0, 1.0], 50)
    good, poor = (choice(Classification(), (sign * target, target)) for sign in (1.0, -1.0))
    unknown = choice(Quantile(0.5), (target, target))
    assert [one.predicts for one in (good, poor, unknown)] == [True, False, False]
    assert [one.may_predict for one in (good, poor, unknown)] == [True, False, True]


@pytest.mark.slow
def test_a_fit_says_that_features_predict_which_it_cannot_tell_from_noise():
    random = np.random.default_rng(97_207)
    X = random.standard_normal((150, 60))
    y = X @ np.full(60, 0.14) + random.standard_normal(150) > 0
    with pytest.warns(UserWarning, match="but all features together predict left-out rows"):
        result = RelevanceClassifier(random_state=0).fit(X, y).result_
    assert not result.classes.any()
    assert sum("'irrelevant' does not mean useless" in line for line in result.warnings) == 1
