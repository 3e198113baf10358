"""Whether directions stay below a value: proofs by a few steps, and never a wrong one."""

from itertools import permutations

import numpy as np
import pytest
from helpers import class_models

from allrelevant.linear.engine import ranges
from allrelevant.linear.engine.below import BelowPath
from allrelevant.linear.engine.direction import Direction
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.engine.working_set import WorkingSet
from allrelevant.linear.fit.spreads import largest_spread

K = 5


@pytest.fixture(scope="module")
def known():
    """Equivalent models, the places of a feature, and how far pairs of classes can be apart."""
    models = class_models(K)
    places = models.n_features - K + np.arange(K)
    solver = RangeSolver(models)
    reach = {
        pair: solver.maximise(Direction(places[list(pair)], np.array([1.0, -1.0]))).value
        for pair in permutations(range(K), 2)
    }
    return models, places, reach


def path_around(models, places):
    near = np.flatnonzero(models.near_reference)
    return BelowPath(models, WorkingSet.around(models, np.union1d(near, places)))


def test_what_is_below_is_proven_and_nothing_else_is(known):
    models, places, reach = known
    path = path_around(models, places)
    for pair, value in list(reach.items())[::3]:
        asked = Direction(places[list(pair)], np.array([1.0, -1.0]))
        assert path.stays_below(asked.up_to(1.2 * value))
        assert not path.stays_below(asked.up_to(0.999 * value))


def test_the_centre_tells_about_how_far_models_go(known):
    models, places, reach = known
    path = path_around(models, places)
    pairs = list(reach)
    for pair in pairs[:3]:  # what these lack is taken in
        asked = Direction(places[list(pair)], np.array([1.0, -1.0]))
        path.stays_below(asked.up_to(1.1 * reach[pair]))
    middle, covariance = path.outlook(places)
    np.testing.assert_allclose(covariance, covariance.T, rtol=1e-6, atol=1e-12)
    own = np.diag(covariance)
    told = [
        middle[a] - middle[b] + 20.0 * np.sqrt(own[a] + own[b] - 2.0 * covariance[a, b])
        for a, b in pairs
    ]
    assert np.corrcoef(told, list(reach.values()))[0, 1] > 0.7


def test_bounds_spare_optima_and_change_no_answer(known, monkeypatch):
    models, places, reach = known
    monkeypatch.setattr(ranges, "LARGE", 0)
    solver = RangeSolver(models)
    most, seen = largest_spread(solver, places)
    assert most.value == pytest.approx(max(reach.values()), rel=1e-7)
    assert len(seen) < 10 < solver.solved
