"""The vertices that interior points of many programs head for, guessed and made feasible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.engine.batch.hinges import Hinges, Points
from allrelevant.linear.engine.batch.pivots import Vertices

_MOST_ROUNDS = 4
_FEASIBLE = 1e-9  # of the scale of a row: what it may be below zero
_LARGEST = 1e8  # number in an inverse, beyond which equations are as good as dependent


def vertices_near(
    hinges: Hinges, costs: Floats, points: Points, n_weights: int, scales: Floats
) -> tuple[Ints, Vertices]:
    """Feasible vertices that interior points are near to, where there are, and whose they are.

    A vertex has as many equations as there are columns. These are the hinges nearest to their
    kinks, with small slacks on both sides for what multipliers they have, and rows with small
    slacks. Rows are as they are where hinges are on the sides that the last round has found; that
    is settled once none has changed.
    """
    which = _nearest(hinges, costs, points, n_weights, scales)
    n, left = hinges.n_hinges, np.arange(len(costs))
    at_kink = np.zeros((len(costs), n + len(hinges.prices)), dtype=bool)
    np.put_along_axis(at_kink, which, True, axis=1)
    at_kink = at_kink[:, :n]
    linear, d = (points.y1 > points.y2) & ~at_kink, hinges.n_columns
    z, matrices = np.zeros((len(costs), d)), np.zeros((len(costs), d, d))
    for _ in range(_MOST_ROUNDS):
        some = hinges.lines(left)
        matrices[left], right = _equations(some, which[left], linear[left])
        z[left] = _without_error(np.linalg.solve, matrices[left], right[:, :, None])[:, :, 0]
        now = (some.scores(z[left]) < hinges.target) & ~at_kink[left]
        changed = (now != linear[left]).any(axis=1)
        linear[left] = now
        left = left[changed]
        if not len(left):
            break
    slack = np.maximum(hinges.target - hinges.scores(z), 0.0)
    over = hinges.rows(z, slack) / np.maximum(scales, 1.0)
    good: Mask = np.isfinite(z).all(axis=1) & (over.min(axis=1) >= -_FEASIBLE)
    good[left] = False
    lines = np.flatnonzero(good)
    inverses = _without_error(np.linalg.inv, matrices[lines])
    sure = np.abs(inverses).max(axis=(1, 2)) < _LARGEST
    lines, inverses = lines[sure], inverses[sure]
    return lines, Vertices(which[lines], z[lines], linear[lines], inverses)


def _nearest(hinges: Hinges, costs: Floats, points: Points, n_weights: int, scales: Floats) -> Ints:
    """The hinges and rows that are nearest to zero, as many as there are columns."""
    paid = points.y3 @ hinges.prices.astype(points.y3.dtype)
    kinks = np.minimum(points.y1 / points.s1, points.y2 / points.s2) / paid
    # Slacks of weights are compared with the largest weight.
    kinks[:, -n_weights:] *= np.abs(points.z[:, -n_weights:]).max(axis=1, keepdims=True)
    rows = points.y3 * scales / (points.s3 * np.abs(costs).max(axis=1, keepdims=True))
    distance = np.nan_to_num(-np.concatenate([kinks, rows], axis=1))
    d = hinges.n_columns
    return np.sort(np.argpartition(distance, d - 1, axis=1)[:, :d], axis=1)


def _equations(hinges: Hinges, which: Ints, linear: Mask) -> tuple[Floats, Floats]:
    """The equations of vertices where some hinges are linear: matrices and right-hand sides."""
    n, line = hinges.n_hinges, np.arange(len(which))[:, None]
    of_rows, hinge, row = which >= n, np.minimum(which, n - 1), np.maximum(which - n, 0)
    counted = linear.astype(float)
    borders = np.moveaxis(hinges.borders(counted), -1, 0)
    from_linear = (counted * hinges.target) @ hinges.prices.T - hinges.constants
    matrices = np.where(of_rows[:, :, None], borders[line, row], hinges.equations(hinge))
    return matrices, np.where(of_rows, from_linear[line, row], hinges.target[hinge])


def _without_error(function: Callable[..., Any], matrices: Floats, *right: Floats) -> Floats:
    """A function of many matrices; nan where one of them is singular."""
    with suppress(np.linalg.LinAlgError):
        return function(matrices, *right)
    # One by one: rounding decides whether a pivot is zero, so no other test tells which are.
    alone = [
        _or_nan(function, *(own[k : k + 1] for own in (matrices, *right)))
        for k in range(len(matrices))
    ]
    return np.concatenate(alone)


def _or_nan(function: Callable[..., Any], *arrays: Floats) -> Floats:
    """A function of one matrix; nan in the shape of its last argument where that is singular."""
    with suppress(np.linalg.LinAlgError):
        return function(*arrays)
    return np.full_like(arrays[-1], np.nan)
