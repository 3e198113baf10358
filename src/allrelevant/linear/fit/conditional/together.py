"""What a feature of several columns explains that others leave: all of its columns together.

The model of the others does without all columns of the feature, and without the features that could
stand in for it. What it leaves goes with the feature as much as with the best sum of its columns,
or with the best single one, whichever is rarer by chance. If the feature is noise its rows might
stand in any order. So what the model leaves changes places some hundred times, and the tail of what
comes about then is taken for an exponential one: what is compared is the logarithm of a probability
that normal columns would have, and its tail is of that kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2, norm

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.linear.fit.conditional.lasso import Lasso, LassoModel
from allrelevant.linear.fit.conditional.leftover import (
    ALIKE,
    COPIES,
    STANDS_IN,
    Leftover,
    at_least,
    correlations,
)
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.noise import NoiseAlike

_PERMUTATIONS = 1000
_AT_A_TIME = 2_000_000  # numbers that change places
_PERHAPS = 0.1  # what is no rarer by chance is not compared with permutations
_SAME = 1e-6  # of the largest: directions in which columns vary less are none


def widened(is_out: Mask, blocks: Sequence[Ints]) -> Mask:
    """The columns to leave out, with all others of the same features."""
    wide = is_out.copy()
    for own in blocks:
        wide[own] = is_out[own].any()
    return wide


def p_value_together(
    lasso: Lasso, sample: Sample, model: LassoModel, own: Ints, blocks: Sequence[Ints]
) -> float:
    """The probability that noise would go with what others leave as much as a feature does.

    A feature that goes with it much less than one of those that are left out as well could not
    stand in for that one. It is asked once more, with only its near copies left out.

    Parameters
    ----------
    model : LassoModel
        That of all columns.
    own : array of int
        The columns of the feature.
    blocks : sequence of arrays of int
        Those of all features that have several.
    """
    own = own[lasso.scale[own] > 0]
    if not len(own):
        return 1.0
    asked = _Asked(lasso, sample, model, blocks)
    block, is_out = Directions.of(lasso, sample, own), asked.like(own, ALIKE)
    rest = asked.without(is_out)
    mine = block.explained(rest)
    if any(mine < STANDS_IN**2 * its for its in asked.explained(rest, own, is_out)):
        rest = asked.without(asked.like(own, COPIES))
    return block.p_value(rest)


@dataclass(frozen=True, eq=False)
class _Asked:
    """The columns of which some are left out."""

    lasso: Lasso
    sample: Sample
    model: LassoModel
    blocks: Sequence[Ints]

    def like(self, own: Ints, correlation: float) -> Mask:
        """The columns of the feature, and of all features of which one is like one of them."""
        is_like = np.zeros(len(self.lasso.scale), dtype=bool)
        for k in own.tolist():
            found = np.abs(correlations(self.lasso, self.sample, k))
            is_like |= found >= at_least(self.lasso, correlation)
        is_like[own] = True
        return widened(is_like, self.blocks)

    def without(self, is_out: Mask) -> Leftover:
        """What a model without some columns leaves."""
        is_whole = not is_out[self.model.used].any()
        model = self.model if is_whole else self.lasso.solve(self.model.penalty, self.model, is_out)
        return Leftover(self.lasso, self.sample, model)

    def explained(self, rest: Leftover, own: Ints, is_out: Mask) -> list[float]:
        """What other features that are left out explain, each."""
        single = is_out.copy()
        several = [block for block in self.blocks if is_out[block].any()]
        for block in several:
            single[block] = False
        others = [block for block in several if not np.isin(own, block).any()]
        others += [np.array([k]) for k in np.flatnonzero(single & (self.lasso.scale > 0)).tolist()]
        return [Directions.of(self.lasso, self.sample, one).explained(rest) for one in others]


@dataclass(frozen=True, eq=False)
class Directions:
    """The columns of a feature.

    Parameters
    ----------
    directions : array of shape (n_samples, n_directions)
        Uncorrelated columns of variance 1, of which they are sums.
    parts : array of shape (n_directions, n_columns)
        The sums, of columns of variance 1.
    """

    directions: Floats
    parts: Floats

    @classmethod
    def of(cls, lasso: Lasso, sample: Sample, own: Ints) -> Directions:
        """The directions of some columns."""
        share = sample.numbers / sample.numbers.sum()
        values = lasso.X.columns(own)
        root = np.sqrt(share)[:, None]
        left, sizes, right = np.linalg.svd(root * (values - share @ values), full_matrices=False)
        kept = sizes > _SAME * float(sizes.max(initial=0.0))
        parts = sizes[kept, None] * right[kept]
        length = np.sqrt((parts**2).sum(axis=0))
        parts = np.divide(parts, length, out=np.zeros_like(parts), where=length > 0)
        return cls(left[:, kept] / root, parts)

    def explained(self, rest: Leftover) -> float:
        """The square of what it has in common with the rest, beyond what noise would have."""
        n_directions = len(self.parts)
        return max(float((self._products(rest) ** 2).sum()) - n_directions, 0.0)

    def p_value(self, rest: Leftover) -> float:
        """The probability that it goes with the rest as much if that changes places."""
        if not len(self.parts) or not rest.numbers.any():
            return 1.0
        rarity = float(self._rarity(self._products(rest)[None])[0])
        if np.exp(-rarity) > _PERHAPS:
            return min(2.0 * float(np.exp(-rarity)), 1.0)  # of the two that are looked at
        return max(NoiseAlike.of(self._by_chance(rest)).p_value(rarity)[0], rest.least)

    def _products(self, rest: Leftover) -> Floats:
        """With each direction, in standard deviations of what comes about by chance."""
        times, numbers = rest.sample.numbers, rest.numbers
        size = float(np.sqrt(times @ numbers**2)) or 1.0
        return (times * numbers) @ self.directions / size

    def _rarity(self, products: Floats) -> Floats:
        """How rare products of each row are, by the best sum of columns or the best column."""
        n_directions, n_columns = self.parts.shape
        by_sum = -chi2.logsf((products**2).sum(axis=1), n_directions)
        largest = np.abs(products @ self.parts).max(axis=1)
        by_one = -norm.logsf(largest) - np.log(2.0 * n_columns)
        return np.maximum(by_sum, by_one)

    def _by_chance(self, rest: Leftover) -> Floats:
        """How rare it is what comes about as the rest changes places."""
        times = rest.sample.numbers.astype(np.intp)
        directions = np.repeat(self.directions, times, axis=0)
        numbers = np.repeat(rest.numbers, times)
        numbers = numbers / (float(np.sqrt(numbers @ numbers)) or 1.0)
        random, n = np.random.default_rng(len(numbers)), len(numbers)
        found: list[Floats] = []
        for start in range(0, _PERMUTATIONS, step := max(_AT_A_TIME // n, 1)):
            n_more = min(step, _PERMUTATIONS - start)
            moved = random.permuted(np.tile(numbers, (n_more, 1)), axis=1)
            found.append(self._rarity(moved @ directions))
        return np.concatenate(found)
