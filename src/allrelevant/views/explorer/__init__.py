"""The explorer: the bars as a local page, or in a notebook, that answers what-if questions."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

from sklearn.utils.validation import check_is_fitted

from allrelevant.views.explorer.session import Session

__all__ = ["Session", "explore"]


def explore(
    estimator: Any, X: Any = None, *, widget: bool | None = None, port: int = 0, **kwargs: Any
) -> Any:
    """Open the explorer of a fitted estimator.

    Parameters
    ----------
    estimator : object
        A fitted linear relevance estimator.
    X : array-like, optional
        Samples whose predictions to show.
    widget : bool, optional
        Whether to give a widget instead of serving a page; by default in a notebook only.
    port : int, default 0
        Where to serve the page on 127.0.0.1; 0 takes any free port.
    **kwargs
        Passed on to `Session`: ``title``, ``target``, ``costs``, ``notes``.

    Returns
    -------
    ExplorerWidget or None
        The widget; a page is served until interrupted, and gives nothing.
    """
    check_is_fitted(estimator, "result_")
    if _in_notebook() if widget is None else widget:
        from allrelevant.views.explorer.widget import ExplorerWidget

        return ExplorerWidget(estimator, X, **kwargs)
    from allrelevant.views.explorer.serve import serve

    with suppress(KeyboardInterrupt):  # how one ends it
        serve(Session(estimator, X, **kwargs), port=port)
    return None


def _in_notebook() -> bool:
    """Whether a Jupyter kernel runs us; a plain IPython shell has none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None
