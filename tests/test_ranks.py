"""Friedman's test and Holm's procedure give what a paper prints, from its printed errors."""

import numpy as np
import pytest

from benchmarks.papers.printed_2016 import ERRORS, FRIEDMAN, HOLM, METHODS, RANKS
from benchmarks.papers.ranks import friedman, holm, p_values


@pytest.fixture(scope="module")
def found():
    return friedman(np.array(list(ERRORS.values())))


def test_ranks_and_their_test(found):
    np.testing.assert_allclose(found.ranks, RANKS, atol=5e-4)
    assert found.statistic == pytest.approx(FRIEDMAN, abs=5e-3)
    assert found.p < 1e-15


@pytest.mark.parametrize("control", HOLM)
def test_p_values_against_a_control(found, control):
    p = p_values(found.ranks, METHODS.index(control), len(ERRORS))
    printed = HOLM[control]
    np.testing.assert_allclose(
        [p[METHODS.index(m)] for m in printed], [*printed.values()], atol=2e-5
    )
    rejected = holm(np.array(list(printed.values())))
    assert rejected.tolist() == [True, True, True, True, False]


def test_holm_stops_at_the_first_that_is_too_large():
    assert holm(np.array([0.04, 0.001, 0.03])).tolist() == [False, True, False]
    assert not holm(np.array([0.03, 0.04])).any()
