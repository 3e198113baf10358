"""Which candidate is taken, by rules worked out on hand-made candidates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.baseline.candidate import Tested as Part
from allrelevant.linear.fit.baseline.choosing import Criterion, best_variant, one_loss_is_enough
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.rows.sample import Observations, Sample
from allrelevant.linear.models import (
    Classification,
    Huber,
    Multiclass,
    Ordinal,
    Regression,
    RejectOption,
)


def rows(n, group=None):
    return Observations(np.ones(n), group)


def sample_of(target):
    ones = np.ones(len(target))
    return Sample(ones[:, None], target, ones, ones)


def choice(C, losses, *, n_used=1.0, group=None, fold_scores=None, fold_size=20):
    """A candidate with these losses; its accuracy on each fold as asked for."""
    losses = np.asarray(losses, dtype=float)
    parts = []
    for accuracy in fold_scores if fold_scores is not None else [1.0]:
        target = np.ones(fold_size)
        scores = np.where(np.arange(fold_size) < round(accuracy * fold_size), 1.0, -1.0)
        parts.append(Part(np.arange(fold_size), target, scores, np.zeros(1), np.ones(fold_size)))
    return Choice(Classification(), C, losses, rows(len(losses), group), n_used, tuple(parts))


def taken(rule, found, scoring="loss"):
    return Criterion(rule, scoring).choose(found).C


# By loss

BEST = [0.0, 1.0, 2.0, 1.0]  # mean 1, standard error ½·√½ = 0.354


def test_best_has_the_least_loss_however_many_features_it_uses():
    found = [choice(1.0, np.add(BEST, 0.01), n_used=1), choice(2.0, BEST, n_used=9)]
    assert taken("best", found) == 2.0


def test_one_se_is_the_sparsest_within_the_error_of_the_best():
    error = np.sqrt(0.5 / 4)
    inside = choice(1.0, np.add(BEST, 0.99 * error), n_used=2)
    outside = choice(0.5, np.add(BEST, 1.01 * error), n_used=1)
    best = choice(2.0, BEST, n_used=3)
    assert best.loss_error == pytest.approx(error)
    assert taken("one-se", [outside, inside, best]) == 1.0


def test_paired_goes_by_the_error_of_the_difference():
    """A difference that is the same for all rows is certain, however much losses vary."""
    best = choice(2.0, BEST, n_used=3)
    surely_worse = choice(0.5, np.add(BEST, 0.01), n_used=1)
    assert taken("one-se", [surely_worse, best]) == 0.5
    assert taken("paired", [surely_worse, best]) == 2.0
    # Differences −1, 1, −1, 1.4: mean 0.1, standard error 0.5·√(mean square − 0.01).
    unsure = choice(1.0, np.add(BEST, [-1.0, 1.0, -1.0, 1.4]), n_used=2)
    assert np.sqrt(np.var([-1, 1, -1, 1.4]) / 4) > 0.1
    assert taken("paired", [surely_worse, unsure, best]) == 1.0


def test_paired_differences_of_one_group_count_as_one():
    """Both rows of a pair differ alike: half as many observations, a larger error."""
    differences = np.array([0.32, 0.32, -0.1, -0.1])
    assert np.std(differences) / 2.0 < differences.mean() < np.std([0.32, -0.1]) / np.sqrt(2.0)
    for group, expected in ((None, 2.0), (np.array([0, 0, 1, 1]), 1.0)):
        sparse = choice(1.0, np.add(BEST, differences), n_used=1, group=group)
        best = choice(2.0, BEST, n_used=3, group=group)
        assert taken("paired", [sparse, best]) == expected


def test_rows_count_as_often_as_they_were_observed():
    observed = Observations(np.array([3.0, 1.0]))
    one = Choice(Classification(), 1.0, np.array([1.0, 0.0]), observed, 1.0, ())
    two = Choice(Classification(), 2.0, np.array([0.0, 2.0]), observed, 1.0, ())
    assert (one.loss, two.loss) == (0.75, 0.5)
    assert taken("best", [one, two]) == 2.0


def test_equal_losses_go_to_the_smallest_c_whatever_rounding_says():
    nearly = np.multiply(BEST, 1.0 + 1e-12)
    assert taken("best", [choice(1.0, nearly), choice(2.0, BEST)]) == 1.0
    assert taken("best", [choice(2.0, BEST), choice(1.0, nearly)]) == 1.0


def test_of_denser_ones_as_good_by_loss_the_best_score_is_taken():
    unsure = np.add(BEST, [-1.0, 1.0, -1.0, 1.4])  # within its own error of the best
    dense = choice(4.0, unsure, n_used=9, fold_scores=[0.8])
    best = choice(2.0, BEST, n_used=3, fold_scores=[0.7])
    surely_worse = choice(1.0, np.add(BEST, 0.1), n_used=1, fold_scores=[0.9])
    assert taken("ordered", [surely_worse, best, dense]) == 4.0
    assert taken("ordered", [surely_worse, best]) == 2.0
    assert taken("best", [surely_worse, best, dense]) == 2.0
    sparse = choice(0.5, unsure, n_used=1, fold_scores=[0.9])
    assert taken("ordered", [sparse, best, dense]) == 4.0, "no smaller C than that of least loss"
    as_good = choice(3.0, unsure, n_used=9, fold_scores=[0.8])
    assert taken("ordered", [dense, as_good, best]) == 3.0, "the smaller C"


@pytest.mark.parametrize(
    ("steady", "C"), [([0.85, 0.55, 0.75, 0.7], 4.0), ([0.7, 0.8, 0.7, 0.75], 2.0)]
)
def test_a_score_that_is_better_by_chance_does_not_outweigh_the_loss(steady, C):
    """The mean differences are 0.0375 and 0.0125, their errors 0.0125 and 0.088."""
    unsure = np.add(BEST, [-1.0, 1.0, -1.0, 1.4])
    dense = choice(4.0, unsure, n_used=9, fold_scores=[0.9, 0.6, 0.8, 0.7])
    best = choice(2.0, BEST, n_used=3, fold_scores=steady)
    assert taken("ordered", [best, dense]) == C


@pytest.mark.parametrize("rule", ["paired", "one-se"])
def test_of_equally_sparse_ones_the_better_is_taken(rule):
    unsure = np.add(BEST, [-1.0, 1.0, -1.0, 1.4])
    found = [choice(1.0, unsure, n_used=2), choice(2.0, BEST, n_used=2)]
    assert taken(rule, found) == 2.0
    same = [choice(3.0, BEST, n_used=2), choice(2.0, BEST, n_used=2)]
    assert taken(rule, same) == 2.0


@pytest.mark.parametrize("rule", ["paired", "best", "one-se"])
def test_losses_of_zero_can_be_compared(rule):
    found = [choice(1.0, np.zeros(4), n_used=2), choice(2.0, np.zeros(4), n_used=2)]
    assert taken(rule, found) == 1.0


# By deviance


def candidate(C, decision, target, *, n_used=1.0, losses=None):
    """A candidate by its decision values of left-out rows."""
    n = len(target)
    part = Part(np.arange(n), target, np.asarray(decision), np.zeros(1), np.ones(n))
    losses = np.ones(n) if losses is None else losses
    return Choice(Classification(), C, losses, rows(n), n_used, (part,))


def test_the_deviance_sees_an_order_that_the_loss_does_not():
    """Decision values within the margin on the same side cost as much as no model does."""
    target = np.repeat([-1.0, 1.0], 20)
    ordered = 0.01 * np.where(np.arange(40) % 5 > 0, target, -target)
    found = [candidate(1.0, np.zeros(40), target, n_used=0), candidate(2.0, ordered, target)]
    assert taken("paired", found, "loss") == 1.0
    assert taken("paired", found, "deviance") == 2.0


def test_paired_deviances_take_the_sparsest_that_is_as_good():
    """Right in five other rows and wrong in four is chance; right in ten more is not."""
    target = np.repeat([-1.0, 1.0], 20)
    place = np.arange(40)
    wrong = {1: place % 2 == 0, 2: place % 20 < 5, 3: (place % 20 < 9) & (place % 20 >= 5)}
    wrong[3][0] = True
    found = [
        candidate(C, np.where(wrong[C], -target, target), target, n_used=C) for C in sorted(wrong)
    ]
    assert taken("best", found, "deviance") == 3
    assert taken("paired", found, "deviance") == 2


def test_where_one_class_was_tested_the_loss_has_to_do():
    target = np.ones(4)
    found = [
        candidate(1.0, np.arange(4.0), target, losses=np.add(BEST, 0.5)),
        candidate(2.0, np.arange(4.0), target, n_used=3, losses=np.array(BEST)),
    ]
    assert taken("paired", found, "deviance") == 2.0


# By score


def test_the_best_score_wins_over_the_least_loss():
    found = [
        choice(1.0, BEST, fold_scores=[0.8, 0.8]),
        choice(2.0, np.add(BEST, 0.2), fold_scores=[0.9, 0.9]),
    ]
    assert taken("best", found, "score") == 2.0
    assert taken("best", found, "loss") == 1.0


def test_equal_scores_go_to_the_least_loss():
    found = [
        choice(1.0, np.add(BEST, 0.2), fold_scores=[0.8, 1.0]),
        choice(2.0, BEST, fold_scores=[0.9, 0.9]),
    ]
    assert taken("best", found, "score") == 2.0


def test_scores_of_folds_by_a_function():
    scores = {1.0: np.array([0.4, 0.6]), 2.0: np.array([0.7, 0.5])}
    found = [choice(1.0, BEST), choice(2.0, np.add(BEST, 1.0))]
    assert taken("best", found, lambda one: scores[one.C]) == 2.0


@pytest.mark.parametrize(
    ("rule", "sparse", "expected"),
    [
        # The best one has 0.8, 0.9, 1.0: mean 0.9, standard error 0.1/√3 = 0.058.
        ("one-se", [0.85, 0.85, 0.85], 1.0),
        ("one-se", [0.8, 0.85, 0.8], 2.0),  # 0.083 less
        ("paired", [0.75, 0.85, 0.95], 2.0),  # surely 0.05 less
        ("paired", [0.9, 0.7, 1.0], 1.0),  # 0.033 less, its standard error is 0.088
    ],
)
def test_sparser_candidates_with_about_the_same_score(rule, sparse, expected):
    found = [
        choice(1.0, BEST, n_used=1, fold_scores=sparse),
        choice(2.0, BEST, n_used=5, fold_scores=[0.8, 0.9, 1.0]),
    ]
    assert taken(rule, found, "score") == expected
    scores = {1.0: np.array(sparse), 2.0: np.array([0.8, 0.9, 1.0])}
    assert taken(rule, found, lambda one: scores[one.C]) == expected


def test_a_perfect_score_does_not_excuse_a_far_larger_loss():
    found = [
        choice(1.0, np.add(BEST, 5.0), n_used=1, fold_scores=[1.0, 1.0]),
        choice(2.0, BEST, n_used=5, fold_scores=[1.0, 1.0]),
    ]
    assert taken("paired", found, "score") == 2.0


@pytest.mark.parametrize(("lost", "expected"), [([-0.3, 0.5, -0.3, 0.5], 1.0), ([0.3] * 4, 2.0)])
def test_a_model_without_features_has_to_be_as_good_by_the_loss(lost, expected):
    """Its score may be the best one all the same."""
    found = [
        choice(1.0, np.add(BEST, lost), n_used=0, fold_scores=[0.8, 0.8]),
        choice(2.0, BEST, n_used=5, fold_scores=[0.7, 0.7]),
    ]
    assert taken("paired", found, "score") == expected
    assert taken("paired", found[:1], "score") == 1.0


def test_scores_of_tiny_folds_make_nothing_near():
    found = [
        choice(1.0, BEST, n_used=1, fold_scores=[1.0, 0.4], fold_size=5),
        choice(2.0, BEST, n_used=5, fold_scores=[0.6, 1.0], fold_size=5),
    ]
    assert taken("paired", found, "score") == 2.0


def test_one_fold_has_no_spread():
    found = [
        choice(1.0, BEST, n_used=1, fold_scores=[0.85]),
        choice(2.0, BEST, n_used=5, fold_scores=[0.9]),
    ]
    assert taken("one-se", found, "score") == 2.0


# What suits a model


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (Classification(), ("paired", "deviance")),
        (RejectOption(), ("paired", "deviance")),
        (Multiclass(3), ("paired", "loss")),
        (Regression(0.1), ("paired", "loss")),
        (Ordinal(3), ("paired", "score")),
    ],
)
def test_a_model_has_its_own_criterion(model, expected):
    criterion = Plan().criterion(model)
    assert (criterion.rule, criterion.scoring) == expected
    assert Plan(rule="one-se").criterion(model) == Criterion("one-se", expected[1])
    # Who asks for a score wants the best of it, unless told otherwise.
    assert Plan(scoring="score").criterion(model) == Criterion("best", "score")
    assert Plan(scoring="loss", rule="paired").criterion(model) == Criterion("paired", "loss")


def variant(epsilon, predicted):
    target, count = np.array([0.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0])
    part = Part(np.arange(3), target, np.asarray(predicted), np.zeros(1), count)
    observed = Observations(count)
    return Choice(Regression(epsilon), 1.0, np.zeros(3), observed, 1.0, (part,))


def test_of_variants_the_one_that_errs_least_is_taken():
    found = [variant(0.0, [0.0, 1.0, 1.0]), variant(0.1, [0.5, 1.5, 2.0])]
    assert best_variant(found).model.epsilon == 0.1
    same = [variant(0.3, [0.0, 1.0, 1.0]), variant(0.0, [0.0, 1.0, 1.0])]
    assert best_variant(same).model.epsilon == 0.3, "the first of equals"


def test_or_the_coarsest_that_errs_no_more_as_far_as_can_be_told():
    good, alike, worse = [0.1, 1.0, 2.0], [0.0, 1.1, 2.0], [0.4, 1.4, 2.4]
    found = [variant(0.0, good), variant(0.1, alike), variant(0.5, worse)]
    assert best_variant(found).model.epsilon == 0.0
    assert best_variant(found, coarsest=True).model.epsilon == 0.1
    assert best_variant(found[::2], coarsest=True).model.epsilon == 0.0


def test_of_losses_of_two_classes_the_first_is_taken_unless_another_is_better():
    target = np.repeat([-1.0, 1.0], 20)
    place = np.arange(40) % 20
    wrong = {1.0: place < 5, 2.0: (place >= 5) & (place < 10), 3.0: place < 1}
    hinge, other, better = (
        candidate(C, np.where(wrong[C], -target, target), target) for C in sorted(wrong)
    )
    assert best_variant([hinge, other]) is hinge, "as good"
    assert best_variant([other, hinge]) is other
    assert best_variant([hinge, other, better]) is better


def test_of_losses_of_several_classes_another_must_not_let_rare_ones_go():
    target = np.repeat([0.0, 1.0, 2.0], [30, 30, 6])
    sure = 2.0 * np.eye(3)[target.astype(int)]
    sure[::5] = 0.0
    timid = 0.05 * sure  # predicts the same and has the same order
    forgets = 4.0 * sure
    forgets[-6:] = [0.3, 0.2, 0.1]  # never the rare class
    hinge, other, idle = (
        replace(several(scores, target), n_used=n_used)
        for scores, n_used in ((0.3 * np.roll(sure, 3, axis=0), 1.0), (sure, 1.0), (timid * 0, 0.0))
    )
    lost = several(forgets, target)
    balanced = [one.all_scores()["balanced accuracy"] for one in (hinge, other, lost)]
    assert balanced[1] > balanced[0] > balanced[2]
    for one in (other, lost):
        mean, error = hinge.rows.mean_and_error(hinge.deviances - one.deviances)
        assert mean > error, "both have less deviance"
    assert best_variant([hinge, other]) is other
    assert best_variant([hinge, lost]) is hinge
    assert best_variant([idle, lost]) is lost, "better than nothing"


@pytest.mark.parametrize(("n_rare", "expected"), [(1, True), (2, False)])
def test_a_model_that_hardly_errs_leaves_nothing_to_another_loss(n_rare, expected):
    """However rare a class is, it counts as much as the other."""
    target = np.repeat([-1.0, 1.0], [180, 20])
    scores = target.copy()
    scores[:9] = 1.0
    scores[180 : 180 + n_rare] = -1.0
    sample = sample_of(target)
    assert one_loss_is_enough([candidate(1.0, scores, target)], sample) is expected


@pytest.mark.parametrize(
    ("target", "predicted", "expected"),
    [
        (np.arange(9.0), [0.0, 1.0, 1.0], True),
        (np.arange(9.0), [0.0, 0.0, 0.0], False),  # no variance is explained
        (np.array([0.0, 0.0, 0.0, *range(1, 7)]), [0.0, 1.0, 1.0], False),  # a third is 0
        (np.array([0.0, 0.0, *range(1, 8)]), [0.0, 1.0, 1.0], True),
    ],
)
def test_numbers_of_which_many_are_the_same_or_unexplained_ask_for_another_loss(
    target, predicted, expected
):
    picked = [variant(0.0, [0.0, 0.0, 0.0]), variant(0.1, predicted)]
    assert one_loss_is_enough(picked, sample_of(target)) is expected


def test_another_loss_of_numbers_has_to_explain_more_of_them():
    target, count = np.tile([0.0, 0.0, 1.0, 3.0], 10), np.ones(40)

    def of(model, scores):
        part = Part(np.arange(40), target, np.asarray(scores), np.zeros(1), count)
        return Choice(model, 1.0, np.zeros(40), Observations(count), 1.0, (part,))

    idle, half = of(Regression(0.0), np.zeros(40)), of(Regression(0.1), target / 2)
    mean = of(Huber(), np.full(40, target.mean()))
    assert best_variant([idle, half]) is half, "as it errs less"
    assert best_variant([idle, mean]) is mean, "though it errs more: by 1.125, the other by 1"
    assert best_variant([idle, half, mean]) is half
    assert best_variant([idle, half, of(Huber(), target)]).model == Huber()
    assert best_variant([idle, of(Huber(), np.zeros(40))]) is idle, "as good"


def several(scores, target):
    """A candidate of three classes by the scores of left-out rows."""
    n = len(target)
    part = Part(np.arange(n), target, scores, np.zeros(2), np.ones(n))
    return Choice(Multiclass(3), 1.0, np.ones(n), rows(n), 1.0, (part,))


def test_errors_of_rows_that_were_tested_twice_are_means():
    first, second = variant(0.0, [0.0, 1.0, 1.0]), variant(0.0, [1.0, 1.0, 2.0])
    both = replace(first, tested=first.tested + second.tested)
    np.testing.assert_allclose(both.errors, [0.5, 0.0, 0.5])
