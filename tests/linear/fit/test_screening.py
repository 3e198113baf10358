"""Very many features: bounds where they are enough, and the same answer as without them."""

import numpy as np
import pytest

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.linear.engine.ranges.screening import ScreeningSolver
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit import screening
from allrelevant.results.relevance import RelevanceResult

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning"),
]

N, D = 80, 300


def data(seed):
    """Two features that matter, three copies of one that does, and noise of several shapes."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(N, D))
    X[:, 2:5] = X[:, [2]] + 0.2 * random.normal(size=(N, 3))
    X[:, 100:200] = X[:, 100:200] > 1.0
    X[:, 290:] = random.exponential(size=(N, 10))
    return X, X[:, 0] - X[:, 1] + X[:, 2] + 0.3 * random.normal(size=N)


def fitted(kind, seed, many):
    X, score = data(seed)
    target = score if kind is RelevanceRegressor else np.where(score > 0, "yes", "no")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screening, "_MANY", many)
        more = {"epsilon": 0.1} if kind is RelevanceRegressor else {}
        return kind(random_state=0, **more).fit(X, target)


@pytest.fixture(
    scope="module",
    params=[(RelevanceClassifier, 1), (RelevanceRegressor, 5)],
    ids=["two classes", "numbers"],
)
def both(request):
    """The same fit with bounds and without."""
    return [fitted(*request.param, many) for many in (100, 10**6)]


def test_the_answer_is_that_of_the_full_computation(both):
    some, full = both
    assert full.result_.is_bound.size == 0
    screened = np.array([one.is_screened for one in some.ranges_])
    assert screened.sum() > D // 2
    np.testing.assert_array_equal(some.relevance_classes_, full.relevance_classes_)
    np.testing.assert_array_equal(some.borderline_, full.borderline_)
    mine, its = some.fitted_set_.analysis, full.fitted_set_.analysis
    assert mine.tail.start == pytest.approx(its.tail.start, rel=1e-6)
    assert mine.tail.excess == pytest.approx(its.tail.excess, rel=1e-6)
    np.testing.assert_allclose(mine.classes.upper, its.classes.upper, rtol=1e-6)
    # In the tail all p-values and q-values are those of the full computation; others are no smaller
    # than where it begins.
    far = its.intervals[:, 1] / its.tail.usual(its.shapes) > its.tail.start
    assert not screened[far].any()
    np.testing.assert_allclose(some.p_values_[far], full.p_values_[far], rtol=1e-5)
    by_reach, _ = mine.tail.p_values(mine.intervals[:, 1], mine.shapes)
    assert by_reach[~far].min() >= its.tail.share
    np.testing.assert_allclose(
        np.minimum(some.q_values_[far], 0.5), np.minimum(full.q_values_[far], 0.5), rtol=1e-5
    )


def test_bounds_are_bounds_and_the_rest_is_exact(both):
    some, full = both
    screened = np.array([one.is_screened for one in some.ranges_])
    np.testing.assert_allclose(some.intervals_[~screened], full.intervals_[~screened], atol=1e-6)
    assert (some.intervals_[screened, 1] >= full.intervals_[screened, 1] - 1e-7).all()
    assert (some.intervals_[screened, 0] == 0.0).all()
    relevant = full.relevance_classes_ > 0
    assert relevant.any()
    assert not some.result_.is_bound[relevant].any()
    np.testing.assert_allclose(
        some.signed_intervals_[relevant], full.signed_intervals_[relevant], atol=1e-6
    )
    low, high = some.signed_intervals_.T
    assert (low <= full.signed_intervals_[:, 0] + 1e-7).all()
    assert (high >= full.signed_intervals_[:, 1] - 1e-7).all()


def test_multipliers_of_a_few_bound_all_others(both):
    """The rule itself: what one program's multipliers say holds for every weight."""
    _, full = both
    models = full.equivalent_models_
    solver = ScreeningSolver(models)
    solver.ask(solver.screening_question(7, 0.0))
    for feature in (0, 40, 120):
        solver.ask(solver.screening_question(feature, 0.5 * full.ranges_[feature].relevance[1]))
    down, up = solver._bounds()
    ends = np.array([(one.low.value, one.high.value) for one in full.ranges_])
    room = 10.0 * models.accuracy
    assert (ends[:, 1] <= up + room).all()
    assert (-ends[:, 0] <= down + room).all()
    assert np.median(up / ends[:, 1]) < 2.0


def test_bounds_are_shown_as_bounds(both):
    some, full = both
    result = some.result_
    n = int(result.is_bound.sum())
    assert n > D // 2
    frame = result.to_frame()
    np.testing.assert_array_equal(frame["is_bound"], result.is_bound)
    assert "is_bound" not in full.result_.to_frame()
    again = RelevanceResult.from_json(result.to_json())
    np.testing.assert_array_equal(again.is_bound, result.is_bound)
    assert f"the exact maximum of these {n} features is smaller" in repr(result)
    assert "≤" not in repr(full.result_)
    first = result.order[:20]
    assert repr(result).count("≤0.") == result.is_bound[first].sum()
    assert f"the exact maximum of these {n} features is smaller" in result._repr_html_()


def test_a_question_solves_what_it_needs(both):
    some, full = both
    k = int(np.flatnonzero([one.is_screened for one in some.ranges_])[0])
    exact = RangeSolver(full.equivalent_models_).weight_range(k).relevance[1]
    model = some.witness(k, "max")
    share = exact / full.result_.baseline["norm"]
    assert abs(model.weights_[k]) == pytest.approx(share, abs=1e-6)
    free = next(some.what_if_stream(order=[k], forbid=[some.result_.names[9]]))
    assert free.relevance[1] <= share + 1e-6
