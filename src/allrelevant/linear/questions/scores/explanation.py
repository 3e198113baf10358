"""The answer why a sample is predicted as it is: what features add, over all equivalent models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.base.arrays import Floats, Ints
from allrelevant.results.answer import PlainAnswer

_SHOWN = 8  # features in a text


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(PlainAnswer):
    """What each feature adds to one sample's score, from the least to the most over all models.

    What a feature adds is its weight times the distance of its value from the mean of the data. For
    a feature of several columns, and for features that are taken together, it is the sum. The score
    is the mean score plus what all features add. Scores are decision values; for ordered classes
    the value that is compared with thresholds, for numbers the predictions, for times their
    logarithms.

    Attributes
    ----------
    names : tuple of str
        The features, or groups of them.
    values : tuple
        The sample's values of them; None for a feature of several columns.
    low, high : array of shape (n_features,)
        Both ends of what each of them adds. Different models may attain them.
    baseline : array of shape (n_features,)
        What it adds in the baseline.
    mean : (float, float, float)
        The mean score of the data: least, largest, and the baseline's.
    score : (float, float, float)
        The sample's score likewise.
    labels : tuple
        What equivalent models predict; empty for numbers.
    speaks_for : object
        The class that a positive contribution speaks for; None if there are no classes to compare.
    larger : tuple of pairs of int
        Features of which the first adds or takes away more than the second in every model.
    rather_than : object
        With three or more classes, the one that a negative contribution speaks for: scores are
        those of `speaks_for` minus those of this one.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> model.explain(X, 0).statements[1]
    'x0 = 1.689 speaks for 1, by 2.7 to 3.76.'
    """

    names: tuple[str, ...]
    values: tuple[Any, ...]
    low: Floats
    high: Floats
    baseline: Floats
    mean: tuple[float, float, float]
    score: tuple[float, float, float]
    labels: tuple[Any, ...]
    speaks_for: Any
    larger: tuple[tuple[int, int], ...]
    rather_than: Any = None

    @property
    def signs(self) -> Ints:
        """+1 where a feature raises the score in every model, −1 where it lowers it, else 0."""
        return (self.low > 0).astype(int) - (self.high < 0).astype(int)

    @property
    def order(self) -> Ints:
        """Features by how much they can add or take away, the largest first."""
        return np.argsort(-np.maximum(np.abs(self.low), np.abs(self.high)), kind="stable")

    @property
    def statements(self) -> list[str]:
        """Sentences about this sample that are true of every equivalent model."""
        said = [f"The prediction is {self.labels[0]}."] if len(self.labels) == 1 else []
        for j in self.order[self.signs[self.order] != 0]:
            ends = sorted((abs(float(self.low[j])), abs(float(self.high[j]))))
            said.append(f"{self.described(j)} {self._does(j)}, by {ends[0]:.3g} to {ends[1]:.3g}.")
        for j in dict.fromkeys(j for j, _ in self._pairs):
            others = [self.names[k] for one, k in self._pairs if one == j]
            counts = "count" if self._is_plural(j) else "counts"
            said.append(f"{self.names[j]} {counts} more than {_listed(others)}.")
        return said

    def _does(self, j: int) -> str:
        """What a feature, or several, do to the score in every model."""
        ending, up = "" if self._is_plural(j) else "s", self.signs[j] > 0
        if self.rather_than is not None:
            one, other = (self.speaks_for, self.rather_than)[:: 1 if up else -1]
            return f"speak{ending} for {one} rather than {other}"
        if self.speaks_for is not None:
            return f"speak{ending} {'for' if up else 'against'} {self.speaks_for}"
        return f"{'raise' if up else 'lower'}{ending} the score"

    def _is_plural(self, j: int) -> bool:
        """Whether it is several features that have no name in common."""
        return self.values[j] is None and " + " in self.names[j]

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """What is larger than what, but for what follows from the rest; no more than some."""
        known = set(self.larger)
        between = {(j, k) for j, i in known for one, k in known if one == i}
        place = {int(j): rank for rank, j in enumerate(self.order)}
        direct = sorted(known - between, key=lambda pair: (place[pair[0]], place[pair[1]]))
        return [pair for pair in direct if place[pair[1]] < 2 * _SHOWN]

    def described(self, j: int) -> str:
        """A feature and its value."""
        value = self.values[j]
        if value is None:
            return self.names[j]
        text = f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)
        return f"{self.names[j]} = {text}"

    def to_frame(self) -> pd.DataFrame:
        """One row per feature, the most important first: *feature, value, low, high, baseline*."""
        columns = {"feature": list(self.names), "value": list(self.values)}
        numbers = {"low": self.low, "high": self.high, "baseline": self.baseline}
        return pd.DataFrame(columns | numbers).iloc[self.order]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        # Which classes' scores are compared, where that is not the same for every sample.
        pair = {"classes": [self.rather_than, self.speaks_for]}
        return {
            "features": self.to_frame().to_dict("records"),
            "mean": list(self.mean),
            "score": list(self.score),
            "labels": list(self.labels),
            **({} if self.rather_than is None else pair),
            "statements": self.statements,
        }

    def __repr__(self) -> str:
        low, high, own = self.score
        head = f"Explanation of a score from {low:.3g} to {high:.3g} (baseline {own:.3g})"
        if self.rather_than is not None:
            head += f", {self.speaks_for} less {self.rather_than}"
        if self.labels:
            head += f": {' or '.join(str(label) for label in self.labels)}"
        rows = [
            f"{self.described(j)}: {self.low[j]:+.3g} to {self.high[j]:+.3g}"
            for j in self.order[:_SHOWN].tolist()
        ]
        rest = len(self.names) - len(rows)
        more = [f"and {rest} more"] if rest > 0 else []
        return "\n".join([head, *rows, *more])


def _listed(names: list[str]) -> str:
    if len(names) > _SHOWN:
        return f"{', '.join(names[: _SHOWN - 1])} and {len(names) - _SHOWN + 1} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
