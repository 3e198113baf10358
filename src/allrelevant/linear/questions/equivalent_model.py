"""One of the equivalent models, in the units of the columns as they came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.base.arrays import Floats
from allrelevant.base.features import Features
from allrelevant.base.known_columns import KnownColumns
from allrelevant.linear.engine.ranges.weight_range import Witness
from allrelevant.linear.models.decoders import Decoder
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.results.answer import PlainAnswer


class EquivalentModel(PlainAnswer):
    """One of the equivalent models; it predicts like the estimator it comes from.

    :meth:`~allrelevant.RelevanceClassifier.witness` and other methods return it. Do not change it.

    Attributes
    ----------
    coef_, intercept_, thresholds_ : array or float
        The model in the original units of the columns, shaped as in the estimator it comes from
        (`thresholds_` for ordered classes, `intercept_` for all others).
    loss_, norm_ : float
        Its loss and its L1 norm, comparable with those of the baseline in
        ``result_.baseline``: norms are of weights for standardised columns.
    features_ : tuple of str
        Names of the features it uses.
    weights_ : array of shape (n_columns,), or (n_classes · n_columns,) for more than two classes
        Its weights as shares of the baseline's norm, comparable with ``signed_intervals_``.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> without = model.witness(1)  # a model as good as the best that does without feature 1
    >>> without
    EquivalentModel of 3 features (loss 11.77, norm 4.518): x2 -0.560, x0 +0.356, x3 +0.036
    >>> bool(without.score(X, y) > 0.9)
    True
    """

    coef_: Floats
    intercept_: Any
    thresholds_: Floats
    loss_: float
    norm_: float
    features_: tuple[str, ...]
    weights_: Floats
    _features: Features
    _columns: KnownColumns
    _decoder: Decoder

    def __init__(self, fitted: FittedSet, weights: Floats, offsets: Floats) -> None:
        models, baseline = fitted.models, fitted.result.baseline
        features = fitted.by_weight
        main = weights[: len(features.columns)]
        loss = baseline["loss"]
        if models is not None:
            loss = models.pieces.loss(models.X.scores(weights), offsets)
        self.__setstate__(
            fitted.parameters(weights, offsets)
            | {
                "loss_": float(loss),
                "norm_": float(np.abs(main).sum()),
                "features_": tuple(features.names[j] for j in np.unique(features.owner[main != 0])),
                "weights_": main / (baseline["norm"] or 1.0),
                "_features": features,
                "_columns": fitted.columns,
                "_decoder": fitted.decoder,
            }
        )

    @classmethod
    def of(cls, fitted: FittedSet, witness: Witness) -> EquivalentModel:
        """The model that a witness of the engine is."""
        n = len(fitted.by_weight.columns) if fitted.models is None else fitted.models.n_features
        return cls(fitted, witness.weights(n), witness.offsets)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an EquivalentModel cannot be changed: {name!r} is fixed")

    def predict(self, X: Any) -> np.ndarray:
        """Predictions of this model."""
        return self._decoder.predict(self, self._columns.table(X))

    def decision_function(self, X: Any) -> Floats:
        """Decision values of this model; for a regression the predictions."""
        return self._decoder.decision(self, self._columns.table(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Score of this model, measured as the estimator measures it."""
        return self._decoder.score(self, self._columns.table(X), y, sample_weight)

    def scores_of(self, models: Sequence[EquivalentModel], X: Any, y: Any) -> list[float]:
        """Scores of models of the same fit; the table, which may be wide, is checked once."""
        table = self._columns.table(X)
        return [self._decoder.score(one, table, y, None) for one in models]

    def to_frame(self) -> pd.DataFrame:
        """The columns it uses, the largest weight first: *feature, weight, coefficient*.

        Where features have several columns, *column* follows *feature*.
        """
        own, values = self._features, {"weight": self.weights_, "coefficient": self.coef_}
        frame = pd.DataFrame({name: np.ravel(array) for name, array in values.items()})
        frame.insert(0, "feature", [own.names[j] for j in own.owner])
        if own.several:
            frame.insert(1, "column", own.columns)
        used = frame[frame["weight"] != 0]
        return used.sort_values("weight", key=np.abs, ascending=False, kind="stable")

    def to_dict(self) -> dict[str, Any]:
        """The model as plain values."""
        constants = {
            name: np.asarray(getattr(self, name)).tolist()
            for name in ("intercept_", "thresholds_")
            if name in self.__dict__
        }
        return {
            "features": list(self.features_),
            "loss": self.loss_,
            "norm": self.norm_,
            "coefficients": dict(self._used("coefficient")),
            **{name.rstrip("_"): value for name, value in constants.items()},
        }

    def _used(self, values: str) -> list[tuple[str, float]]:
        """The columns it uses by their names, the largest weight first, with some of its values."""
        found = self.to_frame()
        names = [self._features.columns[k] for k in found.index]
        return list(zip(names, found[values].tolist(), strict=True))

    def __repr__(self) -> str:
        used, n = self._used("weight"), len(self.features_)
        shown = ", ".join(f"{name} {weight:+.3f}" for name, weight in used[:8])
        what = "columns" if len(used) > n else ""
        more = f" and {len(used) - 8} more {what}".rstrip() if len(used) > 8 else ""
        return (
            f"EquivalentModel of {n} feature{'' if n == 1 else 's'} "
            f"(loss {self.loss_:.4g}, norm {self.norm_:.4g}): {shown or 'a constant'}{more}"
        )
