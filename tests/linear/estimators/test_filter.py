"""A filter that removes what no good model can use: against every program solved in full."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case
from oracle import FullProblem, relevance
from scipy.sparse import csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceFilter
from allrelevant.datasets import make_classification, make_regression


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore:the best model uses no feature:UserWarning",
    "ignore:No features were selected:UserWarning",
)
# How C is chosen is the estimator's affair, and is checked there.
@parametrize_with_checks([RelevanceFilter(RelevanceClassifier(C=0.5, tolerance=0.05, cv=2))])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@every_case
def test_what_is_removed_is_below_the_threshold_in_every_model(case):
    X, y = case.data(n_irrelevant=9)
    fitted = case.plain().fit(X, y)
    models, norm = fitted.equivalent_models_, fitted.result_.baseline["norm"]
    full = FullProblem(models.X.dense(), models.pieces)
    least, reach = relevance(full.signed_intervals(models.budgets)).T / norm
    needed = least > 1e-6
    ordered = np.sort(reach)
    for k in (0, len(reach) // 2, len(reach) - 2):
        threshold = float(ordered[k : k + 2].mean())
        kept = RelevanceFilter(case.plain(), threshold=threshold).fit(X, y)
        np.testing.assert_array_equal(kept.support_, needed | (reach > threshold))


@pytest.mark.slow
def test_three_classes_and_sparse_data():
    X, y, _ = make_classification(
        90, n_strong=2, n_weak=2, n_irrelevant=8, n_classes=3, random_state=0
    )
    estimator = RelevanceClassifier(C=0.05, n_probes=5, random_state=0)
    fitted = estimator.fit(X, y)
    least, reach = fitted.intervals_.T
    threshold = float(np.sort(reach)[4:6].mean())
    expected = (least > 1e-6) | (reach > threshold)
    for table in (X, csr_array(X)):
        kept = RelevanceFilter(RelevanceClassifier(C=0.05), threshold=threshold).fit(table, y)
        np.testing.assert_array_equal(kept.support_, expected)
    assert not expected.all()
    assert kept.transform(csr_array(X)).shape == (90, expected.sum())


@pytest.mark.slow
def test_what_every_model_needs_is_kept_however_high_the_threshold():
    X, y, truth = make_regression(150, n_strong=3, n_weak=0, n_irrelevant=12, random_state=0)
    kept = RelevanceFilter(threshold=0.9).fit(X, y)
    assert kept.support_[truth == 2].all()
    assert type(kept.estimator_).__name__ == "RelevanceRegressor"
    assert kept.n_solved_ + kept.n_spared_ > 0


@pytest.mark.slow
def test_levels_of_a_category_stay_together_and_columns_have_names():
    random = np.random.default_rng(0)
    town = random.choice(["north", "south", "west"], 120)
    noise = pd.DataFrame(random.normal(size=(120, 6)), columns=list("abcdef"))
    y = np.where((town == "north") & (random.random(120) < 0.9), "ill", "well")
    frame = noise.assign(town=town)
    kept = RelevanceFilter(threshold=0.3).fit(frame, y).set_output(transform="pandas")
    assert kept.features_["town"]
    assert not all(kept.features_.values())
    names = kept.get_feature_names_out().tolist()
    assert [name for name in names if name.startswith("town")] == [
        "town=north",
        "town=south",
        "town=west",
    ]
    assert kept.transform(frame).columns.tolist() == names


@pytest.mark.slow
def test_before_an_expensive_model():
    X, y, _ = make_classification(120, n_strong=2, n_weak=2, n_irrelevant=20, random_state=0)
    frame = pd.DataFrame(X).add_prefix("gene ")
    forest = RandomForestClassifier(20, random_state=0)
    model = make_pipeline(RelevanceFilter(threshold=0.1), forest).fit(frame, y)
    kept = model[0].get_feature_names_out()
    assert len(kept) == model[-1].n_features_in_ < 24
    assert {"gene 0", "gene 1", "gene 2", "gene 3"} <= set(kept)
    assert model.predict(frame).shape == (120,)


@pytest.mark.slow
def test_where_nothing_can_be_learned_everything_is_kept():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 4)), random.integers(0, 2, 60)
    with pytest.warns(UserWarning, match="keeps all of them"):
        assert RelevanceFilter().fit(X, y).support_.all()


def test_weights_groups_and_other_estimators_are_handed_on():
    X, y = CASES["ordinal-explicit"].data(n_irrelevant=9)
    estimator = OrdinalRelevanceClassifier(C=1.0, class_weight=None)
    twice = RelevanceFilter(estimator).fit(np.vstack([X, X[:20]]), np.append(y, y[:20]))
    weight = np.append(np.full(20, 2.0), np.ones(len(X) - 20))
    weighted = RelevanceFilter(estimator).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(twice.support_, weighted.support_)
    assert not hasattr(weighted.estimator_, "result_")


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"threshold": 0.0}, ValueError, "threshold must be a number between 0 and 1"),
        ({"estimator": LogisticRegression()}, TypeError, r"RelevanceClassifier\(baseline="),
        ({"estimator": RelevanceClassifier(privileged=["a"])}, ValueError, "no privileged"),
    ],
)
def test_refusals(parameters, error, message):
    with pytest.raises(error, match=message):
        RelevanceFilter(**parameters).fit(np.eye(4), [0, 1, 0, 1])
