"""Simulated texts: most words are in few of them, and few words tell what they are about."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_random_state

from allrelevant.base.validation import check_number
from allrelevant.datasets.simulated import SetSpec, check_layout, check_noise, groups_of

_SELDOM, _OFTEN = 0.15, 1.0  # how often words of a subject are in texts about the other, and it


def make_text(
    n_samples: int = 300,
    *,
    n_strong: int = 3,
    n_weak: int = 4,
    n_irrelevant: int = 3000,
    n_groups: int = 2,
    length: float = 80.0,
    label_noise: float = 0.0,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[Any, np.ndarray, np.ndarray]:
    """Texts from two newsgroups as a sparse matrix of words, as a vectoriser would give them.

    Strong words are each an independent hint at what a text is about. The words of a group always
    stand together, as those of a name do, so that each can stand in for the others. All other words
    have nothing to do with it; how frequent they are follows Zipf's law.

    Parameters
    ----------
    n_samples : int, default=300
        Number of texts; half of them are of each newsgroup.
    n_strong, n_weak, n_irrelevant : int
        Number of words of each relevance.
    n_groups : int, default=2
        Number of groups the weak words form, with at least two words each.
    length : float, default=80.0
        How many irrelevant words a text has on average.
    label_noise : float, default=0.0
        Share of the labels that are flipped.
    random_state : int, RandomState or None, default=None
        Controls everything random; an int makes the call repeatable.

    Returns
    -------
    X : scipy.sparse.csr_matrix of shape (n_samples, n_words)
        1 + log of how often each word is in each text; strong words first, then weak, then others.
    y : ndarray of int of shape (n_samples,)
        The newsgroup, 0 or 1.
    truth : ndarray of int of shape (n_words,)
        2 for strong, 1 for weak and 0 for irrelevant words.

    Examples
    --------
    >>> from allrelevant.datasets import make_text
    >>> X, y, truth = make_text(100, n_irrelevant=2000, random_state=0)
    >>> X.shape, bool(X.nnz < 0.05 * 100 * 2000)
    ((100, 2007), True)
    """
    check_layout(SetSpec(n_samples, n_strong, n_weak, n_irrelevant), n_groups)
    check_number("length", length, low=0.0, closed=False)
    check_noise("label_noise", label_noise, 0.5)
    rng = check_random_state(random_state)
    y = rng.permutation(np.arange(n_samples) % 2)
    n_hidden = n_groups if n_weak else 0
    about = rng.randint(2, size=n_strong + n_hidden)  # the newsgroup each is a hint at
    hints = rng.poisson(np.where(y[:, None] == about, _OFTEN, _SELDOM))
    together = hints[:, n_strong:][:, groups_of(n_weak, n_hidden)]
    others = _other_words(n_samples, n_irrelevant, length, rng)
    telling = sp.csr_matrix(np.hstack([hints[:, :n_strong], together]))
    counts = sp.hstack([telling, others], format="csr", dtype=np.float64)
    counts.data = 1.0 + np.log(counts.data)
    wrong = rng.permutation(n_samples)[: round(label_noise * n_samples)]
    y[wrong] = 1 - y[wrong]
    return counts, y, np.repeat([2, 1, 0], [n_strong, n_weak, n_irrelevant])


def _other_words(n_texts: int, n_words: int, length: float, rng: np.random.RandomState) -> Any:
    """How often each text has each word, word by word as it is drawn."""
    if not n_words:
        return sp.csr_matrix((n_texts, 0))
    often = 1.0 / np.arange(2.0, n_words + 2.0)
    sizes = rng.poisson(length, n_texts)
    words = rng.choice(n_words, size=int(sizes.sum()), p=often / often.sum())
    texts = np.repeat(np.arange(n_texts), sizes)
    drawn = (np.ones(len(words)), (texts, words))
    return sp.coo_matrix(drawn, shape=(n_texts, n_words)).tocsr()
