"""Groups of features that stand in for one another."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from allrelevant.base.arrays import Floats, Ints, Mask
from allrelevant.base.progress import Progress
from allrelevant.base.three_classes import IRRELEVANT, STRONG
from allrelevant.linear.engine.equivalent import Boxes
from allrelevant.linear.questions.constrained_solver import ConstrainedSolver
from allrelevant.linear.questions.fitted_set import FittedSet

Linkage = Literal["single", "average", "complete", "ward"]
LINKAGES: tuple[Linkage, ...] = ("single", "average", "complete", "ward")
CUT = 0.55  # where a tree is cut, as a part of its height
OUTLIERS = 0  # the label of the group of irrelevant features
_PULL = 0.5  # how far towards its end a feature is drawn
_SAME = 1e-6  # contexts that differ by less, as shares, are the same
_ALIKE = 0.05  # those that differ by less are of one group, however small the tree is
_LAST = 1.1  # times the highest of the others: where what stands in for nobody joins


@dataclass(frozen=True, eq=False)
class FeatureGroups:
    """Which features replace one another.

    Attributes
    ----------
    names : tuple of str
        All features.
    labels : array of int
        The group of each; 0 for irrelevant features, which form one group of outliers.
    linkage : array
        The tree of the relevant features, as scipy's hierarchical clustering has it.
    leaves : tuple of str
        The features that are the tree's leaves.
    height : float
        Where the tree was cut.
    """

    names: tuple[str, ...]
    labels: Ints
    linkage: Floats
    leaves: tuple[str, ...]
    height: float

    def __post_init__(self) -> None:
        for name in ("labels", "linkage"):
            own = np.array(getattr(self, name))
            own.flags.writeable = False
            object.__setattr__(self, name, own)

    @property
    def members(self) -> dict[int, tuple[str, ...]]:
        """The features of each group."""
        groups = sorted(set(self.labels.tolist()))
        named = list(zip(self.names, self.labels.tolist(), strict=True))
        return {group: tuple(name for name, own in named if own == group) for group in groups}

    def to_frame(self) -> pd.DataFrame:
        """A table of features and their groups."""
        return pd.DataFrame({"feature": self.names, "group": self.labels})

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "names": list(self.names),
            "labels": self.labels.tolist(),
            "linkage": self.linkage.tolist(),
            "leaves": list(self.leaves),
            "height": self.height,
        }

    def to_json(self, indent: int | None = None) -> str:
        """All of it as JSON."""
        return json.dumps(self.to_dict(), indent=indent)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read groups written by `to_json`."""
        found = json.loads(text)
        return cls(
            tuple(found["names"]),
            np.array(found["labels"], dtype=np.intp),
            np.array(found["linkage"], dtype=float).reshape(-1, 4),
            tuple(found["leaves"]),
            float(found["height"]),
        )

    # numpy forgets that an array was read-only.
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return type(self).from_json, (self.to_json(),)

    def __repr__(self) -> str:
        n = len(self.members) - (OUTLIERS in self.members)
        lines = [f"{n} group{'' if n == 1 else 's'} of features"]
        for group, names in self.members.items():
            label = "irrelevant" if group == OUTLIERS else f"group {group}"
            lines.append(f"{label}: {', '.join(names)}")
        return "\n".join(lines)


def find_groups(
    fitted: FittedSet,
    n_groups: int | None = None,
    cut: float = CUT,
    linkage: Linkage = "single",
    *,
    progress: Progress,
) -> FeatureGroups:
    """Group the relevant features by what else has to change when one is drawn to its ends."""
    names, classes = fitted.result.names, fitted.result.classes
    relevant = np.flatnonzero(classes > IRRELEVANT)
    labels = np.full(len(names), OUTLIERS, dtype=np.intp)
    tree, height = np.zeros((0, 4)), 0.0
    if len(relevant) == 1:
        labels[relevant] = 1
    elif len(relevant) > 1:
        strong = classes[relevant] == STRONG
        columns = fitted.telling_columns(relevant)
        drawn = np.isin(fitted.features.owner[columns], relevant[~strong])
        with fitted.solver.alone:
            distance = dissimilarities(contexts(fitted.solver, columns, drawn, progress))
        distance = fitted.features.nearest(distance, columns)
        tree, highest = _tree(distance, strong, linkage)
        if n_groups is not None:
            n_groups = min(n_groups, len(relevant))
            # Exactly so many, also where several mergers are of the same height.
            own = hierarchy.cut_tree(tree, n_clusters=[n_groups])[:, 0].astype(np.intp)
            height = float(tree[len(tree) - n_groups, 2]) if n_groups <= len(tree) else 0.0
        else:
            height = max(cut * highest, min(_ALIKE, cut)) if cut < 1.0 else float(tree[-1, 2])
            own = hierarchy.fcluster(tree, height, criterion="distance").astype(np.intp)
        labels[relevant] = _in_order(own)
    return FeatureGroups(names, labels, tree, tuple(names[k] for k in relevant), height)


def _tree(distance: Floats, strong: Mask, linkage: Linkage) -> tuple[Floats, float]:
    """The tree of the relevant features, and the height at which all replaceable ones have joined.

    What is irreplaceable stands in for nobody: it joins the others last, above that height.
    """
    weak = ~strong
    highest = 0.0
    if weak.sum() > 1:
        others = hierarchy.linkage(squareform(distance[np.ix_(weak, weak)], checks=False), linkage)
        highest = float(others[-1, 2])
    distance = distance.copy()
    distance[strong, :] = distance[:, strong] = _LAST * max(highest, _ALIKE)
    np.fill_diagonal(distance, 0.0)
    return hierarchy.linkage(squareform(distance, checks=False), linkage), highest


def _in_order(labels: Ints) -> Ints:
    """Groups numbered from 1 in the order in which their first members come."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse] + 1


def contexts(
    solver: ConstrainedSolver,
    relevant: Ints,
    drawn: Mask | None = None,
    progress: Progress | None = None,
) -> Floats:
    """How all intervals change when one feature is drawn to its smallest and to its largest.

    Shape (m, m, 4) for m features: which one is drawn, whose interval it is, and the change of
    its two ends in both cases. Zero for features not to be `drawn`, and for the drawn one itself.

    A feature is not pinned to its very end. There a single model is left in most directions (all
    budgets are spent on this one feature), every other interval collapses to a point, and contexts
    are about where that model happens to be. Half of the way the others keep room to move, and
    what moves is what stands in for the feature.
    """
    free = np.array([solver.ranges.weight_range(int(k)).relevance for k in relevant])
    norm = solver.baseline["norm"]
    found = np.zeros((len(relevant), len(relevant), 4))
    chosen = range(len(relevant)) if drawn is None else np.flatnonzero(drawn).tolist()
    progress = progress or Progress()
    progress.stage("contexts of features", len(chosen))
    for row in chosen:
        for case, boxes in enumerate(_drawn(solver, int(relevant[row]))):
            for column, other in enumerate(relevant.tolist()):
                if column == row:
                    continue
                bounds = [solver.ranges.relevance(other, branch) for branch in boxes]
                low, high = min(b[0] for b in bounds), max(b[1] for b in bounds)
                change = (low - free[column, 0], high - free[column, 1])
                found[row, column, 2 * case : 2 * case + 2] = np.array(change) / norm
        progress.advance()
    progress.finish()
    return found


def _drawn(solver: ConstrainedSolver, feature: int) -> tuple[list[Boxes], list[Boxes]]:
    """Boxes that draw a feature towards its smallest and towards its largest relevance."""
    found = solver.ranges.weight_range(feature)
    low, high = found.relevance
    near, far = high - _PULL * (high - low), low + _PULL * (high - low)
    where = np.array([feature], dtype=np.intp)
    small = [Boxes(where, np.array([-near]), np.array([near]))]
    large = []
    if found.high.value >= far:
        large.append(Boxes(where, np.array([far]), np.array([found.high.value])))
    if found.low.value <= -far:
        large.append(Boxes(where, np.array([found.low.value]), np.array([-far])))
    return small, large


def dissimilarities(contexts: Floats) -> Floats:
    """Euclidean distance of the contexts of each pair, over all features but the pair itself."""
    m = len(contexts)
    distance = np.zeros((m, m))
    for j in range(m):
        squares = ((contexts - contexts[j]) ** 2).sum(axis=2)
        squares[:, j] = 0.0
        squares[np.arange(m), np.arange(m)] = 0.0
        distance[j] = np.sqrt(squares.sum(axis=1))
    distance = (distance + distance.T) / 2.0
    distance[distance < _SAME] = 0.0
    return distance
