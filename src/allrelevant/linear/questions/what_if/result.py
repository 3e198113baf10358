"""The answer to a what-if: a result under constraints, and what it was without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.predictions.prediction_range import PredictionRange
from allrelevant.linear.questions.scores.linear_range import LinearRange
from allrelevant.results.entries import facts
from allrelevant.results.relevance import RelevanceResult

if TYPE_CHECKING:  # these ask what_if themselves
    from allrelevant.linear.questions.scores.explanation import Explanation
    from allrelevant.linear.questions.scores.region import PairRegion
    from allrelevant.linear.questions.sets.feature_sets import FeatureSet, FeatureSets
    from allrelevant.linear.questions.sets.groups import FeatureGroups
    from allrelevant.linear.questions.sets.substitutes import Substitutes

Find = Callable[[Any, str], EquivalentModel]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class WhatIfResult(RelevanceResult):
    """Relevance intervals of all features under constraints.

    Parameters
    ----------
    constraints : mapping
        What was asked: ``forbid``, ``keep``, ``bounds``, ``signs``.
    before : RelevanceResult
        The same without the constraints.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> without = model.what_if(forbid=["x1"])
    >>> without.class_names
    ('strong', 'forbidden', 'strong', 'irrelevant')
    >>> without.before.class_names
    ('strong', 'weak', 'weak', 'irrelevant')
    """

    _format: ClassVar[str] = "allrelevant.WhatIfResult/1"

    constraints: Mapping[str, Any] = facts()
    before: RelevanceResult

    @property
    def change(self) -> NDArray[np.float64]:
        """By how much both ends of every interval have moved, shape (d, 2)."""
        return self.intervals - self.before.intervals

    @property
    def could_be_either(self) -> NDArray[np.bool_]:
        """Features that could be either in the fit, and are about as near to their thresholds now.

        As near, that is, as the farthest of those that could be either was.
        """
        either = super().could_be_either
        if not self.before.borderline.any():
            return either
        limits = self.before.upper_thresholds
        then, now = (np.abs(one.intervals[:, 1] - limits) for one in (self.before, self))
        return either & (now <= then[self.before.borderline].max())

    @property
    def forbidden(self) -> tuple[str, ...]:
        """Names of the features that the question forbids."""
        barred = set(self.constraints.get("forbid", ()))
        whole = {name for name, own in self.columns.items() if barred.issuperset(own["names"])}
        return tuple(name for name in self.names if name in barred | whole)

    @property
    def privileged(self) -> WhatIfResult | None:
        """The privileged features as an answer of their own; None where there are none."""
        after, before = super().privileged, self.before.privileged
        if after is None or before is None:
            return None
        known = {entry.name: getattr(after, entry.name) for entry in fields(after)}
        return WhatIfResult(**known, constraints=self.constraints, before=before)

    def to_frame(self, sort: bool = False) -> pd.DataFrame:
        """Return the intervals as a table, with columns for what they were before.

        Parameters
        ----------
        sort : bool, default False
            As in :meth:`RelevanceResult.to_frame`.

        Returns
        -------
        DataFrame
            With ``min_before``, ``max_before`` and ``class_before`` at the end. The class of what
            is forbidden is "forbidden".
        """
        frame = super().to_frame(sort)
        # A copy, which does not ask for the price of features first.
        before = replace(self.before).to_frame().reindex(frame.index)
        return frame.assign(
            min_before=before["min"], max_before=before["max"], class_before=before["class"]
        )

    def witness(self, feature: Any, bound: str = "max") -> EquivalentModel:
        """Give the model under these constraints that makes the most, or least, of a feature.

        Parameters
        ----------
        feature : str or int
            Its name or its position, or the name of one of its columns.
        bound : {"min", "max"}, default="max"
            Which end of its interval the model attains.

        Returns
        -------
        EquivalentModel
        """
        find: Find = self._known("_find")
        return find(feature, bound)

    def prediction_range(self, X: Any, *, ends: bool = True) -> PredictionRange:
        """Find for whom the prediction depends on which of the models that are left is used.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples to ask about.
        ends : bool, default=True
            Whether to find how far decision values go, beside the labels.
        """
        return self._known("_ask")("prediction_range", X, ends=ends)

    def range_of(self, weights: Any = None, **function: Any) -> LinearRange:
        """Find the range of a linear function over the models that are left.

        Parameters
        ----------
        weights, **function
            As in ``range_of`` of the estimator: factors of weights, or `scores` and `X`.
        """
        return self._known("_ask")("range_of", weights, **function)

    def region(self, first: Any, second: Any, **how: Any) -> PairRegion:
        """Find which weights two features can have together in the models that are left.

        Parameters
        ----------
        first, second, **how
            As in ``region`` of the estimator: `classes` and `n_programs`.
        """
        return self._known("_ask")("region", first, second, **how)

    def explain(
        self, X: Any, row: int = 0, *, groups: Any = None, classes: Any = None
    ) -> Explanation:
        """Find what each feature adds to the score of one sample, over the models that are left.

        Parameters
        ----------
        X, row, groups, classes
            As in ``explain`` of the estimator.
        """
        how = {"groups": groups, "classes": classes}
        return self._known("_ask")("explain", X, row, **how)

    def groups(self, n_groups: int | None = None, cut: float | None = None) -> FeatureGroups:
        """Group the features that stand in for one another among the models that are left.

        Parameters
        ----------
        n_groups, cut
            As in ``groups`` of the estimator.
        """
        return self._known("_ask")("groups", n_groups, cut)

    def substitutes(self, feature: Any, *, time_limit: float = 60.0) -> Substitutes:
        """Find what takes a feature's place when it is forbidden beside all else.

        Parameters
        ----------
        feature : str or int
            Its name or its position, or the name of one of its columns.
        time_limit : float, default=60.0
            As in ``substitutes`` of the estimator.
        """
        return self._known("_ask")("substitutes", feature, time_limit=time_limit)

    def smallest_sets(self, k: int = 10, **more: Any) -> FeatureSets:
        """List the smallest sets of features that hold one of the models that are left.

        Parameters
        ----------
        k, **more
            As in ``smallest_sets`` of the estimator: `one_of` and `time_limit`.
        """
        return self._known("_ask")("smallest_sets", k, **more)

    def cheapest_set(self, costs: Mapping[Any, float] | None = None, **more: Any) -> FeatureSet:
        """Find the cheapest features that hold one of the models that are left.

        Parameters
        ----------
        costs, **more
            As in ``cheapest_set`` of the estimator: `default_cost`, `one_of` and `time_limit`.
        """
        return self._known("_ask")("cheapest_set", costs, **more)

    def _known(self, name: str) -> Any:
        found = getattr(self, name, None)
        if found is None:
            raise ValueError("a result that was stored has no models any more: ask what_if again.")
        return found

    def with_models(self, find: Find) -> Self:
        """Remember what finds witnesses, and return the result."""
        object.__setattr__(self, "_find", find)
        return self

    def with_questions(self, ask: Callable[..., Any]) -> Self:
        """Remember what asks other questions under the same constraints, and return the result."""
        object.__setattr__(self, "_ask", ask)
        return self

    def _content(self) -> dict[str, Any]:
        return super()._content() | {"before": self.before._content()}

    @classmethod
    def _from_content(cls, document: dict[str, Any]) -> Self:
        before = RelevanceResult._from_content(document["before"])
        return super()._from_content(document | {"before": before})
