"""The question how much of the answer depends on the sample, as a method."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sklearn.utils.validation import check_is_fitted

from allrelevant.base.three_classes import WEAK
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.halves import HalfWorker
from allrelevant.linear.questions.column_groups import ColumnGroup
from allrelevant.linear.questions.names import columns_of
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.stability.ask import (
    ask_halves,
    check_request,
    groups_of_labels,
    listed_groups,
)
from allrelevant.results.stability.result import StabilityResult

_MOST_GROUPED = 40  # relevant features; finding groups takes time by their number squared


class StabilityQuestion:
    """Asks halves of the rows for the classes that all rows have given."""

    result_: RelevanceResult
    standardize: bool
    _analysis: Analysis
    _column_groups: Mapping[str, ColumnGroup]

    def stability(
        self, n_splits: int = 50, *, groups: Any = "auto", random_state: Any = None
    ) -> StabilityResult:
        """Find out how much of the answer is left when only half of the rows are given.

        The rows are split into two halves of equal size, each with its share of every class, and
        either half is fitted by itself: with the model, C·n and γ that were chosen on all rows,
        with a tolerance of its own, and with 30 probes of noise (or `n_probes`, if that is less).

        Parameters
        ----------
        n_splits : int, default=50
            How many times to split; there are twice as many fits, each a fourth or less of the
            cost of a usual one.
        groups : "auto", None, mapping, or what :meth:`groups` gives
            Features that stand in for one another: names and lists of features. Their members may
            change places from half to half, so it is told how often at least one was selected.
            "auto" takes all `column_groups`, and :meth:`groups` where up to 40 features are
            relevant.
        random_state : int, RandomState or None, default=None
            Seed of splits and probes; None takes the estimator's.

        Returns
        -------
        StabilityResult
            Of each feature how often it was irrelevant, weak and strong; how alike the selected
            sets are; how often one of a group was selected. Privileged features are learned from
            in every half, but are not listed.
        """
        check_is_fitted(self)
        random = check_request(self, n_splits, random_state)
        analysis: Analysis = self._analysis
        sample = analysis.problem.sample
        return ask_halves(
            self,
            partial(HalfWorker, analysis, self.standardize),
            int(n_splits),
            random,
            n_rows=len(sample.X),
            strata=None if self.result_.task == "regression" else sample.target,
            group=sample.group,
            groups=self._standing_in(groups),
        )

    def _standing_in(self, groups: Any) -> dict[str, tuple[int, ...]]:
        """The groups of features to tell of, by their positions."""
        if not isinstance(groups, str) or groups != "auto":
            return listed_groups(groups, lambda feature: columns_of(self, feature, "groups"))
        found = {name: group.places for name, group in self._column_groups.items()}
        classes = self.result_.classes
        if (classes == WEAK).sum() > 1 and (classes >= WEAK).sum() <= _MOST_GROUPED:
            labels = self.groups().labels  # type: ignore[attr-defined]
            found = {**groups_of_labels(labels), **found}
        return found
