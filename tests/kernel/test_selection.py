"""Cross-validation by small updates against refitting without the rows of a fold."""

import numpy as np
import pytest
from kernel_cases import few_labels, s_curve

from allrelevant.kernel.fitting import Method, Setting, fit, neighbourhood
from allrelevant.kernel.folds import FoldedSpace
from allrelevant.kernel.rows import Rows, distinct_rows
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
    rows = distinct_rows(X, y.astype(float))
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
    rows = distinct_rows(X, y.astype(float))
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
    rows = distinct_rows(twice, labels.astype(float))
    hidden = label_folds(rows.counts, 4)
    trial = WidthTrial(rows, hidden, method(), grid(), {0.2: np.full(X.shape[1], 0.2)})
    assert not trial._fold(hidden[0], None).is_new.any()
    rows = distinct_rows(X, y.astype(float))
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


def test_curved_data_choose_smoothness():
    X, y, _ = s_curve(n_labels=4)
    rows = distinct_rows(X / X.std(axis=0), y.astype(float))
    tried = tried_by(
        rows, label_folds(rows.counts, 5), method(penalty="scaled"), grid(mu=(0.0, 10.0))
    )
    assert best(tried).setting.mu == 10.0
