"""Groups of columns against one full linear program per pattern of signs."""

import pickle
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case
from every_model import EveryModel, privileged_models, simulated_models
from helpers import MODELS

from allrelevant import RelevanceClassifier, RelevanceResult
from allrelevant.base.three_classes import classify
from allrelevant.linear.engine.ranges import RangeSolver
from allrelevant.linear.questions.column_groups import beside, smallest_norm
from allrelevant.linear.questions.sign_patterns import largest_norm

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
NAMES = ["a", "b", "c", "d", "e"]


def ends(solver, columns):
    return np.array([(r.low.value, r.high.value) for r in solver.ranges(columns)]).T


# The two ends


@pytest.mark.slow
@every_model
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_both_ends_are_those_of_the_full_programs(model, budget):
    models = simulated_models(model, tolerance=0.2, budget=budget)
    every, solver = EveryModel(models), RangeSolver(models)
    for columns in ([0, 3], [1, 2, 4], [0, 1, 2, 3, 4, 5]):
        chosen = np.array(columns)
        sizes = np.isin(np.arange(6), columns).astype(float)
        least = every.least(every.cost(sizes=sizes))
        assert smallest_norm(solver, chosen).value == pytest.approx(least, abs=1e-6)
        most = largest_norm(solver, chosen, *ends(solver, chosen))
        assert most.is_exact
        assert most.bound == pytest.approx(every.largest_norm(columns), abs=1e-6)


def test_side_information_may_stand_beside():
    models = privileged_models(tolerance=0.3)
    every, solver = EveryModel(models), RangeSolver(models)
    columns = np.array([0, 3])
    sizes = np.array([1.0, 0, 0, 1.0, 0, 0, 0])
    assert smallest_norm(solver, columns).value == pytest.approx(
        every.least(every.cost(sizes=sizes)), abs=1e-6
    )
    most = largest_norm(solver, columns, *ends(solver, columns))
    assert most.bound == pytest.approx(every.largest_norm([0, 3]), abs=1e-6)
    larger = beside(models, models.X[::-1, :2])
    assert larger.n_features == models.n_features + 2
    assert larger.kinds.tolist() == [*models.kinds, 0, 0]


@every_model
def test_loose_bounds_on_the_weights_give_the_same_largest_norm(model):
    models = simulated_models(model, tolerance=0.2)
    solver, columns = RangeSolver(models), np.arange(3)
    wide = np.full(3, 2.0 * models.largest_norm)
    tight = largest_norm(solver, columns, *ends(solver, columns))
    loose = largest_norm(solver, columns, -wide, wide)
    assert loose.bound == pytest.approx(tight.bound, abs=1e-6)


def test_with_too_many_patterns_the_answer_is_a_bound_and_says_so():
    models = simulated_models(MODELS["classification"], tolerance=0.5)
    solver, columns = RangeSolver(models), np.array([1, 2, 4])
    exact = largest_norm(solver, columns, *ends(solver, columns))
    wide = np.full(3, models.largest_norm)
    cut_short = largest_norm(solver, columns, -wide, wide, most_programs=1)
    assert not cut_short.is_exact
    assert cut_short.attained.value <= exact.attained.value + 1e-6 <= cut_short.bound + 2e-6


# In a fit


@every_case
def test_groups_of_an_estimator(case):
    X, y = case.data()
    frame = pd.DataFrame(X, columns=NAMES)
    groups = {"twins": ["b", "c"], "noise": [3, -1]}
    model = case.make(column_groups=groups, tolerance=0.15).fit(frame, y)
    plain = case.fitted(tolerance=0.15)
    np.testing.assert_array_equal(model.intervals_, plain.intervals_)
    np.testing.assert_array_equal(model.relevance_classes_, plain.relevance_classes_)
    assert plain.column_group_intervals_ == {}
    every, norm = EveryModel(model.equivalent_models_), model.result_.baseline["norm"]
    for name, columns in (("twins", [1, 2]), ("noise", [3, 4])):
        low, high = model.column_group_intervals_[name]
        sizes = np.isin(np.arange(5), columns).astype(float)
        assert low == pytest.approx(every.least(every.cost(sizes=sizes)) / norm, abs=1e-6)
        assert high == pytest.approx(every.largest_norm(columns) / norm, abs=1e-6)


@pytest.mark.slow
def test_what_can_be_spared_singly_may_be_needed_together():
    """Two copies are weak, each of them; as a group they are strong."""
    X, y = CASES["classification"].data(n_samples=150)
    groups = {"either copy": [1, 2], "noise": [3, 4]}
    model = RelevanceClassifier(random_state=0, tolerance=0.1, column_groups=groups).fit(X, y)
    assert model.relevance_classes_.tolist() == [2, 1, 1, 0, 0]
    shown = model.result_.column_groups
    assert shown["either copy"]["class"] == "strong"
    assert shown["noise"]["class"] == "irrelevant"


def test_a_group_of_one_column_is_that_column():
    X, y = CASES["classification"].data()
    model = CASES["classification"].make(column_groups={"only": [1]}).fit(X, y)
    np.testing.assert_allclose(
        model.column_group_intervals_["only"], model.intervals_[1], atol=1e-6
    )


def test_the_noise_threshold_is_what_the_permuted_group_reaches():
    X, y = CASES["classification"].data()
    groups = {"all noise": [3, 4]}
    model = CASES["classification"].make(column_groups=groups, n_probes=5).fit(X, y)
    models, norm = model.equivalent_models_, model.result_.baseline["norm"]
    group = model.result_.column_groups["all noise"]
    assert group["threshold"] > 0
    # Two columns of noise reach at least as far as one: the largest of any order of the rows.
    reached = []
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(models.X))
        larger = beside(models, models.X[order][:, [3, 4]])
        reached.append(EveryModel(larger).largest_norm([5, 6]) / norm)
    assert min(reached) < model.fitted_set_.column_groups["all noise"].noise < 3 * max(reached)
    interval = np.array([model.column_group_intervals_["all noise"]])
    expected = classify(interval, np.array([0.0, group["threshold"]]))[0]
    assert group["class"] == ("irrelevant", "weak", "strong")[expected]


def test_weighted_rows_and_processes_give_groups_too():
    X, y = CASES["classification"].data()
    weight = np.where(np.arange(len(y)) % 3, 1.0, 1.7)
    make = CASES["classification"].make
    groups = {"twins": [1, 2]}
    once = make(column_groups=groups).fit(X, y, sample_weight=weight)
    again = make(column_groups=groups).fit(X, y, sample_weight=weight)
    assert once.result_.column_groups == again.result_.column_groups
    assert once.column_group_intervals_["twins"][1] > 0


def test_where_nothing_is_learned_groups_are_irrelevant():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3, column_groups={"both": [0, 1]}).fit(
            X, np.arange(40) % 2
        )
    assert model.column_group_intervals_ == {"both": (0.0, 0.0)}
    assert model.result_.column_groups["both"]["class"] == "irrelevant"


# In the result


@pytest.fixture(scope="module")
def grouped():
    X, y = CASES["classification"].data()
    frame = pd.DataFrame(X, columns=NAMES)
    return CASES["classification"].make(column_groups={"twins": ["c", "b"]}).fit(frame, y)


def test_a_group_is_one_row_where_its_first_column_was(grouped):
    result = grouped.result_
    table = result.to_frame(grouped=True)
    assert table["feature"].tolist() == ["a", "twins", "d", "e"]
    assert table.index.tolist() == [0, 1, 3, 4]
    low, high = grouped.column_group_intervals_["twins"]
    row = table.iloc[1]
    assert (row["min"], row["max"]) == (low, high)
    assert row["margin"] == pytest.approx(high - result.column_groups["twins"]["threshold"])
    assert result.to_frame()["feature"].tolist() == NAMES, "unless one asks"
    ordered = result.to_frame(sort=True, grouped=True)
    assert sorted(ordered["feature"]) == ["a", "d", "e", "twins"]


def test_a_group_is_in_every_view_and_survives_storage(grouped):
    result = grouped.result_
    line = "twins (2 columns): "
    assert line in repr(result)
    assert line in result._repr_html_()
    assert RelevanceResult.from_json(result.to_json()) == result
    assert result.column_groups["twins"]["columns"] == ("c", "b")


def test_results_from_before_there_were_groups_can_be_read(grouped):
    text = grouped.result_.to_json().replace('"column_groups"', '"something_else"')
    assert RelevanceResult.from_json(text).column_groups == {}


def test_a_bound_is_shown_as_one(grouped):
    group = dict(grouped.result_.column_groups["twins"]) | {"is_exact": False}
    assert "max ≤ " in repr(replace(grouped.result_, column_groups={"twins": group}))
    assert "max ≤ " not in repr(grouped.result_)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"g": ["a", "z"]}, r"column_groups\['g'\] names 'z', which is no feature"),
        ({"g": ["A"]}, "names 'A', which is no feature: did you mean 'a'?"),
        ({"g": [0, 7]}, r"column_groups\['g'\] names position 7"),
        ({"g": []}, r"column_groups\['g'\] is empty"),
        ({"g": ["a", "b"], "h": ["b"]}, "column 'b' in 'g' and in 'h'"),
        ({"g": ["a", 0]}, "column 'a' in 'g' and in 'g'"),
        ({"g": "ab"}, r"column_groups\['g'\] must list columns"),
        ({"g": 3}, r"column_groups\['g'\] must list columns"),
        ({1: ["a"]}, "must name its groups by strings, got 1"),
        (["a", "b"], "column_groups must map names to lists"),
    ],
)
def test_bad_groups(groups, message):
    X, y = CASES["classification"].data()
    estimator = CASES["classification"].make(column_groups=groups)
    with pytest.raises(ValueError, match=message):
        estimator.fit(pd.DataFrame(X, columns=NAMES), y)


@pytest.mark.slow
@pytest.mark.parametrize("n_levels", [3, 6])
def test_a_category_that_every_model_needs_is_not_called_irrelevant(n_levels):
    """Its levels make up all samples, so their largest sum says as little as that of noise."""
    classes = []
    for seed in range(3, 6):
        random = np.random.default_rng(seed)
        city, other = random.integers(0, n_levels, (2, 150))
        X = pd.DataFrame({"age": random.normal(size=150), "day": random.normal(size=150)})
        groups = {}
        for name, levels in (("city", city), ("other", other)):
            groups[name] = [f"{name} {level}" for level in range(n_levels)]
            X[groups[name]] = levels[:, None] == np.arange(n_levels)
        y = X["age"] + 2.0 * (city == 0) + 0.3 * random.normal(size=150) > 0.8
        model = RelevanceClassifier(column_groups=groups, random_state=0).fit(X, y)
        found = model.result_.column_groups
        assert found["city"]["min"] > 0.1, "no model does without"
        classes.append((found["city"]["class"], found["other"]["class"]))
    assert classes == [("strong", "irrelevant")] * 3


# Witnesses


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("budget", ["split", "joint"])
def test_both_ends_have_a_model_that_attains_them(case, budget):
    X, y = case.data()
    frame = pd.DataFrame(X, columns=NAMES)
    groups = {"twins": ["b", "c"], "others": ["a", "d", "e"]}
    model = case.make(column_groups=groups, tolerance=0.15, budget=budget).fit(frame, y)
    every = model.equivalent_models_
    for name, (low, high) in model.column_group_intervals_.items():
        places = [NAMES.index(column) for column in groups[name]]
        for bound, share in (("min", low), ("max", high)):
            found = model.witness(name, bound)
            assert np.abs(found.weights_[places]).sum() == pytest.approx(share, abs=1e-6)
            spent = every.norm_factors * found.norm_ + every.loss_factors * found.loss_
            assert (spent <= every.limits * (1 + 1e-6) + 1e-6).all()
            if share == 0:
                assert not set(found.features_) & set(groups[name]), "exactly 0, not nearly"


@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
def test_a_constant_is_the_witness_of_everything_where_nothing_is_learned():
    random = np.random.default_rng(0)
    model = RelevanceClassifier(random_state=0, column_groups={"both": [0, 1]})
    model.fit(random.normal(size=(60, 3)), [0, 1, 1] * 20)
    assert model.equivalent_models_ is None
    for bound in ("min", "max"):
        assert model.witness("both", bound).features_ == ()


@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_the_witness_of_a_bound_is_the_best_model_known(monkeypatch):
    X, y = CASES["classification"].data()
    groups = {"all": [0, 1, 2, 3, 4]}
    make = CASES["classification"].make
    exact = make(column_groups=groups, tolerance=0.5).fit(X, y)
    few = partial(largest_norm, most_programs=0)
    monkeypatch.setattr("allrelevant.linear.questions.column_groups.largest_norm", few)
    model = make(column_groups=groups, tolerance=0.5).fit(X, y)
    assert not model.result_.column_groups["all"]["is_exact"]
    reached = np.abs(model.witness("all", "max").weights_).sum()
    most = exact.column_group_intervals_["all"][1]
    assert 0 < reached <= most + 1e-6 <= model.column_group_intervals_["all"][1] + 2e-6


@pytest.mark.slow
def test_witnesses_outlive_processes_and_pickling():
    X, y = CASES["classification"].data()
    make = partial(CASES["classification"].make, column_groups={"twins": [1, 2]})
    one, two = make().fit(X, y), make(n_jobs=2).fit(X, y)
    again = pickle.loads(pickle.dumps(two))
    for bound in ("min", "max"):
        expected = one.witness("twins", bound).weights_
        np.testing.assert_allclose(again.witness("twins", bound).weights_, expected, atol=1e-9)
