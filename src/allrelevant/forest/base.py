"""What the non-linear relevance estimators share."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_consistent_length

from allrelevant.backends.checkpoint import kept_in
from allrelevant.backends.identity import check_checkpoint, identity_of, settings_of
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.errors import warn_user
from allrelevant.base.labels import class_factors
from allrelevant.base.names import position
from allrelevant.base.progress import Progress, with_callbacks
from allrelevant.base.selector import RelevanceSelector
from allrelevant.base.validation import (
    check_choice,
    check_given,
    check_number,
    check_weights,
    column_names,
)
from allrelevant.base.versions import package_versions
from allrelevant.forest.analysis import Findings, ForestPlan, analyse, nothing_found
from allrelevant.forest.frames import categorical_mask, table_of_numbers, telling
from allrelevant.forest.halves import classes_of_half
from allrelevant.forest.learners import WORDS, has_lightgbm
from allrelevant.forest.models import Model, constant, is_learnable
from allrelevant.forest.recipe import RECIPES, SquamishRecipe
from allrelevant.forest.result import ForestRelevanceResult, SubstituteGroup
from allrelevant.forest.sample import Table, column_order, observations
from allrelevant.forest.savable import SavableForest
from allrelevant.forest.squamish import squamish
from allrelevant.forest.task import Task
from allrelevant.forest.work import Work
from allrelevant.results.stability.ask import ask_halves, check_request, listed_groups
from allrelevant.results.stability.result import StabilityResult

_NO_SIGNAL = (
    "no learnable signal: no feature is confirmed to beat shuffled ones, so every feature is "
    "irrelevant and predictions are constant. More samples may show more."
)
_FAR_OUT = 1.5  # interquartile ranges beyond which a target is an outlier


@dataclass(kw_only=True, eq=False, repr=False)
class ForestRelevanceEstimator(SavableForest, RelevanceSelector):
    """Base of the non-linear relevance estimators; see :class:`ForestRelevanceClassifier`."""

    estimator: Any = "auto"
    method: Literal["contest", "squamish", "squamish-text"] | SquamishRecipe = "contest"
    alpha: float = 0.05
    alpha_strong: float = 0.01
    redundancy: float = 0.9
    max_blocks: int = 4
    select: Literal["relevant", "strong"] = "relevant"
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0
    checkpoint: str | os.PathLike[str] | None = None

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    @abstractmethod
    def _encode(self, y: Any, count: Floats) -> tuple[Task, Floats]:
        """Check the target, remember its labels, give the codes of rows that count."""

    # Fitting

    @with_callbacks
    def fit(self, X: Any, y: Any, *, sample_weight: Any = None) -> Self:
        """Find the relevance class of every feature.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers; NaN is a missing value. A pandas or polars data frame gives the features
            their names, and its categorical columns are taken as categories.
        y : array-like of shape (n_samples,)
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight 2 is the same as the row given twice.

        Returns
        -------
        self
        """
        return self._fit_wholly(X, y, sample_weight)

    def _analyse(self, table: Table, kept: Ints, progress: Progress) -> None:
        random = check_random_state(self.random_state)
        analysed = table
        if table.task.kind == "regression":
            analysed = replace(table, target=_without_outliers(table.target))
        work, find = Work(random, self.n_jobs, progress), self._find()
        with kept_in(self.checkpoint, lambda: identity_of(self, analysed)):
            found = find(analysed, work) if is_learnable(analysed) else nothing_found(table)
        self._analysed, self._kept_shapes = (analysed, kept), None
        self._store(found, table, kept)
        self._model, self._columns = self._final_model(found, table, kept)

    def _find(self) -> Callable[[Table, Work], Findings]:
        """The analysis that the parameters ask for."""
        if self.method != "contest":
            recipe = RECIPES[self.method] if isinstance(self.method, str) else self.method
            return partial(squamish, recipe=recipe)
        plan = ForestPlan(
            self.estimator,
            float(self.alpha),
            float(self.alpha_strong),
            float(self.redundancy),
            int(self.max_blocks),
        )
        return partial(analyse, plan=plan)

    def _prepare(self, X: Any, y: Any, sample_weight: Any) -> tuple[Table, Ints]:
        """The table to analyse, and which columns of X it has."""
        check_given(self, y)
        values, self._categories = table_of_numbers(self, X)
        check_consistent_length(values, y)
        count = check_weights(sample_weight, values)
        task, target = self._encode(y, count)
        full = np.zeros(len(values))
        full[count > 0] = target
        kept = telling(values[count > 0])
        kept = kept[column_order(values[count > 0][:, kept])]
        mask = categorical_mask(self, values.shape[1], self._categories)
        table, count = observations(Table(values[:, kept], mask[kept], full, count, task), count)
        if self.class_weight is not None:
            factors = class_factors(self.class_weight, self.classes_, table.target, count, 1.0)
            scale = np.array([factors[code] for code in table.target.tolist()])
            table = replace(table, weight=table.weight * scale)
        return table, kept

    def _check_parameters(self) -> None:
        if isinstance(self.estimator, str):
            check_choice("estimator", self.estimator, WORDS)
            if self.estimator == "lightgbm" and not has_lightgbm():
                raise ValueError(
                    "estimator='lightgbm' needs LightGBM, which is not installed: "
                    "pip install \"allrelevant[forest]\", or use estimator='auto'."
                )
        elif not (hasattr(self.estimator, "fit") and hasattr(self.estimator, "predict")):
            words = ", ".join(repr(word) for word in WORDS)
            raise ValueError(
                f"estimator must be one of {words} or a scikit-learn estimator with fit and "
                f"predict, got {self.estimator!r}."
            )
        if not isinstance(self.method, SquamishRecipe):
            check_choice("method", self.method, ("contest", *RECIPES))
        check_number("alpha", self.alpha, low=0.0, high=1.0, closed=False)
        check_number("alpha_strong", self.alpha_strong, low=0.0, high=1.0, closed=False)
        check_number("redundancy", self.redundancy, low=0.0, high=1.0, closed=False)
        check_checkpoint(self.checkpoint, self.random_state)
        check_number("max_blocks", self.max_blocks, low=2, whole=True)
        self._check_common_parameters()

    def _store(self, found: Findings, table: Table, kept: Ints) -> None:
        d = self.n_features_in_
        names = column_names(self, d)

        def spread(values: np.ndarray, fill: Any) -> np.ndarray:
            full = np.full((d, *values.shape[1:]), fill)
            full[kept] = values
            return full

        threshold = float(np.median(found.noise)) if len(kept) else 0.0
        tentative = spread(found.tentative, False)
        notes = () if found.classes.any() else (_NO_SIGNAL,)
        for note in notes:
            warn_user(note)
        result = ForestRelevanceResult(
            task=table.task.kind,
            names=tuple(names),
            intervals=spread(found.intervals, 0.0),
            classes=spread(found.classes, 0),
            importances=spread(found.importances, 0.0),
            thresholds=np.array([0.0, threshold]),
            noise_thresholds=spread(found.noise, threshold),
            losses=spread(found.losses, np.nan),
            p_values=np.column_stack(
                [spread(found.p_values_strong, np.nan), spread(found.p_values, 1.0)]
            ),
            predictability=spread(found.r2, np.nan),
            tentative=tuple(names[j] for j in np.flatnonzero(tentative)),
            groups=_named_groups(found, kept, names),
            probes=np.column_stack([np.zeros(len(found.shadows)), found.shadows]),
            minimal_importances=spread(found.minimal, 0.0) if len(found.minimal) else found.minimal,
            minimal_bounds=found.minimal_bounds,
            baseline={
                "score_name": f"share of the loss explained by {found.learner_name}",
                "score": 1.0 - found.loss,
            }
            if np.isfinite(found.loss)
            else {},
            settings=settings_of(self),
            versions=package_versions("lightgbm") if has_lightgbm() else package_versions(),
            work={"fits": found.n_fits, "samples": table.n_samples},
            warnings=notes,
        )
        self._show(result, found.learner_name)

    def _show(self, result: ForestRelevanceResult, learner: str) -> None:
        """Set what people read off a fit."""
        self.result_, self.learner_ = result, learner
        self.relevance_classes_ = np.array(result.classes)
        self.tentative_ = np.isin(result.names, result.tentative)
        self.importances_ = np.array(result.importances)
        self.intervals_, self.p_values_ = np.array(result.intervals), np.array(result.p_values)
        self.threshold_ = float(result.thresholds[1])
        self.groups_ = result.groups
        self.support_ = self._get_support_mask()

    def _final_model(self, found: Findings, table: Table, kept: Ints) -> tuple[Model, Ints]:
        """The model that predicts: the learner, on the relevant features."""
        relevant = np.flatnonzero(found.classes)
        inner = table.columns(relevant)
        if found.learner is None or not len(relevant):
            return constant(inner), kept[relevant]
        return found.learner(inner, 0), kept[relevant]

    # Using

    def stability(
        self, n_splits: int = 10, *, groups: Any = "auto", random_state: Any = None
    ) -> StabilityResult:
        """Find out how much of the answer is the same with only half of the rows.

        The rows are split into two halves of equal size, each with its share of every class, and
        either half is fitted by itself with the settings of the fit.

        Parameters
        ----------
        n_splits : int, default=10
            How many times to split; there are twice as many fits. Fewer than for linear models,
            as every one of them is a whole fit: nothing of a forest can be carried over to other
            rows. With ten the frequencies are known to about a tenth.
        groups : "auto", None or mapping
            Features that stand in for one another: names and lists of features. Their members may
            replace one another from half to half, so it says how often at least one was selected.
            "auto" takes those in `groups_` that have more than one member.
        random_state : int, RandomState or None, default=None
            Seed of splits and fits; None takes the estimator's.

        Returns
        -------
        StabilityResult
            How often each feature was irrelevant, weak and strong; how similar the selected
            sets are; how often at least one of a group was selected.
        """
        self._check_whole("stability")
        request = check_request(self, n_splits, random_state)
        names = list(self.result_.names)
        if isinstance(groups, str) and groups == "auto":
            groups = [group.features for group in self.groups_ if len(group.features) > 1]
        table, kept = self._analysed
        return ask_halves(
            self.result_,
            partial(partial, classes_of_half, table, kept, len(names), self._find()),
            request,
            n_rows=table.n_samples,
            strata=table.target if table.task.n_classes else None,
            groups=listed_groups(groups, lambda feature: position(names, feature, "groups")),
        )

    def _predicted(self, X: Any) -> Floats:
        """What the final model says of checked data."""
        self._check_whole("a prediction")
        values, _ = table_of_numbers(self, X, self._categories)
        return self._model.predict(values[:, self._columns])


def _named_groups(found: Findings, kept: Ints, names: list[str]) -> tuple[SubstituteGroup, ...]:
    result = []
    for group in found.groups:
        features = tuple(sorted(int(kept[j]) for j in group.features))
        members = tuple(names[j] for j in features)
        result.append(replace(group, names=members, features=features))
    return tuple(sorted(result, key=lambda group: -group.importance))


def _without_outliers(target: Floats) -> Floats:
    """Bring outliers to the fence, lest a few samples decide every comparison of losses."""
    low, high = np.quantile(np.unique(target), [0.25, 0.75])
    if not high > low:
        return target
    return np.clip(target, low - _FAR_OUT * (high - low), high + _FAR_OUT * (high - low))
