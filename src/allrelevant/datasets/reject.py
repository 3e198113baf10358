"""Two measurements of one quantity, as in the paper on the reject option."""

from __future__ import annotations

from typing import Literal

import numpy as np
from sklearn.utils import check_random_state

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.validation import check_choice, check_number

_NOISE = {1: (1.0, 0.4), 2: (0.6, 0.6), 3: (0.25, 0.25)}  # of both measurements, at most


def make_reject(
    kind: Literal[1, 2, 3] = 1,
    n_samples: int = 100,
    *,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[Floats, Ints]:
    """Two classes and two measurements of the quantity that tells them apart.

    The paper describes its three data sets in words, and prints no numbers: these are ours. The
    quantity is between −1 and 1, and the class is its sign.

    Parameters
    ----------
    kind : {1, 2, 3}
        1: noise grows towards the boundary, and the first measurement has more of it. 2: the same,
        with as much noise in both. 3: noise is small and even, and there are few samples near the
        boundary.
    n_samples : int, default=100
    random_state : int, RandomState or None, default=None

    Returns
    -------
    X : array of shape (n_samples, 2)
    y : array of shape (n_samples,)
        −1 and 1.

    Examples
    --------
    >>> from allrelevant.datasets import make_reject
    >>> X, y = make_reject(3, 50, random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((50, 2), [-1, 1])
    """
    check_choice("kind", kind, (1, 2, 3))
    check_number("n_samples", n_samples, low=2, whole=True)
    random = check_random_state(random_state)
    y = np.where(np.arange(n_samples) % 2, 1, -1)
    size = random.uniform(size=n_samples)
    if kind == 3:
        size = np.sqrt(size)  # the density falls towards the boundary
    spread = np.ones(n_samples) if kind == 3 else 1.0 - size
    noise = random.normal(size=(n_samples, 2)) * np.array(_NOISE[kind]) * spread[:, None]
    return (y * size)[:, None] + noise, y
