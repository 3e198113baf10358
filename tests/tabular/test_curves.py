"""Columns that become several: what they are, what they are called, and whose they are."""

import numpy as np
import pytest
from sklearn.preprocessing import SplineTransformer

from allrelevant.tabular.curves import Curves

RANDOM = np.random.default_rng(0)
TABLE = np.column_stack([RANDOM.normal(size=60), RANDOM.integers(2, size=60), np.arange(60) % 4])
NAMES = ["dose", "ill", "grade"]


def curves(basis, count=None, table=TABLE):
    count = np.ones(len(table)) if count is None else count
    return Curves.of(table, NAMES, count, basis)


def test_ramps_add_up_to_the_column():
    """What is gained from knot to knot makes up the way from the least value."""
    found = curves("spline")
    knots = found.of_feature("dose").ends
    assert len(knots) == 6
    ramps = found.code(TABLE)[:, :5]
    np.testing.assert_allclose(knots[0] + ramps @ np.diff(knots), TABLE[:, 0])
    inside = np.histogram(TABLE[:, 0], knots)[0] / len(TABLE)
    np.testing.assert_allclose(inside, 0.2, atol=0.02)


def test_beyond_the_data_nothing_changes():
    ramps = curves("spline").of_feature("dose")
    far = ramps.columns(np.array([-1e6, 1e6]))
    assert (far[0] == 0).all()
    assert (far[1] == 1).all()


def test_steps_say_how_many_knots_are_below():
    found = curves("bins")
    knots = found.of_feature("dose").ends
    steps = found.code(TABLE)[:, :4]
    np.testing.assert_array_equal(steps.sum(axis=1), (TABLE[:, :1] > knots[1:-1]).sum(axis=1))


@pytest.mark.parametrize(("basis", "n_columns"), [("spline", 3), ("bins", 3)])
def test_few_values_have_a_knot_each(basis, n_columns):
    own = curves(basis).of_feature("grade").columns(np.arange(4.0))
    assert own.shape == (4, n_columns)
    assert np.linalg.matrix_rank(np.column_stack([own, np.ones(4)])) == 4  # any function of them


def test_two_values_need_no_curve():
    found = curves("spline")
    assert found.of_feature("ill") is None
    assert found.columns[5] == "ill"
    np.testing.assert_array_equal(found.source, [0] * 5 + [1] + [2] * 3)
    assert list(found.groups) == ["dose", "grade"]


def test_a_row_that_counts_twice_is_two_rows():
    count = RANDOM.integers(0, 4, size=60).astype(float)
    often = np.repeat(TABLE, count.astype(int), axis=0)
    ends = [
        c.of_feature("dose").ends for c in (curves("spline", count), curves("spline", table=often))
    ]
    np.testing.assert_array_equal(*ends)


def test_names_tell_knots_apart():
    table = TABLE.copy()
    table[:, 0] = 1000.0 + 1e-3 * TABLE[:, 0]
    labels = curves("spline", table=table).groups["dose"]
    assert len(set(labels)) == 5


def test_groups_of_columns_take_their_curves_along():
    groups = curves("spline").with_groups({"both": ["dose", 1]})
    assert groups["both"] == [*curves("spline").groups["dose"], "ill"]
    assert "dose" not in groups
    assert "grade" in groups


def test_somebodys_transformer_is_fitted_to_each_column():
    found = curves(SplineTransformer(n_knots=3, degree=2))
    by_hand = SplineTransformer(n_knots=3, degree=2).fit_transform(TABLE[:, :1])
    np.testing.assert_allclose(found.code(TABLE)[:, : by_hand.shape[1]], by_hand)


@pytest.mark.parametrize("basis", ["spline", "bins"])
def test_a_column_that_is_nearly_always_zero(basis):
    """Its quantiles are all the same."""
    table = np.where(np.arange(60) < 50, 0.0, np.arange(60))[:, None]
    found = Curves.of(table, ["rare"], np.ones(60), basis)
    assert found.code(table).shape == (60, 1)
