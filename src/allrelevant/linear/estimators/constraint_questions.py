"""The questions that put constraints on the equivalent models, as methods of every estimator."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy
from functools import partial
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from allrelevant.backends.checkpoint import kept_in
from allrelevant.backends.identity import check_checkpoint, question_of
from allrelevant.base.progress import told_progress
from allrelevant.base.validation import check_number
from allrelevant.linear.estimators.frames import FrameSelector
from allrelevant.linear.questions.constraints.requests import listed, read_once
from allrelevant.linear.questions.elsewhere import holds_elsewhere, is_elsewhere
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.sets.groups import FeatureGroups, find_groups
from allrelevant.linear.questions.sets.substitutes import Substitutes, find_substitutes
from allrelevant.linear.questions.what_if.result import WhatIfResult
from allrelevant.linear.questions.what_if.what_if import FeatureAnswer, find_what_if, stream_what_if


def _ask(
    estimator: Any, constraints: dict[str, Any], question: str, *asked: Any, **more: Any
) -> Any:
    return getattr(estimator, question)(*asked, **more, **constraints)


class ConstraintQuestions(FrameSelector):
    """Asks what becomes of the equivalent models if some of them do not count."""

    asks_for: Any = None

    def _fitted(self) -> FittedSet:
        """What a question takes, unless it needs rows that are elsewhere."""
        check_is_fitted(self)
        if is_elsewhere(self.fitted_set_):
            raise ValueError(
                "this needs all rows in memory, and some are elsewhere: ask what_if, "
                "witness, prediction_range or range_of instead, or fit arrays."
            )
        return self.fitted_set_

    def _keeping(
        self, checkpoint: str | os.PathLike[str] | None, question: str, *asked: Any
    ) -> AbstractContextManager[None]:
        """Where work for a question is kept meanwhile, if a file is named."""
        check_checkpoint(checkpoint, 0)
        analysis = self._fitted().analysis
        data = analysis.problem.sample, analysis.baseline, analysis.tolerance, analysis.classes
        return kept_in(checkpoint, lambda: question_of(self, question, asked, *data))

    def asking(self, fitted: FittedSet) -> Self:
        """The same estimator with another fitted set, which answers its questions instead."""
        asker = copy(self)
        asker.fitted_set_, asker.asks_for = fitted, self
        return asker

    @holds_elsewhere
    def what_if(
        self,
        *,
        forbid: Iterable[Any] = (),
        keep: Iterable[Any] = (),
        bounds: Mapping[Any, Sequence[float]] | None = None,
        signs: Mapping[Any, int] | None = None,
    ) -> WhatIfResult:
        """Find all relevance intervals over the equivalent models that meet some constraints.

        Features are given by name or position; privileged features by name, and so are single
        columns of features that have several.

        Parameters
        ----------
        forbid : list of features
            Features that no model may use.
        keep : list of features
            Features that every model has to use, with more than the noise threshold. `keep` and
            `signs` are for single columns: if a feature has several, name one of them.
        bounds : mapping from features to pairs (smallest, largest)
            Ranges of relevances, as shares like those of `result_`. If a feature has several
            columns, up to eight, the smallest must be 0.
        signs : mapping from features to +1 or −1
            Directions that weights must have, if they are not zero. With three or more classes,
            each with its own weight, give a list of classes along which the weight must not fall.

        Returns
        -------
        WhatIfResult
            A result under the constraints, with the intervals as they were before.

        Raises
        ------
        InfeasibleError
            If no equivalent model keeps the constraints. It names those that clash and the
            tolerance that would be enough.
        """
        fitted = self._fitted()
        given = {"forbid": forbid, "keep": keep, "bounds": bounds, "signs": signs}
        asked = read_once(given)
        progress = told_progress(self.verbose)
        answer = find_what_if(fitted, n_jobs=self.n_jobs, progress=progress, **asked)
        progress.finish()
        asker = copy(self.asks_for or self)  # a new fit changes nothing
        return answer.with_questions(partial(_ask, asker, asked))

    def what_if_stream(
        self, order: Iterable[Any] | None = None, **constraints: Any
    ) -> Generator[FeatureAnswer]:
        """Give the intervals of :meth:`what_if` one by one, as soon as each is known.

        Parameters
        ----------
        order : list of features, optional
            Which features, and in which order; by default all. Features of several columns always
            come last, because they take longest.
        constraints
            As in :meth:`what_if`.

        Yields
        ------
        position, relevance, signed, label, columns
            A feature's position in ``result_.names``, its relevance interval, its signed one (NaN
            for several columns), its class (an index into ``CLASS_NAMES``), and the signed
            intervals of its columns.
        """
        fitted = self._fitted()
        every = range(len(fitted.features)) if order is None else listed(order, "order")
        features = [fitted.features.position(feature, "order") for feature in every]
        return stream_what_if(fitted, features, **constraints)

    def groups(
        self,
        n_groups: int | None = None,
        cut: float | None = None,
        *,
        checkpoint: str | os.PathLike[str] | None = None,
        **constraints: Any,
    ) -> FeatureGroups:
        """Group the relevant features that stand in for one another.

        Two features stand in for one another if equivalent models can shift their weights against
        each other clearly farther than together, or the other way round. Their trade-off, from 0 to
        1, says by how much; it is multiplied by their correlation. Of a strong feature, only the
        share counts that models can do without; if that is less than 1/6, it is a group of its own.
        Irrelevant features form one group of outliers. A feature of several columns is one feature.

        Parameters
        ----------
        n_groups : int, optional
            How many groups of relevant features to make.
        cut : float, optional
            If `n_groups` is not given: the mean of trade-off times correlation from which on two
            groups become one. The default is 1/6.
        checkpoint : str or path, optional
            A file for the trade-offs that are found. If the same was asked before and was stopped,
            it continues from there.
        **constraints
            As in :meth:`what_if`: only models that keep them count.

        Returns
        -------
        FeatureGroups
        """
        fitted = self._fitted()
        if n_groups is not None:
            check_number("n_groups", n_groups, low=1, whole=True)
        if cut is not None:
            check_number("cut", cut, low=0.0, high=1.0, closed="right")
        constraints = read_once(constraints)
        return find_groups(
            fitted,
            n_groups,
            cut,
            n_jobs=self.n_jobs,
            progress=told_progress(self.verbose),
            keeping=self._keeping(checkpoint, "groups", cut, constraints),
            **constraints,
        )

    def substitutes(
        self, feature: Any, *, time_limit: float = 60.0, **constraints: Any
    ) -> Substitutes:
        """Find what takes a feature's place when it is forbidden.

        Parameters
        ----------
        feature : str or int
            Its name or its position, or the name of one of its columns.
        time_limit : float, default=60.0
            Seconds after which the search for the shortest list ends without one.
        **constraints
            As in :meth:`what_if`: only models that keep them count, with the feature and without.

        Returns
        -------
        Substitutes
            The shortest list of features such that every equivalent model without this feature
            needs one of them, and the features that become more relevant.
        """
        fitted = self._fitted()
        check_number("time_limit", time_limit, low=0.0, closed=False)
        how: dict[str, Any] = {"n_jobs": self.n_jobs, "progress": told_progress(self.verbose)}
        how["time_limit"] = float(time_limit)
        return find_substitutes(fitted, feature, **how, **read_once(constraints))
