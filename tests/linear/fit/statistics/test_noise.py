"""p-values from the reach of probes: right by hand, right by simulation, and never out of step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from allrelevant.data import matrix_of
from allrelevant.linear.fit.statistics.noise import NoiseAlike, Shapes, Tail
from allrelevant.linear.fit.statistics.verdict import HIGHEST_LEVEL, judge


def alike(n, scale=1.0):
    """Columns of one shape."""
    return Shapes(np.full(n, 0.8), np.full(n, scale))


def tail_of(values, n_exact=None):
    values = np.asarray(values, dtype=float)
    return Tail.of(values, alike(len(values)), n_exact)


def exponential_quantiles(n, start=1.0, scale=0.2):
    """As an exponential sample would be on the whole."""
    return start + stats.expon.ppf((np.arange(n) + 0.5) / n, scale=scale)


# The tail by hand


def test_a_tail_is_the_largest_quarter():
    values = np.random.default_rng(0).permutation(np.arange(1.0, 101.0))
    tail = tail_of(values)
    unit = np.exp(np.log(values).mean())  # what is usual
    assert tail.n_fitted == 25
    assert tail.start == pytest.approx(75.0 / unit)
    assert tail.excess == pytest.approx((np.arange(76.0, 101.0).mean() - 75.0) / unit)
    assert tail.share == 26 / 101
    p, error = tail.p_values(np.array([75.0 + 13.0, 75.0 + 3 * 13.0]), alike(2))
    np.testing.assert_allclose(p, 26 / 101 * np.array([26 / 25, 28 / 25]) ** -25)
    slope = np.array([1.0 / (26 / 25), 3.0 / (28 / 25)])
    np.testing.assert_allclose(error, np.sqrt(slope**2 / 25 + 0.75 / 25))


def test_below_the_tail_probes_are_counted():
    tail = tail_of(np.arange(1.0, 101.0))
    p, _ = tail.p_values(np.array([0.0, 0.5, 10.5, 50.0]), alike(4))
    np.testing.assert_allclose(p, [1.0, 1.0, 91 / 101, 52 / 101])


def test_probes_that_are_exact_in_the_tail_only_do_not_count_below_it():
    exact = np.arange(1.0, 41.0)
    rest = np.concatenate([np.zeros(30), np.arange(31.0, 41.0)])
    tail = Tail.of(np.concatenate([exact, rest]), alike(80), n_exact=40)
    p, _ = tail.p_values(np.array([20.5]), alike(1))
    np.testing.assert_allclose(p, 21 / 41)
    assert tail.n_fitted == 20
    assert tail.share == 21 / 81


@pytest.mark.parametrize("p", [0.2, 0.05, 0.005, 1e-6])
@pytest.mark.parametrize("scale", [0.1, 1.0])
def test_p_values_of_a_large_exponential_sample_are_the_true_ones(p, scale):
    tail = tail_of(exponential_quantiles(40_000, scale=scale))
    reach = 1.0 + stats.expon.isf(p, scale=scale)
    found, _ = tail.p_values(np.array([reach]), alike(1))
    assert np.log(found[0]) == pytest.approx(np.log(p), rel=0.02, abs=0.02)
    assert tail.reach_at(p, alike(1))[0] == pytest.approx(reach, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("m", [15, 30, 100, 400])
@pytest.mark.parametrize("p", [0.05, 0.005, 0.0005])
def test_noise_passes_exactly_as_often_as_it_may(m, p):
    """Exponential noise, probes and features alike, however few probes tell of the tail."""
    random = np.random.default_rng(m)
    passed = []
    for _ in range(4000):
        tail = tail_of(1.0 + random.exponential(0.3, m))
        passed.append(stats.expon.sf((tail.reach_at(p, alike(1))[0] - 1.0) / 0.3))
    error = np.std(passed) / np.sqrt(len(passed))
    assert np.mean(passed) == pytest.approx(p, abs=4 * error)
    assert error < 0.1 * p


@pytest.mark.parametrize("draw", ["exponential", "normal", "folded"])
def test_p_values_of_noise_are_uniform(draw):
    random = np.random.default_rng(7)
    draws = {
        "exponential": lambda n: random.exponential(0.3, n) + 1.0,
        "normal": lambda n: np.exp(0.2 * random.normal(size=n)),
        "folded": lambda n: 0.5 + np.abs(random.normal(size=n)),
    }
    found = []
    for _ in range(400):
        tail = tail_of(draws[draw](200))
        found.append(tail.p_values(draws[draw](20), alike(20))[0])
    p = np.concatenate(found)
    for level in (0.5, 0.25, 0.1, 0.05, 0.01):
        error = np.sqrt(level / len(p))
        assert np.mean(p <= level) == pytest.approx(level, abs=0.1 * level + 5 * error), level


def test_the_error_of_log_p_is_what_other_probes_would_give():
    random = np.random.default_rng(1)
    reach = np.array([1.0 + stats.expon.isf(0.005, scale=0.3)])
    logs, errors = [], []
    for _ in range(1500):
        p, error = tail_of(1.0 + random.exponential(0.3, 100)).p_values(reach, alike(1))
        logs.append(np.log(p[0]))
        errors.append(error[0])
    assert np.mean(errors) == pytest.approx(np.std(logs), rel=0.25)


@pytest.mark.parametrize("m", range(2, 10))
def test_few_probes_will_do(m):
    random = np.random.default_rng(m)
    values = 1.0 + random.exponential(size=m)
    verdict = judge(tail_of(values), np.array([0.5, 1.5, 60.0]), alike(3), fdr=None, alpha=0.005)
    assert verdict.passed.tolist() == [False, False, True]
    assert np.isfinite(verdict.p_values).all()
    assert np.isfinite(verdict.thresholds).all()
    assert verdict.thresholds[0] > values.max()


def test_probes_that_all_reach_the_same_make_any_larger_reach_relevant():
    verdict = judge(
        tail_of(np.full(50, 0.3)), np.array([0.2, 0.3, 0.31]), alike(3), fdr=0.1, alpha=None
    )
    assert verdict.passed.tolist() == [False, False, True]


def test_probes_that_reach_nothing_can_be_compared_with():
    verdict = judge(tail_of(np.zeros(50)), np.array([0.0, 0.3]), alike(2), fdr=0.1)
    assert verdict.passed.tolist() == [False, True]


# Features that are mostly noise


def test_features_tell_about_the_tail_beside_probes():
    probes, features = np.arange(1.0, 101.0), np.arange(0.5, 1000.5) / 10.0
    alone = tail_of(probes)
    far = alone.reach_at(0.015, alike(1))[0]
    features[-30:] = 5.0 * far  # more than noise: they do not tell
    tail = alone.with_features(features, alike(1000))
    unit = np.exp(np.log(probes).mean())
    noise = np.concatenate([features[:-30], np.full(15, far)])
    every = np.sort(np.concatenate([probes, noise]))
    np.testing.assert_allclose(tail.ordered * unit, every)
    np.testing.assert_allclose(tail.exact, tail.ordered)
    assert (tail.n_fitted, tail.n_known) == (54, 39)
    assert tail.start == pytest.approx(every[-55] / unit)
    assert tail.excess == pytest.approx((every[-54:] - every[-55]).sum() / 39 / unit)
    reach = every[-55] + 2.0 * tail.excess * unit
    p, _ = tail.p_values(np.array([reach]), alike(1))
    assert p[0] == pytest.approx(55 / 1086 * (1.0 + 2.0 / 39) ** -39)
    assert tail.reach_at(p[0], alike(1))[0] == pytest.approx(reach)


def test_few_features_that_are_more_than_noise_do_not_hide_one_another():
    random = np.random.default_rng(0)
    far = np.where(np.arange(2000) < 20, 3.0, 0.0)
    found, false = [], []
    for _ in range(40):
        noise = 1.0 + random.exponential(0.3, 2200)
        mine = noise[200:] + far
        tail = tail_of(noise[:200]).with_features(mine, alike(2000))
        verdict = judge(tail, mine, alike(2000), fdr=0.1)
        found.append(verdict.passed[:20].mean())
        false.append(verdict.passed[20:].sum() / max(verdict.passed.sum(), 1))
    assert np.mean(found) == 1.0
    assert 0.05 < np.mean(false) < 0.13, "a tenth, as far as 200 probes tell"


# Shapes and scales


def test_shapes_are_mean_deviations_of_standardised_columns():
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=4000), random.random(4000) < 0.02, np.ones(4000)])
    count = np.ones(4000)
    found = Shapes.of(matrix_of(X), count)
    assert found.shape[0] == pytest.approx(np.sqrt(2 / np.pi), abs=0.02)
    share = X[:, 1].mean()
    assert found.shape[1] == pytest.approx(2 * np.sqrt(share * (1 - share)))
    assert (found.shape[2], found.scale[2]) == (0.0, 0.0)
    np.testing.assert_allclose(found.scale[:2], X[:, :2].std(axis=0))
    doubled = Shapes.of(matrix_of(np.vstack([X, X[:100]])), np.ones(4100))
    weighed = Shapes.of(matrix_of(X), np.where(np.arange(4000) < 100, 2.0, 1.0))
    np.testing.assert_allclose(doubled.shape, weighed.shape)
    np.testing.assert_allclose(doubled.scale, weighed.scale)
    turned = Shapes.of(matrix_of(-7.0 * X + 3.0), count)
    np.testing.assert_allclose(turned.shape[:2], found.shape[:2])


def two_kinds(random, m, *, factor=3.0):
    """Probes of two shapes, of which the rarer reaches farther."""
    shape = np.where(np.arange(m) % 3 == 0, 0.3, 0.8)
    reach = (1.0 + random.exponential(0.2, m)) * np.where(shape < 0.5, factor, 1.0)
    return reach, Shapes(shape, np.ones(m))


def test_columns_are_compared_with_noise_of_their_own_shape():
    reach, shapes = two_kinds(np.random.default_rng(0), 600)
    tail = Tail.of(reach, shapes)
    wide, narrow = tail.reach_at(0.01, Shapes(np.array([0.3, 0.8]), np.ones(2)))
    assert wide / narrow == pytest.approx(3.0, rel=0.05)
    p, _ = tail.p_values(np.full(2, 3.0), Shapes(np.array([0.3, 0.8]), np.ones(2)))
    assert p[0] > 0.5
    assert p[1] < 1e-3


def test_beyond_the_shapes_of_probes_the_line_is_not_followed():
    reach, shapes = two_kinds(np.random.default_rng(0), 60)
    tail = Tail.of(reach, shapes)
    found = tail.usual(Shapes(np.array([0.01, 0.3, 0.8, 1.0]), np.ones(4)))
    np.testing.assert_allclose(found[[0, 3]], found[[1, 2]])


@given(unit=st.floats(1e-4, 1e4), scale=st.floats(1e-3, 1e3), seed=st.integers(0, 50))
@settings(max_examples=40)
def test_units_do_not_matter(unit, scale, seed):
    """Neither that of reaches, nor those of columns, whose reach falls as their scale rises."""
    random = np.random.default_rng(seed)
    reach, shapes = two_kinds(random, 40)
    mine, own = two_kinds(random, 15)
    mine[:3] *= 4.0
    one = judge(Tail.of(reach, shapes), mine, own, fdr=0.1)
    scales, own_scales = scale ** random.random(40), scale ** random.random(15)
    other = judge(
        Tail.of(unit * reach / scales, Shapes(shapes.shape, scales)),
        unit * mine / own_scales,
        Shapes(own.shape, own_scales),
        fdr=0.1,
    )
    np.testing.assert_allclose(other.p_values, one.p_values, rtol=1e-6)
    np.testing.assert_array_equal(other.passed, one.passed)
    np.testing.assert_allclose(other.thresholds, unit * one.thresholds / own_scales, rtol=1e-6)


def test_constant_columns_never_pass():
    reach, shapes = two_kinds(np.random.default_rng(0), 50)
    own = Shapes(np.array([0.0, 0.8]), np.array([0.0, 1.0]))
    for large in (0.0, 1.0, 1e9):
        verdict = judge(Tail.of(reach, shapes), np.array([large, 9.0]), own, fdr=0.1)
        assert verdict.p_values[0] == 1.0
        assert verdict.passed.tolist() == [False, True]
        assert verdict.thresholds[0] == np.inf


def test_a_tail_moves_to_where_other_probes_are():
    random = np.random.default_rng(0)
    tail = tail_of(1.0 + random.exponential(0.3, 200))
    few = 2.0 * (1.0 + random.exponential(0.3, 4000))
    moved = tail.shifted_to(few, alike(4000))
    expected = 2.0 * tail.reach_at(0.01, alike(1))
    assert moved.reach_at(0.01, alike(1)) == pytest.approx(expected, rel=0.03)
    again = tail.shifted_to(tail.ordered * tail.usual(alike(1)), alike(200))
    assert again.level == pytest.approx(tail.level)


# The verdict


@pytest.mark.slow
@given(
    seed=st.integers(0, 1000),
    m=st.integers(2, 120),
    d=st.integers(1, 60),
    fdr=st.sampled_from([0.05, 0.1, 0.3, None]),
    alpha=st.sampled_from([None, 0.45, 0.3, 0.05, 0.0002]),
)
@settings(max_examples=120)
def test_what_passes_is_what_reaches_beyond_its_threshold(seed, m, d, fdr, alpha):
    random = np.random.default_rng(seed)
    reach, shapes = two_kinds(random, m)
    mine, own = two_kinds(random, d)
    mine *= np.where(random.random(d) < 0.3, random.uniform(1.0, 4.0, d), 1.0)
    n_exact = int(random.integers(2, m + 1))
    verdict = judge(Tail.of(reach, shapes, n_exact), mine, own, fdr=fdr, alpha=alpha)
    margin = mine / verdict.thresholds - 1.0
    clear = np.abs(margin) > 1e-9
    np.testing.assert_array_equal(verdict.passed[clear], margin[clear] > 0)


@given(seed=st.integers(0, 1000), m=st.integers(2, 60))
@settings(max_examples=60)
def test_who_reaches_farther_has_no_larger_p(seed, m):
    random = np.random.default_rng(seed)
    values = random.choice([random.exponential(size=m), random.integers(0, 4, m).astype(float)])
    tail = tail_of(values, int(random.integers(2, m + 1)))
    reach = np.sort(np.concatenate([values, random.uniform(0.0, 2.0 * values.max() + 1, 50)]))
    p, error = tail.p_values(reach, alike(len(reach)))
    assert (np.diff(p) <= 1e-12).all()
    assert ((p > 0) & (p <= 1)).all()
    assert (error >= 0).all()


@given(seed=st.integers(0, 1000), m=st.integers(2, 60))
@settings(max_examples=60)
def test_noise_reaches_farther_with_less_probability(seed, m):
    tail = tail_of(np.random.default_rng(seed).exponential(size=m))
    reaches = [tail.reach_at(p, alike(1))[0] for p in (1e-9, 1e-3, 0.01, 0.1, 0.25, 0.5, 0.9)]
    assert (np.diff(reaches) <= 1e-12).all()


def test_q_values_and_level_are_those_of_benjamini_and_hochberg():
    random = np.random.default_rng(3)
    tail = tail_of(1.0 + random.exponential(0.2, 200))
    mine = 1.0 + random.exponential(0.2, 40) + np.where(np.arange(40) < 6, 2.0, 0.0)
    verdict = judge(tail, mine, alike(40), fdr=0.1, alpha=0.5)
    q = stats.false_discovery_control(verdict.p_values, method="bh")
    np.testing.assert_allclose(verdict.q_values, q)
    np.testing.assert_array_equal(verdict.passed, q <= 0.1)
    assert 6 <= verdict.passed.sum() < 12
    assert verdict.level == pytest.approx(0.1 * verdict.passed.sum() / 40)


@given(seed=st.integers(0, 300), fdr=st.sampled_from([0.05, 0.1, 0.3]))
@settings(max_examples=60)
def test_what_passes_is_what_benjamini_and_hochberg_let_pass(seed, fdr):
    random = np.random.default_rng(seed)
    tail = tail_of(1.0 + random.exponential(0.2, 100))
    n_true = random.integers(0, 10)
    mine = 1.0 + random.exponential(0.2, 30) + np.where(np.arange(30) < n_true, 1.5, 0.0)
    verdict = judge(tail, mine, alike(30), fdr=fdr, alpha=1.0)
    q = stats.false_discovery_control(verdict.p_values)
    clear = np.abs(q / fdr - 1.0) > 1e-9
    np.testing.assert_array_equal(verdict.passed[clear], q[clear] <= fdr)


def test_no_level_is_higher_than_the_highest():
    tail = tail_of(exponential_quantiles(400))
    far = np.full(10, 5.0)  # all of them: the procedure would let pass p up to 0.1
    assert judge(tail, far, alike(10), fdr=0.1).level == HIGHEST_LEVEL
    assert judge(tail, far, alike(10), fdr=None).level == HIGHEST_LEVEL
    assert judge(tail, far, alike(10), fdr=None, alpha=0.03).level == 0.03


def test_where_nothing_passes_the_level_is_what_the_first_would_have_to_keep():
    tail = tail_of(exponential_quantiles(400))
    verdict = judge(tail, np.full(200, 1.1), alike(200), fdr=0.1)
    assert verdict.level == pytest.approx(0.1 / 200)
    assert not verdict.passed.any()


def test_borderline_is_what_other_probes_could_turn_round():
    tail = tail_of(exponential_quantiles(100, scale=0.3))
    threshold = tail.reach_at(HIGHEST_LEVEL, alike(1))[0]
    mine = threshold + np.array([-0.9, -0.05, 0.05, 4.0])
    verdict = judge(tail, mine, alike(4), fdr=None)
    assert verdict.borderline.tolist() == [False, True, True, False]
    more = judge(tail_of(exponential_quantiles(40_000, scale=0.3)), mine, alike(4), fdr=None)
    assert not more.borderline.any(), "with more probes one is surer"


def test_borderline_features_are_those_that_change_sides():
    """Of features far from a border hardly one changes sides with the probes."""
    random = np.random.default_rng(5)
    mine = np.linspace(1.0, 6.0, 60)
    verdicts = [
        judge(tail_of(1.0 + random.exponential(0.4, 100)), mine, alike(60), fdr=None)
        for _ in range(300)
    ]
    passed = np.array([verdict.passed for verdict in verdicts])
    usual = passed.mean(axis=0) > 0.5
    marked = np.array([verdict.borderline for verdict in verdicts])
    turned = passed != usual
    assert turned.mean() > 0.01, "else there is nothing to mark"
    assert (turned & ~marked).sum() / turned.sum() < 0.2
    assert marked.mean() < 0.5, "and not everything is marked"


# Probes of one shape


def test_reach_of_noise_of_one_kind():
    values = exponential_quantiles(400)
    reach = 1.0 + stats.expon.isf(0.005, scale=0.2)
    assert NoiseAlike.of(values).reach_at(0.005) == pytest.approx(reach, rel=0.02)
    assert NoiseAlike.of(values).reach_at(0.5) == pytest.approx(np.median(values), rel=0.01)
