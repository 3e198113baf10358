"""What a model of some columns leaves unexplained, and which columns are like others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.stats import norm

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.fit.conditional.lasso import Lasso, LassoModel
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.chance import Chance, least_p_value
from allrelevant.linear.fit.statistics.draws import Draws

ALIKE, COPIES = 0.5, 0.8  # correlations from which on features can take each other's weight
STANDS_IN = 0.9  # of what another explains: as much a feature has to, to stand in for it
_BY_CHANCE = 5.0  # times 1/√n: no correlation of noise is larger
_PERHAPS = 0.05  # a column that goes with the rest less than noise does that often is not asked


@dataclass(frozen=True, eq=False)
class Leftover:
    """What a model leaves unexplained, and how it goes with columns."""

    lasso: Lasso
    sample: Sample
    model: LassoModel

    @cached_property
    def numbers(self) -> Floats:
        """What an observation of each row adds to the product with a column."""
        return self.lasso.share * self.model.rest / self.sample.numbers

    @cached_property
    def chance(self) -> Chance:
        """What products come about by chance."""
        return Chance.of(self.numbers, self.sample.numbers)

    @cached_property
    def draws(self) -> Draws:
        """What products with a column of two values come about by chance."""
        return Draws.of(self.numbers, self.sample.numbers)

    @cached_property
    def least(self) -> float:
        """The smallest p-value that there can be: few orders may be different."""
        return least_p_value(self.numbers, self.sample.numbers)

    def p_values(self, columns: Ints) -> Floats:
        """The probability that noise goes with the rest as much as these columns do.

        That of a normal product is near enough where it is not small.
        """
        times, scale = self.sample.numbers, self.lasso.scale[columns]
        products = self.model.pulls[columns] * scale
        spread = scale * np.sqrt(times @ self.numbers**2)
        with np.errstate(invalid="ignore", divide="ignore"):
            p = np.nan_to_num(2.0 * norm.sf(np.abs(products) / spread), nan=1.0)
        for k in np.flatnonzero(p <= _PERHAPS).tolist():
            column = self.lasso.X.column(int(columns[k]))
            least = max(self.least, least_p_value(column, times))
            p[k] = max(self._p_value(column, float(products[k])), least)
        return p

    def _p_value(self, column: Floats, product: float) -> float:
        """The p-value of one column, given its product with what is left."""
        times, is_high = self.sample.numbers, column == column.max()
        if (is_high | (column == column.min())).all():
            is_rarer = is_high if 2.0 * (times @ is_high) <= times.sum() else ~is_high
            p = self.draws.p_value(np.repeat(is_rarer, times.astype(np.intp)))
            if p is not None:
                return p
        return self.chance.p_value(product, column, times)


def correlations(lasso: Lasso, sample: Sample, column: int) -> Floats:
    """Of one column with all."""
    share = sample.count / sample.count.sum()
    values = lasso.X.column(column)
    values = values - share @ values
    return lasso.X.pull(share * values) * lasso.inverse * lasso.inverse[column]


def at_least(lasso: Lasso, correlation: float) -> float:
    """A correlation, or what does not come about by chance where that is more."""
    return max(correlation, _BY_CHANCE / float(np.sqrt(len(lasso.X))))
