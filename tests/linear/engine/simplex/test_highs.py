"""The growing linear program."""

import numpy as np
import pytest

from allrelevant.linear.engine.simplex.highs import INFINITY, GrowingProgram


@pytest.mark.parametrize("entry", [1.0, 1e16])
def test_a_program_that_was_not_taken_up_as_a_whole_has_no_optimum(entry):
    program = GrowingProgram()
    none = np.zeros(0, dtype=np.int32)
    columns = program.add_columns(np.ones(2), 0.0, INFINITY, none, np.zeros((2, 0)))
    rows = program.add_rows(1.0, INFINITY, columns, np.array([[1.0, 2.0]]))
    program.add_columns(np.ones(1), 0.0, INFINITY, rows, np.array([[entry]]))
    assert program.solve("dual") == (entry == 1.0)
