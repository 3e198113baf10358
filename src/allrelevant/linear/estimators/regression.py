"""Relevance for regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.base import RegressorMixin

from allrelevant.base.arrays import Floats
from allrelevant.base.target_kinds import REGRESSION, answers_for
from allrelevant.base.validation import check_choice, check_number, check_numbers
from allrelevant.linear.estimators.losses import refuse_for, tries_another
from allrelevant.linear.estimators.privileged import PrivilegedRelevanceEstimator
from allrelevant.linear.fit.baseline.c_values import is_wide
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import Huber, LinearModel, Quantile, Regression
from allrelevant.linear.models.decoders import Decoder, ScaledNumbers, ScaledQuantiles
from allrelevant.linear.questions.fitted_set import FittedSet

_EPSILONS = (0.0, 0.1, 0.3)  # in standard deviations of the target
_WIDE_EPSILONS = (0.1, 0.5)  # the same where there are more features than rows
_SMALLEST = 1e-6  # target that is not lost among the solver's tolerances


def epsilons_for(epsilon: float | Literal["cv"], sample: Sample | None = None) -> tuple[float, ...]:
    """The values of ε to choose from, for this sample if there is one."""
    if epsilon != "cv":
        return (float(epsilon),)
    return _WIDE_EPSILONS if sample is not None and is_wide(sample) else _EPSILONS


def centre_and_scale(target: Floats, count: Floats) -> tuple[float, float]:
    """Mean and standard deviation of a target; a constant one is left in its units."""
    share = count / count.sum()
    centre = float(share @ target)
    spread = float(np.sqrt(share @ (target - centre) ** 2))
    return centre, spread if spread > 1e-12 * np.abs(target).max() else 1.0


@answers_for(REGRESSION)
@dataclass(kw_only=True, eq=False, repr=False)
class RelevanceRegressor(RegressorMixin, PrivilegedRelevanceEstimator):
    """Relevance intervals and classes of features for regression.

    Parameters
    ----------
    loss : {"auto", "epsilon_insensitive", "huber", "quantile"}, default="auto"
        What is predicted: the middle of the target ("epsilon_insensitive"), nearly its mean
        ("huber": squared deviations, of large ones absolute), or one of its quantiles (the pinball
        loss). By default the middle. But where a quarter of the rows have the same value, or the
        R² of left-out rows is not above 0, Huber's loss is tried, too, and taken if their squared
        errors are less by more than a standard error: if most rows are 0, so is the middle,
        whatever the features say.
    quantile : float, default=0.5
        The quantile for ``loss="quantile"``: the share of targets that are below the prediction.
    epsilon : float or "cv", default="cv"
        Deviations up to this cost nothing, in standard deviations of the target (in its own units
        with ``standardize=False``). By default cross-validation chooses among 0, 0.1 and 0.3; with
        more features than rows it is 0.5, unless 0.1 is clearly better. Quantiles and Huber's loss
        have none. If it is given, "auto" tries no other loss.
    baseline, prefit, C, cv, rule, scoring, tolerance, budget, n_probes, probes, fdr, confidence, \
standardize, select, gamma, privileged, basis, column_groups, n_jobs, random_state, \
verbose, checkpoint
        As in :class:`RelevanceClassifier`, with the same attributes. `standardize` standardises
        the target, too.

    Attributes
    ----------
    loss_ : str
        The loss of the models: "epsilon_insensitive", "huber" or "quantile".
    epsilon_ : float
        The epsilon that was chosen; 0 for quantiles and Huber's loss.

    Examples
    --------
    >>> from allrelevant import RelevanceRegressor
    >>> from allrelevant.datasets import make_regression
    >>> X, y, truth = make_regression(
    ...     100, n_strong=1, n_weak=2, n_irrelevant=2, random_state=0)
    >>> RelevanceRegressor(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    loss: Literal["auto", "epsilon_insensitive", "huber", "quantile"] = "auto"
    quantile: float = 0.5
    epsilon: float | Literal["cv"] = "cv"
    prefit: bool = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.epsilon != "cv":
            check_number("epsilon", self.epsilon, low=0.0, also=("'cv'",))
        check_choice("loss", self.loss, ("auto", "epsilon_insensitive", "huber", "quantile"))
        check_number("quantile", self.quantile, low=0.0, high=1.0, closed=False)
        if self.loss != "quantile" and self.quantile != 0.5:
            raise ValueError(
                f"quantile={self.quantile!r} is for loss='quantile': with loss={self.loss!r} it "
                "would have no effect. Give loss='quantile', too."
            )
        if self.loss in ("huber", "quantile") and self.epsilon not in ("cv", 0.0):
            raise ValueError(
                f"epsilon={self.epsilon!r} is for loss='epsilon_insensitive': with "
                f"loss={self.loss!r} every deviation counts. Leave epsilon at 'cv'."
            )

    def _prepare(self, X: Any, y: Any, *others: Any) -> tuple[Any, ...]:
        prepared = super()._prepare(X, y, *others)
        if self.loss == "huber":
            refuse_for("huber", prepared[0])
        return prepared

    def _encode(self, y: Any, count: Floats) -> tuple[Floats, Decoder]:
        target = check_numbers(y)
        if not np.isfinite(target).all():
            raise ValueError("Input y contains NaN or infinity: drop those samples first.")
        kept = count > 0
        target, centre, scale = target[kept], 0.0, 1.0
        if self.standardize:
            centre, scale = centre_and_scale(target, count[kept])
        elif 0.0 < np.abs(target).max() < _SMALLEST:
            raise ValueError(
                f"y is at most {np.abs(target).max():.3g} in size, which is too small to compute "
                "with as it is: use standardize=True, or give it in other units."
            )
        codes = (target - centre) / scale
        if self.loss == "quantile":
            return codes, ScaledQuantiles(centre, scale, float(self.quantile))
        return codes, ScaledNumbers(centre, scale)

    def _variants(self) -> list[LinearModel]:
        if self.loss == "quantile":
            return [Quantile(quantile=float(self.quantile))]
        if self.loss == "huber":
            return [Huber()]
        return [Regression(epsilon) for epsilon in epsilons_for(self.epsilon)]

    def _variants_for(self, sample: Sample) -> list[LinearModel]:
        usual = self._variants()
        if self.epsilon != "cv" or self.loss in ("huber", "quantile"):
            return usual
        if is_wide(sample):
            return [Regression(epsilon) for epsilon in epsilons_for(self.epsilon, sample)]
        return [*usual, Huber()] if tries_another(self, sample) else usual

    def _store(self, fitted: FittedSet) -> None:
        super()._store(fitted)
        assert isinstance(fitted.model, Regression)
        self.epsilon_ = fitted.model.epsilon
        usual = "quantile" if self.loss == "quantile" else "epsilon_insensitive"
        self.loss_ = "huber" if isinstance(fitted.model, Huber) else usual

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R²; for quantiles D², the share of the pinball loss of a constant that is saved."""
        return self._decoder.score(self, self._table(X), y, sample_weight)
