"""Whether directions stay below a value: proofs by a few steps, and never a wrong one."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from helpers import class_models

from allrelevant.linear.engine.interior import below
from allrelevant.linear.engine.interior.below import BelowPath
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.ranges.rays import apart_on_rays
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.ranges.spreads import largest_spread

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


def test_rays_are_models_and_tell_about_how_far_others_go(known):
    models, places, reach = known
    told = apart_on_rays(models, places)
    most = np.array(list(reach.values()))
    assert (told <= most * (1.0 + 1e-6)).all()
    assert np.corrcoef(told, most)[0, 1] > 0.7


def test_rays_end_where_a_budget_does(known):
    models, places, _ = known
    start, apart = models.reference.weights, np.zeros(models.n_features)
    apart[places[:2]] = 1.0, -1.0
    far = apart_on_rays(models, places)[0] - start[places[0]] + start[places[1]]
    for share, inside in ((0.999, True), (1.001, False)):
        weights = start + share * far / 2.0 * apart
        loss = models.pieces.loss(models.X.scores(weights), models.reference.offsets)
        spent = models.prices @ np.abs(weights) + models.loss_factors * loss
        assert (spent <= models.limits).all() == inside


def test_bounds_spare_optima_and_change_no_answer(known, monkeypatch):
    models, places, reach = known
    monkeypatch.setattr(below, "LARGE", 0)
    solver = RangeSolver(models)
    most, seen = largest_spread(solver, places)
    assert most.value == pytest.approx(max(reach.values()), rel=1e-7)
    assert len(seen) < 10 < solver.solved


def test_programs_are_large_by_their_columns_and_their_pieces(known, monkeypatch):
    models, _, _ = known
    size = models.n_features * len(models.pieces)
    monkeypatch.setattr(below, "LARGE", size)
    assert below.are_large(models)
    monkeypatch.setattr(below, "LARGE", size + 1)
    assert not below.are_large(models)
    assert not below.are_large(replace(models, pieces=replace(models.pieces, second=None)))
