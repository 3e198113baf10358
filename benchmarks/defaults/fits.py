"""One fit by the public interface: quiet, timed, and stopped where it takes too long."""

from __future__ import annotations

import inspect
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from allrelevant import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor

Outcome = dict[str, float]
ESTIMATORS: dict[str, Any] = {
    "classification": RelevanceClassifier,
    "classification, 15 %": RelevanceClassifier,
    "regression": RelevanceRegressor,
    "ordinal": OrdinalRelevanceClassifier,
}


@dataclass(frozen=True)
class Setup:
    """What is run: seeds (each part has a number of its own unless given), and where things are."""

    seeds: int | None = None
    first: int = 0
    jobs: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    limit: float = 300.0
    data: Path = Path("data/ordinal")
    splits: int = 30
    widths: tuple[int, ...] = (2000, 10_000)
    quick_peers: bool = False
    peers_python: str = ""
    before: Path | None = None
    only: str = ""

    def wants(self, label: str) -> bool:
        """Whether a row is asked for."""
        return self.only in label

    def numbers(self, usual: int) -> range:
        """The seeds of a part."""
        return range(self.first, self.first + (self.seeds or usual))

    def each(self, function: Callable[..., Any], items: Sequence[Any], *rest: Any) -> list[Any]:
        """What a function gives for every item, in as many processes as wanted."""
        if self.jobs == 1:
            return [function(item, *rest) for item in items]
        return list(Parallel(n_jobs=self.jobs)(delayed(function)(item, *rest) for item in items))


class OutOfTimeError(Exception):
    """A fit has used up its CPU time."""


@dataclass(frozen=True)
class Fit:
    """A fitted model and its CPU time; no model where time ran out."""

    model: Any
    seconds: float

    @property
    def selected(self) -> np.ndarray:
        """Which features are relevant."""
        return self.model.relevance_classes_ > 0

    @property
    def marked(self) -> np.ndarray:
        """Which features the fit itself calls borderline: none where it has no such word."""
        classes = self.model.relevance_classes_
        marks = getattr(self.model, "borderline_", None)
        mask = np.zeros(len(classes), dtype=bool)
        if marks is not None:
            mask[np.asarray(marks)] = True  # a mask or indices
        return mask


def fit(task: str, X: Any, y: Any, seed: int, setup: Setup, groups: Any = None, **more: Any) -> Fit:
    """Fit the estimator of a task with its default settings, but for the options given."""
    model = ESTIMATORS[task](random_state=seed)
    known = model.get_params()
    chosen = {**setup.options, **more}
    model.set_params(**{key: value for key, value in chosen.items() if key in known})
    takes_groups = "groups" in inspect.signature(model.fit).parameters
    given = {"groups": groups} if groups is not None and takes_groups else {}
    start = time.process_time()
    try:
        with limited(setup.limit), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, y, **given)
    except OutOfTimeError:
        model = None
    return Fit(model, time.process_time() - start)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError after so much CPU time."""

    def stop(*_: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def check_options(options: dict[str, Any]) -> None:
    """Refuse parameters that no estimator knows."""
    known = {key for each in ESTIMATORS.values() for key in each().get_params()}
    strange = sorted(set(options) - known)
    if strange:
        raise SystemExit(f"--options: no estimator has {', '.join(strange)}.")


def discoveries(selected: np.ndarray, truth: np.ndarray) -> Outcome:
    """Share of the true features that are found, and share of false ones among those selected."""
    hits = int((selected & (truth > 0)).sum())
    n_true, n_selected = int((truth > 0).sum()), int(selected.sum())
    found = {"found": hits / n_true} if n_true else {}
    return {**found, "false share": (n_selected - hits) / max(n_selected, 1)}
