"""The Newton matrix by pairs of classes against the matrix written out."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from allrelevant.linear.engine.interior.factor import TallFactor
from allrelevant.linear.engine.interior.paired import PairedPieces


def class_pieces(n_classes, n_features, per_pair, *, zeros=0.0):
    """Pieces that are about two classes each, offsets (none of class 0) before the weights."""
    random = np.random.default_rng(n_classes)
    rows = []
    for own, other in list(permutations(range(n_classes), 2)) * per_pair:
        x = random.normal(size=n_features) * (random.random(n_features) >= zeros)
        weights, offsets = np.zeros((n_classes, n_features)), np.zeros(n_classes)
        weights[own], weights[other], offsets[own], offsets[other] = x, -x, 1.0, -1.0
        rows.append(np.append(offsets[1:], weights))
    return random.permutation(np.array(rows))


@pytest.mark.parametrize("zeros", [0.0, 0.6])
@pytest.mark.parametrize("n_classes", [5, 8])
def test_solves_as_with_the_whole_matrix(n_classes, zeros):
    A = class_pieces(n_classes, 20, 6, zeros=zeros)
    q, random = n_classes - 1, np.random.default_rng(0)
    W, D = random.uniform(0.1, 9.0, len(A)), random.uniform(0.1, 9.0, A.shape[1] - q)
    offsets = np.diag(random.uniform(0.1, 1.0, q))
    paired = PairedPieces.of(A, q)
    assert paired is not None
    for right in (random.normal(size=A.shape[1]), random.normal(size=(A.shape[1], 3))):
        got = paired.factorise(W, offsets, D).solve(right)
        expected = TallFactor(A, W, offsets, D).solve(right)
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12)


def test_products_are_those_of_the_whole_matrix():
    A = class_pieces(6, 15, 4, zeros=0.5)
    paired, random = PairedPieces.of(A, 5), np.random.default_rng(1)
    assert paired is not None
    z, values = random.normal(size=A.shape[1]), random.normal(size=(len(A), 2))
    np.testing.assert_allclose(paired.scores(z), A @ z, atol=1e-12)
    np.testing.assert_allclose(paired.pull(values), A.T @ values, atol=1e-12)
    np.testing.assert_allclose(paired.pull(values[:, 0]), A.T @ values[:, 0], atol=1e-12)


def test_a_column_of_no_class_is_not_passed_over():
    A = class_pieces(6, 15, 4)
    A[:, -1] = 1.0
    assert PairedPieces.of(A, 5) is None


def test_where_all_pieces_have_all_columns_nothing_is_sorted():
    A = np.random.default_rng(0).normal(size=(200, 80))
    assert PairedPieces.of(A, 3) is None
    assert PairedPieces.of(class_pieces(3, 30, 20), 2) is None  # of three classes hardly anything
