"""Features in three classes: what linear and non-linear results have in common."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from allrelevant.base.names import position
from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.base.writing import write_text
from allrelevant.results.entries import facts, flags, labels, numbers, words
from allrelevant.results.opening import open_view
from allrelevant.results.record import Record

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

_ROOM = 1.25  # times the largest possible relevance: lines farther out would squeeze all bars
FORBIDDEN = "forbidden"  # said in place of a class: it had no chance to be anything else


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ClassifiedFeatures(Record):
    """Base of results that give every feature an interval and a class.

    What the views of a result ask for is declared here; the subclasses' fields hold it.
    """

    task: str
    names: tuple[str, ...] = words()
    intervals: NDArray[np.float64] = numbers("names", 2)
    classes: NDArray[np.int64] = labels("names")
    thresholds: NDArray[np.float64] = numbers(2)
    probes: NDArray[np.float64] = numbers(None, 2, default=())
    baseline: Mapping[str, Any] = facts()
    settings: Mapping[str, Any] = facts()
    versions: Mapping[str, str] = facts()
    work: Mapping[str, int] = facts()
    warnings: tuple[str, ...] = words(default=())
    #: The columns of each feature that has several.
    columns: Mapping[str, Any] = facts()
    #: The noise threshold for ``max`` of each feature by itself; empty where all share one.
    noise_thresholds: NDArray[np.float64] = numbers("names", empty=True)
    #: Whether the ends of a feature's interval are bounds; empty where all are exact.
    is_bound: NDArray[np.bool_] = flags("names", empty=True)

    @property
    def borderline(self) -> NDArray[np.bool_]:
        """Whether other probes could change a feature's side; empty where that is not known."""
        return np.zeros(0, dtype=np.bool_)

    @property
    def unit(self) -> str:
        """What the numbers are measured in, for axes and captions."""
        return "share of the model's total weight"

    @property
    def class_names(self) -> tuple[str, ...]:
        """The class of each feature in words, or that a question forbids it."""
        barred = set(self.forbidden)
        pairs = zip(self.names, self.classes, strict=True)
        return tuple(FORBIDDEN if name in barred else CLASS_NAMES[c] for name, c in pairs)

    @property
    def counts(self) -> dict[str, int]:
        """How many features are of each class, by its name; those that are forbidden, if any."""
        words = (*CLASS_NAMES[::-1], *([FORBIDDEN] if self.forbidden else []))
        return {word: self.class_names.count(word) for word in words}

    @property
    def support(self) -> NDArray[np.bool_]:
        """Mask of the relevant features, weak or strong."""
        return self.classes > 0

    def interval(self, feature: str) -> tuple[float, float]:
        """Smallest and largest relevance of a feature, by its name."""
        low, high = self.intervals[position(list(self.names), feature, "feature")]
        return float(low), float(high)

    @property
    def order(self) -> NDArray[np.intp]:
        """Feature positions, strong first and irrelevant last, within a class the largest first.

        What is forbidden comes after all others.
        """
        barred = np.array([word == FORBIDDEN for word in self.class_names], dtype=bool)
        # Copies differ in the last digit, which must not order them: then their positions do.
        return np.lexsort((-np.round(self.intervals[:, 1], 8), -self.classes, barred))

    @property
    def strong(self) -> tuple[str, ...]:
        """Names of the features no equally good model can do without."""
        return self._names_of(2)

    @property
    def weak(self) -> tuple[str, ...]:
        """Names of the features that are useful but can be replaced by others."""
        return self._names_of(1)

    @property
    def irrelevant(self) -> tuple[str, ...]:
        """Names of the features that do no better than noise."""
        return self._names_of(0)

    @property
    def forbidden(self) -> tuple[str, ...]:
        """Names of the features that a question forbids, if it was one."""
        return ()

    @property
    def upper_thresholds(self) -> NDArray[np.float64]:
        """The noise threshold for ``max`` that decided on each feature, shape (d,)."""
        limits = np.full(self.n_features, float(self.thresholds[1]))
        if len(self.noise_thresholds):
            limits[:] = self.noise_thresholds
        return limits

    @property
    def largest_possible(self) -> float:
        """What no relevance could exceed, whatever the data; infinite where that is not known."""
        most = self.baseline.get("largest_possible")
        return np.inf if most is None else float(most)

    @property
    def out_of_reach(self) -> NDArray[np.bool_]:
        """Mask of the features that could not pass their noise threshold, whatever the data."""
        return self.upper_thresholds > self.largest_possible

    @property
    def drawn_thresholds(self) -> NDArray[np.float64]:
        """Where pictures draw them: what no relevance could come near is brought nearer.

        NaN where none had to be passed.
        """
        limits = np.minimum(self.upper_thresholds, _ROOM * self.largest_possible)
        return np.where(self.only_conditional, np.nan, limits)

    @property
    def only_conditional(self) -> NDArray[np.bool_]:
        """Mask of the features that need not pass a noise threshold.

        Their upper ends are below it, but they pass the conditional test: they correlate with
        residuals of a model of the other features more than noise does.
        """
        return np.zeros(self.n_features, dtype=np.bool_)

    @property
    def relevant_by_conditional(self) -> NDArray[np.bool_]:
        """Mask of the relevant features among these, whose upper ends are below the threshold."""
        found = np.array([word in ("weak", "strong") for word in self.class_names], dtype=np.bool_)
        return self.only_conditional & found

    @property
    def single_thresholds(self) -> NDArray[np.float64]:
        """The noise thresholds of features of one column that have their own, where finite."""
        single = [j for j, name in enumerate(self.names) if name not in self.columns]
        limits = self.noise_thresholds[single] if len(self.noise_thresholds) else np.empty(0)
        return limits[np.isfinite(limits) & ~self.only_conditional[single][: len(limits)]]

    @property
    def shows_noise(self) -> bool:
        """Whether tables need a column with the noise threshold of every feature."""
        return bool(self.columns)

    @property
    def could_be_either(self) -> NDArray[np.bool_]:
        """Mask of the features that other probes could put on the other side of the threshold.

        What a question forbids is on no side.
        """
        mask = np.zeros(self.n_features, dtype=np.bool_)
        if self.borderline.any():
            mask[:] = self.borderline
            mask &= np.array([word != FORBIDDEN for word in self.class_names], dtype=bool)
        return mask

    @property
    def only_bounded(self) -> NDArray[np.bool_]:
        """Mask of the features whose relevance is within the interval given, but not all of it."""
        return self.is_bound if len(self.is_bound) else np.zeros(self.n_features, dtype=np.bool_)

    @property
    def borderline_names(self) -> tuple[str, ...]:
        """Names of the features that could be either relevant or not; see `could_be_either`."""
        pairs = zip(self.names, self.could_be_either, strict=True)
        return tuple(name for name, either in pairs if either)

    @property
    def privileged(self) -> ClassifiedFeatures | None:
        """Features that are known in training only, as a result of their own; None without any."""
        return None

    def style(self) -> Styler:
        """The table as a pandas Styler, for notebooks, HTML, LaTeX and Excel.

        It can be styled further, as any Styler can. Other packages, such as great-tables, take the
        plain table, ``to_frame(sort=True)``.

        Examples
        --------
        >>> from allrelevant import RelevanceClassifier
        >>> from allrelevant.datasets import make_classification
        >>> X, y, truth = make_classification(
        ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
        >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0)
        >>> table = model.fit(X, y).result_.style().set_caption("What matters")
        >>> "What matters" in table.to_html()
        True
        """
        return open_view("style", self)

    def report(self, path: str | os.PathLike[str], **details: Any) -> Path:
        """Write a report for readers: one HTML file that needs nothing else, and prints well.

        Parameters
        ----------
        path : str or path
            The file to write.
        title, target : str, optional
            The headline, and what the target is called.
        data : mapping, optional
            Facts about the data, such as ``{"rows": 569}``.
        notes : sequence of str, optional
            What the reader should know about the data.
        stability : StabilityResult, optional
            What ``estimator.stability()`` gives.
        shapes : list of FeatureShape, optional
            Of forests, what ``estimator.shapes()`` gives.
        command : str, optional
            The command that made the result.
        day : datetime.date, optional
            The day to print; by default today.
        positive : object, optional
            Of two classes the one that positive weights speak for, ``estimator.classes_[1]``; this
            and what follows is for linear models.
        groups, predictions : object, optional
            What ``estimator.groups()`` and ``estimator.prediction_range(X)`` give.
        rows : sequence, optional
            What the rows that `predictions` is about are called; by default their numbers from 1.
        witnesses : mapping, optional
            What models at the ends of intervals score: `n` of them, the `name` of the score, `low`,
            `high`, that of the `reference`, and of ordered classes `n_classes`.
        needed : mapping, optional
            Of features the tolerance up to which all good models need them; by default what the
            result knows of it (``needed_up_to``).
        tolerance_path : TolerancePath, optional
            What ``estimator.path_over_tolerance()`` gives.
        curves : list of ShapeBand, optional
            What ``estimator.shape_range(feature)`` gives of some features.
        substitutes : mapping, optional
            For features that can be left out, the names of those of which one has to be used then;
            None where no short list of them was found.
        sets : sequence of sequences of str, optional
            Small sets of features that are enough.

        Returns
        -------
        Path
            The file written.
        """
        return write_text(path, open_view("report", self, **details))

    def _names_of(self, label: int) -> tuple[str, ...]:
        pairs = zip(self.names, self.class_names, strict=True)
        return tuple(name for name, word in pairs if word == CLASS_NAMES[label])

    def __hash__(self) -> int:
        return hash((self.task, self.names, tuple(self.classes.tolist())))
