"""Features of several columns, as a fit finds them, against full linear programs."""

import pickle
from functools import partial

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, every_case
from every_model import EveryModel
from scipy.stats import false_discovery_control

from allrelevant import RelevanceClassifier, RelevanceResult
from allrelevant.base.three_classes import classify
from allrelevant.linear.fit.ranges.norms import largest_norm

NAMES = ["a", "b", "c", "d", "e"]


# In a fit


@pytest.mark.slow
@every_case
def test_groups_of_an_estimator(case):
    X, y = case.data()
    frame = pd.DataFrame(X, columns=NAMES)
    groups = {"twins": ["b", "c"], "noise": [3, -1]}
    model = case.make(column_groups=groups, tolerance=0.15).fit(frame, y)
    plain = case.fitted(tolerance=0.15)
    np.testing.assert_array_equal(model.intervals_, plain.intervals_)
    np.testing.assert_array_equal(model.relevance_classes_, plain.relevance_classes_)
    assert model.result_.names == ("a", "twins", "noise")
    assert plain.result_.columns == {}
    every, norm = EveryModel(model.equivalent_models_), model.result_.baseline["norm"]
    for name, columns in (("twins", [1, 2]), ("noise", [3, 4])):
        low, high = model.result_.interval(name)
        sizes = np.isin(np.arange(5), columns).astype(float)
        assert low == pytest.approx(every.least(every.cost(sizes=sizes)) / norm, abs=1e-6)
        assert high == pytest.approx(every.largest_norm(columns) / norm, abs=1e-6)


@pytest.mark.slow
def test_what_is_said_of_the_tolerance_is_said_of_features():
    random = np.random.default_rng(0)
    size = random.normal(size=150)
    columns = {name: size + 0.3 * random.normal(size=150) for name in "ab"}
    frame = pd.DataFrame({**columns, "c": random.normal(size=150)})
    y = size + 0.5 * random.normal(size=150) > 0
    make = partial(RelevanceClassifier, C=1.0, n_probes=20, tolerance=0.5, random_state=0)
    with pytest.warns(UserWarning, match=r"no feature is strong: .* 'b' is strong\."):
        make().fit(frame, y)
    model = make(column_groups={"size": ["a", "b"]}).fit(frame, y)
    assert model.result_.strong == ("size",)
    assert model.result_.warnings == ()
    other = frame.assign(c=size + 0.5 * random.normal(size=150))
    with pytest.warns(UserWarning, match=r"no feature is strong: .* 'size' is strong\."):
        make(column_groups={"size": ["a", "b"]}).fit(other, y)


@pytest.mark.slow
def test_nobody_says_that_nothing_is_strong_where_several_columns_are():
    random = np.random.default_rng(0)
    z = random.normal(size=200)
    X = np.column_stack([z, z]) + 0.4 * random.normal(size=(200, 2))
    y = z + 0.5 * random.normal(size=200) > 0
    with pytest.warns(UserWarning, match=r"no feature is strong: .* 'x[01]' is strong\."):
        RelevanceClassifier(tolerance=0.5, random_state=0).fit(X, y)
    model = RelevanceClassifier(column_groups={"z": [0, 1]}, tolerance=0.5, random_state=0)
    assert model.fit(X, y).result_.class_names == ("strong",)  # and no warning, which is an error


@pytest.mark.slow
def test_what_can_be_spared_singly_may_be_needed_together():
    """Two copies are weak, each of them; as a group they are strong."""
    X, y = CASES["classification"].data(n_samples=150)
    groups = {"either copy": [1, 2], "noise": [3, 4]}
    model = RelevanceClassifier(random_state=0, tolerance=0.1, column_groups=groups).fit(X, y)
    assert model.relevance_classes_.tolist() == [2, 1, 1, 0, 0]
    assert model.result_.names == ("x0", "either copy", "noise")
    assert model.result_.class_names == ("strong", "strong", "irrelevant")
    assert model.get_support().tolist() == [True, True, True, False, False]


def test_a_group_of_one_column_is_that_column():
    X, y = CASES["classification"].data()
    model = CASES["classification"].make(column_groups={"only": [1]}).fit(X, y)
    plain = CASES["classification"].make().fit(X, y)
    np.testing.assert_array_equal(model.result_.intervals, plain.result_.intervals)
    np.testing.assert_array_equal(model.result_.p_values, plain.result_.p_values)
    assert model.result_.names == ("x0", "only", "x2", "x3", "x4")
    assert model.result_.columns == {}
    for name in ("only", "x1"):
        np.testing.assert_array_equal(model.witness(name).coef_, plain.witness("x1").coef_)


def test_the_noise_threshold_is_what_the_permuted_group_reaches():
    X, y = CASES["classification"].data()
    groups = {"all noise": [3, 4]}
    model = CASES["classification"].make(column_groups=groups, n_probes=5).fit(X, y)
    models, norm = model.equivalent_models_, model.result_.baseline["norm"]
    result = model.result_
    place = result.names.index("all noise")
    threshold = result.upper_thresholds[place]
    assert threshold > 0
    # Two columns of noise reach at least as far as one: the largest of any order of the rows.
    reached = []
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(models.X))
        larger = models.beside(models.X.dense()[order][:, [3, 4]])
        reached.append(EveryModel(larger).largest_norm([5, 6]) / norm)
    assert min(reached) < model.fitted_set_.several[place].noise < 3 * max(reached)
    interval = np.array([result.interval("all noise")])
    assert result.classes[place] == classify(interval, np.array([0.0, threshold]))[0]


@pytest.mark.slow
def test_weighted_rows_and_processes_give_groups_too():
    X, y = CASES["classification"].data()
    weight = np.where(np.arange(len(y)) % 3, 1.0, 1.7)
    make = CASES["classification"].make
    groups = {"twins": [1, 2]}
    once = make(column_groups=groups).fit(X, y, sample_weight=weight)
    again = make(column_groups=groups).fit(X, y, sample_weight=weight)
    assert once.result_ == again.result_
    assert once.result_.interval("twins")[1] > 0


def test_where_nothing_is_learned_groups_are_irrelevant():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3, column_groups={"both": [0, 1]}).fit(
            X, np.arange(40) % 2
        )
    assert model.result_.interval("both") == (0.0, 0.0)
    assert model.result_.irrelevant == ("both",)


# Noise


@pytest.mark.slow
def test_noise_of_several_columns_passes_as_often_as_it_may():
    """At a level of 5 %, 8 times; if one of six columns had to pass by itself a third would."""
    passed = 0
    for seed in range(4):
        random = np.random.default_rng(seed)
        frame = pd.DataFrame({"a": random.normal(size=60)})
        for name in ("b", "c"):
            frame[name] = random.choice(list("uvwxyz"), 60)
        y = frame["a"] + 0.5 * random.normal(size=60) > 0
        result = RelevanceClassifier(C=1.0, confidence=0.95, random_state=0).fit(frame, y).result_
        passed += (result.classes[1:] > 0).sum()
        np.testing.assert_array_equal(result.classes > 0, result.p_values <= 0.05)
        np.testing.assert_allclose(result.q_values, false_discovery_control(result.p_values))
    assert passed <= 1


@pytest.mark.slow
def test_a_feature_of_several_columns_can_be_either():
    """Its p-value and the level, which features agree on, are near each other."""
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 6))
    y = X[:, 0] + 0.25 * X[:, 1:4].sum(axis=1) + 0.8 * random.normal(size=60) > 0
    make = partial(RelevanceClassifier, C=1.0, n_probes=30, random_state=0)
    model = make(column_groups={"three": [1, 2, 3]}, confidence=0.999).fit(X, y)
    p = model.result_.p_values[1]
    level = model.result_.baseline["level"]
    near = make(column_groups={"three": [1, 2, 3]}, confidence=1.0 - 1.2 * p).fit(X, y)
    assert level < p < near.result_.baseline["level"] < 0.5
    assert near.result_.borderline[1]
    assert near.result_.class_names[1] != "irrelevant"
    assert model.result_.class_names[1] == "irrelevant"


# In the result


@pytest.fixture(scope="module")
def grouped():
    X, y = CASES["classification"].data()
    frame = pd.DataFrame(X, columns=NAMES)
    return CASES["classification"].make(column_groups={"twins": ["c", "b"]}).fit(frame, y)


def test_a_feature_is_one_row_where_its_first_column_was(grouped):
    result = grouped.result_
    table = result.to_frame()
    assert table["feature"].tolist() == ["a", "twins", "d", "e"]
    assert table.index.tolist() == [0, 1, 2, 3]
    row = table.iloc[1]
    assert (row["min"], row["max"]) == result.interval("twins")
    assert row["margin"] == pytest.approx(row["max"] - result.upper_thresholds[1])
    assert row[["low", "high"]].isna().all()
    assert 0.0 < row["p"] <= row["q"] <= 1.0
    weights = np.array(result.columns["twins"]["weights"])
    assert result.weights[1] == pytest.approx(np.abs(weights).sum())
    assert sorted(result.to_frame(sort=True)["feature"]) == ["a", "d", "e", "twins"]


def test_its_columns_are_there_by_themselves(grouped):
    own = grouped.result_.columns["twins"]
    assert own["names"] == ("c", "b"), "as they were given"
    np.testing.assert_array_equal(own["intervals"], grouped.intervals_[[2, 1]])
    np.testing.assert_array_equal(own["signed_intervals"], grouped.signed_intervals_[[2, 1]])
    assert own["is_exact"]


def test_what_indexes_columns_speaks_of_columns(grouped):
    """As scikit-learn has it; columns of one feature are selected together."""
    assert grouped.n_features_in_ == 5
    for name in ("intervals_", "signed_intervals_", "relevance_classes_", "p_values_"):
        assert len(getattr(grouped, name)) == grouped.coef_.size == 5
    kept = grouped.result_.classes > 0
    assert grouped.get_support().tolist() == kept[[0, 1, 1, 2, 3]].tolist()
    X, _ = CASES["classification"].data()
    assert grouped.transform(pd.DataFrame(X, columns=NAMES)).shape[1] == grouped.support_.sum()


def test_the_baseline_uses_a_feature_once(grouped):
    plain = CASES["classification"].fitted()
    used = plain.fitted_set_.analysis.baseline.weights != 0
    expected = int(used[0]) + int(used[1] or used[2]) + int(used[3]) + int(used[4])
    assert grouped.result_.baseline["n_used"] == expected


def test_a_feature_of_several_columns_survives_storage(grouped):
    result = grouped.result_
    assert RelevanceResult.from_json(result.to_json()) == result
    assert "features of several columns have their own" in repr(result)


def test_results_from_before_there_were_such_features_can_be_read(grouped):
    text = grouped.result_.to_json().replace('"columns"', '"something_else"')
    assert RelevanceResult.from_json(text).columns == {}


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"g": ["a", "z"]}, r"column_groups\['g'\] names 'z', which is not a feature"),
        ({"g": ["A"]}, "names 'A', which is not a feature: did you mean 'a'?"),
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
        found = dict(zip(model.result_.names, model.result_.class_names, strict=True))
        assert model.result_.interval("city")[0] > 0.1, "no model does without"
        classes.append((found["city"], found["other"]))
    assert classes == [("strong", "irrelevant")] * 3


def test_probes_in_the_place_of_features_give_columns_the_threshold_of_all():
    """As in the papers: there is no level that a column's own could be found for."""
    case = CASES["classification"]
    model = case.fitted(probes="replace", n_probes=20, column_groups={"both": [1, 2]})
    compared = model.fitted_set_.analysis.compared
    columns = np.array([1, 2])
    np.testing.assert_array_equal(
        compared.limits(columns, 0.01), compared.classes.thresholds[[1, 1]]
    )


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
    for name in groups:
        low, high = model.result_.interval(name)
        places = [NAMES.index(column) for column in groups[name]]
        for bound, share in (("min", low), ("max", high)):
            found = model.witness(name, bound)
            assert np.abs(found.weights_[places]).sum() == pytest.approx(share, abs=1e-6)
            spent = every.norm_factors * found.norm_ + every.loss_factors * found.loss_
            assert (spent <= every.limits * (1 + 1e-6) + 1e-6).all()
            if share == 0:
                assert name not in found.features_, "exactly 0, not nearly"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
def test_a_constant_is_the_witness_of_everything_where_nothing_is_learned():
    random = np.random.default_rng(0)
    model = RelevanceClassifier(random_state=0, column_groups={"both": [0, 1]})
    model.fit(random.normal(size=(60, 3)), [0, 1, 1] * 20)
    assert model.equivalent_models_ is None
    for bound in ("min", "max"):
        assert model.witness("both", bound).features_ == ()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_the_witness_of_a_bound_is_the_best_model_known(monkeypatch):
    X, y = CASES["classification"].data()
    groups = {"all": [0, 1, 2, 3, 4]}
    make = CASES["classification"].make
    exact = make(column_groups=groups, tolerance=0.5).fit(X, y)
    few = partial(largest_norm, most_programs=0)
    monkeypatch.setattr("allrelevant.linear.fit.ranges.norm_worker.largest_norm", few)
    model = make(column_groups=groups, tolerance=0.5).fit(X, y)
    assert not model.result_.columns["all"]["is_exact"]
    said = "the largest relevance is an upper bound for all"
    assert said in model.result_.warnings
    assert said not in exact.result_.warnings
    reached = np.abs(model.witness("all", "max").weights_).sum()
    most = exact.result_.interval("all")[1]
    assert 0 < reached <= most + 1e-6 <= model.result_.interval("all")[1] + 2e-6


def test_a_model_counts_features_and_says_where_it_lists_columns():
    X = np.random.default_rng(0).normal(size=(80, 10))
    groups = {"both": [0, 1]}
    model = RelevanceClassifier(column_groups=groups, C=10.0, n_probes=10, random_state=0)
    shown = repr(model.fit(X, X.sum(axis=1) > 0).witness("x5", "max"))
    assert shown.startswith("EquivalentModel of 9 features")
    assert shown.endswith(" and 2 more columns")


@pytest.mark.slow
def test_witnesses_outlive_processes_and_pickling():
    X, y = CASES["classification"].data()
    make = partial(CASES["classification"].make, column_groups={"twins": [1, 2]})
    one, two = make().fit(X, y), make(n_jobs=2).fit(X, y)
    again = pickle.loads(pickle.dumps(two))
    for bound in ("min", "max"):
        expected = one.witness("twins", bound).weights_
        np.testing.assert_allclose(again.witness("twins", bound).weights_, expected, atol=1e-9)
