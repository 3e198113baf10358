"""The core says of models what all rows say, or less, and knows when."""

import numpy as np
import pytest
from array_rows import ArrayRows
from outside_cases import X, score

from allrelevant.data.scaling import Scaling
from allrelevant.linear.engine.baseline.penalised import PenalisedPath
from allrelevant.linear.fit.outside.core import Core, Seen
from allrelevant.linear.fit.outside.drawing import drawn_values, shares
from allrelevant.linear.fit.outside.looks import Reading, TargetCodes
from allrelevant.linear.fit.outside.outside import Outside
from allrelevant.linear.fit.statistics.noise import Shapes
from allrelevant.linear.models import Classification, Ordinal, Regression

N, D = X.shape
Z = (X - X.mean(axis=0)) / X.std(axis=0)
MODELS = {
    "classification": (Classification(), np.where(score > 0, 1.0, -1.0)),
    "regression": (Regression(0.1), score),
    "ordinal": (Ordinal(3), np.digitize(score, [-0.7, 0.6]).astype(float)),
}
every_model = pytest.mark.parametrize("name", MODELS)


def outside_of(y):
    numbers = len(np.unique(y)) > 3
    labels = np.array([0.0, 1.0]) if numbers else np.unique(y)
    codes = TargetCodes(labels, labels, are_numbers=numbers)
    reading = Reading(Scaling(X.mean(axis=0), X.std(axis=0)), codes)
    ones = np.ones(D)
    return Outside(
        ArrayRows(X, y, size=400),
        reading,
        Z.min(axis=0),
        Z.max(axis=0),
        Shapes(ones, ones),
        float(N),
        np.abs(y).max() + 1.0,
        np.sort(Z, axis=0).T,
    )


def core_and_pieces(name, band=0.05):
    """A core around the minimum on all rows, that minimum, and the loss of all rows."""
    model, y = MODELS[name]
    pieces = model.pieces(y, np.ones(N))
    best = PenalisedPath(Z, pieces).solve(0.2)
    return Core(outside_of(y), model, best.weights, best.offsets, band), best, pieces


@every_model
def test_the_loss_of_the_core_is_never_more_and_the_loss_itself_where_it_says_so(name):
    core, best, pieces = core_and_pieces(name)
    random = np.random.default_rng(0)
    models = [
        Seen(
            best.weights + size * random.normal(size=D),
            np.sort(best.offsets + size * random.normal(size=len(best.offsets))),
        )
        for size in (0.0, 1e-3, 0.02, 0.3)
        for _ in range(3)
    ]
    rounds = 0
    for _ in range(30):
        rounds += 1
        matrix, of_core = core.matrix, core.pieces
        losses = np.array([of_core.loss(matrix.scores(m.weights), m.offsets) for m in models])
        true = np.array([pieces.loss(Z @ m.weights, m.offsets) for m in models])
        assert (losses <= true + 1e-8).all()
        lacks = core.lacks(models)
        np.testing.assert_array_equal(lacks, true - losses > 1e-10 * (1.0 + true))
        if not lacks.any():
            break
    assert rounds > 1
    assert len(core.rows) == len(np.unique(core.rows.numbers)) < N
    np.testing.assert_allclose(losses, true, rtol=1e-9)


@every_model
def test_rows_that_join_keep_sums_and_multipliers_right(name):
    core, best, _ = core_and_pieces(name, band=0.02)
    noise = (2, 7)
    core.welcome([noise])
    column = drawn_values(core.outside.pools[2], 7, np.arange(N))
    duals = core.multipliers(core, np.zeros(len(core.rows) + 1), 0.2)
    inside = np.isin(np.arange(N), core.rows.numbers)
    duals[:-1] = best.row_duals[core.rows.numbers]
    for _ in range(2):
        np.testing.assert_allclose(duals @ core.matrix.dense(), best.row_duals @ Z, atol=1e-8)
        assert duals @ core.column(noise) == pytest.approx(best.row_duals @ column, abs=1e-8)
        core.widen([Seen(1.3 * best.weights, best.offsets)])
        assert len(core.rows) > inside.sum()
        duals = core.duals(duals, 0.2)


def test_a_guest_counts_as_it_would_with_all_rows():
    core, best, pieces = core_and_pieces("classification", band=0.5)
    column = drawn_values(core.outside.pools[1], 3, np.arange(N))
    seen = Seen(best.weights, best.offsets, (1, 3), 0.01)
    while core.lacks([seen]).any():
        pass
    core.welcome([(1, 3)])
    scores = core.matrix.scores(best.weights) + 0.01 * core.column((1, 3))
    expected = pieces.loss(Z @ best.weights + 0.01 * column, best.offsets)
    assert core.pieces.loss(scores, best.offsets) == pytest.approx(expected, rel=1e-12)


def test_what_is_drawn_depends_on_rows_and_seeds_alone():
    numbers = np.arange(20_000)
    drawn = shares(5, numbers)
    np.testing.assert_array_equal(drawn[700:900], shares(5, numbers[700:900]))
    assert 0.0 <= drawn.min() < 0.001 < 0.999 < drawn.max() < 1.0
    assert abs(drawn.mean() - 0.5) < 0.01
    others = [shares(6, numbers), np.roll(drawn, 1), numbers / 20_000]
    assert max(abs(np.corrcoef(drawn, other)[0, 1]) for other in others) < 0.03
