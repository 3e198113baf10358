"""Simulated non-linear data keep what they promise."""

import numpy as np
import pytest

from allrelevant.datasets import NONLINEAR_SETS, make_nonlinear


@pytest.mark.slow
@pytest.mark.parametrize("name", NONLINEAR_SETS)
def test_sets_have_the_promised_shape(name):
    arguments = NONLINEAR_SETS[name]
    X, y, truth = make_nonlinear(120, **arguments, random_state=0)
    assert X.shape == (120, len(truth))
    assert sorted(np.bincount(y)) in ([60, 60], [59, 61])
    assert (truth == 0).sum() == arguments.get("n_irrelevant", 10)
    again = make_nonlinear(120, **arguments, random_state=0)
    np.testing.assert_array_equal(X, again[0])
    np.testing.assert_array_equal(y, again[1])
    other, _, _ = make_nonlinear(120, **arguments, random_state=1)
    assert not np.array_equal(X, other)


def make(kind, **shape):
    return make_nonlinear(400, kind=kind, **({"n_irrelevant": 2, "random_state": 3} | shape))


def test_copies_are_copies_up_to_the_noise():
    X, _, truth = make("copies", n_strong=1, n_weak=4, n_groups=2, noise=0.1)
    assert truth.tolist() == [2, 1, 1, 1, 1, 0, 0]
    correlation = np.abs(np.corrcoef(X, rowvar=False))
    assert correlation[1, 2] > 0.97
    assert correlation[3, 4] > 0.97
    assert correlation[1, 3] < 0.3


def test_sums_and_functions():
    X, _, _ = make("sum", n_strong=1, n_weak=3, n_groups=1)
    np.testing.assert_allclose(X[:, 3], X[:, 1] + X[:, 2])
    X, _, _ = make("functions", n_strong=1, n_weak=6, n_groups=2)
    for start in (1, 4):
        np.testing.assert_allclose(X[:, start + 1], X[:, start] ** 2)
        np.testing.assert_allclose(X[:, start + 2], np.exp(X[:, start]))


def test_the_difference_matters_and_neither_of_the_pair_alone():
    X, y, truth = make("difference", n_strong=2, n_weak=0, n_classes=None)
    assert truth[:2].tolist() == [2, 2]
    assert np.corrcoef(X[:, 0], X[:, 1])[0, 1] > 0.95
    assert abs(np.corrcoef(X[:, 1] - X[:, 0], y)[0, 1]) > 0.99
    assert abs(np.corrcoef(X[:, 0], y)[0, 1]) < 0.2


def test_genotypes_are_counts_and_linked():
    X, _, _ = make("genotypes", n_strong=1, n_weak=2, n_groups=1, noise=0.0)
    assert set(np.unique(X)) == {0.0, 1.0, 2.0}
    np.testing.assert_array_equal(X[:, 1], X[:, 2])


def test_xor_tells_nothing_by_one_feature():
    X, y, _ = make("xor", n_strong=2, n_weak=0)
    assert np.mean((X[:, 0] * X[:, 1] > 0) == y) > 0.9
    assert abs(np.corrcoef(X[:, 0], y)[0, 1]) < 0.15


def test_targets():
    _, y, _ = make("copies", n_classes=4)
    assert np.bincount(y).tolist() == [100] * 4
    _, y, _ = make("copies", n_classes=None)
    assert len(np.unique(y)) == 400
    _, clean, _ = make("copies")
    _, noisy, _ = make("copies", label_noise=0.4)
    assert 0.1 < np.mean(clean != noisy) < 0.3


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"kind": "moons"}, "kind"),
        ({"n_samples": 1}, "n_samples"),
        ({"n_strong": -1}, "n_strong"),
        ({"n_strong": 0, "n_weak": 0}, "n_strong"),
        ({"kind": "copies", "n_weak": 3, "n_groups": 2}, "n_weak"),
        ({"kind": "sum", "n_weak": 4, "n_groups": 1}, "n_weak"),
        ({"kind": "xor", "n_strong": 3, "n_weak": 0}, "xor"),
        ({"kind": "difference", "n_strong": 1}, "n_strong"),
        ({"kind": "mixed", "n_strong": 2}, "n_strong"),
        ({"kind": "clusters", "n_classes": None}, "n_classes"),
        ({"kind": "clusters", "n_strong": 1, "n_weak": 0}, "informative"),
        ({"noise": -0.1}, "noise"),
        ({"label_noise": 1.5}, "label_noise"),
        ({"n_classes": 1}, "n_classes"),
        ({"n_groups": 0}, "n_groups"),
    ],
    ids=str,
)
def test_bad_arguments_are_named(arguments, word):
    with pytest.raises(ValueError, match=word):
        make_nonlinear(**({"n_samples": 50} | arguments))
