"""Which pieces a program takes in: few, and all that it needs."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import class_models

from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.nearby import Inside
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.engine.simplex.growth import changed_side

K = 5


@pytest.fixture(scope="module")
def models():
    return class_models(K)


def apart(models, pair):
    places = models.n_features - K + np.array(pair)
    return Direction(places, np.array([1.0, -1.0]))


def test_few_pieces_are_enough(models, monkeypatch):
    pairs = [(0, 1), (3, 2), (4, 0)]
    inside, everywhere = RangeSolver(models), RangeSolver(replace(models, band=np.inf))
    found = [inside.maximise(apart(models, pair)) for pair in pairs]
    expected = [everywhere.maximise(apart(models, pair)) for pair in pairs]
    assert everywhere.working_set.is_complete
    values, right = ([one.value for one in some] for some in (found, expected))
    np.testing.assert_allclose(values, right, rtol=1e-7)
    monkeypatch.setattr(Inside, "missing", lambda self, candidate: changed_side(candidate))
    greedy = RangeSolver(models)
    np.testing.assert_allclose(
        [greedy.maximise(apart(models, pair)).value for pair in pairs], right, rtol=1e-7
    )
    assert 1.5 * len(inside.working_set.undecided) < len(greedy.working_set.undecided)


def test_what_it_takes_in_cuts_the_candidate_off(models):
    """At the place where a budget is spent the program knows the whole loss."""
    solver = RangeSolver(models)
    working_set = solver.working_set
    random = np.random.default_rng(1)
    reference = models.reference
    candidate = solver._solve(apart(models, (0, 1)))
    far = replace(
        candidate,
        weights=reference.weights + random.normal(size=models.n_features),
        offsets=reference.offsets,
    )
    missing = Inside(models).missing(far)
    assert 0 < len(missing) < len(changed_side(far))
    ahead = far.residuals - models.pieces.residuals(
        models.X.scores(reference.weights), reference.offsets
    )
    part = Inside(models)._part(far, ahead, far.weights - reference.weights)
    somewhere = far.residuals - (1.0 - part) * ahead
    outside = np.setdiff1d(working_set.changed_side(somewhere), missing)
    assert not len(outside)
    over = far.overspent_with(
        reference.weights + part * (far.weights - reference.weights), 0.0, somewhere
    )
    assert 0.0 < over.max() < 0.1 * models.limits.max()
