"""The same answers to the last bit, however many workers there are."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant import RelevanceRegressor


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong")
def test_answers_do_not_depend_on_the_number_of_workers():
    random = np.random.default_rng(2)
    X = random.normal(size=(80, 12))
    X[:, 6:] = X[:, :6] + 0.3 * X[:, 6:]
    y = X[:, 0] - X[:, 1] + X[:, 2] + random.normal(size=80)
    samples = random.normal(size=(260, 12))  # more than one chunk of predictions
    one, two, three = (RelevanceRegressor(n_jobs=n, random_state=0).fit(X, y) for n in (1, 2, 3))
    ranges = [fitted.prediction_range(samples) for fitted in (one, two)]
    for other in (two, three):
        for name in ("intervals", "signed_intervals", "p_values", "thresholds", "probes"):
            np.testing.assert_array_equal(
                getattr(one.result_, name), getattr(other.result_, name), strict=True
            )
    np.testing.assert_array_equal(ranges[0].low, ranges[1].low)
    np.testing.assert_array_equal(ranges[0].high, ranges[1].high)
