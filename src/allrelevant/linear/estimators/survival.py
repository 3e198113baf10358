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
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel, LogLogistic, Survival
from allrelevant.linear.models.decoders import Decoder, ScaledTimes
from allrelevant.linear.models.log_logistic import logistic_scale
from allrelevant.linear.questions.fitted_set import FittedSet


@answers_for(SURVIVAL)
@dataclass(kw_only=True, eq=False, repr=False)
class SurvivalRelevanceRegressor(RegressorMixin, RelevanceEstimator):
    """Relevance intervals and classes of features for times until an event.

    Models are linear in the logarithm of the time: a unit of a feature makes times longer by a
    factor. If the event had not happened yet when a sample was last seen (a censored time), only
    predictions that are too early count as wrong.

    The loss is that of a log-logistic model, bent at five places instead of everywhere, and
    predictions are of the median time, even where that lies beyond the data.

    Parameters
    ----------
    epsilon : float or "cv", optional
        Where it is given, the loss is the absolute deviation of log times instead, beyond this many
        of their standard deviations; "cv" chooses as in :class:`RelevanceRegressor`. If the event
        is then seen in only a part of the samples (by Kaplan and Meier's estimate), predictions
        are the middle of that part: the median may lie beyond all times that were seen.
    baseline, C, cv, rule, scoring, tolerance, budget, n_probes, probes, fdr, confidence, \
standardize, select, basis, column_groups, n_jobs, random_state, verbose, \
checkpoint
        As in :class:`RelevanceClassifier`, with the same attributes. But unless `rule` or
        `epsilon` is given, that C is taken which orders times best, or hardly worse with less loss,
        of the one of least loss and larger ones whose loss is as good. `coef_` and `intercept_` are
        for the logarithm of the time.

    Attributes
    ----------
    epsilon_ : float or None
        What was chosen, where deviations up to something cost nothing.
    quantile_ : float
        The share of events that come before the predicted times: one half unless `epsilon` is given
        and some events are not seen.

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

    epsilon: float | Literal["cv"] | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.epsilon is not None and self.epsilon != "cv":
            check_number("epsilon", self.epsilon, low=0.0, also=("'cv'", "None"))

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
        if self.epsilon is None:
            return [LogLogistic()]
        return [Survival(epsilon) for epsilon in epsilons_for(self.epsilon)]

    def _variants_for(self, sample: Sample) -> list[LinearModel]:
        time, event = sample.target.T
        if self.epsilon is None:
            return [LogLogistic(scale=logistic_scale(time, event, sample.count))]
        seen = share_seen(time, event, sample.count)
        return [Survival(epsilon, seen / 2.0) for epsilon in epsilons_for(self.epsilon, sample)]

    def _store(self, fitted: FittedSet) -> None:
        super()._store(fitted)
        assert isinstance(fitted.model, Survival)
        self.epsilon_ = None if self.epsilon is None else fitted.model.epsilon
        self.quantile_ = fitted.model.quantile

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Harrell's C: the share of pairs, of those whose order is known, in the right order."""
        return self._decoder.score(self, self._table(X), y, sample_weight)
