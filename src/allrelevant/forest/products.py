"""Which powers and products of up to three columns go with the target.

Trees need many rows to see columns that act only together, as in the sign of a product of three:
no first split tells them anything. A product of columns is seen at once, if it is among the
candidates. All of them are, where the table is not too wide, and one after the other is taken
that goes with what the others leave of the target (orthogonal matching pursuit), as long as it
does so more than the best of so many candidates would by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, sqrt
from typing import Any

import numpy as np
from scipy.stats import norm

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.forest.preparation import indicators
from allrelevant.forest.sample import Table

_LEVEL = 0.05  # how often a term is taken, of all, where there is nothing to be found
_MOST_TERMS = 40
_ROWS_PER_TERM = 10
_POOL = 300  # candidates of a degree that are looked at more closely
_FAR_OUT = 1.5  # half widths of the middle 90 % beyond which values are clipped
_MOST_WORK = 2e9  # multiplications that a search through products may take
_FEWEST_ROWS = 1000  # on which a search is still worth it, where there are more
_DEGREES = (1, 2, 3, 2, 3)  # what one degree explains may have hidden another

Term = tuple[int, ...]  # the columns that are multiplied


@dataclass(frozen=True, eq=False)
class Columns:
    """Numbers on one scale, without gaps and outliers, and indicators of categories."""

    middle: Floats
    half: Floats
    numeric: Ints
    categories: tuple[tuple[int, Any], ...]  # the position of a column, and its encoder

    @classmethod
    def of(cls, X: Floats, categorical: Mask) -> Columns:
        """Learn scales and categories; a column without values becomes 0."""
        numeric = np.flatnonzero(~categorical)
        known = np.where(np.isnan(X[:, numeric]).all(axis=0), 0.0, X[:, numeric])
        low, high = np.nanquantile(known, [0.05, 0.95], axis=0)
        rare = high <= low  # nearly always the same value
        low = np.where(rare, np.nanmin(known, axis=0, initial=np.inf), low)
        high = np.where(rare, np.nanmax(known, axis=0, initial=-np.inf), high)
        half = np.where(high > low, (high - low) / 2, 1.0)
        encoders = [(j, indicators().fit(X[:, [j]])) for j in np.flatnonzero(categorical).tolist()]
        return cls((low + high) / 2, half, numeric, tuple(encoders))

    def transform(self, X: Floats) -> Floats:
        """The columns, numbers first."""
        scaled = (X[:, self.numeric] - self.middle) / self.half
        numbers = np.clip(np.nan_to_num(scaled, nan=0.0), -_FAR_OUT, _FAR_OUT)
        return np.hstack([numbers, *(e.transform(X[:, [j]]) for j, e in self.categories)])

    @property
    def sources(self) -> Ints:
        """The column of the table that each comes from."""
        widths = [len(e.get_feature_names_out()) for _, e in self.categories]
        own = np.repeat([j for j, _ in self.categories], widths).astype(int)
        return np.concatenate([self.numeric, own])


@dataclass(frozen=True, eq=False)
class ProductTerms:
    """Turns a table into standardised products of its columns."""

    columns: Columns
    terms: list[Term]
    mean: Floats
    spread: Floats

    @classmethod
    def of(cls, table: Table, seed: int) -> ProductTerms:
        """Find the products that go with the target."""
        columns = Columns.of(table.X, table.categorical)
        Z = columns.transform(table.X)
        terms = _search(Z, table.task.columns(table.target), table.weight, seed)
        T = _products(Z, terms)
        spread = T.std(axis=0)
        return cls(columns, terms, T.mean(axis=0), np.where(spread > 1e-9, spread, 1.0))

    def transform(self, X: Floats) -> Floats:
        """The products."""
        return (_products(self.columns.transform(X), self.terms) - self.mean) / self.spread

    def used(self, n_features: int) -> Mask:
        """The columns of the table that are in a product."""
        result = np.zeros(n_features, dtype=bool)
        result[self.columns.sources[[j for term in self.terms for j in term]]] = True
        return result


def _products(Z: Floats, terms: list[Term]) -> Floats:
    result = np.ones((len(Z), len(terms)))
    for k, term in enumerate(terms):
        for j in term:
            result[:, k] *= Z[:, j]
    return result


def _search(Z: Floats, Y: Floats, weight: Floats, seed: int) -> list[Term]:
    """The terms, degree by degree; few rows are looked at where there are many columns."""
    n, d = Z.shape
    degrees: tuple[int, ...] = _DEGREES
    work = Y.shape[1] * d**2
    if work * d * min(n, _FEWEST_ROWS) > _MOST_WORK:
        degrees = (1, 2)
    if work * min(n, _FEWEST_ROWS) > _MOST_WORK:
        degrees = (1,)
    most_rows = int(_MOST_WORK / (work * (d if 3 in degrees else 1)))
    if n > most_rows and len(degrees) > 1:
        rows = np.random.default_rng(seed).choice(n, most_rows, replace=False)
        Z, Y, weight = Z[rows], Y[rows], weight[rows]
    pursuit = _Pursuit(Z, Y, weight)
    for degree in degrees:
        pursuit.go_on(degree)
    return pursuit.terms


class _Pursuit:
    """What is left of the target, and the terms that were taken from it."""

    def __init__(self, Z: Floats, Y: Floats, weight: Floats) -> None:
        n, d = Z.shape
        self.terms: list[Term] = []
        self._Z = Z
        self._root = np.sqrt(weight / weight.mean())[:, None]
        self._Q = self._root / np.linalg.norm(self._root)  # orthonormal: what was taken
        self._left = self._without_taken(self._root * Y)
        self._names: list[Term] = []  # of the pool
        self._pool = np.zeros((0, n))
        self._searched: dict[int, int] = {}  # by degree: with how many terms taken
        # What the best of all candidates of a degree hardly reaches by chance; unequal weights
        # make for fewer rows.
        counts = {k: comb(d + k - 1, k) for k in set(_DEGREES)}
        unequal = sqrt(float(np.mean(self._root**4)))
        tests = 2 * len(counts) * Y.shape[1]
        self._limits = {k: unequal * norm.isf(_LEVEL / tests / m) for k, m in counts.items()}

    def _without_taken(self, columns: Floats) -> Floats:
        return columns - self._Q @ (self._Q.T @ columns)

    def go_on(self, degree: int) -> None:
        """Look through the products of a degree, then take terms as long as one shows itself."""
        if self._searched.get(degree) == len(self.terms):
            return
        self._searched[degree] = len(self.terms)
        self._extend_pool(degree)
        n = len(self._Z)
        limit = np.array([self._limits[len(term)] for term in self._names])
        while len(self._names) and len(self.terms) < min(_MOST_TERMS, n // _ROWS_PER_TERM):
            noise = np.sqrt((self._left**2).sum(axis=0) / (n - 1 - len(self.terms))) + 1e-12
            found = np.abs(self._pool @ (self._left / noise)).max(axis=1) / limit
            best = int(np.argmax(found))
            if found[best] < 1.0 or self._names[best] in self.terms:
                return
            self.terms.append(self._names[best])
            own = self._without_taken(self._without_taken(self._pool[best][:, None]))
            self._Q = np.hstack([self._Q, own / (np.linalg.norm(own) + 1e-300)])
            self._left = self._without_taken(self._left)

    def _extend_pool(self, degree: int) -> None:
        known = set(self._names)
        new = [term for term in self._screened(degree) if term not in known]
        first = self._Q[:, :1]
        columns = self._root * _products(self._Z, new)
        columns -= first @ (first.T @ columns)
        size = np.linalg.norm(columns, axis=0)
        varies = size > 1e-6 * sqrt(len(columns))
        self._names += [term for term, fit in zip(new, varies, strict=True) if fit]
        self._pool = np.vstack([self._pool, (columns[:, varies] / size[varies]).T])

    def _screened(self, degree: int) -> list[Term]:
        """The products of a degree that go most with what is left."""
        d = self._Z.shape[1]
        if comb(d + degree - 1, degree) <= _POOL:
            return list(combinations_with_replacement(range(d), degree))
        left = self._root * self._left
        Z = self._Z / (np.sqrt(np.mean((self._root * self._Z) ** 2, axis=0)) + 1e-12)
        if degree == 1:
            return [(j,) for j in _largest(np.abs(Z.T @ left).max(axis=1)).tolist()]
        if degree == 2:
            rows, columns, _ = _pairs(Z, left)
            return list(zip(rows.tolist(), columns.tolist(), strict=True))
        found = []
        for j in range(d):
            rows, columns, strength = _pairs(Z[:, j:], left * Z[:, [j]])
            found.append(np.array([np.full(len(rows), j), j + rows, j + columns, strength]))
        every = np.hstack(found)
        return [tuple(term) for term in every[:3, _largest(every[3])].T.astype(int).tolist()]


def _pairs(Z: Floats, left: Floats) -> tuple[Ints, Ints, Floats]:
    """The products of two columns that go most with any of the scores, and how much they do."""
    every = np.maximum.reduce([np.abs((Z * column[:, None]).T @ Z) for column in left.T])
    best = _largest(np.triu(every).ravel())
    return *np.divmod(best, Z.shape[1]), every.ravel()[best]


def _largest(values: Floats) -> Ints:
    k = min(_POOL, len(values))
    return np.sort(np.argpartition(-values, k - 1)[:k])
