"""Every kind of matrix answers what numpy answers on the whole table."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp

from allrelevant.base.rows import distinct_rows
from allrelevant.data import ClassMatrix, DenseMatrix, SparseMatrix, mapped, matrix_of
from allrelevant.data.below import MatrixWithRows
from allrelevant.data.mapped import MappedMatrix, in_passing
from allrelevant.data.scaling import Scaling


def table():
    """Columns of several sizes, some with zeros, one of zeros alone; a row that is there twice."""
    random = np.random.default_rng(0)
    X = random.normal(size=(30, 8)) * 10.0 ** random.integers(-2, 3, 8)
    X[random.random((30, 8)) < 0.5] = 0.0
    X[:, 3] = 0.0
    X[17] = X[4]
    return X


KINDS = {
    "dense": DenseMatrix,
    "sparse": lambda X: SparseMatrix.of(sp.csc_array(X)),
    "mapped": lambda X: MappedMatrix(X - 1.0, (lambda rows: rows + 1.0,)),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def test_rows_of_classes_are_differences_of_blocks():
    samples, codes = table()[:9], np.array([0, 2, 1, 1, 0, 2, 2, 0, 1])
    matrix = ClassMatrix.of(DenseMatrix(samples), codes, 3)
    X = np.zeros((18, 24))
    for p, (i, k) in enumerate((i, k) for i in range(9) for k in range(3) if k != codes[i]):
        X[p, 8 * codes[i] : 8 * codes[i] + 8] = samples[i]
        X[p, 8 * k : 8 * k + 8] = -samples[i]
    assert_same(matrix, X)
    rows, new = np.array([3, 1, 17, 4]), np.random.default_rng(3).normal(size=(18, 2))
    assert_same(matrix.take(rows), X[rows])
    assert_same(matrix.beside(new), np.column_stack([X, new]))
    other = X.copy()
    other[:, [2, 20]] = new
    assert_same(matrix.replaced(np.array([2, 20]), new), other)
    assert_same(
        matrix.replaced(np.array([2, 20]), new).beside(new).take(rows),
        np.column_stack([other, new])[rows],
    )


def test_rows_below_say_nothing_of_sizes():
    samples, rows = table(), np.zeros((2, 8))
    rows[0, [1, 4]], rows[1, [0, 1]] = (1.0, -1.0), (-1.0, 1.0)
    matrix, X = MatrixWithRows(DenseMatrix(samples), rows), np.vstack([table(), rows])
    assert_same(matrix, X, sizes=np.abs(samples).max(axis=0))
    chosen = np.array([5, 2, 31])
    assert_same(matrix.take(chosen), X[chosen], sizes=np.abs(samples[[5, 2]]).max(axis=0))


def scaled(kind):
    """A matrix whose columns have been centred and scaled, and the same as an array."""
    X, random = table(), np.random.default_rng(1)
    centre, scale = random.normal(size=8), random.uniform(0.5, 2.0, 8)
    return KINDS[kind](X).scaled(centre, scale), (X - centre) / scale


def assert_same(matrix, X, sizes=None):
    """All that can be asked of a matrix, asked."""
    random = np.random.default_rng(2)
    n, d = X.shape
    assert matrix.shape == (n, d)
    assert len(matrix) == n
    rows, features = random.integers(n, size=5), random.permutation(d)[:3]
    w, v = random.normal(size=d), random.normal(size=n)
    W, V = random.normal(size=(d, 4)), random.normal(size=(4, n))
    same = [
        (matrix.dense(), X),
        (matrix.scores(w), X @ w),
        (matrix.scores(W), X @ W),
        (matrix.scores_from(features, w[features]), X[:, features] @ w[features]),
        (matrix.pull(v), v @ X),
        (matrix.pull(V), V @ X),
        (matrix.pull_of(rows, v[rows]), v[rows] @ X[rows]),
        (matrix.column(2), X[:, 2]),
        (matrix.columns(features), X[:, features]),
        (matrix.block(rows, features), X[np.ix_(rows, features)]),
        (matrix.block(rows, features[:0]), np.zeros((5, 0))),
        (matrix.ends[0], X.min(axis=0)),
        (matrix.ends[1], X.max(axis=0)),
        (matrix.sizes, np.abs(X).max(axis=0) if sizes is None else sizes),
        (matrix.row_sizes, np.abs(X).max(axis=1)),
    ]
    for got, expected in same:
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12 * np.abs(X).max())


@every_kind
def test_a_matrix_answers_like_an_array(kind):
    assert_same(KINDS[kind](table()), table())
    assert_same(*scaled(kind))


@every_kind
def test_matrices_made_of_others(kind):
    matrix, X = scaled(kind)
    random = np.random.default_rng(3)
    columns, rows = random.normal(size=(30, 2)), np.array([7, 7, 0, 29, 3])
    assert_same(matrix.take(rows), X[rows])
    assert_same(matrix.beside(columns), np.column_stack([X, columns]))
    changed = X.copy()
    changed[:, [5, 1]] = columns
    assert_same(matrix.replaced(np.array([5, 1]), columns), changed)
    changed[:, [5, 1]] = 0.0
    nothing = matrix.replaced(np.array([5, 1]), np.zeros((30, 2)))
    assert_same(nothing, changed)
    assert (nothing.sizes[[5, 1]] == 0.0).all()
    assert_same(matrix.map(np.square), X**2)
    assert_same(matrix.map(lambda x: x / (1.0 + np.abs(x))), X / (1.0 + np.abs(X)))
    assert_same(
        matrix.map(np.abs).beside(columns).take(rows).scaled(np.ones(10)),
        np.column_stack([np.abs(X), columns])[rows] - 1.0,
    )
    assert_same(matrix, X)  # none of this has changed it


@every_kind
def test_equal_rows_are_found(kind):
    target = np.zeros(30)
    matrix = KINDS[kind](table())
    first, of = matrix.distinct(target)
    assert len(first) == 29
    assert of[4] == of[17]
    np.testing.assert_array_equal(table()[first][of], table())
    apart = np.arange(30) == 4
    assert len(matrix.distinct(apart * 1.0)[0]) == 30
    assert len(matrix.distinct(target, np.arange(30))[0]) == 30
    # Whatever the order of the rows, that of the kinds is the same.
    order = np.random.default_rng(4).permutation(30)
    again, _ = matrix.take(order).distinct(target)
    np.testing.assert_array_equal(table()[order][again], table()[first])


@every_kind
def test_a_matrix_can_be_sent_elsewhere(kind):
    matrix, X = scaled(kind)
    assert matrix.column(1).shape == (30,)  # what is remembered by now need not be sent
    there = pickle.loads(pickle.dumps(matrix))
    assert_same(there, X)
    assert len(pickle.dumps(matrix)) < 2 * X.nbytes


@every_kind
def test_no_columns_at_all(kind):
    matrix = KINDS[kind](np.zeros((4, 0)))
    assert matrix.scores(np.zeros(0)).tolist() == [0.0] * 4
    assert matrix.pull(np.ones(4)).shape == matrix.sizes.shape == (0,)
    assert matrix.row_sizes.tolist() == [0.0] * 4


def test_arrays_become_matrices_and_matrices_stay():
    made = matrix_of(table())
    assert isinstance(made, DenseMatrix)
    assert matrix_of(made) is made
    for form in (sp.csr_matrix, sp.csc_array, sp.coo_array):
        sparse = matrix_of(form(table()))
        assert isinstance(sparse, SparseMatrix)
        assert_same(sparse, table())


def test_nothing_but_what_is_there_is_stored():
    matrix = matrix_of(sp.csr_array(table()))
    n_there = np.count_nonzero(table())
    scaled = matrix.scaled(np.ones(8), np.full(8, 2.0)).map(np.abs)
    assert matrix.stored.nnz == scaled.stored.nnz == n_there
    # A column without zeros, far from them, is stored by its distance from one of its values.
    far = np.column_stack([1e9 + np.arange(30.0) % 2, np.full(30, 7.0)])
    scaling = Scaling.of(matrix_of(sp.csr_array(far)), np.ones(30))
    np.testing.assert_allclose(scaling.scale, [0.5, np.inf])


def test_tall_tables_are_worked_out_in_passing(monkeypatch):
    X = table()
    assert in_passing(matrix_of(X)).shape == (30, 8)
    assert not isinstance(in_passing(matrix_of(X)), MappedMatrix)
    before = Scaling.of(matrix_of(X), np.ones(30))
    monkeypatch.setattr(mapped, "TALL", 20)
    monkeypatch.setattr(mapped, "_ROWS", 7)
    tall = in_passing(matrix_of(X))
    assert isinstance(tall, MappedMatrix)
    after = Scaling.of(matrix_of(X), np.ones(30))
    np.testing.assert_allclose(after.scale, before.scale, rtol=1e-14)
    assert_same(after.of_matrix(tall), before.apply(X))
    assert isinstance(tall.take(np.arange(3)), DenseMatrix)


@pytest.mark.parametrize("whole", [False, True])
def test_rows_told_apart_by_few_columns_have_the_same_order(whole, monkeypatch):
    random = np.random.default_rng(5)
    X = random.integers(-3, 4, (50, 4)) * -0.5 if whole else random.normal(size=(50, 4))
    target = random.integers(-1, 2, 50).astype(float)
    first, kind = distinct_rows(target, X, np.arange(50))
    monkeypatch.setattr("allrelevant.base.rows._order_by_bytes", lambda blocks: None)
    np.testing.assert_array_equal(distinct_rows(target, X, np.arange(50))[0], first)
    np.testing.assert_array_equal(distinct_rows(target, X, np.arange(50))[1], kind)
