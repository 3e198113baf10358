"""Where the rows of a table live, and all that is ever asked of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from allrelevant.data.classes import ClassMatrix
from allrelevant.data.dense import DenseMatrix
from allrelevant.data.matrix import Matrix
from allrelevant.data.parquet import open_parquet
from allrelevant.data.sparse import SparseMatrix

__all__ = ["ClassMatrix", "DenseMatrix", "Matrix", "SparseMatrix", "matrix_of", "open_parquet"]


def matrix_of(X: Any) -> Matrix:
    """An array, or a sparse one of scipy's, as a matrix; a matrix as it is."""
    if isinstance(X, np.ndarray):
        return DenseMatrix(X)
    return SparseMatrix.of(X) if sp.issparse(X) else X
