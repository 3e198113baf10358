"""Costs of features of one column or several, against all choices of them."""

from itertools import product

import numpy as np
import pytest
from constrained_models import fitted, grouped
from estimator_cases import CASES
from every_model import EveryModel
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant import RelevanceClassifier
from allrelevant.linear.questions.sets.costs import check_costs

SOME = st.sampled_from([0.0, 0.5, 1.0, 2.5, 100.0])


def least_cost(model, items, costs):
    """What the cheapest items cost whose columns hold an equivalent model, by trying them all."""
    every, d = EveryModel(model.equivalent_models_), model.n_features_in_
    found = np.inf
    for chosen in product([False, True], repeat=len(items)):
        columns = [k for item, taken in zip(items, chosen, strict=True) if taken for k in item]
        if every.holds(np.isin(np.arange(d), columns)):
            found = min(found, np.asarray(costs)[list(chosen)].sum())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@given(st.lists(SOME, min_size=3, max_size=3))
@settings(derandomize=True, deadline=None, max_examples=6)
def test_a_group_is_paid_for_once(name, costs):
    model = grouped(name)
    found = model.cheapest_set(dict(zip(["age", "copies", "noise"], costs, strict=True)))
    assert found.cost == pytest.approx(least_cost(model, [[0], [1, 2], [3, 4]], costs))
    assert found.is_optimal
    assert set(found.model.features_) <= set(found.features)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_category_counts_once(name):
    model = grouped(name)
    sets = model.smallest_sets()
    items = {"age": [0], "copies": [1, 2], "noise": [3, 4]}
    assert sets.is_exhaustive
    assert len(sets[0]) == sets[0].cost == least_cost(model, list(items.values()), [1, 1, 1])
    every = EveryModel(model.equivalent_models_)
    for found in sets:
        assert every.holds(np.isin(np.arange(5), [k for own in found for k in items[own]]))
        for spared in found:
            fewer = [k for own in found if own != spared for k in items[own]]
            assert not every.holds(np.isin(np.arange(5), fewer))


def overlapping(seed, d=9):
    """Features that are noisy sums of three others, three columns to a group."""
    random = np.random.default_rng(seed)
    hidden = random.normal(size=(40, 3))
    X = hidden @ random.normal(size=(3, d)) + 0.4 * random.normal(size=(40, d))
    y = np.sign(hidden @ [1.0, -1.0, 0.5] + 0.3 * random.normal(size=40))
    groups = {"first": [0, 4, 8], "second": [1, 2, 3], "third": [5, 6, 7]}
    model = RelevanceClassifier(
        C=1.0, tolerance=0.15, n_probes=3, random_state=0, column_groups=groups
    )
    return model.fit(X, y), groups


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize("seed", range(4))
def test_groups_that_overlap_in_what_they_tell(seed):
    model, groups = overlapping(seed)
    one, two, three = groups.values()
    found = model.cheapest_set({"first": 3.0, "second": 2.0, "third": 2.5})
    assert found.cost == pytest.approx(least_cost(model, [one, two, three], [3.0, 2.0, 2.5]))
    # What has no name costs 1, a group as a whole, too.
    assert model.cheapest_set().cost == least_cost(model, [one, two, three], [1, 1, 1])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_without_a_forbidden_column_the_rest_of_its_group_still_costs_the_same():
    model, groups = overlapping(0)
    _, two, three = groups.values()
    found = model.cheapest_set({"first": 0.5}, forbid=["x4"])
    assert found.cost == least_cost(model, [[0, 8], two, three], [0.5, 1.0, 1.0])
    assert found.model.weights_[4] == 0.0


@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_what_was_found_when_time_is_up_has_its_cost_by_groups(monkeypatch):
    model, groups = overlapping(0)
    monkeypatch.setattr(
        "allrelevant.linear.questions.sets.hitting.time.monotonic", iter(range(9999)).__next__
    )
    found = model.cheapest_set({"first": 3.0}, time_limit=0.5)
    assert set(found) <= set(groups)
    assert found.cost == sum(3.0 if group == "first" else 1.0 for group in found)
    assert 0 <= found.bound <= found.cost


def test_costs_by_name_and_position():
    known = check_costs(fitted("classification").fitted_set_.features, {"dose": 4, -1: 0}, 2.5)
    assert known.tolist() == [2.5, 4.0, 2.5, 2.5, 0.0]
    known = check_costs(grouped("classification").fitted_set_.features, {1: 4}, 2.5)
    assert known.tolist() == [2.5, 4.0, 2.5], "positions are those of features"


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ({"dose": 2}, "names 'dose', a column of 'copies', which is paid for once"),
        ({1: 1, "copies": 2}, "names one feature twice: 1 and 'copies'"),
        ({"copies": -1}, "the cost of 'copies' must be"),
        ({"nobody": 1}, "costs names 'nobody', which is not a feature: give a position or one of"),
        ({"copy": 1}, "costs names 'copy', which is not a feature: did you mean 'copies'?"),
        ([1, 2], "costs must map features to numbers"),
    ],
)
def test_costs_that_say_nothing(costs, said):
    with pytest.raises(ValueError, match=said):
        grouped("classification").cheapest_set(costs)
