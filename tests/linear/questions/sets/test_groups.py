"""Groups of features that stand in for one another: data whose truth is known."""

import json
import pickle
import warnings
from dataclasses import FrozenInstanceError
from functools import cache

import numpy as np
import pandas as pd
import pytest
from constrained_models import fitted
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.metrics import v_measure_score

from allrelevant import RelevanceClassifier
from allrelevant.linear.questions import FeatureGroups
from allrelevant.linear.questions.sets.trade_offs import TradeOffs


def pairs_and_others(n_pairs, n_unique, n_noise, seed, n=100):
    """Identical pairs, unique features and noise; the true group of each, 0 for noise."""
    random = np.random.default_rng(seed)
    informative = random.normal(size=(n, n_pairs + n_unique))
    weights = random.uniform(0.5, 1.0, n_pairs + n_unique) * random.choice([-1, 1], size=1)
    X = [informative, informative[:, :n_pairs], random.normal(size=(n, n_noise))]
    truth = [*range(1, n_pairs + n_unique + 1), *range(1, n_pairs + 1), *[0] * n_noise]
    return np.hstack(X), np.sign(informative @ weights), np.array(truth)


def grouped(X, y, n_probes=15, **asked):
    model = RelevanceClassifier(C=1.0, n_probes=n_probes, tolerance=0.1, random_state=0).fit(X, y)
    return model, model.groups(**asked)


@pytest.mark.slow
@pytest.mark.parametrize(
    "parts", [(3, 0, 4), (3, 2, 3), (3, 0, 0)], ids=["noise", "unique and noise", "pairs only"]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_identical_pairs_are_found(parts, seed):
    X, y, truth = pairs_and_others(*parts, seed)
    _, found = grouped(X, y)
    assert v_measure_score(truth, found.labels) == pytest.approx(1.0)
    assert all((found.labels == 0) == (truth == 0))


@pytest.mark.slow
def test_the_order_of_columns_does_not_matter():
    X, y, _ = pairs_and_others(3, 1, 2, seed=2)
    order = np.random.default_rng(0).permutation(X.shape[1])
    _, one = grouped(X, y)
    model, other = grouped(X[:, order], y)
    assert v_measure_score(one.labels[order], other.labels) == pytest.approx(1.0)
    heights = np.sort(one.linkage[:, 2]), np.sort(other.linkage[:, 2])
    np.testing.assert_allclose(*heights, atol=1e-6)
    # Groups are numbered as their first members come.
    seen = [label for label in dict.fromkeys(other.labels.tolist()) if label]
    assert seen == sorted(seen)
    assert model.groups().labels.tolist() == other.labels.tolist(), "the same when asked again"


def test_copies_of_one_feature_are_one_group():
    random = np.random.default_rng(3)
    x = random.normal(size=(60, 1))
    X = np.hstack([x, x, x, random.normal(size=(60, 2))])
    _, found = grouped(X, np.sign(x[:, 0] + 0.3 * random.normal(size=60)))
    assert found.labels.tolist() == [1, 1, 1, 0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("n_groups", [1, 2, 3, 5, 50])
def test_a_given_number_of_groups(n_groups):
    X, y, _ = pairs_and_others(3, 0, 2, seed=0)
    _, found = grouped(X, y, n_groups=n_groups)
    relevant = [label for label in found.members if label]
    assert len(relevant) == min(n_groups, 6)


def test_a_given_number_of_groups_where_all_are_irreplaceable():
    """All mergers have the same height."""
    random = np.random.default_rng(0)
    X = random.normal(size=(100, 3))
    model, found = grouped(X, np.sign(X.sum(axis=1)), n_probes=30)
    assert model.relevance_classes_.tolist() == [2, 2, 2]
    assert found.labels.tolist() == [1, 2, 3], "each for itself"
    assert len(model.groups(n_groups=2).members) == 2


def test_one_relevant_feature():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    _, found = grouped(X, np.sign(X[:, 1]))
    assert found.labels.tolist() == [0, 1, 0]
    assert found.members == {0: ("x0", "x2"), 1: ("x1",)}
    assert found.linkage.shape == (0, 4)
    assert found.leaves == ("x1",)


def test_no_relevant_feature():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    found = model.groups(n_groups=3)
    assert found.labels.tolist() == [0, 0]
    assert found.members == {0: ("x0", "x1")}
    assert "0 groups" in repr(found)


@pytest.mark.slow
def test_a_larger_trade_off_asked_for_gives_more_groups():
    X, y, _ = pairs_and_others(3, 1, 2, seed=1)
    model, found = grouped(X, y)
    numbers = [len(model.groups(cut=cut).members) for cut in (1e-6, 0.2, 1.0)]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 1 + len(found.leaves), "each for itself, and the outliers"
    assert model.groups(cut=0.2).height == 0.8


def test_a_small_cut_asks_about_what_correlates_little(monkeypatch):
    """Two pairs of copies and another feature: of ten pairs eight hardly correlate."""
    X, y, _ = pairs_and_others(2, 1, 1, seed=0)
    model, _ = grouped(X, y)
    asked, own = [], TradeOffs.between
    monkeypatch.setattr(TradeOffs, "between", lambda *pair: asked.append(pair) or own(*pair))
    model.groups()
    assert len(asked) == 2
    model.groups(cut=0.001)
    assert len(asked) > 2 + 5


def test_strong_features_that_trade_with_nobody_are_alone():
    X, y, _ = pairs_and_others(2, 2, 1, seed=0)
    model, found = grouped(X, y)
    strong = np.flatnonzero(model.relevance_classes_ == 2)
    assert len(strong) == 2
    for j in strong:
        assert (found.labels == found.labels[j]).sum() == 1
    first_three = model.groups(n_groups=3).labels
    assert all((first_three == first_three[j]).sum() == 1 for j in strong)
    assert found.unsure == ()


@pytest.mark.slow
@pytest.mark.parametrize(("tolerance", "label"), [("auto", "strong"), (0.2, "weak")])
def test_what_trades_stays_together_where_it_becomes_strong(tolerance, label):
    """Among 80 % of the rows one of these is strong or weak, and their trade-off is .5 to .64."""
    data, pair = load_wine(as_frame=True), ["flavanoids", "od280/od315_of_diluted_wines"]
    model = RelevanceClassifier(tolerance=tolerance, random_state=0)
    model.fit(data.data, data.target == 0)
    places = [model.result_.names.index(name) for name in pair]
    assert [model.result_.class_names[j] for j in places] == ["weak", label]
    found = model.groups()
    assert tuple(pair) in found.members.values()
    low, high = model.intervals_[places].T
    ask = TradeOffs(model.equivalent_models_, model.ranges_)
    alike = np.corrcoef(data.data[pair].T)[0, 1]
    height = 1.0 - alike * ask.between(*places) * (1.0 - low / high).min()
    assert height == pytest.approx(found.linkage[:, 2].min(), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["regression", "ordinal-explicit", "reject", "privileged-regression"]
)
def test_every_estimator_has_groups(name):
    model = fitted(name)
    found = model.groups()
    assert found.names == model.result_.names
    np.testing.assert_array_equal(found.labels == 0, model.relevance_classes_ == 0)


def test_views():
    X, y, _ = pairs_and_others(2, 0, 1, seed=0)
    _, found = grouped(X, y)
    frame = found.to_frame()
    assert dict(zip(frame["feature"], frame["group"], strict=True)) == dict(
        zip(found.names, found.labels.tolist(), strict=True)
    )
    document = json.loads(found.to_json())
    assert document["labels"] == found.labels.tolist()
    assert document["linkage"] == found.linkage.tolist()
    again = FeatureGroups.from_json(found.to_json())
    assert again.to_dict() == found.to_dict() == pickle.loads(pickle.dumps(found)).to_dict()
    assert repr(found).startswith("2 groups of features")
    one = FeatureGroups(("a", "b"), np.array([1, 1]), np.zeros((0, 4)), (), 0.0)
    assert repr(one).startswith("1 group of features")
    assert "irrelevant: x4" in repr(found)
    names = tuple(f"x{j}" for j in range(500))
    many = FeatureGroups(names, np.zeros(500, dtype=int), np.zeros((0, 4)), (), 0.0)
    assert repr(many).endswith("\nirrelevant: x0, x1, x2, x3, x4 and 495 more")


def test_groups_cannot_be_changed():
    X, y, _ = pairs_and_others(2, 0, 1, seed=0)
    _, found = grouped(X, y)
    with pytest.raises(ValueError, match="read-only"):
        found.labels[0] = 7
    with pytest.raises(FrozenInstanceError):
        found.labels = None


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"n_groups": 0}, "n_groups"),
        ({"n_groups": 1.5}, "n_groups"),
        ({"cut": 0.0}, "cut must be a number between 0 and 1, but not 0"),
        ({"cut": 1.1}, "cut"),
    ],
)
def test_bad_requests(asked, message):
    with pytest.raises(ValueError, match=message):
        fitted("classification").groups(**asked)


@pytest.mark.slow
@pytest.mark.parametrize("n_twins", [2, 3])
def test_near_copies_are_one_group_beside_a_strong_feature(n_twins):
    random = np.random.default_rng(0)
    strong, hidden = random.normal(size=(2, 200))
    twins = hidden[:, None] + 0.02 * random.normal(size=(200, n_twins))
    X = np.column_stack([strong, twins, random.normal(size=200)])
    y = strong + hidden + 0.3 * random.normal(size=200) > 0
    model = RelevanceClassifier(C=0.3, random_state=0).fit(X, y)
    expected = [1, *[2] * n_twins, 0]
    assert model.relevance_classes_.tolist() == [2, *[1] * n_twins, 0]
    assert model.groups().labels.tolist() == expected
    assert model.groups(n_groups=2).labels.tolist() == expected


def test_progress_is_told_where_it_is_asked_for(capsys, monkeypatch):
    monkeypatch.setattr("allrelevant.base.progress._PATIENCE", 0.0)
    X, y, _ = pairs_and_others(2, 1, 1, seed=0)
    model, quiet = grouped(X, y)
    assert capsys.readouterr() == ("", "")
    model.verbose = 1
    assert model.groups().labels.tolist() == quiet.labels.tolist()
    out, told = capsys.readouterr()
    assert out == ""
    assert "trade-offs of features: 1 of 2" in told


@cache
def breast_cancer(tolerance="auto", confidence=None):
    data = load_breast_cancer(as_frame=True)
    table = data.data
    if tolerance != "auto":  # with much room trade-offs take long: some columns will do
        table = table.filter(regex="^(mean|worst) (radius|perimeter|area|texture|smoothness)")
    found = {}  # neither is searched for twice
    if tolerance != "auto" or confidence is not None:
        found = {"C": breast_cancer().C_, "loss": breast_cancer().loss_}
    asked = {"tolerance": tolerance, "confidence": confidence, "random_state": 0}
    model = RelevanceClassifier(**asked, **found)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no feature is strong", UserWarning)
        return model.fit(table, data.target)


@cache
def groups_of_breast_cancer(tolerance):
    return breast_cancer(tolerance).groups()


@pytest.mark.slow
@pytest.mark.parametrize("tolerance", ["auto", 0.2])
def test_what_is_measured_of_one_thing_is_one_group(tolerance):
    """Known by the names: textures are textures, and radius, perimeter and area are size."""
    found = groups_of_breast_cancer(tolerance)
    members = list(found.members.values())
    size = [
        f"{kind} {what}" for kind in ("mean", "worst") for what in ("radius", "perimeter", "area")
    ]
    assert any(set(size) == set(names) for names in members)
    (textures,) = [names for names in members if "worst texture" in names]
    assert {"mean texture", "worst texture"} <= set(textures)
    assert all("texture" in name for name in textures)


@pytest.mark.slow
def test_groups_that_change_among_subsamples_are_marked():
    """These two are together in one of ten subsamples of 80 % of the rows."""
    found = breast_cancer(confidence=0.995).groups()
    assert found.unsure == ("mean fractal dimension", "fractal dimension error")
    frame = found.to_frame()
    assert frame["feature"][frame["unsure"]].tolist() == list(found.unsure)
    assert repr(found).endswith(f"could be grouped otherwise: {', '.join(found.unsure)}")
    assert FeatureGroups.from_json(found.to_json()).unsure == found.unsure


@pytest.mark.slow
def test_stand_ins_are_of_the_same_group():
    model = breast_cancer()
    members = groups_of_breast_cancer("auto").members.values()
    for feature in ("mean texture", "worst texture"):
        found = model.substitutes(feature)
        assert any({feature, *found.stand_ins} <= set(names) for names in members)


def category(seed=0, n=150):
    """A category of three levels, its code, a number of its own and noise."""
    random = np.random.default_rng(seed)
    level = random.integers(0, 3, n)
    X = np.column_stack([level[:, None] == [0, 1, 2], level, random.normal(size=(n, 2))])
    y = level + X[:, 4] + 0.3 * random.normal(size=n) > 1
    names = ["low", "middle", "high", "code", "own", "noise"]
    return pd.DataFrame(X.astype(float), columns=names), y


@pytest.mark.slow
def test_a_group_of_columns_is_one_feature():
    X, y = category()
    groups = {"level": ["low", "middle", "high"]}
    model = RelevanceClassifier(
        C=1.0, n_probes=15, tolerance=0.1, random_state=0, column_groups=groups
    ).fit(X, y)
    found = model.groups()
    assert found.names == ("level", "code", "own", "noise")
    assert found.members == {0: ("noise",), 1: ("level", "code"), 2: ("own",)}
    ask = TradeOffs(model.equivalent_models_, model.ranges_)
    relevant = [k for k in range(3) if model.relevance_classes_[k]] or [0, 1, 2]
    alike = np.abs(np.corrcoef(X.T)[3])
    best = max(alike[k] * ask.between(k, 3) for k in relevant)
    joined = found.linkage[0]
    assert {found.leaves[int(k)] for k in joined[:2]} == {"level", "code"}
    assert joined[2] == pytest.approx(1.0 - best, abs=1e-6)


@pytest.mark.slow
def test_columns_that_only_matter_together_are_asked_about_all(monkeypatch):
    """A group can be relevant though none of its columns is by itself."""
    X, y = category()
    model = RelevanceClassifier(
        C=1.0, n_probes=15, tolerance=0.1, random_state=0, column_groups={"level": [0, 1, 2]}
    ).fit(X, y)
    model.fitted_set_.analysis.classes.values[:3] = 0
    asked, own = [], TradeOffs.between
    monkeypatch.setattr(
        TradeOffs, "between", lambda self, j, k: asked.append((j, k)) or own(self, j, k)
    )
    model.groups(cut=0.2)
    assert set(asked) == {(0, 3)}, "the code does not correlate with 'middle'; 'high' has no weight"
