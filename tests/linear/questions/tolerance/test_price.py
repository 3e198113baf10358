"""The tolerance that doing without a feature takes, and intervals along it, by full programs."""

import pickle
from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from class_programs import fitted_to, programs_of, three_classes
from constrained_models import Constrained, fitted, grouped
from every_model import EveryModel
from oracle import FullProblem

from allrelevant import InfeasibleError, RelevanceClassifier, RelevanceRegressor, load
from allrelevant.base.progress import told_progress
from allrelevant.datasets import make_classification
from allrelevant.linear.engine.ranges.nearest import with_limits
from allrelevant.linear.questions.tolerance.at_tolerance import at_tolerance
from allrelevant.linear.questions.tolerance.price import find_tolerance_path
from allrelevant.results.relevance import RelevanceResult

NAMES = [
    *("classification", "logistic", "reject"),
    *("regression", "quantile", "survival"),
    *("ordinal-explicit", "ordinal-implicit", "ordinal-logistic", "l2"),
]


def limits_of_baseline(model):
    """What the baseline uses up of every budget: the limits at a tolerance of zero."""
    used, side = model.result_.baseline, model.result_.baseline.get("privileged_norm", 0.0)
    return np.array(
        [
            b.norm * used["norm"] + b.side * side + b.loss * used["loss"]
            for b in model.equivalent_models_.budgets
        ]
    )


def prices_by_full_programs(model):
    """For every feature the least tolerance at which some model uses none of its columns."""
    every, least = EveryModel(model.equivalent_models_), limits_of_baseline(model)
    columns = np.arange(every.models.n_features)
    return [
        every.least_tolerance(~np.isin(columns, own), least)
        for own in model.fitted_set_.features.places
    ]


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", NAMES)
def test_prices_are_those_of_the_full_program(name, budget):
    model = fitted(name, budget)
    models, least = model.equivalent_models_, limits_of_baseline(model)
    budgets = with_limits(models.budgets, least)
    for j in range(models.n_features):
        X = models.X.dense().copy()
        X[:, j] = 0.0
        truth = FullProblem(X, models.pieces).least_excess(budgets, least)
        np.testing.assert_allclose(model.needed_up_to_[j], truth, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["classification", "regression"])
def test_the_price_is_the_tolerance_that_errors_name(name):
    model = fitted(name)
    assert model.result_.strong
    for feature in model.result_.strong:
        with pytest.raises(InfeasibleError) as found:
            model.what_if(forbid=[feature])
        assert model.needed_up_to_[model.result_.names.index(feature)] == found.value.tolerance
    needed = model.needed_up_to_
    assert (needed[model.result_.intervals[:, 0] > 1e-6] > model.tolerance_[0]).all()
    assert (needed[model.result_.intervals[:, 0] <= 0] <= model.tolerance_[0] + 1e-6).all()


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", ["privileged-classification", "privileged-regression"])
def test_prices_beside_privileged_features_are_those_of_the_full_program(name, budget):
    model = fitted(name, budget)
    truth = prices_by_full_programs(model)
    np.testing.assert_allclose(model.needed_up_to_[: len(truth)], truth, rtol=0, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classification", "regression", "ordinal-explicit", "reject"])
def test_prices_of_groups_of_columns_are_those_of_the_full_program(name):
    model = grouped(name)
    truth = prices_by_full_programs(model)
    np.testing.assert_allclose(model.needed_up_to_, truth, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_prices_of_curves_are_those_of_the_full_program():
    model = fitted("regression", basis="spline")
    truth = prices_by_full_programs(model)
    assert len(truth) == 5 < model.equivalent_models_.n_features
    np.testing.assert_allclose(model.needed_up_to_, truth, rtol=0, atol=1e-6)


def test_a_feature_of_several_columns_has_one_price():
    model = grouped("classification")
    single = fitted("classification").needed_up_to_
    both = dict(zip(model.result_.names, model.needed_up_to_, strict=True))
    assert both["copies"] >= max(single[1], single[2]) - 1e-9
    assert both["age"] == pytest.approx(single[0], rel=1e-6)


def test_the_table_has_it():
    model = fitted("privileged-classification")
    frame = model.result_.to_frame(sort=True)
    assert frame.equals(model.to_frame(sort=True))
    own = frame[frame["kind"] == "feature"]
    np.testing.assert_array_equal(own["needed_up_to"], model.needed_up_to_[own.index])
    assert frame["needed_up_to"][frame["kind"] == "privileged"].isna().all()
    assert not hasattr(RelevanceRegressor(), "needed_up_to_")


def copied_both_ways(model, folder):
    """By pickle, and by a file."""
    model.save(folder / "model.fit")
    return [pickle.loads(pickle.dumps(model)), load(folder / "model.fit")]


def test_it_is_found_when_it_is_asked_for_and_then_kept(tmp_path, monkeypatch):
    """Copies by pickle and in files ask their own models, unless it is known already."""
    X, y, _ = make_classification(60, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    model = RelevanceClassifier(C=1.0, n_probes=5, confidence=0.9, random_state=0).fit(X, y)
    model.what_if(forbid=["x3"]).to_frame()
    assert len(model.result_.needed_up_to) == 0
    copies = copied_both_ways(model, tmp_path)
    expected = model.needed_up_to_
    assert expected.max() > 0
    for copied in copies:
        assert len(copied.result_.needed_up_to) == 0
        np.testing.assert_allclose(copied.result_.to_frame()["needed_up_to"], expected, atol=1e-9)
    assert "needed_up_to" not in model.what_if(forbid=["x3"]).to_frame()
    again = copied_both_ways(model, tmp_path)
    monkeypatch.setattr("allrelevant.linear.estimators.found_when_read.find_needed", None)
    stored = RelevanceResult.from_json(model.result_.to_json())
    for result in (stored, *(copied.result_ for copied in again)):
        np.testing.assert_array_equal(result.to_frame()["needed_up_to"], expected)


def test_many_classes_have_prices_too():
    X, y, _ = make_classification(
        60, n_classes=3, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0
    )
    model = RelevanceClassifier(C=1.0, n_probes=5, confidence=0.9, random_state=0).fit(X, y)
    assert model.needed_up_to_.shape == (4,)
    strong = model.result_.classes == 2
    assert (model.needed_up_to_[strong] > model.tolerance_[0]).all()


@pytest.mark.slow
def test_prices_of_many_classes_are_those_of_the_full_program():
    model = fitted_to(*three_classes())
    full, used = programs_of(model), model.result_.baseline
    truth = [full.without([j]).least_tolerance(used["norm"], used["loss"]) for j in range(5)]
    np.testing.assert_allclose(model.needed_up_to_, truth, rtol=0, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("budget", ["split", "joint"])
@pytest.mark.parametrize("name", [*NAMES, "privileged-classification"])
def test_intervals_along_the_tolerance_are_those_of_the_full_program(name, budget):
    model = fitted(name, budget)
    models, norm = model.equivalent_models_, model.result_.baseline["norm"]
    path = model.path_over_tolerance([0.5, 1.0, 2.0], features=model.result_.names)
    np.testing.assert_allclose(path.signed_intervals[1], model.signed_intervals_, atol=1e-9)
    np.testing.assert_allclose(path.intervals[1], model.intervals_, atol=1e-9)
    np.testing.assert_allclose(path.tolerances[2], 2 * np.array(model.tolerance_))
    least = limits_of_baseline(model)
    for k in (0, 2):
        limits = least + path.factors[k] * (models.limits - least)
        every = EveryModel(replace(models, budgets=with_limits(models.budgets, limits)))
        for j in range(model.n_features_in_):
            cost = every.cost(np.eye(models.n_features)[j] / norm)
            truth = every.least(cost), every.greatest(cost)
            np.testing.assert_allclose(path.signed_intervals[k, j], truth, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("make", [fitted, grouped])
def test_some_features_along_the_tolerance_are_as_among_all(make):
    model = make("classification")
    last = model.result_.names[-1]
    names = model.result_.names
    whole, some = (model.path_over_tolerance([0.5, 1.0], features=f) for f in (names, [0, last]))
    asked = np.isin(whole.features, [model.result_.names[0], last])
    np.testing.assert_allclose(
        some.feature_intervals[:, asked], whole.feature_intervals[:, asked], atol=1e-7
    )
    assert np.isnan(some.feature_intervals[:, ~asked]).all()
    shown = set(some.to_frame()["feature"])
    assert shown == {whole.names[k] for j in np.flatnonzero(asked) for k in own_columns(model, j)}


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
def test_without_names_it_is_about_the_features_that_are_relevant_or_could_be(n_classes):
    X, y, _ = make_classification(
        80, n_classes=n_classes, n_strong=1, n_weak=2, n_irrelevant=4, random_state=0
    )
    model = RelevanceClassifier(C=1.0, n_probes=20, confidence=0.9, random_state=0).fit(X, y)
    told = (model.result_.classes > 0) | model.result_.could_be_either
    assert 0 < told.sum() < 7
    factors = [0.0, 0.5, 1.0, 2.0]
    path = model.path_over_tolerance(factors)
    np.testing.assert_array_equal(path.is_bound, np.tile(~told, (4, 1)))
    assert repr(path).endswith(f"; of {(~told).sum()} only bounds")
    frame = path.to_frame()
    assert set(frame.loc[~frame.is_bound, "feature"]) == set(np.array(model.result_.names)[told])
    whole = model.path_over_tolerance(factors, features=model.result_.names)
    assert np.isfinite(whole.feature_intervals).all()
    assert not whole.is_bound.any()
    for bounds, exact in [
        (path.feature_intervals, whole.feature_intervals),
        (path.intervals, whole.intervals),
    ]:
        np.testing.assert_allclose(bounds[:, told], exact[:, told], atol=1e-7)
        assert (bounds[:, ~told, 0] <= exact[:, ~told, 0] + 1e-7).all()
        assert (bounds[:, ~told, 1] >= exact[:, ~told, 1] - 1e-7).all()
        np.testing.assert_allclose(bounds[2, ~told], exact[2, ~told], atol=1e-7)  # as in the fit
    if n_classes == 2:
        assert (path.signed_intervals[..., 0] <= whole.signed_intervals[..., 0] + 1e-7).all()
        assert (path.signed_intervals[..., 1] >= whole.signed_intervals[..., 1] - 1e-7).all()


@pytest.mark.slow
def test_bounds_along_the_tolerance_hold_for_features_of_several_columns():
    model = grouped("classification")
    fitted, factors = model.fitted_set_, [0.5, 1.5, 2.0]
    asked = (fitted, factors, list(range(len(fitted.features))), None, told_progress(0))
    whole, bounds = (
        find_tolerance_path(*asked),
        find_tolerance_path(fitted, factors, [], None, told_progress(0), bounds=True),
    )
    assert bounds.is_bound.all()
    assert (bounds.feature_intervals[..., 1] >= whole.feature_intervals[..., 1] - 1e-7).all()
    assert (bounds.feature_intervals[..., 0] <= whole.feature_intervals[..., 0] + 1e-7).all()
    assert (bounds.feature_intervals[2, :, 1] < 3 * whole.feature_intervals[2, :, 1]).all()


def own_columns(model, j):
    return model.fitted_set_.features.places[j]


def test_a_path_from_nothing_widens_and_is_a_table():
    model = fitted("classification")
    path = model.path_over_tolerance(features=model.result_.names)
    assert (np.diff(path.intervals[..., 1], axis=0) >= -1e-7).all()
    assert (np.diff(path.intervals[..., 0], axis=0) <= 1e-7).all()
    assert path.to_frame().shape == (9 * 5, 7)
    assert repr(path) == "TolerancePath of 5 columns: 9 tolerances, 0 to 2 times that of the fit"
    with pytest.raises(ValueError, match="a factor must be"):
        model.path_over_tolerance([-1.0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classification", "regression"])
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_constraints_at_another_tolerance_are_those_of_the_full_program(name, factor):
    model = copy(grouped(name))
    path = model.path_over_tolerance([factor], features=model.result_.names)
    model.fitted_set_ = at_tolerance(model.fitted_set_, factor)
    model.equivalent_models_ = model.fitted_set_.models
    places = dict(zip(model.result_.names, model.fitted_set_.features.places, strict=True))
    for asked, boxes in [({}, {}), ({"forbid": ["day", "room"]}, {3: [(0, 0)], 4: [(0, 0)]})]:
        full = Constrained(model, boxes)
        if not full.is_possible:
            with pytest.raises(InfeasibleError):
                model.what_if_stream(**asked)
            continue
        found = {model.result_.names[one.position]: one for one in model.what_if_stream(**asked)}
        for feature, columns in places.items():
            answer = found[feature]
            np.testing.assert_allclose(answer.relevance, full.group(columns), atol=1e-6)
            was = model.result_.classes[model.result_.names.index(feature)]
            wanted = 0 if was == 0 else 2 if answer.relevance[0] > 1e-6 else 1
            assert answer.label == wanted
            if not asked:
                place = path.features.index(feature)
                ends = path.feature_intervals[0, place]
                np.testing.assert_allclose(ends, answer.relevance, atol=1e-6)


def test_a_tolerance_of_one_is_the_fit_itself():
    fitted_set = fitted("classification").fitted_set_
    assert at_tolerance(fitted_set, 1.0) is fitted_set
    narrow = at_tolerance(fitted_set, 0.5)
    assert narrow.result.baseline["tolerance_loss"] == pytest.approx(0.05)


def test_prices_of_millions_are_those_of_the_full_program():
    """Where the baseline has hardly any loss, doing without a feature takes very many times it."""
    random = np.random.default_rng(1)
    level = np.cumsum(random.integers(-3, 4, size=(134, 2)), axis=0) / 10 + 4
    before = np.vstack([[4, 4], level[:-1]])
    X = np.column_stack([level, np.arange(134), before[:, 0], level - before])
    model = RelevanceRegressor(C=0.0214, epsilon=1e-7, n_probes=5, confidence=0.9, random_state=0)
    model.fit(X, before[:, 1])
    models, least = model.equivalent_models_, limits_of_baseline(model)
    budgets = with_limits(models.budgets, least)
    used = np.flatnonzero(model.coef_)
    for j in used:
        without = models.X.dense().copy()
        without[:, j] = 0.0
        truth = FullProblem(without, models.pieces).least_excess(budgets, 1e6 * np.array(least))
        np.testing.assert_allclose(model.needed_up_to_[j], 1e6 * truth, rtol=1e-4)
    assert max(model.needed_up_to_[used]) > 1e5
