"""Which pairs of classes are looked at for a probe: hardly ever too few."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification
from allrelevant.linear.engine.interior import below
from allrelevant.linear.engine.ranges.solver import RangeSolver
from allrelevant.linear.fit.ranges import prospects
from allrelevant.linear.fit.ranges.probes import draw_probes
from allrelevant.linear.fit.ranges.prospects import MOST_PROBES, Prospects, most_probes, n_promising
from allrelevant.linear.fit.ranges.range_worker import RangeWorker
from allrelevant.linear.fit.ranges.relevance import RelevanceTask
from allrelevant.linear.fit.ranges.spreads import largest_spread, reach_of_noise


def simulated(n_probes, error, seed=0, K=4):
    """Pulls, and reaches that follow the model of `Prospects`."""
    random = np.random.default_rng(seed)
    constants, pulls = random.normal(size=K * (K - 1)), random.normal(size=(n_probes, K))
    up, down = np.moveaxis([list(permutations(own, 2)) for own in pulls], 2, 0)
    logs = constants + 0.3 * (up - down) + 0.5 * np.maximum(up, -down)
    return pulls, np.exp(logs + error * random.normal(size=logs.shape))


def test_what_follows_from_pulls_is_foretold():
    pulls, reaches = simulated(30, 0.0)
    found = Prospects.of(pulls[:10], reaches[:10])
    assert found.error < 1e-9
    np.testing.assert_allclose([found.most(own) for own in pulls], reaches)


def test_few_reaches_are_farther_than_expected():
    pulls, reaches = simulated(500, 0.2)
    found = Prospects.of(pulls[:5], reaches[:5])
    passed = [own > found.most(pull) for pull, own in zip(pulls, reaches, strict=True)]
    assert 0.01 < np.mean(passed) < 0.06


def test_probes_that_reach_nowhere_have_no_prospects():
    found = Prospects.of(np.zeros((5, 3)), np.zeros((5, 6)))
    assert found.most(np.ones(3)).max() < 1e-12


@pytest.mark.slow
def test_reaches_are_nearly_always_those_of_all_pairs():
    X, y, _ = make_classification(90, n_classes=4, label_noise=0.1, random_state=0)
    fitted = RelevanceClassifier(C=0.3, n_probes=2, tolerance=0.05, random_state=0)
    with pytest.warns(UserWarning, match="probes"):  # two probes tell nothing
        analysis = fitted.fit(X, y).fitted_set_.analysis
    task = RelevanceTask(analysis.models, analysis.problem, [f"x{j}" for j in range(X.shape[1])])
    probes = draw_probes(25, np.arange(X.shape[1]), np.random.RandomState(1))
    found = task.run(probes)
    work = RangeWorker(task.models, task.problem, task.names, False)
    every = [work(probe) for probe in probes]
    reaches, expected = (np.array([one.outcome[1] for one in told]) for told in (found, every))
    least = float(np.quantile(expected, 0.6))
    tail = task.run([replace(probe, least=least) for probe in probes])
    in_tail = np.array([one.outcome[1] for one in tail])
    for some, all_ in ((reaches, expected), (in_tail, np.maximum(expected, least))):
        assert (some <= all_ * (1.0 + 1e-6)).all()
        assert np.mean(some / all_) > 0.995
        assert np.mean(some < all_ * (1.0 - 1e-6)) < 0.1
    assert sum(one.skipped for one in found) > sum(one.skipped for one in every) + 25 * 4
    assert sum(one.solved for one in tail) < 0.7 * sum(one.solved for one in found)


@pytest.mark.parametrize(
    ("n_classes", "are_dear", "n_probes"),
    [(1, False, 400), (3, True, 400), (10, False, 400), (4, True, 200), (10, True, 100)],
)
def test_probes_are_fewer_where_they_are_dear(n_classes, are_dear, n_probes):
    assert most_probes(n_classes, are_dear=are_dear) == n_probes
    assert n_probes <= MOST_PROBES


@pytest.mark.slow
def test_in_large_programs_the_pairs_that_promise_most_come_near_the_farthest(monkeypatch):
    monkeypatch.setattr(below, "LARGE", 0)
    X, y, _ = make_classification(120, n_classes=5, label_noise=0.1, random_state=0)
    fitted = RelevanceClassifier(C=0.3, n_probes=2, tolerance=0.05, random_state=0)
    with pytest.warns(UserWarning, match="probes"):  # two probes tell nothing
        analysis = fitted.fit(X, y).fitted_set_.analysis
    problem, models = analysis.problem, analysis.models
    assert n_promising(5) == 10 < len(list(permutations(range(5), 2)))
    shares = []
    for probe in draw_probes(8, np.arange(X.shape[1]), np.random.RandomState(1)):
        columns = probe.columns(problem)
        larger = models.beside(np.column_stack([column for column, _ in columns]))
        places, few = models.n_features + np.arange(5), RangeSolver(larger)
        reach = reach_of_noise(few, places, 0.0, None)
        assert 0 < few.solved + few.skipped <= 10
        farthest, _ = largest_spread(RangeSolver(larger), places)
        assert reach <= farthest.value + 1e-6
        assert reach_of_noise(few, places, 2.0 * reach, None) == 2.0 * reach
        shares.append(reach / farthest.value)
    assert np.mean(shares) > 0.97


@pytest.mark.slow
def test_where_probes_are_dear_the_first_ones_stay_whatever_the_seed(monkeypatch):
    monkeypatch.setattr(below, "LARGE", 0)
    monkeypatch.setattr(prospects, "_MOST_PAIRS", 600)
    shape = {"n_strong": 1, "n_weak": 2, "n_irrelevant": 0, "n_classes": 3, "label_noise": 0.2}
    X, y, _ = make_classification(40, **shape, random_state=0)
    one, other = (
        RelevanceClassifier(C=0.1, tolerance=0.05, random_state=seed).fit(X, y) for seed in (0, 1)
    )
    assert len(one.result_.probes) in (50, 100)
    np.testing.assert_allclose(one.result_.probes, other.result_.probes)
