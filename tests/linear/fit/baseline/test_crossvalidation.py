"""Candidates for C: walked in stretches, as if each had been fitted by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS, encode, fit_baseline, loss_by_formula
from oracle import FullProblem

from allrelevant import RelevanceRegressor
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.fit.baseline.c_values import grid
from allrelevant.linear.fit.baseline.candidate import Placing
from allrelevant.linear.fit.baseline.crossvalidation import Trial, Walk, cross_validate, most_tasks
from allrelevant.linear.fit.cautions import left_out
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.rows.folds import Split, make_splits
from allrelevant.linear.fit.rows.sample import Sample

every_model = pytest.mark.parametrize("name", MODELS)


def sample_for(name, n=60, *, noise=1.0, weighted=False, seed=0):
    random = np.random.default_rng([seed, list(MODELS).index(name)])
    X = random.normal(size=(n, 5))
    score = X[:, :3] @ [2.0, -1.0, 0.4] + noise * random.normal(size=n)
    count = random.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    weight = count * random.uniform(0.5, 2.0, n) if weighted else count
    return Sample(X, encode(MODELS[name], score), count, weight)


def splits_of(name, sample, **options):
    return make_splits(sample, 4, has_classes=MODELS[name].has_classes, **options)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@every_model
def test_a_walk_in_stretches_is_every_c_from_scratch(name, weighted):
    model, sample = MODELS[name], sample_for(name, weighted=weighted)
    splits, Cs = splits_of(name, sample), grid(model, sample)
    walk = Walk(Trial(model, sample, Cs), splits)
    for _ in range(3):
        walk.take([stretch.run() for stretch in walk.stretches()])
    found = walk.choices
    np.testing.assert_array_equal([choice.C for choice in found], Cs[:14])
    for choice in (found[1], found[8], found[13]):  # of the first, second and last stretch
        for part, split in zip(choice.tested, splits, strict=True):
            inside = sample.take(split.train, split.train_times)
            outside = sample.take(split.test, split.test_times)
            C = choice.C * sample.weight.sum() / inside.weight.sum()
            norm, loss = FullProblem(
                inside.X.dense(), model.pieces(inside.target, inside.weight)
            ).baseline(C)
            alone = fit_baseline(problem_of(model, inside), C)
            assert alone.norm + C * alone.loss == pytest.approx(norm + C * loss, rel=1e-7)
            np.testing.assert_array_equal(part.rows, split.test)
            np.testing.assert_array_equal(part.target, outside.target)
            np.testing.assert_array_equal(part.count, outside.count)
            # Optima with one objective can differ where they are not unique; here they do not.
            np.testing.assert_allclose(part.scores, outside.X.scores(alone.weights), atol=1e-6)


@every_model
def test_losses_are_those_of_the_rows_when_they_were_left_out(name):
    model, sample = MODELS[name], sample_for(name, weighted=True)
    splits = splits_of(name, sample)
    ((choice,),) = cross_validate([Trial(model, sample, np.array([0.3]))], splits)
    expected = np.zeros(len(sample.X))
    for split in splits:
        inside = sample.take(split.train, split.train_times)
        C = 0.3 * sample.weight.sum() / inside.weight.sum()
        alone = fit_baseline(problem_of(model, inside), C)
        for row, times in zip(split.test, split.test_times, strict=True):
            one = sample.take(np.array([row]))
            loss = loss_by_formula(
                model,
                one.X.dense(),
                one.target,
                one.weight / one.count,
                alone.weights,
                alone.offsets,
            )
            expected[row] += times / sample.count[row] * float(loss)
    np.testing.assert_allclose(choice.losses, expected, atol=1e-6)
    by_hand = np.average(choice.losses, weights=sample.count)
    assert choice.loss == pytest.approx(by_hand)
    spread = np.average((choice.losses - by_hand) ** 2, weights=sample.count)
    assert choice.loss_error == pytest.approx(np.sqrt(spread / sample.count.sum()))


def test_a_row_that_was_tested_several_times_has_the_mean_of_its_losses():
    sample, model = sample_for("classification"), MODELS["classification"]
    trial = Trial(model, sample, np.array([0.3]))
    every = splits_of("classification", sample, n_deals=3)
    ((choice,),) = cross_validate([trial], every)
    single = [
        cross_validate([trial], [split for split in every if split.deal == deal])[0][0]
        for deal in range(3)
    ]
    np.testing.assert_allclose(choice.losses, np.mean([one.losses for one in single], axis=0))
    assert choice.deals == [0, 1, 2]
    assert choice.score == pytest.approx(np.mean([one.score for one in single]))
    assert np.ptp([one.score for one in single]) > 0, "else the mean says nothing"


def test_rows_that_were_never_tested_have_no_loss():
    sample, model = sample_for("regression-eps0", weighted=True), MODELS["regression-eps0"]
    early, late = np.arange(30), np.arange(40, 50)
    ((choice,),) = cross_validate([Trial(model, sample, np.array([0.3]))], [Split(early, late)])
    np.testing.assert_array_equal(choice.rows.count, sample.count[late])
    assert len(choice.losses) == 10
    assert choice.score_error() == 0.0, "one fold has no spread"


def test_overlapping_tests_count_each_row_once():
    sample, model = sample_for("regression-eps0"), MODELS["regression-eps0"]
    parts = [Split(np.arange(40), np.arange(40, 55)), Split(np.arange(40), np.arange(45, 60))]
    ((both,),) = cross_validate([Trial(model, sample, np.array([0.3]))], parts)
    ((one,),) = cross_validate(
        [Trial(model, sample, np.array([0.3]))], [Split(np.arange(40), np.arange(40, 60))]
    )
    np.testing.assert_allclose(both.losses, one.losses)
    assert len(both.rows.count) == 20


# Where it ends


def test_a_fold_that_has_no_loss_left_stays_as_it_is():
    """Separable data: no larger C changes the model any more."""
    sample = sample_for("classification", noise=0.0)
    model, Cs = MODELS["classification"], np.geomspace(0.1, 1e6, 17)
    splits = splits_of("classification", sample)
    (found,) = cross_validate([Trial(model, sample, Cs)], splits)
    assert len(found) < len(Cs), "no C is tried where all folds have ended"
    for part, split in zip(found[-1].tested, splits, strict=True):
        inside = sample.take(split.train)
        largest = fit_baseline(problem_of(model, inside), Cs[-1])
        assert largest.loss < 1e-6
        at_end = sample.X.dense()[split.test] @ largest.weights
        np.testing.assert_allclose(part.scores, at_end, atol=1e-5)


def test_the_walk_ends_when_larger_c_only_get_worse():
    random = np.random.default_rng(0)
    n, d = 60, 40
    X = random.normal(size=(n, d))
    target = encode(MODELS["regression-eps0"], X[:, 0] + 2.0 * random.normal(size=n))
    sample = Sample(X, target, np.ones(n), np.ones(n))
    model = MODELS["regression-eps0"]
    Cs = grid(model, sample)
    (found,) = cross_validate([Trial(model, sample, Cs)], splits_of("regression-eps0", sample))
    losses = [choice.loss for choice in found]
    assert len(found) < len(Cs)
    best = int(np.argmin(losses))
    assert best < len(found) - 1
    assert losses[-1] > losses[best]


def test_where_the_score_decides_the_walk_goes_on_while_it_rises():
    sample = sample_for("ordinal-explicit", 40, noise=1.5)
    model = MODELS["ordinal-explicit"]
    trial = Trial(model, sample, grid(model, sample))
    splits = splits_of("ordinal-explicit", sample)
    (by_loss,), (by_score,) = (
        cross_validate([trial], splits, level=level)
        for level in (None, lambda choice: -choice.score)
    )
    assert len(by_score) >= len(by_loss)
    best = int(np.argmax([choice.score for choice in by_score]))
    assert len(by_score) == len(trial.Cs) or best <= len(by_score) - 1 - 3


def test_trials_do_not_disturb_one_another():
    sample = sample_for("regression-eps0")
    models = [MODELS["regression-eps0"], MODELS["regression-eps0.3"]]
    trials = [Trial(model, sample, grid(model, sample)) for model in models]
    splits = splits_of("regression-eps0", sample)
    together = cross_validate(trials, splits)
    for trial, found in zip(trials, together, strict=True):
        (alone,) = cross_validate([trial], splits)
        assert [choice.C for choice in alone] == [choice.C for choice in found]
        np.testing.assert_array_equal(
            [choice.losses for choice in alone], [choice.losses for choice in found]
        )


def test_progress_is_told_of_no_more_tasks_than_were_promised():
    sample = sample_for("classification")
    model = MODELS["classification"]
    trials = [Trial(model, sample, grid(model, sample)), Trial(model, sample, np.array([1.0]))]
    splits = splits_of("classification", sample)
    done = []
    cross_validate(trials, splits, advance=done.append)
    assert 0 < sum(done) <= most_tasks(trials, splits)
    assert most_tasks(trials[1:], splits) == len(splits)


# Scores


@every_model
def test_the_score_is_that_of_all_folds_together(name):
    model, sample = MODELS[name], sample_for(name, weighted=True)
    splits = splits_of(name, sample)
    ((choice,),) = cross_validate([Trial(model, sample, np.array([0.5]))], splits)
    parts = choice.tested
    predicted = [model.predict(part.scores, part.offsets) for part in parts]
    pairs = zip(parts, predicted, strict=True)
    by_fold = [model.score(part.target, said, part.count) for part, said in pairs]
    target, count = (
        np.concatenate([getattr(p, name) for p in parts]) for name in ("target", "count")
    )
    assert count.sum() == sample.count.sum()
    expected = model.score(target, np.concatenate(predicted), count)
    assert choice.score == pytest.approx(expected)
    np.testing.assert_allclose(choice.fold_scores, by_fold)
    assert choice.score_error() == pytest.approx(np.std(by_fold, ddof=1) / np.sqrt(len(by_fold)))
    assert choice.all_scores()[model.score_name] == pytest.approx(expected)


def test_shifted_scores_move_predictions_but_not_the_order_of_samples():
    sample, model = sample_for("classification", 100), MODELS["classification"]
    ((choice,),) = cross_validate(
        [Trial(model, sample, np.array([0.5]))], splits_of("classification", sample)
    )
    plain, far = choice.all_scores(), choice.all_scores(Placing(shift=1e6))
    assert far["accuracy"] == pytest.approx((sample.target > 0).mean())
    assert far["balanced accuracy"] == pytest.approx(0.5)
    assert far["AUC"] == pytest.approx(plain["AUC"])
    assert plain["accuracy"] > 0.6
    small = choice.all_scores(Placing(shift=0.3))
    right = np.concatenate(
        [((part.scores + part.offsets[0] + 0.3 > 0) == (part.target > 0)) for part in choice.tested]
    )
    assert small["accuracy"] == pytest.approx(right.mean())


def test_a_shift_moves_the_thresholds_of_ordered_classes_down():
    """Their scores lie above a threshold that is lower."""
    sample, model = sample_for("ordinal-explicit"), MODELS["ordinal-explicit"]
    ((choice,),) = cross_validate(
        [Trial(model, sample, np.array([0.5]))], splits_of("ordinal-explicit", sample)
    )
    everything_highest = choice.all_scores(Placing(shift=1e6))
    assert everything_highest["accuracy"] == pytest.approx((sample.target == 3).mean())


def test_the_error_of_the_loss_counts_groups_as_one():
    sample = sample_for("regression-eps0")
    group = np.repeat(np.arange(20), 3)
    model = MODELS["regression-eps0"]
    splits = splits_of("regression-eps0", sample)
    ((alone,),) = cross_validate([Trial(model, sample, np.array([0.5]))], splits)
    ((grouped,),) = cross_validate(
        [Trial(model, replace(sample, group=group), np.array([0.5]))], splits
    )
    np.testing.assert_array_equal(alone.losses, grouped.losses)
    away = alone.losses - alone.losses.mean()
    by_hand = np.sqrt((away.reshape(20, 3).sum(axis=1) ** 2).sum()) / 60
    assert grouped.loss_error == pytest.approx(by_hand)
    assert grouped.loss_error != pytest.approx(alone.loss_error, rel=1e-3)


# Folds that cannot be fitted


def failing_at(monkeypatch, fails):
    """Let solving fail for some training samples: `fails` is told C and the number of rows."""
    solve = PenalisedPath.solve

    def sometimes(self, C, side_price=1.0):
        if fails(C, self.X.dense()):
            raise SolverError("as asked for")
        return solve(self, C, side_price)

    monkeypatch.setattr(PenalisedPath, "solve", sometimes)


def test_a_c_at_which_a_fold_fails_is_left_out(monkeypatch):
    sample = sample_for("regression-eps0")
    splits, model = splits_of("regression-eps0", sample), MODELS["regression-eps0"]
    Cs = np.array([0.05, 0.1, 0.2, 0.4])
    trial = Trial(model, sample, Cs)
    (every,) = cross_validate([trial], splits)
    inside = sample.X.dense()[splits[0].train]
    broken = Cs[1] * sample.weight.sum() / sample.weight[splits[0].train].sum()
    failing_at(monkeypatch, lambda C, X: np.isclose(C, broken) and np.array_equal(X, inside))
    (found,) = cross_validate([trial], splits)
    assert [choice.C for choice in found] == [0.05, 0.2, 0.4]
    assert {choice.left_out for choice in found} == {(0.1,)}
    others = [choice for choice in every if choice.C != 0.1]
    for choice, other in zip(found, others, strict=True):
        assert choice.loss == pytest.approx(other.loss, rel=1e-6)
        assert other.left_out == ()


def test_where_c_is_given_the_other_folds_tell_the_score(monkeypatch):
    sample = sample_for("regression-eps0")
    splits, model = splits_of("regression-eps0", sample), MODELS["regression-eps0"]
    trial = Trial(model, sample, np.array([0.3]))
    ((whole,),) = cross_validate([trial], splits)
    inside = sample.X.dense()[splits[0].train]
    failing_at(monkeypatch, lambda C, X: np.array_equal(X, inside))
    ((choice,),) = cross_validate([trial], splits)
    assert choice.n_missing == 1
    assert len(choice.losses) == len(whole.losses) - len(splits[0].test)
    np.testing.assert_allclose(choice.fold_scores, whole.fold_scores[1:])
    assert np.isfinite(choice.loss)
    assert np.isfinite(choice.score)
    assert "of the others" in left_out(choice)


def test_where_no_fold_can_be_fitted_that_is_said(monkeypatch):
    sample = sample_for("regression-eps0")
    failing_at(monkeypatch, lambda C, X: True)
    trial = Trial(MODELS["regression-eps0"], sample, np.array([0.3]))
    with pytest.raises(SolverError, match="any fold"):
        cross_validate([trial], splits_of("regression-eps0", sample))


@pytest.mark.slow
def test_a_fit_says_what_was_left_out(monkeypatch):
    sample = sample_for("regression-eps0", noise=0.3)
    seen = []

    def fails(C, X):
        seen.append(len(X))
        return len(X) < len(sample.X) and seen.count(len(X)) % 9 == 3

    failing_at(monkeypatch, fails)
    with pytest.warns(UserWarning, match="left out when C was chosen"):
        fitted = RelevanceRegressor(random_state=0, n_probes=20).fit(
            sample.X.dense(), sample.target
        )
    assert any("left out" in warning for warning in fitted.result_.warnings)
