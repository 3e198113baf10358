"""Sparse data: the same answers as dense, and nowhere made dense."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.data import SparseMatrix
from allrelevant.datasets import make_classification, make_text

ANSWERS = ("intervals_", "signed_intervals_", "p_values_", "coef_")
FORMS = {
    "csr_matrix": sp.csr_matrix,
    "csc_array": sp.csc_array,
    "frame": lambda X: pd.DataFrame.sparse.from_spmatrix(sp.csr_matrix(X)).rename(columns=str),
}


def data(n=90, d=12):
    random = np.random.default_rng(0)
    X = np.where(random.random((n, d)) < 0.3, random.exponential(size=(n, d)), 0.0)
    X[:, 5] = 3.0  # a constant without zeros
    X[:, 6] = 1e6 + random.normal(size=n)  # no zeros, and far from them
    X[1] = X[0]
    score = 2.0 * X[:, 0] - 2.0 * X[:, 1] + X[:, 2] + 0.1 * random.normal(size=n)
    score[1] = score[0]
    return X, score


def target_for(kind, score):
    if kind is RelevanceRegressor:
        return score
    return np.digitize(score, np.quantile(score, [0.3, 0.7] if "Ordinal" in str(kind) else [0.5]))


WEIGHT = np.where(np.arange(90) % 7 == 0, 2.0, 1.0)


def make(kind, C):
    return kind(C=C, cv=3, n_probes=10, random_state=0)


@cache
def from_dense(kind, C):
    X, score = data()
    return make(kind, C).fit(X, target_for(kind, score), sample_weight=WEIGHT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "form", "C"),
    [
        *((RelevanceClassifier, form, 1.0) for form in ("csr_matrix", "frame")),
        (RelevanceClassifier, "csc_array", "cv"),
        *((kind, "csc_array", "cv") for kind in (RelevanceRegressor, OrdinalRelevanceClassifier)),
    ],
)
def test_the_answers_are_those_of_dense_data(kind, form, C):
    X, score = data()
    y, given, dense = target_for(kind, score), FORMS[form](X), from_dense(kind, C)
    sparse = make(kind, C).fit(given, y, sample_weight=WEIGHT)
    assert isinstance(sparse.equivalent_models_.X, SparseMatrix)
    for name in ANSWERS:
        np.testing.assert_allclose(getattr(sparse, name), getattr(dense, name), atol=1e-8)
    np.testing.assert_allclose(sparse.predict(given), dense.predict(X), atol=1e-8)
    some = given[:4]
    np.testing.assert_allclose(
        sparse.prediction_range(some).low, dense.prediction_range(X[:4]).low, atol=1e-6
    )
    assert sp.issparse(sparse.transform(given))
    asked = [one.what_if(forbid=[one.result_.names[5]]) for one in (sparse, dense)]
    np.testing.assert_allclose(asked[0].intervals, asked[1].intervals, atol=1e-8)


@pytest.mark.slow
def test_texts_are_never_made_dense(monkeypatch):
    """Nothing is asked for all at once, whatever the question."""
    X, y, truth = make_text(150, n_irrelevant=1200, random_state=0)
    asked = []
    monkeypatch.setattr(SparseMatrix, "dense", lambda self: asked.append(self.shape))
    model = RelevanceClassifier(random_state=0).fit(X, y)
    found = model.relevance_classes_
    assert found[truth > 0].all()
    assert (found[truth == 0] > 0).mean() < 0.01
    assert model.result_.is_bound[truth == 0].mean() > 0.9
    model.groups()
    model.witness(3, "max")
    model.score(X, y)
    assert asked == []


def test_bad_values_are_named():
    X, score = data()
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN in column 'x2' \\(1 value\\)"):
        RelevanceRegressor().fit(sp.csr_matrix(X), score)
    X[3, 2] = 1e200
    with pytest.raises(ValueError, match="values up to 1e\\+200 in column 'x2'"):
        RelevanceRegressor().fit(sp.csc_matrix(X), score)
    with pytest.raises(ValueError, match="X is sparse, and slack functions"):
        RelevanceRegressor().fit(sp.csr_matrix(X), score, X_privileged=X[:, :2])


def test_frames_may_leave_out_something_else_than_zeros():
    X, y, _ = make_classification(60, n_strong=1, n_weak=0, n_irrelevant=2, random_state=0)
    dense = pd.DataFrame(X, columns=list("abc")).assign(c=X[:, 2] > 0)
    odd = dense.astype(
        {"a": pd.SparseDtype(float), "b": pd.SparseDtype(float), "c": pd.SparseDtype(bool, True)}
    )
    model = RelevanceClassifier(C=1.0, n_probes=10, random_state=0)
    expected = model.fit(dense.astype(float), y).intervals_
    np.testing.assert_allclose(model.fit(odd, y).intervals_, expected, atol=1e-9)
