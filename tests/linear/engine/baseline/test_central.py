"""Offsets in the middle of those that are as good, by the loss itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS, encode, fit_baseline
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant.linear.engine.baseline.central import central_offsets
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.rows.sample import Sample

every_model = pytest.mark.parametrize("name", MODELS)


@every_model
@given(seed=st.integers(0, 200), C=st.sampled_from([1e-4, 0.05, 0.5]))
@settings(max_examples=8, deadline=None)
def test_central_offsets_are_as_good_as_the_best(name, seed, C):
    random = np.random.default_rng(seed)
    X = random.normal(size=(40, 3))
    target = encode(MODELS[name], X[:, 0] + random.normal(size=40))
    problem = Problem(MODELS[name], Sample(X, target, np.ones(40), np.ones(40)))
    found = problem.path().solve(C)
    central = problem.central(found)
    scores = X @ found.weights
    least = problem.pieces.loss(scores, found.offsets)
    assert problem.pieces.loss(scores, central.offsets) == pytest.approx(least, rel=1e-7)
    assert (np.diff(central.offsets) >= 0).all()
    again = central_offsets(problem.pieces, scores, central.offsets)
    np.testing.assert_allclose(again, central.offsets)


def test_classes_of_one_weight_without_features_have_their_offset_between_them():
    """Every offset from −1 to 1 costs the same."""
    target = np.repeat([-1.0, 1.0], 10)
    sample = Sample(np.zeros((20, 1)), target, np.ones(20), np.ones(20))
    assert fit_baseline(Problem(MODELS["classification"], sample), 1.0).offsets == pytest.approx(0)


def test_the_middle_of_an_even_number_of_targets_is_between_two():
    target = np.array([0.0, 1.0, 4.0, 9.0])
    sample = Sample(np.zeros((4, 1)), target, np.ones(4), np.ones(4))
    assert fit_baseline(Problem(MODELS["regression-eps0"], sample), 1.0).offsets == [2.5]


def test_an_offset_in_no_piece_stays():
    """Neither of the two classes beside a threshold need be among some rows."""
    pieces = MODELS["classification"].pieces(np.array([-1.0, 1.0, 1.0]), np.ones(3))
    found = central_offsets(replace(pieces, n_offsets=2), np.arange(3.0), np.array([0.0, 7.0]))
    assert found[1] == 7.0
