"""A constant column changes no score, so it has no weight: in intervals, questions and groups."""

import numpy as np
import pytest
from estimator_cases import every_case

from allrelevant import InfeasibleError


@pytest.mark.slow
@every_case
def test_a_constant_column_has_no_weight_in_any_model(case):
    X, y = case.data()
    X = np.column_stack([X, np.full(len(X), 7.0)])
    last = X.shape[1] - 1
    model = case.make(column_groups={"both": [0, last]}).fit(X, y)
    assert model.intervals_[last].tolist() == [0.0, 0.0]
    assert model.signed_intervals_[last].tolist() == [0.0, 0.0]
    assert model.witness(f"x{last}", "max").coef_.ravel()[last] == 0.0
    assert model.result_.interval("both") == pytest.approx(tuple(model.intervals_[0]))
    after = model.what_if(forbid=[3])
    first, constant = after.columns["both"]["intervals"]
    assert constant == (0.0, 0.0)
    assert after.interval("both")[1] == pytest.approx(first[1])


@every_case
def test_no_tolerance_makes_a_constant_column_useful(case):
    X, y = case.data()
    X = np.column_stack([X, np.full(len(X), 7.0)])
    model = case.make().fit(X, y)
    with pytest.raises(InfeasibleError, match="No tolerance is large enough") as refused:
        model.what_if(keep=[X.shape[1] - 1])
    assert refused.value.tolerance == np.inf
