"""Warnings show the line of the user's code, however deep in the package they arise."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant import ForestRelevanceClassifier, RelevanceClassifier
from allrelevant.base.errors import warn_user


def test_a_warning_shows_the_line_that_called() -> None:
    with pytest.warns(UserWarning, match="look here") as caught:
        warn_user("look here")
    assert caught[0].filename == __file__


@pytest.mark.parametrize("estimator", [RelevanceClassifier, ForestRelevanceClassifier])
def test_a_fit_without_signal_warns_at_the_line_that_called_fit(estimator: type) -> None:
    X, y = np.zeros((40, 2)), np.arange(40) % 2
    with pytest.warns(UserWarning, match="no learnable signal") as caught:
        estimator(random_state=0).fit(X, y)
    assert [warning.filename for warning in caught] == [__file__]
