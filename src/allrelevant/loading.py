"""Files of fitted estimators, whatever method they are of."""

from __future__ import annotations

import os
from typing import Any

from allrelevant.base.saving import check_seal, open_saved
from allrelevant.forest import files as forest_files
from allrelevant.linear.estimators import files as linear_files


def load(path: str | os.PathLike[str]) -> Any:
    """Read an estimator that `save` has written; it answers as if it had just been fitted.

    A forest answers what it was asked before: its result, importances, groups and shapes are
    there; its trees are not, so it predicts nothing.

    Files are safe to open wherever they come from: they hold JSON and arrays of numbers and text,
    and nothing in them is executed.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    estimator
        Of the class that was saved, fitted. A parameter that no file can hold, such as a function,
        is shown as ``<not saved: …>``.

    Raises
    ------
    ArchiveError
        If it is no such file, is damaged, or was written by a version that is too new or too old;
        a ValueError.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import allrelevant
    >>> from allrelevant import RelevanceClassifier
    >>> from allrelevant.datasets import make_classification
    >>> X, y, truth = make_classification(
    ...     80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    >>> model = RelevanceClassifier(C=0.5, tolerance=0.05, n_probes=30, random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(Path(folder) / "patients.fit")
    ...     again = allrelevant.load(Path(folder) / "patients.fit")
    >>> again.result_.class_names == model.result_.class_names
    True
    """
    return load_with(path)[0]


def load_with(path: str | os.PathLike[str]) -> tuple[Any, Any]:
    """Read an estimator and what was written beside it."""
    document, arrays = open_saved(path)
    is_forest = document.get("estimator") in forest_files.ESTIMATORS
    read = forest_files.forest_in if is_forest else linear_files.model_in
    found = read(path, document, arrays)
    check_seal(path, document, arrays)  # last: what is wrong can mostly be said more exactly
    return found
