"""ProPublica's COMPAS data: risk scores of people charged with a crime."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
from sklearn.utils import Bunch

VARIABLE = "ALLRELEVANT_COMPAS"
_COUNTS = ("juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count")
_RECORDS = ("is_recid", "is_violent_recid")
_CATEGORIES = ("race", "sex", "age_cat", "c_charge_degree")
_TARGET, _LEVELS = "score_text", ("Low", "Medium", "High")


def load_compas(path: str | os.PathLike[str] | None = None) -> Bunch:
    """Read the COMPAS data from a local file, as the papers use them.

    The file is a table with the columns of ProPublica's ``compas-scores.csv`` (more do no harm),
    plain or compressed. People without a risk score are left out. Categories become one column
    per level.

    Parameters
    ----------
    path : str or path, optional
        The file. By default what the environment variable ``ALLRELEVANT_COMPAS`` names.

    Returns
    -------
    Bunch
        ``data``, a frame of 20 columns; ``target``, the risk score Low < Medium < High as an
        ordered categorical; ``column_groups``, the columns of each category, as the estimators'
        parameter of this name wants them.

    Raises
    ------
    FileNotFoundError
        If there is no such file; the message says where to get it.
    ValueError
        If the file lacks a column.

    Examples
    --------
    >>> from allrelevant.datasets import load_compas
    >>> load_compas("nowhere.csv")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    FileNotFoundError: load_compas needs the file compas-scores.csv
    """
    frame = pd.read_csv(_checked(path))
    wanted = [*_COUNTS, *_RECORDS, *_CATEGORIES, _TARGET]
    missing = [name for name in wanted if name not in frame.columns]
    if missing:
        raise ValueError(f"the COMPAS file lacks the columns {', '.join(missing)}.")
    frame = frame.loc[frame[_TARGET].isin(_LEVELS), wanted].reset_index(drop=True)
    parts, groups = [frame[[*_COUNTS, *_RECORDS]].astype(float)], {}
    for category in _CATEGORIES:
        levels = pd.get_dummies(frame[category], prefix=category, prefix_sep=": ", dtype=float)
        groups[category] = list(levels.columns)
        parts.append(levels)
    data = pd.concat(parts, axis=1)
    target = pd.Series(pd.Categorical(frame[_TARGET], categories=_LEVELS, ordered=True))
    return Bunch(data=data, target=target.rename(_TARGET), column_groups=groups)


def _checked(path: str | os.PathLike[str] | None) -> Path:
    """The file to read; an error that helps where there is none."""
    given = os.environ.get(VARIABLE) if path is None else path
    where = "none was given" if not given else f"there is none at {os.fspath(given)!r}"
    if not given or not Path(given).is_file():
        raise FileNotFoundError(
            f"load_compas needs the file compas-scores.csv, but {where}. ProPublica publishes it "
            f"with its compas-analysis; pass its path or set the variable {VARIABLE}."
        )
    return Path(given)
