"""A fit that fails leaves the last one alone."""

from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from estimator_cases import every_case
from refusals import with_cell

NAMES = ["age", "dose", "weight", "site", "day"]

FAILURES = {
    "nan": lambda X, y: (with_cell(X[:, :3], np.nan), y, {}),
    "mixed": lambda X, y: (pd.DataFrame({"a": ["red", *X[1:, 0]]}), y, {}),
    "length": lambda X, y: (X[:, :3], y[:-1], {}),
    "missing target": lambda X, y: (X[:, :3], [None, *y[1:]], {}),
    "no target": lambda X, y: (X[:, :3], None, {}),
    "weights": lambda X, y: (X[:, :3], y, {"sample_weight": -np.ones(len(X))}),
}


def assert_unchanged(model, result, X, predicted):
    assert model.result_ is result
    assert model.n_features_in_ == X.shape[1]
    np.testing.assert_array_equal(model.predict(X), predicted)
    np.testing.assert_array_equal(model.transform(X), X[:, model.support_])


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("failure", FAILURES)
def test_failing_fit_keeps_the_last_result_and_predictions(case, failure):
    X, y = case.data()
    model = deepcopy(case.fitted())
    result, predicted = model.result_, model.predict(X)
    bad_X, bad_y, keywords = FAILURES[failure](X, y)
    with pytest.raises(ValueError, match=r"."):
        model.fit(bad_X, bad_y, **keywords)
    assert_unchanged(model, result, X, predicted)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
@every_case
def test_interrupted_fit_keeps_the_last_result_and_predictions(case, monkeypatch):
    X, y = case.data()
    model = deepcopy(case.fitted())
    result, predicted = model.result_, model.predict(X)

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("allrelevant.linear.estimators.base.analyse", interrupt)
    other_y = 100.0 * y if case.is_regression else np.array(["a", "b", "c"])[y]
    with pytest.raises(KeyboardInterrupt):
        model.fit(100.0 * X[:, :3] + 5.0, other_y)
    assert_unchanged(model, result, X, predicted)


@every_case
def test_failing_first_fit_leaves_the_estimator_unfitted(case):
    X, y = case.data()
    model = case.make()
    with pytest.raises(ValueError, match="NaN"):
        model.fit(with_cell(X, np.nan), y)
    with pytest.raises(ValueError, match="not fitted"):
        model.predict(X)
    with pytest.raises(ValueError, match="not fitted"):
        model.transform(X)


@pytest.mark.slow
@every_case
def test_a_good_fit_after_a_bad_one_is_like_the_first(case):
    X, y = case.data()
    model = case.make()
    with pytest.raises(ValueError, match="NaN"):
        model.fit(pd.DataFrame(with_cell(X, np.nan), columns=NAMES), y)
    model.fit(X, y)
    assert model.result_ == case.fitted().result_
    assert not hasattr(model, "feature_names_in_")
