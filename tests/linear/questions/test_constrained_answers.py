"""Groups, stand-ins, sets and witnesses under constraints against full linear programs."""

from itertools import combinations, product

import numpy as np
import pytest
from constrained_models import Constrained, fitted, grouped
from estimator_cases import CASES
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from allrelevant import InfeasibleError, RelevanceClassifier

TOLERANCE = 0.3  # with less, hardly any constraint leaves a choice
KINDS = [
    *("classification", "logistic", "reject"),
    *("regression", "quantile", "survival"),
    *("ordinal-explicit", "ordinal-implicit", "l2"),
]
every_kind = pytest.mark.parametrize("kind", KINDS)


def questions(model):
    """Constraints, and the ranges of the columns they are about, as shares."""
    intervals = model.intervals_
    first, second = np.argsort(-intervals[:, 1])[:2].tolist()
    spare = [k for k in np.argsort(intervals[:, 1]).tolist() if intervals[k, 0] == 0]
    limit, low = 0.7 * intervals[first, 1], 0.5 * intervals[second, 1]
    two = [(low, np.inf), (-np.inf, -low)]
    yield {"bounds": {first: (0.0, limit)}}, {first: [(-limit, limit)]}
    yield (
        {"bounds": {second: (low, np.inf)}, "forbid": [spare[0]]},
        {second: two, spare[0]: [(0.0, 0.0)]},
    )
    yield {"signs": {spare[0]: -1}}, {spare[0]: [(-np.inf, 0.0)]}


class Oracle:
    """What models under constraints hold, by full programs over all branches."""

    def __init__(self, model, ranges):
        self.constrained = Constrained(model, ranges)
        self.every, self.branches = self.constrained.every, self.constrained.branches()
        self.known = {}  # the same sets are asked about again and again

    def holds(self, allowed):
        key = allowed.tobytes()
        if key not in self.known:
            found = (self.every.least(self.every.cost(), allowed, more) for more in self.branches)
            self.known[key] = any(value is not None for value in found)
        return self.known[key]

    def holds_without(self, columns):
        return self.holds(~np.isin(np.arange(self.every.size[0]), columns))

    def minimal_sets(self, d, one_of=()):
        minimal, ranges = [], self.constrained.ranges
        usable = [k for k in range(d) if ranges.get(k) != [(0.0, 0.0)]]
        for size in range(d + 1):
            for chosen in combinations(usable, size):
                is_new = not any(set(known) <= set(chosen) for known in minimal)
                keeps = is_new and all(set(chosen) & set(members) for members in one_of)
                if keeps and self.holds(np.isin(np.arange(self.every.size[0]), chosen)):
                    minimal.append(chosen)
        return minimal

    def width(self, factors):
        cost = self.every.cost(factors)
        low = min(self.every.least(cost, more=more) for more in self.branches)
        return -min(self.every.least(-cost, more=more) for more in self.branches) - low

    def trade_off(self, j, k):
        units = np.eye(self.every.size[0])
        widths = self.width(units[j]), self.width(units[k])
        if min(widths) <= 1e-6:
            return 0.0
        one, other = units[j] / widths[0], units[k] / widths[1]
        ends = self.width(one + other), self.width(one - other)
        return 1.0 - min(ends) / max(ends)


@pytest.mark.slow
@every_kind
def test_sets_are_those_of_the_full_programs(kind):
    model = fitted(kind, tolerance=TOLERANCE)
    names, n_more = model.result_.names, 0
    for asked, ranges in questions(model):
        oracle = Oracle(model, ranges)
        for one_of in ([], [[3, 4], [0, 1]]):
            expected = oracle.minimal_sets(5, one_of)
            found = model.what_if(**asked).smallest_sets(100, one_of=one_of)
            assert found.is_exhaustive
            places = sorted(tuple(names.index(name) for name in one) for one in found)
            assert places == sorted(expected)
            n_more += len(expected) > 1
            for one in found:
                assert set(one.model.features_) <= set(one)
                signed = one.model.weights_
                for column, sides in ranges.items():
                    assert any(a - 1e-6 <= signed[column] <= b + 1e-6 for a, b in sides)
        costs = {"age": 3.0, "dose": 2.0, "room": 0.0}
        cheap = model.cheapest_set(costs, one_of=[["age", "day"]], **asked)
        sets = oracle.minimal_sets(5, [[0, 4]])
        prices = [sum(costs.get(names[k], 1.0) for k in own) for own in sets]
        assert cheap.cost == pytest.approx(min(prices))
        assert cheap.is_optimal
        hurried = model.cheapest_set(costs, one_of=[["age", "day"]], time_limit=1e-9, **asked)
        assert hurried.cost >= cheap.cost >= hurried.bound
        assert {"age", "day"} & set(hurried)
    assert n_more


def shortest_length(oracle, feature, d=5):
    """The fewest features that models without a feature need one of; None where there are none."""
    others = [k for k in range(d) if k != feature]
    for size in range(d):
        for chosen in combinations(others, size):
            if not oracle.holds_without([feature, *chosen]) and oracle.holds_without(chosen):
                return size
    return None


@pytest.mark.slow
@every_kind
def test_stand_ins_are_those_of_the_full_programs(kind):
    model = fitted(kind, tolerance=TOLERANCE)
    lengths = set()
    for asked, ranges in list(questions(model))[1:]:
        answer, oracle = model.what_if(**asked), Oracle(model, ranges)
        for feature in range(5):
            found = answer.substitutes(feature)
            if ranges.get(feature) == [(0.0, 0.0)]:
                assert (found.is_replaceable, found.stand_ins) == (True, ())
                continue
            expected = shortest_length(oracle, feature)
            assert found.is_replaceable == (expected != 0)
            if answer.classes[feature] or expected == 1:
                assert len(found.stand_ins) == (expected or 0)
                lengths.add(expected)
            both = Constrained(model, ranges | {feature: [(0.0, 0.0)]})
            for row in found.successors[:1]:
                k = model.result_.names.index(row.feature)
                after, before = both.intervals([k])[1][0], oracle.constrained.intervals([k])[1][0]
                np.testing.assert_allclose((row.min, row.max), after, atol=1e-6)
                np.testing.assert_allclose((row.min_before, row.max_before), before, atol=1e-6)
                assert row.trade_off == pytest.approx(oracle.trade_off(feature, k), abs=1e-6)
    assert lengths & {1, 2, 3}


@pytest.mark.slow
@every_kind
def test_groups_are_those_of_the_full_programs(kind):
    model = fitted(kind, tolerance=TOLERANCE)
    for asked, ranges in questions(model):
        answer, oracle = model.what_if(**asked), Oracle(model, ranges)
        found = answer.groups(cut=0.25)
        leaves = [model.result_.names.index(name) for name in found.leaves]
        assert leaves == np.flatnonzero(answer.classes).tolist()
        assert set(found.forbidden) == {
            model.result_.names[k] for k, sides in ranges.items() if sides == [(0.0, 0.0)]
        }
        low, high = answer.intervals[leaves].T
        spared = 1.0 - low / high
        alike = np.atleast_2d(np.abs(np.corrcoef(model.equivalent_models_.X.dense()[:, leaves].T)))
        alike = np.where(alike < 1 / 6, 0.0, alike)  # pairs that nobody is asked about
        distance = np.zeros((len(leaves), len(leaves)))
        for (j, one), (k, other) in product(enumerate(leaves), repeat=2):
            if j < k:
                traded = oracle.trade_off(one, other) * min(spared[j], spared[k])
                far = 1.0 - alike[j, k] * traded
                can = min(spared[j], spared[k]) > 1 / 6
                distance[j, k] = distance[k, j] = far if can else 1.0 + 1e-9
        if len(leaves) > 1:
            tree = hierarchy.linkage(squareform(distance), "average")
            np.testing.assert_allclose(found.linkage[:, 2], tree[:, 2], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classification", "privileged-classification"])
def test_witnesses_under_constraints_attain_the_ends(kind):
    model = fitted(kind) if kind.startswith("privileged") else fitted(kind, tolerance=TOLERANCE)
    for asked, ranges in questions(model):
        _, relevance = Constrained(model, ranges).intervals(range(len(model.result_.names)))
        for j, ends in enumerate(relevance):
            for bound, end in zip(("min", "max"), ends, strict=True):
                found = model.witness(j, bound, **asked)
                assert abs(found.weights_[j]) == pytest.approx(end, abs=1e-6)
                for column, sides in ranges.items():
                    weight = found.weights_[column]
                    assert any(a - 1e-6 <= weight <= b + 1e-6 for a, b in sides)


def test_witnesses_of_groups_of_columns_and_of_single_ones():
    model = grouped("classification")
    after = model.what_if(forbid=["dose"])
    for bound, end in zip(("min", "max"), after.intervals[1], strict=True):
        found = model.witness("copies", bound, forbid=["dose"])
        assert np.abs(found.weights_[1:3]).sum() == pytest.approx(end, abs=1e-6)
        assert found.weights_[1] == 0.0
    assert model.witness("girth", "max", forbid=["dose"]).weights_[2] == pytest.approx(
        after.witness("girth", "max").weights_[2], abs=1e-6
    )
    sets = model.smallest_sets(forbid=["dose"], one_of=[["noise"]])
    assert all("noise" in one and "dose" not in one.model.features_ for one in sets)


@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_what_is_kept_is_in_every_set_and_what_no_model_does_is_refused():
    model = fitted("classification", tolerance=TOLERANCE)
    assert all("room" in one for one in model.smallest_sets(bounds={"room": (0.1, 1)}))
    assert all("room" in one for one in model.smallest_sets(one_of=[["room"]]))
    assert "age" in model.cheapest_set({"age": 100.0}, keep=["age"])
    for ask in (model.groups, model.smallest_sets, model.cheapest_set):
        with pytest.raises(InfeasibleError, match="contradiction"):
            ask(forbid=["age"], keep=["age"])
    with pytest.raises(InfeasibleError, match="contradiction"):
        model.substitutes("room", forbid=["age"], keep=["age"])
    assert not model.substitutes("room", bounds={"room": (0.1, 1)}).is_replaceable
    with pytest.raises(InfeasibleError, match="no model that is left can use one of 'room'"):
        model.smallest_sets(forbid=["room"], one_of=[["room"]])
    with pytest.raises(ValueError, match="each part of one_of must be a list of features"):
        model.smallest_sets(one_of=["room"])
    with pytest.raises(TypeError):
        model.smallest_sets(without=["room"])


def test_a_constant_does_without_whatever_is_forbidden():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    assert model.smallest_sets(forbid=[0])[0].features == ()
    assert model.witness(0, forbid=[1]).features_ == ()
    assert len(model.prediction_range(X, forbid=[0])) == 40
    for asked in ({"keep": [0]}, {"one_of": [[0]]}):
        with pytest.raises(ValueError, match="there is no model to put constraints on"):
            model.smallest_sets(**asked)


@pytest.mark.slow
def test_classes_without_an_order_can_forbid_and_list():
    X, _ = CASES["classification"].data()
    model = RelevanceClassifier(C=1.0, tolerance=TOLERANCE, n_probes=3, random_state=0)
    model.fit(X, np.digitize(X[:, 0] + 0.3 * X[:, 1], [-0.5, 0.5]))
    assert all("x1" not in one for one in model.smallest_sets(forbid=["x1"]))
    assert "x1" not in model.witness("x0", "max", forbid=["x1"]).features_
