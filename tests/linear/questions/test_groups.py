"""Groups of features that stand in for one another: contexts, and data whose truth is known."""

import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from constrained_models import Constrained, fitted
from sklearn.metrics import v_measure_score

from allrelevant import RelevanceClassifier
from allrelevant.linear.questions import FeatureGroups
from allrelevant.linear.questions.groups import contexts, dissimilarities


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


@pytest.mark.parametrize(
    "parts", [(3, 0, 4), (3, 2, 3), (3, 0, 0)], ids=["noise", "unique and noise", "pairs only"]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_identical_pairs_are_found(parts, seed):
    X, y, truth = pairs_and_others(*parts, seed)
    _, found = grouped(X, y)
    assert v_measure_score(truth, found.labels) == pytest.approx(1.0)
    assert all((found.labels == 0) == (truth == 0))


def test_the_order_of_columns_does_not_matter():
    X, y, _ = pairs_and_others(3, 1, 2, seed=2)
    order = np.random.default_rng(0).permutation(X.shape[1])
    _, one = grouped(X, y)
    model, other = grouped(X[:, order], y)
    assert v_measure_score(one.labels[order], other.labels) == pytest.approx(1.0)
    heights = np.sort(one.linkage[:, 2]), np.sort(other.linkage[:, 2])
    np.testing.assert_allclose(*heights, atol=1e-5)
    # Groups are numbered as their first members come.
    seen = [label for label in dict.fromkeys(other.labels.tolist()) if label]
    assert seen == sorted(seen)
    assert model.groups().labels.tolist() == other.labels.tolist(), "the same when asked again"


def test_contexts_are_differences_of_full_programs():
    model = fitted("classification")
    solver, relevant = model.fitted_set_.solver, np.array([0, 1, 2, 3])
    found = contexts(solver, relevant)
    _, free = Constrained(model, {}).intervals(relevant)
    for row, feature in enumerate(relevant):
        low, high = free[row]
        middle = (low + high) / 2
        cases = [[(-middle, middle)], [(middle, np.inf), (-np.inf, -middle)]]
        for case, ranges in enumerate(cases):
            _, drawn = Constrained(model, {int(feature): ranges}).intervals(relevant)
            others = relevant != feature
            np.testing.assert_allclose(
                found[row, others, 2 * case : 2 * case + 2], (drawn - free)[others], atol=1e-6
            )


def test_dissimilarities_leave_out_the_pair_itself():
    random = np.random.default_rng(0)
    given = random.normal(size=(4, 4, 4))
    found = dissimilarities(given)
    for j in range(4):
        for k in range(4):
            others = [i for i in range(4) if i not in (j, k)]
            expected = np.linalg.norm(given[j, others] - given[k, others]) if j != k else 0.0
            assert found[j, k] == pytest.approx(expected)


def test_what_differs_by_rounding_is_the_same():
    given = np.zeros((3, 3, 4))
    given[0, 2] = 1e-9
    np.testing.assert_array_equal(dissimilarities(given), np.zeros((3, 3)))


def test_copies_of_one_feature_are_one_group():
    """All distances are zero, up to rounding that must not be cut at half of its height."""
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
    model, found = grouped(X, np.sign(X.sum(axis=1)))
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
@pytest.mark.parametrize("linkage", ["single", "average", "complete", "ward"])
def test_every_linkage(linkage):
    X, y, truth = pairs_and_others(3, 0, 2, seed=0)
    _, found = grouped(X, y, linkage=linkage)
    assert v_measure_score(truth, found.labels) == pytest.approx(1.0)


def test_a_larger_cut_gives_fewer_groups():
    X, y, _ = pairs_and_others(3, 1, 2, seed=1)
    model, _ = grouped(X, y)
    numbers = [len(model.groups(cut=cut).members) for cut in (0.0, 0.55, 1.0)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] == 2, "all relevant ones, and the outliers"


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
        ({"cut": -0.1}, "cut"),
        ({"cut": 1.1}, "cut"),
        ({"linkage": "centroid"}, "linkage must be one of 'single'"),
    ],
)
def test_bad_requests(asked, message):
    with pytest.raises(ValueError, match=message):
        fitted("classification").groups(**asked)


@pytest.mark.slow
@pytest.mark.parametrize("n_twins", [2, 3])
def test_near_copies_are_one_group_beside_a_strong_feature(n_twins):
    """A tree of near copies alone is small, and a part of its height is no place to cut."""
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
    assert "contexts of features: 1 of 4" in told
