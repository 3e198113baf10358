"""What the forest estimators find, for all kinds of targets and tables."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from forest_cases import NAMES, classifier, regressor, signal
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.svm import LinearSVC

from allrelevant import ForestRelevanceClassifier
from allrelevant.datasets import make_nonlinear
from allrelevant.forest import learners


def answers(model):
    return model.relevance_classes_, model.intervals_, model.p_values_, model.groups_


def assert_same(one, other):
    for a, b in zip(answers(one)[:3], answers(other)[:3], strict=True):
        np.testing.assert_array_equal(a, b)
    assert one.groups_ == other.groups_


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = signal()
    return classifier().fit(X, y)


# Targets


@pytest.mark.slow
def test_two_classes(fitted):
    _, _, truth = signal()
    np.testing.assert_array_equal(fitted.relevance_classes_, truth)
    assert [group.features for group in fitted.groups_] == [(2, 3)]
    assert fitted.groups_[0].p_value < 0.01
    assert not fitted.tentative_[truth > 0].any()
    assert (fitted.intervals_[:, 0] <= fitted.intervals_[:, 1]).all()
    assert fitted.intervals_[truth > 0, 1].min() > fitted.threshold_
    assert fitted.intervals_[truth == 1, 0].max() < 0.3 * fitted.intervals_[truth == 1, 1].min()
    assert (fitted.p_values_[truth > 0, 1] < 0.05).all()


@pytest.mark.slow
def test_numbers():
    X, y, truth = signal(n_classes=None)
    model = regressor().fit(X, 1000.0 + 5.0 * y)
    np.testing.assert_array_equal(model.relevance_classes_, truth)
    assert model.score(X, 1000.0 + 5.0 * y) > 0.8


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
@pytest.mark.parametrize("ordinal", [False, True])
def test_several_classes(ordinal):
    X, y, truth = signal(300, n_classes=3)
    words = np.array(["low", "mid", "top"])[y]
    model = classifier(ordinal=ordinal).fit(X, words)
    np.testing.assert_array_equal(model.relevance_classes_, truth)
    assert model.classes_.tolist() == ["low", "mid", "top"]
    assert model.score(X, words) > 0.8
    assert model.result_.task == ("ordinal" if ordinal else "classification")


@pytest.mark.slow
def test_order_of_classes_is_the_given_one():
    X, y, _ = signal(200, n_classes=3)
    words = np.array(["small", "medium", "large"])[y]
    order = ["small", "medium", "large"]
    given = classifier(ordinal=True, classes=order, estimator="linear").fit(X, words)
    ranks = classifier(ordinal=True, estimator="linear").fit(X, y)
    assert given.classes_.tolist() == order
    assert_same(given, ranks)


@pytest.mark.slow
def test_rare_class():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((800, 6))
    y = ((np.abs(X[:, 0]) > 1.3) & (X[:, 1] > 0.3)).astype(int)
    assert y.mean() < 0.1
    unweighted, balanced = classifier().fit(X, y), classifier(class_weight="balanced").fit(X, y)
    for model in (unweighted, balanced):
        np.testing.assert_array_equal(model.relevance_classes_, [2, 2, 0, 0, 0, 0])
    assert balanced.predict(X).sum() >= unweighted.predict(X).sum()


@pytest.mark.slow
def test_far_outliers_of_the_target_do_not_hide_the_signal():
    X, y, truth = signal(n_classes=None)
    y = y.copy()
    y[::60] = 1e6
    np.testing.assert_array_equal(regressor().fit(X, y).relevance_classes_, truth)


# Tables


@pytest.mark.slow
def test_missing_values():
    X, y, truth = signal(300)
    X = X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    model = classifier().fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_ > 0, truth > 0)
    assert np.isin(model.predict(X), (0, 1)).all()


@pytest.mark.slow
def test_being_missing_can_be_the_signal():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 4))
    y = rng.integers(0, 2, 300)
    X[y == 1, 2] = np.where(rng.random((y == 1).sum()) < 0.6, np.nan, X[y == 1, 2])
    found = classifier().fit(X, y).relevance_classes_
    np.testing.assert_array_equal(found, [0, 0, 2, 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "estimator"),
    [("pandas", "lightgbm"), ("polars", "lightgbm"), ("pandas", ExtraTreesClassifier(10))],
    ids=["pandas", "polars", "any learner"],
)
def test_categorical_columns(kind, estimator):
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue", "white"], 300)
    size = rng.standard_normal(300)
    useless = rng.choice(["a", "b", "c"], 300)
    y = np.where(np.isin(colour, ["red", "white"]), size > -0.8, size > 0.8).astype(int)
    if kind == "pandas":
        frame = pd.DataFrame({"colour": colour, "size": size, "useless": useless})
        frame = frame.astype({"colour": "category", "useless": "category"})
    else:
        frame = pl.DataFrame({"colour": colour, "size": size, "useless": useless})
        frame = frame.with_columns(pl.col("colour", "useless").cast(pl.Categorical))
    model = classifier(estimator=estimator).fit(frame, y)
    np.testing.assert_array_equal(model.relevance_classes_, [2, 2, 0])
    assert model.score(frame, y) > 0.9


@pytest.mark.slow
def test_unknown_category_counts_as_missing():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"site": rng.choice(["a", "b"], 100), "x": rng.standard_normal(100)})
    frame = frame.astype({"site": "category"})
    y = (frame["site"] == "a").to_numpy().astype(int)
    model = classifier(estimator="lightgbm").fit(frame, y)
    unknown = pd.DataFrame({"site": pd.Categorical(["z"]), "x": [0.0]})
    gap = pd.DataFrame({"site": pd.Categorical([None], categories=["a", "b"]), "x": [0.0]})
    np.testing.assert_array_equal(model.predict_proba(unknown), model.predict_proba(gap))


@pytest.mark.slow
def test_constant_and_empty_columns_are_irrelevant(fitted):
    X, y, _ = signal()
    useless = np.column_stack([np.full(len(X), 3.0), np.full(len(X), np.nan)])
    model = classifier().fit(np.hstack([useless, X]), y)
    np.testing.assert_array_equal(model.relevance_classes_[:2], [0, 0])
    np.testing.assert_array_equal(model.relevance_classes_[2:], fitted.relevance_classes_)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, None])
def test_noise_gives_the_empty_set_and_a_warning(n_classes):
    X, y, _ = make_nonlinear(150, kind="noise", n_irrelevant=6, n_classes=n_classes, random_state=0)
    model = classifier() if n_classes else regressor()
    with pytest.warns(UserWarning, match="no learnable signal"):
        model.fit(X, y)
    assert not model.support_.any()
    assert "no learnable signal" in repr(model.result_)
    assert len(np.unique(model.predict(X))) == 1


def test_constant_target_gives_the_empty_set_and_a_warning():
    X, _, _ = signal(50)
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = regressor().fit(X, np.full(50, 4.0))
    np.testing.assert_array_equal(model.predict(X), np.full(50, 4.0))


# The same answer


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal")
def test_refitting_gives_the_same_answer(fitted):
    X, y, _ = signal()
    again = classifier().fit(X[:50], y[:50]).fit(X, y)
    assert_same(again, fitted)
    assert again.result_ == fitted.result_


@pytest.mark.slow
def test_number_of_processes_does_not_matter():
    X, y, _ = signal(150)
    model = classifier(estimator="linear")
    one, two = (clone(model).set_params(n_jobs=n).fit(X, y) for n in (1, 2))
    assert_same(one, two)


@pytest.mark.slow
def test_column_order_does_not_matter(fitted):
    X, y, _ = signal()
    order = [4, 2, 0, 5, 3, 1]
    moved = classifier().fit(X[:, order], y)
    np.testing.assert_array_equal(moved.intervals_, fitted.intervals_[order])
    np.testing.assert_array_equal(moved.relevance_classes_, fitted.relevance_classes_[order])


@pytest.mark.slow
def test_column_order_of_genotypes_changes_no_class():
    X, y, truth = make_nonlinear(
        600, kind="genotypes", n_strong=2, n_weak=2, n_irrelevant=3, n_groups=1, random_state=1
    )
    order = np.random.default_rng(0).permutation(X.shape[1])
    model = classifier().fit(X[:, order], y)
    np.testing.assert_array_equal(model.relevance_classes_, truth[order])


@pytest.mark.slow
def test_seed_changes_numbers_but_not_the_classes(fitted):
    X, y, _ = signal()
    other = classifier(random_state=1).fit(X, y)
    assert not np.array_equal(other.intervals_, fitted.intervals_)
    np.testing.assert_array_equal(other.relevance_classes_, fitted.relevance_classes_)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal")
@pytest.mark.parametrize("discrete", [False, True])
def test_weight_two_is_the_row_twice(discrete):
    X, y, _ = signal(150)
    X = np.round(X) if discrete else X
    weight = np.random.default_rng(0).integers(0, 3, len(X))
    model = classifier(estimator="linear")
    weighted = model.fit(X, y, sample_weight=weight).result_
    repeated = model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).result_
    assert weighted == repeated


@pytest.mark.slow
def test_weights_matter():
    X, y, _ = signal(150)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(X))
    model = classifier(estimator="linear")
    weighted = model.fit(X, y, sample_weight=weight).intervals_
    assert not np.array_equal(weighted, model.fit(X, y).intervals_)


@pytest.mark.slow
def test_a_bootstrap_does_not_learn_its_own_copies():
    X, y, _ = make_nonlinear(120, kind="noise", n_irrelevant=8, random_state=1)
    rows = np.random.default_rng(0).integers(0, 120, 300)
    with pytest.warns(UserWarning, match="no learnable signal"):
        classifier(estimator="lightgbm").fit(X[rows], y[rows])


# Learners


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [ExtraTreesClassifier(15, min_samples_leaf=2), LinearSVC()],
    ids=lambda estimator: type(estimator).__name__,
)
def test_other_learners_find_the_relevant_ones(estimator):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    model = classifier(estimator=estimator).fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_, [2, 2, 0])
    assert model.score(X, y) > 0.9


@pytest.mark.slow
def test_auto_prefers_a_line_where_the_data_are_linear():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 8))
    auto = classifier(estimator="auto")
    auto.fit(X, (X[:, :5].sum(axis=1) > 0).astype(int))
    assert auto.learner_ in ("linear", "products")  # the latter leaves columns of noise out
    assert auto.fit(X, (np.abs(X[:, 0]) > 0.7).astype(int)).learner_ == "trees"


@pytest.mark.slow
def test_without_lightgbm_the_answer_is_the_same_in_kind(monkeypatch):
    monkeypatch.setattr(learners, "has_lightgbm", lambda: False)
    monkeypatch.setattr("allrelevant.forest.choice.has_lightgbm", lambda: False)
    X, y, truth = signal(200)
    model = classifier(estimator="auto").fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_, truth)
    monkeypatch.setattr("allrelevant.forest.base.has_lightgbm", lambda: False)
    with pytest.raises(ValueError, match=r"allrelevant\[forest\]"):
        classifier(estimator="lightgbm").fit(X, y)


# Harder relations


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape",
    [
        {"kind": "sum", "n_strong": 1, "n_weak": 3, "n_groups": 1},
        {"kind": "functions", "n_strong": 1, "n_weak": 3, "n_groups": 1},
        {"kind": "difference", "n_strong": 2, "n_weak": 2, "n_groups": 1},
        {"kind": "mixed", "n_strong": 3, "n_weak": 2, "n_groups": 1},
    ],
    ids=lambda shape: shape["kind"],
)
def test_harder_relations(shape):
    X, y, truth = make_nonlinear(600, **shape, n_irrelevant=3, random_state=0)
    model = ForestRelevanceClassifier(random_state=0, max_blocks=2).fit(X, y)
    np.testing.assert_array_equal(model.relevance_classes_, truth)
    grouped = [j for group in model.groups_ for j in group.features]
    np.testing.assert_array_equal(sorted(grouped), np.flatnonzero(truth == 1))


@pytest.mark.slow
def test_names_are_those_of_the_frame():
    X, y, truth = signal(200)
    result = classifier(estimator="linear").fit(pd.DataFrame(X, columns=NAMES), y).result_
    assert result.names == tuple(NAMES)
    assert set(result.strong) | set(result.weak) | set(result.irrelevant) == set(NAMES)
    assert len(truth) == result.n_features


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "weights"), [(1, None), (2, "balanced")])
def test_a_rare_class(seed, weights):
    """With one positive row in twenty many trees learn the sample by heart."""
    X = np.random.default_rng(seed).standard_normal((600, 10))
    score = X[:, 0] + X[:, 1] * X[:, 2]
    model = ForestRelevanceClassifier(random_state=0, class_weight=weights)
    model.fit(X, score > np.quantile(score, 0.95))
    assert model.learner_ == "products"
    assert np.flatnonzero(model.relevance_classes_).tolist() == [0, 1, 2]


@pytest.mark.slow
def test_a_forest_is_chosen_where_it_predicts_best():
    random = np.random.default_rng(300)
    X = random.standard_normal((400, 8))
    y = np.where(X[:, 0] > 0, X[:, 1] > 0.5, X[:, 2] > 0.5) ^ (random.random(400) < 0.15)
    model = ForestRelevanceClassifier(random_state=0, max_blocks=2).fit(X, y)
    assert model.learner_ == "forest"
    assert model.relevance_classes_.tolist() == [2, 2, 2, 0, 0, 0, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_what_has_proxies_is_strong_and_what_has_copies_is_weak(seed):
    random = np.random.default_rng(seed)
    X = random.standard_normal((150, 6))
    proxies = 0.8 * X[:, :2] + 0.6 * random.standard_normal((150, 2))
    y = X[:, 0] + X[:, 1] + 0.5 * random.standard_normal(150)
    found = regressor().fit(np.hstack([X, proxies]), y).relevance_classes_
    assert found.tolist() == [2, 2, 0, 0, 0, 0, 1, 1]
    copies = X[:, [0, 0]] + 0.4 * random.standard_normal((150, 2))
    found = regressor().fit(np.hstack([X[:, 1:], copies]), y).relevance_classes_
    assert found.tolist() == [2, 0, 0, 0, 0, 1, 1]
