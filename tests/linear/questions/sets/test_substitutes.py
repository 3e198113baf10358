"""What takes a feature's place, against all subsets of features."""

import json
import pickle
from dataclasses import FrozenInstanceError, replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained, fitted
from estimator_cases import CASES
from every_model import EveryModel

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.linear.questions import Substitutes
from allrelevant.linear.questions.sets.trade_offs import TradeOffs

KINDS = {"classification": RelevanceClassifier, "regression": RelevanceRegressor}


def redundant(seed, task="classification", d=6, n=50, **more):
    """Features that are noisy copies of two or three others."""
    random = np.random.default_rng(seed)
    hidden = random.normal(size=(n, 3))
    X = hidden[:, np.arange(d) % 3] + 0.25 * random.normal(size=(n, d))
    score = hidden @ [1.0, -1.0, 0.2] + 0.5 * random.normal(size=n)
    own = {"epsilon": 0.1} if task == "regression" else {"class_weight": None}
    common = {"C": 1.0, "n_probes": 6, "confidence": 0.9, "tolerance": 0.1, "random_state": 0}
    model = KINDS[task](**common, **own, **more)
    return model.fit(X, score if task == "regression" else np.sign(score))


def shortest_length(model, columns):
    """How many features it takes, by trying them all; None where there is no such list.

    Every model without the feature uses one of the list, and some model uses none of it.
    """
    every = EveryModel(model.equivalent_models_)
    others = [own for own in model.fitted_set_.features.places if not set(own) <= set(columns)]

    def holds(without):
        allowed = np.ones(every.size[0], dtype=bool)
        allowed[list(without)] = False
        return every.holds(allowed)

    for size in range(len(others) + 1):
        for chosen in combinations(others, size):
            without = [k for own in chosen for k in own]
            if not holds([*columns, *without]) and holds(without):
                return size
    return None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize("task", KINDS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_list_is_the_shortest_there_is(seed, task):
    model = redundant(seed, task)
    every = EveryModel(model.equivalent_models_)
    lengths = set()
    for feature, label in enumerate(model.relevance_classes_):
        found = model.substitutes(feature)
        expected = shortest_length(model, [feature])
        if label == 0 and expected != 1:
            assert (found.is_replaceable, found.stand_ins) == (True, ())
            continue
        assert found.is_replaceable == (expected != 0)
        assert found.is_shortest
        assert len(found.stand_ins) == (expected or 0)
        lengths.add(expected)
        if found.stand_ins:
            without = [feature, *(model.result_.names.index(name) for name in found.stand_ins)]
            allowed = ~np.isin(np.arange(every.size[0]), without)
            assert not every.holds(allowed), "one of them is needed"
            allowed[feature] = True
            assert every.holds(allowed), "none of them is, with the feature"
    assert lengths & {1, 2, 3}


def test_a_twin_takes_over():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(60, 4)), columns=["age", "dose", "room", "day"])
    X.insert(1, "years", X["age"])
    model = RelevanceClassifier(C=1.0, n_probes=8, tolerance=0.05, random_state=0)
    model.fit(X, np.sign(X["age"] + X["dose"] + 0.2 * random.normal(size=60)))
    found = model.substitutes("age")
    assert found.stand_ins == ("years",)
    assert found.is_shortest
    row = found.to_frame().set_index("feature").loc["years"]
    assert row["stand_in"]
    assert row["necessary"]
    before = model.intervals_[1]
    after = model.what_if(forbid=["age"]).intervals[1]
    assert (row["min_before"], row["max_before"]) == tuple(before)
    assert (row["min"], row["max"]) == pytest.approx(tuple(after), abs=1e-9)
    assert row["rise"] == pytest.approx(after[0] - before[0])
    assert repr(found) == "instead of age equivalent models use years"
    strong = model.substitutes("dose")
    assert not strong.is_replaceable
    assert strong.stand_ins == ()
    assert strong.to_frame().empty
    assert repr(strong) == "dose is irreplaceable: no equivalent model does without it"


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_classes_say_what_to_expect(name):
    model = fitted(name)
    for feature, label in enumerate(model.relevance_classes_):
        found = model.substitutes(feature)
        assert found.feature == model.result_.names[feature]
        assert found.is_replaceable == (label < 2)
        if label == 0:
            assert len(found.stand_ins) <= 1
            assert ("nothing has to take its place" in repr(found)) == (not found.stand_ins)
        for successor in found.successors:
            assert successor.stand_in or successor.rise > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_models_of_stand_ins_do_without_the_feature(seed):
    model = redundant(seed)
    limits = model.equivalent_models_.limits
    for feature in range(model.n_features_in_):
        found = model.substitutes(feature)
        assert tuple(found.models) == found.stand_ins
        frame = found.to_frame().set_index("feature")
        for name, witness in found.models.items():
            k = model.result_.names.index(name)
            assert abs(witness.weights_[k]) == pytest.approx(frame.loc[name, "max"], abs=1e-6)
            assert witness.weights_[feature] == pytest.approx(0.0, abs=1e-6)
            assert witness.norm_ <= limits[0] * (1 + 1e-6)
            assert witness.loss_ <= limits[1] * (1 + 1e-6)


def test_what_rises_is_what_full_programs_say():
    model = redundant(1)
    feature = int(np.flatnonzero(model.relevance_classes_ == 1)[0])
    _, before = Constrained(model, {}).intervals(range(6))
    _, after = Constrained(model, {feature: [(0, 0)]}).intervals(range(6))
    risen = {model.result_.names[k] for k in np.flatnonzero(after[:, 0] - before[:, 0] > 1e-5)}
    found = model.substitutes(feature)
    assert {s.feature for s in found.successors if s.rise > 1e-5} == risen
    for successor in found.successors:
        k = model.result_.names.index(successor.feature)
        assert (successor.min, successor.max) == pytest.approx(tuple(after[k]), abs=1e-6)
        assert successor.necessary == (after[k, 0] > 1e-5)


def test_lists_longer_than_five_are_not_looked_for():
    """Seven copies: without one all six others are needed together, which is no short list."""
    random = np.random.default_rng(0)
    x = random.normal(size=(60, 1))
    y = np.sign(x[:, 0] + 0.2 * random.normal(size=60))
    model = RelevanceClassifier(C=1.0, n_probes=8, confidence=0.9, tolerance=0.05, random_state=0)
    found = model.fit(np.hstack([x] * 6), y).substitutes(0)
    assert (len(found.stand_ins), found.is_shortest) == (5, True)
    found = model.fit(np.hstack([x] * 7), y).substitutes(0)
    assert found.is_replaceable
    assert not found.is_shortest
    assert found.stand_ins == ()
    assert repr(found) == "no short list of features takes the place of x0"


@pytest.mark.slow
def test_the_other_columns_of_a_feature_take_the_place_of_one():
    """The feature of the column becomes more important: it is traded with its own others only."""
    random = np.random.default_rng(0)
    a, x = random.normal(size=(2, 200))
    b, c = a + 0.1 * random.normal(size=200), random.normal(size=200)
    columns = [a, b, c, x, random.normal(size=200)]
    X = pd.DataFrame(np.column_stack(columns), columns=["a", "b", "c", "x", "noise"])
    y = (2.0 * a + 0.5 * x + 0.3 * random.normal(size=200) > 0).astype(int)
    model = RelevanceClassifier(
        C=1.0, tolerance=0.1, n_probes=20, random_state=0, column_groups={"size": ["a", "b", "c"]}
    ).fit(X, y)
    row = next(one for one in model.substitutes("a").successors if one.feature == "size")
    ask = TradeOffs(model.equivalent_models_, model.ranges_)
    assert row.feature == "size"
    assert row.rise > 0.05
    assert row.trade_off == max(ask.between(0, 1), ask.between(0, 2))


def test_a_level_of_a_category_makes_another_one_necessary():
    """Each level of three is little by itself, and noise could do as much; two of them are not."""
    random = np.random.default_rng(0)
    level = random.integers(0, 3, size=120)
    X = np.column_stack([*(level == k for k in range(3)), random.normal(size=(120, 2))])
    y = np.sign(np.array([-1.0, 0.0, 1.0])[level] + X[:, 3] + 0.4 * random.normal(size=120))
    model = RelevanceClassifier(C=0.1, n_probes=10, tolerance=0.1, random_state=0).fit(X, y)
    otherwise = replace(model.result_, classes=[0, 0, 0, 2, 0])  # whatever probes say
    model.fitted_set_ = replace(model.fitted_set_, result=otherwise)
    found = model.substitutes(0)
    assert found.is_shortest
    assert found.stand_ins == ("x2",)
    assert found.successors[0].necessary
    assert model.what_if(forbid=[0]).intervals[2, 0] > 0.01


def test_privileged_features_are_there_with_and_without_the_feature():
    model = fitted("privileged-classification")
    for feature, label in enumerate(model.relevance_classes_):
        found = model.substitutes(feature)
        if label:
            expected = shortest_length(model, [feature])
            assert found.is_replaceable == (expected != 0)
            assert len(found.stand_ins) == (expected or 0)


def test_views():
    model = redundant(1)
    feature = int(np.flatnonzero(model.relevance_classes_ == 1)[0])
    found = model.substitutes(feature)
    document = json.loads(found.to_json())
    assert document["stand_ins"] == list(found.stand_ins)
    assert list(document["models"]) == list(found.stand_ins)
    assert pd.DataFrame(document["successors"]).equals(found.to_frame())
    again = pickle.loads(pickle.dumps(found))
    assert isinstance(again, Substitutes)
    assert again.to_json() == found.to_json()
    with pytest.raises(FrozenInstanceError):
        found.stand_ins = ()
    with pytest.raises(TypeError):
        found.models["x0"] = None
    frame = found.to_frame()
    frame["feature"] = "other"
    assert not frame.equals(found.to_frame())


def test_by_name_and_position_and_bad_names():
    model = fitted("classification")
    named, numbered = model.substitutes("dose"), model.substitutes(1)
    assert named.feature == numbered.feature == "dose"
    pd.testing.assert_frame_equal(named.to_frame(), numbered.to_frame())
    with pytest.raises(ValueError, match="feature names 'height', which is not a feature"):
        model.substitutes("height")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize(
    ("seed", "lengths"), [(11, [0, None]), (41, [1, None]), (19, [2, 2]), (29, [None, 0])]
)
def test_what_takes_the_place_of_a_group(seed, lengths):
    """None: nothing has to; 0: nothing can; two: either will do, and neither becomes necessary."""
    groups = {"pair": [0, 1], "mixed": [2, 4]}
    model = redundant(seed, d=8, column_groups=groups)
    every, names = EveryModel(model.equivalent_models_), model.result_.names
    assert [shortest_length(model, columns) for columns in groups.values()] == lengths
    for (group, columns), length in zip(groups.items(), lengths, strict=True):
        found = model.substitutes(group)
        assert found.feature == group
        assert found.is_replaceable == (length != 0)
        assert len(found.stand_ins) == (length or 0)
        assert group not in found.stand_ins
        for model_of in found.models.values():
            assert group not in model_of.features_
        if found.stand_ins:
            places = model.fitted_set_.features.columns_of
            chosen = [k for name in found.stand_ins for k in places(name)]
            without = ~np.isin(np.arange(every.size[0]), [*columns, *chosen])
            assert not every.holds(without), "one of them is needed"
            without[columns] = True
            assert every.holds(without), "none of them is, with the group"
        if found.is_replaceable:
            after = model.what_if(forbid=[group])
            for row in found.successors:
                k = names.index(row.feature)
                assert (row.min, row.max) == pytest.approx(tuple(after.intervals[k]), abs=1e-9)


@pytest.mark.slow
def test_a_group_of_noise_leaves_no_gap():
    X, y = CASES["classification"].data(n_samples=150)
    groups = {"noise": [3, 4], "needed": [0, 1, 2]}
    model = RelevanceClassifier(random_state=0, column_groups=groups).fit(X, y)
    assert model.result_.irrelevant == ("noise",)
    assert model.substitutes("noise").is_replaceable
    assert len(model.substitutes("noise").stand_ins) <= 1
    strong = model.substitutes("needed")
    assert repr(strong) == "needed is irreplaceable: no equivalent model does without it"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize("task", KINDS)
def test_successors_are_in_the_order_of_their_trade_off(task):
    model = redundant(0, task)
    ask = TradeOffs(model.equivalent_models_, model.ranges_)
    n_compared = 0
    for feature in range(model.n_features_in_):
        frame = model.substitutes(feature).to_frame()
        assert frame["trade_off"].is_monotonic_decreasing
        for name, found in zip(frame["feature"], frame["trade_off"], strict=True):
            other = model.result_.names.index(name)
            assert found == pytest.approx(ask.between(feature, other), abs=1e-6)
            n_compared += 1
    assert n_compared > 2


def test_a_group_of_columns_trades_as_its_best_column_does():
    X, y = CASES["classification"].data()
    groups = {"both": [1, 3]}
    model = CASES["classification"].make(tolerance=0.1, column_groups=groups).fit(X, y)
    ask = TradeOffs(model.equivalent_models_, model.ranges_)
    found = model.substitutes("both").successors
    assert found
    for row in found:
        k = model.result_.names.index(row.feature)
        expected = max(ask.between(1, k), ask.between(3, k))
        assert row.trade_off == pytest.approx(expected, abs=1e-6)
