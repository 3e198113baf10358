"""The neighbourhood graph, on which projections are to be smooth."""

from __future__ import annotations

from typing import Literal

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.kernel.features import FeatureSpace

Graph = Literal["input", "kernel", "reduced"]


def coordinates(X: Floats, space: FeatureSpace, graph: Graph, rank: float) -> Floats:
    """Where neighbours are looked for.

    In the feature space of a Gaussian kernel, ‖Φx − Φz‖² = 2 − 2·k(x, z) grows with the exponent
    of k: neighbours there are those in input space, columns scaled by their widths. Taken from the
    kernel itself they would drown in ties, since 2 − 2k is 2 for all rows that are far apart.
    """
    if graph == "input" or not space.embedding.shape[1]:  # no features: all rows are alike
        return X
    if graph == "kernel":
        return X if space.centres is None else X * np.sqrt(space.widths)
    n_leading = max(1, int(rank * space.n_centres))
    return space.embedding[:, :n_leading]


def nearest(Z: Floats, n_neighbors: int) -> Ints:
    """Indices of the nearest other rows, nearest first."""
    n_neighbors = min(n_neighbors, len(Z) - 1)
    if n_neighbors < 1:
        return np.empty((len(Z), 0), dtype=np.intp)
    search = NearestNeighbors(n_neighbors=n_neighbors).fit(Z)
    return np.asarray(search.kneighbors(return_distance=False))


def adjacency(neighbours: Ints) -> sp.csr_array:
    """1 where one row is among the nearest of the other, whichever of the two."""
    n, k = neighbours.shape
    rows = np.repeat(np.arange(n), k)
    S = sp.csr_array((np.ones(n * k), (rows, neighbours.ravel())), shape=(n, n))
    return sp.csr_array(S.maximum(S.T))


def laplacian(S: sp.csr_array) -> sp.csr_array:
    """Degrees on the diagonal, minus the links."""
    degrees = np.asarray(S.sum(axis=1)).ravel()
    return sp.csr_array(sp.diags_array(degrees) - S)


def loss_of_rows(S: sp.csr_array, gone: Mask) -> tuple[Ints, sp.csr_array]:
    """What the Laplacian loses when rows leave the graph: on which rows, and the matrix there."""
    stay = sp.diags_array((~gone).astype(float))
    change = laplacian(S) - laplacian(sp.csr_array(stay @ S @ stay))
    touched = np.flatnonzero(gone | (S @ gone.astype(float) > 0))
    return touched, sp.csr_array(sp.csr_array(change)[touched][:, touched])


def roughness(F: Floats, S: sp.csr_array) -> Floats:
    """``Fᵀ L F`` with the Laplacian L of the graph."""
    return np.asarray(F.T @ (laplacian(S) @ F))
