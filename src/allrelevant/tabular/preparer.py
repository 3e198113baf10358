"""The command line's reading of tables as a transformer for pipelines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from allrelevant.base.disguised import as_frame
from allrelevant.base.validation import check_choice, refuse_same_names
from allrelevant.tabular.categories import Categories
from allrelevant.tabular.coding import Coding, Impute
from allrelevant.tabular.dates import (
    Dates,
    owners_of_parts,
    part_names,
    understood_dates,
    with_dates,
)
from allrelevant.tabular.errors import TableError, reasons
from allrelevant.tabular.names import check_columns
from allrelevant.tabular.recoding import Recoding


class TablePreparer(TransformerMixin, BaseEstimator):
    """Makes a data frame ready for an estimator, as the command line does.

    Text becomes categories, gaps are filled, and columns that are empty, constant, identifiers or
    otherwise no features are left out; `notes_` says what was done and why. New samples are
    prepared in the same way, and refused if they have levels that were not seen.

    Parameters
    ----------
    categorical : sequence of str, default=()
        Columns of numbers that are names of categories.
    numeric : sequence of str, default=()
        Columns to use as numbers although they look like identifiers or are text.
    drop : sequence of str, default=()
        Columns to leave out.
    impute : {"median", "mean", "none"}, default="median"
        What to put where a number is missing; "none" refuses missing numbers. A missing level of a
        category is a level of its own.
    dates : {"leave_out", "days", "parts"}, default="leave_out"
        What to make of dates: nothing, days since 1970, or year, month and day of the week.
    encode : bool, default=False
        Make columns of 0 and 1 of categories, for estimators that take numbers only. The
        estimators of this package take categories as they are, each as one feature.

    Attributes
    ----------
    notes_ : list of str
        What was left out, filled in or coded.
    left_out_ : dict
        Columns that are not used, and why.
    column_groups_ : dict
        The columns of each date of which parts were made, and with `encode` of each category: what
        the parameter `column_groups` of the estimators takes.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import pandas as pd
    >>> from allrelevant import TablePreparer
    >>> patients = pd.DataFrame({"age": [61, 45, None, 52], "ward": ["a", "b", "c", "b"],
    ...                          "clinic": "Oslo", "seen": ["2024-01-05", "2024-02-01"] * 2})
    >>> TablePreparer(dates="days", encode=True).fit_transform(patients)
        age  ward=a  ward=b  ward=c     seen
    0  61.0     1.0     0.0     0.0  19727.0
    1  45.0     0.0     1.0     0.0  19754.0
    2  52.0     0.0     0.0     1.0  19727.0
    3  52.0     0.0     1.0     0.0  19754.0
    """

    def __init__(
        self,
        *,
        categorical: Sequence[str] = (),
        numeric: Sequence[str] = (),
        drop: Sequence[str] = (),
        impute: Impute = "median",
        dates: Dates = "leave_out",
        encode: bool = False,
    ) -> None:
        self.categorical = categorical
        self.numeric = numeric
        self.drop = drop
        self.impute = impute
        self.dates = dates
        self.encode = encode

    def fit(self, X: Any, y: Any = None) -> TablePreparer:
        """Find out what the columns hold.

        Parameters
        ----------
        X : data frame, or array of numbers, of shape (n_samples, n_features)
        y : ignored
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Any:
        """Find out what the columns hold, and make them ready.

        Parameters
        ----------
        X : data frame, or array of numbers, of shape (n_samples, n_features)
        y : ignored
        """
        return self._given(self._fit(X), X)

    def transform(self, X: Any) -> Any:
        """Make samples ready as those of the fit were.

        Parameters
        ----------
        X : data frame, or array of numbers, of shape (n_samples, n_features)

        Returns
        -------
        data frame where X is one, else an array
        """
        check_is_fitted(self)
        frame = with_dates(self._frame(X, reset=False), self._dates, self.dates)
        return self._given(self._recoding.code(frame), X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Give the names of the columns that come out."""
        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        return np.array(self._columns, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.impute != "none"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _fit(self, X: Any) -> pd.DataFrame:
        check_choice("impute", self.impute, ("median", "mean", "none"))
        check_choice("dates", self.dates, ("leave_out", "days", "parts"))
        frame = self._frame(X, reset=True)
        if len(frame) < 2:
            raise TableError("a table of n_samples = 1 does not say what its columns hold.")
        names = list(frame.columns)
        for option in ("categorical", "numeric", "drop"):
            check_columns([str(name) for name in getattr(self, option)], names, option)
        table = frame.drop(columns=list(map(str, self.drop)))
        self._dates = {} if self.dates == "leave_out" else understood_dates(table)
        table = with_dates(table, self._dates, self.dates)
        notes: list[str] = []
        named = (set(map(str, self.categorical)), set(map(str, self.numeric)))
        rows = range(1, len(table) + 1)
        coding = Coding(*named, self.impute, notes, rows, for_trees=False)
        try:
            for name in table.columns:
                coding.add(name, table[name])
            coding.check_gaps(owners_of_parts(self._dates, self.dates))
        except TableError as error:
            raise TableError(_in_python(str(error))) from None
        self.notes_ = [_in_python(note) for note in notes]
        self.left_out_ = {name: _in_python(why) for name, why in coding.left_out.items()}
        self.left_out_ |= {str(name): "drop" for name in self.drop}
        if not coding.kept:
            # scikit-learn's checks want to read how many features there were.
            n = f"{len(names)} feature(s)"
            raise TableError(f"no column is left to use, of {n}{reasons(self.left_out_)}")
        kept = pd.DataFrame(coding.kept, index=table.index)
        categories = Categories.of(kept)
        self._recoding = Recoding(list(kept.columns), categories, coding.fills, self.encode)
        coded = categories.code(kept) if self.encode else kept
        self._columns = [str(name) for name in coded.columns]
        parts = {name: list(part_names(name)) for name in self._dates if self.dates == "parts"}
        parts = {name: [one for one in own if one in kept] for name, own in parts.items()}
        groups = {name: own for name, own in parts.items() if len(own) > 1}
        self.column_groups_ = groups | (categories.groups if self.encode else {})
        return coded

    def _frame(self, X: Any, *, reset: bool) -> pd.DataFrame:
        """The table with names that are text; arrays hold numbers."""
        X = as_frame(X)
        if not hasattr(X, "columns"):
            gaps = "allow-nan" if self.impute != "none" else True
            table = validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite=gaps)
            return pd.DataFrame(table, columns=[f"x{k}" for k in range(table.shape[1])])
        refuse_same_names(X)
        validate_data(self, X, reset=reset, skip_check_array=True)
        frame = X.to_pandas() if hasattr(X, "to_pandas") else X
        if not len(frame) or not frame.shape[1]:
            raise TableError(
                f"found a table of {len(frame)} sample(s) and {frame.shape[1]} feature(s) "
                f"(shape={frame.shape}) while a minimum of 1 is required."
            )
        return frame.set_axis([str(name) for name in frame.columns], axis=1)

    def _given(self, coded: pd.DataFrame, X: Any) -> Any:
        return coded if hasattr(as_frame(X), "columns") else coded.to_numpy(float)


def _in_python(text: str) -> str:
    """What the command line says of its options, said of parameters."""
    text = re.sub(r"--(categorical|numeric) (\S+)", r"\1=['\2']", text)
    text = re.sub(r"--(impute|dates) (\w+)", r"\1='\2'", text)
    return re.sub(r"--(\w+)", r"\1", text)
