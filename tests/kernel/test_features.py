"""Feature maps, distinct rows and label spreading."""

import numpy as np
import pytest
from sklearn.semi_supervised import LabelSpreading

from allrelevant.kernel.features import Projection, feature_space, gaussian
from allrelevant.kernel.propagation import Spreading
from allrelevant.kernel.rows import Rows, hidden_in_folds, without_copies

RNG = np.random.RandomState(0)
X = RNG.randn(60, 3)
WIDTHS = np.array([0.1, 0.4, 0.7])


def space_of(solver, n_landmarks=30):
    return feature_space(X, WIDTHS, solver, n_landmarks, np.random.RandomState(1))


def test_gaussian_is_the_formula():
    expected = np.exp(-(WIDTHS * (X[:, None] - X[:5]) ** 2).sum(axis=2))
    np.testing.assert_allclose(gaussian(X, X[:5], WIDTHS), expected)


def test_exact_embedding_reproduces_the_kernel():
    space = space_of("exact")
    K = gaussian(X, X, WIDTHS)
    np.testing.assert_allclose(space.embedding @ space.embedding.T, K, atol=1e-7)
    np.testing.assert_allclose(K @ space.mixing, space.embedding, atol=1e-6)
    assert (np.diff(space.spectrum) <= 0).all()


def test_landmarks_come_near_and_all_of_them_are_exact():
    K = gaussian(X, X, WIDTHS)
    errors = []
    for n in (5, 15, 45):
        E = space_of("nystroem", n).embedding
        errors.append(np.abs(E @ E.T - K).mean())
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.01
    E = space_of("nystroem", 60).embedding
    np.testing.assert_allclose(E @ E.T, K, atol=1e-7)


def test_linear_space_keeps_inner_products():
    space = space_of("linear")
    np.testing.assert_allclose(space.embedding @ space.embedding.T, X @ X.T, atol=1e-10)
    assert space.centres is None


def test_linear_space_keeps_columns_of_small_numbers_and_many_columns():
    scaled = X * [1e7, 1.0, 1e-3]
    space = feature_space(scaled, WIDTHS, "linear", 1, np.random.RandomState(0))
    np.testing.assert_allclose(space.embedding @ space.mixing.T, scaled, rtol=1e-4)
    assert space.embedding.shape[1] == 3
    wide = feature_space(RNG.randn(5, 4000), np.ones(4000), "linear", 1, np.random.RandomState(0))
    assert wide.embedding.shape == (5, 5)


def test_projection_far_from_all_centres_is_the_given_value():
    projection = Projection(X, WIDTHS, RNG.randn(60), offset=0.3, elsewhere=7.0)
    near = projection(X[:4])
    np.testing.assert_allclose(near, gaussian(X[:4], X, WIDTHS) @ projection.coefficients - 0.3)
    np.testing.assert_array_equal(projection(X[:4] + 1e6), 7.0)


def test_projection_of_many_rows_is_that_of_each():
    projection = Projection(X, WIDTHS, RNG.randn(60), offset=0.0, elsewhere=0.0)
    many = RNG.randn(5000, 3)
    np.testing.assert_allclose(projection(many)[4500:], projection(many[4500:]))


# Rows


def test_copies_become_one_row_with_all_labels():
    table = np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 2.0], [1.0, 2.0], [0.0, 0.0]])
    rows = without_copies(table, np.array([0.0, 1.0, 2.0, -1.0, 1.0]))
    np.testing.assert_array_equal(rows.X, [[0.0, 0.0], [1.0, 2.0]])
    np.testing.assert_array_equal(rows.counts, [[0, 2, 0], [1, 0, 1]])
    np.testing.assert_array_equal(rows.free, [0, 1])
    apart = without_copies(table, np.array([0.0, 1.0, 2.0, -1.0, 1.0]), collapse=False)
    np.testing.assert_array_equal(apart.X, table)
    assert apart.counts.sum() == 4


def test_folds_hide_every_label_once_but_never_a_whole_class():
    counts = np.zeros((30, 3))
    counts[np.arange(29), np.arange(29) % 2] = 1.0
    counts[3, 1] = 4.0
    counts[29, 2] = 1.0
    folds = list(hidden_in_folds(counts, 5, np.random.RandomState(0)))
    assert len(folds) == 5
    expected = counts.copy()
    expected[29, 2] = 0.0  # the only one of its class stays
    np.testing.assert_array_equal(np.sum(folds, axis=0), expected)
    for hidden in folds:
        assert ((counts - hidden).sum(axis=0) > 0).all()
    sizes = [hidden.sum() for hidden in folds]
    assert max(sizes) - min(sizes) <= 1


def test_no_class_with_two_labels_gives_no_folds():
    assert list(hidden_in_folds(np.eye(4), 5, np.random.RandomState(0))) == []


# Spreading


def rows_with_labels():
    rank = np.full(60, -1.0)
    rank[:6] = [0, 1, 2, 0, 1, 2]
    return without_copies(X, rank, collapse=False)


def test_spread_labels_are_those_of_scikit_learn():
    rows = rows_with_labels()
    ours = Spreading(X, feature_space(X, np.full(3, 0.5), "exact", 0, RNG)).memberships(rows)
    y = np.where(rows.labelled, rows.counts.argmax(axis=1), -1)
    theirs = LabelSpreading(kernel="rbf", gamma=0.5, alpha=0.99, max_iter=20_000, tol=1e-12)
    shares = theirs.fit(X, y).label_distributions_
    free = ~rows.labelled
    np.testing.assert_allclose(ours[free], shares[free], atol=1e-6)
    np.testing.assert_array_equal(ours[~free], rows.counts[~free])


def test_spreading_by_features_is_that_of_the_kernel():
    rows = rows_with_labels()
    exact = space_of("exact")
    dense = Spreading(X, exact).memberships(rows)
    # The same features without their centres: only the embedding is known.
    low_rank = Spreading(X, feature_space(exact.embedding, WIDTHS, "linear", 0, RNG))
    np.testing.assert_allclose(low_rank.memberships(rows), dense, atol=1e-5)


def test_rows_out_of_reach_belong_nowhere():
    far = np.vstack([X, np.full((1, 3), 1e6)])
    rank = np.full(61, -1.0)
    rank[:6] = [0, 1, 2, 0, 1, 2]
    rows = without_copies(far, rank, collapse=False)
    space = feature_space(far, WIDTHS, "exact", 0, RNG)
    U = Spreading(far, space).memberships(rows)
    np.testing.assert_array_equal(U[60], 0.0)
    np.testing.assert_allclose(U[:60].sum(axis=1), 1.0)


def test_rounding_errors_of_lonely_landmarks_are_not_spread():
    # The degree of a row like no other is 1 − 1 and rounding errors.
    for seed in range(20):
        rng = np.random.RandomState(seed)
        lonely = 3.0 * rng.randn(60, 3)
        space = feature_space(lonely, np.full(3, 3.0), "nystroem", 40, rng)
        spread = Spreading(lonely, space)._solve(np.eye(60))
        # The inverse of I − 0.99·S̄ has no negative entries, and none above (1 − 0.99)⁻¹.
        assert spread.min() > -1e-3
        assert spread.max() < 100.0


@pytest.mark.parametrize("hidden", [0, 3])
def test_hiding_labels_frees_rows(hidden):
    rows = rows_with_labels()
    mask = np.zeros_like(rows.counts)
    mask[:hidden] = rows.counts[:hidden]
    less = rows.hiding(mask)
    assert isinstance(less, Rows)
    assert less.counts.sum() == 6 - hidden
    assert less.free.sum() == 54 + hidden
