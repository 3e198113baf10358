"""What a fit leaves behind: one object that questions take, copies share, and pickles keep."""

import copy
import pickle
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case
from sklearn.base import clone

from allrelevant import RelevanceClassifier
from allrelevant.base.progress import Progress
from allrelevant.linear.estimators.base import RelevanceEstimator
from allrelevant.linear.questions import FittedSet
from allrelevant.linear.questions.predictions.ranges import find_prediction_range
from allrelevant.linear.questions.sets.groups import find_groups
from allrelevant.linear.questions.sets.substitutes import find_substitutes
from allrelevant.linear.questions.what_if.what_if import find_what_if, stream_what_if
from allrelevant.linear.questions.what_if.witness import find_witness
from allrelevant.results.relevance import RelevanceResult

GROUPS = {"twins": [1, 2]}
QUIETLY = {"n_jobs": None, "progress": Progress()}


def fitted(case, **parameters):
    X, y = case.data()
    return case.make(**({"tolerance": 0.1, "column_groups": GROUPS} | parameters)).fit(X, y), X, y


def assert_near(found, expected):
    np.testing.assert_allclose(found, expected, atol=1e-9)


def pickled(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.slow
@every_case
def test_questions_are_functions_of_it(case):
    model, X, _ = fitted(case)
    own = model.fitted_set_
    assert isinstance(own, FittedSet)
    assert find_witness(own, 1, "max").to_dict() == model.witness(1, "max").to_dict()
    ranges = find_prediction_range(own, X[:5], n_jobs=1, progress=Progress())
    expected = model.prediction_range(X[:5])
    assert_near(ranges.low, expected.low)
    assert_near(ranges.high, expected.high)
    assert ranges.to_dict().keys() == expected.to_dict().keys()
    found, expected = find_what_if(own, **QUIETLY, forbid=[3]), model.what_if(forbid=[3])
    assert_near(found.intervals, expected.intervals)
    (answer,) = stream_what_if(own, [1], forbid=[3])
    assert answer.position == 1
    assert_near(answer.relevance, expected.intervals[1])
    assert find_groups(own, progress=Progress()).members == model.groups().members
    assert (
        find_substitutes(own, "twins", time_limit=60.0, **QUIETLY).stand_ins
        == model.substitutes("twins").stand_ins
    )


@pytest.mark.slow
@every_case
def test_people_read_the_same_off_the_estimator(case):
    model, X, y = fitted(case)
    own = model.fitted_set_
    assert model.result_ is own.result
    assert model.equivalent_models_ is own.models
    assert model.ranges_ is own.ranges
    assert own.features.names == model.result_.names
    baseline = own.analysis.baseline
    for name, value in own.parameters(baseline.weights, baseline.offsets).items():
        np.testing.assert_array_equal(getattr(model, name), value)
    np.testing.assert_array_equal(
        own.decoder.predict(model, own.columns.table(X)), model.predict(X)
    )
    assert own.decoder.score(model, own.columns.table(X), y) == model.score(X, y)


def test_the_result_is_made_once(monkeypatch):
    """With its warnings and its features of several columns."""
    made = []
    finish = RelevanceResult.__post_init__

    def spy(self):
        made.append(self)
        finish(self)

    monkeypatch.setattr(RelevanceResult, "__post_init__", spy)
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    y = (X[:, 0] + 2.0 * random.normal(size=200) > 3.2).astype(int)
    model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0, column_groups=GROUPS)
    with pytest.warns(UserWarning, match="predictions are 0 for"):
        model.fit(X, y)
    assert made == [model.result_]
    assert any("predictions are 0 for" in warning for warning in model.result_.warnings)
    assert list(model.result_.columns) == ["twins"]


@pytest.mark.slow
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_copies_have_a_solver_of_their_own(again):
    own = fitted(CASES["classification"])[0].fitted_set_
    expected = find_what_if(own, **QUIETLY, forbid=[3])
    assert own.solver is own.solver, "it is kept"
    other = again(own)
    assert "solver" not in vars(other)
    assert_near(find_what_if(other, **QUIETLY, forbid=[3]).intervals, expected.intervals)
    assert other.solver is not own.solver


def test_a_shallow_copy_shares_the_rest():
    own = fitted(CASES["classification"])[0].fitted_set_
    other = copy.copy(own)
    assert other.models is own.models
    assert other.result is own.result


def test_estimators_need_no_special_case():
    """They pickle, copy and clone as scikit-learn's do, also after questions that warm a solver."""
    named = ("__getstate__", "__setstate__", "__reduce__", "__copy__", "__deepcopy__")
    ours = [c for c in RelevanceEstimator.__mro__ if c.__module__.startswith("allrelevant")]
    assert not [name for each in ours for name in named if name in vars(each)]
    model, X, _ = fitted(CASES["classification"])
    expected = model.what_if(forbid=[3])
    for other in (pickled(model), copy.deepcopy(model)):
        assert_near(other.what_if(forbid=[3]).intervals, expected.intervals)
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
    assert not hasattr(clone(model), "fitted_set_")


@pytest.mark.slow
def test_a_new_fit_brings_a_new_one():
    model, X, y = fitted(CASES["classification"])
    before = model.fitted_set_
    model.fit(X, y)
    assert model.fitted_set_ is not before


@pytest.mark.filterwarnings(
    "ignore:the privileged features explain the slacks no better:UserWarning",
    "ignore:X does not have valid feature names:UserWarning",
)
def test_a_witness_checks_data_as_the_estimator_does():
    X, y = CASES["classification"].data()
    frame = pd.DataFrame(X, columns=list("abcde")).assign(later=np.abs(X[:, 0]))
    model = CASES["classification"].make(privileged=["later"]).fit(frame, y)
    witness = model.witness("a", "max")
    np.testing.assert_array_equal(
        witness.predict(frame), witness.predict(frame.drop(columns="later"))
    )
    messages = []
    for each in (model, witness):
        with pytest.raises(ValueError, match="is expecting 5 features") as caught:
            each.predict(X[:, :2])
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_a_reject_label_can_be_changed_without_a_new_fit():
    model, X, _ = fitted(CASES["reject"])
    rejected = model.rejected(X)
    model.set_params(reject_label=-9, reject_threshold=1e9)
    assert (model.predict(X) == -9).all()
    assert not rejected.all()


@pytest.mark.slow
def test_questions_follow_a_changed_reject_label_and_threshold_as_predictions_do():
    model, X, _ = fitted(CASES["reject"])
    before = model.prediction_range(X)
    assert not before.can_be("reject").all()
    model.set_params(reject_label=-9, reject_threshold=1e9)
    found = model.prediction_range(X)
    assert found.outcomes[1] == -9
    assert found.can_be(-9).all()
    assert found.settled.all()
    witness = model.witness(0, "max")
    assert (witness.predict(X) == -9).all()
    model.set_params(reject_label=None, reject_threshold=None)
    np.testing.assert_array_equal(model.prediction_range(X).allowed, before.allowed)


@pytest.mark.slow
def test_copies_may_be_asked_by_several_threads_at_once():
    """They share a solver, which answers one asker at a time."""
    model, _, _ = fitted(CASES["classification"])
    questions = [
        {"forbid": [3]},
        {"forbid": [2]},
        {"keep": ["x1"]},
        {"bounds": {"x1": (0.0, 0.05)}},
    ]
    expected = [copy.deepcopy(model).what_if(**asked).intervals for asked in questions]
    inside = []
    ranges = model.fitted_set_.solver.ranges
    genuine = ranges.weight_range

    def watched(*args):
        inside.append(1)
        assert len(inside) == 1, "two are in it at once"
        time.sleep(0.001)
        try:
            return genuine(*args)
        finally:
            inside.pop()

    ranges.weight_range = watched

    def ask(k):
        each = copy.copy(model)
        return [each.what_if(**questions[k]).intervals for _ in range(5)]

    with ThreadPoolExecutor(4) as pool:
        for k, answers in enumerate(pool.map(ask, range(4))):
            for answer in answers:
                np.testing.assert_allclose(answer, expected[k], atol=1e-8)


@pytest.mark.slow
@every_case
def test_groups_are_of_features(case):
    model, _, _ = fitted(case)
    found = model.groups()
    assert found.names == model.result_.names
    assert (found.labels > 0).tolist() == (model.result_.classes > 0).tolist()
    assert set(found.leaves) == {*model.result_.strong, *model.result_.weak}
