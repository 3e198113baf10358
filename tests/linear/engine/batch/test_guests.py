"""Many columns at once, each beside the features that it needs, against programs one by one."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS, encode, equivalent_models, guest_reach, oracle_ends, reference_norm

from allrelevant.linear.engine.batch import company, guests
from allrelevant.linear.engine.batch.guests import ManyGuests
from allrelevant.linear.engine.batch.hinges import Hinges
from allrelevant.linear.engine.batch.own_hinges import OwnHinges
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import solver as ranges
from allrelevant.linear.engine.ranges.screening import ScreeningSolver
from allrelevant.linear.engine.ranges.solver import RangeSolver

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
N_FEATURES = 24


def simulated(model, n=70, digits=None, copies=0, **settings):
    """More columns than matter; with few digits, rows are equal and optima degenerate."""
    random = np.random.default_rng(3)
    X = random.normal(size=(n, N_FEATURES))
    if digits is not None:
        X = X.round(digits)
    score = X[:, 0] - X[:, 1] + 0.5 * X[:, 2] + random.normal(size=n)
    for k in range(copies):
        X[:, 3 + k] = X[:, k] * (-1.0) ** k
    return equivalent_models(model, X, encode(model, score), 0.3, 0.1, **settings)


def noise(models, n=6):
    random = np.random.default_rng(5)
    return [random.permutation(models.X.column(k)) for k in range(n)]


def directions(models):
    """Both ends of all weights, and of columns beside the data."""
    weights = [Direction.weight(k, sign) for k in range(N_FEATURES) for sign in (-1, 1)]
    return weights + [
        Direction.of_guest(column, sign) for column in noise(models) for sign in (-1, 1)
    ]


def one_by_one(models, asked):
    solver = RangeSolver(models, solver="simplex")
    return np.array([solver.maximise(direction).value for direction in asked])


@pytest.mark.slow
@every_model
@pytest.mark.parametrize(
    "settings", [{}, {"budget": "joint"}, {"digits": 0}, {"copies": 3}], ids=str
)
def test_together_they_are_what_they_are_alone(model, settings):
    models = simulated(model, **settings)
    asked = directions(models)
    found = ManyGuests(models).candidates(asked)
    values = np.array([np.nan if one is None else one.value for one in found])
    # The others are left to single programs: how many they are hangs on the baseline's vertex.
    assert np.isnan(values).mean() < 0.8
    assert all(one.is_proven for one in found if one is not None)
    sizes = np.abs([one.weights for one in found if one is not None])
    assert sizes[sizes > 0].min() > 1e-9 * reference_norm(models), "weights of no size are none"
    proven = ~np.isnan(values)
    expected = one_by_one(models, asked)
    np.testing.assert_allclose(values[proven], expected[proven], rtol=1e-7, atol=1e-7)


def test_ends_are_those_of_the_full_programs():
    models = simulated(MODELS["classification"])
    found = ManyGuests(models).candidates(directions(models)[: 2 * N_FEATURES])
    ends = np.array([np.nan if one is None else one.value for one in found]).reshape(-1, 2)
    expected = oracle_ends(models)[0] * [-1.0, 1.0]
    assert np.isnan(ends).mean() < 0.3
    proven = ~np.isnan(ends)
    np.testing.assert_allclose(ends[proven], expected[proven], rtol=1e-7, atol=1e-7)


def test_one_feature_is_enough():
    random = np.random.default_rng(0)
    X, column = random.normal(size=(2, 40, 1))
    model = MODELS["classification"]
    y = encode(model, X[:, 0] + random.normal(size=40))
    models = equivalent_models(model, X, y, 0.3, 0.1)
    asked = [Direction.weight(0, sign) for sign in (-1, 1)]
    asked += [Direction.of_guest(column[:, 0], sign) for sign in (-1, 1)]
    found = ManyGuests(models).candidates(asked)
    beside = oracle_ends(models.beside(column))[0][1]
    expected = np.append(oracle_ends(models)[0][0], beside) * [-1.0, 1.0, -1.0, 1.0]
    values = np.array([np.nan if one is None else one.value for one in found])
    proven = ~np.isnan(values)
    assert proven.any()
    np.testing.assert_allclose(values[proven], expected[proven], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("above", [0.01, -0.01])
def test_where_a_bound_is_enough_it_may_be_all_there_is(above):
    models = simulated(MODELS["classification"])
    asked = directions(models)
    values = one_by_one(models, asked)
    levels = values + above * np.abs(values)
    asked = [one.up_to(level) for one, level in zip(asked, levels, strict=True)]
    found = ManyGuests(models).candidates(asked)
    assert sum(one is None for one in found) < 0.3 * len(asked)
    for one, value, level in zip(found, values, levels, strict=True):
        if one is not None and not one.is_proven:
            assert value <= one.bound <= level
        elif one is not None:
            assert one.value == pytest.approx(value, rel=1e-7, abs=1e-7)
    assert any(one is not None and not one.is_proven for one in found) == (above > 0)


def test_who_needs_too_many_columns_is_left_to_others(monkeypatch):
    monkeypatch.setattr(guests, "_MOST_OWN", 1)
    models = simulated(MODELS["classification"], copies=3)
    asked = directions(models)
    found = ManyGuests(models).candidates(asked)
    lost = np.array([one is None for one in found])
    assert 0.1 < lost.mean() < 1.0
    expected = one_by_one(models, asked)
    values = [one.value for one in found if one is not None]
    np.testing.assert_allclose(values, expected[~lost], rtol=1e-7, atol=1e-7)


def test_it_is_for_plain_programs_of_few_pieces(monkeypatch):
    models = simulated(MODELS["classification"])
    assert ManyGuests.takes(models)
    with monkeypatch.context() as patched:
        patched.setattr(guests, "_MOST_PIECES", len(models.pieces) - 1)
        assert not ManyGuests.takes(models)
    side = EquivalentModels(
        models.X, models.pieces, models.budgets, models.reference, kinds=np.array([0, 2])
    )
    assert not ManyGuests.takes(side)
    norm, loss = models.budgets
    assert not ManyGuests.takes(replace(models, budgets=(norm, replace(loss, limit=0.0))))
    monkeypatch.setattr(company, "_MOST_SHARED", 1)
    assert not ManyGuests.takes(models)


# What solvers know beforehand


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("name", ["classification", "ordinal-implicit"])
def test_a_solver_that_has_foreseen_finds_the_same_and_solves_next_to_nothing(
    name, signed, monkeypatch
):
    models, alone = simulated(MODELS[name]), []
    by_simplex = RangeSolver._by_simplex
    solver, other = RangeSolver(models), RangeSolver(models, solver="simplex")
    expected = other.ranges(range(N_FEATURES), signed=signed)
    reaches = [guest_reach(other, column) for column in noise(models)]

    def counted(self, *arguments):
        alone.append(arguments)
        return by_simplex(self, *arguments)

    monkeypatch.setattr(RangeSolver, "_by_simplex", counted)
    ahead = [solver.range_question(k, signed=signed) for k in range(N_FEATURES)]
    solver.foresee([*ahead, *map(solver.guest_question, noise(models))])
    found = solver.ranges(range(N_FEATURES), signed=signed)
    assert np.allclose([one.relevance for one in found], [one.relevance for one in expected])
    if signed:
        assert np.allclose([one.ends for one in found], [one.ends for one in expected])
    assert np.allclose([guest_reach(solver, column) for column in noise(models)], reaches)
    assert len(alone) < 0.5 * solver.solved


def test_single_ends_and_levels_are_foreseen_too(monkeypatch):
    models = simulated(MODELS["classification"])
    ends = oracle_ends(models)[0]
    solver = ScreeningSolver(models)
    solver.foresee(solver.end_question(k, 1) for k in range(N_FEATURES))
    found = [solver.ask(solver.end_question(k, 1)).value for k in range(N_FEATURES)]
    np.testing.assert_allclose(found, ends[:, 1], rtol=1e-7, atol=1e-7)
    level = float(np.median(np.abs(ends).max(axis=1)))
    solver = ScreeningSolver(models)
    solver.foresee(solver.screening_question(k, level) for k in range(N_FEATURES))
    for k in range(N_FEATURES):
        one = solver.ask(solver.screening_question(k, level))
        farther = float(np.abs(ends[k]).max())
        assert one.is_screened == (farther <= level)
        if not one.is_screened:
            assert one.relevance[1] == pytest.approx(farther, rel=1e-7)


# Hinges with columns of their own


def test_own_columns_are_columns_like_all_others():
    """Every product against that of one program alone, written out with all columns."""
    random = np.random.default_rng(0)
    n_lines, n_pieces, n_shared, k, m = 3, 7, 2, 2, 3
    d, n = 1 + n_shared, n_pieces + n_shared
    A = np.vstack([random.normal(size=(n_pieces, d)), np.eye(n_shared, d, 1) * -1.0])
    shared = Hinges(
        A,
        random.normal(size=n),
        random.normal(size=m),
        random.normal(size=(m, d)),
        np.vstack([random.random((m - 1, n)), np.zeros((1, n))]),
    )
    own, own_slopes = random.normal(size=(n_lines, k, n_pieces)), random.normal(size=(3, m, k))
    price = np.array([0.5, 0.2, 0.0])
    all_ = OwnHinges.of(shared, own, own_slopes, price)
    z, xi = random.normal(size=(n_lines, k + d)), random.random((n_lines, n + k))
    which = np.array([[0, 8, 9], [6, 10, 3], [7, 2, 1]])
    rows, counted = np.array([0, 1, 2]), random.random((n_lines, n + k))
    for line in range(n_lines):
        left = np.vstack([own[line].T, np.zeros((n_shared, k)), -np.eye(k)])
        alone = Hinges(
            np.hstack([left, np.vstack([A, np.zeros((k, d))])]),
            all_.target,
            shared.constants,
            np.hstack([own_slopes[line], shared.slopes]),
            all_.prices,
        )
        one = slice(line, line + 1)
        for hinges in (all_, all_.lines([2, 1, 0]).lines([2, 1, 0])):
            assert (hinges.n_columns, hinges.n_hinges) == (alone.n_columns, alone.n_hinges)
            same = {
                "scores": (hinges.scores(z)[one], alone.scores(z[one])),
                "pulled": (hinges.pulled(xi)[one], alone.pulled(xi[one])),
                "along": (hinges.along(z)[one], alone.along(z[one])),
                "rows": (hinges.rows(z, xi)[one], alone.rows(z[one], xi[one])),
                "equations": (hinges.equations(which)[one], alone.equations(which[one])),
                "gradients": (
                    hinges.gradients(rows, counted)[one],
                    alone.gradients(rows[one], counted[one]),
                ),
                "triangles": (
                    hinges.normal_triangles(xi)[:, one],
                    alone.normal_triangles(xi[one]),
                ),
                "borders": (hinges.borders(xi)[:, :, one], alone.borders(xi[one])),
                "corners": (hinges.corner_triangles(xi)[:, one], alone.corner_triangles(xi[one])),
            }
            for name, (found, expected) in same.items():
                np.testing.assert_allclose(found, expected, atol=1e-12, err_msg=name)
        single = all_.in_single_precision
        assert single.own.dtype == single.scores(z.astype(np.float32)).dtype == np.float32


# Which method a solver takes


@pytest.mark.parametrize(
    ("entries", "share", "by"),
    [(0, 1.0, "interior"), (1e9, 1.0, "simplex"), (100, 1.0, "interior"), (100, 0.05, "simplex")],
)
def test_programs_with_many_entries_go_by_the_interior_point(entries, share, by, monkeypatch):
    """Zeros do not count; whoever solves them, the ends are those of the full programs."""
    monkeypatch.setattr(ranges, "SIMPLEX_ENTRIES", entries)
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 9)) * (random.random((80, 9)) < share)
    model = MODELS["classification"]
    models = equivalent_models(
        model, X, encode(model, X[:, 0] + 0.3 * random.normal(size=80)), 2.0, 0.1
    )
    solved = []
    for name in ("simplex", "interior"):
        method = getattr(RangeSolver, f"_by_{name}")

        def noted(self, *arguments, name=name, method=method):
            solved.append(name)
            return method(self, *arguments)

        monkeypatch.setattr(RangeSolver, f"_by_{name}", noted)
    found = RangeSolver(models).ranges(range(9))
    assert ("interior" in solved) == (by == "interior")
    ends = [one.ends for one in found]
    np.testing.assert_allclose(ends, oracle_ends(models)[0], rtol=1e-6, atol=1e-6)
