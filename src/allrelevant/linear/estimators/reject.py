"""Relevance for binary classification with a reject option."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length

from allrelevant.base.arrays import Floats
from allrelevant.base.labels import ClassWeight
from allrelevant.base.target_kinds import REJECT, answers_for
from allrelevant.base.validation import check_number
from allrelevant.data import matrix_of
from allrelevant.linear.estimators.two_classes import BinaryRelevance
from allrelevant.linear.models import LinearModel, RejectOption
from allrelevant.linear.models.decoders import Decoder, TwoClassesOrNone
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.reject_range import RejectRange, find_reject_range
from allrelevant.linear.questions.scores.contributions import contribution_ends


@answers_for(REJECT)
@dataclass(kw_only=True, eq=False, repr=False)
class RejectOptionRelevanceClassifier(BinaryRelevance):
    """Relevance intervals and classes for binary classification that may decline to answer.

    Parameters
    ----------
    reject_cost : float, default=0.2
        The cost of a rejection, where a wrong answer costs 1; between 0 and 0.5.
    reject_threshold : float, optional
        A sample is rejected if its absolute decision value is at most this. By default it is
        `reject_cost`, the rule printed in the paper on reject-option relevance; Bartlett and
        Wegkamp's analysis admits other values between 0 and 1.
    reject_label : default=None
        What :meth:`predict` gives for rejected samples; None gives every sample a label.
    baseline, prefit, C, cv, rule, scoring, tolerance, budget, n_probes, probes, fdr, confidence, \
standardize, select, basis, column_groups, class_weight, n_jobs, random_state, \
verbose, checkpoint
        As in :class:`RelevanceClassifier`, with the same attributes.

    Examples
    --------
    >>> from allrelevant import RejectOptionRelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, _ = make_classification(100, noise=0.3, random_state=0)
    >>> model = RejectOptionRelevanceClassifier(reject_label=-1, random_state=0).fit(X, y)
    >>> bool((model.predict(X)[model.rejected(X)] == -1).all())
    True
    """

    reject_cost: float = 0.2
    reject_threshold: float | None = None
    reject_label: Any = None
    prefit: bool = False
    class_weight: ClassWeight = "auto"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("reject_cost", self.reject_cost, low=0.0, high=0.5, closed=False)
        if self.reject_threshold is not None:
            check_number("reject_threshold", self.reject_threshold, low=0.0)

    def _variants(self) -> list[LinearModel]:
        return [RejectOption(cost=float(self.reject_cost), threshold=self._threshold())]

    def _encode(self, y: Any, count: Floats) -> tuple[Floats, Decoder]:
        target, _ = super()._encode(y, count)
        return target, self._rejecting()

    def _rejecting(self) -> TwoClassesOrNone:
        cost, label = float(self.reject_cost), self.reject_label
        return TwoClassesOrNone(self.classes_, label, self._threshold(), cost)

    def _fitted(self) -> FittedSet:
        """By the parameters as they are now: what is rejected, and its label, need no new fit."""
        fitted, decoder = super()._fitted(), self._rejecting()
        if vars(fitted.decoder) | {"classes": None} != vars(decoder) | {"classes": None}:
            model: Any = fitted.model
            model = replace(model, threshold=decoder.threshold)
            choice = replace(fitted.analysis.choice, model=model)
            analysis = replace(fitted.analysis, choice=choice)
            self.fitted_set_ = replace(fitted, decoder=decoder, analysis=analysis)
        return self.fitted_set_

    @property
    def _decoder(self) -> TwoClassesOrNone:
        decoder = self._fitted().decoder
        assert isinstance(decoder, TwoClassesOrNone)
        return decoder

    def _threshold(self) -> float:
        given = self.reject_threshold
        return float(self.reject_cost if given is None else given)

    def rejected(self, X: Any) -> np.ndarray:
        """Mask of the samples the baseline model declines to label."""
        return self._decoder.rejected(self, self._table(X))

    def flip_changes(self) -> Floats:
        """How much of each column it takes to turn one class into the other.

        A prediction goes from one class to the other by no less than ``2·t/|w|``, with the
        threshold t and the weight w of the column; a smaller change can at most lead to a
        rejection or out of one.

        Returns
        -------
        array of shape (n_features, 2)
            The least and the most that it takes, over the equivalent models, in the units of the
            columns as they came: ``2·t/max|w|`` and ``2·t/min|w|``, infinite where no model uses
            the column, or some model does without it.
        """
        fitted = self._fitted()
        reach = self.intervals_[:, ::-1] * fitted.analysis.norm / fitted.scaling.scale[:, None]
        with np.errstate(divide="ignore"):
            return np.where(reach > 0, 2.0 * self._threshold() / reach, np.inf)

    def contributions(self, X: Any, y: Any = None) -> Floats:
        """How much each column speaks for the second class, in single samples or in classes.

        That is the column's weight times its value, as it is counted from the column's mean where
        columns are standardised: the sum over all columns, and an offset, is the decision value.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), optional
            Classes, or any other labels of samples that are to be taken together.

        Returns
        -------
        array of shape (n_samples, n_columns, 2)
            The least and the most over the equivalent models. With `y` there is a line for each of
            its sorted labels instead: the ends of the mean over its samples.
        """
        fitted = self._fitted()
        values = fitted.scaling.of_matrix(matrix_of(self._table(X))).dense()
        if y is not None:
            check_consistent_length(X, y)
            values = np.array(
                [values[np.asarray(y) == label].mean(axis=0) for label in np.unique(y)]
            )
        return contribution_ends(values, self.signed_intervals_ * fitted.analysis.norm)

    def reject_range(self, X: Any, y: Any = None, *, time_limit: float = 60.0) -> RejectRange:
        """Find how much the equivalent models reject at least and at most, and what they cost.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), optional
            The classes, for what is wrong; without them there is no cost.
        time_limit : float, default=60.0
            Seconds for each of the four integer programs. Where it is too short the ends are
            bounds, which the answer says, beside the best that were found.

        Returns
        -------
        RejectRange
            A decision value right at the threshold counts as a label or as a rejection, whichever
            is farther out.
        """
        check_number("time_limit", time_limit, low=0.0, closed=False)
        ranges, costs = self.prediction_range(X), None
        if y is not None:
            check_consistent_length(X, y)
            is_class = np.asarray(y)[:, None] == self.classes_[None, :]
            if not is_class.any(axis=1).all():
                raise ValueError(f"y must have the classes {self.classes_.tolist()} only.")
            none = np.full(len(is_class), self.reject_cost)
            costs = np.column_stack([~is_class[:, 0], none, ~is_class[:, 1]])
        return find_reject_range(
            self._fitted(), self._table(X), ranges, costs, self._threshold(), float(time_limit)
        )

    def predict(self, X: Any) -> np.ndarray:
        """The baseline model's labels; `reject_label` for rejected samples where that is set."""
        return super().predict(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """1 − mean cost: 1 for a wrong label, `reject_cost` for a rejection."""
        return self._decoder.score(self, self._table(X), y, sample_weight)
