"""The model without features: the best one up to a C, by the full program."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS, encode
from oracle import FullProblem

from allrelevant.data import matrix_of
from allrelevant.linear.engine.baseline import penalised
from allrelevant.linear.engine.baseline.null import NullModel, null_offsets
from allrelevant.linear.engine.baseline.penalised import PenalisedPath

# Offsets of ordered classes need not be in order one by one.
alone = pytest.mark.parametrize("name", [name for name in MODELS if name != "ordinal-explicit"])


def data(name, seed=0, n=30):
    random = np.random.default_rng([seed, list(MODELS).index(name)])
    X = random.normal(size=(n, 4))
    target = encode(MODELS[name], X[:, 0] + random.normal(size=n))
    return X, MODELS[name].pieces(target, random.uniform(0.3, 2.0, n))


@pytest.mark.parametrize("seed", range(3))
@alone
def test_it_is_the_best_as_far_as_it_says(name, seed):
    X, pieces = data(name, seed)
    null = NullModel.of(matrix_of(X), pieces)
    C = 0.999 / np.abs(null.gradient).max()
    assert null.is_best(C, np.ones(4))
    assert not null.is_best(1.01 * C, np.ones(4))
    norm, loss = FullProblem(X, pieces).baseline(C)
    assert norm == pytest.approx(0.0, abs=1e-9)
    assert null.loss == pytest.approx(loss, rel=1e-9)
    found = PenalisedPath(X, pieces).solve(C)
    assert found.objective == pytest.approx(C * loss, rel=1e-9)
    assert np.allclose(C * null.gradient, X.T @ found.row_duals)


def test_nothing_is_said_where_offsets_meet():
    """Of hardly any rows of a middle class, the offset below it would be above the other one."""
    pieces = MODELS["ordinal-explicit"].pieces(
        np.repeat([0, 1, 2, 3], [20, 1, 20, 20]), np.ones(61)
    )
    X = np.random.default_rng(0).normal(size=(61, 3))
    assert null_offsets(pieces, 61) is None
    found, full = PenalisedPath(X, pieces).solve(0.01), FullProblem(X, pieces).baseline(0.01)
    assert found.objective == pytest.approx(full @ np.array([1.0, 0.01]), rel=1e-7)


def test_other_kinds_of_pieces_are_left_to_programs():
    X, pieces = data("classification")
    some = np.arange(len(pieces)) < 3
    for other in (replace(pieces, linear=some), replace(pieces, hard=some)):
        assert NullModel.of(matrix_of(X), other) is None


def test_no_program_is_solved_for_it(monkeypatch):
    X, pieces = data("classification")
    monkeypatch.setattr(penalised, "ReducedProgram", None)
    found = PenalisedPath(X, pieces).solve(1e-6)
    assert not found.weights.any()
