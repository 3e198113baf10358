"""The tolerance that an impossible request would take, also where bounds are far out of reach."""

import numpy as np
import pytest
from constrained_models import fitted
from estimator_cases import CASES
from sklearn.base import clone

from allrelevant import InfeasibleError, RelevanceClassifier

every_budget = pytest.mark.parametrize("budget", ["split", "joint"])
every_model = pytest.mark.parametrize("name", list(CASES))


def error_of(model, **asked):
    with pytest.raises(InfeasibleError) as caught:
        model.what_if(**asked)
    return caught.value


@pytest.mark.slow
@every_budget
@every_model
def test_far_bounds_take_tolerances_in_proportion(name, budget):
    """The farther away the weights are, the less do margins and targets matter."""
    model = fitted(name, budget)
    others = ({}, {"signs": {"age": -1, "day": 1}}, {"keep": ["girth"], "forbid": ["day"]})
    for other in others:
        shares = [
            error_of(model, bounds={"dose": (low, np.inf)}, **other).tolerance / low
            for low in (1e6, 1e9, 1e12, 1e20, 1e100, 1e300)
        ]
        np.testing.assert_allclose(shares, shares[0], rtol=1e-4)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.parametrize("low", [3.0, 90.0, 110.0, 3e3, 1e5])
def test_the_tolerance_for_a_far_bound_is_the_smallest_that_will_do(low):
    X, y = CASES["classification"].data()
    model = CASES["classification"].fitted(tolerance=0.1)
    asked = {"bounds": {3: (low, np.inf)}, "signs": {0: -1, 3: -1}}
    error = error_of(model, **asked)
    assert error.constraints == (f"{low:g} ≤ relevance of 'x3' ≤ inf",)
    enough = clone(model).set_params(tolerance=1.001 * error.tolerance).fit(X, y)
    assert enough.what_if(**asked).intervals[3, 0] == pytest.approx(low, rel=1e-6)
    error_of(clone(model).set_params(tolerance=0.99 * error.tolerance).fit(X, y), **asked)


@pytest.mark.parametrize("low", [10.0, 1000.0])
def test_what_is_far_beyond_a_joint_budget_can_be_told(low):
    """Bounds on weights that follow from narrow budgets are in the way of weights far beyond."""
    random = np.random.default_rng(19)
    X = random.normal(size=(34, 2))
    y = X.sum(axis=1) > 0
    X = np.column_stack([X, X[:, 1]]) * [10.0, 1000.0, 1000.0]
    model = RelevanceClassifier(
        C=100.0, tolerance=0.1, budget="joint", standardize=False, n_probes=3, random_state=0
    ).fit(X, y)
    error = error_of(model, bounds={1: (low, np.inf)}, signs={0: -1, 1: 1})
    assert error.constraints == ("weight of 'x0' ≤ 0",)
    # The copies cancel one another, at the price of twice the bound.
    alone = error_of(model, signs={0: -1}).tolerance
    assert error.tolerance == pytest.approx(alone + 2.0 * low, rel=0.01)


def test_what_no_number_can_say_is_infinite():
    error = error_of(fitted("regression"), bounds={"room": (1.7e308, np.inf)})
    assert error.tolerance == np.inf
    assert str(error).endswith("No tolerance is large enough.")


@pytest.mark.parametrize("other", [{"signs": {"room": 1}}, {"keep": ["room"]}])
def test_what_is_out_of_reach_is_no_contradiction(other):
    model = fitted("classification")
    error = error_of(model, bounds={"room": (2.0, np.inf)}, **other)
    assert error.constraints == ("2 ≤ relevance of 'room' ≤ inf",)
    alone = error_of(model, bounds={"room": (2.0, np.inf)}).tolerance
    assert alone <= error.tolerance < 100.0


def test_a_weight_can_get_far_without_any_error():
    """Where the baseline has no loss its norm still grows with the tolerance."""
    y = np.arange(20) % 2
    X = np.column_stack([2.0 * y - 1.0, 2.0 * y - 1.0])
    settings = {"C": 10.0, "standardize": False, "n_probes": 3, "random_state": 0}
    model = RelevanceClassifier(tolerance=0.1, **settings).fit(X, y)
    asked = {"bounds": {1: (1e4, np.inf)}, "signs": {1: 1}}
    assert error_of(model, **asked).tolerance == pytest.approx(9999.0, rel=1e-6)
    wider = RelevanceClassifier(tolerance=9999.5, **settings).fit(X, y)
    assert wider.what_if(**asked).intervals[1, 0] == pytest.approx(1e4)
    backwards = {"bounds": {1: (1e4, np.inf)}, "signs": {0: -1, 1: -1}}
    assert "makes no error" in str(error_of(model, **backwards))
