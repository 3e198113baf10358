"""Where the offset belongs for predictions, once relevance was found with weighted classes."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant.linear.fit.baseline.candidate import AS_FITTED, Choice, Placing
from allrelevant.linear.fit.baseline.candidate import Tested as Part
from allrelevant.linear.fit.baseline.offsets import accuracy_shift, ordered_placing
from allrelevant.linear.fit.rows.sample import Observations
from allrelevant.linear.models import Classification, Ordinal


def choice(*parts):
    """Left-out rows as (decision values, targets, counts) of each fold."""
    tested = []
    for decision, target, *count in parts:
        decision, target = np.asarray(decision, dtype=float), np.asarray(target, dtype=float)
        counts = np.asarray(count[0], dtype=float) if count else np.ones(len(target))
        # The offset is one of the fold's own, and belongs to the decision value.
        tested.append(Part(np.arange(len(target)), target, decision - 0.7, np.array([0.7]), counts))
    n = len(tested[0].target)
    return Choice(Classification(), 1.0, np.zeros(n), Observations(np.ones(n)), 1.0, tuple(tested))


def logistic(n=4000, *, at=1.5, slope=2.0, seed=0):
    """Decision values with P(y = 1) = ½ at a known place."""
    random = np.random.default_rng(seed)
    decision = random.normal(size=n)
    odds = 1.0 / (1.0 + np.exp(-slope * (decision - at)))
    return decision, np.where(random.random(n) < odds, 1.0, -1.0)


@pytest.mark.parametrize("at", [-1.0, 0.0, 0.8])
def test_zero_comes_to_where_both_classes_are_as_likely(at):
    shift = accuracy_shift(choice(logistic(at=at)))
    assert shift == pytest.approx(-at, abs=0.1)


def test_the_error_of_a_score_is_that_of_the_score_that_is_told():
    # Folds that tell nothing predict one class or the other; once moved, all predict the same.
    target = np.repeat([-1.0, 1.0], [18, 2])
    found = choice(*[(np.full(20, at), target) for at in (0.3, -0.3, 0.3, -0.3)])
    moved = Placing(shift=-1.0)
    assert found.all_scores(moved)["accuracy"] == pytest.approx(0.9)
    assert found.score_error(moved) == pytest.approx(0.0, abs=1e-12)
    by_fold = [0.1, 0.9, 0.1, 0.9]
    assert found.score_error() == pytest.approx(np.std(by_fold, ddof=1) / 2.0)


def test_which_class_is_called_positive_does_not_matter():
    decision, target = logistic()
    one, other = (
        accuracy_shift(choice((decision, target))),
        accuracy_shift(choice((-decision, -target))),
    )
    assert one == pytest.approx(-other, abs=1e-4)


def test_the_unit_of_decision_values_does_not_matter():
    decision, target = logistic()
    one = accuracy_shift(choice((decision, target)))
    for unit in (1e-3, 1e3):
        assert accuracy_shift(choice((unit * decision, target))) == pytest.approx(
            unit * one, rel=1e-3
        )


def test_folds_are_taken_together():
    decision, target = logistic()
    half = len(target) // 2
    folds = choice((decision[:half], target[:half]), (decision[half:], target[half:]))
    assert accuracy_shift(folds) == pytest.approx(accuracy_shift(choice((decision, target))))


def test_a_row_that_counts_twice_is_two():
    decision, target = logistic(200)
    count = np.random.default_rng(1).integers(1, 4, 200)
    weighted = accuracy_shift(choice((decision, target, count)))
    repeated = accuracy_shift(choice((np.repeat(decision, count), np.repeat(target, count))))
    assert weighted == pytest.approx(repeated, rel=1e-3)


def test_accuracy_is_no_worse_than_that_of_the_frequent_class():
    decision, target = logistic(at=2.0)  # one in twelve is positive
    share = (target < 0).mean()
    assert share > 0.9
    shift = accuracy_shift(choice((decision + 2.0, target)))  # as balanced weights would have it
    right = ((decision + 2.0 + shift > 0) == (target > 0)).mean()
    assert right >= share - 0.005
    assert ((decision + 2.0 > 0) == (target > 0)).mean() < share - 0.02


@pytest.mark.parametrize("rare", [-1.0, 1.0])
def test_where_decision_values_tell_nothing_the_frequent_class_is_predicted(rare):
    target = np.where(np.arange(40) < 10, rare, -rare)
    for decision in (np.full(40, 0.3), np.zeros(40)):
        shift = accuracy_shift(choice((decision, target)))
        assert (np.sign(decision + shift) == -rare).all()


@pytest.mark.parametrize("rare", [-1.0, 1.0])
def test_where_decision_values_mislead_the_frequent_class_is_predicted(rare):
    target = np.where(np.arange(40) < 10, rare, -rare)
    decision = -target + 0.1 * np.random.default_rng(0).normal(size=40)
    shift = accuracy_shift(choice((decision, target)))
    assert (np.sign(decision + shift) == -rare).all()


def test_separable_classes_keep_their_gap():
    decision = np.concatenate([np.linspace(-3, -1, 30), np.linspace(2, 3, 5)])
    target = np.sign(decision)
    shift = accuracy_shift(choice((decision, target)))
    assert (np.sign(decision + shift) == target).all()


def test_a_shift_is_never_farther_than_the_decision_values():
    random = np.random.default_rng(0)
    decision, target = random.normal(size=60), np.where(np.arange(60) < 3, 1.0, -1.0)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(60)
        shift = accuracy_shift(choice((decision, target[order])))
        assert abs(shift) <= np.abs(decision).max() + 1.0


def test_one_class_alone_moves_nothing():
    assert accuracy_shift(choice((np.arange(5.0), np.ones(5)))) == 0.0


def ordered(thresholds, *, n=3000, noise=0.5, n_folds=3, seed=0):
    """Folds whose scores pass from class to class at −1, 0 and 1, and what was fitted there."""
    random = np.random.default_rng(seed)
    tested = []
    for fold in range(n_folds):
        scores = random.normal(size=n // n_folds)
        target = np.searchsorted(
            [-1.0, 0.0, 1.0], scores + noise * random.logistic(size=len(scores))
        )
        rows = np.arange(len(scores)) + fold * len(scores)
        count = np.ones(len(scores))
        tested.append(Part(rows, target.astype(float), scores, np.array(thresholds), count))
    observed = Observations(np.ones(n))
    return Choice(Ordinal(4), 1.0, np.zeros(n), observed, 1.0, tuple(tested))


def test_thresholds_that_are_too_close_move_apart():
    # Classes of n rows weigh n^−½, which moves thresholds away from the rare classes at the ends.
    right = ordered_placing(ordered([-1.0, 0.0, 1.0]))
    scale = right.scale
    close = ordered_placing(ordered([-0.2, 0.1, 0.4]))
    placed = close.of(Ordinal(4), np.array([-0.2, 0.1, 0.4]))
    np.testing.assert_allclose(placed, scale * np.array([-1.0, 0.0, 1.0]), atol=0.1)


def test_a_line_is_taken_only_where_left_out_rows_gain_by_it():
    separable = ordered([-1.0, 0.0, 1.0], noise=0.0)
    assert ordered_placing(separable) is AS_FITTED
    assert ordered_placing(ordered([-1.0, 0.0, 1.0], n=60, n_folds=1)) is AS_FITTED


def test_scores_that_mislead_or_say_nothing_move_no_threshold():
    choice = ordered([-0.2, 0.0, 0.2])
    backwards = [Part(p.rows, 3.0 - p.target, p.scores, p.offsets, p.count) for p in choice.tested]
    silent = [Part(p.rows, p.target, 0.0 * p.scores, p.offsets, p.count) for p in choice.tested]
    for parts in (backwards, silent):
        moved = ordered_placing(
            Choice(Ordinal(4), 1.0, choice.losses, choice.rows, 1.0, tuple(parts))
        )
        assert moved is AS_FITTED
