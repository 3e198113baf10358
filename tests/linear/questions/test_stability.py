"""Halves are fitted as all rows were, and every estimator can be asked."""

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES
from sklearn.exceptions import NotFittedError

from allrelevant import (
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    StabilityResult,
)
from allrelevant.datasets import make_classification, make_privileged, make_regression
from allrelevant.linear.fit.halves import half_classes
from allrelevant.results.stability.ask import Half


@pytest.fixture(scope="module")
def model():
    X, y, _ = make_classification(240, n_strong=2, n_weak=2, n_irrelevant=6, random_state=0)
    return RelevanceClassifier(random_state=0).fit(X, y)


@pytest.fixture(scope="module")
def answer(model):
    return model.stability(6)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("changes", [{"C": "cv"}, {"budget": "joint"}, {"probes": "replace"}])
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_a_half_that_is_everything_gives_the_answer_of_the_fit(case, changes):
    """With the seed of the fit it has the probes of the fit, too."""
    model = case.make(n_probes=8, **changes).fit(*case.data())
    problem = model.fitted_set_.analysis.problem
    every = Half(np.arange(len(problem.sample)), seed=0)
    own = model.fitted_set_
    found = half_classes(own.analysis, own.features, own.several, every)
    assert found.tolist() == model.relevance_classes_.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_estimator_can_be_asked(case):
    model = case.fitted()
    found = model.stability(3)
    assert isinstance(found, StabilityResult)
    assert found.halves.shape == (6, 5)
    assert found.classes.tolist() == model.relevance_classes_.tolist()
    assert found.order == tuple(model.result_.order.tolist())
    assert found.frequencies.sum(axis=1) == pytest.approx(np.ones(5))
    assert found.settings["n_splits"] == 3


@pytest.mark.slow
def test_truth_is_found_by_halves(answer):
    assert answer.frequencies[:2, 2].tolist() == [1.0, 1.0]
    assert answer.selected[4:].mean() < 0.1
    assert answer.index > 0.8
    (name,) = answer.groups
    assert answer.groups[name] == (2, 3)
    assert answer.group_frequencies[name] >= answer.selected[2:4].max()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_answer(model, answer):
    assert model.stability(6) == answer
    assert model.stability(6, random_state=0) == answer


@pytest.mark.slow
def test_another_seed_draws_other_halves():
    case = CASES["classification"]
    model = case.fitted()
    found = [model.stability(6, groups=None, random_state=seed).halves for seed in (0, 1)]
    assert not np.array_equal(*found)


@pytest.mark.slow
def test_processes_make_no_difference(model, answer):
    try:
        assert model.set_params(n_jobs=2).stability(6).halves.tolist() == answer.halves.tolist()
    finally:
        model.set_params(n_jobs=None)


@pytest.mark.slow
def test_loss_weighs_as_much_as_in_the_fit(model, monkeypatch):
    """C times the rows is the same for half of them."""
    seen = []
    path = type(model.fitted_set_.analysis.problem).path

    def spy(problem, start=None):
        found = path(problem, start)
        solve = found.solve
        found.solve = lambda C, *rest: seen.append((C, len(problem.sample))) or solve(C, *rest)
        return found

    monkeypatch.setattr(type(model.fitted_set_.analysis.problem), "path", spy)
    model.stability(2, groups=None)
    assert len(seen) == 4
    assert [C * n for C, n in seen] == pytest.approx([model.C_ * 240] * 4)


def test_halves_have_scales_of_their_own():
    """A column that is constant in a half has nothing to say there."""
    X, y, _ = make_regression(60, n_strong=2, n_weak=0, n_irrelevant=0, random_state=0)
    X = np.column_stack([X, np.arange(60) == 7])
    model = RelevanceRegressor(random_state=0, n_probes=10, C=1.0).fit(X, y)
    problem = model.fitted_set_.analysis.problem
    rare = problem.sample.X.dense()[:, 2]
    rows = np.flatnonzero(rare < rare.max())[:30]
    for standardize in (True, False):
        own = model.fitted_set_
        found = half_classes(own.analysis, own.features, {}, Half(rows, 0), standardize)
        assert found[2] == 0


@pytest.mark.slow
def test_nothing_learnable_is_asked_all_the_same():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(random_state=0).fit(X, y)
    assert model.equivalent_models_ is None
    found = model.stability(3)
    assert found.halves.shape == (6, 4)
    assert found.groups == {}
    assert found.selected.mean() < 0.2


def test_rows_of_a_group_stay_together(model, monkeypatch):
    group = np.arange(240) // 4
    sample = model.fitted_set_.analysis.problem.sample
    seen = []
    monkeypatch.setattr(
        "allrelevant.linear.questions.stability.half_classes",
        lambda *about, **_: seen.append(about[-1].rows) or np.zeros(10, dtype=int),
    )
    object.__setattr__(sample, "group", group)
    try:
        model.stability(2, groups=None)
    finally:
        object.__setattr__(sample, "group", None)
    assert not set(group[seen[0]]) & set(group[seen[1]])


@pytest.mark.slow
def test_privileged_features_are_learned_from():
    X, extra, y, _, _ = make_privileged("ordinal", 120, random_state=0)
    model = OrdinalRelevanceClassifier(random_state=0, n_probes=8).fit(X, y, X_privileged=extra)
    assert model.fitted_set_.analysis.problem.n_privileged
    found = model.stability(2)
    assert found.names == model.result_.names
    assert found.halves.shape == (4, X.shape[1])
    assert found.halves.any()


@pytest.mark.slow
def test_a_category_is_one_feature():
    X, y, _ = make_classification(100, n_strong=2, n_weak=0, n_irrelevant=2, random_state=0)
    frame = pd.DataFrame(X, columns=["age", "a", "b", "luck"])
    common = {"random_state": 0, "n_probes": 5, "C": 1.0}
    model = RelevanceClassifier(**common, column_groups={"town": ["a", "b"]}).fit(frame, y)
    found = model.stability(2)
    assert found.names == ("age", "town", "luck")
    assert found.halves.shape == (4, 3)
    by_column = RelevanceClassifier(**common).fit(frame, y).stability(2).halves
    np.testing.assert_array_equal(found.halves[:, [0, 2]], by_column[:, [0, 3]])
    assert (found.halves[:, 1] >= by_column[:, 1:3].max(axis=1)).all(), "one column is enough"
    asked = model.stability(2, groups={"both": ["town", "age"], "one": [2]})
    assert asked.groups == {"both": (1, 0), "one": (2,)}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_half_that_is_everything_finds_features_of_several_columns(case):
    """By the same rules, though noise is told from fewer probes."""
    groups = {"copies": [1, 2], "noise": [3, 4]}
    model = case.make(n_probes=8, column_groups=groups).fit(*case.data())
    own = model.fitted_set_
    every = Half(np.arange(len(own.analysis.problem.sample)), seed=0)
    found = half_classes(own.analysis, own.features, own.several, every)
    assert found.tolist() == model.result_.classes.tolist()


@pytest.mark.slow
def test_groups_as_people_have_them(model):
    labels = model.groups().labels
    assert labels[2] == labels[3]
    found = model.stability(1, groups=model.groups()).groups
    assert found == {f"group {labels[2]}": (2, 3)}, "numbers are those of groups()"
    assert model.stability(1, groups=[["x0", 1], [-1]]).groups == {
        "group 1": (0, 1),
        "group 2": (9,),
    }
    assert model.stability(1, groups=None).groups == {}


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"n_splits": 0}, "n_splits must be a whole number of at least 1"),
        ({"n_splits": 2.5}, "n_splits must be a whole number"),
        ({"random_state": "dice"}, "random_state must be"),
        ({"groups": "all"}, "groups must be 'auto', None"),
        ({"groups": {"size": "x0"}}, "'size' must list features"),
        ({"groups": {"size": ["age"]}}, "groups names 'age'"),
        ({"groups": {"size": []}}, "'size' is empty"),
    ],
)
def test_what_makes_no_sense_is_refused(model, asked, complaint):
    with pytest.raises(ValueError, match=complaint):
        model.stability(**asked)


def test_a_fit_comes_first():
    with pytest.raises(NotFittedError):
        RelevanceClassifier().stability()


def test_progress_is_told(model, monkeypatch):
    stages = []

    class Told:
        def stage(self, name, total):
            stages.append([name, total, 0])

        def advance(self, n=1):
            stages[-1][2] += n

        def finish(self):
            stages.append("finished")

    monkeypatch.setattr("allrelevant.results.stability.ask.told_progress", lambda _: Told())
    model.stability(2, groups=None)
    assert stages == [["halves", 4, 4], "finished"]


@pytest.mark.slow
def test_weights_double_as_rows_do():
    X, y, _ = make_classification(50, n_strong=1, n_weak=0, n_irrelevant=3, random_state=0)
    weighed = RelevanceClassifier(random_state=0, C=1.0, n_probes=5)
    weighed.fit(X, y, sample_weight=np.full(50, 2.0))
    doubled = RelevanceClassifier(random_state=0, C=1.0, n_probes=5).fit(
        np.vstack([X, X]), np.r_[y, y]
    )
    assert np.array_equal(weighed.stability(3).halves, doubled.stability(3).halves)
