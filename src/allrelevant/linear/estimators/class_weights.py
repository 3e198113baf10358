"""Classes that count more, or less, than their samples."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.labels import ClassWeight, class_factors
from allrelevant.linear.estimators.given import class_weight_of
from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.fit.rows.sample import Sample, with_class_weights
from allrelevant.linear.models import LinearModel
from allrelevant.linear.models.decoders import Decoder


class WeighsClasses:
    """Gives samples the weights that the parameter `class_weight` asks for."""

    classes_: np.ndarray

    @abstractmethod
    def _encode(self, y: Any, count: Floats) -> tuple[Floats, Decoder]:
        """Check the target; give the codes of rows that count, and what they stand for."""

    @abstractmethod
    def _variants(self) -> list[LinearModel]:
        """The models to choose from."""

    def _balanced(self, sample: Sample) -> Sample | None:
        """The sample with classes of the same weight, where it has others by the user's wish."""
        words, given = ("auto", "balanced"), self._class_weight
        if not hasattr(self, "classes_") or any(is_word(given, word) for word in words):
            return None
        factors = class_factors("balanced", self.classes_, sample.target, sample.count, 1.0)
        return with_class_weights(sample, factors)

    @property
    def _class_weight(self) -> ClassWeight:
        return class_weight_of(self)

    def _weigh(self, sample: Sample) -> Sample:
        """Apply class weights."""
        if self._class_weight is None:
            return sample
        power = self._variants()[0].class_power
        factors = class_factors(
            self._class_weight, self.classes_, sample.target, sample.count, power
        )
        return with_class_weights(sample, factors)
