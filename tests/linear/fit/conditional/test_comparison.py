"""What features explain that others leave: noise passes as often as it may, effects pass."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import cauchy, norm

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.base.progress import Progress
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.conditional import p_values as tested
from allrelevant.linear.fit.conditional.comparison import (
    can_be_asked,
    conditional_test,
    rows_are_few,
)
from allrelevant.linear.fit.conditional.p_values import conditional_p_values
from allrelevant.linear.fit.problem.problem import problem_of
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.noise import Shapes, Tail
from allrelevant.linear.fit.statistics.verdict import (
    HIGHEST_LEVEL,
    ConditionalPValues,
    combined,
    judge,
    limits_at,
    passing_level,
)
from allrelevant.linear.models import Multiclass, Quantile, Regression, Survival
from allrelevant.views.explorer.features import feature_rows


def problem_with(X, y, **more):
    once = np.ones(len(y))
    return problem_of(Regression(), Sample(X, y, once, once, **more))


@pytest.fixture(scope="module")
def wide():
    """Four effects, the first with a near copy, among 300 columns of 150 rows."""
    random = np.random.default_rng(3)
    X = random.standard_normal((150, 300))
    X[:, 4] = X[:, 0] + 0.3 * random.standard_normal(150)
    y = X[:, :4] @ [1.0, -1.0, 0.7, 0.7] + random.standard_normal(150)
    return X, y


class Steps(Progress):
    """Remembers how often every stage has moved, and how far."""

    def __init__(self):
        self.moves = {}

    def stage(self, name, total):
        super().stage(name, total)
        self.moves[name] = (total, [])

    def advance(self, n=1):
        super().advance(n)
        self.moves[self._name][1].append(n)


@pytest.fixture(scope="module")
def steps():
    return Steps()


@pytest.fixture(scope="module")
def found(wide, steps):
    return conditional_test(problem_with(*wide), Plan(), steps)


def test_progress_moves_all_the_time_and_comes_to_its_end(found, steps):
    assert {"models of the other features", "conditional tests"} <= set(steps.moves)
    for total, moves in steps.moves.values():
        assert sum(moves) == total
        assert len(moves) > 1


def test_effects_and_their_copies_stand_out(found):
    assert (found.p_values[:5] < 1e-4).all()
    assert (found.p_values[5:] > 1e-4).all()


@pytest.mark.slow
def test_noise_has_small_p_values_as_rarely_as_they_are_small(found):
    random = np.random.default_rng(4)
    p = [found.p_values[5:]]
    for _ in range(6):
        X = random.standard_normal((80, 200))
        X[:, 100:] = random.random((80, 100)) < 0.1
        y = X[:, 0] + random.exponential(size=80)
        p.append(conditional_test(problem_with(X, y), Plan(), Progress()).p_values[1:])
    p = np.concatenate(p)
    for level in (0.2, 0.05, 0.01):
        error = np.sqrt(level / len(p))
        assert np.mean(p <= level) == pytest.approx(level, abs=0.25 * level + 3 * error), level


def test_the_order_of_rows_and_columns_signs_and_units_do_not_matter(wide, found):
    X, y = wide
    random = np.random.default_rng(5)
    rows, columns = random.permutation(len(y)), random.permutation(X.shape[1])
    factors = random.choice([-3.0, 0.5], len(columns))
    other = problem_with((X[:, columns] * factors)[rows], y[rows])
    p = conditional_p_values(other, found.penalty, Progress())
    np.testing.assert_allclose(np.log(p), np.log(found.p_values[columns]), atol=0.02)


def test_a_constant_column_explains_nothing(wide):
    X, y = wide
    X = X.copy()
    X[:, 7] = 2.0
    assert conditional_p_values(problem_with(X, y), 0.2, Progress())[7] == 1.0


def test_it_is_asked_where_rows_are_few_and_nothing_else_was(wide):
    X, y = wide
    few, groups = problem_with(X, y), problem_with(X, y, group=np.arange(150) // 3)
    assert rows_are_few(few)
    assert not rows_are_few(problem_with(X[:, :30], y))
    assert can_be_asked(few, Plan())
    assert not can_be_asked(groups, Plan())
    assert not can_be_asked(few, Plan(probes="replace"))
    assert not can_be_asked(few, Plan(confidence=0.999))


def test_reaches_need_support_where_rows_are_few_or_models_predict_no_better_than_chance(wide):
    X, y = wide
    asked = [(problem_with(X, y), True), *((problem_with(X[:, :30], y), p) for p in (True, False))]
    found = [
        conditional_test(problem, Plan(), Progress(), predicts=predicts)
        for problem, predicts in asked
    ]
    assert [one.speaks for one in found] == [0.05, 1.0, 0.05]


# Several classes


@pytest.fixture(scope="module")
def three():
    """Three classes of unequal size; two columns tell the first from the second, one the third."""
    random = np.random.default_rng(10)
    X = random.standard_normal((300, 12))
    logits = np.log([0.6, 0.3, 0.1]) + X[:, :3] @ [[0.6, -0.6, 0.0], [-0.6, 0.6, 0.0], [0, 0, 1.2]]
    return X, (logits + random.gumbel(size=logits.shape)).argmax(axis=1).astype(float)


def problem_of_classes(X, y):
    weight = np.bincount(y.astype(int))[y.astype(int)] ** -0.5
    return problem_of(Multiclass(3), Sample(X, y, np.ones(len(y)), weight))


def by_number(problem, number, penalty):
    """p-values where the target is a number."""
    sample = problem.sample
    asked = Sample(sample.X, number, np.ones(len(number)), sample.weight)
    return conditional_p_values(problem_of(Regression(), asked), penalty, Progress())


def by_cauchy(each):
    """One p-value of several, by the distribution itself."""
    return cauchy.sf(cauchy.isf(np.minimum(each, 0.5)).mean(axis=0))


def test_one_small_p_value_counts_as_often_as_there_are_questions_and_several_count_for_more():
    alone = np.full((6, 1), 1.0)
    alone[2] = 1e-4
    np.testing.assert_allclose(combined(alone), 6e-4, rtol=0.01)
    np.testing.assert_allclose(combined(np.full((6, 1), 1e-4)), 1e-4, rtol=1e-9)
    tiny = combined(np.array([[1e-300, 0.0], [0.3, 0.3]]))
    np.testing.assert_allclose(tiny, [2e-300, 0.0], rtol=1e-6)
    random = np.random.default_rng(0)
    each = random.random((15, 50)) ** 4
    # Earlier versions of scipy know Cauchy's tail to 1e-15 only.
    np.testing.assert_allclose(combined(each), by_cauchy(each), rtol=1e-6, atol=1e-14)
    np.testing.assert_array_equal(combined(each[:1]), each[0])


@pytest.mark.parametrize("common", [0.0, 0.7, 0.99])
def test_noise_that_is_asked_several_questions_passes_as_often_as_it_may(common):
    random = np.random.default_rng(1)
    shared = np.sqrt(common) * random.standard_normal(100_000)
    values = shared + np.sqrt(1.0 - common) * random.standard_normal((15, 100_000))
    p = combined(2.0 * norm.sf(np.abs(values)))
    # The mean of dependent numbers has the tail of one only far out.
    for level, most in ((0.01, 1.25), (0.002, 1.2)):
        assert np.mean(p <= level) <= most * level + 3.0 * np.sqrt(level / p.size), level


@pytest.mark.slow
def test_of_several_classes_all_questions_count_together(three):
    X, y = three
    problem = problem_of_classes(X, y)
    found = conditional_test(problem, Plan(), Progress())
    # By hand: each class against the others, and against each other, is a number like any other.
    numbers = [np.where(y == k, 1.0, -1.0) for k in range(3)]
    numbers += [1.0 * (y == a) - 1.0 * (y == b) for a, b in ((0, 1), (0, 2), (1, 2))]
    pairs = zip(numbers, found.penalty, strict=True)
    each = np.array([by_number(problem, *pair) for pair in pairs])
    np.testing.assert_allclose(found.p_values, by_cauchy(each), rtol=1e-6)
    assert (found.p_values[:3] < 1e-4).all()
    assert (found.p_values[3:] > 1e-3).all()
    np.testing.assert_array_equal(found.among(problem).p_values, found.p_values)
    # What tells two classes apart goes with their difference most.
    assert (each[3, :2] < each[:3, :2].min(axis=0) / 2.0).all()


@pytest.mark.parametrize(("most", "n_asked"), [(120 * 3 * 21, 21), (120 * 3 * 21 - 1, 6)])
def test_many_classes_are_asked_two_by_two_if_that_is_quick(monkeypatch, most, n_asked):
    monkeypatch.setattr(tested, "_MOST_ASKED", most)
    random = np.random.default_rng(12)
    X, y = random.standard_normal((120, 3)), np.arange(120) % 6.0
    once = np.ones(120)
    found = conditional_test(
        problem_of(Multiclass(6), Sample(X, y, once, once)), Plan(), Progress()
    )
    assert len(found.penalty) == n_asked


@pytest.mark.slow
def test_names_of_classes_do_not_matter(three):
    X, y = three
    found = conditional_test(problem_of_classes(X, y), Plan(), Progress())
    same_questions = [2, 0, 1, 4, 5, 3]
    other = conditional_p_values(
        problem_of_classes(X, (y + 1.0) % 3.0),
        tuple(found.penalty[k] for k in same_questions),
        Progress(),
    )
    np.testing.assert_allclose(other, found.p_values, rtol=1e-6)


@pytest.mark.slow
def test_noise_of_classes_has_small_p_values_as_rarely_as_they_are_small():
    random = np.random.default_rng(11)
    p = []
    for _ in range(12):
        X = random.standard_normal((200, 40))
        X[:, 20:] = random.random((200, 20)) < 0.1
        y = random.choice(3, 200, p=[0.7, 0.2, 0.1]).astype(float)
        p.append(conditional_test(problem_of_classes(X, y), Plan(), Progress()).p_values)
    p = np.concatenate(p)
    assert np.mean(p <= 0.1) <= 0.15, "several questions have a heavier tail where p is large"
    assert np.mean(p <= 0.01) <= 0.01 + 3 * np.sqrt(0.01 / len(p))
    assert np.mean(p <= 0.1) > 0.025, "nor much more rarely"


# Times


def censored(random, X, effects):
    """Times of which two thirds end before the event, and some are equal."""
    time = np.exp(X[:, : len(effects)] @ effects + random.gumbel(size=len(X)))
    end = np.exp(random.normal(-0.6, 0.7, len(X)))
    return np.column_stack([np.ceil(5.0 * np.minimum(time, end)) / 5.0, time <= end])


def test_what_is_explained_of_times_is_how_late_they_are():
    once = np.ones(4)
    seen = np.column_stack([[3.0, 1.0, 2.0, 4.0], once])
    assert Survival().explained(seen, once).tolist() == [0.25, -0.75, -0.25, 0.75]
    # Of the two that are left after 2, each stands for half of those that come later.
    some = np.column_stack([[1.0, 1.5, 2.0, 3.0, 4.0], [1, 0, 1, 0, 1]])
    left = [0.8, 0.8, 0.8 * 2 / 3, 0.8 * 2 / 3, 0.0]
    expected = [1 - 1.8, 1 - 0.8, 1 - 0.8 - left[2], 1 - left[3], 1 - left[3]]
    found = Survival().explained(some, np.ones(5))
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert found.sum() == pytest.approx(0.0, abs=1e-12)
    # A row that counts twice is two rows, and units do not matter.
    twice = Survival().explained(some[[0, 0, 1, 2, 3, 4]] * [7.0, 1.0], np.ones(6))
    counted = Survival().explained(some, np.array([2.0, 1, 1, 1, 1]))
    np.testing.assert_allclose(twice[1:], counted, atol=1e-12)


@pytest.mark.slow
def test_noise_beside_times_passes_as_often_as_it_may():
    random, p, effects = np.random.default_rng(21), [], []
    once = np.ones(160)
    for _ in range(12):
        X = random.standard_normal((160, 40))
        X[:, 20:] = random.random((160, 20)) < 0.1
        y = censored(random, X, [1.0, -0.5])
        problem = problem_of(Survival(), Sample(X, y, once, once))
        found = conditional_test(problem, Plan(), Progress()).p_values
        p.append(found[2:])
        effects.append(found[:2])
    p = np.concatenate(p)
    for level in (0.1, 0.01):
        assert np.mean(p <= level) <= level + 4 * np.sqrt(level / len(p)), level
    assert np.mean(p <= 0.1) > 0.07
    assert np.median(effects, axis=0).max() < 1e-3


def test_times_are_asked_and_quantiles_are_not(wide):
    X, y = wide
    once = np.ones(len(y))
    both = Sample(X, np.column_stack([np.exp(y), once]), once, once)
    assert can_be_asked(problem_of(Survival(), both), Plan())
    assert not can_be_asked(problem_of(Quantile(), Sample(X, y, once, once)), Plan())
    classes = Sample(X, (y > 0) + 1.0 * (y > 1), once, once)
    assert can_be_asked(problem_of(Multiclass(3), classes), Plan())


# Two tests, one level


def test_two_tests_share_the_level():
    random = np.random.default_rng(6)
    shapes = Shapes(np.full(40, 0.8), np.ones(40))
    tail = Tail.of(random.exponential(size=100), Shapes(np.full(100, 0.8), np.ones(100)))
    reach, conditional = random.exponential(size=40), random.random(40)
    reach[0], conditional[0], conditional[1], conditional[2] = 40.0, 0.04, 1e-6, 1e-6
    reach[3], conditional[3] = 40.0, 0.2
    reach[4], conditional[4] = 40.0, 1e-6
    alone, both = (
        judge(tail, reach, shapes, fdr=0.1, conditional=one)
        for one in (None, ConditionalPValues(conditional, 0.05))
    )
    assert both.passed.tolist() == [True, True, True, False, True, *[False] * 35]
    assert alone.passed.tolist() == [True, False, False, True, True, *[False] * 35]
    # Who passes by the conditional test alone has no reach to pass; who passes both has.
    assert both.thresholds[1:3].tolist() == [0.0, 0.0]
    assert both.thresholds[4] == both.thresholds[0]
    assert (np.delete(both.thresholds, [1, 2]) > 0).all()
    np.testing.assert_array_equal(both.passed, reach > both.thresholds)
    assert not both.borderline[1:3].any()
    # Where rows are not few, every reach counts.
    assert judge(tail, reach, shapes, fdr=0.1, conditional=ConditionalPValues(conditional)).passed[
        :6
    ].tolist() == [
        *[True] * 5,
        False,
    ]
    # Noise passes one test or the other with the probability of the level.
    p, _ = tail.p_values(
        limits_at(0.01, tail, shapes, ConditionalPValues(np.full(40, 0.05))), shapes
    )
    np.testing.assert_allclose(p + 0.01 / 2, 0.01)


def test_something_has_to_pass_at_half_the_rate():
    p = np.full(50, 0.9)
    p[0], p[1] = 0.0015, 0.003  # 0.1/50 is 0.002, and half of it 0.001
    assert passing_level(p, 0.1) == pytest.approx(0.004)
    assert passing_level(p, 0.1, two_tests=True) == pytest.approx(0.001)
    p[2] = 0.0009
    assert passing_level(p, 0.1, two_tests=True) == HIGHEST_LEVEL
    assert passing_level(p, None, two_tests=True) == HIGHEST_LEVEL
    assert passing_level(p, 0.1, 0.0005, two_tests=True) == 0.00025


def test_where_features_are_few_something_has_to_pass_at_half_the_level():
    p = np.full(10, 0.9)
    p[0] = 0.003  # 0.1/10 and half of it are not below the level
    assert passing_level(p, 0.1) == HIGHEST_LEVEL
    assert passing_level(p, 0.1, two_tests=True) == HIGHEST_LEVEL / 2.0
    p[1] = 0.002
    assert passing_level(p, 0.1, two_tests=True) == HIGHEST_LEVEL


# In a fit


@pytest.mark.parametrize("rows", [60, 200], ids=["few rows", "many rows"])
@pytest.mark.parametrize("n_classes", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_every_fit_asks_both_unless_it_was_told_otherwise(rows, n_classes):
    X = np.random.default_rng(1).standard_normal((rows, 3))
    y = np.digitize(X[:, 0] + X[:, 1], np.linspace(-0.5, 0.5, n_classes - 1))
    quick = {"C": 1.0, "n_probes": 10, "tolerance": 0.05, "random_state": 0}
    both = RelevanceClassifier(**quick).fit(X, y).result_
    assert both.baseline["second_test"]
    alone = RelevanceClassifier(**quick, confidence=0.99).fit(X, y).result_
    assert not alone.baseline["second_test"]
    # Both reach farther than noise as well, so that noise has a threshold for them.
    assert both.classes.tolist() == alone.classes.tolist() == [2, 2, 0]
    assert not both.only_conditional.any()


@pytest.fixture(scope="module")
def rare():
    """Ten columns that decide where they are 1, which is one row of fourteen, and sixty others."""
    random = np.random.default_rng(8)
    X = (random.random((240, 70)) < 0.07).astype(float)
    scores = 5.0 * X[:, :10] @ random.choice([-1.0, 1.0], 10)
    return X, (random.random(240) < 1.0 / (1.0 + np.exp(-scores))).astype(int)


@pytest.mark.slow
def test_rare_columns_are_found_although_noise_reaches_as_far(rare, tmp_path):
    with pytest.warns(UserWarning, match="^no feature is strong"):
        result = RelevanceClassifier(random_state=0).fit(*rare).result_
    relevant = result.classes > 0
    assert relevant[:10].sum() >= 6
    assert relevant[10:].sum() <= 1
    assert result.relevant_by_conditional.any()
    assert "the conditional test" in repr(result)
    assert np.isnan(result.drawn_thresholds[result.only_conditional]).all()
    report = result.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "∗ passes the conditional test" in report
    # The star stands in two pictures, of the relevance, and of the weights with their signs, and in
    # both once more as a phone shows them.
    assert report.count(">∗</text>") == 4 * result.relevant_by_conditional.sum()
    rows = feature_rows(result)
    assert [row["explains"] for row in rows] == result.only_conditional.tolist()
    assert all((row["noise"] is None) == row["explains"] for row in rows)


@pytest.mark.slow
def test_a_feature_that_explains_is_solved_for_among_thousands():
    random = np.random.default_rng(9)
    X = random.standard_normal((80, 1010))
    y = X[:, :4] @ [1.0, -1.0, 0.8, 0.6] + 0.5 * random.standard_normal(80)
    result = RelevanceRegressor(random_state=0).fit(X, y).result_
    relevant = result.classes > 0
    assert relevant[:4].all()
    assert relevant.sum() <= 6
    assert not result.only_bounded[relevant].any()


@pytest.mark.slow
def test_what_every_model_uses_is_not_lost_in_noise():
    # Rare columns and a dense model: noise takes half of the weight, and every good model uses x3.
    random = np.random.default_rng(3)
    X = (random.random((1500, 8)) < 0.1).astype(float)
    y = random.random(1500) < 1.0 / (1.0 + np.exp(3.0 - 2.0 * X[:, :5].sum(axis=1)))
    with pytest.warns(UserWarning, match="^predictions are False for 94%"):
        result = RelevanceClassifier(C=0.3, random_state=0).fit(X, y).result_
    assert result.classes.tolist() == [1, 1, 1, 2, 1, 0, 0, 0]
    assert result.relevant_by_conditional[3]
