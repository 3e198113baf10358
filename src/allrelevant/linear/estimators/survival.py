"""Relevance for times until an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.base import RegressorMixin

from allrelevant.base.arrays import Floats
from allrelevant.base.censored import as_times, share_seen
from allrelevant.base.target_kinds import SURVIVAL, answers_for
from allrelevant.base.validation import check_number
from allrelevant.linear.estimators.base import RelevanceEstimator
from allrelevant.linear.estimators.regression import centre_and_scale, epsilons_for
from allrelevant.linear.fit.sample import Sample
from allrelevant.linear.models import LinearModel, Survival
from allrelevant.linear.models.decoders import Decoder, ScaledTimes
from allrelevant.linear.questions.fitted_set import FittedSet


@answers_for(SURVIVAL)
@dataclass(kw_only=True, eq=False, repr=False)
class SurvivalRelevanceRegressor(RegressorMixin, RelevanceEstimator):
    """Relevance intervals and classes of features for times until an event.

    Models are linear in the logarithm of the time: a unit of a feature makes times longer by a
    factor. If the event had not happened yet when a sample was last seen (a censored time), only
    predictions that are too early count as wrong.

    Predictions are median times. If the event is seen in only a part of the samples (by Kaplan and
    Meier's estimate), they are the middle of that part: with three quarters censored the median
    lies beyond the data, and nothing could improve on a constant beyond all of them.

    Parameters
    ----------
    epsilon : float or "cv", default="cv"
        Deviations of log times up to this cost nothing, in their standard deviations. By default
        chosen as in :class:`RelevanceRegressor`.
    baseline, C, cv, rule, scoring, tolerance, budget, n_probes, probes, fdr, confidence, \
standardize, select, basis, column_groups, n_jobs, random_state, verbose, \
checkpoint
        As in :class:`RelevanceClassifier`, with the same attributes. `coef_` and `intercept_` are
        for the logarithm of the time.

    Attributes
    ----------
    epsilon_ : float
        What was chosen.
    quantile_ : float
        The share of events that come before the predicted times: one half if all are seen.

    Examples
    --------
    The target is a structured array, as scikit-survival has it, or two columns: times, and 1 where
    the event happened then or 0 where it had not happened yet.

    >>> from allrelevant import SurvivalRelevanceRegressor
    >>> from allrelevant.datasets import make_survival
    >>> X, y, truth = make_survival(
    ...     150, n_strong=1, n_weak=2, n_irrelevant=2, random_state=0)
    >>> SurvivalRelevanceRegressor(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    epsilon: float | Literal["cv"] = "cv"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.epsilon != "cv":
            check_number("epsilon", self.epsilon, low=0.0, also=("'cv'",))

    def _encode(self, y: Any, count: Floats) -> tuple[Floats, Decoder]:
        time, event = as_times(y)
        kept = count > 0
        log_time, event = np.log(time[kept]), event[kept]
        if not event.any():
            raise ValueError(
                "y has no event: it is not known for any sample when it happened, so there is "
                "nothing to predict. Events are 1, times at which it had not happened yet are 0."
            )
        centre, scale = 0.0, 1.0
        if self.standardize:
            centre, scale = centre_and_scale(log_time, count[kept])
        return np.column_stack([(log_time - centre) / scale, event]), ScaledTimes(centre, scale)

    def _variants(self) -> list[LinearModel]:
        return [Survival(epsilon) for epsilon in epsilons_for(self.epsilon)]

    def _variants_for(self, sample: Sample) -> list[LinearModel]:
        time, event = sample.target.T
        seen = share_seen(time, event, sample.count)
        return [Survival(epsilon, seen / 2.0) for epsilon in epsilons_for(self.epsilon, sample)]

    def _store(self, fitted: FittedSet) -> None:
        super()._store(fitted)
        assert isinstance(fitted.model, Survival)
        self.epsilon_, self.quantile_ = fitted.model.epsilon, fitted.model.quantile

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Harrell's C: the share of pairs, of those whose order is known, in the right order."""
        return self._decoder.score(self, self._table(X), y, sample_weight)
