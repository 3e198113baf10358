"""The questions to the equivalent models, as methods of every linear relevance estimator.

They check what is asked and ask the fitted set.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.arrays import Floats
from allrelevant.base.progress import told_progress
from allrelevant.base.validation import check_choice, check_number, check_running
from allrelevant.data.dask_rows import is_dask
from allrelevant.linear.estimators.linear_questions import LinearQuestions
from allrelevant.linear.questions.elsewhere import holds_elsewhere
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.predictions.lazy_ranges import columns_of, lazy_range
from allrelevant.linear.questions.predictions.prediction_range import PredictionRange
from allrelevant.linear.questions.predictions.ranges import find_prediction_range
from allrelevant.linear.questions.sets.costs import check_costs
from allrelevant.linear.questions.sets.feature_sets import (
    FeatureSet,
    FeatureSets,
    cheapest,
    smallest,
)
from allrelevant.linear.questions.sets.rules import Rules
from allrelevant.linear.questions.stability import find_stability
from allrelevant.linear.questions.tolerance.path_over_c import find_path
from allrelevant.linear.questions.what_if.witness import find_witness
from allrelevant.results.path import RelevancePath
from allrelevant.results.stability.ask import check_request
from allrelevant.results.stability.result import StabilityResult


class Questions(LinearQuestions):
    """Asks the set of equivalent models that a fit has left behind."""

    standardize: bool

    @holds_elsewhere
    def witness(
        self, feature: str | int, bound: Literal["min", "max"] = "min", **constraints: Any
    ) -> EquivalentModel:
        """Give the equivalent model with the smallest or the largest weight of a feature.

        Parameters
        ----------
        feature : str or int
            Its name or its position, or the name of one of its columns.
        bound : {"min", "max"}, default="min"
            Whether the absolute weight of the feature is to be as small or as large as possible.
            For a feature of several columns it is the sum of their absolute weights.
        **constraints
            As in :meth:`what_if`: only models that keep them count.

        Returns
        -------
        EquivalentModel
            A model that attains this end of the feature's relevance interval. If the upper end for
            several columns is only a bound, it is the best model that is known.
        """
        fitted = self._fitted()
        check_choice("bound", bound, ("min", "max"))
        return find_witness(fitted, feature, bound, **constraints)

    def prediction_range(self, X: Any, *, ends: bool = True, **constraints: Any) -> Any:
        """Find for whom the prediction depends on which equivalent model is used.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples to ask about; also dask's arrays and data frames.
        ends : bool, default=True
            Whether to find how far decision values go. If not, `low` and `high` are NaN; the labels
            are the same, and it takes a fraction of the time.
        **constraints
            As in :meth:`what_if`: only models that keep them count.

        Returns
        -------
        PredictionRange
            Smallest and largest decision value of each sample, and the labels they allow. For
            dask's data a LazyPredictionRange, which has dask arrays; ``compute()`` gives the range.
        """
        if is_dask(X):
            check_is_fitted(self)
            outcomes = self.fitted_set_.decoder.outcomes
            find = partial(self._prediction_columns, ends, constraints)
            return lazy_range(self._lazily(X, find), outcomes)
        return self._prediction_range(X, ends, constraints)

    def _prediction_columns(self, ends: bool, constraints: dict[str, Any], X: Any) -> Floats:
        return columns_of(self._prediction_range(X, ends, constraints))

    @holds_elsewhere
    def _prediction_range(self, X: Any, ends: bool, constraints: dict[str, Any]) -> PredictionRange:
        table = self._table(X)
        progress = told_progress(self.verbose)
        return find_prediction_range(
            self._fitted(),
            table,
            ends=ends,
            n_jobs=self.n_jobs,
            progress=progress,
            **constraints,
        )

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
        return self.prediction_range(X, ends=False).ambiguity

    def smallest_sets(
        self,
        k: int = 10,
        *,
        one_of: Iterable[Iterable[Any]] = (),
        time_limit: float = 60.0,
        checkpoint: str | os.PathLike[str] | None = None,
        **constraints: Any,
    ) -> FeatureSets:
        """List the smallest sets of features that still hold an equivalent model.

        Parameters
        ----------
        k : int, default=10
            How many sets to list at most.
        one_of : list of lists of features
            Every set contains at least one feature of each list, even if its model does not use
            it: ``[["blood", "urine"], ["age"]]``.
        time_limit : float, default=60.0
            Seconds after which the list may be cut short; it then says so.
        checkpoint : str or path, optional
            A file for what is found. If the same was asked before and was stopped, or fewer sets
            were asked for, it continues from there.
        **constraints
            As in :meth:`what_if`: only models that keep them count. What is forbidden is in no set,
            what is kept in every one.

        Returns
        -------
        FeatureSets
            Sets by size, smallest first; a feature counts once, however many columns it has. None
            contains another, and none is left out: any smaller set with an equivalent model
            contains a listed one.

        Raises
        ------
        InfeasibleError
            If no equivalent model keeps the constraints, or can use any feature of a list.
        """
        fitted = self._fitted()
        check_number("k", k, low=1, whole=True)
        check_number("time_limit", time_limit, low=0.0, closed=False)
        rules = Rules.of(constraints, one_of)
        with self._keeping(checkpoint, "smallest_sets", rules):
            return smallest(fitted, int(k), float(time_limit), rules, told_progress(self.verbose))

    def cheapest_set(
        self,
        costs: Mapping[Any, float] | None = None,
        *,
        default_cost: float = 1.0,
        one_of: Iterable[Iterable[Any]] = (),
        time_limit: float = 60.0,
        checkpoint: str | os.PathLike[str] | None = None,
        **constraints: Any,
    ) -> FeatureSet:
        """Find the cheapest features that are enough for an equivalent model.

        Parameters
        ----------
        costs : mapping, optional
            The cost of measuring a feature, by name or position; 0 or more. It is paid once,
            however many columns the feature has.
        default_cost : float, default=1.0
            The cost of all features that `costs` does not name.
        one_of : list of lists of features
            The set contains at least one feature of each list, even if its model does not use it.
        time_limit : float, default=60.0
            Seconds after which the best set found so far is given, with its gap.
        checkpoint : str or path, optional
            A file for what is found, as in :meth:`smallest_sets`.
        **constraints
            As in :meth:`what_if`: only models that keep them count. What is forbidden cannot be
            measured at any cost; what is kept has to be paid for.

        Returns
        -------
        FeatureSet
            The set of least total cost that holds an equivalent model.

        Raises
        ------
        InfeasibleError
            If no equivalent model keeps the constraints, or can use any feature of a list.
        """
        fitted = self._fitted()
        check_number("default_cost", default_cost, low=0.0)
        check_number("time_limit", time_limit, low=0.0, closed=False)
        prices = check_costs(fitted.features, costs, default_cost)
        rules = Rules.of(constraints, one_of)
        with self._keeping(checkpoint, "cheapest_set", rules, prices):
            return cheapest(fitted, prices, float(time_limit), rules, told_progress(self.verbose))

    def stability(
        self, n_splits: int = 50, *, groups: Any = "auto", random_state: Any = None
    ) -> StabilityResult:
        """Find out how much of the answer is the same with only half of the rows.

        The rows are split into two halves of equal size, each with its share of every class, and
        each half is fitted by itself: with the model, C·n and γ that were chosen on all rows,
        with a tolerance of its own, and with 30 probes of noise (or `n_probes`, if that is less).

        Parameters
        ----------
        n_splits : int, default=50
            How many times to split; there are twice as many fits, each a fourth or less of the
            cost of a usual one.
        groups : "auto", None, mapping, or what :meth:`groups` gives
            Features that stand in for one another: names and lists of features. Their members may
            replace one another from half to half, so it says how often at least one was selected.
            "auto" takes :meth:`groups` if at most 40 features are relevant.
        random_state : int, RandomState or None, default=None
            Seed of splits and probes; None takes the estimator's.

        Returns
        -------
        StabilityResult
            How often each feature was irrelevant, weak and strong; how similar the selected
            sets are; how often at least one of a group was selected. Privileged features are
            learned from in every half, but are not listed.
        """
        fitted = self._fitted()
        request = check_request(self, n_splits, random_state)
        return find_stability(fitted, request, groups=groups, standardize=self.standardize)

    def path_over_c(
        self, Cs: Any = None, *, n_points: int = 12, random_state: Any = None
    ) -> RelevancePath:
        """Find out at which sparsity a feature becomes indispensable.

        The fit is repeated at every C, with the same rows, rules and noise; ε and γ stay as they
        were chosen.

        Parameters
        ----------
        Cs : number or sequence of numbers, optional
            Values of C. By default `n_points` of them, from where the first feature comes in to ten
            times the C of the fit, which is one of them.
        n_points : int, default=12
            How many values of C there are by default. Each takes about as long as a fit.
        random_state : int, RandomState or None, default=None
            Seed of the probes; None takes the estimator's. The same probes are drawn at each C.

        Returns
        -------
        RelevancePath
            Intervals and classes at each C.
        """
        fitted = self._fitted()
        check_number("n_points", n_points, low=2, whole=True)
        check_running(self.n_jobs, self.verbose, random_state)
        seed = self.random_state if random_state is None else random_state
        if not isinstance(seed, int | np.integer):
            seed = int(check_random_state(seed).randint(np.iinfo(np.int32).max))
        return find_path(fitted, Cs, int(n_points), int(seed), told_progress(self.verbose))
