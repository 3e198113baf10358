"""The same answers to the last bit, however many workers there are."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant import RelevanceClassifier, RelevanceRegressor


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


def asked(model, n_jobs):
    """Answers of questions that workers share, as numbers."""
    model = model.set_params(n_jobs=n_jobs)
    if len(model.classes_) > 2:
        spared = int(model.result_.intervals[:, 0].argmin())
        return [model.what_if(forbid=[spared]).intervals]
    free, bounded = model.what_if(forbid=["x41"]), model.what_if(bounds={"x41": (0.01, 1.0)})
    groups = model.groups()
    path = model.path_over_tolerance([0.5, 1.0], features=model.result_.names)
    ranges = [free.intervals, free.signed_intervals, bounded.intervals]
    return [*ranges, groups.linkage, path.intervals, path.feature_intervals]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong")
@pytest.mark.parametrize("n_classes", [2, 3])
def test_answers_of_questions_do_not_depend_on_the_number_of_workers(n_classes):
    """More columns, pairs and features of several columns than one worker takes."""
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 10 if n_classes > 2 else 42))
    X[:, :10] += 0.7 * random.normal(size=(60, 1))
    y = np.digitize(X[:, :10].sum(axis=1) + random.normal(size=60), [-1.0, 1.0][: n_classes - 1])
    several = {f"g{k}": [k, k + 8] for k in range(10, 18)} if n_classes == 2 else None
    kinds = {"C": 0.1, "tolerance": 0.3, "n_probes": 10, "column_groups": several}
    model = RelevanceClassifier(random_state=0, **kinds).fit(X, y)
    for one, two in zip(asked(model, 1), asked(model, 2), strict=True):
        np.testing.assert_array_equal(one, two, strict=True)
