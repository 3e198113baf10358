"""Relevance for ordered classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from allrelevant.base.arrays import Floats
from allrelevant.base.labels import ClassWeight, encode_ranks
from allrelevant.base.target_kinds import ORDINAL, answers_for
from allrelevant.base.validation import check_choice
from allrelevant.data.dask_rows import is_dask
from allrelevant.linear.estimators.losses import ChoosesLoss, LossOfClasses, tries_another
from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.choosing import Scoring
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.baseline.search import without_rare
from allrelevant.linear.fit.cautions import merged_classes
from allrelevant.linear.fit.rows.folds import GivenFolds
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel, OrderedLogistic, Ordinal
from allrelevant.linear.models.decoders import Decoder, Ranks


@answers_for(ORDINAL)
@dataclass(kw_only=True, eq=False, repr=False)
class OrdinalRelevanceClassifier(ClassifierMixin, ChoosesLoss):
    """Relevance intervals and classes of features for ordered classes.

    Parameters
    ----------
    order : {"explicit", "implicit"}, default="explicit"
        Whether each class is compared with its neighbouring thresholds, or every sample with
        every threshold. With the logistic loss it is always every threshold.
    classes : sequence, optional
        The classes from lowest to highest. By default the order of an ordered categorical, else
        sorted labels.
    loss : {"auto", "hinge", "logistic"}, default="auto"
        "hinge" is the papers'; it depends only on which side of a threshold a sample is. "logistic"
        also asks how likely that is, so that features count that change how likely a class is
        without making it the likeliest. "auto" is the hinge loss, unless ranks of left-out rows lie
        closer to a line through the scores of a logistic model, by more than a standard error, and
        its predictions are no worse. It is tried under the conditions that
        :class:`RelevanceClassifier` names; rows times thresholds may be 20,000 at most.
    slacks : {"compared", "all"}, default="compared"
        With privileged features: whether a sample pays for the slack functions of the thresholds
        that it is compared with, or for both, as in equation 14 of the paper of 2020. With "all"
        the lowest class pays for being too low and the highest for being too high, although nothing
        compares them there, and the functions are small in these classes, too.
    baseline, C, cv, rule, scoring, tolerance, budget, n_probes, probes, fdr, confidence, \
standardize, select, gamma, privileged, basis, column_groups, class_weight, n_jobs, random_state, \
verbose, checkpoint
        As in :class:`RelevanceClassifier`. The attributes are the same, except `intercept_`.

    Attributes
    ----------
    loss_ : str
        The loss of the models: "hinge" or "logistic".
    thresholds_ : array of shape (n_classes − 1,)
        Where the score ``X @ coef_`` passes from one class to the next, in ascending order.
    offset_scale_, offset_shift_ : float
        How ``class_weight="auto"`` moved the thresholds for predictions: along a line, if that
        improves predictions of rows left out in cross-validation; otherwise 1 and 0.

    Examples
    --------
    >>> from allrelevant import OrdinalRelevanceClassifier
    >>> from allrelevant.datasets import make_ordinal
    >>> X, y, truth = make_ordinal(
    ...     100, n_strong=1, n_weak=2, n_irrelevant=2, n_classes=3, random_state=0)
    >>> OrdinalRelevanceClassifier(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    order: Literal["explicit", "implicit"] = "explicit"
    classes: Sequence[Any] | None = None
    loss: LossOfClasses = "auto"
    slacks: Literal["compared", "all"] = "compared"
    class_weight: ClassWeight = "auto"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        # Classes without a linear order are not its business.
        tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("order", self.order, ("explicit", "implicit"))
        check_choice("slacks", self.slacks, ("compared", "all"))

    def _check_can_have_privileged(self) -> None:
        if self.order != "explicit":
            raise ValueError(
                "Privileged features need order='explicit': with order='implicit' there is no "
                "pair of slack functions to put them into."
            )

    def _encode(self, y: Any, count: Floats) -> tuple[Floats, Decoder]:
        self.classes_, target = encode_ranks(y, count > 0, self.classes, type(self).__name__)
        return target, Ranks(self.classes_)

    def _cautions(self, analysis: Analysis, sample: Sample) -> list[str]:
        """Say also which classes were too rare to choose C by; that is no reason to worry."""
        _, coarse = without_rare(analysis.choice.model, sample, analysis.plan)
        labels = self.classes_.tolist()
        note = merged_classes(sample.target, coarse, sample.numbers, labels)
        return [*super()._cautions(analysis, sample), *([] if note is None else [note])]

    def _variants(self) -> list[LinearModel]:
        if self.loss == "logistic":
            return [OrderedLogistic(len(self.classes_))]
        return [Ordinal(len(self.classes_), self.order, self.slacks)]

    def _variants_for(self, sample: Sample) -> list[LinearModel]:
        usual = self._variants()
        if tries_another(self, sample, len(self.classes_)):
            return [*usual, OrderedLogistic(len(self.classes_))]
        return usual

    def _plan(self, sample: Sample, folds: int | GivenFolds, scoring: Scoring | None) -> Plan:
        # Weights that were asked for say where predictions should be, too.
        is_auto = is_word(self.class_weight, "auto") and len(self.classes_) > 2
        return replace(super()._plan(sample, folds, scoring), moves_offsets=is_auto)

    def decision_function(self, X: Any) -> Any:
        """How far inside each class's interval the score is; negative outside.

        With two classes the distance to the threshold, positive for ``classes_[1]``.
        """
        if is_dask(X):
            return self._lazily(X, self.decision_function)
        return self._decoder.decision(self, self._table(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """1 − MMAE/(K−1), with the macro-averaged mean absolute error in ranks."""
        return self._decoder.score(self, self._table(X), y, sample_weight)
