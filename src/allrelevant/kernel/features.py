"""Feature maps of the Gaussian kernel: exact, by landmarks, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist
from sklearn.utils import gen_batches

from allrelevant.base.arrays import Floats

Solver = Literal["exact", "nystroem", "linear"]
EXACT_UP_TO = 2000  # distinct rows; beyond, landmarks are as good and much faster
_SMALLEST_EIGENVALUE = 1e-10  # relative to the largest; below, eigenvectors are rounding errors
_FAR = 1e-8  # a row whose kernels are all below this resembles no centre
_BATCH = 4096


def gaussian(X: Floats, Z: Floats, widths: Floats) -> Floats:
    """``exp(−Σ_j γ_j (x_j − z_j)²)`` for all pairs of rows."""
    scale = np.sqrt(widths)
    exponents = cdist(X * scale, Z * scale, "sqeuclidean")
    return np.asarray(np.exp(np.negative(exponents, out=exponents), out=exponents))


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """Training rows in feature space, and how other rows get there."""

    # (m, d) or None: rows the kernel is taken with; None where features are the columns
    # themselves
    centres: Floats | None
    widths: Floats  # (d,): γ of each column
    # (n, r): coordinates of the training rows, leading directions first; inner products are
    # kernels
    embedding: Floats
    mixing: Floats  # (m, r): ``kernel(x, centres) @ mixing`` are the coordinates of a row x
    spectrum: Floats  # (r,): eigenvalue that belongs to each coordinate

    @property
    def n_centres(self) -> int:
        """Number of dimensions before those without content are left out."""
        return len(self.mixing)


def feature_space(
    X: Floats, widths: Floats, solver: Solver, n_landmarks: int, rng: np.random.RandomState
) -> FeatureSpace:
    """Coordinates E of the rows with ``E Eᵀ = K``, exactly or nearly."""
    if solver == "linear":
        return _linear(X, widths)
    if solver == "exact" or n_landmarks >= len(X):
        spectrum, vectors = _eigen(gaussian(X, X, widths))
        root = np.sqrt(spectrum)
        return FeatureSpace(X, widths, vectors * root, vectors / root, spectrum)
    landmarks = X[np.sort(rng.choice(len(X), n_landmarks, replace=False))]
    spectrum, vectors = _eigen(gaussian(landmarks, landmarks, widths))
    mixing = vectors / np.sqrt(spectrum)
    embedding = np.empty((len(X), len(spectrum)))
    for batch in gen_batches(len(X), _BATCH):
        embedding[batch] = gaussian(X[batch], landmarks, widths) @ mixing
    return FeatureSpace(landmarks, widths, embedding, mixing, spectrum)


def _linear(X: Floats, widths: Floats) -> FeatureSpace:
    """Principal axes, so that here too the leading coordinates come first.

    Those of the rows themselves, not of ``XᵀX``: its eigenvalues are squares, among which a column
    of small numbers would vanish beside one of large numbers, and it is huge for many columns.
    """
    scales, axes = scipy.linalg.svd(X, full_matrices=False, check_finite=False)[1:]
    rounding = max(X.shape) * np.finfo(float).eps * scales[0]
    kept = scales > max(rounding, np.finfo(float).tiny)
    axes = np.ascontiguousarray(axes[kept].T)
    return FeatureSpace(None, widths, X @ axes, axes, scales[kept] ** 2)


def _eigen(K: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues from the largest to the smallest that matters, and their vectors."""
    values, vectors = scipy.linalg.eigh(K, driver="evd", check_finite=False, overwrite_a=True)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = values > max(_SMALLEST_EIGENVALUE * values[0], np.finfo(float).tiny)
    return values[kept], np.ascontiguousarray(vectors[:, kept])


@dataclass(frozen=True, eq=False)
class Projection:
    """The fitted function f: one number for each row."""

    # As in `FeatureSpace`.
    centres: Floats | None
    widths: Floats
    # (m,): of the kernels with the centres, or of the columns where there are none
    coefficients: Floats
    offset: float  # what is subtracted, so that the training rows have a mean near 0
    elsewhere: float  # the value of rows that resemble no centre

    def __call__(self, X: Floats) -> Floats:
        """The projection of each row."""
        if self.centres is None:
            return np.asarray(X @ self.coefficients - self.offset)
        values = np.empty(len(X))
        for batch in gen_batches(len(X), _BATCH):
            kernel = gaussian(X[batch], self.centres, self.widths)
            # The kernel vanishes far from the data, and f with it; but nothing makes zero a
            # sensible guess, as thresholds may lie anywhere.
            is_known = kernel.max(axis=1) > _FAR
            inside = kernel @ self.coefficients - self.offset
            values[batch] = np.where(is_known, inside, self.elsewhere)
        return values
