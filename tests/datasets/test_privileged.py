"""Simulated data with privileged features."""

import numpy as np
import pytest

from allrelevant.datasets import PRIVILEGED_SETS, make_privileged

PROBLEMS = ("ordinal", "classification", "regression")
every_problem = pytest.mark.parametrize("problem", PROBLEMS)
DEFAULT_NOISE = {"ordinal": 0.2, "classification": 0.65, "regression": 0.5}


@every_problem
def test_clean_privileged_features_are_the_others_without_their_noise(problem):
    X, privileged, _, truth, truth_privileged = make_privileged(problem, 20_000, random_state=0)
    assert truth.tolist() == truth_privileged.tolist() == [2] * 3 + [1] * 4 + [0] * 3
    assert X.shape == privileged.shape == (20_000, 10)
    np.testing.assert_allclose(privileged.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(privileged.std(axis=0), 1)
    error = (X - privileged)[:, truth > 0]
    np.testing.assert_allclose(error.std(axis=0), DEFAULT_NOISE[problem], rtol=0.03)
    np.testing.assert_allclose(np.corrcoef(error, rowvar=False), np.eye(7), atol=0.05)


@every_problem
def test_irrelevant_columns_have_no_twins(problem):
    X, privileged, y, truth, _ = make_privileged(problem, 20_000, random_state=1)
    noise = np.column_stack([X[:, truth == 0], privileged[:, truth == 0], y])
    np.testing.assert_allclose(np.corrcoef(noise, rowvar=False), np.eye(7), atol=0.04)


def test_the_target_is_made_of_the_clean_features():
    _, privileged, y, truth, _ = make_privileged("regression", n_groups=2, random_state=0)
    design = np.column_stack([privileged[:, truth > 0], np.ones(len(y))])
    fitted = design @ np.linalg.lstsq(design, y, rcond=None)[0]
    np.testing.assert_allclose(fitted, y)


@every_problem
def test_random_privileged_features_tell_nothing_and_the_others_are_clean(problem):
    X, privileged, y, truth, truth_privileged = make_privileged(
        problem, 20_000, kind="random", n_privileged=2, random_state=0
    )
    assert privileged.shape == (20_000, 2)
    assert truth_privileged.tolist() == [0, 0]
    np.testing.assert_allclose(X[:, truth > 0].std(axis=0), 1)
    everything = np.corrcoef(np.column_stack([privileged, X, y]), rowvar=False)
    assert np.abs(everything[:2, 2:]).max() < 0.04


@every_problem
def test_targets_and_seeds(problem):
    first = make_privileged(problem, 90, random_state=5)
    for one, other in zip(first, make_privileged(problem, 90, random_state=5), strict=True):
        np.testing.assert_array_equal(one, other)
    assert not np.array_equal(first[0], make_privileged(problem, 90, random_state=6)[0])
    counts = np.bincount(first[2]).tolist() if problem != "regression" else None
    assert counts == {"ordinal": [30] * 3, "classification": [45] * 2, "regression": None}[problem]
    noisier = make_privileged(problem, 90, noise=3.0, random_state=5)
    np.testing.assert_array_equal(noisier[1], first[1])
    np.testing.assert_array_equal(noisier[2], first[2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"problem": "ranking"}, "problem must be one of 'ordinal', 'classification'"),
        ({"kind": "dirty"}, "kind must be one of 'clean', 'random', got 'dirty'"),
        ({"noise": -1.0}, "noise must be 0 or more"),
        ({"n_classes": 1}, "n_classes must be a whole number of at least 2"),
        ({"n_samples": 4, "n_classes": 5}, "n_samples must be a whole number of at least 5"),
        (
            {"kind": "random", "n_privileged": 0},
            "n_privileged must be a whole number of at least 1",
        ),
        ({"n_strong": 0, "n_weak": 0}, "n_strong and n_weak are both 0"),
    ],
)
def test_unusable_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_privileged(**arguments)


def test_the_papers_sets():
    assert list(PRIVILEGED_SETS) == [f"Set {k}" for k in range(1, 9)]
    for name, spec in PRIVILEGED_SETS.items():
        X, privileged, y, truth, truth_privileged = make_privileged(
            **spec._asdict(), random_state=0
        )
        sizes = [spec.n_irrelevant, spec.n_weak, spec.n_strong]
        assert X.shape == (200, sum(sizes))
        assert np.bincount(truth, minlength=3).tolist() == sizes
        is_random = name in ("Set 7", "Set 8")
        assert privileged.shape == ((200, 3) if is_random else X.shape)
        assert truth_privileged.any() != is_random
        assert set(y) == {0, 1, 2}
