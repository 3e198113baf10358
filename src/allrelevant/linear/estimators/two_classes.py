"""What the estimators for two classes have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import Tags

from allrelevant.base.arrays import Floats
from allrelevant.base.labels import encode_classes
from allrelevant.data.dask_rows import is_dask
from allrelevant.linear.estimators.base import RelevanceEstimator
from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.fit.baseline.choosing import Scoring
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.rows.folds import GivenFolds
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models.decoders import Decoder, TwoClasses


class BinaryRelevance(ClassifierMixin, RelevanceEstimator):
    """What the estimators for two classes have in common."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _encode(self, y: Any, count: Floats) -> tuple[Floats, Decoder]:
        self.classes_, target = encode_classes(y, count > 0, type(self).__name__)
        return target, TwoClasses(self.classes_)

    def _plan(self, sample: Sample, folds: int | GivenFolds, scoring: Scoring | None) -> Plan:
        # Weights that were asked for say where predictions should be, too.
        is_auto = is_word(self._class_weight, "auto") and len(np.unique(sample.weight)) > 1
        is_auto = is_auto and len(self.classes_) == 2
        return replace(super()._plan(sample, folds, scoring), moves_offsets=is_auto)

    def decision_function(self, X: Any) -> Any:
        """Signed distance to the baseline's hyperplane, positive for ``classes_[1]``.

        With three or more classes, the score of each class.
        """
        if is_dask(X):
            return self._lazily(X, self.decision_function)
        return self._decoder.decision(self, self._table(X))
