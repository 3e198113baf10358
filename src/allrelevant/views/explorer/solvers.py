"""An estimator for each page, which stays warm for its next question."""

from __future__ import annotations

from collections import OrderedDict
from copy import copy
from threading import Lock
from typing import Any

from allrelevant.linear.questions.tolerance.at_tolerance import at_tolerance

_MOST = 12


class Solvers:
    """Copies of an estimator that share all but the solver, which answers one question at a time.

    Parameters
    ----------
    estimator : object
        A fitted linear relevance estimator.
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._known: OrderedDict[tuple[str, float], tuple[Any, Lock]] = OrderedDict()
        self._book = Lock()

    def of_page(self, page: str, factor: float = 1.0) -> tuple[Any, Lock]:
        """The estimator of a page at a multiple of the tolerance, and who may ask it now."""
        key = page, factor
        with self._book:
            if key not in self._known:
                own = copy(self._estimator)
                own.fitted_set_ = copy(own.fitted_set_)
                if factor != 1.0:
                    own.fitted_set_ = at_tolerance(own.fitted_set_, factor)
                self._known[key] = (own, Lock())
                if len(self._known) > _MOST:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
            return self._known[key]

    def __contains__(self, page: str) -> bool:
        return (page, 1.0) in self._known
