"""Relevance for two classes, or several without an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils import Tags

from allrelevant.base.arrays import Floats
from allrelevant.base.errors import warn_user
from allrelevant.base.labels import ClassWeight, encode_labels
from allrelevant.base.target_kinds import CLASSIFICATION, answers_for
from allrelevant.linear.estimators.losses import ChoosesLoss, LossOfClasses, tries_another
from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.estimators.two_classes import BinaryRelevance
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import (
    Classification,
    LinearModel,
    Logistic,
    Multiclass,
    MulticlassLogistic,
)
from allrelevant.linear.models.decoders import Decoder, ManyClasses, TwoClasses
from allrelevant.linear.questions.scores.between import find_between
from allrelevant.results.relevance import RelevanceResult

_MANY_CLASSES = 20  # more are most often numbers that were meant for a regression


@answers_for(CLASSIFICATION)
@dataclass(kw_only=True, eq=False, repr=False)
class RelevanceClassifier(BinaryRelevance, ChoosesLoss):
    """Relevance intervals and classes of features for two classes, or more without an order.

    Looks at all linear classifiers that fit as well as the best L1-regularised one, and are as
    simple. Finds the smallest and the largest weight that each feature has in any of them.

    With three or more classes a feature has a weight for each of them, and its relevance is the
    largest difference that it makes between two classes. :meth:`between` says which features
    distinguish two of them.

    Parameters
    ----------
    baseline : {"l1", "l2"} or estimator, default="l1"
        The model whose ℓ1 norm and loss the equivalent ones keep. "l1" minimises
        ``‖w‖₁ + C·loss``, and no model of its norm has less loss. "l2" minimises ``‖w‖₂ + C·loss``
        (``‖w‖₂² + C·loss`` with a reject option). Or give a linear scikit-learn estimator, or a
        pipeline with linear predictions, to see which models are as good as that one.
    prefit : bool, default=False
        Whether the estimator given as `baseline` is already fitted, perhaps to other rows, and is
        taken as it is. Scores are then those on the rows given to :meth:`fit`.
    loss : {"auto", "hinge", "logistic"}, default="auto"
        The loss of classes. "hinge" is the papers'; it depends only on which side of the
        hyperplane a sample is, and how far. "logistic" is a piecewise linear logistic loss; with
        it, features also count that change how likely a class is without changing the side.
        "auto" is the hinge loss, unless a model with the logistic loss has less deviance on
        left-out rows, by more than a standard error. It is always the hinge loss if `C` or an
        estimator is given, if there are privileged features, fewer than four rows for each column
        or more than 20,000 rows, and if rows are not in memory.
    C : float, "cv" or "mean", default="cv"
        Factor of the loss in the baseline. "cv" chooses it by cross-validation; "mean" is one over
        the sum of all sample weights. If the baseline is an estimator, C is the factor of the loss
        in a joint budget, by default the C at which an ℓ1 model has the estimator's norm.
    cv : int, splitter or iterable of (train, test), default=5
        The folds of the cross-validation. A number gives folds that depend only on the data. Every
        class is in every training part, and rows of one group stay together. Splitters for time
        series work, too.
    rule : {"auto", "paired", "best", "one-se"}, default="auto"
        Which C is chosen: the best one; the sparsest within one standard error of the best one's
        mean ("one-se"); or the sparsest whose difference to the best one is within one standard
        error of that difference ("paired"), which is the default.
    scoring : None, str or callable, default=None
        The criterion for C: "deviance", that of a logistic curve through the decision values of
        left-out rows (the default of two classes; ordered ones have a line of ranks), or of a
        softmax curve through their scores; "loss", the model's own loss (the default of three or
        more classes); "score", its own score over all folds together; one of scikit-learn's names;
        or ``scorer(estimator, X, y)``, with X as the model sees it. With a word or a scorer the
        default rule is "best".
    tolerance : "auto", "bootstrap", float or (float, float), default="auto"
        How much more norm and loss than the baseline an equivalent model may have, as a share of
        the baseline's. "auto": one standard error of the baseline's loss, or how much worse the
        baseline is than the best models of other samples of the same size (for 90 % of 25
        bootstrap samples), whichever is less; between 0.001 and 0.1. "bootstrap": the latter
        for 95 % of the samples, a confidence set for the best model of the population.
        :mod:`allrelevant.papers` has the papers' settings.
    budget : {"auto", "split", "joint"}, default="auto"
        Whether norm and loss each have a limit ("split"), or their weighted sum has one ("joint").
        "auto" is "joint" if the tolerance is "bootstrap", and "split" otherwise.
    n_probes : int or "auto", default="auto"
        Number of probes: permuted columns that the noise threshold is estimated from (shadow
        features). "auto" begins with 50, and doubles them, up to 400, while some feature could be
        on either side of the noise threshold.
    probes : {"append", "replace"}, default="append"
        Whether a probe is added to the features, or replaces the one it comes from. The papers
        replace, and have thresholds of their own.
    fdr : float or None, default=0.1
        The share of the relevant features that may be noise, by Benjamini and Hochberg's procedure
        on the p-values. Besides, no relevant feature has a p-value above 0.004.
    confidence : float, optional
        Instead of `fdr`: noise passes with probability ``1 − confidence``, feature by feature.
        With ``probes="replace"`` it is the level of the papers' prediction interval, by default
        0.999.
    standardize : bool, default=True
        Whether columns are first standardised to mean 0 and variance 1.
    select : {"relevant", "strong"}, default="relevant"
        Which features :meth:`transform` keeps, with all of their columns.
    gamma : float or "cv", default="cv"
        Factor of the norm of the privileged weights in the baseline, if there are privileged
        features. "cv" chooses it together with C.
    privileged : list of column names, optional
        Columns of a data frame X that are privileged: known in training only. If they are not in
        X, use ``fit(X, y, X_privileged=...)``.
    basis : {"spline", "bins"}, transformer or None, default=None
        How each column of numbers becomes several, so that models can have curves instead of
        straight lines: by pieces of straight lines ("spline") or by steps ("bins") between
        quantiles, or by a transformer that is fitted to each column. The column stays one feature.
    column_groups : mapping from str to list of columns, optional
        Columns, by name or position, that are one feature, such as the levels of a category; see
        :func:`~allrelevant.column_groups_from`. You need not name the categories of a data frame,
        nor those that a `ColumnTransformer` has encoded, if it gives data frames; ``{}`` makes the
        latter single columns. Privileged columns are given by name.
    class_weight : "auto", "balanced", None or mapping, default="auto"
        Weights of the classes in the loss. "auto" makes two classes count the same, and then moves
        the offset to where most predictions are right. With three or more classes, and with
        ordered ones, each sample in a class of n has the weight 1/√n. "balanced" gives the same
        relevances for two classes, and leaves the offset where both are recognised equally well.
        None counts every sample alike, as the papers do. If the baseline is an estimator, "auto"
        is what its own `class_weight` says, or None.
    n_jobs : int, optional
        Number of processes, as in joblib. They are started only if there is enough work.
    random_state : int, RandomState or None
        Seed of the first probes. Folds, bootstrap samples, and the further probes for close calls
        depend only on the data.
    verbose : int, default=0
        1 writes progress to standard error.
    checkpoint : str or path, optional
        A file for finished folds, intervals and probes. A fit that was interrupted continues
        from there when the same estimator is fitted to the same data, and gives the same answer.
        `random_state` has to be a number.

    Attributes
    ----------
    result_ : RelevanceResult
        The whole answer by feature, ready to be shown and stored. The arrays below are parallel to
        `coef_`: they have a row for each column, even if several columns are one feature.
    intervals_ : array of shape (n_features, 2)
        Smallest and largest relevance, as shares of the baseline's ‖w‖₁.
    signed_intervals_ : array of shape (n_features, 2)
        Smallest and largest weight, as shares; NaN with more than two classes. Ends that decide no
        relevance are solved for when you first read it, or `ranges_`.
    relevance_classes_ : array of shape (n_features,)
        0 irrelevant, 1 weakly relevant, 2 strongly relevant.
    p_values_, q_values_ : array of shape (n_features,)
        The probability that noise with the same distribution does as well, and the smallest false
        discovery rate at which the feature would be relevant.
    borderline_ : array of shape (n_features,)
        Mask of the features that could be either: with other probes they may be relevant or not.
    support_ : array of shape (n_features,)
        Mask of the columns of the selected features.
    coef_, intercept_ : array
        The baseline model, in the original units of the columns. With more than two classes there
        is a row of coefficients and an intercept for each class.
    offset_shift_ : float
        What was added to the offset of the baseline, and is added to that of every equivalent
        model, so that most predictions are right.
    C_, tolerance_ : float, (float, float)
        The C and the tolerance (of norm and loss) that were chosen.
    loss_ : str
        The loss of the models: "hinge" or "logistic".
    privileged_intervals_, privileged_classes_, privileged_names_, privileged_by_function_, gamma_
        The same for the privileged features, if there are any. Relevances are shares of the norm of
        their weights.
    curves_ : Curves or None
        The columns that `basis` makes of others; `coef_` belongs to these.
    categories_ : Categories
        The categories of a data frame, with their levels.
    fitted_set_ : FittedSet
        What questions use: models, ranges, units and names, and a solver that continues where the
        last question ended. A copy of it shares all but the solver, for another thread.
    ranges_ : tuple of WeightRange
        For each feature both ends of its range with their witnesses, in the engine's units.
    equivalent_models_ : EquivalentModels or None
        The set of equivalent models; None if nothing could be learned.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn. Categories count as the columns that they have become.

    Examples
    --------
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     100, n_strong=1, n_weak=2, n_irrelevant=2, random_state=0)
    >>> RelevanceClassifier(random_state=0).fit(X, y).relevance_classes_
    array([2, 1, 1, 0, 0])
    """

    prefit: bool = False
    loss: LossOfClasses = "auto"
    class_weight: ClassWeight = "auto"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags

    def _encode(self, y: Any, count: Floats) -> tuple[Floats, Decoder]:
        self.classes_, codes = encode_labels(y, count > 0, type(self).__name__)
        if len(self.classes_) == 2:
            return 2.0 * codes - 1.0, TwoClasses(self.classes_)
        if len(self.classes_) > _MANY_CLASSES:
            warn_user(
                f"y has {len(self.classes_)} classes, and the time of a fit grows at least with "
                "the square of their number. If they are numbers, use RelevanceRegressor; if they "
                "have an order, OrdinalRelevanceClassifier; else merge classes, or fit one class "
                "against the rest."
            )
        return codes, ManyClasses(self.classes_)

    def _prepare(self, X: Any, y: Any, *others: Any) -> tuple[Any, ...]:
        prepared = super()._prepare(X, y, *others)
        if len(self.classes_) > 2 and not is_word(self.baseline, "l1"):
            raise ValueError(
                f"baseline={self.baseline!r} is for two classes, and y has {len(self.classes_)}: "
                "leave it at 'l1', or fit one class against the rest."
            )
        if len(self.classes_) > 2 and prepared[0].privileged is not None:
            raise ValueError(
                f"Privileged features are for two classes, and y has {len(self.classes_)}: leave "
                "them out, or fit one class against the rest."
            )
        return prepared

    def between(self, first: Any, second: Any) -> RelevanceResult:
        """Find which features distinguish one class from another, if there are three or more.

        Parameters
        ----------
        first, second : labels
            Two of ``classes_``.

        Returns
        -------
        RelevanceResult
            The relevance of a feature is the difference of its weights for both classes, positive
            if it speaks for the second. Baseline, equivalent models and noise thresholds are those
            of the fit; the thresholds are for the largest difference of all pairs, so noise passes
            less often. A feature of several columns has the interval of the column with
            the largest upper end.
        """
        return find_between(self._fitted(), first, second, n_jobs=self.n_jobs)

    def _variants(self) -> list[LinearModel]:
        is_logistic = self.loss == "logistic"
        if len(self.classes_) > 2:
            return [(MulticlassLogistic if is_logistic else Multiclass)(len(self.classes_))]
        return [Logistic() if is_logistic else Classification()]

    def _variants_for(self, sample: Sample) -> list[LinearModel]:
        usual = self._variants()
        n_classes = len(self.classes_)
        if not tries_another(self, sample, n_classes, n_scores=usual[0].n_scores):
            return usual
        return [*usual, Logistic() if n_classes == 2 else MulticlassLogistic(n_classes)]
