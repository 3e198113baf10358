"""Fits to rows that are elsewhere: the same answers as in memory."""

import numpy as np
import pandas as pd
import pytest
from array_rows import ArrayRows
from helpers import guest_reach
from outside_cases import FEW, TARGETS, X, estimator

from allrelevant import InfeasibleError, RejectOptionRelevanceClassifier, RelevanceClassifier
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.outside import open as opening
from allrelevant.linear.fit.outside.drawing import drawn_values

TASKS = list(TARGETS)


@pytest.fixture(scope="module", params=TASKS)
def fits(request):
    """A fit in memory, and one to rows in five blocks."""
    y = TARGETS[request.param]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "FEW", FEW)
        rows = ArrayRows(X, y, size=200)
        return estimator(request.param).fit(X, y), estimator(request.param).fit(rows, rows.target)


@pytest.mark.slow
def test_intervals_and_baseline_are_those_of_rows_in_memory(fits):
    here, there = fits
    np.testing.assert_allclose(there.intervals_, here.intervals_, atol=1e-6)
    np.testing.assert_allclose(there.signed_intervals_, here.signed_intervals_, atol=1e-6)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-6)
    for name in ("norm", "loss", "C"):
        assert there.result_.baseline[name] == pytest.approx(here.result_.baseline[name], rel=1e-6)
    shapes = [one.fitted_set_.analysis.shapes for one in fits]
    np.testing.assert_allclose(shapes[1].shape, shapes[0].shape, rtol=1e-9)
    problem = there.fitted_set_.analysis.problem
    assert FEW / 2 < len(problem.sample) < 2 * FEW
    assert len(problem.core.rows) < len(X)
    assert problem.outside.rows.n_passes <= 20


@pytest.mark.slow
def test_probes_reach_as_far_as_the_same_columns_in_memory(fits):
    here, there = fits
    outside = there.fitted_set_.analysis.problem.outside
    found = there.fitted_set_.analysis.found.probes
    # The rows of a fit in memory have an order of their own.
    models = here.fitted_set_.models
    Z = here.fitted_set_.scaling.apply(X)
    order = [int(np.argmin(np.abs(Z - row).sum(axis=1))) for row in models.X.dense()]
    for probe, (_, reach) in zip(found.probes[:3], found.values[:3], strict=True):
        pool = outside.pools[probe.feature]
        column = drawn_values(pool, probe.seed, np.arange(len(X)))[order]
        assert guest_reach(RangeSolver(models), column) == pytest.approx(reach, abs=1e-6)


@pytest.mark.slow
def test_questions_are_answered_for_all_rows(fits):
    here, there = fits
    one, other = here.what_if(forbid=[3]), there.what_if(forbid=[3])
    np.testing.assert_allclose(other.intervals, one.intervals, atol=1e-6)
    one, other = (before.range_of({0: 1.0, 1: -1.0}) for before in (one, other))
    assert (other.low, other.high) == pytest.approx((one.low, one.high), abs=1e-6)
    ranges = [one.prediction_range(X[:8]) for one in fits]
    if ranges[0].low.ndim == 1:  # ordered classes have thresholds by folds of other rows
        low, high = (
            [getattr(its, end) - one.offset_shift_ for one, its in zip(fits, ranges, strict=True)]
            for end in ("low", "high")
        )
        np.testing.assert_allclose(low[1], low[0], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(high[1], high[0], rtol=1e-6, atol=1e-6)


@pytest.mark.slow
def test_what_no_model_does_is_said_with_the_same_tolerance(fits):
    said = []
    for one in fits:
        with pytest.raises(InfeasibleError) as refusal:
            one.what_if(forbid=[1])
        said.append(refusal.value.tolerance)
    assert said[1] == pytest.approx(said[0], rel=1e-5)
    there = fits[1]
    assert there.witness(3).coef_.ravel()[3] == 0.0
    with pytest.raises(ValueError, match="needs all rows in memory"):
        there.groups()
    with pytest.raises(ValueError, match="needs all rows in memory"):
        there.save("nowhere.fit")


@pytest.mark.slow
@pytest.mark.usefixtures("few_drawn")
def test_all_defaults():
    y = TARGETS["classification"]
    names = [f"f{k}" for k in range(X.shape[1])]
    rows = ArrayRows(X, y, names, size=500)
    model = RelevanceClassifier(random_state=0).fit(rows, rows.target)
    assert model.result_.classes.tolist() == [2, 2, 1, 1, 0, 0]
    assert model.result_.baseline["cv_rows"] == len(model.fitted_set_.analysis.problem.sample)
    assert model.score(pd.DataFrame(X, columns=names), y) > 0.8
    assert list(model.result_.names) == names


@pytest.fixture
def few_drawn(monkeypatch):
    monkeypatch.setattr(opening, "FEW", FEW)


BAD = {
    "NaN or infinity in column 'x2' of rows 300 to 599": lambda X, y: (
        np.where((np.arange(len(X)) == 400)[:, None] & (np.arange(6) == 2), np.nan, X),
        y,
    ),
    "Input y contains NaN or infinity in rows 600 to 899": lambda X, y: (
        X,
        np.where(np.arange(len(X)) == 700, np.nan, 1.0),
    ),
    "too large to compute with": lambda X, y: (X * np.where(np.arange(6) == 1, 1e160, 1.0), y),
    "one class only": lambda X, y: (X, np.full(len(X), "a")),
    "three and more classes need all rows": lambda X, y: (X, np.arange(len(X)) % 3),
    "class 'rare' is so rare": lambda X, y: (X, np.where(np.arange(len(X)) == 3, "rare", "a")),
}


@pytest.mark.usefixtures("few_drawn")
@pytest.mark.parametrize("message", BAD)
def test_values_that_cannot_be_used_are_named_with_their_block(message):
    X_bad, y = BAD[message](X, TARGETS["classification"])
    rows = ArrayRows(X_bad, y, size=300)
    with pytest.raises(ValueError, match=message):
        RelevanceClassifier().fit(rows, rows.target)


def test_what_needs_all_rows_is_refused():
    rows = ArrayRows(X, TARGETS["classification"])
    for settings in (
        {"baseline": "l2"},
        {"probes": "replace"},
        {"basis": "spline"},
        {"cv": [1]},
        {"checkpoint": "f", "random_state": 0},
    ):
        with pytest.raises(ValueError, match=f"{next(iter(settings))}=.* is for rows in memory"):
            RelevanceClassifier(**settings).fit(rows, rows.target)
    with pytest.raises(ValueError, match="sample_weight= is for rows in memory"):
        RelevanceClassifier().fit(rows, rows.target, sample_weight=np.ones(len(X)))
    with pytest.raises(ValueError, match="y must be the target that came with X"):
        RelevanceClassifier().fit(rows, TARGETS["classification"])
    with pytest.raises(ValueError, match="models of this kind need all rows"):
        RejectOptionRelevanceClassifier().fit(rows, rows.target)
