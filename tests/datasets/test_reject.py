"""Three data sets for reject options have what the paper says of them."""

import numpy as np
import pytest

from allrelevant.datasets import make_reject


def data(kind):
    return make_reject(kind, 20000, random_state=0)


def test_noise_grows_towards_the_boundary_in_the_first_two():
    """The difference of both measurements is noise alone; their mean says where a sample is."""
    shares = {}
    for kind in (1, 2, 3):
        X, y = data(kind)
        noise, place = np.diff(X, axis=1)[:, 0], y * X[:, 1]
        shares[kind] = noise[np.abs(place) < 0.1].std() / noise[np.abs(place - 0.8) < 0.1].std()
    assert shares[1] > 1.5
    assert shares[1] > shares[2] > shares[3]


@pytest.mark.parametrize(("kind", "ratio"), [(1, 2.5), (2, 1.0), (3, 1.0)])
def test_how_noisy_both_measurements_are(kind, ratio):
    X, y = data(kind)
    first, second = (np.corrcoef(X[:, j], y)[0, 1] for j in (0, 1))
    assert first < second - 0.05 if ratio > 1 else first == pytest.approx(second, abs=0.02)


def test_few_samples_near_the_boundary_in_the_third():
    shares = [np.mean(np.abs(data(k)[0].mean(axis=1)) < 0.2) for k in (2, 3)]
    assert shares[1] < 0.5 * shares[0]


def test_bad_kinds_are_refused():
    with pytest.raises(ValueError, match="kind must be one of 1, 2, 3"):
        make_reject(4)
