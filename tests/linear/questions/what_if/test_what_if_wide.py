"""What-if of wide tables: bounds of the fit stay bounds, and the rest is that of all programs."""

import numpy as np
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.linear.fit import screening

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning"),
]

N, D = 60, 200


def fitted(many):
    """Two features that matter, three copies of one of them, and noise."""
    random = np.random.default_rng(1)
    X = random.normal(size=(N, D))
    X[:, 2:5] = X[:, [2]] + 0.2 * random.normal(size=(N, 3))
    score = X[:, 0] - X[:, 1] + X[:, 2] + 0.3 * random.normal(size=N)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screening, "_MANY", many)
        return RelevanceClassifier(random_state=0).fit(X, score > 0)


@pytest.fixture(scope="module")
def both():
    """The same fit with bounds and without."""
    return [fitted(many) for many in (100, 10**6)]


@pytest.mark.parametrize("asked", [{"forbid": ["x2"]}, {"keep": ["x1"], "signs": {"x0": 1}}])
def test_what_is_bounded_stays_so_and_the_rest_is_that_of_all_programs(both, asked):
    some, full = (model.what_if(**asked) for model in both)
    bounded = some.only_bounded
    assert bounded.sum() > D // 2
    assert not (bounded & ~both[0].result_.only_bounded).any()
    assert not full.only_bounded.any()
    np.testing.assert_array_equal(some.classes, full.classes)
    np.testing.assert_allclose(some.intervals[~bounded], full.intervals[~bounded], atol=1e-6)
    ends = some.signed_intervals[~bounded], full.signed_intervals[~bounded]
    np.testing.assert_allclose(*ends, atol=1e-6)
    assert (full.intervals[bounded, 0] == 0.0).all()
    assert (some.intervals[bounded, 1] >= full.intervals[bounded, 1] - 1e-7).all()


def test_a_feature_with_a_bound_has_a_model_at_its_end(both):
    some, full = (model.what_if(forbid=["x2"]) for model in both)
    k = int(np.flatnonzero(some.only_bounded)[0])
    for bound, end in (("min", 0), ("max", 1)):
        model = some.witness(k, bound)
        assert abs(model.weights_[k]) == pytest.approx(full.intervals[k, end], abs=1e-6)
        assert model.weights_[2] == 0.0


def test_what_is_asked_about_is_solved_for(both):
    k = int(np.flatnonzero(both[0].result_.only_bounded)[0])
    kept = both[0].what_if(bounds={k: (0.0, 0.01)})
    assert not kept.only_bounded[k]
    assert kept.intervals[k] == pytest.approx([0.0, 0.01], abs=1e-6)


@pytest.mark.parametrize("feature", ["x0", "x2"])
def test_stand_ins_are_those_of_all_programs(both, feature):
    some, full = (model.substitutes(feature) for model in both)
    assert some.stand_ins == full.stand_ins
    frames = some.to_frame(), full.to_frame()
    assert frames[0]["feature"].tolist() == frames[1]["feature"].tolist()
    numbers = [frame.drop(columns="feature").astype(float).to_numpy() for frame in frames]
    np.testing.assert_allclose(*numbers, atol=1e-5)


def test_a_search_that_has_no_time_says_that_it_found_no_short_list(both):
    found = both[0].substitutes("x2", time_limit=1e-9)
    whole = both[0].substitutes("x2")
    assert found.is_replaceable == whole.is_replaceable
    assert found.is_shortest == (len(whole.stand_ins) <= 1)
