"""What the explorer can be asked: questions and answers as plain values, whoever carries them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from threading import Lock, Thread
from typing import Any

from sklearn.utils import _safe_indexing

from allrelevant.base.errors import InfeasibleError
from allrelevant.base.three_classes import CLASS_NAMES
from allrelevant.linear.questions.what_if.what_if import FeatureAnswer
from allrelevant.results.classified import FORBIDDEN
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import common_threshold, noise_label
from allrelevant.views.explorer import answers
from allrelevant.views.explorer.answers import finite as _finite
from allrelevant.views.explorer.apart import Apart
from allrelevant.views.explorer.checks import (
    AnotherFitError,
    BadQuestionError,
    as_list,
    checked_number,
    mapping,
    pairs,
)
from allrelevant.views.explorer.features import feature_rows, parts_of, scores_in_words
from allrelevant.views.explorer.solvers import Solvers
from allrelevant.views.report.words import has_weights_by_class

_MOST_ANSWERS = 200
_LARGEST_FACTOR = 2.0


class Session:
    """A fitted estimator that answers the explorer's questions.

    It holds no state of any page: pages bring their constraints along, so there can be several,
    and they can go on when the server was started anew.

    Parameters
    ----------
    estimator : object
        A fitted linear relevance estimator.
    X : array-like, optional
        Samples whose predictions to show.
    title : str, optional
        What the page is about.
    target : str, optional
        What the target is called.
    costs : mapping, optional
        Costs of features to begin with.
    notes : sequence of str, optional
        What readers of the report should know about the data.
    processes : bool, default True
        Whether questions that take long are answered in a process of their own.
    """

    def __init__(
        self,
        estimator: Any,
        X: Any = None,
        *,
        title: str | None = None,
        target: str | None = None,
        costs: Mapping[str, float] | None = None,
        notes: Sequence[str] = (),
        processes: bool = True,
    ) -> None:
        self.estimator = estimator
        self.result: RelevanceResult = estimator.result_
        self.X = X
        self.title = title or (f"What {target} depends on" if target else "Relevance explorer")
        self.target = target
        self.costs = dict(costs or {})
        self.notes = tuple(notes)
        self._names = set(self.result.names)
        self._by_class = has_weights_by_class(self.result)
        self._rows = feature_rows(self.result)
        # Tells a page whether it still talks about the same fit.
        self.fingerprint = hashlib.sha256(self.result.to_json().encode()).hexdigest()[:16]
        self._answers: dict[tuple[str, str], Any] = {}
        self._asking: dict[tuple[str, str], Lock] = {}
        self._solvers = Solvers(estimator)
        # Some answers take long, and no other should wait for them.
        own = (answers.samples, answers.substitutes, answers.cheapest, None)
        self._apart = {one: Apart(estimator) for one in own} if processes else {}
        self._book, self._alone = Lock(), Lock()

    # One question, one answer

    def answer(self, name: str, body: Mapping[str, Any]) -> Any:
        """Answer a question by its name: a plain value, or text for the report."""
        questions: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "start": lambda body: self.start(str(body.get("page", ""))),
            "ping": lambda _: {"fingerprint": self.fingerprint},
            "groups": lambda _: self._remember(answers.groups),
            "needed": lambda _: self._remember(answers.needed),
            "samples": self._samples,
            "substitutes": self._substitutes,
            "cheapest": self._cheapest,
            "report": self._report,
        }
        if name not in questions:
            raise BadQuestionError(f"unknown question {name!r}")
        return questions[name](body)

    def check_fit(self, body: Mapping[str, Any]) -> None:
        """Refuse what a page asks of another fit: it would take the answer for its own."""
        if body.get("fit", self.fingerprint) != self.fingerprint:
            raise AnotherFitError("another fit answers now.")

    def start(self, page: str = "") -> dict[str, Any]:
        """Everything a page needs to draw itself; its solver gets ready meanwhile."""
        result = self.result
        common = common_threshold(result.drawn_thresholds[~result.only_conditional])
        if page not in self._solvers:
            Thread(target=self._warm, args=(page,), daemon=True).start()
        return {
            "title": self.title,
            "fingerprint": self.fingerprint,
            "features": [
                row | {"weight": _finite(abs(float(weight)))}
                for row, weight in zip(self._rows, result.weights, strict=True)
            ],
            "order": result.order.tolist(),
            "thresholds": [_finite(value) for value in result.thresholds],
            "common_noise": _finite(common) if common is not None else None,
            "noise_label": noise_label(result),
            "quality": scores_in_words(result),
            "costs": self.costs,
            "samples": self.X is not None,
            "tolerance": [_finite(one) for one in self.estimator.tolerance_],
            "by_class": self._by_class,
            "warnings": list(result.warnings),
        }

    def _samples(self, body: Mapping[str, Any]) -> dict[str, Any]:
        constraints, X = self.constraints(body.get("constraints")), self.X
        # What is sparse has no length.
        n = 0 if X is None else int(X.shape[0] if hasattr(X, "shape") else len(X))
        asked = range(n)[self._part(body)]
        own = X if len(asked) == n else _safe_indexing(X, list(asked))
        return self._remember(answers.samples, constraints, asked, own, n)

    def _part(self, body: Mapping[str, Any]) -> slice:
        """Which samples a page asks about: some at a time, where it wants to tell how far it is."""
        first, count = int(checked_number(body.get("first", 0))), body.get("count")
        return slice(first, None if count is None else first + int(checked_number(count)))

    def _substitutes(self, body: Mapping[str, Any]) -> dict[str, Any]:
        asked = self.constraints(body.get("constraints"))
        return self._remember(answers.substitutes, self._known(body.get("feature")), asked)

    def _cheapest(self, body: Mapping[str, Any]) -> dict[str, Any]:
        costs = self._costs(body.get("costs"))
        asked = self.constraints(body.get("constraints"))
        return self._remember(answers.cheapest, tuple(sorted(costs.items())), asked)

    def _report(self, body: Mapping[str, Any]) -> str:
        asked = self.constraints(body.get("constraints"))
        return str(self._elsewhere(answers.report, asked, self.target, self.notes))

    def _remember(self, ask: Callable[..., Any], *arguments: Any) -> Any:
        """Ask a question that takes long once only."""
        key = (ask.__name__, repr(arguments[:2] if ask is answers.samples else arguments))
        with self._book:
            busy = self._asking.setdefault(key, Lock())
        with busy:
            if key not in self._answers:
                self._answers[key] = self._elsewhere(ask, *arguments)
            answer = self._answers[key]
        with self._book:
            if len(self._answers) > _MOST_ANSWERS:  # forget the oldest
                oldest = next(iter(self._answers))
                self._answers.pop(oldest)
                self._asking.pop(oldest, None)
        return answer

    def _elsewhere(self, ask: Callable[..., Any], *arguments: Any) -> Any:
        if self._apart:
            return self._apart.get(ask, self._apart[None]).run(ask, *arguments)
        with self._alone:
            return ask(self.estimator, *arguments)

    def close(self) -> None:
        """End what still runs elsewhere."""
        for apart in self._apart.values():
            apart.close()

    # What if

    def ask(self, body: Mapping[str, Any]) -> Generator[dict[str, Any]]:
        """Answer a what-if question bar by bar; closing the iterator ends the work.

        The last event is "done", "impossible" with a message where no model is left, or "failed"
        where this cannot be asked.
        """
        asked = self.constraints(body.get("constraints"))
        order, factor = self._order(body), self.factor(body)
        if not asked and factor == 1.0:
            for j in order:
                yield {"kind": "bar", "j": j, **self._rows[j]}
            yield {"kind": "done"}
            return
        solver, busy = self._solvers.of_page(str(body.get("page", "")), factor)
        with busy:
            try:
                with closing(solver.what_if_stream(**asked, order=order)) as stream:
                    for found in stream:
                        yield {"kind": "bar", **self._bar(asked, found)}
            except InfeasibleError as error:
                clash = [str(constraint) for constraint in error.constraints]
                yield {
                    "kind": "impossible",
                    "message": str(error),
                    "clash": clash,
                    "tolerance": _finite(error.tolerance),
                }
                return
            except ValueError as error:  # no models to ask, or not of many classes
                yield {"kind": "failed", "message": str(error)}
                return
        yield {"kind": "done"}

    def _warm(self, page: str) -> None:
        """Answer a question nobody asked: the first one takes longest."""
        solver, busy = self._solvers.of_page(page)
        names, most = self.result.names, self.result.intervals[:, 1]
        first = [j for j in self.result.order.tolist() if names[j] not in self.result.columns][:1]
        bounds = {names[j]: (0.0, max(1.0, float(most[j]))) for j in first}
        asked = {"forbid": [names[first[0]]]} if first and self._by_class else {"bounds": bounds}
        with busy, suppress(Exception):
            next(solver.what_if_stream(**asked, order=first))

    def _bar(self, asked: Mapping[str, Any], found: FeatureAnswer) -> dict[str, Any]:
        name = self.result.names[found.position]
        kind = FORBIDDEN if name in asked.get("forbid", ()) else CLASS_NAMES[found.label]
        keys, ends = ("min", "max", "low", "high"), (*found.relevance, *found.signed)
        return {
            "j": found.position,
            "class": kind,
            **{key: _finite(float(value)) for key, value in zip(keys, ends, strict=True)},
            # What is borderline is that in the fit.
            "borderline": kind != FORBIDDEN and self._rows[found.position]["borderline"],
            "bound": False,
            "columns": parts_of(self.result, name, found.columns),
        }

    def factor(self, body: Mapping[str, Any]) -> float:
        """By what a page multiplies the tolerance."""
        factor = checked_number(body.get("tolerance", 1.0))
        if factor > _LARGEST_FACTOR:
            raise BadQuestionError(
                f"the tolerance can be at most {_LARGEST_FACTOR:g} times that of the fit"
            )
        return factor

    def constraints(self, given: Any) -> dict[str, Any]:
        """Check what a page sent, and give it as arguments of `what_if`."""
        given = mapping(given, "constraints")
        forbid = [self._known(name) for name in as_list(given.get("forbid"))]
        keep = [self._known(name) for name in as_list(given.get("keep"))]
        bounds = {}
        for name, ends in pairs(given.get("bounds")):
            if not isinstance(ends, Sequence) or isinstance(ends, str) or len(ends) != 2:
                raise BadQuestionError(f"the bounds of {name!r} must be two numbers")
            low = 0.0 if ends[0] is None else checked_number(ends[0])
            high = math.inf if ends[1] is None else checked_number(ends[1])
            if not 0.0 <= low <= high:
                raise BadQuestionError(f"the bounds of {name!r} must be two numbers in order")
            bounds[self._known(name)] = (low, high)
        both = set(forbid) & set(keep)
        if both:
            raise BadQuestionError(f"{both.pop()!r} is both forbidden and kept")
        asked = {"forbid": forbid, "keep": keep, "bounds": bounds}
        return {key: value for key, value in asked.items() if value}

    def _order(self, body: Mapping[str, Any]) -> list[int]:
        """Features in the order a page wants to see them, then all others if it wants them."""
        d = self.result.n_features
        first = [j for j in as_list(body.get("order")) if isinstance(j, int) and 0 <= j < d]
        others = [] if body.get("only") is True else self.result.order.tolist()
        return list(dict.fromkeys([*first, *others]))

    def _costs(self, given: Any) -> dict[str, float]:
        return {self._known(name): checked_number(value) for name, value in pairs(given)}

    def _known(self, name: Any) -> str:
        if not isinstance(name, str) or name not in self._names:
            raise BadQuestionError(f"there is no feature {name!r}")
        return str(name)
