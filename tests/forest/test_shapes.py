"""How a forest's predictions follow its features, against scikit-learn's partial dependence."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence

from allrelevant import ForestRelevanceClassifier, ForestRelevanceRegressor
from allrelevant.views.report import render_report
from allrelevant.views.report.shapes import shape_pictures

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    random, n = np.random.default_rng(0), 180
    X = pd.DataFrame(random.normal(size=(n, 2)), columns=["age", "noise"])
    X["town"] = pd.Categorical(random.choice(["Bonn", "Oslo", "Rome"], n))
    return X, X["age"] + 2.0 * (X["town"] == "Oslo") + 0.2 * random.normal(size=n)


@pytest.fixture(scope="module")
def regressor(table):
    return ForestRelevanceRegressor(estimator="linear", random_state=0).fit(*table)


def test_means_are_the_partial_dependence(regressor, table):
    X, _ = table
    by_name = {shape.name: shape for shape in regressor.shapes()}
    assert set(by_name) == {"age", "town"}
    for name, shape in by_name.items():
        grid = {name: np.array(shape.values)}
        wanted = partial_dependence(regressor, X, [name], custom_values=grid, method="brute")
        np.testing.assert_allclose(shape.mean[:, 0], wanted["average"][0], atol=1e-9)
        assert (shape.low <= shape.mean + 1e-12).all()
        assert (shape.mean <= shape.high + 1e-12).all()
    assert by_name["town"].values == ("Bonn", "Oslo", "Rome")
    assert by_name["town"].mean[1] - by_name["town"].mean[0] > 1.0
    with pytest.raises(ValueError, match="'noise' is irrelevant"):
        regressor.shapes(["noise"])


def test_classes_have_a_curve_each_and_the_same_colours_everywhere(table):
    X, y = table
    labels = np.array(["low", "middle", "top"])[np.digitize(y, [0.0, 1.5])]
    model = ForestRelevanceClassifier(estimator="linear", random_state=0).fit(X, labels)
    shapes = model.shapes()
    assert all(shape.outcomes == ("low", "middle", "top") for shape in shapes)
    for shape in shapes:
        np.testing.assert_allclose(shape.mean.sum(axis=1), 1.0, atol=1e-9)
        assert shape.low.min() >= 0.0
        assert shape.high.max() <= 1.0
    pictures = shape_pictures(shapes)
    assert {tuple(name for name, *_ in one.curves) for one in pictures} == {shapes[0].outcomes}
    (town,) = [one for one in pictures if one.name == "town"]
    assert len(town.marks) == 9
    text = render_report(model.result_, shapes=shapes)
    assert "How predictions follow each feature" in text
    assert text.count("<figure>") == len(shapes)
