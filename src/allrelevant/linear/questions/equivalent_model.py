"""One of the equivalent models, in the units of the columns as they came."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.base.arrays import Floats
from allrelevant.base.validation import KnownColumns
from allrelevant.linear.engine.ranges import Witness
from allrelevant.linear.models.decoders import Decoder
from allrelevant.linear.questions.fitted_set import FittedSet

_ARRAYS = ("coef_", "intercept_", "thresholds_", "weights_")


class EquivalentModel:
    """A single model out of all equivalent ones; predicts as the estimator it comes from.

    It is made by :meth:`~allrelevant.RelevanceClassifier.witness` and others, not by hand, and is
    not to be changed.

    Attributes
    ----------
    coef_, intercept_, thresholds_ : array or float
        The model for the columns as they came, shaped as in the estimator it comes from
        (`thresholds_` for ordered classes, `intercept_` for all others).
    loss_, norm_ : float
        Its loss and its L1 norm, comparable with those of the baseline in
        ``result_.baseline``: norms are of weights for standardised columns.
    features_ : tuple of str
        Names of the features it uses.
    weights_ : array of shape (n_features,)
        Its weights as shares of the baseline's norm, comparable with ``signed_intervals_``.
    """

    coef_: Floats
    intercept_: Any
    thresholds_: Floats
    loss_: float
    norm_: float
    features_: tuple[str, ...]
    weights_: Floats
    _names: tuple[str, ...]
    _columns: KnownColumns
    _decoder: Decoder

    def __init__(self, fitted: FittedSet, weights: Floats, offsets: Floats) -> None:
        models, baseline = fitted.models, fitted.result.baseline
        main, names = weights[: fitted.n_features], fitted.names
        loss = baseline["loss"]
        if models is not None:
            loss = models.pieces.loss(models.X @ weights, offsets)
        self.__setstate__(
            fitted.parameters(weights, offsets)
            | {
                "loss_": float(loss),
                "norm_": float(np.abs(main).sum()),
                "features_": tuple(names[k] for k in np.flatnonzero(main)),
                "weights_": main / (baseline["norm"] or 1.0),
                "_names": tuple(names),
                "_columns": fitted.columns,
                "_decoder": fitted.decoder,
            }
        )

    @classmethod
    def of(cls, fitted: FittedSet, witness: Witness) -> EquivalentModel:
        """The model that a witness of the engine is."""
        n = fitted.n_features if fitted.models is None else fitted.models.n_features
        return cls(fitted, witness.weights(n), witness.offsets)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Also where it is read again: numpy forgets that an array was read-only.
        for name in _ARRAYS:
            array = getattr(self, name, None)
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

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

    def to_frame(self) -> pd.DataFrame:
        """The features it uses, the largest weight first: *feature, weight, coefficient*."""
        frame = pd.DataFrame(
            {"feature": self._names, "weight": self.weights_, "coefficient": np.ravel(self.coef_)}
        )
        used = frame[frame["weight"] != 0]
        return used.sort_values("weight", key=np.abs, ascending=False, kind="stable")

    def to_dict(self) -> dict[str, Any]:
        """The model as plain values."""
        constants = {
            name: np.asarray(getattr(self, name)).tolist()
            for name in ("intercept_", "thresholds_")
            if name in self.__dict__
        }
        used = self.to_frame()
        return {
            "features": list(self.features_),
            "loss": self.loss_,
            "norm": self.norm_,
            "coefficients": dict(zip(used["feature"], used["coefficient"].tolist(), strict=True)),
            **{name.rstrip("_"): value for name, value in constants.items()},
        }

    def to_json(self, indent: int | None = None) -> str:
        """The model as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    def __repr__(self) -> str:
        used = self.to_frame()
        shown = ", ".join(
            f"{name} {weight:+.3f}"
            for name, weight in zip(used["feature"][:8], used["weight"][:8], strict=True)
        )
        more = f" and {len(used) - 8} more" if len(used) > 8 else ""
        n = len(used)
        return (
            f"EquivalentModel of {n} feature{'' if n == 1 else 's'} "
            f"(loss {self.loss_:.4g}, norm {self.norm_:.4g}): {shown or 'a constant'}{more}"
        )
