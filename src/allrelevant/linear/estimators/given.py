"""Somebody's own linear model as the baseline: scikit-learn's estimators, in the engine's units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from allrelevant.base.arrays import Floats
from allrelevant.base.labels import ClassWeight
from allrelevant.base.validation import check_choice
from allrelevant.data.scaling import Scaling
from allrelevant.linear.fit.baseline.kinds import BaselineKind, Given, Smoothest, Sparsest
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models.decoders import Decoder

Baseline = Literal["l1", "l2"] | Any
_MOST_REPEATED = 10  # times that rows are repeated on average; else they have weights
_LINEAR = 1e-6  # of the spread of predictions: what a linear function may differ by


def is_given(baseline: Any) -> bool:
    """Whether a baseline is somebody's model and no word for one."""
    return not isinstance(baseline, str)


def check_baseline(baseline: Any, prefit: bool | None) -> None:
    """Raise ValueError where a parameter `baseline` makes no sense.

    Estimators that take no models have no `prefit` either.
    """
    takes_models = prefit is not None
    if takes_models:
        check_choice("prefit", prefit, (True, False))
    words = "'l1' or 'l2'" + (", or a linear scikit-learn estimator" if takes_models else "")
    if isinstance(baseline, str):
        if baseline not in ("l1", "l2"):
            raise ValueError(f"baseline must be {words}, got {baseline!r}.")
        if prefit:
            raise ValueError(
                f"prefit=True, but baseline={baseline!r} is not a model that could have been "
                "fitted: give the fitted model as baseline, or leave prefit=False."
            )
        return
    if not takes_models or isinstance(baseline, type) or not hasattr(baseline, "fit"):
        raise ValueError(f"baseline must be {words}, got {baseline!r}.")
    if not prefit:
        return
    try:
        check_is_fitted(baseline)
    except NotFittedError:
        name = type(baseline).__name__
        raise ValueError(
            f"prefit=True, but the {name} given as baseline is not fitted. Fit it first; if "
            "estimators are cloned, as in cross-validation, give scikit-learn's "
            "FrozenEstimator(model) and leave prefit=False."
        ) from None


def kind_of(estimator: Any, scaling: Scaling, decoder: Decoder) -> BaselineKind:
    """What a fit does about the parameter `baseline` of an estimator."""
    baseline = estimator.baseline
    if is_given(baseline):
        classes = getattr(estimator, "classes_", None)
        names = getattr(estimator, "feature_names_in_", None)
        learner = Learner(baseline, bool(estimator.prefit), decoder, classes, names)
        return Given(learner, type(_last(baseline)).__name__).rescaled(scaling)
    return Smoothest() if baseline == "l2" else Sparsest()


def class_weight_of(estimator: Any) -> ClassWeight:
    """The weights of classes; by default somebody's model has its own, or none."""
    asked: ClassWeight = estimator.class_weight
    if is_given(estimator.baseline) and isinstance(asked, str) and asked == "auto":
        return getattr(_last(estimator.baseline), "class_weight", None)
    return asked


def _last(model: Any) -> Any:
    """The last step of a pipeline, and what wrappers hold."""
    while True:
        inner = model.steps[-1][1] if hasattr(model, "steps") else getattr(model, "estimator", None)
        if inner is None or isinstance(inner, str):
            return model
        model = inner


@dataclass(frozen=True, eq=False)
class Learner:
    """Weights and offset that an estimator has, or finds for a sample of the columns as they came.

    Parameters
    ----------
    prefit : bool
        Whether it is taken as it is.
    decoder : Decoder
        From the engine's targets to people's.
    classes : array of two labels, or None for numbers
    names : array of str, optional
        Names of the columns.
    """

    estimator: Any
    prefit: bool
    decoder: Decoder
    classes: np.ndarray | None
    names: np.ndarray | None

    def __call__(self, sample: Sample) -> tuple[Floats, float]:
        """The model for these rows."""
        fitted = self.estimator if self.prefit else self._fitted(sample)
        coefficients, intercept = self._linear_form(fitted, sample.X.dense())
        if self.classes is not None:
            sign = self._direction(fitted)
            return sign * coefficients, sign * intercept
        encode = self.decoder.encoded
        return encode(coefficients) - encode(np.zeros(1)), float(encode(np.array([intercept]))[0])

    def _fitted(self, sample: Sample) -> Any:
        """A copy that has seen these rows, each as often as it was observed."""
        X, y, weights = sample.X.dense(), self.decoder.decode(sample.target), {}
        takes_weights = has_fit_parameter(self.estimator, "sample_weight")
        is_whole = bool((sample.count == np.rint(sample.count)).all())
        if is_whole and not (takes_weights and sample.count.sum() > _MOST_REPEATED * len(y)):
            times = sample.count.astype(int)
            X, y = np.repeat(X, times, axis=0), np.repeat(y, times)
        else:
            weights = {"sample_weight": sample.count}
        return clone(self.estimator).fit(self._frame(X), y, **weights)

    def _frame(self, X: Floats) -> Any:
        return X if self.names is None else pd.DataFrame(X, columns=self.names)

    def _direction(self, fitted: Any) -> float:
        """Whether large decision values stand for our second class, or for the first."""
        assert self.classes is not None
        known = np.asarray(getattr(fitted, "classes_", ())).tolist()
        ours = self.classes.tolist()
        if sorted(map(str, known)) != sorted(map(str, ours)):
            raise ValueError(
                f"baseline must be a classifier of the classes {ours}, but {self._name} knows "
                f"{known or 'no classes'}."
            )
        return 1.0 if known == ours else -1.0

    def _linear_form(self, fitted: Any, X: Floats) -> tuple[Floats, float]:
        """Coefficients and intercept, by their names or as the predictions show them."""
        if self.classes is None and is_classifier(fitted):
            raise ValueError(f"baseline must be a regressor, but {self._name} is a classifier.")
        if not hasattr(fitted, "coef_"):
            return self._seen(fitted, X)
        found = fitted.coef_
        coefficients = np.asarray(found.toarray() if hasattr(found, "toarray") else found, float)
        if coefficients.size != X.shape[1]:
            raise ValueError(
                f"baseline must have one coefficient for each of the {X.shape[1]} columns, but "
                f"coef_ of {self._name} has the shape {coefficients.shape}."
            )
        self._check_names(fitted)
        intercept = float(np.ravel(fitted.intercept_)[0])
        if not (np.isfinite(coefficients).all() and np.isfinite(intercept)):
            raise ValueError(
                f"baseline must have coefficients, but coef_ or intercept_ of {self._name} is NaN "
                "or infinite: has its fit converged?"
            )
        return coefficients.ravel(), intercept

    def _check_names(self, fitted: Any) -> None:
        """Coefficients are taken by position, so columns have to be in the model's order."""
        known = getattr(fitted, "feature_names_in_", None)
        if self.names is None or known is None or list(known) == list(self.names):
            return
        pairs = zip(known, self.names, strict=True)
        own, given = next((one, other) for one, other in pairs if one != other)
        raise ValueError(
            f"baseline was fitted to other columns, or in another order: {self._name} has {own!r} "
            f"where X has {given!r}. Give X with the columns in the order of its "
            "feature_names_in_."
        )

    def _seen(self, fitted: Any, X: Floats) -> tuple[Floats, float]:
        """The linear function that a pipeline's predictions are, where they are one."""
        ask = getattr(fitted, "predict" if self.classes is None else "decision_function", None)
        if ask is None:
            raise ValueError(
                f"baseline must have coef_ and intercept_, or linear predictions; {self._name} "
                "has neither."
            )
        framed = self._frame if hasattr(fitted, "feature_names_in_") else np.asarray
        centre, step = X.mean(axis=0), X.std(axis=0)
        points = np.vstack([centre, centre + np.diag(step)])
        middle, *moved = np.ravel(ask(framed(points)))
        moves = np.array(moved) - middle
        coefficients = np.divide(moves, step, out=np.zeros_like(moves), where=step > 0)
        intercept = float(middle - coefficients @ centre)
        asked = np.ravel(ask(framed(X)))
        off = float(np.abs(X @ coefficients + intercept - asked).max())
        if off > _LINEAR * (1.0 + float(np.abs(asked).max())):
            raise ValueError(
                f"baseline must be a linear model, but predictions of {self._name} are not a "
                f"linear function of the columns: they differ from one by up to {off:.3g}."
            )
        return coefficients, intercept

    @property
    def _name(self) -> str:
        return type(_last(self.estimator)).__name__
