"""Ends that decide no relevance: left open by a fit, and exact for whoever reads them."""

import pickle
from copy import copy

import numpy as np
import pytest
from helpers import oracle_ends

from allrelevant import RelevanceClassifier, RelevanceRegressor, load
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.ranges.other_ends import open_ends
from allrelevant.results.relevance import RelevanceResult

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning"),
]


def data(seed=0, n=60, d=20):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    return X, X[:, 0] + 0.5 * X[:, 1] + 0.5 * random.normal(size=n)


def fit(kind=RelevanceClassifier, seed=0, **more):
    X, score = data(seed)
    target = score if kind is RelevanceRegressor else np.where(score > 0, "yes", "no")
    settings = {
        "C": 0.3 if kind is RelevanceClassifier else 0.05,
        "tolerance": 0.1,
        "n_probes": 10,
        "random_state": 0,
        **more,
    }
    return kind(**settings).fit(X, target)


def n_open(model):
    return len(open_ends(model.fitted_set_.found_ranges))


@pytest.fixture
def model():
    return fit()


@pytest.mark.parametrize("kind", [RelevanceClassifier, RelevanceRegressor])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_is_read_is_what_full_programs_say(kind, seed):
    model = fit(kind, seed)
    assert n_open(model) >= 5
    ends, _ = oracle_ends(model.equivalent_models_)
    expected = ends / model.result_.baseline["norm"]
    np.testing.assert_allclose(model.signed_intervals_, expected, atol=1e-6)
    np.testing.assert_allclose(model.result_.signed_intervals, expected, atol=1e-6)
    assert not any(one.is_bound for one in model.ranges_)
    reach = np.abs(expected).max(axis=1)
    np.testing.assert_allclose(model.intervals_[:, 1], reach, atol=1e-6)


def test_a_fit_solves_no_open_end(monkeypatch, model):
    asked = []
    settle = RangeSolver._settled
    monkeypatch.setattr(
        RangeSolver, "_settled", lambda *given: asked.append(given) or settle(*given)
    )
    n = n_open(model)
    assert repr(model.result_)
    assert not asked
    assert model.result_.signed_intervals.shape == (20, 2)
    assert len(asked) == n
    # Table, estimator and JSON read what is known by then.
    assert model.signed_intervals_.shape == (20, 2)
    assert model.result_.to_json()
    assert len(asked) == n


def test_an_open_end_is_no_bound_to_anybody(model):
    assert n_open(model)
    assert model.result_.is_bound.size == 0
    assert "is_bound" not in model.to_frame()
    assert not model.result_.signed_intervals.flags.writeable


def test_results_go_on_with_all_ends(model):
    again = fit().result_
    copied = RelevanceResult.from_json(fit().result_.to_json())
    assert copied == again == pickle.loads(pickle.dumps(fit().result_)) == model.result_
    np.testing.assert_array_equal(copied.signed_intervals, model.signed_intervals_)


def test_files_and_pickles_know_open_ends_and_what_the_fit_had_left(model, tmp_path):
    expected = fit().signed_intervals_
    model.save(tmp_path / "saved.fit")
    for there in (load(tmp_path / "saved.fit"), pickle.loads(pickle.dumps(fit()))):
        assert not open_ends(vars(there.fitted_set_.analysis)["ranges"])  # without a program
        assert n_open(there) == n_open(model) > 0  # questions start from what the fit has solved
        np.testing.assert_allclose(there.signed_intervals_, expected, atol=1e-9)
        np.testing.assert_allclose(there.result_.signed_intervals, expected, atol=1e-9)


def test_answers_do_not_depend_on_what_was_read(model):
    read = fit()
    assert read.signed_intervals_.size
    for k in range(4):
        for bound in ("min", "max"):
            one, other = model.witness(k, bound), read.witness(k, bound)
            np.testing.assert_array_equal(one.coef_, other.coef_)
    mine, its = model.what_if(forbid=[1]), read.what_if(forbid=[1])
    np.testing.assert_array_equal(mine.signed_intervals, its.signed_intervals)


def test_columns_of_one_feature_have_both_ends():
    groups = [[2, 3, 4], *([k] for k in (0, 1, *range(5, 20)))]
    model = fit(column_groups={"three": groups[0]})
    ranges = model.fitted_set_.found_ranges
    assert not any(ranges[k].is_bound for k in groups[0])
    assert n_open(model)
    own = model.result_.columns["three"]["signed_intervals"]
    np.testing.assert_allclose(own, model.signed_intervals_[groups[0]], atol=1e-9)


def test_an_end_that_cannot_be_proven_is_told_to_be_a_bound(monkeypatch, model):
    monkeypatch.setattr("allrelevant.linear.engine.program.optimum.Candidate.is_usable", False)
    monkeypatch.setattr("allrelevant.linear.engine.program.optimum.Candidate.is_proven", False)
    with pytest.warns(UserWarning, match="signed interval of 'x.*bound on one side"):
        found = model.result_.signed_intervals
    monkeypatch.undo()
    expected = fit().signed_intervals_
    assert (found[:, 0] <= expected[:, 0] + 1e-7).all()
    assert (found[:, 1] >= expected[:, 1] - 1e-7).all()


def test_a_tolerance_of_its_own_leaves_the_fit_alone(model):
    path = copy(model).path_over_tolerance([0.5, 1.0], features=model.result_.names)
    np.testing.assert_allclose(path.signed_intervals[1], model.signed_intervals_, atol=1e-7)
    (low, high), (lowest, highest) = (ends.T for ends in path.signed_intervals)
    assert (low >= lowest - 1e-6).all()
    assert (high <= highest + 1e-6).all()
    assert (high - low < 0.9 * (highest - lowest)).all()
