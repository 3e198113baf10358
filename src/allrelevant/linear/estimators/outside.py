"""Data that are not in memory, as estimators take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.labels import class_factors
from allrelevant.base.validation import column_names
from allrelevant.data.dask_rows import by_chunk
from allrelevant.data.rows import BlockedRows
from allrelevant.data.scaling import Scaling
from allrelevant.linear.estimators.class_weights import WeighsClasses
from allrelevant.linear.estimators.frames import FrameSelector
from allrelevant.linear.estimators.parameters import is_word
from allrelevant.linear.fit.outside.looks import TargetCodes
from allrelevant.linear.fit.outside.open import open_rows, sample_of
from allrelevant.linear.fit.rows.folds import GivenFolds
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import Classification, Ordinal, Quantile, Regression
from allrelevant.linear.models.decoders import Decoder
from allrelevant.tabular.categories import Categories

_TAKEN = (Classification, Ordinal, Quantile, Regression)
_TIMES = 3  # each label is shown so often to who has to understand all of them

Prepared = tuple[Sample, Scaling, Decoder, int | GivenFolds, list[str]]


class TakesOutside(WeighsClasses, FrameSelector):
    """Prepares a fit to rows that are elsewhere."""

    standardize: bool
    cv: Any

    def _prepare_outside(self, rows: BlockedRows, given: Mapping[str, Any]) -> Prepared:
        """Check the rows in one pass and draw some in another; refuse what was given with them."""
        self._refuse(given)
        self.n_features_in_ = rows.n_columns
        if rows.names is not None:
            self.feature_names_in_ = np.array(list(rows.names), dtype=object)
        self.categories_, self.curves_ = Categories.of(None), None
        self.encoded_categories_: dict[str, list[str]] = {}
        opened = open_rows(rows, column_names(self, rows.n_columns))
        has_classes = bool(is_classifier(self))
        labels, counts = opened.targets(has_classes)
        times = _TIMES if has_classes else 1
        shown = np.repeat(labels, times)
        codes, decoder = self._encode(shown, np.ones(len(shown)))
        codes = codes[::times]
        model = self._variants()[0]
        if not isinstance(model, _TAKEN):
            what = "three and more classes" if model.n_scores > 1 else "models of this kind"
            raise ValueError(
                f"{what} need all rows in memory: give X and y as arrays, or fit two classes, "
                "ordered classes or numbers."
            )
        factors = None
        if has_classes and self._class_weight is not None:
            weight = self._class_weight
            factors = class_factors(weight, self.classes_, codes, counts, model.class_power)
        scaling = opened.scaling(self.standardize, self._belonging())
        coding = TargetCodes(labels, codes, are_numbers=not has_classes)
        return sample_of(opened, scaling, coding, factors), scaling, decoder, self.cv, []

    def _lazily(self, X: Any, function: Callable[[Any], np.ndarray]) -> Any:
        """What a function gives for each chunk of dask's data, when it is asked for."""
        check_is_fitted(self)
        one: Any = np.zeros((1, self.n_features_in_))
        if getattr(self, "feature_names_in_", None) is not None and hasattr(X, "columns"):
            one = pd.DataFrame(one, columns=self.feature_names_in_)
        return by_chunk(X, function, function(one)[:0])

    def _refuse(self, given: Mapping[str, Any]) -> None:
        """Refuse what needs all rows in memory."""
        wrong = [f"{name}=" for name, value in given.items() if value is not None]
        parameters: Any = vars(self)
        defaults = {
            "baseline": is_word(parameters["baseline"], "l1"),
            "cv": isinstance(self.cv, int),
            "probes": parameters["probes"] == "append",
            "basis": parameters["basis"] is None,
            "checkpoint": parameters["checkpoint"] is None,
        }
        wrong += [f"{name}={parameters[name]!r}" for name, fits in defaults.items() if not fits]
        if wrong:
            raise ValueError(
                f"{wrong[0]} is for rows in memory: leave it out where X is elsewhere, or give X "
                "and y as arrays."
            )
