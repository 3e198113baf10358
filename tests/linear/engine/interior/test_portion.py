"""Programs of very many pieces, few of them at a time, against full linear programs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from helpers import MODELS, encode, equivalent_models, guest_reach, reference_norm
from oracle import FullProblem

from allrelevant.linear.engine.interior import portion
from allrelevant.linear.engine.interior import solver as interior
from allrelevant.linear.engine.ranges.solver import RangeSolver


@pytest.fixture
def small_portions(monkeypatch):
    """As if a hundred pieces were very many; the first portions are too small for the answer."""
    monkeypatch.setattr(interior, "MANY", 100)
    monkeypatch.setattr(portion, "_SAMPLE", 60)
    monkeypatch.setattr(portion, "_FEWEST", 20)
    monkeypatch.setattr(portion, "_TIMES", 0.2)
    taken = []
    of = portion.Portion.of.__func__

    def counted(cls, whole, slack, *args):
        found = of(cls, whole, slack, *args)
        taken.append((len(found.near), len(slack)))
        return found

    monkeypatch.setattr(portion.Portion, "of", classmethod(counted))
    return taken


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "budget"), [("classification", "split"), ("ordinal-explicit", "joint")]
)
def test_answers_are_those_of_all_pieces(name, budget, small_portions, monkeypatch):
    model, random = MODELS[name], np.random.default_rng(0)
    X = random.normal(size=(300, 5))
    X[:, 4] = X[:, 0] + 0.1 * X[:, 4]
    target = encode(model, X[:, 0] - 0.7 * X[:, 1] + random.normal(size=300))
    models = equivalent_models(model, X, target, 0.05, 0.05, budget)
    monkeypatch.setattr(RangeSolver, "_by_simplex", None)
    solver = RangeSolver(models, solver="interior")
    close = {"rtol": 0, "atol": 1e-6 * reference_norm(models)}
    full = FullProblem(X, models.pieces)
    for feature in (0, 3, 4):
        found = solver.weight_range(feature)
        expected = full.signed_interval(feature, models.budgets)
        np.testing.assert_allclose(found.ends, expected, **close)
    guest = random.permutation(X[:, 0])
    expected = FullProblem(np.column_stack([X, guest]), models.pieces)
    reach = np.abs(expected.signed_interval(5, models.budgets)).max()
    np.testing.assert_allclose(guest_reach(solver, guest), reach, **close)
    # Portions were smaller than the whole, and some had to be followed by larger ones.
    assert small_portions
    assert any(near < size for near, size in small_portions)
    sizes = [near for near, _ in small_portions]
    assert any(later > earlier for earlier, later in pairwise(sizes))
