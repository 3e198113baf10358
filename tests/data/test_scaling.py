"""Columns on one scale, and the levels of a category beside their reference."""

import numpy as np
import pytest
import scipy.sparse as sp

from allrelevant.data import matrix_of
from allrelevant.data.scaling import Scaling, are_levels, reference_levels

ONES = np.ones(60)


@pytest.fixture
def table():
    """A number, a category of three levels of which the second is the commonest, and a constant."""
    random = np.random.default_rng(0)
    level = np.repeat([0, 1, 2], [15, 25, 20])
    number = random.normal(5.0, 2.0, 60)
    return np.column_stack([number, level[:, None] == [0, 1, 2], np.ones(60)]).astype(float)


def scaling_of(X, standardize=True):
    scaling = Scaling.for_models(matrix_of(X), ONES, standardize=standardize)
    reference = reference_levels(X.sum(axis=0), [np.array([1, 2, 3])])
    return scaling.with_references(reference)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix])
def test_levels_are_columns_that_add_up_to_one(table, make):
    X = matrix_of(make(table))
    assert are_levels(X, np.array([1, 2, 3]))
    assert not are_levels(X, np.array([1, 2])), "rows of the third level have none"
    assert not are_levels(X, np.array([0, 1, 2, 3]))


def test_the_commonest_level_is_the_reference_and_of_equal_ones_the_first():
    groups = [np.array([1, 2, 3]), np.array([5, 4])]
    found = reference_levels(np.array([9.0, 2.0, 7.0, 1.0, 4.0, 4.0]), groups)
    assert found.tolist() == [-1, 2, 2, 2, 5, 5]


@pytest.mark.parametrize("standardize", [True, False])
def test_the_reference_has_no_values(table, standardize):
    scaled = scaling_of(table, standardize).of_matrix(matrix_of(table)).dense()
    assert not scaled[:, 2].any()
    assert np.ptp(scaled[:, [0, 1, 3]], axis=0).min() > 0


@pytest.mark.parametrize("standardize", [True, False])
def test_somebody_elses_model_predicts_the_same(table, standardize):
    """Its weight of the reference goes to the offset and the other levels."""
    scaling = scaling_of(table, standardize)
    coefficients = np.array([0.5, 1.0, -2.0, 3.0, 0.0])
    weights, offset = scaling.scaled(coefficients, 0.25)
    assert weights[2] == 0
    assert coefficients.tolist() == [0.5, 1.0, -2.0, 3.0, 0.0], "what was given stays as it is"
    scores = scaling.apply(table) @ weights + offset
    np.testing.assert_allclose(scores, table @ coefficients + 0.25)


@pytest.mark.parametrize("standardize", [True, False])
def test_columns_come_back_as_they_were(table, standardize):
    scaling = scaling_of(table, standardize)
    np.testing.assert_allclose(scaling.undone(scaling.apply(table)), table, atol=1e-12)


def test_without_categories_nothing_has_a_reference(table):
    scaling = Scaling.of(matrix_of(table), ONES)
    assert scaling.with_references(reference_levels(ONES[:5], [])) is scaling


def test_what_nearly_all_rows_have_in_common_becomes_zero():
    random = np.random.default_rng(0)
    rare, half, number = np.full(60, 7.0), np.zeros(60), random.normal(5.0, 2.0, 60)
    rare[random.choice(60, 6, replace=False)] = 3.0
    half[:30] = 1.0
    X = np.column_stack([rare, half, number])
    scaling = Scaling.for_models(matrix_of(X), ONES, standardize=True)
    scaled = scaling.of_matrix(matrix_of(X)).dense()
    np.testing.assert_array_equal(scaled[:, 0] == 0, rare == 7.0)
    np.testing.assert_allclose(scaled.std(axis=0), 1.0)
    np.testing.assert_allclose(scaled[:, 1:].mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(scaling.undone(scaled), X)
