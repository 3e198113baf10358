"""The questions as methods of every linear relevance estimator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress, told_progress
from allrelevant.base.validation import check_choice, check_number, column_names
from allrelevant.linear.engine.equivalent import EquivalentModels
from allrelevant.linear.engine.ranges import WeightRange
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.models import LinearModel
from allrelevant.linear.questions.column_groups import ColumnGroup, find_column_groups
from allrelevant.linear.questions.costs import check_costs
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.feature_sets import FeatureSet, FeatureSets, cheapest, smallest
from allrelevant.linear.questions.names import feature_index, group_of, listed
from allrelevant.linear.questions.predictions import (
    PredictionRange,
    find_decision_ranges,
    largest_gaps,
)
from allrelevant.linear.questions.witness import find_witness
from allrelevant.results.relevance import RelevanceResult


class EquivalentModelQuestions:
    """Asks the set of equivalent models that a fit has left behind."""

    equivalent_models_: EquivalentModels | None
    ranges_: tuple[WeightRange, ...]
    model_: LinearModel
    classes_: np.ndarray
    n_features_in_: int
    result_: RelevanceResult
    offset_shift_: float
    n_jobs: int | None
    verbose: int
    _column_groups: Mapping[str, ColumnGroup]

    # What a subclass may change

    def _outcomes(self) -> tuple[Any, ...]:
        """What can be predicted, in the order of the model's codes; empty for numbers."""
        return tuple(self.classes_.tolist()) if hasattr(self, "classes_") else ()

    def _in_target_units(self, values: Floats) -> Floats:
        """Decision values of the engine as this estimator gives them."""
        return values

    # Questions

    def witness(self, feature: str | int, bound: Literal["min", "max"] = "min") -> EquivalentModel:
        """Give the equivalent model that does without a feature, or makes the most of it.

        Parameters
        ----------
        feature : str or int
            Its name or its position, or the name of a group of columns.
        bound : {"min", "max"}, default="min"
            Whether the feature's weight is to be as close to zero as it can be, or as far; of a
            group the sum of the absolute weights.

        Returns
        -------
        EquivalentModel
            A model that attains this end of the feature's relevance interval. Where the upper end
            of a group's interval is only a bound, the model is the best that is known.
        """
        check_is_fitted(self)
        check_choice("bound", bound, ("min", "max"))
        group = group_of(self, feature)
        if group is not None:
            return EquivalentModel.of(self, group.witness(bound))
        k = feature_index(self, feature)
        names = column_names(self, self.n_features_in_)
        found = find_witness(self.equivalent_models_, self.ranges_[k], k, bound, names)
        return EquivalentModel(self, *found)

    def prediction_range(self, X: Any) -> PredictionRange:
        """Find for whom the prediction depends on which equivalent model is used.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples to ask about.

        Returns
        -------
        PredictionRange
            Smallest and largest decision value of each sample, and the labels they allow.
        """
        table: Floats = self._table(X)  # type: ignore[attr-defined]
        low, high, allowed = self._decision_ranges(table)
        outcomes = self._outcomes()
        if allowed is None or not outcomes:
            outcomes, allowed = (), np.zeros((len(table), 0), dtype=bool)
        low, high = self._in_target_units(low), self._in_target_units(high)
        if low.shape[1] == 1:
            low, high = low[:, 0].copy(), high[:, 0].copy()
        return PredictionRange(low, high, outcomes, allowed)

    def ambiguity(self, X: Any) -> float:
        """Give the share of samples that equivalent models label differently.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples to ask about.

        Returns
        -------
        float
            Between 0 and 1.
        """
        return self.prediction_range(X).ambiguity

    def smallest_sets(
        self, k: int = 10, *, forbid: Iterable[Any] = (), time_limit: float = 60.0
    ) -> FeatureSets:
        """List the smallest sets of features that still hold an equivalent model.

        Parameters
        ----------
        k : int, default=10
            How many sets to list at most.
        forbid : list of features
            Features that no set may contain, by name or position; a group of columns by its name.
        time_limit : float, default=60.0
            Seconds after which the list may be cut short; it says so then.

        Returns
        -------
        FeatureSets
            Sets by size, smallest first; every column counts. None contains another, and none is
            missing before the last: every set with an equivalent model that is smaller contains a
            listed one.

        Raises
        ------
        InfeasibleError
            If no equivalent model does without what is forbidden.
        """
        check_is_fitted(self)
        check_number("k", k, low=1, whole=True)
        check_number("time_limit", time_limit, low=0.0, closed=False)
        return smallest(self, int(k), float(time_limit), listed(forbid, "forbid"))

    def cheapest_set(
        self,
        costs: Mapping[Any, float] | None = None,
        *,
        default_cost: float = 1.0,
        forbid: Iterable[Any] = (),
        time_limit: float = 60.0,
    ) -> FeatureSet:
        """Find the cheapest features to measure if the model must not get worse.

        Parameters
        ----------
        costs : mapping, optional
            The cost of measuring a feature, by name or position; 0 or more. A group of columns
            is paid for once, by its name, unless its columns are named one by one.
        default_cost : float, default=1.0
            The cost of all features, and groups of columns, that `costs` does not name.
        forbid : list of features
            Features that cannot be measured at any cost, by name or position; a group of columns
            by its name.
        time_limit : float, default=60.0
            Seconds after which the best set found so far is given, with its gap.

        Returns
        -------
        FeatureSet
            The set of least total cost that holds an equivalent model.

        Raises
        ------
        InfeasibleError
            If no equivalent model does without what is forbidden.
        """
        check_is_fitted(self)
        check_number("default_cost", default_cost, low=0.0)
        check_number("time_limit", time_limit, low=0.0, closed=False)
        prices = check_costs(self, costs, default_cost)
        return cheapest(self, prices, float(time_limit), listed(forbid, "forbid"))

    # Fitting

    def _store_column_groups(
        self,
        groups: Mapping[str, Ints],
        analysis: Analysis,
        random: np.random.RandomState,
        progress: Progress,
    ) -> None:
        """Find the intervals of groups of columns, and add them to the result."""
        self.column_group_intervals_: dict[str, tuple[float, float]] = {}
        self._column_groups = {}
        if not groups:
            return
        self._column_groups = found = find_column_groups(
            groups,
            analysis,
            result=self.result_,
            n_jobs=self.n_jobs,
            random=random,
            progress=progress,
        )
        self.column_group_intervals_ = {name: group.interval for name, group in found.items()}
        shown = {name: group.to_dict() for name, group in found.items()}
        self.result_ = replace(self.result_, column_groups=shown)

    # Helpers

    def _decision_ranges(self, table: Floats) -> tuple[Floats, Floats, Mask | None]:
        """Both ends of the engine's decision values and the outcomes they allow."""
        models, model = self.equivalent_models_, self.model_
        sign, samples = model.offset_sign, self._scaling.apply(table)  # type: ignore[attr-defined]
        if models is None:  # the baseline, a constant, is the only model
            witness = self.ranges_[0].low.witness
            assert witness is not None
            low = high = np.tile(sign * witness.offsets, (len(samples), 1))
            gaps = np.diff(witness.offsets)
        else:
            low, high = find_decision_ranges(
                models,
                samples,
                sign,
                names=column_names(self, self.n_features_in_),
                n_jobs=self.n_jobs,
                progress=told_progress(self.verbose),
            )
            gaps = largest_gaps(models)
        low, high = low + self.offset_shift_, high + self.offset_shift_
        return low, high, model.outcomes(low, high, gaps)
