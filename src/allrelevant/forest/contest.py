"""Which features are relevant: those that beat shuffled shadows of the features.

Redundancy dilutes importance: of ten copies each gets a tenth. Hence the contest is held in
several views, some with one representative of every cluster of near copies, some with a random
half of those. In each view features compete with shadows for a place in the model, and importance
is the rise of the held-out loss when a column is shuffled. A feature has to beat the shadows in
one view, with all rounds taken together, for the number of views and clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.forest.models import Learner
from allrelevant.forest.sample import Table, halves
from allrelevant.forest.score import ROUNDS, Outcome, Round, Score
from allrelevant.forest.swaps import rises, shuffled
from allrelevant.forest.work import Work

_TRAIN_SHARE = 0.632
_LEAST_SHADOWS, _MOST_SHADOWS = 20, 60
_FIRST_DECISION = 2  # blocks
_HOPELESS = 0.5  # p-value beyond which a feature gets no further rounds


@dataclass(frozen=True, eq=False)
class View:
    """One way of letting features compete: with which learner, and which of them at a time."""

    learner: Learner
    choice: str  # "all", "representatives" or "half"


@dataclass(frozen=True, eq=False)
class Contestant:
    """Plays rounds; one in every process."""

    table: Table
    views: tuple[View, ...]

    def __call__(self, task: Round) -> Floats:
        """Importances of the features, then of the shadows."""
        table = _with_shadows(self.table, task)
        learn, judge = halves(table, _TRAIN_SHARE, task.seed)
        model = self.views[task.view].learner(table.rows(learn), task.seed)
        held_out = table.rows(judge)
        share = held_out.weight / held_out.weight.sum()
        return rises(model, held_out, shuffled(held_out.X, task.seed)) @ share


def contest(
    table: Table,
    cluster: Ints,
    views: tuple[View, ...],
    alpha: float,
    max_blocks: int,
    work: Work,
) -> Outcome:
    """Hold the contest."""
    score = Score(len(views), cluster, [view.choice != "all" for view in views])
    playing = np.ones(table.n_features, dtype=bool)
    n_fits = 0
    for block in range(max_blocks):
        rounds = [
            task
            for k, view in enumerate(views)
            for task in _block(k, view.choice, playing, cluster, work)
        ]
        stage = f"round {block + 1} of at most {max_blocks}"
        score.add(rounds, work.stage(stage, partial(Contestant, table, views), rounds))
        n_fits += len(rounds)
        if block + 1 < _FIRST_DECISION:
            continue
        p_values = score.p_values()
        playing &= p_values <= _HOPELESS
        certain = p_values < alpha / (50 * score.n_clusters)
        if not (playing & ~certain).any():
            break
    return score.outcome(alpha, n_fits)


def _block(view: int, choice: str, playing: Mask, cluster: Ints, work: Work) -> list[Round]:
    """The rounds of one view that share their shadows."""
    rng = np.random.default_rng(work.seed())
    active = np.flatnonzero(playing)
    if not len(active):
        active = np.arange(len(playing))
    base = active if choice == "all" else _representatives(active, cluster, rng)
    n_shadows = min(max(_LEAST_SHADOWS, len(base)), _MOST_SHADOWS)
    sources = np.resize(rng.permutation(base), n_shadows)
    shadow_seed = int(rng.integers(2**31))
    result = []
    for _ in range(ROUNDS):
        features = active if choice == "all" else _representatives(active, cluster, rng)
        if choice == "half":
            features = rng.permutation(features)[: max(2, (len(features) + 1) // 2)]
        result.append(Round(view, features, sources, shadow_seed, int(rng.integers(2**31))))
    return result


def _representatives(active: Ints, cluster: Ints, rng: np.random.Generator) -> Ints:
    """One random member of every cluster."""
    shuffled = rng.permutation(active)
    _, first = np.unique(cluster[shuffled], return_index=True)
    return shuffled[first]


def _with_shadows(table: Table, task: Round) -> Table:
    rng = np.random.default_rng(task.shadow_seed)
    shadows = [table.X[rng.permutation(table.n_samples), j] for j in task.sources]
    picked = table.columns(np.concatenate([task.features, task.sources]))
    picked.X[:, len(task.features) :] = np.column_stack(shadows)
    return picked
