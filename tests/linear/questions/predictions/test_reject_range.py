"""What the equivalent models reject, and what speaks for a class: every case by itself, in full."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from oracle import FullProblem
from scipy.optimize import linprog

from allrelevant import RejectOptionRelevanceClassifier, papers
from allrelevant.datasets import make_reject

THRESHOLD = 0.2


@pytest.fixture(scope="module")
def data():
    return make_reject(1, 40, random_state=0)


@pytest.fixture(scope="module")
def model(data):
    return papers.reject2017(n_probes=5, random_state=0).fit(*data)


def possible(model, samples):
    """All that the models do to the samples at once, each way tried as a program of its own."""
    models = model.equivalent_models_
    full = FullProblem(models.X.dense(), models.pieces)
    n_columns = len(full.norm)
    spent = [b.norm * full.norm + b.loss * full.loss for b in models.budgets]
    rows = np.vstack([full.rows.toarray(), *spent])
    limits = np.append(full.limits, [b.limit for b in models.budgets])
    scaled = model.fitted_set_.scaling.apply(samples)
    scores = np.zeros((len(samples), n_columns))
    scores[:, : 2 * full.d] = np.hstack([scaled, -scaled])
    scores[:, 2 * full.d] = 1.0
    for ways in product((0, 1, 2), repeat=len(samples)):
        more, most = [], []
        for score, way in zip(scores, ways, strict=True):
            if way < 2:
                more.append(score)
                most.append(-THRESHOLD if way == 0 else THRESHOLD)
            if way > 0:
                more.append(-score)
                most.append(-THRESHOLD if way == 2 else THRESHOLD)
        found = linprog(
            np.zeros(n_columns),
            np.vstack([rows, *more]),
            np.append(limits, most),
            bounds=full.bounds,
        )
        if found.status == 0:
            yield np.array(ways)


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 15])
def test_ends_are_those_of_all_possible_outcomes(model, data, first):
    X, y = data
    settled = model.prediction_range(X).settled
    some = np.flatnonzero(~settled)[first : first + 4]
    if len(some) < 4:
        some = np.flatnonzero(~settled)[-4:]
    labels = y[some] * np.array([1, 1, -1, 1])  # one of them wrong for sure
    every = list(possible(model, X[some]))
    rejected = [float(np.mean(ways == 1)) for ways in every]
    costs = [
        float(np.mean(np.where(ways == 1, model.reject_cost, np.sign(ways - 1) != labels)))
        for ways in every
    ]
    found = model.reject_range(X[some], labels)
    assert found.rejected == pytest.approx((min(rejected), max(rejected)), abs=1e-6)
    assert found.cost == pytest.approx((min(costs), max(costs)), abs=1e-6)
    assert found.is_exact
    assert found.n_open == 4


@pytest.mark.slow
def test_every_known_model_is_within(model, data):
    X, y = data
    found = model.reject_range(X, y)
    known = [model, *(model.witness(j, end) for j in (0, 1) for end in ("min", "max"))]
    for one in known:
        decision = one.decision_function(X)
        rejected = np.abs(decision) <= THRESHOLD
        cost = np.where(rejected, model.reject_cost, np.sign(decision) != y).mean()
        assert found.rejected[0] - 1e-9 <= rejected.mean() <= found.rejected[1] + 1e-9
        assert found.cost[0] - 1e-9 <= cost <= found.cost[1] + 1e-9
    assert "cost per sample" in str(found)
    assert model.reject_range(X).cost is None


@pytest.mark.slow
def test_what_takes_too_long_is_a_bound_and_said_to_be(model, data):
    X, y = data
    exact, hurried = model.reject_range(X, y), model.reject_range(X, y, time_limit=1e-9)
    assert hurried.rejected[0] <= exact.rejected[0] <= exact.rejected[1] <= hurried.rejected[1]
    if not hurried.is_exact:
        assert "bounds" in str(hurried)


@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
def test_where_nothing_is_learned_there_is_one_model():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(40, 2)), random.integers(0, 2, 40)
    model = RejectOptionRelevanceClassifier(C=1e-4, n_probes=5).fit(X, y)
    found = model.reject_range(X, y)
    assert found.rejected[0] == found.rejected[1] == model.rejected(X).mean()
    assert 1.0 - found.cost[0] == pytest.approx(model.score(X, y))


def test_bad_classes_and_times_are_refused(model, data):
    X, y = data
    with pytest.raises(ValueError, match=r"y must have the classes \[-1, 1\] only"):
        model.reject_range(X, y + 1)
    with pytest.raises(ValueError, match="time_limit must be a number above 0"):
        model.reject_range(X, time_limit=0)


@pytest.mark.parametrize("standardize", [False, True])
def test_contributions_of_samples_and_classes(data, standardize):
    X, y = data
    model = papers.reject2017(n_probes=5, random_state=0, standardize=standardize).fit(X, y)
    models = model.equivalent_models_
    ends = FullProblem(models.X.dense(), models.pieces).signed_intervals(models.budgets)
    values = (X - X.mean(axis=0)) / X.std(axis=0) if standardize else X
    expected = np.sort(values[:, :, None] * ends[None], axis=2)
    np.testing.assert_allclose(model.contributions(X), expected, atol=1e-6)
    by_class = np.sort(
        np.array([values[y == c].mean(axis=0) for c in (-1, 1)])[:, :, None] * ends[None], axis=2
    )
    np.testing.assert_allclose(model.contributions(X, y), by_class, atol=1e-6)
    assert (by_class[1, :, 1] > 0).all()
