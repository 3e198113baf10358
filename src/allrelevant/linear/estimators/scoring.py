"""Scikit-learn's scorers on the folds of a search: what a fold predicts, as an estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer
from sklearn.metrics._scorer import _BaseScorer

from allrelevant.base.arrays import Floats
from allrelevant.linear.fit.baseline.candidate import Choice, Tested
from allrelevant.linear.fit.baseline.choosing import Scoring
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import LinearModel
from allrelevant.linear.models.decoders import Decoder

OWN = ("loss", "deviance", "score")  # words for what the model itself knows


def scoring_of(
    scoring: Any, model: LinearModel, sample: Sample, decoder: Decoder, classes: np.ndarray | None
) -> Scoring | None:
    """What C is chosen by: a word for what the model knows, or scores of the folds."""
    if scoring == "deviance" and model.curve is None:
        raise ValueError(
            "scoring='deviance' needs classes to predict: leave scoring at None, or use 'loss', "
            "'score' or one of scikit-learn's scorers."
        )
    if scoring is None or scoring in OWN:
        return scoring
    return FoldScorer(scoring, sample, decoder.decode, classes)


class FoldModel(BaseEstimator):
    """The model of one fold; it knows the samples that were left out there, and no others."""

    def __init__(self, decision: Floats, labels: np.ndarray) -> None:
        self.decision = decision
        self.labels = labels

    def fit(self, X: Any, y: Any) -> FoldModel:
        """Do nothing: it is fitted."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> np.ndarray:
        """What the model says of the fold's samples."""
        self._check(X)
        return self.labels

    def _check(self, X: Any) -> None:
        if len(X) != len(self.labels):
            raise ValueError("a scorer is asked about the samples of one fold, all of them at once")


class FoldClassifier(ClassifierMixin, FoldModel):
    """What scorers are given as a fitted classifier."""

    def __init__(self, decision: Floats, labels: np.ndarray, classes: np.ndarray) -> None:
        super().__init__(decision, labels)
        self.classes = classes
        self.classes_ = classes

    def decision_function(self, X: Any) -> Floats:
        """The model's decision values of the fold's samples."""
        self._check(X)
        return self.decision


class FoldRegressor(RegressorMixin, FoldModel):
    """What scorers are given as a fitted regressor."""


@dataclass(frozen=True, eq=False)
class FoldScorer:
    """Scores of a candidate on all folds by one of scikit-learn's scorers or a function like it.

    Parameters
    ----------
    scoring : str or callable
        A name of scikit-learn's, or ``scorer(estimator, X, y)``; larger is better. X has the
        samples of a fold as the model sees them: standardised where it standardises.
    sample : Sample
        All samples.
    decode : callable
        From codes to what the caller has as targets.
    """

    scoring: Any
    sample: Sample
    decode: Callable[[Floats], np.ndarray]
    classes: np.ndarray | None = None

    def __call__(self, choice: Choice) -> Floats:
        """One score per fold."""
        scorer = get_scorer(self.scoring) if isinstance(self.scoring, str) else self.scoring
        return np.array([self._score(scorer, choice, part) for part in choice.tested])

    def _score(self, scorer: Any, choice: Choice, part: Tested) -> float:
        X = self.sample.X.take(part.rows).dense()
        y = self.decode(self.sample.target[part.rows])
        options = {}
        if np.ptp(part.count) > 0 and isinstance(scorer, _BaseScorer):
            options["sample_weight"] = part.count
        try:
            score = float(scorer(self._model(choice, part), X, y, **options))
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(
                f"scoring={self.scoring!r} cannot be computed here: {error}"
            ) from error
        if not np.isfinite(score):
            raise ValueError(f"scoring={self.scoring!r} gives {score} for a fold: use another one.")
        return score

    def _model(self, choice: Choice, part: Tested) -> FoldModel:
        model = choice.model
        if self.classes is None:
            predicted = model.predict(part.scores, part.offsets)
            return FoldRegressor(predicted, self.decode(predicted))
        margins = model.decisions(part.scores, part.offsets)
        codes = (margins > 0).astype(float) if margins.ndim == 1 else margins.argmax(axis=1)
        return FoldClassifier(margins, self.classes[codes.astype(np.intp)], self.classes)
