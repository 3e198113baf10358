"""Systems solved side by side, against numpy."""

import numpy as np
import pytest

from allrelevant.linear.engine.batch.saddles import Saddles


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float32, 1e-3), (np.float64, 1e-10)])
def test_each_system_is_solved(dtype, accuracy):
    random, n, m, d = np.random.default_rng(0), 7, 3, 5
    one, other, B = (random.normal(size=(n, *shape)) for shape in ((m, 9), (d, 9), (m, d)))
    C, K = one @ one.swapaxes(1, 2), other @ other.swapaxes(1, 2)
    p, r = random.normal(size=(n, m)), random.normal(size=(n, d))
    whole = np.block([[C, B], [-B.swapaxes(1, 2), K]])
    expected = np.linalg.solve(whole, np.concatenate([p, r], axis=1)[:, :, None])[:, :, 0]

    first, second = np.triu_indices(m), np.triu_indices(d)
    parts = C[:, *first].T, np.moveaxis(B, 0, -1), K[:, *second].T
    system = Saddles(*(part.astype(dtype) for part in parts))
    y, z = system.solve(p.T.astype(dtype), r.T.astype(dtype))
    np.testing.assert_allclose(np.concatenate([y, z]).T, expected, rtol=accuracy, atol=accuracy)


def test_a_pivot_of_which_rounding_leaves_nothing_is_no_end():
    """A matrix of rank one, as near vertices; what it tells of the solution is right."""
    K = np.array([[1.0], [1.0], [1.0]])
    y, z = Saddles(np.ones((1, 1)), np.zeros((1, 2, 1)), K).solve(np.ones((1, 1)), np.ones((2, 1)))
    assert np.isfinite(z).all()
    assert y[0, 0] == 1.0
    assert z.sum() == pytest.approx(1.0, abs=1e-6)
