"""Privileged categories: one feature each, in the fit, under constraints, in tables and files."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from constrained_models import Constrained
from privileged_cases import oracle_of
from privileged_estimators import data, estimator, every_task

import allrelevant
from allrelevant import RelevanceDisplay
from allrelevant.results.relevance import RelevanceResult

pytestmark = pytest.mark.filterwarnings("ignore:with privileged features the model predicts worse")
DEVICES = ("fair", "good", "poor")
LEVELS = [f"device={level}" for level in DEVICES]


def graded(name):
    """The device says how far off a sample may be, in three grades."""
    X, privileged, y = data(name)
    grade = np.array(["good", "fair", "poor"])[np.digitize(privileged[:, 0], [0.5, 2.0])]
    return X, pd.DataFrame({"device": grade, "luck": privileged[:, 1]}), y


def by_hand(privileged):
    """The same as columns of numbers."""
    levels = {f"device={one}": (privileged["device"] == one).astype(float) for one in DEVICES}
    return pd.DataFrame({**levels, "luck": privileged["luck"]})


@cache
def fitted(name, **changes):
    X, privileged, y = graded(name)
    return estimator(name, n_probes=10, **changes).fit(X, y, X_privileged=privileged)


def in_full(model, barred=()):
    """Smallest and largest norm of the device's columns in each function, by full programs."""
    analysis, models = model.fitted_set_.analysis, model.equivalent_models_
    oracle = oracle_of(model.model_, analysis.problem.sample)
    ends = [
        oracle.norm_range(range(3), function, models.budgets, barred)
        for function in range(oracle.n_functions)
    ]
    return np.array(ends) / analysis.baseline.side_norm


@pytest.mark.slow
@every_task
def test_the_interval_is_that_of_the_norm_of_all_levels_in_full(name):
    model = fitted(name)
    expected = in_full(model)
    assert model.result_.privileged_names == ("device", "luck")
    np.testing.assert_allclose(model.result_.privileged_by_function[0], expected, atol=1e-6)
    np.testing.assert_allclose(
        model.result_.privileged.interval("device"), expected.max(axis=0), atol=1e-6
    )
    assert model.result_.privileged.strong == ("device",)
    own = model.result_.privileged.columns["device"]
    assert list(own["names"]) == LEVELS
    np.testing.assert_array_equal(own["intervals"], model.privileged_intervals_[:3])
    assert list(model.privileged_names_) == [*LEVELS, "luck"], "attributes are about columns"


@pytest.mark.slow
@every_task
def test_a_level_that_is_forbidden_leaves_the_others(name):
    tolerance = 0.5 if name == "ordinal-3" else 1.0  # some model treats it as the reference
    model = fitted(name, tolerance=tolerance)
    found = model.what_if(forbid=["device=fair"])
    expected = in_full(model, barred=[0])
    np.testing.assert_allclose(found.privileged_by_function[0], expected, atol=1e-6)
    np.testing.assert_allclose(found.privileged.interval("device"), expected.max(axis=0), atol=1e-6)
    assert found.privileged.columns["device"]["intervals"][0] == (0.0, 0.0)
    free = model.what_if()
    np.testing.assert_allclose(free.privileged_intervals, model.result_.privileged_intervals)
    assert free.privileged.class_names == model.result_.privileged.class_names


@pytest.mark.slow
@every_task
def test_an_upper_bound_holds_in_every_function(name):
    model = fitted(name)
    norm, places = model.fitted_set_.analysis.baseline.side_norm, by_function(model)
    limit = float(np.mean(model.result_.privileged.interval("device")))
    no_weight = {own[1]: [(0.0, 0.0)] for own in places}  # the commonest level is no column
    full = Constrained(model, no_weight, norm, dict.fromkeys(places, limit))
    found = model.what_if(bounds={"device": (0, limit)})
    expected = np.array([full.group(own) for own in places])
    np.testing.assert_allclose(found.privileged_by_function[0], expected, atol=1e-6)
    assert found.privileged.columns["device"]["intervals"][1] == (0.0, 0.0)
    assert found.privileged.interval("device")[1] == pytest.approx(limit, abs=1e-6)
    assert model.result_.privileged.interval("device")[1] > limit + 1e-3


def by_function(model):
    """The engine's columns of the device, in each function."""
    return [tuple(own) for own in model.fitted_set_.privileged_places(range(3))]


@every_task
def test_weights_say_how_levels_differ_from_the_commonest(name):
    """With a constant in common to all of them none would be needed."""
    _, privileged, _ = graded(name)
    assert privileged["device"].value_counts().idxmax() == "good"
    fair, good, poor = fitted(name).result_.privileged.columns["device"]["intervals"]
    assert good == (0.0, 0.0)
    assert fitted(name).result_.privileged.columns["device"]["references"] == ("device=good",)
    assert min(fair[0], poor[0]) > 0


def test_what_is_asked_of_a_category_is_asked_of_all_its_levels():
    model = fitted("classification")
    with pytest.raises(allrelevant.InfeasibleError, match="forbid 'device'"):
        model.what_if(forbid=["device"])
    for asked in ({"keep": ["device"]}, {"bounds": {"device": (0.1, 0.5)}}):
        with pytest.raises(ValueError, match=r"'device'.*several columns.*device=fair"):
            model.what_if(**asked)
    kept = model.what_if(keep=["device=poor"])
    low = model.fitted_set_.analysis.privileged.classes.upper[2]
    assert kept.privileged.columns["device"]["intervals"][2][0] >= low - 1e-6
    assert kept.privileged.interval("device")[0] >= low - 1e-6


@pytest.mark.slow
def test_groups_of_privileged_columns_say_the_same():
    X, privileged, y = graded("ordinal-3")
    model, groups = fitted("ordinal-3"), {"device": LEVELS}
    same = estimator("ordinal-3", n_probes=10, column_groups=groups)
    same.fit(X, y, X_privileged=by_hand(privileged))
    assert same.result_.privileged_columns == model.result_.privileged_columns
    np.testing.assert_array_equal(
        same.result_.privileged_intervals, model.result_.privileged_intervals
    )
    same.column_groups = {"both": ["device=fair", "x0"]}
    with pytest.raises(ValueError, match=r"column_groups\['both'\].*'x0'"):
        same.fit(X, y, X_privileged=by_hand(privileged))


@pytest.mark.slow
def test_tables_texts_pictures_and_files_speak_of_the_feature(tmp_path):
    model = fitted("regression-eps0.3")
    result = model.result_
    frame = result.to_frame()
    assert frame[frame["kind"] == "privileged"]["feature"].tolist() == ["device", "luck"]
    assert "device=" not in repr(result)
    assert RelevanceResult.from_json(result.to_json()) == result
    display = RelevanceDisplay(result.privileged).plot()
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["device", "luck"]
    page = result.report(tmp_path / "page.html").read_text()
    assert page.count("device=") == 1
    assert "compared with its commonest one: device=good." in page
    model.save(tmp_path / "model.fit")
    again = allrelevant.load(tmp_path / "model.fit")
    assert again.result_ == result
    asked = {"forbid": ["luck"]}
    assert again.what_if(**asked).privileged == model.what_if(**asked).privileged


def test_where_privileged_categories_are_of_no_use_they_are_irrelevant_features():
    X, privileged, y = graded("classification")
    frame = pd.DataFrame({"age": X[:, 0], "site": np.resize(["x", "y", "z"], len(X))})
    shuffled = privileged.sample(frac=1.0, random_state=1).reset_index(drop=True)
    model = estimator("classification")
    with pytest.warns(UserWarning, match="the answer is the one without them"):
        model.fit(frame, y, X_privileged=shuffled)
    assert model.result_.names == ("age", "site")
    assert model.result_.privileged.irrelevant == ("device", "luck")
    np.testing.assert_array_equal(model.result_.privileged_intervals, np.zeros((2, 2)))
    np.testing.assert_array_equal(model.what_if().privileged_intervals, np.zeros((2, 2)))


def test_names_of_privileged_categories_are_their_own():
    X, privileged, y = graded("classification")
    frame = pd.DataFrame({"age": X[:, 0], "device": np.resize(["x", "y", "z"], len(X))})
    with pytest.raises(ValueError, match="'device', and so has X"):
        estimator("classification").fit(frame, y, X_privileged=privileged)
