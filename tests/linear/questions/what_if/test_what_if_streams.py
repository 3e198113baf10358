"""Streams of what-if questions, and what asking does to an estimator."""

import pickle
from copy import copy

import numpy as np
import pytest
from constrained_models import fitted
from estimator_cases import CASES
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from allrelevant import InfeasibleError, RelevanceClassifier

# Streams


def test_a_stream_gives_the_same_one_by_one():
    model = fitted("classification")
    asked = {"forbid": ["day"], "bounds": {"dose": (0.1, 0.3)}}
    found = model.what_if(**asked)
    seen = list(model.what_if_stream(["room", 0, "dose"], **asked))
    assert [one.position for one in seen] == [3, 0, 1]
    for one in seen:
        k = one.position
        assert one.relevance == pytest.approx(found.intervals[k].tolist(), abs=1e-9)
        assert one.signed == pytest.approx(found.signed_intervals[k].tolist(), abs=1e-9)
        assert one.columns == [one.signed]
        assert one.label == found.classes[k]
    assert [one.position for one in model.what_if_stream(**asked)] == list(range(5))


def test_what_every_model_left_needs_is_strong_though_none_makes_much_of_it():
    model = CASES["regression"].fitted(tolerance=0.6)
    assert model.result_.class_names[0] == "strong"
    asked = {"bounds": {0: (0, 0.3)}}
    found = model.what_if(**asked)
    low, high = found.intervals[0]
    assert 0 < low < high < model.result_.upper_thresholds[0]
    assert found.class_names[0] == "strong"
    assert next(model.what_if_stream([0], **asked)).label == found.classes[0]


def test_a_stream_can_be_left_and_the_next_request_is_right():
    model = copy(fitted("classification"))
    stream = model.what_if_stream(forbid=["dose"])
    next(stream)
    stream.close()
    found = model.what_if(forbid=["day"]).intervals
    expected = fitted("classification").what_if(forbid=["day"]).intervals
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_two_streams_at_once_do_not_disturb_each_other():
    model = fitted("classification")
    one, other = model.what_if_stream(forbid=["dose"]), model.what_if_stream(forbid=["day"])
    mixed = [(next(one)[1], next(other)[1]) for _ in range(5)]
    for k, (of_one, of_other) in enumerate(mixed):
        assert of_one == pytest.approx(model.what_if(forbid=["dose"]).intervals[k], abs=1e-6)
        assert of_other == pytest.approx(model.what_if(forbid=["day"]).intervals[k], abs=1e-6)


def test_a_stream_refuses_what_what_if_refuses():
    model = fitted("classification")
    with pytest.raises(ValueError, match="order names 'height'"):
        model.what_if_stream(["height"])
    for order in ("age", 3):
        with pytest.raises(ValueError, match="order must be a list of features"):
            model.what_if_stream(order)
    with pytest.raises(InfeasibleError):
        model.what_if_stream(forbid=["age"], keep=["age"])


# The estimator


def test_an_estimator_is_not_changed_by_questions():
    model = copy(fitted("classification"))
    before = model.result_
    found = model.what_if(forbid=["day"])
    assert model.result_ is before
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_allclose(again.what_if(forbid=["day"]).intervals, found.intervals, atol=1e-9)
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(model), "result_")


def test_a_new_fit_forgets_the_old_models():
    X, y = CASES["classification"].data()
    model = CASES["classification"].make(tolerance=0.1).fit(X, y)
    model.what_if(forbid=[4])
    other, labels = CASES["classification"].data(random_state=5)
    model.fit(other, labels)
    fresh = CASES["classification"].make(tolerance=0.1).fit(other, labels)
    found, expected = model.what_if(forbid=[4]), fresh.what_if(forbid=[4])
    np.testing.assert_array_equal(found.intervals, expected.intervals)


def test_a_single_feature():
    x = np.random.default_rng(0).normal(size=(40, 1))
    model = RelevanceClassifier(C=1.0, n_probes=3, tolerance=0.1, random_state=0)
    model.fit(x, np.sign(x[:, 0] + 0.3))
    low, high = model.intervals_[0]
    middle = (low + high) / 2
    found = model.what_if(bounds={0: (0.0, middle)})
    np.testing.assert_allclose(found.intervals, [[low, middle]], atol=1e-6)
    with pytest.raises(InfeasibleError) as caught:
        model.what_if(forbid=[0])
    assert caught.value.constraints == ("forbid 'x0'",)


def test_where_nothing_was_learned_there_is_nothing_to_ask():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    with pytest.raises(ValueError, match=r"no learnable signal: .* no model to put"):
        model.what_if(forbid=[0])
    with pytest.raises(ValueError, match="no learnable signal"):
        model.substitutes(0)
    assert model.groups().labels.tolist() == [0, 0]


def test_questions_need_a_fit():
    for ask in (
        lambda m: m.what_if(),
        lambda m: next(m.what_if_stream()),
        lambda m: m.groups(),
        lambda m: m.substitutes(0),
    ):
        with pytest.raises(NotFittedError):
            ask(RelevanceClassifier())
