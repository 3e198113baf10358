"""Privileged features that cannot be used are refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from privileged_estimators import data, estimator, frame_of

from allrelevant import (
    RejectOptionRelevanceClassifier,
)

BAD = {
    "too short": (lambda P: P[:-1], "X_privileged must have one row for each row of X: 60, got 59"),
    "missing": (lambda P: _with(P, np.nan), "X_privileged contains NaN in column 'p1'"),
    "infinite": (lambda P: _with(P, np.inf), "X_privileged contains infinity in column 'p1'"),
    "text": (lambda P: P.astype(str).astype(object) + "m", "Column 'x0' does not hold numbers"),
    "no columns": (lambda P: P[:, :0], "X_privileged has no columns"),
    "one dimension": (lambda P: P[:, 0], "2D array"),
}


def _with(table, value):
    table = table.copy()
    table[3, 1] = value
    return table


@pytest.mark.parametrize("kind", BAD)
def test_unusable_privileged_features_are_refused(kind):
    X, privileged, y = data("ordinal-3")
    change, message = BAD[kind]
    model = estimator("ordinal-3")
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, X_privileged=change(privileged))
    assert not hasattr(model, "result_")


def test_a_frame_names_the_column_that_is_missing_values():
    X, privileged, y = data("regression-eps0.3")
    frame = pd.DataFrame(_with(privileged, np.nan), columns=["cost", "delay"])
    with pytest.raises(ValueError, match="X_privileged contains NaN in column 'delay'"):
        estimator("regression-eps0.3").fit(X, y, X_privileged=frame)


def test_the_implicit_order_has_no_place_for_privileged_features():
    X, privileged, y = data("ordinal-3")
    model = estimator("ordinal-3", order="implicit")
    with pytest.raises(ValueError, match="need order='explicit'"):
        model.fit(X, y, X_privileged=privileged)
    with pytest.raises(ValueError, match="need order='explicit'"):
        model.set_params(privileged=["cost"]).fit(frame_of(X, privileged), y)


def test_names_and_a_table_of_privileged_features_exclude_each_other():
    X, privileged, y = data("classification")
    model = estimator("classification", privileged=["cost"])
    with pytest.raises(ValueError, match="either X_privileged or the parameter privileged"):
        model.fit(frame_of(X, privileged), y, X_privileged=privileged)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["cost", "price"], r"not among them: \['price'\]"),
        ("cost", "must be a list of column names"),
    ],
)
def test_unusable_names_are_refused(names, message):
    X, privileged, y = data("classification")
    with pytest.raises(ValueError, match=message):
        estimator("classification", privileged=names).fit(frame_of(X, privileged), y)


def test_names_need_a_data_frame():
    X, _, y = data("classification")
    with pytest.raises(ValueError, match="but X is not one: pass the privileged features as fit"):
        estimator("classification", privileged=["cost"]).fit(X, y)


@pytest.mark.parametrize("gamma", [0.0, -1.0, "best", None, np.inf])
def test_gamma_is_a_positive_number(gamma):
    X, privileged, y = data("classification")
    with pytest.raises(ValueError, match="gamma must be 'cv' or a number above 0"):
        estimator("classification", gamma=gamma).fit(X, y, X_privileged=privileged)


def test_the_reject_option_takes_no_privileged_features():
    X, privileged, y = data("classification")
    with pytest.raises(TypeError, match="X_privileged"):
        RejectOptionRelevanceClassifier().fit(X, y, X_privileged=privileged)
