"""Any linear function, regions of two weights and sampled models, against full linear programs."""

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained, fitted, grouped
from estimator_cases import CASES
from every_model import EveryModel

from allrelevant import InfeasibleError, RelevanceClassifier
from allrelevant.datasets import make_classification
from allrelevant.linear.questions.scores.region import area

NAMES = [
    *("classification", "logistic", "reject", "privileged-classification"),
    *("regression", "quantile", "survival"),
    *("ordinal-explicit", "ordinal-implicit", "ordinal-logistic", "l2"),
]


def data_of(name, model):
    samples = CASES.get(name, CASES["classification"]).data()[0][:8, : model.n_features_in_]
    return pd.DataFrame(samples, columns=model.feature_names_in_)


def weights_of(model, table):
    """Standardised samples as the engine has them."""
    return model.fitted_set_.scaling.apply(np.asarray(table, dtype=float))


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", NAMES)
def test_sums_of_weights_are_those_of_the_full_program(name, budget):
    model = fitted(name, budget)
    every, norm = EveryModel(model.equivalent_models_), model.result_.baseline["norm"]
    for factors in ({"age": 1.0, "dose": -1.0}, {0: 2.0, "girth": 0.5}, {"age": 1e-6, "dose": 3e3}):
        wanted = np.zeros(every.models.n_features)
        for feature, factor in factors.items():
            wanted[feature if feature == 0 else ["age", "dose", "girth"].index(feature)] = factor
        found = model.range_of(factors)
        cost = every.cost(wanted / norm)
        size = np.abs(wanted).max()
        np.testing.assert_allclose(found.low, every.least(cost), atol=1e-6 * size)
        np.testing.assert_allclose(found.high, every.greatest(cost), atol=1e-6 * size)
        for end, witness in ((found.low, found.lowest), (found.high, found.highest)):
            attained = wanted[: len(witness.weights_)] @ witness.weights_
            np.testing.assert_allclose(attained, end, atol=1e-6 * size)
            assert_is_a_member(model, witness)


def assert_is_a_member(model, witness):
    limits = model.equivalent_models_.budgets
    if model.equivalent_models_.pieces.hard is not None:
        return  # its slack functions are not shown
    for budget in limits:
        used = budget.norm * witness.norm_ + budget.loss * witness.loss_
        assert used <= budget.limit * (1 + 1e-6) + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_sums_of_scores_are_those_of_the_full_program(name):
    model = fitted(name)
    every = EveryModel(model.equivalent_models_)
    samples = data_of(name, model)
    decoder, q = model.fitted_set_.decoder, every.models.pieces.n_offsets
    scale, centre = getattr(decoder, "scale", 1.0), getattr(decoder, "centre", model.offset_shift_)
    for factors in ({0: 1.0, 1: -1.0}, {0: 0.5, 3: 0.5, 5: -1.0}, {2: 1.0}):
        rows, values = list(factors), np.array(list(factors.values()))
        offsets = np.zeros(q)
        if q == 1:
            offsets[0] = model.offset_scale_ * model.model_.offset_sign * values.sum()
        weights = values @ weights_of(model, samples.iloc[rows])
        if q > 1:  # these scores are compared with thresholds, which are for columns as they came
            scaling = model.fitted_set_.scaling
            weights = values @ (samples.iloc[rows].to_numpy() / scaling.scale)
        cost = every.cost(weights, offsets)
        constant = centre * values.sum() if q == 1 else 0.0
        found = model.range_of(scores=factors, X=samples)
        low, high = scale * every.least(cost) + constant, scale * every.greatest(cost) + constant
        np.testing.assert_allclose([found.low, found.high], [low, high], rtol=1e-7, atol=1e-6)
        if q == 1 and name != "reject":
            for end, witness in ((found.low, found.lowest), (found.high, found.highest)):
                own = witness.decision_function(samples.iloc[rows])
                attained = values @ (np.log(own) if name == "survival" else own)
                np.testing.assert_allclose(attained, end, rtol=1e-6, atol=1e-6)
        if q > 1:
            for end, witness in ((found.low, found.lowest), (found.high, found.highest)):
                attained = values @ samples.iloc[rows].to_numpy() @ witness.coef_
                np.testing.assert_allclose(attained, end, rtol=1e-6, atol=1e-6)


def test_one_weight_and_one_score_are_what_is_known_already():
    model = fitted("classification")
    samples = data_of("classification", model)
    for j, name in enumerate(model.result_.names):
        found = model.range_of({name: 1.0})
        np.testing.assert_allclose(
            [found.low, found.high], model.result_.signed_intervals[j], atol=1e-7
        )
    ranges = model.prediction_range(samples)
    found = model.range_of(scores={4: 1.0}, X=samples)
    np.testing.assert_allclose([found.low, found.high], [ranges.low[4], ranges.high[4]], atol=1e-7)
    assert found.sign == int(found.low > 0) - int(found.high < 0)
    assert "LinearRange from" in repr(found)


def test_what_has_no_weight_has_none_in_a_sum_or_a_region():
    X, y, _ = make_classification(80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    level = np.where(X[:, 3] > 0.5, "few", np.where(X[:, 3] < -1, "none", "many"))
    table = pd.DataFrame(X[:, :3], columns=["a", "b", "c"]).assign(always=7.0, level=level)
    model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=20, random_state=0).fit(table, y)
    (reference,) = model.result_.columns["level"]["references"]
    for name in ("always", reference):
        alone, beside = model.range_of({name: 1.0}), model.range_of({"a": 1.0, name: -3.0})
        assert (alone.low, alone.high) == (0.0, 0.0)
        assert not any(name in end.features_ for end in (alone.lowest, alone.highest))
        only = model.range_of({"a": 1.0})
        np.testing.assert_allclose([beside.low, beside.high], [only.low, only.high], atol=1e-7)
        region = model.region("a", name)
        assert not region.corners[:, 1].any()
        ends = region.corners[:, 0].min(), region.corners[:, 0].max()
        np.testing.assert_allclose(ends, [only.low, only.high], atol=1e-7)
        assert region.is_exact


def test_constraints_are_those_of_what_if():
    model = fitted("classification")
    every, norm = EveryModel(model.equivalent_models_), model.result_.baseline["norm"]
    closed = np.ones(every.models.n_features, dtype=bool)
    closed[2] = False
    cost = every.cost(np.array([1.0, 1.0, 0.0, 0.0, 0.0]) / norm)
    found = model.range_of({"age": 1.0, "dose": 1.0}, forbid=["girth"])
    np.testing.assert_allclose(found.low, every.least(cost, closed), atol=1e-6)
    np.testing.assert_allclose(found.high, -every.least(-cost, closed), atol=1e-6)
    assert "girth" not in found.lowest.features_
    with pytest.raises(InfeasibleError):
        model.range_of({"age": 1.0}, forbid=list(model.result_.strong))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_regions_hold_the_truth_between_two_polygons(name):
    model = fitted(name)
    every, norm = EveryModel(model.equivalent_models_), model.result_.baseline["norm"]
    found = model.region("dose", "girth")
    assert found.n_programs <= 64
    assert found.names == ("dose", "girth")
    for angle in np.random.default_rng(0).uniform(0, 2 * np.pi, 40):
        normal = np.array([np.cos(angle), np.sin(angle)])
        factors = np.zeros(every.models.n_features)
        factors[[1, 2]] = normal
        truth = every.greatest(every.cost(factors / norm))
        inner, outer = (found.corners @ normal).max(), (found.outside @ normal).max()
        assert inner <= truth + 1e-6
        assert outer >= truth - 1e-6
        if found.is_exact:
            np.testing.assert_allclose(inner, truth, atol=1e-6)
    assert area(found.outside) <= 1.005 * found.area


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classification", "regression", "ordinal-explicit"])
def test_regions_under_constraints_are_those_of_the_full_programs(name):
    model = fitted(name)
    norm, top = model.result_.baseline["norm"], model.intervals_[0, 1]
    asked = {"forbid": ["day"], "bounds": {"age": (0.0, 0.98 * top)}}
    constrained = Constrained(model, {4: [(0.0, 0.0)], 0: [(-0.98 * top, 0.98 * top)]})
    (kept,), every = constrained.branches(), constrained.every
    found = model.region("age", "dose", **asked)
    again = model.what_if(**asked).region("age", "dose")
    np.testing.assert_allclose(again.corners, found.corners, atol=1e-9)
    for angle in np.linspace(0.1, 2 * np.pi, 12):
        factors = np.zeros(every.models.n_features)
        factors[:2] = normal = np.array([np.cos(angle), np.sin(angle)])
        truth = -every.least(-every.cost(factors / norm), more=kept)
        assert (found.corners @ normal).max() <= truth + 1e-6
        assert (found.outside @ normal).max() >= truth - 1e-6
    with pytest.raises(ValueError, match="region needs models in one piece"):
        model.region("age", "dose", bounds={"room": (1e-4, np.inf)})
    with pytest.raises(InfeasibleError):
        model.region("age", "dose", forbid=list(model.result_.strong))


def test_few_programs_leave_bounds_on_both_sides():
    model = fitted("classification")
    rough, exact = model.region("age", "dose", n_programs=8), model.region("age", "dose")
    assert rough.n_programs <= 8
    assert rough.area <= exact.area + 1e-9
    assert area(rough.outside) >= exact.area - 1e-9
    assert "at most" in repr(rough)
    whole = fitted("privileged-classification").region("age", "dose", n_programs=1000)
    assert whole.is_exact
    assert whole.n_programs < 1000


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if "privileged" not in name])
def test_sampled_models_are_equivalent_and_spread(name):
    model = fitted(name)
    found = model.sample_models(30, random_state=0)
    weights = np.array([one.weights_ for one in found])
    low, high = model.result_.signed_intervals.T
    assert ((weights >= low - 1e-7) & (weights <= high + 1e-7)).all()
    for one in found:
        for budget in model.equivalent_models_.budgets:
            assert budget.norm * one.norm_ + budget.loss * one.loss_ <= budget.limit
    wide = high - low > 0.1
    assert (np.ptp(weights, axis=0)[wide] > 0.3 * (high - low)[wide]).all()
    again = model.sample_models(30, random_state=0)
    assert [one.weights_.tolist() for one in again] == weights.tolist()


def test_what_cannot_be_asked_is_said():
    model = fitted("classification")
    for call, said in (
        (lambda: model.range_of(), "weights or scores"),
        (lambda: model.range_of({"age": 1}, scores={0: 1}, X=[[0] * 5]), "weights or scores"),
        (lambda: model.range_of(scores={0: 1}), "needs X"),
        (lambda: model.range_of(scores={9: 1}, X=data_of("classification", model)), "row"),
        (lambda: model.range_of({"age": np.inf}), "factor of 'age'"),
        (lambda: model.range_of(["age"]), "weights must map"),
        (lambda: model.range_of({"agee": 1}), "agee"),
        (lambda: model.region("age", "age"), "two different"),
        (lambda: model.region("age", "dose", n_programs=3), "n_programs"),
        (lambda: model.sample_models(0), "k must be"),
        (lambda: grouped("classification").range_of({"copies": 1}), "has several: name 'dose'"),
        (lambda: grouped("classification").region("copies", "age"), "of .copies. name one"),
        (lambda: fitted("privileged-classification").sample_models(2), "slack functions"),
    ):
        with pytest.raises(ValueError, match=said):
            call()


@pytest.mark.slow
def test_many_classes_are_sampled():
    X, y, _ = make_classification(
        60, n_classes=3, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0
    )
    model = RelevanceClassifier(C=1.0, n_probes=5, confidence=0.9, random_state=0).fit(X, y)
    for one in model.sample_models(5, random_state=0):
        for budget in model.equivalent_models_.budgets:
            assert budget.norm * one.norm_ + budget.loss * one.loss_ <= budget.limit
