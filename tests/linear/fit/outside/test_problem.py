"""Rows that are elsewhere and never settle: a fit ends, and says why."""

import numpy as np
import pytest
from array_rows import ArrayRows
from outside_cases import FEW, TARGETS, X, estimator

from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.fit.outside import open as opening
from allrelevant.linear.fit.outside import problem as problem_module
from allrelevant.linear.fit.outside.core import Core

TASK = next(iter(TARGETS))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_settled", "which"), [(0, "the baseline"), (1, "the equivalent models")]
)
def test_rows_that_never_settle_are_an_error(n_settled, which, monkeypatch):
    lacks, calls = Core.lacks, []

    def always_some(self, seen):
        calls.append(seen)
        found = lacks(self, seen)
        return found if len(calls) <= n_settled else np.ones_like(found)

    monkeypatch.setattr(opening, "FEW", FEW)
    monkeypatch.setattr(problem_module, "_MOST_ROUNDS", 2)
    monkeypatch.setattr(Core, "lacks", always_some)
    rows = ArrayRows(X, TARGETS[TASK], size=200)
    with pytest.raises(SolverError, match=f"rows that decide {which} could not be settled"):
        estimator(TASK).fit(rows, rows.target)
