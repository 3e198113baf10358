"""The working set against direct sums over all pieces."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import MODELS, encode

from allrelevant.data import matrix_of
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.engine.program.working_set import WorkingSet

every_model = pytest.mark.parametrize("name", MODELS)


def data(name, n=60, d=9):
    random = np.random.default_rng(list(MODELS).index(name))
    X = random.normal(size=(n, d))
    score = X[:, :3] @ [2.0, -1.5, 1.0] + random.normal(size=n)
    target, weight = encode(MODELS[name], score), random.uniform(0.3, 2.0, n)
    return random, X, MODELS[name].pieces(target, weight)


def around_the_baseline(name, band=0.3, features=(0, 1, 2, 5)):
    random, X, pieces = data(name)
    best = PenalisedPath(X, pieces).solve(0.3)
    made = WorkingSet(
        matrix_of(X),
        pieces,
        best.weights,
        best.offsets,
        features=features,
        band=band,
    )
    return random, made, best


def reduced_loss(working_set, weights, offsets):
    """``constant − slope·z + cost·ξ`` with the least slack, from what the working set says."""
    w = weights[working_set.features]
    offset, factor = working_set.offsets, working_set.offset_factors
    values = working_set.entries @ w + factor * offsets[offset]
    slack = np.maximum(working_set.target - values, 0.0)
    slope = working_set.feature_slope[working_set.features] @ w
    slope += working_set.offset_slope @ offsets
    return working_set.constant - slope + working_set.cost @ slack


def nearby(random, working_set, best, size):
    weights = np.zeros_like(best.weights)
    weights[working_set.features] = best.weights[working_set.features]
    weights[working_set.features] += size * random.normal(size=len(working_set.features))
    return weights, np.sort(best.offsets + size * random.normal(size=len(best.offsets)))


@every_model
def test_reduced_loss_is_the_loss_where_no_decided_piece_changes_side(name):
    random, working_set, best = around_the_baseline(name, features=range(9))
    checked = 0
    for _ in range(50):
        weights, offsets = nearby(random, working_set, best, 0.02)
        residuals = working_set.pieces.residuals(working_set.X.scores(weights), offsets)
        if len(working_set.changed_side(residuals, 0.0)):
            continue
        checked += 1
        expected = working_set.pieces.loss(working_set.X.scores(weights), offsets)
        assert reduced_loss(working_set, weights, offsets) == pytest.approx(expected)
    assert checked > 10


@every_model
def test_reduced_loss_is_never_above_the_loss(name):
    random, working_set, best = around_the_baseline(name, features=range(9))
    strictly = 0
    for _ in range(30):
        weights, offsets = nearby(random, working_set, best, 1.0)
        loss = working_set.pieces.loss(working_set.X.scores(weights), offsets)
        reduced = reduced_loss(working_set, weights, offsets)
        assert reduced <= loss + 1e-9
        strictly += reduced < loss - 1e-6
    assert strictly > 0


@every_model
def test_undecided_are_the_pieces_within_the_band(name):
    _, working_set, best = around_the_baseline(name, band=0.3)
    residuals = working_set.pieces.residuals(working_set.X.scores(best.weights), best.offsets)
    expected = np.flatnonzero(np.abs(residuals) <= 0.3)
    assert 0 < len(expected) < len(residuals)
    np.testing.assert_array_equal(np.sort(working_set.undecided), expected)
    np.testing.assert_array_equal(np.flatnonzero(working_set.is_undecided), expected)


@every_model
def test_changed_side_names_decided_pieces_on_the_wrong_side(name):
    random, working_set, best = around_the_baseline(name)
    before = working_set.pieces.residuals(working_set.X.scores(best.weights), best.offsets)
    assert not len(working_set.changed_side(before))
    weights, offsets = nearby(random, working_set, best, 1.0)
    after = working_set.pieces.residuals(working_set.X.scores(weights), offsets)
    expected = [
        p
        for p in range(len(after))
        if p not in working_set.undecided and (before[p] > 0) != (after[p] > 0)
    ]
    assert expected
    np.testing.assert_array_equal(working_set.changed_side(after), expected)


@every_model
def test_gradient_is_the_direct_sum(name):
    random, working_set, _ = around_the_baseline(name)
    pieces, X = working_set.pieces, working_set.X.dense()
    multipliers = random.uniform(0.0, 1.0, len(working_set.undecided))
    multipliers[::2] = 0.0
    rows, features, offsets = np.zeros(len(X)), np.zeros(X.shape[1]), np.zeros(pieces.n_offsets)
    for p in range(len(pieces)):
        amount = 0.7 * pieces.weight[p] if working_set.linear[p] else 0.0
        if working_set.is_undecided[p]:
            own = multipliers[np.flatnonzero(working_set.undecided == p)[0]]
            amount += -own if working_set.linear[p] else own
        rows[pieces.row[p]] += amount * pieces.sign[p]
        features += amount * pieces.sign[p] * X[pieces.row[p]]
        offsets[pieces.offset[p]] += amount * pieces.offset_sign[p]
    np.testing.assert_allclose(working_set.row_multipliers(multipliers, 0.7), rows, atol=1e-12)
    np.testing.assert_allclose(working_set.gradient(multipliers, 0.7), features, atol=1e-10)
    np.testing.assert_allclose(working_set.offset_gradient(multipliers, 0.7), offsets, atol=1e-10)


def test_gradient_of_few_multipliers_is_the_direct_sum():
    _, working_set, _ = around_the_baseline("classification")
    multipliers = np.zeros(len(working_set.undecided))
    multipliers[0] = 1.0  # then only one row is picked
    rows = working_set.row_multipliers(multipliers, 0.7)
    np.testing.assert_allclose(
        working_set.gradient(multipliers, 0.7), rows @ working_set.X.dense(), atol=1e-10
    )


def assert_entries_are_right(working_set):
    pieces = working_set.pieces
    flip = np.where(working_set.linear[working_set.undecided], -1.0, 1.0)
    signed = flip * pieces.sign[working_set.undecided]
    rows = working_set.X.dense()[pieces.row[working_set.undecided]]
    expected = signed[:, None] * rows[:, working_set.features]
    np.testing.assert_array_equal(working_set.entries, expected)
    np.testing.assert_array_equal(working_set.flip, flip)
    np.testing.assert_array_equal(working_set.target, flip * pieces.target[working_set.undecided])
    np.testing.assert_array_equal(working_set.cost, pieces.weight[working_set.undecided])
    assert len(working_set.entries) == working_set.is_undecided.sum()
    for k, feature in enumerate(working_set.features):
        assert working_set.position[feature] == k
    assert (working_set.position >= 0).sum() == len(working_set.features)


@every_model
def test_growth_keeps_entries_right(name):
    random, working_set, _ = around_the_baseline(name, band=0.1, features=[4])
    assert_entries_are_right(working_set)
    for _ in range(6):
        working_set.add_pieces(random.choice(len(working_set.pieces), size=5, replace=False))
        assert_entries_are_right(working_set)
        working_set.add_features(random.choice(9, size=2, replace=False))
        assert_entries_are_right(working_set)


def test_growth_beyond_what_was_reserved():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 150))
    target = np.where(X[:, 0] > 0, 1.0, -1.0)
    pieces = MODELS["classification"].pieces(target, np.ones(300))
    weights = random.normal(size=150)
    working_set = WorkingSet(matrix_of(X), pieces, weights, np.zeros(1), features=[3, 1], band=0.0)
    for start in range(0, 300, 50):
        working_set.add_pieces(np.arange(start, start + 50))
        working_set.add_features(np.arange(start // 2, start // 2 + 25))
        assert_entries_are_right(working_set)
    assert working_set.entries.shape == (300, 150)


@every_model
def test_adding_gives_only_what_is_new(name):
    _, working_set, _ = around_the_baseline(name, features=[0, 1])
    known = working_set.undecided[:2]
    unknown = np.flatnonzero(~working_set.is_undecided)[:2]
    both = np.append(known, unknown)
    np.testing.assert_array_equal(working_set.add_pieces(both), unknown)
    np.testing.assert_array_equal(working_set.add_features([1, 7, 0, 3]), [7, 3])
    assert len(working_set.add_features([7])) == 0
    assert_entries_are_right(working_set)


@every_model
def test_a_column_from_outside_is_seen_as_one_from_inside(name):
    _, working_set, _ = around_the_baseline(name)
    feature = working_set.features[1]
    column = working_set.X.dense()[:, feature].copy()
    np.testing.assert_array_equal(working_set.column(column), working_set.entries[:, 1])
    assert working_set.slope(column) == pytest.approx(working_set.feature_slope[feature])


def test_one_learns_what_another_has_of_the_features_that_both_know():
    _, few, _ = around_the_baseline(next(iter(MODELS)), band=0.0, features=(0, 1))
    _, many, _ = around_the_baseline(next(iter(MODELS)), band=0.5, features=(0, 3, 7))
    few.learn_from(many)
    assert set(few.features.tolist()) == {0, 1, 3, 7}
    assert set(many.undecided.tolist()) <= set(few.undecided.tolist())
    whole = few.X.columns(few.features)[few.rows]
    np.testing.assert_array_equal(few.entries, few.signs[:, None] * whole)


@pytest.mark.parametrize("used", [2, 9])
def test_scores_with_a_guest(used):
    random, working_set, _ = around_the_baseline("classification")
    weights = np.zeros(9)
    weights[:used] = random.normal(size=used)
    guest = random.normal(size=60)
    expected = working_set.X.dense() @ weights + 0.4 * guest
    np.testing.assert_allclose(working_set.scores(weights, guest, 0.4), expected)
    np.testing.assert_allclose(working_set.scores(weights), working_set.X.scores(weights))
