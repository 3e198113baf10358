"""Ranges of predictions against full linear programs, one from scratch per sample and side."""

import json
import logging
import pickle
import warnings
from copy import deepcopy
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from estimator_cases import CASES, binary_cases, every_case, label_cases, ordinal_cases
from every_model import EveryModel, privileged_models
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.base import clone

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier
from allrelevant.base.progress import Progress
from allrelevant.linear.models import Ordinal
from allrelevant.linear.questions.predictions.ranges import (
    find_decision_ranges,
    gaps_between_thresholds,
)


def fitted(case, **parameters):
    X, y = case.data()
    model = case.fitted(**({"tolerance": 0.15} | parameters))
    return model, np.vstack([X[:6], 1.5 * X[6:10] + 0.2]), X, y


def decision_costs(model, every, sample):
    """The costs whose least and greatest values are the decision values of one sample."""
    scaled = model.fitted_set_.scaling.apply(sample[None])[0]
    for t in range(every.models.pieces.n_offsets):
        offsets = np.zeros(every.models.pieces.n_offsets)
        offsets[t] = model.offset_scale_ * model.model_.offset_sign
        yield every.cost(scaled, offsets)


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("tolerance", [0.15, 100.0])
def test_ends_are_those_of_the_full_programs(case, budget, tolerance):
    """Also where offsets may be so far off that every sample is on one side."""
    model, samples, *_ = fitted(case, budget=budget, tolerance=tolerance)
    found = model.prediction_range(samples)
    every = EveryModel(model.equivalent_models_)
    scale = getattr(model.fitted_set_.decoder, "scale", 1.0)
    centre = getattr(model.fitted_set_.decoder, "centre", model.offset_shift_)
    for i, sample in enumerate(samples):
        costs = list(decision_costs(model, every, sample))
        low = [scale * every.least(cost) + centre for cost in costs]
        high = [scale * every.greatest(cost) + centre for cost in costs]
        np.testing.assert_allclose(np.ravel(found.low[i]), low, rtol=1e-7, atol=1e-6)
        np.testing.assert_allclose(np.ravel(found.high[i]), high, rtol=1e-7, atol=1e-6)


def test_an_offset_can_be_as_far_as_the_loss_allows():
    """Also beyond all kinks of the loss, where it only does harm and no weight needs it."""
    x = np.repeat([-1.0, 1.0], 20)
    y = np.concatenate([-np.repeat([1.0, -1.0], [12, 8]), np.repeat([1.0, -1.0], [12, 8])])
    model = RelevanceClassifier(C=1.0, tolerance=9.0, standardize=False, n_probes=3)
    model.fit(x[:, None], y)
    assert model.result_.baseline["norm"] == pytest.approx(1.0)
    assert model.result_.baseline["loss"] == pytest.approx(32.0)
    found = model.prediction_range(np.zeros((1, 1)))
    # All of one class are missed: 12 by 1 + b − w and 8 by 1 + b + w, where w ≤ 10 = ten norms;
    # 20 (1 + b) − 40 ≤ 320 = ten losses.
    assert found.high[0] == pytest.approx(17.0, abs=1e-6)
    assert found.low[0] == pytest.approx(-17.0, abs=1e-6)


def test_side_information_takes_no_part_in_predictions():
    models = privileged_models()
    samples = np.random.default_rng(1).normal(size=(5, 4))
    low, high = find_decision_ranges(
        models, samples, 1.0, names=list("abcd"), n_jobs=1, progress=Progress()
    )
    every = EveryModel(models)
    for i, sample in enumerate(samples):
        cost = every.cost(sample, [1.0])
        assert low[i, 0] == pytest.approx(every.least(cost), abs=1e-6)
        assert high[i, 0] == pytest.approx(every.greatest(cost), abs=1e-6)


@every_case
def test_every_witness_predicts_within_the_range(case):
    model, samples, *_ = fitted(case)
    found = model.prediction_range(samples)
    seen = [model.witness(k, bound) for k in range(5) for bound in ("min", "max")]
    for witness in seen:
        if case.is_ordinal:
            scores = samples @ witness.coef_
            decisions = scores[:, None] - witness.thresholds_
        else:
            decisions = witness.decision_function(samples)
        assert (found.low <= decisions + 1e-6).all()
        assert (found.high >= decisions - 1e-6).all()
        if not case.is_regression:
            for label, allowed in zip(witness.predict(samples), found.labels, strict=True):
                assert label in allowed or "reject" in allowed


# Labels


@pytest.mark.slow
@label_cases
def test_a_label_is_allowed_where_a_model_predicts_it(case):
    """One program per sample and label: how far inside the label's region can a model be?"""
    model, samples, *_ = fitted(case, tolerance=0.3)
    found = model.prediction_range(samples)
    every = EveryModel(model.equivalent_models_)
    threshold = getattr(model.model_, "threshold", 0.0)
    assert not found.settled.all()
    for i, sample in enumerate(samples):
        distances = list(decision_costs(model, every, sample))
        regions = _regions(case, distances, threshold)
        for label, region in zip(found.outcomes, regions, strict=True):
            assert (label in found.labels[i]) == (depth(every, region) > 0)


def _regions(case, distances, threshold):
    """For each outcome the functions (with a constant) that must not be negative."""
    if case.is_ordinal:
        first, second = distances
        return [[(-first, 0.0)], [(first, 0.0), (-second, 0.0)], [(second, 0.0)]]
    (value,) = distances
    if not threshold:
        return [[(-value, 0.0)], [(value, 0.0)]]
    rejected = [(value, threshold), (-value, threshold)]
    return [[(-value, -threshold)], rejected, [(value, -threshold)]]


def depth(every, region):
    """The largest s such that a model has every ``function + constant ≥ s``."""
    A, b = every.rows()
    wide = np.hstack([A, np.zeros((len(A), 1))])
    more = np.array([np.append(-function, 1.0) for function, _ in region])
    cost = np.append(np.zeros(A.shape[1]), -1.0)
    bounds = np.vstack([every.bounds(), [-np.inf, np.inf]])
    limits = np.append(b, [constant for _, constant in region])
    found = linprog(cost, np.vstack([wide, more]), limits, bounds=bounds, method="highs")
    assert found.status == 0
    return -found.fun


@given(st.integers(0, 10_000), st.integers(3, 5))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_ordered_labels_of_a_convex_set_of_models(seed, n_classes):
    """A class between two thresholds is predicted iff some mixture of models predicts it."""
    random = np.random.default_rng(seed)
    thresholds = np.sort(random.normal(size=(2, n_classes - 1)), axis=1)
    if seed % 2:  # two thresholds that are one, in all models
        thresholds[:, 1] = thresholds[:, 0]
    scores = random.normal(size=2)
    parts = np.linspace(0, 1, 4001)
    mixed = np.outer(1 - parts, thresholds[0]) + np.outer(parts, thresholds[1])
    distances = ((1 - parts) * scores[0] + parts * scores[1])[:, None] - mixed
    predicted = set((distances > 0).sum(axis=1))
    gaps = np.diff(mixed, axis=1).max(axis=0)
    allowed = Ordinal(n_classes).outcomes(
        distances.min(axis=0)[None], distances.max(axis=0)[None], np.where(gaps > 1e-12, gaps, 0.0)
    )
    assert predicted <= set(np.flatnonzero(allowed[0]))
    # A grid may miss a class that is passed in between; a finer one finds it.
    for k in set(np.flatnonzero(allowed[0])) - predicted:
        above = np.ones(4001) if k == 0 else distances[:, k - 1]
        below = np.ones(4001) if k == n_classes - 1 else -distances[:, k]
        assert (above > 0).any()
        assert (below >= 0).any()
        assert np.minimum(above, below).max() > -2e-3


@ordinal_cases
def test_gaps_between_thresholds(case):
    """The reference's; where it has none, the largest there is."""
    model, *_ = fitted(case)
    models = model.equivalent_models_
    assert gaps_between_thresholds(models) == pytest.approx(np.diff(models.reference.offsets))
    every = EveryModel(models)
    expected = every.greatest(every.cost(offsets=[-1.0, 1.0]))
    equal = replace(models.reference, offsets=models.reference.offsets * 0.0)
    found = gaps_between_thresholds(replace(models, reference=equal))
    assert found[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_rejections_that_depend_on_the_model():
    model, samples, X, _ = fitted(CASES["reject"], reject_threshold=0.4)
    found = model.prediction_range(X)
    assert (
        found.outcomes == (0, "reject", 1) == (*model.classes_[:1], "reject", *model.classes_[1:])
    )
    can = (found.low <= 0.4) & (found.high >= -0.4)
    must = (found.low >= -0.4) & (found.high <= 0.4)
    np.testing.assert_array_equal(found.can_be("reject"), can)
    np.testing.assert_array_equal(found.depends_on("reject"), can & ~must)
    assert found.depends_on("reject").any()
    np.testing.assert_array_equal(found.settled, found.allowed.sum(axis=1) == 1)
    named = CASES["reject"].fitted(tolerance=0.15, reject_label=-1)
    assert named.prediction_range(samples).outcomes == (0, -1, 1)


@pytest.mark.slow
@label_cases
def test_ambiguity_is_the_share_of_unsettled_samples(case):
    model, _, X, _ = fitted(case)
    found = model.prediction_range(X)
    assert model.ambiguity(X) == found.ambiguity == pytest.approx(1 - found.settled.mean())
    assert 0.0 < found.ambiguity < 1.0


def test_no_tolerance_leaves_nothing_open():
    model, _, X, _ = fitted(CASES["classification"], tolerance=0.0, C=0.37)
    found = model.prediction_range(X)
    np.testing.assert_allclose(found.low, model.decision_function(X), atol=1e-6)
    np.testing.assert_allclose(found.high, model.decision_function(X), atol=1e-6)


def test_a_regression_has_no_labels():
    model, samples, *_ = fitted(CASES["regression"])
    found = model.prediction_range(samples)
    assert found.outcomes == ()
    assert "width" in repr(found)
    assert list(found.to_frame().columns) == ["low", "high"]
    for question in (model.ambiguity, lambda X: found.labels, lambda X: found.can_be(1)):
        with pytest.raises(ValueError, match="a regression predicts numbers, not labels"):
            question(samples)


# How it is computed must not show


@pytest.mark.slow
@every_case
def test_neither_order_nor_copies_nor_processes_matter(case, monkeypatch):
    model, samples, *_ = fitted(case)
    expected = model.prediction_range(samples)
    turned = np.vstack([samples[::-1], samples[:2]])
    monkeypatch.setattr("allrelevant.linear.questions.predictions.ranges._CHUNK", 3)
    model = deepcopy(model)
    model.n_jobs = 2 if case is CASES["ordinal-explicit"] else 1
    found = model.prediction_range(turned)
    places = [*range(len(samples))[::-1], 0, 1]
    np.testing.assert_allclose(found.low, expected.low[places], atol=1e-7)
    np.testing.assert_allclose(found.high, expected.high[places], atol=1e-7)
    np.testing.assert_array_equal(found.allowed, expected.allowed[places])


def test_far_from_the_data_the_leading_digits_are_proven():
    model, *_ = fitted(CASES["classification"])
    near = model.prediction_range(np.full((1, 5), 1e3))
    far = model.prediction_range(np.full((1, 5), 1e9))
    assert far.high[0] / near.high[0] == pytest.approx(1e6, rel=1e-2)


def test_one_by_one_by_the_simplex_method_and_the_interior_point(monkeypatch):
    model, samples, *_ = fitted(CASES["classification"])
    expected = model.prediction_range(samples)
    monkeypatch.setattr(
        "allrelevant.linear.engine.batch.solver.ManySolver.takes", lambda models: False
    )
    one_by_one = model.prediction_range(samples)
    np.testing.assert_allclose(one_by_one.low, expected.low, atol=1e-6)
    monkeypatch.setattr("allrelevant.linear.engine.ranges.solver.SIMPLEX_PIECES", 1)
    found = model.prediction_range(samples)
    np.testing.assert_allclose(found.low, expected.low, atol=1e-6)
    np.testing.assert_allclose(found.high, expected.high, atol=1e-6)


def test_where_nothing_is_learned_all_models_are_the_constant():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    found = model.prediction_range(X)
    np.testing.assert_array_equal(found.low, model.decision_function(X))
    np.testing.assert_array_equal(found.high, found.low)
    assert found.settled.all()


def test_progress_is_logged_and_written_where_asked(caplog):
    model, samples, *_ = fitted(CASES["classification"])
    with caplog.at_level(logging.INFO, logger="allrelevant"):
        model.prediction_range(samples)
    assert "prediction ranges: 1 tasks" in caplog.text


# Views and errors


@label_cases
def test_views(case):
    model, samples, *_ = fitted(case)
    found = model.prediction_range(samples)
    frame = found.to_frame()
    assert len(frame) == len(found) == 10
    assert frame["labels"].tolist() == found.labels
    if case.is_ordinal:
        np.testing.assert_array_equal(frame[["low_1", "low_2"]], found.low)
    else:
        np.testing.assert_array_equal(
            frame[["low", "high"]], np.column_stack([found.low, found.high])
        )
    document = json.loads(found.to_json())
    assert document["high"] == found.high.tolist()
    assert document["allowed"] == found.allowed.tolist()
    assert f"{int(found.settled.sum())} settled" in repr(found)
    for each in (found, pickle.loads(pickle.dumps(found))):
        with pytest.raises(ValueError, match="read-only"):
            each.low[0] = 0.0
        assert each.to_dict() == found.to_dict()
    with pytest.raises(ValueError, match="outcome must be one of"):
        found.can_be("no such label")


def test_data_are_checked():
    model, samples, *_ = fitted(CASES["classification"])
    with pytest.raises(ValueError, match="4 features"):
        model.prediction_range(samples[:, :4])
    samples[0, 2] = np.nan
    with pytest.raises(ValueError, match="'x2'"):
        model.prediction_range(samples)


# Offsets that were moved for accuracy


@cache
def moved(case):
    """Classes of unequal size, so that predictions have an offset of their own."""
    X, y = case.data(150, noise=0.6)
    keep = (y != 0) | (np.arange(len(y)) % 4 == 0)
    X, y = X[keep], y[keep]
    with warnings.catch_warnings():  # only the first to ask would hear it
        warnings.filterwarnings("ignore", "predictions are 1 for", UserWarning)
        model = case.make().fit(X, y)
    assert model.offset_shift_ > 0.05
    return model, X[:30]


@pytest.mark.slow
@binary_cases
def test_the_baseline_is_among_what_is_possible(case):
    model, samples = moved(case)
    found = model.prediction_range(samples)
    decision = model.decision_function(samples)
    assert (found.low <= decision + 1e-6).all()
    assert (found.high >= decision - 1e-6).all()
    reject = {} if case is CASES["classification"] else {"reject_label": "reject"}
    predicted = deepcopy(model).set_params(**reject).predict(samples)
    for label, possible in zip(predicted.tolist(), found.labels, strict=True):
        assert label in possible


@pytest.mark.slow
@binary_cases
def test_the_range_is_that_of_the_engine_moved(case):
    model, samples = moved(case)
    balanced = clone(model).set_params(class_weight="balanced")
    X, y = case.data(150, noise=0.6)
    keep = (y != 0) | (np.arange(len(y)) % 4 == 0)
    plain = balanced.fit(X[keep], y[keep]).prediction_range(samples)
    found = model.prediction_range(samples)
    np.testing.assert_allclose(found.low, plain.low + model.offset_shift_, atol=1e-6)
    np.testing.assert_allclose(found.high, plain.high + model.offset_shift_, atol=1e-6)
    assert (found.settled != plain.settled).any(), "which changes what is settled"


@pytest.mark.slow
@binary_cases
@pytest.mark.parametrize("bound", ["min", "max"])
def test_every_witness_is_within_the_range(case, bound):
    model, samples = moved(case)
    found = model.prediction_range(samples)
    for feature in range(5):
        witness = model.witness(feature, bound)
        decision = witness.decision_function(samples)
        assert (found.low <= decision + 1e-6).all()
        assert (found.high >= decision - 1e-6).all()
        offset = witness.intercept_ - model.offset_shift_
        models = model.equivalent_models_
        weights = witness.weights_ * model.result_.baseline["norm"]
        shift = model.fitted_set_.scaling.original(weights)[1]
        loss = models.pieces.loss(models.X.scores(weights), offset - shift)
        assert loss == pytest.approx(witness.loss_), "the loss is that before the offset moved"


@binary_cases
def test_a_constant_model_is_moved_as_well(case):
    X, y = case.data(150)
    keep = (y != 0) | (np.arange(len(y)) % 4 == 0)
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = case.make(C=1e-9).fit(X[keep], y[keep])
    found = model.prediction_range(X[:5])
    np.testing.assert_allclose(found.low, model.decision_function(X[:5]))
    np.testing.assert_array_equal(found.low, found.high)
    assert (model.decision_function(X[:5]) > 0).all(), "the frequent class is predicted"


@cache
def apart():
    """Ordered classes that scores hardly tell apart, so that thresholds move along a line."""
    random = np.random.default_rng(4)
    X = random.normal(size=(150, 3))
    hidden = 0.7 * X[:, 0] + random.normal(size=150)
    y = np.searchsorted(np.quantile(hidden, [0.2, 0.4, 0.6, 0.8]), hidden)
    model = OrdinalRelevanceClassifier(n_probes=10, tolerance=0.05).fit(X, y)
    assert model.offset_scale_ > 1.5
    return model, X[:8]


@pytest.mark.slow
def test_thresholds_that_moved_are_those_of_every_model():
    """The ends are those of full programs, and what witnesses say is within them."""
    model, samples = apart()
    found = model.prediction_range(samples)
    every = EveryModel(model.equivalent_models_)
    for i, sample in enumerate(samples):
        costs = list(decision_costs(model, every, sample))
        low = [every.least(cost) + model.offset_shift_ for cost in costs]
        high = [every.greatest(cost) + model.offset_shift_ for cost in costs]
        np.testing.assert_allclose(found.low[i], low, rtol=1e-7, atol=1e-6)
        np.testing.assert_allclose(found.high[i], high, rtol=1e-7, atol=1e-6)
    for one in (model, model.witness(0, "min"), model.witness(0, "max"), model.witness(2, "max")):
        for label, possible in zip(one.predict(samples).tolist(), found.labels, strict=True):
            assert label in possible
