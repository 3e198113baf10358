"""The search for C: rare classes are merged while it lasts, and it can be told how to go on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.baseline import crossvalidation
from allrelevant.linear.fit.baseline import search as search_module
from allrelevant.linear.fit.baseline.c_values import grid
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.baseline.search import search, some_rows, without_rare
from allrelevant.linear.fit.cautions import merged_classes
from allrelevant.linear.fit.rows.folds import deals_for, make_splits
from allrelevant.linear.fit.rows.sample import Sample, arranged, merged
from allrelevant.linear.models import Classification, LogLogistic, Ordinal, Regression


def ordered(counts, seed=0):
    """Ordered classes of these sizes, told by the first of three features."""
    random = np.random.default_rng(seed)
    target = np.repeat(np.arange(len(counts)), counts).astype(float)
    X = random.normal(size=(len(target), 3))
    X[:, 0] = target + 0.4 * random.normal(size=len(target))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return arranged(merged(X, target, np.ones(len(target))))


def searched(model, sample, **plan):
    return search([model], sample, Plan(**plan), Progress())


@pytest.fixture
def tried(monkeypatch):
    """The trials that were cross-validated, one list for each time."""
    calls = []
    genuine = crossvalidation.cross_validate

    def recorded(trials, *args, **kwargs):
        calls.append(list(trials))
        return genuine(trials, *args, **kwargs)

    monkeypatch.setattr("allrelevant.linear.fit.baseline.search.cross_validate", recorded)
    return calls


# Nothing to learn


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])  # in one of six or so chance helps the loss
def test_ordered_classes_that_noise_cannot_tell_have_a_model_without_features(seed):
    """Predicting the middle class is a fair rival: a model that is fitted to noise scores less."""
    random = np.random.default_rng(seed)
    target = np.repeat(np.arange(4.0), 15)
    sample = arranged(merged(random.normal(size=(60, 20)), target, np.ones(60)))
    choice = searched(Ordinal(4), sample)
    assert choice.n_used < 1
    assert choice.score == pytest.approx(2 / 3)


# Rare classes


@pytest.mark.parametrize(
    ("sizes", "n_left", "codes"),
    [
        ([20, 20, 20], 3, [0, 1, 2]),
        ([20, 2, 25], 2, [0, 0, 1]),  # joins the smaller neighbour
        ([20, 25, 2], 2, [0, 1, 1]),
        ([1, 1, 30, 31], 2, [0, 0, 0, 1]),  # two that are too few together join a third
        ([1, 1, 1, 30, 30], 3, [0, 0, 0, 1, 2]),
        ([2, 30], 2, [0, 1]),  # two classes are always left
        ([1, 1], 2, [0, 1]),
    ],
)
def test_rare_classes_join_the_smaller_of_their_neighbours(sizes, n_left, codes):
    target = np.repeat(np.arange(len(sizes)), sizes).astype(float)
    model, merged_target = Ordinal(len(sizes)).coarser(target, np.ones(len(target)), 3)
    assert model.n_classes == n_left
    np.testing.assert_array_equal(merged_target, np.repeat(codes, sizes))
    counts = np.bincount(merged_target.astype(int))
    assert n_left == 2 or counts.min() >= 3


def test_merging_keeps_the_order_of_classes():
    random = np.random.default_rng(0)
    for _ in range(50):
        sizes = random.integers(1, 8, size=random.integers(2, 9))
        target = np.repeat(np.arange(len(sizes)), sizes).astype(float)
        model, codes = Ordinal(len(sizes)).coarser(target, np.ones(len(target)), 3)
        assert (np.diff(codes) >= 0).all()
        assert set(codes) == set(range(model.n_classes))


@pytest.mark.parametrize("model", [Classification(), Regression(0.1)])
def test_others_have_no_classes_to_merge(model):
    target = np.array([-1.0, 1.0, 1.0])
    same, codes = model.coarser(target, np.ones(len(target)), 3)
    assert same is model
    assert codes is target


@pytest.mark.slow
def test_rare_classes_are_merged_in_the_search_only(tried):
    sample = ordered([30, 30, 2, 30])
    choice = searched(Ordinal(4), sample)
    assert choice.model == Ordinal(4)
    assert [trials[0].model for trials in tried] == [Ordinal(3), Ordinal(4)]
    first, last = (trials[0] for trials in tried)
    assert len(first.Cs) > 1
    assert last.Cs.tolist() == [choice.C]
    np.testing.assert_array_equal(last.sample.target, sample.target)
    # What is said of the choice is said of all classes.
    assert {code for part in choice.tested for code in part.target} == {0.0, 1.0, 2.0, 3.0}
    assert choice.tested[0].offsets.shape == (3,)


@pytest.mark.slow
def test_scorers_are_asked_about_the_classes_that_there_are(tried):
    seen = set()

    def scoring(choice):
        seen.update(code for part in choice.tested for code in part.target)
        return np.full(len(choice.tested), choice.score)

    searched(Ordinal(4), ordered([30, 30, 3, 30]), scoring=scoring)
    searched(Ordinal(4), ordered([30, 30, 2, 30]), scoring=scoring)
    assert seen == {0.0, 1.0, 2.0, 3.0}
    assert [trials[0].model for trials in tried] == [Ordinal(4), Ordinal(4)]


def test_where_no_class_is_rare_nothing_is_tried_twice(tried):
    searched(Ordinal(3), ordered([30, 30, 30]))
    assert len(tried) == 1


def test_a_given_c_is_tried_with_all_classes(tried):
    choice = searched(Ordinal(4), ordered([30, 30, 2, 30]), C=0.7)
    assert [trials[0].model for trials in tried] == [Ordinal(4)]
    assert choice.C == 0.7


@pytest.mark.slow
def test_few_rare_rows_do_not_decide_c():
    """The same choice as where the rare class was its neighbour from the start."""
    sample = ordered([30, 30, 2, 30])
    coarse, target = Ordinal(4).coarser(sample.target, sample.numbers, 3)
    merged_from_the_start = Sample(sample.X.dense(), target, sample.count, sample.weight)
    rare, joined = searched(Ordinal(4), sample), searched(coarse, merged_from_the_start)
    assert rare.C == joined.C


@pytest.mark.slow
def test_classes_that_were_merged_are_told():
    sample, plan = ordered([30, 1, 2, 30]), Plan()
    labels = ["none", "mild", "clear", "severe"]
    _, coarse = without_rare(Ordinal(4), sample, plan)
    said = merged_classes(sample.target, coarse, sample.numbers, labels)
    assert said is not None
    assert said.startswith("classes were merged while C was chosen ('mild' with 'clear'), ")
    assert "(down to 1 sample)" in said
    for kept in (replace(plan, C=1.0), replace(plan, scoring=lambda *_: 0.0)):
        _, target = without_rare(Ordinal(4), sample, kept)
        assert merged_classes(sample.target, target, sample.numbers, labels) is None
    X, codes = sample.X.dense(), sample.target.astype(int)
    model = OrdinalRelevanceClassifier(classes=labels, n_probes=20, random_state=0)
    model.fit(X, np.array(labels)[codes])
    assert any("merged while C was chosen" in warning for warning in model.result_.warnings)


# How


def numbers(n=80, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 6))
    target = X[:, 0] + 0.5 * X[:, 1] + random.normal(size=n)
    target = (target - target.mean()) / target.std()
    return arranged(merged(X, target, np.ones(n)))


@pytest.mark.slow
def test_rules_differ_in_how_sparse_they_are():
    sample = numbers(seed=1)
    found = {
        rule: searched(Regression(0.1), sample, rule=rule) for rule in ("best", "paired", "one-se")
    }
    assert found["best"].loss <= found["paired"].loss <= found["one-se"].loss
    assert found["best"].C > found["one-se"].C
    used = [found[rule].n_used for rule in ("best", "paired", "one-se")]
    assert used == sorted(used, reverse=True)
    assert searched(Regression(0.1), sample).C == found["paired"].C, "which is the default"


def test_c_is_one_of_the_grid():
    sample = numbers()
    assert searched(Regression(0.1), sample).C in grid(Regression(0.1), sample)


def test_the_number_of_folds_is_what_was_asked_for():
    choice = searched(Regression(0.1), numbers(), cv=3, C=1.0)
    assert len(choice.tested) == 3


def test_given_splits_are_used():
    sample = numbers()
    sample = arranged(merged(sample.X.dense(), sample.target, sample.count, source=np.arange(80)))
    folds = [(np.arange(50), np.arange(50, 70))]
    (part,) = searched(Regression(0.1), sample, cv=folds).tested
    assert sorted(sample.source[part.rows]) == list(range(50, 70))


def test_few_ordered_samples_are_dealt_several_times():
    few = searched(Ordinal(3), ordered([10, 10, 10]), C=1.0)
    assert few.deals == [0, 1, 2, 3, 4]
    many = searched(Ordinal(3), ordered([60, 60, 60]), C=1.0)
    assert many.deals == [0]


@pytest.mark.slow
def test_ordered_classes_go_by_their_score():
    sample, model = ordered([12, 12, 12], seed=3), Ordinal(3)
    choice = searched(model, sample, rule="best")
    splits = make_splits(sample, 5, has_classes=True, n_deals=deals_for(36))
    trial = crossvalidation.Trial(model, sample, grid(model, sample))
    level = Plan().criterion(model).level
    (found,) = crossvalidation.cross_validate([trial], splits, level=level)
    assert choice.score == max(one.score for one in found)
    by_loss = min(found, key=lambda one: one.loss)
    assert choice.C != by_loss.C, "else it could have gone by the loss"


def test_a_function_of_the_folds_can_decide():
    sample = numbers()
    asked = []

    def prefers_small(choice):
        asked.append(choice.C)
        return np.full(len(choice.tested), -choice.C)

    choice = searched(Regression(0.1), sample, scoring=prefers_small)
    Cs = grid(Regression(0.1), sample)
    assert Cs[0] == choice.C
    assert set(asked) <= set(Cs)


def test_the_variant_that_errs_least_is_taken():
    sample = numbers()
    variants = [Regression(0.0), Regression(0.1), Regression(3.0)]
    choice = search(variants, sample, Plan(), Progress())
    assert choice.model != Regression(3.0), "which can have every sample for nothing"


# More features than rows


def wide(n=48, d=120, seed=0, group=None):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    target = X[:, 0] + X[:, 1] + 0.5 * random.normal(size=n)
    target = (target - target.mean()) / target.std()
    return arranged(merged(X, target, np.ones(n), None, group))


def test_values_of_c_are_closer_where_features_come_in_by_dozens():
    narrow, many = grid(Regression(0.1), numbers()), grid(Regression(0.1), wide())
    assert (narrow[1] / narrow[0], many[1] / many[0]) == pytest.approx((2.4, 2.4))
    assert many[2] / many[1] < narrow[2] / narrow[1]
    for Cs in (narrow, many):
        assert (np.diff(Cs) > 0).all()
        assert Cs[-1] / Cs[0] == pytest.approx(2e4)


@pytest.mark.slow
def test_no_baseline_uses_more_than_a_sixth_as_many_features_as_there_are_rows():
    sample = wide()

    def prefers_large(choice):
        return np.full(len(choice.tested), choice.C)

    choice = searched(Regression(0.1), sample, scoring=prefers_large)
    assert 1 <= choice.n_used <= 48 / 6
    larger = [C for C in grid(Regression(0.1), sample) if choice.C < C]
    assert searched(Regression(0.1), sample, C=larger[0]).n_used > 48 / 6


def test_rows_of_a_group_are_one_there_as_well():
    group = np.arange(48) // 4
    assert searched(Regression(0.1), wide(group=group), rule="best").n_used <= 12 / 6


def test_a_given_c_is_not_limited():
    assert searched(Regression(0.1), wide(), C=1.0).n_used > 8


@pytest.mark.parametrize(
    ("model", "scoring", "n_deals"),
    [
        (Ordinal(3), None, 3),
        (Ordinal(3), "loss", 1),
        (Regression(0.1), None, 1),
        (Regression(0.1), "score", 3),
    ],
)
def test_few_rows_are_dealt_anew_where_scores_decide(model, scoring, n_deals):
    sample = ordered([20, 20, 20])
    assert deals_for(60) == 3
    choice = searched(model, sample, scoring=scoring, C=0.2)
    assert len(choice.deals) == n_deals


@pytest.mark.parametrize(("n_events", "n_deals"), [(60, 3), (30, 5)])
def test_folds_are_dealt_anew_where_few_events_tell_of_scores(n_events, n_deals):
    sample = ordered([20, 20, 20])
    happened = np.arange(60) < n_events
    sample = replace(sample, target=np.column_stack([sample.target, happened]))
    assert len(searched(LogLogistic(), sample, C=0.2).deals) == n_deals
    assert len(searched(LogLogistic(), sample, C=0.2, rule="best").deals) == 1


# Very many rows


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr(search_module, "MANY_ROWS", 150)
    monkeypatch.setattr(search_module, "_SOME_ROWS", 100)


@pytest.mark.slow
def test_many_rows_leave_the_choice_to_some_of_them(few_are_many):
    sample = ordered([100, 100])
    sample = replace(sample, target=2.0 * sample.target - 1.0)
    few = some_rows(sample, True)
    assert len(few) == 100
    found, own = searched(Classification(), sample), searched(Classification(), few)
    assert own.n_rows is None
    assert found.n_rows == 100
    assert found.C * sample.weight.sum() == pytest.approx(own.C * few.weight.sum(), rel=1e-12)
    assert len(found.losses) == 100
    given = searched(Classification(), sample, C=1.0)
    assert (given.C, given.n_rows) == (1.0, 100)


def test_chosen_rows_have_all_classes_and_whole_groups(few_are_many):
    sample = ordered([300, 299, 1])
    assert set(some_rows(sample, True).target) == {0.0, 1.0, 2.0}
    group = np.arange(len(sample)) // 4
    few = some_rows(replace(sample, group=group), True)
    assert len(few) % 4 == 0
    assert 100 <= len(few) <= 104
    assert few.n_groups == len(few) / 4


@pytest.mark.slow
def test_choice_on_some_rows_does_not_depend_on_their_order(few_are_many):
    random = np.random.default_rng(1)
    X = random.normal(size=(400, 4))
    y = np.where(X[:, 0] + random.normal(size=400) > 0, 1, 0)
    order = random.permutation(400)
    one = RelevanceClassifier(n_probes=10, random_state=0).fit(X, y)
    other = RelevanceClassifier(n_probes=10, random_state=0).fit(X[order], y[order])
    assert one.result_.baseline["cv_rows"] == 100
    assert "cross-validated on 100 rows" in str(one.result_)
    assert np.allclose(other.C_, one.C_, rtol=1e-9)
    assert np.allclose(other.intervals_, one.intervals_, atol=1e-8)
