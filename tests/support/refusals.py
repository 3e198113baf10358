"""What tests of bad input have in common."""

import re

import numpy as np
import pytest

NO_SIGNAL = "no learnable signal"


def refused(*words):
    """The error's message contains all these words."""
    return pytest.raises(ValueError, match="".join(f"(?=[\\s\\S]*{re.escape(w)})" for w in words))


def with_cell(X, value, row=3, column=2):
    X = X.copy()
    X[row, column] = value
    return X


def assert_all_irrelevant(model, n_features):
    np.testing.assert_array_equal(model.relevance_classes_, np.zeros(n_features))
    np.testing.assert_array_equal(model.intervals_, np.zeros((n_features, 2)))
    np.testing.assert_array_equal(model.signed_intervals_, np.zeros((n_features, 2)))
    np.testing.assert_array_equal(np.ravel(model.coef_), np.zeros(n_features))
    assert not model.support_.any()
    assert model.result_.warnings
    assert NO_SIGNAL in model.result_.warnings[0]
    assert NO_SIGNAL in repr(model.result_)


def assert_sensible(model, X):
    """Whatever the answer is, it is complete and finite."""
    d = X.shape[1]
    assert model.intervals_.shape == (d, 2)
    assert np.isfinite(model.intervals_).all()
    assert (model.intervals_[:, 0] <= model.intervals_[:, 1] + 1e-9).all()
    assert len(model.predict(X)) == len(X)
    assert len(model.result_.to_frame()) == d
