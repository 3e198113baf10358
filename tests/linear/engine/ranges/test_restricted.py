"""Ranges under boxes, one request after the other, against the full linear programs."""

import numpy as np
import pytest
from helpers import MODELS, boxes_of, encode, equivalent_models, reference_norm
from oracle import FullProblem

from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.ranges.restricted import RestrictedRanges
from allrelevant.linear.engine.ranges.solver import RangeSolver

every_model = pytest.mark.parametrize("name", MODELS)
every_budget = pytest.mark.parametrize("budget", ["split", "joint"])


def plain(random, n):
    return random.normal(size=(n, 5)), 0.5


def twins(random, n):
    X = random.normal(size=(n, 5))
    X[:, 3], X[:, 4] = X[:, 0], -X[:, 1]
    return X, 0.3


def separable(random, n):
    return random.normal(size=(n, 4)), 0.0


def small_integers(random, n):
    X = random.integers(0, 3, size=(n, 5)).astype(float)
    X[:, 2] = 0.0
    return X, 0.5


DATA = [plain, twins, separable, small_integers]


def models_of(name, data, budget, seed=0, n=30, tolerance=0.1):
    random = np.random.default_rng(seed)
    X, noise = data(random, n)
    score = X[:, 0] - 0.7 * X[:, 1] + noise * random.normal(size=n)
    target = encode(MODELS[name], score)
    return equivalent_models(MODELS[name], X, target, 0.5, tolerance, budget, floor=0.3)


def a_member(models, random):
    """Somewhere between models that attain ends of ranges."""
    found = RangeSolver(models).ranges(range(models.n_features))
    ends = [end.witness for r in found for end in (r.low, r.high) if end.witness is not None]
    shares = random.dirichlet(np.ones(len(ends)))
    return sum(s * e.weights(models.n_features) for s, e in zip(shares, ends, strict=True))


def some_boxes(models, random):
    """Boxes that hold at least one member: pinned, narrow, to one side, both ends far away."""
    weights, size = a_member(models, random), reference_norm(models)
    widths = [(0.0, 0.0), (0.05, 0.02), (0.0, np.inf), (0.3, 0.3)]
    found = {}
    for feature in random.choice(models.n_features, size=2, replace=False):
        below, above = widths[random.integers(len(widths))]
        high = min(weights[feature] + above * size, models.largest_norm)
        found[int(feature)] = (weights[feature] - below * size, high)
    return boxes_of(found)


# Every model with all data; the budgets take turns.
TURNS = [
    pytest.param(name, data, ("split", "joint")[(k + m) % 2], id=f"{name}-{data.__name__}")
    for k, name in enumerate(MODELS)
    for m, data in enumerate(DATA)
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "data", "budget"), TURNS)
def test_ranges_are_those_of_the_full_programs(name, data, budget):
    models = models_of(name, data, budget)
    random = np.random.default_rng(1)
    ranges, full = RestrictedRanges(models), FullProblem(models.X.dense(), models.pieces)
    size = reference_norm(models)
    for _ in range(2):
        boxes = some_boxes(models, random)
        expected = full.within(boxes).signed_intervals(models.budgets)
        for feature in range(models.n_features):
            found = ranges.weight_range(feature, boxes)
            ends = (found.low.value, found.high.value)
            np.testing.assert_allclose(ends, expected[feature], atol=1e-6 * size)
            check_witnesses(models, boxes, feature, found)


def check_witnesses(models, boxes, feature, found):
    size = reference_norm(models)
    for end in (found.low, found.high):
        weights = end.witness.weights(models.n_features)
        assert weights[feature] == pytest.approx(end.value, abs=1e-6 * size)
        assert boxes.contain(weights, 1e-6)
        loss = models.pieces.loss(models.X.scores(weights), end.witness.offsets)
        spent = models.norm_table @ models.norms(weights) + models.loss_factors * loss
        assert (spent <= models.limits + 1e-6 * np.maximum(models.limits, 1.0)).all()


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", ["classification", "ordinal-explicit", "regression-eps0"])
def test_the_order_of_requests_does_not_matter(name, budget):
    """Warm answers are cold ones, and one request does not influence the next."""
    models = models_of(name, twins, budget, seed=3)
    random = np.random.default_rng(4)
    requests = [some_boxes(models, random) for _ in range(4)] + [None]
    features = range(models.n_features)

    def answer(ranges, boxes):
        found = [ranges.weight_range(feature, boxes) for feature in features]
        return np.array([(r.low.value, r.high.value) for r in found])

    cold = [answer(RestrictedRanges(models), boxes) for boxes in requests]
    warm = RestrictedRanges(models)
    for k in random.integers(len(requests), size=10):
        np.testing.assert_allclose(answer(warm, requests[k]), cold[k], atol=1e-6)


def test_boxes_only_take_away():
    models = models_of("classification", plain, "split")
    ranges, random = RestrictedRanges(models), np.random.default_rng(5)
    for _ in range(5):
        boxes = some_boxes(models, random)
        for feature in range(models.n_features):
            free, found = ranges.weight_range(feature), ranges.weight_range(feature, boxes)
            assert found.low.value >= free.low.value - 1e-7
            assert found.high.value <= free.high.value + 1e-7


def test_an_end_whose_model_keeps_the_boxes_is_not_solved_again(monkeypatch):
    models = models_of("classification", plain, "split")
    known = RangeSolver(models).ranges(range(models.n_features))
    ranges, maximise, asked = RestrictedRanges(models, found=known), RangeSolver.maximise, []

    def spy(self, direction):
        asked.append(direction)
        return maximise(self, direction)

    monkeypatch.setattr(RangeSolver, "maximise", spy)
    wide = boxes_of({0: (-models.largest_norm, models.largest_norm)})
    for feature, range_ in enumerate(known):
        assert ranges.weight_range(feature) is range_
        assert ranges.weight_range(feature, wide).low is range_.low
    assert not asked
    half = 0.5 * models.reference.weights[0] + 0.5 * known[0].low.value
    assert ranges.weight_range(0, boxes_of({0: (half, half)})).low.value == half
    assert not asked, "a weight that is given needs no program"
    ranges.weight_range(1, boxes_of({0: (half, half)}))
    assert asked


def test_members_of_many_branches_are_kept():
    models = models_of("classification", plain, "split")
    ranges, random = RestrictedRanges(models), np.random.default_rng(6)
    requests = [some_boxes(models, random) for _ in range(6)]
    first = [ranges.member(boxes) for boxes in requests]
    assert all(found.is_member for found in first)
    assert all(ranges.member(b) is found for b, found in zip(requests, first, strict=True))


def test_many_features_beyond_the_working_set():
    """Most of 60 noise features are guests: under boxes they are still found exactly."""
    random = np.random.default_rng(7)
    X = random.normal(size=(40, 60))
    target = np.where(X[:, 0] + X[:, 1] + 0.3 * random.normal(size=40) > 0, 1.0, -1.0)
    models = equivalent_models(MODELS["classification"], X, target, 0.1, 0.05)
    boxes = boxes_of({0: (0.0, 0.9 * models.reference.weights[0]), 30: (0.0, 0.0)})
    full = FullProblem(models.X.dense(), models.pieces).within(boxes)
    ranges = RestrictedRanges(models)
    for feature in (0, 1, 7, 30, 42, 59):
        found = ranges.weight_range(feature, boxes)
        expected = full.signed_interval(feature, models.budgets)
        assert (found.low.value, found.high.value) == pytest.approx(expected, abs=1e-6)


# Large sets


@pytest.mark.slow
@every_budget
@every_model
def test_large_sets_are_asked_by_other_methods_with_the_same_answers(name, budget, monkeypatch):
    models = models_of(name, plain, budget, n=60)
    found = RangeSolver(models).ranges(range(models.n_features))
    monkeypatch.setattr("allrelevant.linear.engine.ranges.solver.SIMPLEX_PIECES", 5)
    ranges, full = (
        RestrictedRanges(models, found=found),
        FullProblem(models.X.dense(), models.pieces),
    )
    size = reference_norm(models)
    random = np.random.default_rng(2)
    unused = int(np.argmin(np.abs(models.reference.weights)))
    requests = [boxes_of({unused: (0.0, 0.0)}), some_boxes(models, random)]
    for boxes in requests:
        assert ranges.member(boxes).is_member
        expected = full.within(boxes).signed_intervals(models.budgets)
        for feature in range(models.n_features):
            range_ = ranges.weight_range(feature, boxes)
            ends = (range_.low.value, range_.high.value)
            if feature not in boxes.features or boxes.low.any():
                np.testing.assert_allclose(ends, expected[feature], atol=1e-6 * size)
            else:
                assert ends == (0.0, 0.0)


@pytest.mark.parametrize("method", ["simplex", "interior"])
def test_a_forbidden_feature_adds_nothing_to_a_combination(method):
    models = models_of("classification", plain, "split", n=60)
    unused = int(np.argmin(np.abs(models.reference.weights)))
    boxes = boxes_of({unused: (0.0, 0.0)})
    assert models.within(boxes).has_reference
    solver = RangeSolver(models.within(boxes), solver=method)
    assert solver.models.boxes is None
    asked = Direction(np.array([unused, 0]), np.array([1.0, 1.0]))
    full = FullProblem(models.X.dense(), models.pieces).within(boxes)
    expected = full.signed_interval(0, models.budgets)[1]
    assert solver.maximise(asked).value == pytest.approx(expected, abs=1e-6)
