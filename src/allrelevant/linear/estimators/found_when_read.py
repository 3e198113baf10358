"""What people read off a fit and what is solved for only then, as properties of every estimator."""

from __future__ import annotations

import pandas as pd
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.arrays import Floats
from allrelevant.base.progress import told_progress
from allrelevant.linear.engine.ranges.weight_range import WeightRange
from allrelevant.linear.estimators.constraint_questions import ConstraintQuestions
from allrelevant.linear.fit.ranges.spreads import SpreadRange
from allrelevant.linear.questions.elsewhere import is_elsewhere
from allrelevant.linear.questions.tolerance.price import find_needed
from allrelevant.results.relevance import RelevanceResult


class FoundWhenRead(ConstraintQuestions):
    """Has programs that no relevance needs solved when somebody reads their answers."""

    @property
    def needed_up_to_(self) -> Floats:
        """The tolerance up to which all equivalent models need each feature.

        For each feature, the smallest tolerance, of norm and loss alike, at which some model does
        without it: 0 if the baseline does, infinite if no tolerance is enough. It is computed when
        you first ask for it, by one linear program for each feature that the baseline uses.
        """
        fitted = self._fitted()
        if not len(fitted.result.needed_up_to):
            progress = told_progress(self.verbose)
            fitted.result.learn_needed(find_needed(fitted, progress))
        return fitted.result.needed_up_to

    @property
    def signed_intervals_(self) -> Floats:
        """Smallest and largest weight of each column, as shares of the baseline's norm.

        Of most features one end decides the relevance. The other ends are solved for when you
        first ask for them here, in ``ranges_``, or in the table or JSON of ``result_``.
        """
        check_is_fitted(self)
        return self.fitted_set_.analysis.signed_intervals

    @property
    def ranges_(self) -> tuple[WeightRange | SpreadRange, ...]:
        """For each column both ends of its range with their witnesses, in the engine's units."""
        check_is_fitted(self)
        return self.fitted_set_.ranges

    @property
    def result_(self) -> RelevanceResult:
        """What the fit has found, as plain data; its table has a column *needed_up_to*."""
        fitted = self.fitted_set_
        if is_elsewhere(fitted):  # needed_up_to_ takes all rows
            return fitted.result
        return fitted.result.asking(lambda: self.needed_up_to_)

    def to_frame(self, sort: bool = False) -> pd.DataFrame:
        """Give the table of ``result_``.

        Parameters
        ----------
        sort : bool, default=False
            As in ``result_.to_frame``.
        """
        return self.result_.to_frame(sort=sort)
