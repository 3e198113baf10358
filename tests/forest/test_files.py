"""Forests as files: what was found, without trees and rows."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest

import allrelevant
from allrelevant import ForestRelevanceClassifier, ForestRelevanceRegressor
from allrelevant.base.archive import ArchiveError
from allrelevant.views.report.write import render_report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def flowers():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(90, 3)), columns=["long", "wide", "noise"])
    X["place"] = pd.Categorical(random.choice(["hill", "shore"], 90))
    X["near"] = X["long"] + 0.05 * random.normal(size=90)
    y = np.array(["a", "b", "c"])[np.digitize(X["long"] + (X["place"] == "hill"), [0.0, 1.0])]
    return X, y


@pytest.fixture(scope="module")
def model(flowers):
    return ForestRelevanceClassifier(estimator="linear", max_blocks=2, random_state=0).fit(*flowers)


@pytest.fixture(scope="module")
def again(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "flowers.fit"
    model.save(path)
    return allrelevant.load(path)


def test_the_whole_answer_comes_back(model, again):
    assert type(again) is ForestRelevanceClassifier
    assert again.result_ == model.result_
    assert again.get_params() == model.get_params()
    assert again.groups_ == model.groups_
    assert again.learner_ == model.learner_
    assert again.threshold_ == model.threshold_
    for name in ("relevance_classes_", "importances_", "intervals_", "p_values_", "tentative_"):
        np.testing.assert_array_equal(getattr(again, name), getattr(model, name))
        assert getattr(again, name).dtype == getattr(model, name).dtype
    np.testing.assert_array_equal(again.classes_, model.classes_)
    for one, other in zip(again.shapes(), model.shapes(), strict=True):
        assert (one.name, one.outcomes) == (other.name, other.outcomes)
        assert tuple(one.values) == tuple(other.values)
        for part in ("mean", "low", "high"):
            np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
    assert [shape.name for shape in again.shapes(["place"])] == ["place"]
    with pytest.raises(ValueError, match="'noise' is irrelevant"):
        again.shapes(["noise"])


def test_what_needs_trees_or_rows_is_refused(again, flowers):
    X, _ = flowers
    for ask in (again.predict, again.predict_proba, lambda X: again.stability(2)):
        with pytest.raises(ValueError, match="without trees and rows: fit again"):
            ask(X)
    assert "place" in render_report(again.result_, shapes=again.shapes())


def test_a_file_holds_no_rows(model, flowers, tmp_path):
    model.save(tmp_path / "one")
    model.save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with zipfile.ZipFile(tmp_path / "one") as file:
        document = json.loads(file.read("document.json"))
        arrays = [np.load(file.open(name)) for name in file.namelist()[1:]]
    assert document["estimator"] == "ForestRelevanceClassifier"
    assert all(len(flowers[0]) not in array.shape for array in arrays)


def test_files_that_are_damaged_or_of_another_kind_are_refused(model, tmp_path):
    model.save(tmp_path / "good")
    with zipfile.ZipFile(tmp_path / "good") as old, zipfile.ZipFile(tmp_path / "bad", "w") as new:
        for member in old.infolist():
            content = old.read(member)
            if member.filename == "document.json":
                content = content.replace(b'"shapes"', b'"forms"')
            new.writestr(member, content)
    with pytest.raises(ArchiveError, match="bad is damaged: KeyError"):
        allrelevant.load(tmp_path / "bad")

    class Another(ForestRelevanceRegressor):
        pass

    other = Another()
    other.__dict__.update(vars(model))
    with pytest.raises(TypeError, match="Another is none of them"):
        other.save(tmp_path / "fit")
    with pytest.raises(ValueError, match="not fitted"):
        ForestRelevanceClassifier().save(tmp_path / "fit")
    assert not (tmp_path / "fit").exists()
