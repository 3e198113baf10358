"""Simulated texts."""

import numpy as np
import pytest

from allrelevant.datasets import make_text


def test_words_are_what_they_are_said_to_be():
    X, y, truth = make_text(600, n_strong=2, n_weak=5, n_irrelevant=800, random_state=0)
    assert X.shape == (600, 807)
    assert np.bincount(truth).tolist() == [800, 5, 2]
    assert y.sum() == 300
    dense = X.toarray()
    # Words of a group stand together; all hints differ between the newsgroups, others hardly.
    np.testing.assert_array_equal(dense[:, 2], dense[:, 3])
    np.testing.assert_array_equal(dense[:, 5], dense[:, 6])
    assert not np.array_equal(dense[:, 2], dense[:, 5])
    apart = np.abs(dense[y == 1].mean(axis=0) - dense[y == 0].mean(axis=0)) / dense.std(axis=0)
    assert apart[truth > 0].min() > 0.5
    assert np.quantile(apart[truth == 0], 0.99) < 0.3
    assert X.data.min() == 1.0  # 1 + log 1
    assert 40 < X.nnz / 600 < 90


def test_the_same_seed_the_same_texts_and_labels_can_be_wrong():
    one, two = (make_text(50, n_irrelevant=30, random_state=3) for _ in range(2))
    assert (one[0] != two[0]).nnz == 0
    _, noisy, _ = make_text(50, n_irrelevant=30, label_noise=0.2, random_state=3)
    assert (noisy != one[1]).sum() == 10
    with pytest.raises(ValueError, match="length must be"):
        make_text(length=0)
