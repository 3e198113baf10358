"""Programs of many columns that look at some of the pieces, against programs one by one."""

import numpy as np
import pytest
from helpers import MODELS, encode, equivalent_models, oracle_ends

from allrelevant.linear.engine.batch import company, guests
from allrelevant.linear.engine.batch.company import Company, has_room, programs_together
from allrelevant.linear.engine.batch.guests import ManyGuests
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.ranges.solver import RangeSolver

N_FEATURES = 8


def simulated(model, tolerance=0.02):
    random = np.random.default_rng(7)
    X = random.normal(size=(400, N_FEATURES))
    score = X[:, 0] - X[:, 1] + 0.5 * X[:, 2] + random.normal(size=len(X))
    return equivalent_models(model, X, encode(model, score), 0.05, tolerance)


def directions(models):
    noise = np.random.default_rng(5).permutation(models.X.column(0))
    asked = [Direction.weight(k, sign) for k in range(N_FEATURES) for sign in (-1, 1)]
    return asked + [Direction.of_guest(noise, sign) for sign in (-1, 1)]


@pytest.fixture
def small(monkeypatch):
    """Few pieces are many here."""
    monkeypatch.setattr(company, "_FEW_PIECES", 100)


@pytest.mark.parametrize(
    ("name", "farther", "most_lost"),
    [
        ("classification", 2.0, 0.2),
        ("classification", 0.3, 0.2),
        ("regression-eps0.3", 2.0, 0.2),
        ("regression-eps0.3", 0.3, 0.2),
        ("ordinal-explicit", 2.0, 0.6),  # with all pieces 8 of 18 are lost, too
    ],
)
@pytest.mark.usefixtures("small")
def test_some_of_the_pieces_are_enough(name, farther, most_lost, monkeypatch):
    """Where too few are looked at, those that are lacking join them."""
    monkeypatch.setattr(company, "_FARTHER", farther)
    models = simulated(MODELS[name])
    begun = Company.of(models)
    assert len(begun.pieces) < 0.6 * len(models.pieces)
    many = ManyGuests(models)
    asked = directions(models)
    found = many.candidates(asked)
    values = np.array([np.nan if one is None else one.value for one in found])
    proven = ~np.isnan(values)
    assert 1.0 - proven.mean() < most_lost
    if farther < 1.0:
        assert len(many._company.pieces) > len(begun.pieces)
    # What was found with fewer pieces is still proven with these alone.
    assert all(one.is_proven for one in found if one is not None)
    solver = RangeSolver(models, solver="simplex")
    expected = np.array([solver.maximise(one).value for one in asked])
    np.testing.assert_allclose(values[proven], expected[proven], rtol=1e-7, atol=1e-7)
    ends = oracle_ends(models)[0] * [-1.0, 1.0]
    known = values[: 2 * N_FEATURES]
    np.testing.assert_allclose(
        known[~np.isnan(known)], ends.ravel()[~np.isnan(known)], rtol=1e-7, atol=1e-7
    )


@pytest.mark.usefixtures("small")
def test_where_most_pieces_may_change_sides_all_are_looked_at():
    models = simulated(MODELS["classification"], tolerance=1.0)
    assert len(Company.of(models).pieces) == len(models.pieces)


def test_features_that_many_want_are_shared_where_some_want_too_many(monkeypatch):
    monkeypatch.setattr(guests, "_MOST_OWN", 1)
    models = simulated(MODELS["classification"])
    many = ManyGuests(models)
    n_shared = len(many._company.near)
    asked = directions(models)
    found = many.candidates(asked)
    assert len(many._company.near) > n_shared
    solver = RangeSolver(models, solver="simplex")
    known = [
        (one.value, solver.maximise(own).value)
        for one, own in zip(found, asked, strict=True)
        if one
    ]
    assert len(known) > 0.8 * len(asked)
    np.testing.assert_allclose(*zip(*known, strict=True), rtol=1e-7, atol=1e-7)


def test_a_company_that_nothing_joins_is_the_same(monkeypatch):
    own = Company.of(simulated(MODELS["classification"]))
    assert own.joined_by(own.pieces) is own
    assert len(own.joined_by(own.pieces[1:]).pieces) == len(own.pieces) - 1
    monkeypatch.setattr(company, "_MOST_PRODUCTS", 1)
    assert own.joined_by(own.pieces[1:]) is own


def test_the_more_pieces_there_are_the_fewer_programs_go_together():
    sizes = [programs_together(n) for n in (0, 100, 1000, 5000, 20_000, 10**6)]
    assert sizes == sorted(sizes, reverse=True)
    assert 1 < sizes[-1] < sizes[0]
    assert has_room(5, 1000)
    assert not has_room(500, 1000)
