"""The example with privileged features shows what it says."""

import runpy
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from allrelevant import OrdinalRelevanceClassifier

mpl.use("Agg")

import matplotlib.pyplot as plt

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "plot_privileged.py"


@pytest.fixture(scope="module")
def example():
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module")
def fitted(example):
    X, errors, y = example["make_data"]()
    return OrdinalRelevanceClassifier(random_state=0).fit(X, y, X_privileged=errors)


def test_all_privileged_features_are_found_and_ordered_by_their_errors(fitted):
    assert fitted.relevance_classes_.tolist() == [2, 2, 2, 0, 0, 0]
    assert (fitted.privileged_classes_ > 0).all()
    assert (np.diff(fitted.privileged_intervals_[:, 1]) > 0).all()
    assert fitted.result_.warnings == ()


def test_groups_have_the_errors_they_are_said_to_have(example):
    X, errors, y = example["make_data"]()
    assert X.shape == (400, 6)
    assert set(y) == {0, 1, 2}
    assert ((errors != 0).sum(axis=1) <= 1).all()
    sizes = [errors.loc[errors[name] != 0, name].std() for name in errors]
    np.testing.assert_allclose(sizes, example["LEVELS"], rtol=0.25)
    assert (errors == 0).all(axis=1).sum() == 100


def test_the_picture_has_both_kinds_of_features(example, fitted):
    left, right = example["plot"](fitted).axes
    assert len(left.get_yticklabels()) == 6
    names = [label.get_text() for label in right.get_yticklabels()]
    assert names == ["error of 2", "error of 1", "error of 0.5"]
    plt.close("all")
