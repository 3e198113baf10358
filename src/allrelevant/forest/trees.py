"""What boosted trees would have said had a column had other values.

Few trees use a given column, and few samples take another way in them, so it pays to follow only
those that do. The trees are read from LightGBM's text format.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from allrelevant.base.arrays import Floats, Ints, Mask

_CATEGORICAL, _DEFAULT_LEFT, _NAN_IS_MISSING = 1, 2, 8  # bits of a node's decision type
_FIELDS = ("split_feature", "threshold", "left_child", "right_child", "decision_type", "leaf_value")


@dataclass(frozen=True, eq=False)
class Trees:
    """Nodes of all trees, padded to the largest."""

    # (n_trees, n_nodes): a child ``c`` is a node if ``c >= 0``, else the leaf ``-c - 1``.
    # Children follow parents. Features of nodes that do not exist are -1.
    feature: Ints
    threshold: Floats  # (n_trees, n_nodes): values up to it go left
    left: Ints
    right: Ints
    missing_left: Mask  # (n_trees, n_nodes): whether missing values go left
    value: Floats  # (n_trees, n_leaves)
    n_outputs: int  # trees belong to the outputs in turn

    @classmethod
    def of(cls, booster: object, n_outputs: int) -> Trees | None:
        """Read a booster; None if it splits on categories."""
        text = booster.model_to_string()  # type: ignore[attr-defined]
        blocks = [_fields(block) for block in text.split("\nTree=")[1:]]
        n_nodes = max(1, *(len(block.get("split_feature", ())) for block in blocks))
        T = len(blocks)
        feature = np.full((T, n_nodes), -1)
        threshold, left, right = np.zeros((T, n_nodes)), feature.copy(), feature.copy()
        missing = np.zeros((T, n_nodes), dtype=bool)
        value = np.zeros((T, n_nodes + 1))
        for t, block in enumerate(blocks):
            value[t, : len(block["leaf_value"])] = block["leaf_value"]
            k = len(block.get("split_feature", ()))
            if not k:
                continue  # a tree of one leaf: its only "node" leads there either way
            bits = block["decision_type"].astype(int)
            if (bits & _CATEGORICAL).any():
                return None
            feature[t, :k] = block["split_feature"]
            threshold[t, :k] = block["threshold"]
            left[t, :k], right[t, :k] = block["left_child"], block["right_child"]
            learned = (bits & _NAN_IS_MISSING) > 0  # else a missing value counts as 0
            missing[t, :k] = np.where(learned, bits & _DEFAULT_LEFT, threshold[t, :k] >= 0)
        return cls(feature, threshold, left, right, missing, value, n_outputs)

    def changes(self, X: Floats, other: Floats) -> Floats:
        """Change of the score when one column at a time is taken from `other`.

        Returns
        -------
        array of shape (n_features, n_samples), or (n_features, n_samples, n_outputs)
        """
        n, d = X.shape
        goes_left, would_go_left = self._decisions(X), self._decisions(other)
        reached, leaf = self._walk(goes_left)
        turns = reached & (goes_left != would_go_left) & (self.feature >= 0)[:, :, None]
        self._first_only(turns)
        tree, node, row = np.nonzero(turns)
        column = self.feature[tree, node]
        old = leaf[tree, row]
        left = would_go_left[tree, node, row]
        end = np.empty(len(tree), dtype=int)
        at = np.where(left, self.left[tree, node], self.right[tree, node])
        moving = np.arange(len(tree))
        while len(moving):
            arrived = at < 0
            end[moving[arrived]] = -at[arrived] - 1
            moving, at = moving[~arrived], at[~arrived]
            t, r = tree[moving], row[moving]
            same = self.feature[t, at] == column[moving]
            left = np.where(same, would_go_left[t, at, r], goes_left[t, at, r])
            at = np.where(left, self.left[t, at], self.right[t, at])
        change = self.value[tree, end] - self.value[tree, old]
        place = (column * n + row) * self.n_outputs + tree % self.n_outputs
        total: Floats = np.bincount(place, change, d * n * self.n_outputs).astype(float)
        return total.reshape((d, n, self.n_outputs) if self.n_outputs > 1 else (d, n))

    def _decisions(self, X: Floats) -> Mask:
        """Whether each row goes left at each node; shape (n_trees, n_nodes, n_samples)."""
        values = np.ascontiguousarray(X.T)[self.feature]
        result = values <= self.threshold[:, :, None]
        missing = np.isnan(values)
        if missing.any():
            result = np.where(missing, self.missing_left[:, :, None], result)
        return result

    def _walk(self, goes_left: Mask) -> tuple[Mask, Ints]:
        """Which rows come by each node, and the leaf where they end."""
        n_trees, n_nodes, n = goes_left.shape
        reached = np.zeros(goes_left.shape, dtype=bool)
        reached[:, 0] = True
        leaf = np.zeros((n_trees, n), dtype=int)
        for node in range(n_nodes):
            for child, taken in ((self.left, goes_left), (self.right, ~goes_left)):
                comes = reached[:, node] & taken[:, node]
                target = child[:, node]
                inner = (target >= 0) & (self.feature[:, node] >= 0)
                reached[inner, target[inner]] = comes[inner]
                tree, row = np.nonzero(comes & ~inner[:, None])
                leaf[tree, row] = -target[tree] - 1
        return reached, leaf

    def _first_only(self, turns: Mask) -> None:
        """Forget turns of rows that have left their way at an earlier node of the same column."""
        n_nodes = self.feature.shape[1]
        above = np.zeros((len(self.feature), n_nodes, n_nodes), dtype=bool)
        trees = np.arange(len(self.feature))
        for node in range(n_nodes):
            for child in (self.left, self.right):
                target = child[:, node]
                inner = (target >= 0) & (self.feature[:, node] >= 0)
                above[trees[inner], target[inner]] = above[inner, node]
                above[trees[inner], target[inner], node] = True
        same = self.feature[:, :, None] == self.feature[:, None, :]
        kept = turns.copy()
        for tree, node, earlier in zip(*np.nonzero(above & same), strict=True):
            turns[tree, node] &= ~kept[tree, earlier]


def _fields(block: str) -> dict[str, Floats]:
    """The numbers of a tree, by name."""
    result = {}
    for line in block.split("\n"):
        name, _, numbers = line.partition("=")
        if name in _FIELDS and numbers:
            result[name] = np.array(numbers.split(), dtype=float)
        if name == "shrinkage":
            break
    return result
