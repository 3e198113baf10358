"""What kind of question a target column asks: classes, ordered classes or a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from allrelevant.base.names import same_look, visible
from allrelevant.base.target_kinds import target_kinds
from allrelevant.tabular.cells import level_name, no_numbers
from allrelevant.tabular.errors import TableError

_MOST_RANKS = 10  # distinct whole numbers that are taken for ranks
_MOST_CLASSES = 50
_DECIMAL_COMMA = r"\s*[-+]?\d+,\d+\s*"
# Words whose order everybody knows, lowest first.
_SCALES = (
    ("very low", "low", "medium", "high", "very high"),
    ("very low", "low", "moderate", "high", "very high"),
    ("low", "normal", "high"),
    ("small", "medium", "large"),
    ("mild", "moderate", "severe"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
)


@dataclass(frozen=True)
class Target:
    """What a target was read as, and why.

    Parameters
    ----------
    name : str
        Its column.
    task : str
        One of the registered kinds of targets.
    why : str
        The reason in words, for people to check.
    guessed : bool
        Whether it is a guess.
    order : tuple, optional
        Ordered classes, lowest first; None where sorting them is right.
    positive : object, optional
        Of two classes the one that positive weights and decision values speak for.

    Examples
    --------
    >>> import pandas as pd
    >>> from allrelevant.tabular import understand_target
    >>> target = understand_target(pd.Series(["no", "yes", "no"], name="ill"))
    >>> target.task, target.positive, target.guessed
    ('classification', 'yes', True)
    """

    name: str
    task: str
    why: str
    guessed: bool
    order: tuple[object, ...] | None = None
    positive: object = None

    def sentence(self) -> str:
        """What the target was read as, in one line."""
        taken_for = target_kinds()[self.task].taken_for
        ranks = f": {' < '.join(visible(str(value)) for value in self.order)}" if self.order else ""
        sign = "" if self.positive is None else f"; positive weights speak for {self.positive!r}"
        return f"target {self.name!r} read as {taken_for}{ranks} ({self.why}){sign}"


def understand_target(
    column: pd.Series,
    task: str = "auto",
    order: Sequence[str] | None = None,
    *,
    for_trees: bool = False,
) -> Target:
    """Find out what a target column is, or check that it is what was said.

    Parameters
    ----------
    column : Series
        The target without missing values.
    task : str, default "auto"
        The registered kind of target that it is.
    order : sequence of str, optional
        The classes from lowest to highest.
    for_trees : bool, default False
        Whether models have no weights, which could speak for one of two classes.

    Raises
    ------
    TableError
        If the target is not what was said, or cannot be made sense of.

    Examples
    --------
    >>> import pandas as pd
    >>> from allrelevant.tabular import understand_target
    >>> understand_target(pd.Series(["low", "high", "medium"], name="pain")).order
    ('low', 'medium', 'high')
    """
    name, values = str(column.name), column.unique().tolist()
    if len(values) == 0:
        raise TableError(f"target {name!r} has no values")
    if len(values) == 1:
        raise TableError(f"target {name!r} has one value only ({values[0]!r}): nothing to predict")
    pair = None if _is_number(column) else same_look(map(level_name, values))
    if pair is not None:
        raise TableError(
            f"target {name!r} has the values {pair[0]!a} and {pair[1]!a}, which look the same: "
            "write them in one way"
        )
    if _is_number(column) and np.isinf(column.to_numpy(dtype=float)).any():
        raise TableError(
            f"target {name!r} has infinite values: correct these or leave them empty, and their "
            "rows are left out"
        )
    ranks = _ranks(column, order)
    if ranks is not None and task != "auto" and _values(task) != "ordered classes":
        raise TableError(f"--order is for ordered classes: leave it or --task {task} out")
    found = _guess(column, ranks) if task == "auto" else _as_said(column, task, ranks)
    if has_classes(found) and len(values) == 2 and not for_trees:
        named = class_labels(column, found).unique().tolist()
        found = replace(found, positive=_last(named))
    return found


def has_classes(target: Target) -> bool:
    """Whether a target has classes without an order."""
    return _values(target.task) in ("classes", "two classes")


def class_labels(column: pd.Series, target: Target) -> pd.Series:
    """The target as estimators take it: numbers with decimals that are classes become names."""
    if not has_classes(target) or not _is_number(column):
        return column
    whole = bool(np.all(np.mod(column.to_numpy(dtype=float), 1) == 0))
    return column if whole else column.astype(float).map(level_name)


def _as_said(column: pd.Series, task: str, ranks: tuple[object, ...] | None) -> Target:
    """The target as a given task takes it, if it can."""
    name, values = str(column.name), column.unique().tolist()
    why = "as you said"
    if _values(task) in ("numbers", "times"):
        if not _is_number(column):
            raise TableError(
                f"target {name!r} holds no numbers (for example {values[0]!r}): not a {task}"
            )
    elif _values(task) == "ordered classes":
        _refuse_too_many(column, "ordered classes")
        if ranks is None and not _is_number(column):
            ranks, why = tuple(sorted(map(str, values))), "alphabetical order; say --order if wrong"
    elif len(values) > 2:
        _refuse_too_many(column, "a classification")
        if _values(task) == "two classes":
            raise TableError(
                f"target {name!r} has {len(values)} classes ({_few(values)}), --task {task} takes "
                "two: use --task classification, or make a yes/no column"
            )
    return Target(name, task, why, False, ranks if _values(task) == "ordered classes" else None)


def _values(task: str) -> str:
    """What a target of this kind holds."""
    return target_kinds()[task].values


def _guess(column: pd.Series, ranks: tuple[object, ...] | None) -> Target:
    name, values = str(column.name), column.unique().tolist()
    if ranks is not None:
        return Target(name, "ordinal", "you gave their order", False, ranks)
    if len(values) == 2:
        return Target(name, "classification", f"it has two values: {_few(values)}", True)
    if _is_number(column):
        whole = bool(np.all(np.mod(column.to_numpy(dtype=float), 1) == 0))
        if whole and len(values) <= _MOST_RANKS:
            why = f"whole numbers with {len(values)} distinct values: {_few(values)}"
            return Target(name, "ordinal", why, True)
        return Target(name, "regression", f"numbers with {len(values)} distinct values", True)
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
        present = set(values)
        known = tuple(value for value in column.dtype.categories if value in present)
        return Target(name, "ordinal", "the file stores an order", True, known)
    _refuse_too_many(column, "a classification")
    scale = _known_scale(values)
    if scale is not None:
        return Target(name, "ordinal", "words of a known scale", True, scale)
    why = f"text with {len(values)} distinct values: {_few(values)}; give --order if they have one"
    return Target(name, "classification", why, True)


def _ranks(column: pd.Series, order: Sequence[str] | None) -> tuple[object, ...] | None:
    """The given order in the target's own type: every value, and no other."""
    if not order:
        return None
    by_text: dict[str, object] = {level_name(value): value for value in column.unique().tolist()}
    missing = [text for text in by_text if text not in order]
    if missing:
        raise TableError(
            f"--order does not name all values of target {column.name!r}: {_few(missing)} missing"
        )
    if len(set(order)) != len(order):
        raise TableError("--order names a class twice")
    unknown = [text for text in order if text not in by_text]
    if unknown:
        raise TableError(
            f"--order names {_few(unknown)}, which no row has: target {column.name!r} is "
            f"{_few(list(by_text))}; leave out of --order what is not there"
        )
    return tuple(by_text[text] for text in order)


def _known_scale(values: Sequence[object]) -> tuple[object, ...] | None:
    by_word = {str(value).strip().lower(): value for value in values}
    if len(by_word) < len(values):
        return None
    for scale in _SCALES:
        if set(by_word) <= set(scale):
            return tuple(by_word[word] for word in scale if word in by_word)
    return None


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _refuse_too_many(column: pd.Series, what: str) -> None:
    n = column.nunique()
    if n <= _MOST_CLASSES:
        return
    advice = "is it the right column?"
    if _is_number(column):
        advice = "is it the right column, or should it be --task regression?"
    elif no_numbers(column).sum() * 2 < len(column):
        odd = no_numbers(column)
        cells = _few(column[odd].unique().tolist())
        advice = f"most are numbers, but not {cells}" if odd.any() else "they are numbers as text"
        advice += ": make them numbers for a regression"
    elif column.astype(str).str.fullmatch(_DECIMAL_COMMA).mean() > 0.5:
        advice = (
            "most are numbers with a decimal comma, where the table's other numbers have a point: "
            "write them in one way"
        )
    raise TableError(
        f"target {str(column.name)!r} has {n} distinct values, too many for {what}: {advice}"
    )


def _last(values: Sequence[Any]) -> object:
    """The class that estimators, who sort them, have last; None where they cannot be sorted."""
    try:
        return max(values)
    except TypeError:
        return None


def _few(values: Sequence[object]) -> str:
    shown = [visible(str(value)) for value in list(values)[:5]]
    more = f", … {len(values) - 5} more" if len(values) > 5 else ""
    return ", ".join(sorted(shown)) + more
