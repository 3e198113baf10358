import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant.datasets import (
    PAPER_SETS,
    SetSpec,
    make_classification,
    make_ordinal,
    make_regression,
)

MAKERS = [make_classification, make_regression, make_ordinal]
every_maker = pytest.mark.parametrize("make", MAKERS)
seeds = st.integers(0, 2**32 - 1)


@st.composite
def layouts(draw):
    """Arguments of a data set with some informative features and enough samples to see them."""
    n_groups = draw(st.integers(1, 3))
    n_weak = draw(st.just(0) | st.integers(2 * n_groups, 2 * n_groups + 5))
    n_strong = draw(st.integers(0 if n_weak else 1, 4))
    return {
        "n_samples": draw(st.integers(40, 80)),
        "n_strong": n_strong,
        "n_weak": n_weak,
        "n_irrelevant": draw(st.integers(0, 4)),
        "n_groups": n_groups,
    }


def group_columns(layout):
    """Columns of every weak group, written out independently of the generator."""
    groups, start = [], layout["n_strong"]
    for left in range(layout["n_groups"], 0, -1):
        size = -(-(layout["n_strong"] + layout["n_weak"] - start) // left)
        groups.append(list(range(start, start + size)))
        start += size
    return [group for group in groups if group]


def residual(columns, y):
    """Share of the variance of y that no linear function of the columns explains."""
    design = np.column_stack([np.ones(len(y)), columns])
    fitted = design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return np.mean((y - fitted) ** 2) / np.var(y)


@pytest.mark.slow
@every_maker
@given(layout=layouts(), seed=seeds)
@settings(max_examples=25, deadline=None)
def test_columns_are_standardised_and_in_the_documented_order(make, layout, seed):
    X, y, truth = make(**layout, random_state=seed)
    sizes = [layout["n_strong"], layout["n_weak"], layout["n_irrelevant"]]
    assert X.shape == (layout["n_samples"], sum(sizes))
    assert y.shape == (layout["n_samples"],)
    assert truth.tolist() == [2] * sizes[0] + [1] * sizes[1] + [0] * sizes[2]
    assert np.issubdtype(X.dtype, np.floating)
    assert np.issubdtype(truth.dtype, np.integer)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.var(axis=0), 1)


@given(layout=layouts(), seed=seeds)
@settings(max_examples=25, deadline=None)
def test_only_copies_of_one_group_are_redundant(layout, seed):
    X, _, _ = make_regression(**layout, random_state=seed)
    expected = np.eye(X.shape[1], dtype=bool)
    for group in group_columns(layout):
        expected[np.ix_(group, group)] = True
    redundant = np.isclose(np.abs(X.T @ X) / len(X), 1, atol=1e-9)
    np.testing.assert_array_equal(redundant, expected)


@given(layout=layouts(), seed=seeds, data=st.data())
@settings(max_examples=25, deadline=None)
def test_strong_features_and_one_copy_of_each_group_give_the_target(layout, seed, data):
    X, y, _ = make_regression(**layout, random_state=seed)
    strong = list(range(layout["n_strong"]))
    chosen = [data.draw(st.sampled_from(group)) for group in group_columns(layout)]
    assert residual(X[:, strong + chosen], y) < 1e-20


@given(layout=layouts(), seed=seeds)
@settings(max_examples=25, deadline=None)
def test_no_strong_feature_and_no_whole_group_can_be_left_out(layout, seed):
    X, y, _ = make_regression(**layout, random_state=seed)
    units = [[j] for j in range(layout["n_strong"])] + group_columns(layout)
    for unit in units:
        assert residual(np.delete(X, unit, axis=1), y) > 1e-4


def test_irrelevant_features_tell_nothing_about_the_target():
    X, y, truth = make_regression(20_000, n_irrelevant=5, random_state=0)
    correlation = np.abs(np.corrcoef(np.column_stack([X, y]), rowvar=False))[-1, :-1]
    assert (correlation[truth == 0] < 0.03).all()
    assert (correlation[truth > 0] > 0.2).all()


def test_weights_have_the_documented_size_and_both_signs():
    X, y, _ = make_regression(20_000, n_strong=40, n_weak=0, n_irrelevant=0, random_state=0)
    weights = np.linalg.lstsq(X, y - y.mean(), rcond=None)[0]
    assert 0.48 < np.abs(weights).min() < 0.6
    assert 0.9 < np.abs(weights).max() < 1.02
    assert weights.min() < 0 < weights.max()


def test_copies_come_with_both_signs():
    X, _, _ = make_regression(n_strong=0, n_weak=20, n_irrelevant=0, random_state=0)
    assert set(np.sign(X[0])) == {-1, 1}


@given(n_samples=st.integers(2, 60), n_classes=st.integers(2, 9), seed=seeds)
@settings(max_examples=50, deadline=None)
def test_ordinal_classes_have_equal_size_and_follow_the_score(n_samples, n_classes, seed):
    n_samples = max(n_samples, n_classes)
    _, score, _ = make_regression(n_samples, random_state=seed)
    _, y, _ = make_ordinal(n_samples, n_classes=n_classes, random_state=seed)
    sizes = np.bincount(y, minlength=n_classes)
    assert len(sizes) == n_classes
    assert sizes.max() - sizes.min() <= 1
    assert (np.diff(y[np.argsort(score)]) >= 0).all()


@given(n_samples=st.integers(2, 60), seed=seeds)
@settings(max_examples=50, deadline=None)
def test_classes_lie_on_either_side_of_a_hyperplane(n_samples, seed):
    _, score, _ = make_regression(n_samples, random_state=seed)
    _, y, _ = make_classification(n_samples, random_state=seed)
    assert set(y) == {0, 1}
    assert score[y == 0].max() < score[y == 1].min()
    assert 0 <= (y == 0).sum() - (y == 1).sum() <= 1


def test_the_hyperplane_passes_near_the_origin():
    _, score, _ = make_regression(20_000, random_state=0)
    _, y, _ = make_classification(20_000, random_state=0)
    assert np.mean((score > 0) == y) > 0.98


@every_maker
def test_same_seed_same_data(make):
    arguments = {"noise": 0.1, "label_noise": 0.2}
    first = make(**arguments, random_state=3)
    for again in (3, np.random.RandomState(3)):
        for one, other in zip(first, make(**arguments, random_state=again), strict=True):
            np.testing.assert_array_equal(one, other)
    assert not np.array_equal(first[0], make(**arguments, random_state=4)[0])


@every_maker
def test_noise_leaves_the_data_underneath_alone(make):
    X, y, _ = make(random_state=0)
    X_noise, y_noise, _ = make(random_state=0, noise=0.5)
    X_more, _, _ = make(random_state=0, noise=1.0)
    X_label, y_label, _ = make(random_state=0, label_noise=0.3)
    X_both, y_both, _ = make(random_state=0, noise=0.5, label_noise=0.3)
    np.testing.assert_array_equal(y_noise, y)
    np.testing.assert_array_equal(X_label, X)
    np.testing.assert_array_equal(X_both, X_noise)
    np.testing.assert_array_equal(y_both, y_label)
    np.testing.assert_allclose(X_more - X, 2 * (X_noise - X))


def test_noise_has_the_given_size_and_breaks_the_copies():
    clean, _, truth = make_regression(20_000, random_state=0)
    noisy, _, _ = make_regression(20_000, noise=0.5, random_state=0)
    np.testing.assert_allclose((noisy - clean).std(axis=0), 0.5, rtol=0.03)
    copies = np.abs(np.corrcoef(noisy[:, truth == 1], rowvar=False))
    np.testing.assert_allclose(copies[~np.eye(len(copies), dtype=bool)], 0.8, atol=0.03)


@given(n_samples=st.integers(5, 60), share=st.floats(0, 1, exclude_max=True), seed=seeds)
@settings(max_examples=50, deadline=None)
def test_label_noise_flips_the_given_share(n_samples, share, seed):
    _, clean, _ = make_classification(n_samples, random_state=seed)
    _, noisy, _ = make_classification(n_samples, label_noise=share, random_state=seed)
    assert (clean != noisy).sum() == round(share * n_samples)
    assert set(noisy) <= {0, 1}


@given(
    n_samples=st.integers(9, 60),
    n_classes=st.integers(2, 9),
    share=st.floats(0, 1, exclude_max=True),
    seed=seeds,
)
@settings(max_examples=50, deadline=None)
def test_label_noise_moves_the_given_share_by_one_class(n_samples, n_classes, share, seed):
    arguments = {"n_samples": n_samples, "n_classes": n_classes, "random_state": seed}
    _, clean, _ = make_ordinal(**arguments)
    _, noisy, _ = make_ordinal(**arguments, label_noise=share)
    distance = np.abs(noisy - clean)
    assert distance.sum() == (distance == 1).sum() == round(share * n_samples)
    assert noisy.min() >= 0
    assert noisy.max() < n_classes


def test_ordinal_label_noise_goes_both_ways():
    _, clean, _ = make_ordinal(2000, n_classes=3, random_state=0)
    _, noisy, _ = make_ordinal(2000, n_classes=3, label_noise=0.5, random_state=0)
    moves = (noisy - clean)[clean == 1]
    assert (moves == 1).mean() == pytest.approx(0.25, abs=0.05)
    assert (moves == -1).mean() == pytest.approx(0.25, abs=0.05)


def test_regression_label_noise_is_relative_to_the_score():
    _, score, _ = make_regression(20_000, n_strong=8, random_state=0)
    _, y, _ = make_regression(20_000, n_strong=8, label_noise=1.5, random_state=0)
    assert (y - score).std() == pytest.approx(1.5 * score.std(), rel=0.03)


@every_maker
@pytest.mark.parametrize("n_groups", [-1, 0, 1, 7])
def test_without_weak_features_the_number_of_groups_does_not_matter(make, n_groups):
    X, _, truth = make(n_weak=0, n_groups=n_groups, random_state=0)
    np.testing.assert_array_equal(X, make(n_weak=0, random_state=0)[0])
    assert truth.tolist() == [2, 2, 2, 0, 0, 0]


@every_maker
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_samples": 1}, "n_samples must be a whole number of at least"),
        ({"n_samples": 10.5}, "n_samples must be a whole number of at least"),
        ({"n_strong": -1}, "n_strong must be a whole number of at least 0, got -1"),
        ({"n_weak": -2}, "n_weak must be a whole number of at least 0"),
        ({"n_irrelevant": -1}, "n_irrelevant must be a whole number of at least 0"),
        ({"n_strong": 0, "n_weak": 0}, "n_strong and n_weak are both 0"),
        ({"n_groups": 0}, "n_groups must be a whole number of at least 1"),
        ({"n_weak": 1}, "n_weak=1 is too few for n_groups=1.*Raise n_weak to 2"),
        ({"n_weak": 5, "n_groups": 3}, "n_weak=5 is too few for n_groups=3.*Raise n_weak to 6"),
        ({"noise": -0.1}, "noise must be 0 or more"),
        ({"noise": float("nan")}, "noise must be 0 or more"),
        ({"label_noise": -0.1}, "label_noise must be"),
        ({"label_noise": float("inf")}, "label_noise must be"),
    ],
)
def test_unusable_arguments_are_named(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        make(**arguments)


@pytest.mark.parametrize("make", [make_classification, make_ordinal])
def test_a_share_of_labels_is_below_one(make):
    with pytest.raises(ValueError, match="label_noise must be at least 0 and below 1, got 1"):
        make(label_noise=1)


def test_unusable_class_counts_are_named():
    with pytest.raises(ValueError, match="n_classes must be a whole number of at least 2, got 1"):
        make_ordinal(n_classes=1)
    with pytest.raises(ValueError, match=r"n_samples .* at least 6, got 5"):
        make_ordinal(5, n_classes=6)


@pytest.mark.parametrize("name", PAPER_SETS)
def test_paper_sets_can_be_made(name):
    spec = PAPER_SETS[name]
    make = make_classification if name.startswith("Sim") else make_ordinal
    X, y, truth = make(**spec._asdict(), random_state=0)
    assert X.shape == (spec.n_samples, spec.n_strong + spec.n_weak + spec.n_irrelevant)
    assert np.bincount(truth, minlength=3).tolist() == [
        spec.n_irrelevant,
        spec.n_weak,
        spec.n_strong,
    ]
    assert len(set(y)) == (2 if name.startswith("Sim") else 5)


def test_paper_sets_are_complete_and_read_only():
    assert list(PAPER_SETS) == [f"Set {i}" for i in range(1, 10)] + [f"Sim{i}" for i in range(1, 6)]
    with pytest.raises(TypeError):
        PAPER_SETS["Set 1"] = SetSpec(1, 1, 1, 1)


@pytest.mark.parametrize("weights", ["floor", "unit", "uniform", "normal"])
def test_weights_are_of_the_sizes_asked_for(weights):
    sizes = []
    for seed in range(20):
        X, y, _ = make_regression(
            60, n_strong=6, n_weak=0, n_irrelevant=0, weights=weights, random_state=seed
        )
        # Columns are standardised, so that the weights in them are those in the score, nearly.
        sizes.append(np.abs(np.linalg.lstsq(X, y - y.mean(), rcond=None)[0]))
    sizes = np.concatenate(sizes)
    low, high = {"floor": (0.5, 1), "unit": (1, 1), "uniform": (0, 1), "normal": (0, 4)}[weights]
    assert sizes.min() > 0.7 * low
    assert sizes.max() < 1.4 * high
    assert (sizes.min() < 0.1) == (weights in ("uniform", "normal"))


def test_groups_of_given_sizes_and_repeated_columns():
    asked = {"n_strong": 2, "n_weak": 7, "n_irrelevant": 1, "n_groups": (5, 2), "random_state": 0}
    X, y, truth = make_classification(200, n_repeated=4, **asked)
    correlations = np.abs(np.corrcoef(X.T)) > 1 - 1e-9
    assert correlations[2, 2:7].all()
    assert not correlations[2, 7:9].any()
    assert X.shape[1] == len(truth) == 14
    assert (truth[10:] == 1).all()
    for j in range(10, 14):
        copies = np.flatnonzero(correlations[j, :10])
        assert len(copies)
        assert (truth[copies] == 1).all()
    plain = make_classification(200, **asked)
    np.testing.assert_array_equal(X[:, :10], plain[0])
    np.testing.assert_array_equal(y, plain[1])
    with pytest.raises(ValueError, match=r"n_groups=\(5, 1\) must be sizes of at least 2"):
        make_regression(50, n_weak=6, n_groups=(5, 1))
    with pytest.raises(ValueError, match="n_repeated must be"):
        make_regression(50, n_strong=1, n_weak=0, n_repeated=2)


def test_classes_of_given_sizes():
    y = make_classification(200, class_sizes=(9, 1), random_state=0)[1]
    assert np.bincount(y).tolist() == [180, 20]
    y = make_ordinal(200, n_classes=3, class_sizes=(0.5, 0.25, 0.25), random_state=0)[1]
    assert np.bincount(y).tolist() == [100, 50, 50]
    y = make_classification(400, n_classes=3, class_sizes=(2, 1, 1), random_state=0)[1]
    np.testing.assert_allclose(np.bincount(y), [200, 100, 100], atol=8)
    with pytest.raises(ValueError, match="class_sizes must be 2 positive numbers"):
        make_classification(50, class_sizes=(1, 0))
    with pytest.raises(ValueError, match="leaves a class without a sample: raise n_samples above"):
        make_classification(50, class_sizes=(99, 1))
