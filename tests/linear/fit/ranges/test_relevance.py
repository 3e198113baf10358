"""Ranges and probes in one call; later probes only as far as the tail needs them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from estimator_cases import CASES, every_case

from allrelevant.linear.fit.ranges.more_probes import tail_probes, with_more_probes
from allrelevant.linear.fit.ranges.probes import draw_probes
from allrelevant.linear.fit.ranges.prospects import MOST_PROBES
from allrelevant.linear.fit.ranges.range_worker import Both
from allrelevant.linear.fit.ranges.relevance import (
    ProbeReaches,
    RelevanceTask,
    find_relevances,
)
from allrelevant.linear.fit.statistics.classes import FIRST_PROBES
from allrelevant.linear.fit.statistics.noise import Shapes


@pytest.fixture(scope="module", params=["classification", "regression", "ordinal-explicit"])
def task(request):
    case = CASES[request.param]
    X, y = case.data(150, n_irrelevant=12)
    model = case.make(C=0.1, tolerance="auto").fit(X, y)
    return RelevanceTask(
        model.equivalent_models_,
        model.fitted_set_.analysis.problem,
        [f"x{k}" for k in range(X.shape[1])],
    )


@pytest.fixture(scope="module")
def known(task):
    """A hundred probes of it, solved once."""
    return all_relevances(task, drawn(task, 100, 0))


@pytest.fixture(scope="module")
def further(task, known):
    """Further probes, as far as the tail needs them, and the same solved to their ends."""
    more = drawn(task, 200, 1)
    return with_more_probes(task, known, more), all_relevances(task, more)


def all_relevances(task, probes):
    return find_relevances(task, probes, [Both(k) for k in range(task.problem.n_features)])


def drawn(task, n, seed):
    return draw_probes(n, task.problem.useful_columns(False), np.random.RandomState(seed))


def tail_of(task, probes):
    shapes = Shapes.of(task.problem.sample.X, task.problem.sample.count)
    return probes.tail(shapes)


@pytest.mark.slow
def test_the_first_probes_are_exact(task):
    known = all_relevances(task, drawn(task, 40, 0))
    more = drawn(task, 40, 1)
    found = with_more_probes(task, known, more).probes
    assert (len(found), found.n_exact) == (80, 80)
    exact = all_relevances(task, [*known.probes.probes, *more]).probes
    np.testing.assert_allclose(found.values, exact.values, atol=1e-8)


@pytest.mark.slow
def test_further_probes_are_exact_in_the_tail(task, known, further):
    """Their tail is that of probes which are all known exactly, but for a few of the least."""
    found, solved = (one.probes for one in further)
    exact = known.probes.and_more(solved.probes, solved.values, exact=True)
    assert (len(found), found.n_exact) == (300, 100)
    np.testing.assert_allclose(found.values[:100], exact.values[:100], atol=1e-8)
    mine, its = tail_of(task, found), tail_of(task, exact)
    units = its.usual(Shapes.of(task.problem.sample.X, task.problem.sample.count))
    features = [probe.feature for probe in exact.probes]
    far = exact.values[:, 1] / units[features] > its.start
    off = np.abs(found.values[far, 1] - exact.values[far, 1]) > 1e-6 * exact.values[far, 1]
    assert off.mean() <= 0.08, "hardly one in the tail was left out"
    shapes = Shapes(np.array([0.8]), np.ones(1))
    for p in (0.05, 0.005, 0.0005):
        assert mine.reach_at(p, shapes) == pytest.approx(its.reach_at(p, shapes), rel=0.05)


@pytest.mark.slow
def test_further_probes_take_fewer_programs(known, further):
    cheap, dear = further
    assert cheap.solved - known.solved < 0.8 * dear.solved


@pytest.mark.slow
def test_probes_that_will_hardly_be_in_the_tail_are_left_out(task, known):
    asked = tail_probes(task, known.probes, drawn(task, 100, 1))
    assert len(asked) == 100
    left = [probe for probe in asked if probe is not None]
    assert all(probe.least > 0 for probe in left)
    # Where the pull tells, many are left out and the others are asked for one side.
    if len(left) < 100:
        assert all(probe.one_sided for probe in left)
        assert len(left) >= 20, "the tail is a quarter"


@pytest.mark.slow
def test_where_multipliers_tell_nothing_all_probes_are_asked(task, known):
    values = known.probes.values[np.random.default_rng(0).permutation(100)]
    shuffled = ProbeReaches(known.probes.probes, values, 100)
    asked = tail_probes(task, shuffled, drawn(task, 100, 1))
    assert all(probe is not None and not probe.one_sided for probe in asked)


# How many


@cache
def borderline_case(case):
    """Weak effects, and a confidence that puts one feature on the border."""
    X, y = case.data(100, n_irrelevant=6, noise=0.5)
    p = case.make(C=0.3, n_probes=FIRST_PROBES).fit(X, y).p_values_
    middling = p[(p > 1e-6) & (p < 0.2)]
    assert len(middling)
    return X, y, 1.0 - middling.min()


@pytest.mark.slow
@every_case
def test_probes_are_doubled_while_a_feature_could_be_either(case):
    X, y, confidence = borderline_case(case)
    model = case.make(C=0.3, n_probes="auto", confidence=confidence).fit(X, y)
    n = len(model.result_.probes)
    assert n in (100, 200, 400)
    assert model.borderline_.any() <= (n == MOST_PROBES), "else there would be more"
    assert model.result_.work["probes_usable"] == n


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature can be distinguished from noise")  # of fifty probes
@pytest.mark.parametrize("kind", ["classification", "ordinal-explicit"])
def test_close_calls_are_decided_by_the_same_probes_whatever_the_seed(kind):
    case = CASES[kind]
    X, y, confidence = borderline_case(case)
    drawn = []
    for seed in range(2):
        model = case.make(C=0.3, n_probes="auto", confidence=confidence, random_state=seed)
        probes = model.fit(X, y).fitted_set_.analysis.found.probes.probes
        drawn += [probes] if len(probes) > FIRST_PROBES else []
    assert len(drawn) > 1
    n = min(map(len, drawn))
    assert len({probes[:n] for probes in drawn}) == 1


@pytest.mark.slow
@every_case
def test_clear_cases_need_no_more_probes(case):
    X, y = case.data(150, n_strong=2, n_weak=0, noise=0.0, label_noise=0.0)
    model = case.make(n_probes="auto", confidence=None).fit(X, y)
    assert len(model.result_.probes) == FIRST_PROBES
    assert not model.borderline_.any()


@pytest.mark.slow
@every_case
def test_a_given_number_of_probes_is_kept(case):
    X, y, confidence = borderline_case(case)
    for n in (2, 7, 60):
        model = case.make(C=0.3, n_probes=n, confidence=confidence).fit(X, y)
        assert len(model.result_.probes) == n


@pytest.mark.slow
def test_processes_change_neither_classes_nor_p_values():
    case = CASES["classification"]
    X, y, confidence = borderline_case(case)
    parameters = {"C": 0.3, "n_probes": "auto", "confidence": confidence}
    one = case.make(**parameters).fit(X, y)
    two = case.make(**parameters, n_jobs=2).fit(X, y)
    np.testing.assert_allclose(two.p_values_, one.p_values_, rtol=1e-6)
    np.testing.assert_allclose(two.q_values_, one.q_values_, rtol=1e-6)
    np.testing.assert_array_equal(two.relevance_classes_, one.relevance_classes_)
    np.testing.assert_array_equal(two.borderline_, one.borderline_)
    assert two.offset_shift_ == pytest.approx(one.offset_shift_, abs=1e-6)
