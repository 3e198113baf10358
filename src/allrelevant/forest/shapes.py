"""How a forest's predictions follow each feature: partial dependence, and its spread over rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.names import position
from allrelevant.forest.models import Model
from allrelevant.forest.sample import Table

_SPREAD = (0.1, 0.9)  # the quantiles of rows between which a band lies
_MOST_ROWS = 200
_MOST_VALUES = 20


@dataclass(frozen=True, eq=False)
class FeatureShape:
    """What predictions are, on average, where a feature has some value and all else is as it is.

    Attributes
    ----------
    name : str
        The feature.
    values : array of shape (n_values,), or tuple of str
        Numbers in order, or the names of a category's levels.
    outcomes : tuple of str
        The classes whose probability is predicted; of two classes the second, and empty for
        numbers.
    mean : array of shape (n_values, n_outcomes or 1)
        The partial dependence: the mean prediction over the rows.
    low, high : arrays of the same shape
        Between these are the curves of the middle 80 % of the rows, each brought to the mean's
        level. Where they are far apart the effect depends on other features.
    """

    name: str
    values: Any
    outcomes: tuple[str, ...]
    mean: Floats
    low: Floats
    high: Floats

    @property
    def is_category(self) -> bool:
        """Whether values are names of levels."""
        return isinstance(self.values, tuple)


def find_shape(
    predict: Callable[[Floats], Floats],
    X: Floats,
    column: int,
    name: str,
    outcomes: Sequence[str],
    levels: Sequence[str] | None,
) -> FeatureShape:
    """The shape of one feature.

    Parameters
    ----------
    predict : callable
        Gives probabilities of shape (n, n_classes), or numbers of shape (n,).
    X : array
        The rows of the fit as the model takes them.
    column : int
        Where the feature is.
    outcomes : sequence of str
        The names of the classes; empty for numbers.
    levels : sequence of str, optional
        The names of a category's levels, by their codes.
    """
    rows = X[np.linspace(0, len(X) - 1, min(len(X), _MOST_ROWS)).round().astype(int)]
    known = np.unique(X[:, column][~np.isnan(X[:, column])])
    if levels is None and len(known) > _MOST_VALUES:
        share = np.linspace(0.0, 1.0, _MOST_VALUES)
        known = np.unique(np.nanquantile(X[:, column], share))
    tiles = np.tile(rows, (len(known), 1))
    tiles[:, column] = np.repeat(known, len(rows))
    found = predict(tiles).reshape(len(known), len(rows), -1)
    if len(outcomes) == 2:
        found, outcomes = found[..., 1:], outcomes[1:]
    mean = found.mean(axis=1)
    # Rows differ in level because of all other features; what is of interest is their shape. No
    # band leaves the range of what is predicted.
    moved = mean[:, None] + (found - found.mean(axis=0)) - (mean - mean.mean(axis=0))[:, None]
    ends = np.quantile(moved, _SPREAD, axis=1)
    low, high = np.clip(ends, found.min(axis=(0, 1)), found.max(axis=(0, 1)))
    values: Any = known if levels is None else tuple(levels[int(code)] for code in known)
    return FeatureShape(name, values, tuple(outcomes), mean, low, high)


class ShapeQuestions:
    """What can be asked of the final model of a fitted forest."""

    _analysed: tuple[Table, Ints]
    _categories: dict[str, dict[Any, float]]
    _columns: Ints
    _model: Model
    _kept_shapes: list[FeatureShape] | None = None  # of a forest from a file, which has no trees
    result_: Any

    def shapes(self, features: Sequence[Any] | None = None) -> list[FeatureShape]:
        """Find how predictions follow each relevant feature, and how much that depends on others.

        It is the partial dependence of the model of the relevant features, on rows of the fit.
        Features that stand in for one another share what they tell; each has a part of it here.

        Parameters
        ----------
        features : list of str or int, optional
            Relevant features by name or position; by default all, the most relevant first.

        Returns
        -------
        list of FeatureShape
        """
        check_is_fitted(self)
        names, own = list(self.result_.names), np.flatnonzero(self.result_.classes).tolist()
        if self._kept_shapes is None:
            own = self._columns.tolist()
        if features is None:
            asked = [j for j in self.result_.order.tolist() if j in own]
        else:
            asked = [position(names, feature, "features") for feature in features]
        for j in asked:
            if j not in own:
                raise ValueError(
                    f"{names[j]!r} is irrelevant, so the model does without it and has no shape."
                )
        if self._kept_shapes is not None:
            return [shape for j in asked for shape in self._kept_shapes if shape.name == names[j]]
        table, kept = self._analysed
        place = {int(column): k for k, column in enumerate(kept)}
        X = table.X[:, [place[column] for column in own]]
        outcomes: tuple[str, ...] = ()
        if table.task.has_probabilities:
            outcomes = tuple(str(label) for label in getattr(self, "classes_", ()))

        def predict(rows: Floats) -> Floats:
            return self._in_units(self._model.predict(rows))

        return [
            find_shape(predict, X, own.index(j), names[j], outcomes, self._levels(names[j]))
            for j in asked
        ]

    def _in_units(self, predicted: Floats) -> Floats:
        """What the model predicts in the units of the target."""
        return predicted

    def _levels(self, name: str) -> list[str] | None:
        """The names of a category's levels by their codes; None for numbers."""
        codes = self._categories.get(name)
        return None if codes is None else [str(label) for label in codes]
