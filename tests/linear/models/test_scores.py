"""Scores of two classes are scikit-learn's, with weights and ties."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from allrelevant.linear.models.base import two_class_scores


@pytest.mark.parametrize("digits", [15, 1], ids=["no ties", "ties"])
@pytest.mark.parametrize("most", [1, 4], ids=["rows that count once", "weights"])
def test_they_are_scikit_learns(digits, most):
    random = np.random.default_rng(0)
    target = np.where(random.random(80) < 0.3, 1.0, -1.0)
    decision = np.round(target + random.normal(size=80), digits)
    predicted = np.where(decision > 0, 1.0, -1.0)
    count = random.integers(1, most + 1, 80).astype(float)
    found = two_class_scores(target, predicted, decision, count)
    assert found == {
        "balanced accuracy": pytest.approx(
            balanced_accuracy_score(target, predicted, sample_weight=count), rel=1e-12
        ),
        "AUC": pytest.approx(roc_auc_score(target, decision, sample_weight=count), rel=1e-12),
    }


def test_there_are_none_of_one_class():
    one = np.ones(3)
    assert two_class_scores(one, one, np.arange(3.0), one) == {}
