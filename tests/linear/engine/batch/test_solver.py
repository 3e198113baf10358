"""Many linear functions at once, against programs solved one by one."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS, encode, equivalent_models

from allrelevant.linear.engine.batch import solver as many
from allrelevant.linear.engine.batch.pivots import optimal
from allrelevant.linear.engine.batch.solver import ManySolver
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.ranges.solver import RangeSolver

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def simulated(model, n=80, digits=None, **settings):
    """Noisy data with a near copy; with few digits, rows are equal and optima degenerate."""
    random = np.random.default_rng(3)
    X = random.normal(size=(n, 6))
    X[:, 1] = X[:, 0] + 0.2 * random.normal(size=n)
    if digits is not None:
        X = X.round(digits)
    score = X[:, 0] - X[:, 2] + random.normal(size=n)
    return equivalent_models(model, X, encode(model, score), 1.0, 0.1, **settings)


def functions(models, n=40):
    """Functions of offsets and weights."""
    return np.random.default_rng(4).normal(size=(n, models.pieces.n_offsets + 6))


def one_by_one(models, costs):
    solver, q = RangeSolver(models, solver="simplex"), models.pieces.n_offsets
    asked = [Direction(np.arange(6), own[q:], offset_factors=own[:q]) for own in costs]
    return [solver.maximise(direction).value for direction in asked]


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("settings", [{}, {"budget": "joint"}, {"digits": 0}], ids=str)
def test_together_they_are_what_they_are_alone(model, settings):
    models = simulated(model, **settings)
    costs = functions(models)
    found = ManySolver(models).maximise(costs)
    assert np.isnan(found).mean() < 0.2
    proven = ~np.isnan(found)
    expected = np.array(one_by_one(models, costs))
    np.testing.assert_allclose(found[proven], expected[proven], rtol=1e-7, atol=1e-6)


def test_pieces_that_matter_are_taken_in(monkeypatch):
    """From next to no hinges, and functions that come later."""
    monkeypatch.setattr(many, "_FARTHER", 0.0)
    models = replace(simulated(MODELS["ordinal-explicit"]), band=0.0)
    costs, solver = functions(models), ManySolver(models)
    found = np.concatenate([solver.maximise(costs[:5]), solver.maximise(costs[5:])])
    np.testing.assert_allclose(found, one_by_one(models, costs), rtol=1e-7, atol=1e-6)


@pytest.mark.parametrize("spread", [0.0, 0.01, 10.0])
def test_known_models_say_what_to_look_at_but_not_what_is_found(spread):
    """Models that are too near to the reference leave out hinges that matter."""
    models = replace(simulated(MODELS["ordinal-explicit"]), band=0.0)
    reference = np.append(models.reference.offsets, models.reference.weights)
    known = reference + spread * np.random.default_rng(5).normal(size=(9, len(reference)))
    costs = functions(models)
    found = ManySolver(models, known).maximise(costs)
    np.testing.assert_allclose(found, one_by_one(models, costs), rtol=1e-7, atol=1e-6)


@pytest.mark.slow
@every_model
def test_exchanges_lead_to_the_optimum_from_afar(model, monkeypatch):
    """Vertices near points that have hardly set out: many equations are to be exchanged."""
    monkeypatch.setattr(many, "_NEAR", (1e9, 1e-4))
    monkeypatch.setattr(many, "_MOST_EXCHANGES", 300)
    begun, proven = [], []

    def walked(hinges, costs, vertices, most):
        lines, best = optimal(hinges, costs, vertices, most)
        begun.append(len(costs))
        proven.append(len(lines))
        values = np.einsum("bd,bd->b", costs[lines], best.z)
        assert (values >= np.einsum("bd,bd->b", costs, vertices.z)[lines] - 1e-9).all()
        return lines, best

    monkeypatch.setattr(many, "optimal", walked)
    models = simulated(model)
    costs = functions(models)
    found = ManySolver(models).maximise(costs)
    assert begun[0] == proven[0] >= 10
    np.testing.assert_allclose(found, one_by_one(models, costs), rtol=1e-7, atol=1e-6)


def test_what_is_not_proven_is_not_said(monkeypatch):
    models = simulated(MODELS["classification"])
    monkeypatch.setattr(many, "_SURVEY", 1)
    monkeypatch.setattr(many, "_MOST_STEPS", 0)
    monkeypatch.setattr(many, "_MOST_EXCHANGES", 1)
    assert np.isnan(ManySolver(models).maximise(functions(models))).all()


def test_it_is_for_plain_sets_of_models():
    models = simulated(MODELS["classification"])
    boxes = Boxes(np.array([0]), np.array([-0.1]), np.array([0.1]))
    assert ManySolver.takes(models)
    assert not ManySolver.takes(models.within(boxes))
    assert not ManySolver.takes(replace(models, notes=[]))
