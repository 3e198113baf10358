"""Where the rows of a table live, and all that is ever asked of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from allrelevant.data.classes import ClassMatrix
from allrelevant.data.dense import DenseMatrix
from allrelevant.data.matrix import Matrix

__all__ = ["ClassMatrix", "DenseMatrix", "Matrix", "matrix_of"]


def matrix_of(X: Any) -> Matrix:
    """An array as a matrix; a matrix as it is."""
    return DenseMatrix(X) if isinstance(X, np.ndarray) else X
