"""Questions about linear functions and about the tolerance, as methods of every estimator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from allrelevant.base.progress import told_progress
from allrelevant.base.three_classes import IRRELEVANT
from allrelevant.base.validation import check_number
from allrelevant.linear.estimators.found_when_read import FoundWhenRead
from allrelevant.linear.questions.elsewhere import holds_elsewhere
from allrelevant.linear.questions.equivalent_model import EquivalentModel
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.same_rows import have_same_rows
from allrelevant.linear.questions.sampled import sample_models
from allrelevant.linear.questions.scores.contrast import contrast_of
from allrelevant.linear.questions.scores.contributions import Addends, find_explanation
from allrelevant.linear.questions.scores.explanation import Explanation
from allrelevant.linear.questions.scores.linear_range import (
    LinearRange,
    find_linear_range,
    of_scores,
    of_weights,
)
from allrelevant.linear.questions.scores.region import PairRegion, find_region
from allrelevant.linear.questions.scores.shape_band import ShapeBand, check_values, find_shape_band
from allrelevant.linear.questions.tolerance.price import TolerancePath, find_tolerance_path
from allrelevant.results.comparing import compare
from allrelevant.results.comparison import Comparison

_FACTORS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)


class LinearQuestions(FoundWhenRead):
    """Asks for sums of weights and scores, regions of two weights, and models at random."""

    @holds_elsewhere
    def range_of(
        self,
        weights: Mapping[Any, float] | None = None,
        *,
        scores: Mapping[int, float] | None = None,
        X: Any = None,
        classes: Any = None,
        **constraints: Any,
    ) -> LinearRange:
        """Find the range of a linear function over all equivalent models.

        For example the difference of two weights, ``range_of({"age": 1, "dose": -1})``; whether one
        sample ranks above another, ``range_of(scores={3: 1, 8: -1}, X=X)``; and by how much the
        mean score of one group of people exceeds that of another.

        Parameters
        ----------
        weights : mapping from features to factors
            Features by name or position, or single columns by name. Weights are shares, as those of
            ``signed_intervals``.
        scores : mapping from rows of X to factors
            Rows by their positions. Scores are decision values; for ordered classes the value that
            is compared with thresholds, for numbers the predictions, for times their logarithms.
        X : array-like of shape (n_samples, n_features)
            The samples that `scores` is about.
        classes : pair of classes, optional
            With three or more classes a feature has a weight for each class, and a sample a score.
            What counts is that of the second class minus that of the first.
        **constraints
            As in :meth:`what_if`: only models that keep them count.

        Returns
        -------
        LinearRange
            Both ends, and models that attain them.
        """
        fitted = self._fitted()
        if (weights is None) == (scores is None):
            raise ValueError("give either weights or scores: what is to be summed.")
        contrast = contrast_of(fitted, classes, "range_of")
        if weights is not None:
            return find_linear_range(fitted, of_weights(fitted, weights, contrast), constraints)
        if X is None:
            raise ValueError("range_of(scores=...) needs X, the samples it is about.")
        table = self._table(X)
        function = of_scores(fitted, table, scores or {}, contrast)
        return find_linear_range(fitted, function, constraints)

    def path_over_tolerance(
        self, factors: Sequence[float] = _FACTORS, *, features: Iterable[Any] | None = None
    ) -> TolerancePath:
        """Find intervals as the tolerance grows, by default from 0 to twice that of the fit.

        Parameters
        ----------
        factors : sequence of float
            Factors by which the tolerance is multiplied.
        features : features, optional
            By name or position: no others are in the answer. By default the intervals of those that
            are relevant, or could be, are solved for, and the others have the bounds that follow
            from the fit. Noise was measured at the tolerance of the fit, so what is irrelevant
            stays so at any other. Exact intervals of all, ``model.result_.names``, take longer than
            the fit.

        Returns
        -------
        TolerancePath
            The intervals of the features at each tolerance, proven like those of a fit.
        """
        fitted = self._fitted()
        for factor in factors:
            check_number("a factor", factor, low=0.0)
        own = fitted.features
        found = fitted.result
        could_be = np.flatnonzero((found.classes > IRRELEVANT) | found.could_be_either).tolist()
        asked = could_be if features is None else [own.position(one) for one in features]
        how = (self.n_jobs, told_progress(self.verbose))
        asked = list(dict.fromkeys(asked))
        return find_tolerance_path(fitted, factors, asked, *how, bounds=features is None)

    def compare(self, other: Any, **how: Any) -> Comparison:
        """Compare this fit with another one: what differs, and which differences are beyond noise.

        Parameters
        ----------
        other : fitted estimator, or its result
        **how
            As in :func:`allrelevant.compare`, which says what beyond noise means.
        """
        self._fitted()
        return compare(self, other, **how)

    def has_same_rows(self, other: Any) -> bool:
        """Tell whether another estimator was fitted to the same rows, by targets and columns."""
        theirs = getattr(other, "fitted_set_", None)
        return isinstance(theirs, FittedSet) and have_same_rows(self._fitted(), theirs)

    def region(
        self,
        first: Any,
        second: Any,
        *,
        classes: Any = None,
        n_programs: int = 64,
        **constraints: Any,
    ) -> PairRegion:
        """Find which weights two features can have together.

        Parameters
        ----------
        first, second : str or int
            Features by name or position, or single columns by name.
        classes : pair of classes, optional
            With three and more classes: whose weights are compared, as in :meth:`range_of`.
        n_programs : int, default=64
            How many linear programs to solve at most. With fewer, parts may stay open; `is_exact`
            says so.
        **constraints
            As in :meth:`what_if`: only models that keep them count. What is kept, or bounded from
            below, needs a sign, too.

        Returns
        -------
        PairRegion
            A polygon of weights, as shares. It is exact if all of its edges are proven.

        Raises
        ------
        InfeasibleError
            If no equivalent model keeps the constraints.
        """
        fitted = self._fitted()
        check_number("n_programs", n_programs, low=8, whole=True)
        contrast = contrast_of(fitted, classes, "region")
        return find_region(fitted, first, second, int(n_programs), contrast, constraints)

    def shape_range(
        self, feature: Any, values: Any = None, *, classes: Any = None, **constraints: Any
    ) -> ShapeBand:
        """Find what a feature can add to the score, as a function of its value.

        With ``basis="spline"`` or ``"bins"`` these functions are curves, otherwise straight lines.

        Parameters
        ----------
        feature : str or int
            A feature of numbers, by name or position.
        values : array-like of shape (n_points,), optional
            The values to ask about; by default from the smallest to the largest.
        classes : pair of classes, optional
            With three and more classes: whose scores are compared, as in :meth:`range_of`.
        **constraints
            As in :meth:`what_if`: only models that keep them count. ``signs={"age": 1}`` asks for
            curves that never fall.

        Returns
        -------
        ShapeBand
            Both ends of the function at each value, over all equivalent models.
        """
        fitted = self._fitted()
        points = None if values is None else check_values(values)
        how: dict[str, Any] = {"n_jobs": self.n_jobs, "progress": told_progress(self.verbose)}
        contrast = contrast_of(fitted, classes, "shape_range")
        return find_shape_band(fitted, feature, points, contrast, constraints, **how)

    def explain(
        self, X: Any, row: int = 0, *, groups: Any = None, classes: Any = None, **constraints: Any
    ) -> Explanation:
        """Find what each feature adds to the score of one sample, over all equivalent models.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, or that one.
        row : int, default=0
            The position of the sample in X.
        groups : mapping, or what :meth:`groups` gives, optional
            Features to take together: names and lists of features. Their sum may be clear even if
            none of them is.
        classes : pair of classes, optional
            With three or more classes: whose scores are compared, as in :meth:`range_of`; by
            default those of the class that the baseline predicts and of its second choice.
        **constraints
            As in :meth:`what_if`: only models that keep them count.

        Returns
        -------
        Explanation
            Both ends of every contribution and of the score, and statements about the sample that
            are true of every model.
        """
        fitted = self._fitted()
        table = self._table(X)
        check_number("row", row, low=0, high=table.shape[0] - 1, whole=True)
        progress = told_progress(self.verbose)
        steps = Addends.of(fitted, X, int(row), groups)
        return find_explanation(
            fitted, table, int(row), steps, classes, progress=progress, **constraints
        )

    def sample_models(self, k: int = 100, *, random_state: Any = None) -> list[EquivalentModel]:
        """Draw models that are spread over the equivalent ones, by hit-and-run.

        They are for your own analyses; each model is checked to be within all limits. A sample,
        however large, does not tell you what all models have in common: ask for ranges.

        Parameters
        ----------
        k : int, default=100
            How many models.
        random_state : int, RandomState or None, default=None
            Seed; None takes the estimator's.

        Returns
        -------
        list of EquivalentModel
        """
        fitted = self._fitted()
        check_number("k", k, low=1, whole=True)
        seed = self.random_state if random_state is None else random_state
        return sample_models(fitted, int(k), check_random_state(seed))
