"""The questions that put constraints on the equivalent models, as methods of every estimator."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.arrays import Floats
from allrelevant.base.progress import told_progress
from allrelevant.base.three_classes import classify
from allrelevant.base.validation import check_choice, check_number, column_names
from allrelevant.linear.engine.equivalent import MAIN, SIDE, EquivalentModels
from allrelevant.linear.engine.ranges import WeightRange
from allrelevant.linear.questions.column_groups import ColumnGroup
from allrelevant.linear.questions.constrained_groups import groups_under
from allrelevant.linear.questions.constraints import (
    Constraint,
    Feature,
    as_asked,
    parse_constraints,
)
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.groups import LINKAGES, FeatureGroups, Linkage, find_groups
from allrelevant.linear.questions.names import columns_of, feature_index, group_of, listed
from allrelevant.linear.questions.substitutes import Substitutes, find_substitutes
from allrelevant.linear.questions.what_if import Session, Union, largest_of
from allrelevant.linear.questions.what_if_result import WhatIfResult
from allrelevant.results.classified import FORBIDDEN
from allrelevant.results.relevance import RelevanceResult


class ConstraintQuestions:
    """Asks what becomes of the equivalent models if some of them do not count."""

    equivalent_models_: EquivalentModels | None
    ranges_: tuple[WeightRange, ...]
    result_: RelevanceResult
    n_features_in_: int
    verbose: int
    _session: Session | None = None
    _column_groups: Mapping[str, ColumnGroup]

    def what_if(
        self,
        *,
        forbid: Iterable[Any] = (),
        keep: Iterable[Any] = (),
        bounds: Mapping[Any, Sequence[float]] | None = None,
        signs: Mapping[Any, int] | None = None,
    ) -> WhatIfResult:
        """Find all relevance intervals over the equivalent models that keep some constraints.

        Features are given by name or position; privileged features by name. Where the model has
        `column_groups`, the answer has their ranges under the constraints, too.

        Parameters
        ----------
        forbid : list of features
            Features no model may use. A group of columns is forbidden by its name.
        keep : list of features
            Features every model has to use by more than noise would reach.
        bounds : mapping from features to pairs (smallest, largest)
            Ranges of relevances, as shares like `intervals_`.
        signs : mapping from features to +1 or −1
            Directions that weights must have, if they are not zero.

        Returns
        -------
        WhatIfResult
            A result under the constraints, with the intervals as they were before.

        Raises
        ------
        InfeasibleError
            If no equivalent model keeps the constraints. It names those that clash and the
            tolerance that would do.
        """
        return self._what_if(forbid=forbid, keep=keep, bounds=bounds, signs=signs)

    def what_if_stream(
        self, order: Iterable[Any] | None = None, **constraints: Any
    ) -> Generator[tuple[int, tuple[float, float], tuple[float, float]]]:
        """Give the intervals of :meth:`what_if` one by one, as soon as each is known.

        Parameters
        ----------
        order : list of features, optional
            Which features, and in which order; by default all.
        constraints
            As in :meth:`what_if`.

        Yields
        ------
        position, (min, max), (low, high)
            A feature's position, its relevance interval and its signed interval.
        """
        check_is_fitted(self)
        every = range(self.n_features_in_) if order is None else listed(order, "order")
        features = [feature_index(self, feature, "order") for feature in every]
        session = self._restricted()
        boxes = session.feasible(self._constraints(**constraints))  # raises now, not later
        norm = self.result_.baseline["norm"]

        def shares(ends: tuple[float, float]) -> tuple[float, float]:
            return ends[0] / norm, ends[1] / norm

        return (
            (feature, shares(found.relevance), shares(found.ends))
            for feature, found in session.under(boxes, features)
        )

    def groups(
        self,
        n_groups: int | None = None,
        cut: float = 0.55,
        linkage: Linkage = "single",
    ) -> FeatureGroups:
        """Group the relevant features that stand in for one another.

        Each feature is drawn towards its smallest and its largest relevance; features for which
        the others have to move in the same way belong together. Irrelevant features form one
        group of outliers.

        Parameters
        ----------
        n_groups : int, optional
            How many groups of relevant features to make.
        cut : float, default=0.55
            Where to cut the tree of features otherwise, as a part of its height.
        linkage : {"single", "average", "complete", "ward"}, default="single"
            How the distance of groups is measured.

        Returns
        -------
        FeatureGroups
        """
        check_is_fitted(self)
        if n_groups is not None:
            check_number("n_groups", n_groups, low=1, whole=True)
        check_number("cut", cut, low=0.0, high=1.0)
        check_choice("linkage", linkage, LINKAGES)
        names = tuple(column_names(self, self.n_features_in_))
        classes = self.result_.classes
        if not classes.any():
            return FeatureGroups(names, np.zeros(len(names), np.intp), np.zeros((0, 4)), (), 0.0)
        return find_groups(
            self._restricted(),
            names,
            classes,
            n_groups=n_groups,
            cut=cut,
            linkage=linkage,
            progress=told_progress(self.verbose),
        )

    def substitutes(self, feature: Any) -> Substitutes:
        """Find what takes a feature's place when it is forbidden.

        Parameters
        ----------
        feature : str or int
            Its name or its position, or the name of a group of columns, which is forbidden as one.

        Returns
        -------
        Substitutes
            The shortest list of features of which every equivalent model without this one needs
            some, and the features that become more relevant.
        """
        check_is_fitted(self)
        places = columns_of(self, feature, "feature")
        group = group_of(self, feature)
        name = self.result_.names[places[0]] if group is None else str(feature)
        return find_substitutes(self, name, places)

    # Helpers

    def _what_if(self, with_groups: bool = True, **asked: Any) -> WhatIfResult:
        """The same; groups of columns can be left out, as they may take long."""
        session = self._restricted()
        constraints = self._constraints(**asked)
        boxes = session.feasible(constraints)
        found = dict(session.under(boxes, range(len(session.names))))
        result = self._what_if_result(found, as_asked(constraints))
        groups: dict[str, ColumnGroup] = {}
        if with_groups and self._column_groups:
            barred = {k for c in constraints if c.asked == "forbid" for k in c.feature.places}
            groups = groups_under(session, self._column_groups, boxes, found, result)
            shown = {
                name: group.to_dict() | ({"class": FORBIDDEN} if barred >= {*group.places} else {})
                for name, group in groups.items()
            }
            result = replace(result, column_groups=shown)

        def find(feature: Any, bound: str) -> EquivalentModel:
            check_choice("bound", bound, ("min", "max"))
            if group_of(self, feature) is not None:
                return EquivalentModel.of(self, groups[feature].witness(bound))
            witness = found[feature_index(self, feature)].witness(bound)
            assert witness is not None
            return EquivalentModel.of(self, witness)

        return result._with_models(find)

    def _restricted(self) -> Session:
        """The solver for constraints, kept from one question to the next."""
        check_is_fitted(self)
        models = self.equivalent_models_
        if models is None:
            raise ValueError(
                "no learnable signal: there is no model to put constraints on (see result_)."
            )
        if self._session is None or self._session.models is not models:
            features = self._features()
            named = {place: feature.name for feature in features for place in feature.places}
            names = [named[place] for place in sorted(named)]
            self._session = Session(models, names, self.result_.baseline, self.ranges_)
        return self._session

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()  # HiGHS does not pickle
        return {name: value for name, value in state.items() if name != "_session"}

    def _constraints(self, **asked: Any) -> list[Constraint]:
        check_is_fitted(self)
        return parse_constraints(self._features(), self._groups_as_features(), **asked)

    def _groups_as_features(self) -> dict[str, Feature]:
        models, norm = self.equivalent_models_, self.result_.baseline["norm"]
        largest = 0.0 if models is None else float(models.largest[MAIN])
        return {
            name: Feature(name, group.places, norm, largest, group.threshold)
            for name, group in self._column_groups.items()
        }

    def _features(self) -> list[Feature]:
        """All features as the engine sees them, the privileged ones at the end."""
        models, result = self.equivalent_models_, self.result_
        n, p = self.n_features_in_, len(result.privileged_names)
        if models is None:
            return [Feature(name, (k,), 1.0, 0.0, 0.0) for k, name in enumerate(result.names)]
        main = float(models.largest[MAIN])
        limits, norm = result.upper_thresholds.tolist(), result.baseline["norm"]
        found = [Feature(name, (k,), norm, main, limits[k]) for k, name in enumerate(result.names)]
        if result.privileged is None:
            return found
        # Where the models do without what is privileged, it has no column.
        n_functions = 0 if models.kinds is None else int((models.kinds == SIDE).sum()) // p
        side, limits = float(models.largest[SIDE]), result.privileged.upper_thresholds.tolist()
        return found + [
            Feature(
                name,
                tuple(n + function * p + k for function in range(n_functions)),
                result.baseline.get("privileged_norm", 1.0),
                side,
                limits[k],
                is_privileged=True,
            )
            for k, name in enumerate(result.privileged_names)
        ]

    def _what_if_result(self, found: dict[int, Union], asked: dict[str, Any]) -> WhatIfResult:
        before, n = self.result_, self.n_features_in_
        norm = before.baseline["norm"]
        intervals = np.array([found[k].relevance for k in range(n)]) / norm
        signed = np.array([found[k].ends for k in range(n)]) / norm
        privileged = self._privileged_intervals(found)
        known = {entry.name: getattr(before, entry.name) for entry in fields(before)}
        known |= {
            "intervals": intervals,
            "signed_intervals": signed,
            "classes": classify(intervals, before.thresholds, before.upper_thresholds),
            "privileged_intervals": privileged,
            "privileged_classes": self._privileged_kinds(privileged),
            "column_groups": {},
        }
        return WhatIfResult(**known, constraints=asked, before=before)

    def _privileged_kinds(self, intervals: Floats) -> np.ndarray:
        before = self.result_.privileged
        if before is None:
            return np.zeros(0, dtype=int)
        return classify(intervals, before.thresholds, before.upper_thresholds)

    def _privileged_intervals(self, found: dict[int, Union]) -> Floats:
        privileged = [f for f in self._features() if f.is_privileged and f.places]
        if not privileged:
            return np.zeros((len(self.result_.privileged_names), 2))
        return np.array(
            [
                largest_of([found[place] for place in feature.places]) / feature.norm
                for feature in privileged
            ]
        )
