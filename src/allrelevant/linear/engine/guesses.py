"""The vertices that interior points of many programs head for, guessed and solved for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.hinges import Hinges, Points

_LEVELS = tuple(2.0**k for k in range(-5, 6))  # of nearness to a kink; two divide a vertex


@dataclass(frozen=True, eq=False)
class Found:
    """Models and multipliers, a line for each function."""

    z: Floats
    hinges: Floats
    rows: Floats


def vertices_near(
    hinges: Hinges, costs: Floats, points: Points, n_weights: int, scales: Floats
) -> tuple[Ints, Found]:
    """The vertices that interior points head for, where they can be told, and whose they are.

    A vertex has as many equations as there are columns. These are the hinges at their kinks, with
    small slacks on both sides for what multipliers they have, and the rows with a small slack.
    Where no level clearly divides them from the others, it is too early to tell.
    """
    d = hinges.n_columns
    paid = points.y3 @ hinges.prices.astype(points.y3.dtype)
    kinks = np.minimum(points.y1 / points.s1, points.y2 / points.s2) / paid
    # Slacks of weights are compared with the largest weight.
    kinks[:, -n_weights:] *= np.abs(points.z[:, -n_weights:]).max(axis=1, keepdims=True)
    rows = points.y3 * scales / (points.s3 * np.abs(costs).max(axis=1, keepdims=True))
    nearness = np.concatenate([kinks, rows], axis=1)
    n_above = np.array([np.count_nonzero(nearness > level, axis=1) for level in _LEVELS])
    is_clear = (n_above[1:] == d) & (n_above[:-1] == d)
    lines = np.flatnonzero(is_clear.any(axis=0))
    levels = np.array(_LEVELS[1:])[is_clear[:, lines].argmax(axis=0)]
    which = np.nonzero(nearness[lines] > levels[:, None])[1].reshape(len(lines), d)
    linear = (points.y1[lines] > points.y2[lines]).astype(float)
    return lines, _vertices(hinges, costs[lines], which, linear)


def _vertices(hinges: Hinges, costs: Floats, which: Ints, linear: Floats) -> Found:
    """Vertices with these equations, hinges before rows, and hinges that are linear there."""
    n, line = len(hinges.A), np.arange(len(which))[:, None]
    of_rows, hinge, row = which >= n, np.minimum(which, n - 1), np.maximum(which - n, 0)
    at_kink = np.zeros((len(which), n + len(hinges.prices)), dtype=bool)
    at_kink[line, which] = True
    linear = np.where(at_kink[:, :n], 0.0, linear)
    matrices, right = hinges.A[hinge], hinges.target[hinge]
    borders = np.moveaxis(hinges.borders(linear), -1, 0)
    from_linear = (linear * hinges.target) @ hinges.prices.T - hinges.constants
    matrices = np.where(of_rows[:, :, None], borders[line, row], matrices)
    right = np.where(of_rows, from_linear[line, row], right)
    z, dual = _solved(matrices, right), _solved(np.swapaxes(matrices, 1, 2), -costs)
    multipliers = np.zeros(at_kink.shape)
    multipliers[line, which] = dual
    pull, rows = multipliers[:, :n], multipliers[:, n:]
    return Found(z, np.where(at_kink[:, :n], pull, linear * (rows @ hinges.prices)), rows)


def _solved(matrices: Floats, right: Floats) -> Floats:
    """The solutions of many systems; where one is singular, those of systems that nearly are."""
    columns = right[:, :, None]
    try:
        found: Any = np.linalg.solve(matrices, columns)
    except np.linalg.LinAlgError:
        nearly = matrices + 1e-12 * np.eye(matrices.shape[1]) * np.abs(matrices).max()
        found = np.linalg.solve(nearly, columns)
    solutions: Floats = found[:, :, 0]
    return solutions
