"""Each preset is its paper's definition, written down from the formulas and solved by scipy."""

import numpy as np
import pytest
from oracle import FullProblem, relevance
from scipy import stats
from scipy.optimize import minimize
from sklearn.svm import SVC

from allrelevant import papers
from allrelevant.datasets import make_classification, make_ordinal, make_regression
from allrelevant.linear.engine.program.limits import Budget
from allrelevant.linear.models import Classification, Ordinal, Regression, RejectOption

SIZES = {"n_strong": 1, "n_weak": 2, "n_irrelevant": 1}
WEAK_DATA = pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def two_classes():
    X, y, _ = make_classification(50, label_noise=0.1, random_state=0, **SIZES)
    return standardised(X), np.where(y == np.unique(y)[1], 1.0, -1.0)


def check_noise(model):
    """Thresholds are upper ends of the thesis's prediction intervals, at T(0.999)."""
    values = model.result_.probes
    n = len(values)
    assert n >= 10
    reach = stats.t.ppf(0.999, n - 1) * values.std(axis=0, ddof=1) * np.sqrt(1 + 1 / n)
    np.testing.assert_allclose(model.result_.thresholds, values.mean(axis=0) + reach)


@pytest.mark.slow
@WEAK_DATA
@pytest.mark.parametrize("task", ["classification", "regression", "ordinal"])
def test_thesis(task):
    if task == "classification":
        X, y = two_classes()
        own, target = Classification(), y
    elif task == "regression":
        X, y, _ = make_regression(50, label_noise=0.3, random_state=0, **SIZES)
        X, target = standardised(X), (y - y.mean()) / y.std()
    else:
        X, y, _ = make_ordinal(60, n_classes=3, label_noise=0.1, random_state=0, **SIZES)
        X, own, target = (
            standardised(X),
            Ordinal(3, "explicit"),
            np.unique(y, return_inverse=True)[1],
        )
    model = papers.thesis(task, random_state=0).fit(X, y)
    if task == "regression":
        own = Regression(model.epsilon_)
    full = FullProblem(X, own.pieces(np.asarray(target, float), np.ones(len(X))))
    norm, loss = full.baseline(model.C_)
    # Equations 2.2 and 2.3: the loss of the baseline, and its norm times 1 + δ.
    limits = [Budget(1.0, 0.0, 1.001 * norm), Budget(0.0, 1.0, loss * (1 + 1e-10))]
    expected = relevance(full.signed_intervals(limits)) / norm
    np.testing.assert_allclose(model.intervals_, expected, atol=2e-6)
    check_noise(model)


@pytest.mark.slow
@WEAK_DATA
def test_esann2017():
    X, y = two_classes()
    model = papers.esann2017(random_state=0).fit(X, y)
    C, weights = model.C_, model.coef_[0]
    # ‖w‖₂ + C·loss and ½‖w‖₂² + C‖w‖₂·loss have the same minimum.
    machine = SVC(kernel="linear", C=C * np.linalg.norm(weights), tol=1e-10).fit(X, y)
    np.testing.assert_allclose(weights, machine.coef_[0], atol=1e-5)
    slacks = np.maximum(0, 1 - y * (X @ weights + model.intercept_[0])).sum()
    limit = np.abs(weights).sum() + C * slacks
    full = FullProblem(X, Classification().pieces(y, np.ones(len(y))))
    expected = relevance(full.signed_intervals([Budget(1.0, C, limit)]))
    np.testing.assert_allclose(model.intervals_ * np.abs(weights).sum(), expected, atol=1e-5)
    check_noise(model)


@pytest.mark.slow
@WEAK_DATA
@pytest.mark.filterwarnings("ignore:no feature can be distinguished from noise:UserWarning")
def test_reject2017():
    X, y = two_classes()
    X, y, r = X[:24, :2], y[:24], 0.2
    model = papers.reject2017(reject_cost=r, random_state=0).fit(X, y)
    n, d = X.shape

    # The paper's program as it stands: w, b, ξ, γ.
    def objective(v):
        return v[:d] @ v[:d] + (v[d + 1 : d + 1 + n].sum() + (1 - 2 * r) / r * v[-n:].sum()) / n

    def margins(v):
        m = y * (X @ v[:d] + v[d])
        return np.concatenate([v[d + 1 : d + 1 + n] - 1 + m, v[-n:] + m])

    first = np.concatenate([np.zeros(d + 1), np.ones(n), np.zeros(n)])
    bounds = [(None, None)] * (d + 1) + [(0, None)] * (2 * n)
    rows = {"type": "ineq", "fun": margins}
    found = minimize(
        objective,
        first,
        bounds=bounds,
        constraints=rows,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    np.testing.assert_allclose(model.coef_[0], found.x[:d], atol=1e-5)
    norm, loss = np.abs(model.coef_).sum(), model.result_.baseline["loss"]
    assert loss == pytest.approx(n * (found.fun - found.x[:d] @ found.x[:d]), abs=1e-5)
    full = FullProblem(X, RejectOption(r).pieces(y, np.ones(n)))
    limits = [Budget(1.0, 0.0, norm), Budget(0.0, 1.0, loss)]
    expected = relevance(full.signed_intervals(limits)) / norm
    np.testing.assert_allclose(model.intervals_, expected, atol=1e-6)


@pytest.mark.slow
@WEAK_DATA
@pytest.mark.parametrize("order", ["explicit", "implicit"])
def test_neurocomputing2020(order):
    X, y, _ = make_ordinal(60, n_classes=3, label_noise=0.1, random_state=1, **SIZES)
    X, ranks = standardised(X), np.unique(y, return_inverse=True)[1].astype(float)
    model = papers.neurocomputing2020(order, random_state=0).fit(X, y)
    full = FullProblem(X, Ordinal(3, order).pieces(ranks, np.ones(len(X))))
    norm, loss = full.baseline(model.C_)
    limit = 1.001 * (norm + model.C_ * loss)  # equation 4
    expected = relevance(full.signed_intervals([Budget(1.0, model.C_, limit)])) / norm
    np.testing.assert_allclose(model.intervals_, expected, atol=2e-6)
    check_noise(model)


def test_what_is_asked_for_can_be_changed_and_others_are_refused():
    assert papers.thesis(n_probes=20).n_probes == 20
    assert papers.preset("reject2017", "classification", reject_cost=0.3).reject_cost == 0.3
    assert papers.preset("thesis", "regression").scoring == "score"
    with pytest.raises(ValueError, match="esann2017 is for 'classification', not for 'ordin"):
        papers.preset("esann2017", "ordinal")


@pytest.mark.slow
def test_two_definitions_of_one_relevance():
    """Two measurements of one quantity: an ℓ2 baseline shares its weight, an ℓ1 one chooses."""
    random = np.random.default_rng(0)
    true = random.uniform(-3, 3, size=80)
    X = np.column_stack([true + random.normal(size=80), true + 0.4 * random.normal(size=80)])
    y = np.where(true > 0, 1, -1)
    quick = {"n_probes": 20, "random_state": 0}
    theirs = papers.reject2017(**quick).fit(X, y)
    ours = papers.reject2017(baseline="l1", **quick).fit(X, y)
    width = [np.ptp(one.intervals_[0]) * one.result_.baseline["norm"] for one in (theirs, ours)]
    assert width[0] > 10 * width[1]
