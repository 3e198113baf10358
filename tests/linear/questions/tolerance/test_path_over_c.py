"""The path over C: at each C what a fit with that C finds, and what the full program says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case
from oracle import FullProblem, relevance
from sklearn.linear_model import LogisticRegression

from allrelevant import RelevanceClassifier, RelevancePath
from allrelevant.datasets import make_classification, make_privileged
from allrelevant.linear.engine.program.limits import Budget


@pytest.mark.slow
@every_case
def test_intervals_are_those_of_the_full_program_at_every_c(case):
    X, y = case.data()
    fitted = case.plain(tolerance=0.01, budget="split").fit(X, y)
    path = fitted.path_over_c([0.05, 1.0, 3.0])
    models = fitted.equivalent_models_
    full = FullProblem(models.X.dense(), models.pieces)
    for k, C in enumerate(path.C):
        norm, loss = full.baseline(C)
        if norm < 1e-9:
            assert path.n_used[k] == 0
            assert not path.intervals[k].any()
            continue
        budgets = [Budget(1.0, 0.0, 1.01 * norm), Budget(0.0, 1.0, 1.01 * loss)]
        expected = relevance(full.signed_intervals(budgets)) / norm
        np.testing.assert_allclose(path.intervals[k], expected, atol=1e-6)
    assert path.n_used[-1] > 0


@pytest.mark.slow
def test_the_c_of_the_fit_is_among_them_and_its_answer_is_the_fits():
    X, y, _ = make_classification(120, n_strong=2, n_weak=2, n_irrelevant=6, random_state=0)
    fitted = RelevanceClassifier(n_probes=20, random_state=0).fit(X, y)
    path = fitted.path_over_c(n_points=5)
    assert len(path.C) == 5
    (k,) = np.flatnonzero(path.C == fitted.C_)
    np.testing.assert_allclose(path.intervals[k], fitted.intervals_, atol=1e-9)
    np.testing.assert_array_equal(path.classes[k], fitted.relevance_classes_)
    assert path.n_used[0] <= path.n_used[-1]
    assert (np.diff(path.C) > 0).all()
    assert set(path.indispensable) >= set(fitted.result_.strong)
    frame = path.to_frame()
    assert frame.shape == (50, 6)
    assert frame["max"].to_numpy().reshape(5, 10) == pytest.approx(path.intervals[:, :, 1])
    assert RelevancePath.from_json(path.to_json()) == path
    assert f"chosen: C = {fitted.C_:.3g}" in repr(path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*:UserWarning")
def test_categories_privileged_features_and_three_classes():
    random = np.random.default_rng(0)
    town = random.choice(["north", "south", "west"], 90)
    frame = pd.DataFrame(random.normal(size=(90, 2)), columns=["age", "dose"]).assign(town=town)
    quick = {"C": 1.0, "n_probes": 5, "random_state": 0}
    fitted = RelevanceClassifier(**quick).fit(frame, np.where(town == "west", "a", town))
    path = fitted.path_over_c([0.5, 1.0])
    np.testing.assert_allclose(path.intervals[1], fitted.result_.intervals, atol=1e-9)
    assert path.names == ("age", "dose", "town")
    X, P, y, *_ = make_privileged("ordinal", 100, noise=0.2, random_state=0)
    case = CASES["ordinal-explicit"].make(C=1.0, gamma=0.3).fit(X, y, X_privileged=P)
    path = case.path_over_c(1.0)
    np.testing.assert_allclose(path.intervals[0], case.result_.intervals, atol=1e-9)


def test_when_features_become_indispensable():
    made = {"task": "classification", "score_name": "accuracy", "chosen": 1.0}
    path = RelevancePath(
        **made,
        names=["never", "late", "early", "passing"],
        C=[0.1, 1.0, 10.0],
        intervals=np.broadcast_to([0.0, 0.5], (3, 4, 2)),
        classes=[[0, 0, 2, 1], [1, 1, 2, 2], [1, 2, 2, 1]],
        n_used=[1, 2, 3],
        scores=[0.5, 0.6, 0.7],
        left_out={"0.5": "nobody knows"},
    )
    assert path.indispensable == {"early": 0.1, "passing": 1.0, "late": 10.0}
    assert list(path.indispensable) == ["early", "passing", "late"]
    assert repr(path).splitlines()[-1] == "left out: C = 0.5: nobody knows"


@pytest.mark.parametrize(
    ("Cs", "message"),
    [([], "at least one"), ([0.0], "Cs must be a number above 0"), ("many", "Cs must be")],
)
def test_what_is_no_c_is_refused(Cs, message):
    with pytest.raises(ValueError, match=message):
        CASES["classification"].fitted().path_over_c(Cs)


def test_a_given_baseline_has_no_path():
    X, y = CASES["classification"].data()
    model = RelevanceClassifier(baseline=LogisticRegression(), n_probes=5, random_state=0)
    with pytest.raises(ValueError, match="has no path over C"):
        model.fit(X, y).path_over_c()
