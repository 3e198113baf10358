"""What people see of a linear model: labels, numbers and units instead of codes.

A decoder is asked about anything that has the attributes it gives in `parameters`: an estimator, or
one of its equivalent models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import accuracy_score, d2_pinball_score, r2_score

from allrelevant.base.arrays import Floats
from allrelevant.base.censored import as_times, concordance
from allrelevant.base.margins import interval_margins
from allrelevant.base.metrics import macro_mean_absolute_rank_error


class Decoder(ABC):
    """From the codes, scores and offsets of a model to what people gave as targets."""

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """What can be predicted, in the order of the model's codes; empty for numbers."""
        return ()

    @abstractmethod
    def decode(self, codes: Floats) -> np.ndarray:
        """Targets as they were given, from their codes."""

    @property
    def units(self) -> tuple[float, float]:
        """Scale and centre of what is linear in a model: decision values, numbers, log times."""
        return 1.0, 0.0

    def in_target_units(self, values: Floats) -> Floats:
        """Decision values of the engine as people see them."""
        return values

    def encoded(self, values: Floats) -> Floats:
        """The engine's decision values, from those that people see."""
        return values

    @abstractmethod
    def parameters(self, coefficients: Floats, offsets: Floats) -> dict[str, Any]:
        """A model for the columns as they came, named and shaped as scikit-learn does."""

    @abstractmethod
    def decision(self, fitted: Any, table: Floats) -> Floats:
        """Decision values."""

    @abstractmethod
    def predict(self, fitted: Any, table: Floats) -> np.ndarray:
        """Predictions."""

    @abstractmethod
    def score(self, fitted: Any, table: Floats, y: Any, sample_weight: Any = None) -> float:
        """Quality of the predictions, higher is better."""


@dataclass(frozen=True, eq=False)
class Labels(Decoder):
    """Labels of classes, from lowest to highest."""

    classes: np.ndarray

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """All classes."""
        return tuple(self.classes.tolist())

    def decode(self, codes: Floats) -> np.ndarray:
        """The classes at these positions."""
        return self.classes[codes.astype(np.intp)]

    def score(self, fitted: Any, table: Floats, y: Any, sample_weight: Any = None) -> float:
        """Accuracy."""
        return float(accuracy_score(y, self.predict(fitted, table), sample_weight=sample_weight))


class TwoClasses(Labels):
    """Labels of two classes, whose codes are −1 and +1."""

    def decode(self, codes: Floats) -> np.ndarray:
        """The second class where codes are positive."""
        return self.classes[(codes > 0).astype(int)]

    def parameters(self, coefficients: Floats, offsets: Floats) -> dict[str, Any]:
        """`coef_` of shape (1, n_features), `intercept_` of shape (1,)."""
        return {"coef_": coefficients[None, :], "intercept_": offsets}

    def decision(self, fitted: Any, table: Floats) -> Floats:
        """Signed distance to the hyperplane, positive for the second class."""
        return table @ fitted.coef_[0] + fitted.intercept_[0]

    def predict(self, fitted: Any, table: Floats) -> np.ndarray:
        """The class on whose side a sample is."""
        return self.decode(self.decision(fitted, table))


class ManyClasses(Labels):
    """Labels of classes without an order, whose codes are their positions."""

    def parameters(self, coefficients: Floats, offsets: Floats) -> dict[str, Any]:
        """`coef_` of shape (n_classes, n_features), `intercept_` of shape (n_classes,)."""
        return {"coef_": coefficients, "intercept_": offsets}

    def decision(self, fitted: Any, table: Floats) -> Floats:
        """The scores of all classes."""
        return table @ fitted.coef_.T + fitted.intercept_

    def predict(self, fitted: Any, table: Floats) -> np.ndarray:
        """The class of the largest score."""
        return self.classes[self.decision(fitted, table).argmax(axis=1)]


@dataclass(frozen=True, eq=False)
class TwoClassesOrNone(TwoClasses):
    """Labels of two classes, and what stands for none of them."""

    label: Any  # of rejected samples; None gives every sample a class
    threshold: float  # a sample is rejected where its absolute decision value is at most this
    cost: float  # of a rejection, where a wrong label costs 1

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """A rejection between both classes."""
        low, high = super().outcomes
        return low, "reject" if self.label is None else self.label, high

    def rejected(self, fitted: Any, table: Floats) -> np.ndarray:
        """Mask of the samples that get no class."""
        return np.abs(self.decision(fitted, table)) <= self.threshold

    def predict(self, fitted: Any, table: Floats) -> np.ndarray:
        """Classes; the label of rejected samples for these, where there is one."""
        labels = super().predict(fitted, table)
        if self.label is None:
            return labels
        kind = np.result_type(labels, np.asarray(self.label))
        labels = labels.astype(kind if kind.kind == labels.dtype.kind else object)
        labels[self.rejected(fitted, table)] = self.label
        return labels

    def score(self, fitted: Any, table: Floats, y: Any, sample_weight: Any = None) -> float:
        """1 − mean cost."""
        right = super().predict(fitted, table) == np.asarray(y)
        cost = np.where(self.rejected(fitted, table), self.cost, 1.0 - right)
        return 1.0 - float(np.average(cost, weights=sample_weight))


class Ranks(Labels):
    """Labels of ordered classes, whose codes are their ranks."""

    def parameters(self, coefficients: Floats, offsets: Floats) -> dict[str, Any]:
        """`coef_` of shape (n_features,), `thresholds_` in ascending order."""
        # Thresholds that meet can cross by a rounding error; they are reported in order.
        return {"coef_": coefficients, "thresholds_": np.maximum.accumulate(offsets)}

    def decision(self, fitted: Any, table: Floats) -> Floats:
        """How far inside each class's interval the score is; of two classes one distance."""
        return interval_margins(table @ fitted.coef_, fitted.thresholds_)

    def predict(self, fitted: Any, table: Floats) -> np.ndarray:
        """The class in whose interval the score is."""
        scores = table @ fitted.coef_
        return self.classes[np.searchsorted(fitted.thresholds_, scores, side="left")]

    def score(self, fitted: Any, table: Floats, y: Any, sample_weight: Any = None) -> float:
        """1 − MMAE/(K−1), with the macro-averaged mean absolute error in ranks."""
        classes, predicted = self.classes.tolist(), self.predict(fitted, table)
        error = macro_mean_absolute_rank_error(
            y, predicted, sample_weight=sample_weight, classes=classes
        )
        return 1.0 - float(error) / (len(classes) - 1)


@dataclass(frozen=True, eq=False)
class ScaledNumbers(Decoder):
    """Numbers in their own units; the model's codes have centre 0 and scale 1."""

    centre: float
    scale: float

    @property
    def units(self) -> tuple[float, float]:
        """Scale and centre of the numbers, or of their logarithms."""
        return self.scale, self.centre

    def decode(self, codes: Floats) -> np.ndarray:
        """The numbers themselves."""
        return self.in_target_units(codes)

    def in_target_units(self, values: Floats) -> Floats:
        """Codes, or predictions of them, as numbers."""
        return values * self.scale + self.centre

    def encoded(self, values: Floats) -> Floats:
        """Codes of numbers."""
        return (values - self.centre) / self.scale

    def parameters(self, coefficients: Floats, offsets: Floats) -> dict[str, Any]:
        """`coef_` of shape (n_features,), `intercept_` a number."""
        intercept = float(self.in_target_units(offsets[0]))
        return {"coef_": coefficients * self.scale, "intercept_": intercept}

    def decision(self, fitted: Any, table: Floats) -> Floats:
        """The predictions."""
        return self.predict(fitted, table)

    def predict(self, fitted: Any, table: Floats) -> Floats:
        """Predicted numbers."""
        return table @ fitted.coef_ + fitted.intercept_

    def score(self, fitted: Any, table: Floats, y: Any, sample_weight: Any = None) -> float:
        """R²."""
        return float(r2_score(y, self.predict(fitted, table), sample_weight=sample_weight))


@dataclass(frozen=True, eq=False)
class ScaledQuantiles(ScaledNumbers):
    """Numbers of which a quantile is predicted."""

    quantile: float

    def score(self, fitted: Any, table: Floats, y: Any, sample_weight: Any = None) -> float:
        """D², the share of the pinball loss of a constant that is saved."""
        predicted = self.predict(fitted, table)
        return float(
            d2_pinball_score(y, predicted, sample_weight=sample_weight, alpha=self.quantile)
        )


class ScaledTimes(ScaledNumbers):
    """Times until an event; the codes are logarithms with centre 0 and scale 1, and events."""

    def decode(self, codes: Floats) -> np.ndarray:
        """Times; with events, where the codes have them, as scikit-survival wants them."""
        if codes.ndim == 1:
            return self.in_target_units(codes)
        known = np.empty(len(codes), dtype=[("event", bool), ("time", float)])
        known["event"], known["time"] = codes[:, 1] > 0, self.in_target_units(codes[:, 0])
        return known

    def in_target_units(self, values: Floats) -> Floats:
        """Times, from the codes of their logarithms."""
        return np.exp(super().in_target_units(values))

    def parameters(self, coefficients: Floats, offsets: Floats) -> dict[str, Any]:
        """`coef_` of shape (n_features,), `intercept_` a number: of the logarithm."""
        intercept = float(super().in_target_units(offsets[0]))
        return {"coef_": coefficients * self.scale, "intercept_": intercept}

    def predict(self, fitted: Any, table: Floats) -> Floats:
        """Predicted times."""
        return np.exp(super().predict(fitted, table))

    def score(self, fitted: Any, table: Floats, y: Any, sample_weight: Any = None) -> float:
        """Harrell's C."""
        time, event = as_times(y)
        weight = np.ones(len(time)) if sample_weight is None else np.asarray(sample_weight, float)
        # Logarithms keep their order where times are beyond all numbers.
        return concordance(time, event, super().predict(fitted, table), weight)
