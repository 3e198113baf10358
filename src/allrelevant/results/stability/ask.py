"""From a fit to its stability: draw the halves, hand them out, collect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from allrelevant import backends
from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.progress import told_progress
from allrelevant.base.validation import check_number, check_running
from allrelevant.results.classified import ClassifiedFeatures
from allrelevant.results.stability.result import StabilityResult
from allrelevant.results.stability.rows import complementary_halves

_LARGEST_SEED = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class Half:
    """Rows of one half, and the seed of what is random in its fit."""

    rows: Ints
    seed: int


@dataclass(frozen=True, eq=False)
class SplitRequest:
    """How often rows are split, by which random numbers, what is selected, and how work is done."""

    n_splits: int
    random: np.random.RandomState
    select: Literal["relevant", "strong"]
    n_jobs: int | None
    verbose: int


def check_request(estimator: Any, n_splits: Any, random_state: Any) -> SplitRequest:
    """Refuse what makes no sense; random numbers are the estimator's by default."""
    check_number("n_splits", n_splits, low=1, whole=True)
    check_running(estimator.n_jobs, estimator.verbose, random_state)
    seed = estimator.random_state if random_state is None else random_state
    random = check_random_state(seed)
    return SplitRequest(
        int(n_splits), random, estimator.select, estimator.n_jobs, estimator.verbose
    )


def ask_halves(
    result: ClassifiedFeatures,
    make_worker: Callable[[], Callable[[Half], Ints]],
    request: SplitRequest,
    *,
    n_rows: int,
    strata: Floats | None,
    group: Ints | None = None,
    groups: Mapping[str, tuple[int, ...]],
) -> StabilityResult:
    """Fit either half of every split, and put the answers beside that of all rows.

    `strata` and `group` are the classes of the rows and the rows that stay together; `groups` are
    features that stand in for one another.
    """
    # All seeds are drawn before any work is handed out: who does it makes no difference.
    seeds = request.random.randint(_LARGEST_SEED, size=(request.n_splits, 3)).tolist()
    halves: list[Half] = []
    for seed, *own in seeds:
        both = complementary_halves(n_rows, seed, strata=strata, group=group)
        halves += map(Half, both, own)
    progress = told_progress(request.verbose)
    progress.stage("halves", len(halves))
    found = backends.run(make_worker, halves, request.n_jobs, progress.advance)
    progress.finish()
    return StabilityResult(
        task=result.task,
        names=result.names,
        classes=result.classes,
        halves=np.array(found),
        order=result.order.tolist(),
        select=request.select,
        groups=groups,
        settings={**result.settings, "n_splits": request.n_splits},
        versions=result.versions,
    )


def listed_groups(given: Any, place_of: Callable[[Any], int]) -> dict[str, tuple[int, ...]]:
    """Groups that are given as a mapping of names to lists, as lists, or by `members`.

    `place_of` gives the position of a feature.
    """
    if given is None:
        return {}
    if hasattr(given, "members"):  # what estimator.groups() gives; 0 are features in no group
        many = {f"group {k}": own for k, own in given.members.items() if k and len(own) > 1}
        return listed_groups(many, place_of)
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ValueError(
            "groups must be 'auto', None, what estimator.groups() gives, a mapping of names to "
            f"lists of features, or a list of such lists, got {given!r}."
        )
    named = given if isinstance(given, Mapping) else dict(_numbered(given))
    found = {}
    for name, members in named.items():
        if isinstance(members, str) or not hasattr(members, "__iter__"):
            raise ValueError(f"groups: {name!r} must list features, got {members!r}.")
        places = dict.fromkeys(place_of(member) for member in members)
        if not places:
            raise ValueError(f"groups: {name!r} is empty: list its features or drop it.")
        found[str(name)] = tuple(places)
    return found


def _numbered(members: Iterable[Any]) -> Iterable[tuple[str, Any]]:
    return ((f"group {number}", each) for number, each in enumerate(members, start=1))
