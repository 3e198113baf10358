"""The Newton step against the linearised equations of the whole program, written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from allrelevant.linear.engine.interior.barrier import DenseProgram, NewtonSystem, Point, longest
from allrelevant.linear.engine.interior.centred import CentredProgram, enlarged
from allrelevant.linear.engine.interior.wide_start import WideStart

BUDGETS = {
    "split": (np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([4.0, 9.0])),
    "joint": (np.array([1.0]), np.array([0.7]), np.array([11.0])),
}
SHAPES = [(7, 3), (3, 8)]
every_program = pytest.mark.parametrize(
    ("budget", "q", "shape"),
    [(budget, q, shape) for budget in BUDGETS for q in (1, 3) for shape in SHAPES],
)


def make(budget, q, shape):
    u, f = shape
    random = np.random.default_rng([q, u, f])
    A = random.normal(size=(u, q + f))
    A[:, :q] = np.eye(q)[np.arange(u) % q] * random.choice([-1.0, 1.0], size=(u, 1))
    norm, loss, limit = BUDGETS[budget]
    program = DenseProgram(
        A=A,
        target=random.normal(size=u),
        cost=random.uniform(0.5, 2.0, u),
        slope=random.normal(size=q + f),
        constant=1.3,
        n_offsets=q,
        n_ordered=q,
        norm=norm,
        loss=loss,
        limit=limit,
    )
    n_rows = 2 * u + 2 * f + len(limit) + q - 1
    point = Point(
        z=random.normal(size=q + f),
        xi=random.uniform(0.1, 2.0, u),
        v=random.uniform(0.1, 2.0, f),
        s=random.uniform(0.1, 3.0, n_rows),
        y=random.uniform(0.1, 3.0, n_rows),
    )
    direction = random.normal(size=q + f)
    aim = random.normal(size=n_rows)
    return program, point, direction, aim


def inequalities(program, x):
    """All inequalities as the module's docstring has them, as a function of x = (z, ξ, v)."""
    u, f, q = program.n_pieces, program.n_weights, program.n_offsets
    z, xi, v = x[: q + f], x[q + f : q + f + u], x[q + f + u :]
    b, w = z[:q], z[q:]
    loss = program.constant - program.slope @ z + program.cost @ xi
    return np.concatenate(
        [
            program.A @ z + xi - program.target,
            xi,
            v - w,
            v + w,
            program.limit - program.loss * loss - program.norm * v.sum(),
            [b[t + 1] - b[t] for t in range(q - 1)],
        ]
    )


def jacobian(program, x):
    """By differences; the function is affine, so they are exact but for rounding."""
    start = inequalities(program, x)
    return np.column_stack([inequalities(program, x + e) - start for e in np.eye(len(x))])


def stacked(point_or_step):
    return np.concatenate([point_or_step.z, point_or_step.xi, point_or_step.v])


@every_program
def test_step_solves_the_linearised_equations(budget, q, shape):
    program, point, direction, aim = make(budget, q, shape)
    step = NewtonSystem(program, direction, point).step(aim)
    x, dx = stacked(point), stacked(step)
    J = jacobian(program, x)
    gradient = np.concatenate([direction, np.zeros(len(x) - len(direction))])
    # s = inequalities(x)
    np.testing.assert_allclose(point.s + step.s, inequalities(program, x + dx), atol=1e-9)
    # The gradient of the objective is balanced by the multipliers.
    np.testing.assert_allclose(gradient + J.T @ (point.y + step.y), 0.0, atol=1e-9)
    # s·y moves by the aim, to first order.
    np.testing.assert_allclose(point.s * step.y + point.y * step.s, aim, atol=1e-9)


@every_program
def test_step_is_that_of_the_full_system(budget, q, shape):
    program, point, direction, aim = make(budget, q, shape)
    step = NewtonSystem(program, direction, point).step(aim)
    x = stacked(point)
    J, n, m = jacobian(program, x), len(x), len(point.s)
    gradient = np.concatenate([direction, np.zeros(n - len(direction))])
    zero, one = np.zeros, np.eye(m)
    full = np.block(
        [
            [-J, one, zero((m, m))],
            [zero((n, n)), zero((n, m)), J.T],
            [zero((m, n)), np.diag(point.y), np.diag(point.s)],
        ]
    )
    right = np.concatenate([inequalities(program, x) - point.s, -gradient - J.T @ point.y, aim])
    expected = np.linalg.solve(full, right)
    got = np.concatenate([stacked(step), step.s, step.y])
    np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-8)


@every_program
def test_residuals_are_those_of_the_equations(budget, q, shape):
    program, point, direction, _ = make(budget, q, shape)
    system = NewtonSystem(program, direction, point)
    x = stacked(point)
    gradient = np.concatenate([direction, np.zeros(len(x) - len(direction))])
    dual = gradient + jacobian(program, x).T @ point.y
    np.testing.assert_allclose(system.primal_residual, point.s - inequalities(program, x))
    assert system.dual_infeasibility == pytest.approx(np.abs(dual).max())


@every_program
def test_corrections_make_steps_longer(budget, q, shape):
    program, point, direction, _ = make(budget, q, shape)
    system = NewtonSystem(program, direction, point)
    ends = [system.advanced(n) for n in (0, 3)]
    assert all((end.s > 0).all() and (end.y > 0).all() for end in ends)
    left = [
        np.abs(NewtonSystem(program, direction, end).primal_residual).sum()
        + NewtonSystem(program, direction, end).dual_infeasibility
        for end in ends
    ]
    assert left[1] <= 1.2 * left[0]


@every_program
def test_one_factorisation_serves_several_aims(budget, q, shape):
    program, point, direction, aim = make(budget, q, shape)
    system = NewtonSystem(program, direction, point)
    system.step(-aim)
    again = NewtonSystem(program, direction, point).step(aim)
    np.testing.assert_array_equal(system.step(aim).z, again.z)


@every_program
def test_parts_and_slacks_follow_one_order(budget, q, shape):
    program, point, *_ = make(budget, q, shape)
    x = stacked(point)
    scores = program.A @ point.z
    full = program.slacks(point.z, point.xi, point.v, scores, full=True)
    np.testing.assert_allclose(full, inequalities(program, x))
    change = program.slacks(point.z, point.xi, point.v, scores, full=False)
    np.testing.assert_allclose(change, full - inequalities(program, np.zeros(len(x))))
    u, f = shape
    lengths = [len(part) for part in program.parts(full)]
    assert lengths == [u, u, f, f, len(program.limit), q - 1]
    np.testing.assert_array_equal(np.concatenate(program.parts(full)), full)


@pytest.mark.parametrize(
    ("change", "expected"), [([1.0, 2.0], 1.0), ([-0.5, -1.0], 1.0), ([-4.0, -1.0], 0.25)]
)
def test_longest_step_by_hand(change, expected):
    assert longest(np.array([1.0, 2.0]), np.array(change)) == expected


def test_moved_and_complementarity_by_hand():
    point = Point(*(np.array([float(k)]) for k in (1, 2, 3, 4, 5)))
    assert point.complementarity == 20.0
    moved = point.moved(point, 0.5, 0.1)
    assert [float(part[0]) for part in (moved.z, moved.xi, moved.v, moved.s, moved.y)] == [
        1.5,
        3.0,
        4.5,
        6.0,
        5.5,
    ]


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_a_direction_starts_one_step_from_the_centre(budget, size):
    """Inside, with multipliers whose bound holds, and with slacks and multipliers in proportion."""
    program, _, direction, _ = make(budget, 1, (30, 3))
    program = replace(program, A=np.column_stack([program.A, np.zeros(30)]))
    program = replace(program, slope=np.append(program.slope, 0.0), limit=10.0 * program.limit)
    centred, aim = CentredProgram(program, np.zeros(4)), size * direction
    larger, point = centred.program, centred.towards(aim)
    assert min(point.s.min(), point.y.min()) > 0
    system = NewtonSystem(larger, aim, point)
    assert np.abs(system.primal_residual).max() <= 1e-9 * np.abs(point.s).max()
    assert system.dual_infeasibility <= 1e-9 * np.abs(point.y).max()
    assert aim @ point.z > aim @ centred.balanced_centre().z
    assert aim @ point.z <= largest(larger, aim) <= aim @ point.z + point.complementarity
    products = point.s * point.y
    assert products.max() / products.min() < 30.0


def test_a_point_goes_on_where_pieces_are_added():
    """New pieces are as central as the old ones, and steps go on to the same centre."""
    program = make("split", 1, (30, 3))[0]
    program = replace(program, A=np.column_stack([program.A, np.zeros(30)]))
    program = replace(program, slope=np.append(program.slope, 0.0), limit=np.array([40.0, 90.0]))
    few = replace(program, A=program.A[:20], target=program.target[:20], cost=program.cost[:20])
    centre = CentredProgram(few, np.zeros(4)).balanced_centre()
    larger, point = enlarged(program, None, centre)
    s1, s2, *_ = larger.parts(point.s)
    y1, y2, *_, y5, _ = larger.parts(point.y)
    mu = centre.complementarity / len(centre.s)
    np.testing.assert_allclose(s1[20:] * y1[20:], mu)
    np.testing.assert_allclose(s2[20:] * y2[20:], mu)
    np.testing.assert_allclose((y1 + y2)[20:], float(larger.loss @ y5) * larger.cost[20:])
    assert min(point.s.min(), point.y.min()) > 0
    for _ in range(8):
        step = NewtonSystem(larger, np.zeros(4), point).step(1.0 - point.s * point.y)
        sizes = longest(point.s, step.s), longest(point.y, step.y)
        point = point.moved(step, *(1.0 if size == 1.0 else 0.9 * size for size in sizes))
    expected = CentredProgram(program, np.zeros(4)).balanced_centre()
    np.testing.assert_allclose(point.z, expected.z, atol=0.02)


@pytest.mark.parametrize("has_guest", [False, True])
def test_a_point_goes_on_where_weights_are_added(has_guest):
    """New weights keep the equations of multipliers, and steps go on to the same optimum."""
    program, _, direction, _ = make("split", 1, (30, 4))
    small = np.where(np.arange(5) == 3, 0.1, 1.0)
    program = replace(program, A=program.A * small, slope=program.slope * small)
    program = replace(program, limit=np.array([40.0, 90.0]))
    guest = (program.A[:, -1].copy(), float(program.slope[-1])) if has_guest else None
    direction[3] = 0.0  # of the new weight
    if not has_guest:  # the last column is a spare one
        direction = direction[:-1]
    old = [0, 1, 2, 4] if has_guest else [0, 1, 2]
    few = replace(program, A=program.A[:, old], slope=program.slope[old])
    kept = direction[old]
    spare = replace(few, A=np.column_stack([few.A, np.zeros(30)]), slope=np.append(few.slope, 0.0))
    few, point = WideStart(spare, np.zeros(len(old))).start(kept)
    for _ in range(4):
        point = NewtonSystem(few, kept, point).advanced()
    far = replace(program, A=program.A * np.where(np.arange(5) == 3, 1e3, 1.0))
    assert enlarged(far, guest, point) is None
    larger, point = enlarged(program, guest, point)
    y3, y4, y5 = (larger.parts(point.y)[k] for k in (2, 3, 4))
    np.testing.assert_allclose((y3 + y4)[2], float(larger.norm @ y5))
    np.testing.assert_array_equal(point.z[3], 0.0)
    assert min(point.s.min(), point.y.min()) > 0
    for _ in range(40):
        if point.complementarity < 1e-10:
            break
        point = NewtonSystem(larger, direction, point).advanced()
    assert float(direction @ point.z) == pytest.approx(largest(larger, direction), abs=1e-6)


def largest(program, direction):
    """The optimum of the whole program by scipy."""
    size = len(direction) + program.n_pieces + program.n_weights
    start = inequalities(program, np.zeros(size))
    found = linprog(
        -np.append(direction, np.zeros(size - len(direction))),
        A_ub=-jacobian(program, np.zeros(size)),
        b_ub=start,
        bounds=(None, None),
    )
    return -found.fun


@every_program
@pytest.mark.parametrize("has_guest", [False, True])
def test_steps_from_a_wide_start_end_at_the_optimum(budget, q, shape, has_guest):
    program, _, direction, _ = make(budget, q, shape)
    limit = program.limit + 3.0 * program.cost.sum()
    program = replace(program, limit=limit, slope=np.zeros(len(program.slope)))
    direction[:q] = 0.0  # what offsets can be has no bound here
    n = program.A.shape[1]
    inside = np.append(np.arange(q) / 10.0, np.zeros(n - q))
    spare = replace(
        program,
        A=np.column_stack([program.A, np.zeros(shape[0])]),
        slope=np.append(program.slope, 0),
    )
    guest = None
    if has_guest:
        guest = np.linspace(-1.0, 1.0, shape[0]), 0.5
        direction = np.append(direction, 2.0)
    start = WideStart(spare, inside)
    assert start.is_possible
    used, point = start.start(direction, guest)
    assert min(point.s.min(), point.y.min()) > 0
    y1, y2, y3, y4, y5, _ = used.parts(point.y)
    np.testing.assert_allclose(y1 + y2, float(used.loss @ y5) * used.cost)
    np.testing.assert_allclose(y3 + y4, float(used.norm @ y5))
    for _ in range(40):
        if point.complementarity < 1e-10:
            break
        point = NewtonSystem(used, direction, point).advanced()
    assert float(direction @ point.z) == pytest.approx(largest(used, direction), abs=1e-6)


def test_there_is_no_start_where_a_budget_has_no_room():
    program = make("split", 1, (7, 3))[0]
    spare = replace(
        program,
        A=np.column_stack([program.A, np.zeros(7)]),
        slope=np.append(program.slope, 0.0),
        limit=np.array([4.0, program.constant]),
        target=np.ones(7),
    )
    assert not WideStart(spare, np.zeros(4)).is_possible
