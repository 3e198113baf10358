"""Cross-validation by small updates against refitting without the rows of a fold."""

from fractions import Fraction

import numpy as np
import pytest
from kernel_cases import few_labels, s_curve

from allrelevant.kernel.fitting import Method, Setting, fit, neighbourhood
from allrelevant.kernel.folds import FoldedSpace
from allrelevant.kernel.rows import Rows, without_copies
from allrelevant.kernel.selection import Grid, Tried, WidthTrial, best, label_folds
from allrelevant.kernel.thresholds import rank_errors

SETTING = Setting(gamma=0.2, n_neighbors=5, rank=0.5, mu=2.0, ridge=0.01)


def method(**changes):
    usual = {
        "graph": "input",
        "weights": None,
        "separation": "average",
        "penalty": "paper",  # sums: the number of links, which a fold changes, does not matter
        "thresholds": "logistic",
        "solver": "exact",
        "n_landmarks": 500,
        "seed": 0,
    }
    return Method(**usual | changes)


def grid(**changes):
    usual = {"gamma": (0.2,), "n_neighbors": (5,), "rank": (0.5,), "mu": (2.0,), "ridge": (0.01,)}
    return Grid(**usual | changes)


def tried_by(rows, hidden, method, grid):
    widths = {gamma: np.full(rows.X.shape[1], gamma) for gamma in grid.gamma}
    trial = WidthTrial(rows, hidden, method, grid, widths)
    return [one for gamma in grid.gamma for one in trial(gamma)]


@pytest.mark.parametrize("n", [60, 25], ids=["by rows", "by features"])
@pytest.mark.parametrize("mu", [0.0, 2.0])
def test_dropping_rows_by_updates_is_refitting_without_them(n, mu):
    # With links from each row to all others, neighbours are the same with and without a fold.
    X, y, _ = few_labels(n, n_classes=3, every=2)
    rows = without_copies(X, y.astype(float))
    # ridge on the function's norm: the same function space, whichever rows span it
    scaled = method(penalty="scaled")
    setting = Setting(0.05, n - 1, 0.5, mu, 0.01)
    hidden = label_folds(rows.counts, 4)
    (tried,) = tried_by(
        rows, hidden, scaled, grid(gamma=(0.05,), n_neighbors=(n - 1,), mu=(mu,), ridge=(0.01,))
    )
    for fold, error in zip(hidden, tried.errors, strict=True):
        left = ~fold.any(axis=1)
        rest = Rows(rows.X[left], (rows.counts - fold)[left], rows.free[left])
        # smoothness is per link: with fewer links the same μ must weigh less
        m = int(left.sum())
        share = (m * (m - 1)) / (n * (n - 1))
        again = Setting(0.05, m - 1, 0.5, mu * share, 0.01)
        fitted = fit(rest, np.full(X.shape[1], 0.05), scaled, again)
        f = fitted.projection(rows.X[~left])
        errors = rank_errors(fitted.thresholds, f, fold[~left])
        assert error == pytest.approx(errors.sum() / fold.sum())
    assert setting.mu == mu
    assert tried.errors.mean() > 0


@pytest.mark.parametrize("penalty", ["scaled", "paper"])
@pytest.mark.parametrize("mu", [0.0, 3.0])
def test_features_and_rows_lead_to_the_same_directions(penalty, mu):
    X, y, _ = few_labels(50, n_classes=3, every=2)
    rows = without_copies(X, y.astype(float))
    hidden = label_folds(rows.counts, 4)
    chosen = method(penalty=penalty)
    trial = WidthTrial(rows, hidden, chosen, grid(), {0.2: np.full(X.shape[1], 0.2)})
    folds = [trial._fold(h, None) for h in hidden]
    space = chosen.space(rows.X, np.full(X.shape[1], 0.2))
    S = neighbourhood(rows, space, chosen, 5, 0.5)
    both = [
        list(FoldedSpace(space, chosen, S, folds, by_features).directions(mu, 0.01))
        for by_features in (False, True)
    ]
    for one, other in zip(*both, strict=True):
        np.testing.assert_allclose(one.projections, other.projections, atol=1e-8)
        np.testing.assert_allclose(one.means, other.means, atol=1e-8)


def test_a_row_whose_copies_are_unlabelled_stays_in_the_graph():
    X, y, _ = few_labels(60, n_classes=3, every=2)
    twice, labels = np.vstack([X, X]), np.concatenate([y, np.full(60, -1)])
    rows = without_copies(twice, labels.astype(float))
    hidden = label_folds(rows.counts, 4)
    trial = WidthTrial(rows, hidden, method(), grid(), {0.2: np.full(X.shape[1], 0.2)})
    assert not trial._fold(hidden[0], None).is_new.any()
    rows = without_copies(X, y.astype(float))
    trial = WidthTrial(rows, hidden, method(), grid(), {0.2: np.full(X.shape[1], 0.2)})
    assert trial._fold(hidden[0], None).is_new.sum() == hidden[0].sum()


def test_without_smoothness_graphs_are_not_varied():
    settings = grid(mu=(0.0, 1.0), n_neighbors=(3, 5), rank=(0.25, 0.5)).settings([0.2])
    assert len(settings) == 1 + 4
    assert grid().is_single
    assert not grid(mu=(0.0, 1.0)).is_single


def test_nearest_setting_counts_orders_of_magnitude():
    chosen = grid(gamma=(0.01, 0.1, 10.0), mu=(0.0, 0.5, 30.0)).nearest(SETTING)
    assert (chosen.gamma, chosen.mu) == (0.1, 0.5)


def test_best_has_the_least_error_and_loss():
    def one(error, loss):
        return Tried(SETTING, np.full(3, error), np.full(3, loss))

    tried = [one(0.5, 0.9), one(0.5, 0.7), one(0.4, 1.1)]
    assert best(tried) is tried[1]


def test_of_equal_candidates_the_first_is_taken():
    # Classes far apart: nothing errs.
    rank = np.repeat([0.0, 1.0, 2.0], 4)
    rows = without_copies((3.0 * rank + np.tile(np.arange(4.0) / 10, 3))[:, None], rank)
    hidden = label_folds(rows.counts, 4)
    for mus in [(0.1, 0.5), (0.5, 0.1)]:
        tried = tried_by(rows, hidden, method(thresholds="midpoint"), grid(mu=mus))
        assert [one.setting.mu for one in tried] == list(mus)
        assert tried[0].errors.mean() == tried[1].errors.mean()
        assert best(tried).setting.mu == mus[0]
    just = [Tried(SETTING, np.array([e]), np.array([e])) for e in (0.1 + 0.2, 0.3)]
    assert best(just) is just[0]


def fractions_of(matrix):
    return np.array([[Fraction(float(cell)) for cell in row] for row in matrix], dtype=object)


def exactly_solved(A, B):
    """Gauss-Jordan elimination of a positive definite matrix, without rounding."""
    table = np.hstack([A, B])
    for k in range(len(A)):
        table[k] = table[k] / table[k, k]
        for i in range(len(A)):
            if i != k:
                table[i] = table[i] - table[i, k] * table[k]
    return table[:, len(A) :]


@pytest.mark.slow
def test_the_papers_tiny_ridge_loses_no_digits():
    # Contact lenses in six columns of zeros and ones, four rows of them labelled. Without one of
    # these a part of the graph has no label any more, and only the ridge keeps f from growing.
    cells = """100100 001110 010100 010000 100000 001001 100010 010111 001000
               010010 010110 001101 100101 010001 100001 100111 001011 010011"""
    X = np.array([list(row) for row in cells.split()], dtype=float)
    labelled = [5, 7, 14, 16]
    y = np.full(len(X), -1.0)
    y[labelled] = [0, 0, 1, 2]
    rows = without_copies((X - X.mean(axis=0)) / X.std(axis=0), y, collapse=False)
    hidden = label_folds(rows.counts, 5)
    paper = method(thresholds="midpoint", separation="smallest")
    width, mu, ridge = np.full(6, 10.0), 0.5, 1e-8
    trial = WidthTrial(rows, hidden, paper, grid(), {10.0: width})
    folds = [trial._fold(h, None) for h in hidden]
    space = paper.space(rows.X, width)
    S = neighbourhood(rows, space, paper, 3, 0.5)
    found = list(FoldedSpace(space, paper, S, folds).directions(mu, ridge))
    squares = ((rows.X[:, None] - rows.X) ** 2).sum(axis=2)
    K = fractions_of(np.exp(-10.0 * squares))
    for fold, direction in zip(folds, found, strict=True):
        links = S.toarray() * ~fold.is_new * ~fold.is_new[:, None]
        averages = fold.U / fold.U.sum(axis=0)
        inner = np.diag(fold.U.sum(axis=1)) - fold.U @ averages.T
        inner += mu * (np.diag(links.sum(axis=1)) - links)
        Z = K @ fractions_of(inner) @ K + fractions_of(ridge * np.eye(len(K)))
        beta = exactly_solved(Z, K @ fractions_of(np.diff(averages, axis=1)))
        f = 0.5 * (K @ beta).astype(float) @ direction.multipliers
        expected = f[labelled] - f[labelled].mean()
        projections = direction.projections[labelled]
        np.testing.assert_allclose(
            projections - projections.mean(), expected, atol=1e-6 * np.ptp(expected)
        )


@pytest.mark.parametrize("penalty", ["scaled", "paper"])
def test_huge_smoothness_loses_no_digits(penalty):
    # Pairs that are linked to each other alone: without its partner a row is held by the ridge.
    X = np.array([[place + step] for place in range(6) for step in (0.0, 0.1)])
    y = np.array([0, -1, 0, -1, 1, 1, -1, 1, 2, 2, -1, 2], dtype=float)
    rows = without_copies(X, y)
    hidden = label_folds(rows.counts, 3)
    chosen = method(penalty=penalty)
    trial = WidthTrial(rows, hidden, chosen, grid(), {3.0: np.full(1, 3.0)})
    folds = [trial._fold(h, None) for h in hidden]
    space = chosen.space(rows.X, np.full(1, 3.0))
    S = neighbourhood(rows, space, chosen, 1, 0.5)
    found = list(FoldedSpace(space, chosen, S, folds).directions(1e6, 1e-5))
    by_features = list(FoldedSpace(space, chosen, S, folds, True).directions(1e6, 1e-5))
    for one, other in zip(found, by_features, strict=True):
        np.testing.assert_allclose(one.projections, other.projections)


def test_curved_data_choose_smoothness():
    X, y, _ = s_curve(n_labels=4)
    rows = without_copies(X / X.std(axis=0), y.astype(float))
    tried = tried_by(
        rows, label_folds(rows.counts, 5), method(penalty="scaled"), grid(mu=(0.0, 10.0))
    )
    assert best(tried).setting.mu == 10.0


def counts_of(*per_class):
    """Labelled rows of some classes, and two without a label."""
    labels = np.repeat(np.arange(len(per_class)), per_class)
    return np.vstack([np.eye(len(per_class))[labels], np.zeros((2, len(per_class)))])


def test_labels_are_dealt_out_several_times():
    counts = counts_of(3, 4, 3)
    once, thrice = label_folds(counts, 5), label_folds(counts, 5, 3)
    assert len(thrice) == 3 * len(once)
    np.testing.assert_array_equal(thrice[: len(once)], once)
    for start in range(0, len(thrice), len(once)):
        np.testing.assert_array_equal(sum(thrice[start : start + len(once)]), counts)
    assert any((one != other).any() for one, other in zip(once, thrice[len(once) :], strict=False))


@pytest.mark.parametrize(
    ("per_class", "n_deals"), [((2, 2), 6), ((5, 5, 5), 6), ((20, 25), 2), ((45, 45), 1)]
)
def test_few_labels_are_dealt_out_more_often(per_class, n_deals):
    counts = counts_of(*per_class)
    np.testing.assert_array_equal(sum(label_folds(counts, 5, "auto")), n_deals * counts)


def test_there_is_nothing_to_deal_out_where_no_class_has_two_labels():
    assert label_folds(counts_of(1, 1, 1), 5, "auto") == ()
