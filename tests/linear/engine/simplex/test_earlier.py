"""Which earlier model a new direction starts from."""

from types import SimpleNamespace

import numpy as np
import pytest

from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.simplex.earlier import EarlierModels


def remembering(*models):
    """Earlier models of two weights and an offset; each is kept under its number."""
    earlier = EarlierModels(SimpleNamespace(n_features=2, pieces=SimpleNamespace(n_offsets=1)))
    for number, (*weights, offset) in enumerate(models):
        earlier.remember(SimpleNamespace(weights=weights, offsets=[offset]), number)
    return earlier


def test_the_start_is_where_the_direction_is_largest():
    earlier = remembering((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 3.0))
    assert earlier.best(Direction(np.array([0]), np.array([1.0]))) == 0
    assert earlier.best(Direction(np.array([0, 1]), np.array([1.0, 2.0]))) == 1
    offset = np.array([1.0])
    assert earlier.best(Direction(np.array([1]), np.array([2.0]), offset_factors=offset)) == 2
    assert remembering().best(Direction(np.array([0]), np.array([1.0]))) is None


@pytest.mark.filterwarnings("error")
def test_an_invalid_operation_in_choosing_a_start_is_no_ones_business():
    earlier = remembering((np.inf, 1.0, 0.0), (0.0, 1.0, 0.0))
    assert earlier.best(Direction(np.array([1]), np.array([1.0]))) in (0, 1)
