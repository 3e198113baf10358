"""Vertices that are guessed: equations of many at once, of which some have no solution."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant.linear.engine.batch.guesses import _without_error


@pytest.fixture
def matrices():
    found = np.random.default_rng(0).normal(size=(5, 3, 3))
    found[1, 2] = found[1, 0]  # the determinant of these two is zero, whatever rounding says
    found[3] = 0.0
    return found


def test_singular_equations_do_not_spoil_the_others(matrices):
    right = np.ones((5, 3, 1))
    found = _without_error(np.linalg.solve, matrices, right)
    assert found.shape == right.shape
    assert np.isnan(found[3]).all()
    good = [0, 2, 4]
    np.testing.assert_allclose(matrices[good] @ found[good], right[good])


def test_nor_the_inverses_of_others(matrices):
    found = _without_error(np.linalg.inv, matrices)
    assert found.shape == matrices.shape
    assert np.isnan(found[3]).all()
    np.testing.assert_allclose(found[0] @ matrices[0], np.eye(3), atol=1e-9)
