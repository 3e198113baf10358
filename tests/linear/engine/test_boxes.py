"""Limits of single weights: what they hold, what they can gain, what they leave of the models."""

import numpy as np
import pytest
from helpers import MODELS, boxes_of, encode, equivalent_models
from hypothesis import given
from hypothesis import strategies as st
from oracle import FullProblem

from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.ranges.nearest import nearest_member

numbers = st.floats(-5, 5, allow_nan=False)


def some_models(name="classification", budget="split", seed=0, n=40, d=5, C=0.5):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    X[:, 3] = X[:, 0] + 0.3 * random.normal(size=n)
    score = X[:, 0] - 0.5 * X[:, 1] + 0.4 * random.normal(size=n)
    return equivalent_models(MODELS[name], X, encode(MODELS[name], score), C, 0.1, budget)


def test_contain():
    boxes = boxes_of({1: (-1.0, 0.5), 3: (0.0, 0.0)})
    assert boxes.contain(np.array([9.0, 0.5, 9.0, 0.0]))
    assert not boxes.contain(np.array([9.0, 0.6, 9.0, 0.0]))
    assert not boxes.contain(np.array([9.0, 0.5, 9.0, 1e-3]))
    assert boxes.contain(np.array([9.0, -1.0005, 9.0, 1e-3]), tolerance=1e-2)


def test_no_boxes_contain_everything():
    assert boxes_of({}).contain(np.array([1.0, -2.0]))


@given(st.lists(st.tuples(numbers, numbers, numbers, st.floats(0, 3)), min_size=1, max_size=4))
def test_gain_is_the_largest_of_all_weights_within(cases):
    low, high = np.sort(np.array([case[:2] for case in cases]), axis=1).T
    prices, norms = np.array([case[2:] for case in cases]).T
    boxes = Boxes(np.arange(len(cases)), low, high)
    # Linear on both sides of zero: a grid that has the ends, and zero where it is within, will do.
    grid = low + np.linspace(0, 1, 41)[:, None] * (high - low)
    grid = np.vstack([grid, np.clip(0.0, low, high)])
    expected = (prices * grid - norms * np.abs(grid)).max(axis=0).sum()
    assert boxes.gain(prices, norms) == pytest.approx(expected)


def test_models_within_boxes_share_what_does_not_depend_on_them():
    models = some_models()
    gradient, largest = models.gradient, models.largest_offset
    some = models.within(boxes_of({0: (0.0, 0.0)}))
    assert some.gradient is gradient
    assert some.largest_offset == largest
    assert models.boxes is None, "the models themselves stay as they are"
    assert some.within(None).has_reference
    assert not some.has_reference, "it uses feature 0"


def test_features_with_a_box_are_near_whatever_their_gradient():
    models = some_models(C=0.05)
    far = int(np.flatnonzero(~models.near_reference)[0])
    assert models.within(boxes_of({far: (0.1, 0.2)})).near_reference[far]
    assert not models.near_reference[far]


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", MODELS)
def test_how_far_budgets_are_from_boxes(name, budget):
    """Against the elastic full program; also for weights far beyond what the budgets allow."""
    models = some_models(name, budget)
    full = FullProblem(models.X.dense(), models.pieces)
    most = models.largest_norm
    cases = [
        {0: (0.0, 0.0), 3: (0.0, 0.0)},
        {2: (0.8 * most, most)},
        {4: (-3.0 * most, -2.0 * most)},
        {0: (5.0 * most, 5.0 * most), 1: (0.0, most)},
        {1: (-most, most)},
    ]
    missed = 0
    for ranges in cases:
        boxes = boxes_of(ranges)
        found = nearest_member(models.within(boxes), models.limits)
        expected = full.within(boxes).least_excess(models.budgets, models.limits)
        assert found.excess == pytest.approx(expected, abs=1e-6, rel=1e-6)
        assert boxes.contain(found.weights, 1e-7)
        assert found.is_member == (expected < 1e-8)
        missed += not found.is_member
    assert missed >= 3
