"""Which pairs of classes are looked at for a probe: hardly ever too few."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification
from allrelevant.linear.fit.probes import draw_probes
from allrelevant.linear.fit.prospects import Prospects
from allrelevant.linear.fit.range_worker import RangeWorker
from allrelevant.linear.fit.relevance import RelevanceTask


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
    assert sum(one.solved for one in tail) < 0.5 * sum(one.solved for one in found)
