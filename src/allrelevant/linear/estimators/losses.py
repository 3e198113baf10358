"""Losses: the usual one of a task, and whether another is tried beside it."""

from __future__ import annotations

from typing import Any, Literal

from allrelevant.base.validation import check_choice
from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.estimators.privileged import PrivilegedRelevanceEstimator
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.questions.fitted_set import FittedSet

LossOfClasses = Literal["auto", "hinge", "logistic"]
# With more a second loss would take long to try.
_MOST_ROWS = 20_000  # times thresholds, or other classes
_MOST_CELLS = 200_000  # the same times the weights of several scores
_ROWS_EACH = 4  # with fewer for each weight there is too little to tell one loss from another


def tries_another(estimator: Any, sample: Sample, n_classes: int = 2, *, n_scores: int = 1) -> bool:
    """Whether another loss is tried beside the usual one: C is free, and there are rows enough.

    Every row is compared with every threshold between ordered classes, or with every other class.
    Numbers have one offset, as two classes have.
    """
    is_free = is_word(estimator.C, "cv") and is_word(estimator.baseline, "l1")
    n_rows, n_weights = sample.n_groups, sample.X.shape[1] * n_scores
    n_compared = n_rows * (n_classes - 1)
    is_plain = sample.outside is None and sample.privileged is None
    is_small = n_compared <= _MOST_ROWS
    if n_scores > 1:
        is_small &= n_compared * n_weights <= _MOST_CELLS
    has_rows = n_rows >= _ROWS_EACH * n_weights
    return estimator.loss == "auto" and is_free and is_plain and is_small and has_rows


def refuse_for(loss: str, sample: Sample) -> None:
    """Refuse a loss of many pieces for a sample that does not go with it."""
    for is_so, what in (
        (sample.privileged is not None, "features that are not privileged"),
        (sample.outside is not None, "rows in memory"),
    ):
        if is_so:
            raise ValueError(f"loss={loss!r} is for {what}: leave it at 'auto'.")


class ChoosesLoss(PrivilegedRelevanceEstimator):
    """An estimator of classes with a parameter `loss`, which becomes a field of its own."""

    loss: LossOfClasses

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice("loss", self.loss, ("auto", "hinge", "logistic"))

    def _prepare(self, X: Any, y: Any, *others: Any) -> tuple[Any, ...]:
        prepared = super()._prepare(X, y, *others)
        if self.loss == "logistic":
            refuse_for("logistic", prepared[0])
        return prepared

    def _store(self, fitted: FittedSet) -> None:
        super()._store(fitted)
        self.loss_ = fitted.model.loss_name
