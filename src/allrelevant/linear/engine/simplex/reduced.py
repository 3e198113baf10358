"""The working set as a linear program for the simplex method."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from allrelevant.base.arrays import Floats, Ints
from allrelevant.linear.engine.program.direction import Direction
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Boxes, Budget, largest_weights
from allrelevant.linear.engine.program.optimum import Candidate, Multipliers
from allrelevant.linear.engine.program.working_set import WorkingSet
from allrelevant.linear.engine.simplex.highs import INFINITY, Basis, Columns, GrowingProgram, Method
from allrelevant.linear.engine.simplex.snapshot import Snapshot


class ReducedProgram:
    """Columns: offsets, a pair (w⁺, w⁻) per resident feature, a slack per undecided piece, a guest.

    Rows: the budgets, the order of the offsets, one per undecided piece. The cost can be
    ``price·|w| + loss·loss`` (for a baseline) or any linear function of the model.

    Parameters
    ----------
    prices : array of shape (n_budgets, n_columns)
        What a unit of each weight costs in each budget.
    budgets : tuple of Budget
    largest_offset : float
        Bound on the offsets' absolute values.
    largest_free : float
        Bound on the absolute values of weights that cost nothing in any budget.
    """

    def __init__(
        self,
        working_set: WorkingSet,
        prices: Floats,
        budgets: tuple[Budget, ...],
        largest_offset: float,
        *,
        largest_free: float = 0.0,
    ) -> None:
        self.working_set = working_set
        self._prices = prices
        self._losses = np.array([budget.loss for budget in budgets])
        limits = np.array([budget.limit for budget in budgets])
        self._largest = largest_weights(prices, budgets, largest_free)
        self.program = GrowingProgram()
        n_offsets, none = working_set.n_offsets, np.zeros(0, dtype=np.int32)
        self.offset_columns = self.program.add_columns(
            np.zeros(n_offsets), -largest_offset, largest_offset, none, np.zeros((n_offsets, 0))
        )
        self.budget_rows = self.program.add_rows(
            -INFINITY,
            limits - self._losses * working_set.constant,
            self.offset_columns,
            -np.outer(self._losses, working_set.offset_slope),
        )
        self.order_rows = self._add_order_rows(working_set.pieces.n_ordered)
        self._rows_of_weights = self.budget_rows
        self.piece_rows = self.slack_columns = self.plus = self.minus = none
        self.guest_column = -1
        self._restored: tuple[Snapshot, tuple[int, int, int], Basis] | None = None
        self._guest: Floats | None = None
        self._guest_sign = 1.0
        self._aside: int | None = None
        self._has_cost = none
        self._unit_cost, self._loss_cost = np.zeros(prices.shape[1]), 0.0
        self._is_penalised = False
        self.follow()

    def _add_order_rows(self, n_offsets: int) -> Columns:
        pairs = np.column_stack([np.arange(n_offsets - 1), np.arange(1, n_offsets)])
        entries = np.tile([1.0, -1.0], (n_offsets - 1, 1))
        return self.program.add_rows(-INFINITY, 0.0, pairs.astype(np.int32), entries)

    # Growing

    def follow(self) -> None:
        """Take up features and pieces that the working set has gained."""
        n_features, n_pieces = len(self.plus), len(self.piece_rows)
        if len(self.working_set.features) > n_features:
            self._add_features(n_features, n_pieces)
        if len(self.working_set.undecided) > n_pieces:
            self._add_pieces(n_pieces)

    def _add_features(self, start: int, n_pieces: int) -> None:
        features = self.working_set.features[start:]
        slopes = self.working_set.feature_slope[features]
        entries = self.working_set.entries[:n_pieces, start:].T
        for sign, name in ((1.0, "plus"), (-1.0, "minus")):
            columns = self._add_weights(sign, slopes, entries, features)
            setattr(self, name, np.append(getattr(self, name), columns))

    def _add_weights(self, sign: float, slopes: Floats, entries: Floats, features: Ints) -> Columns:
        """Columns of weights with one sign; one line of `entries` per column."""
        budgets = self._prices[:, features].T - sign * np.outer(slopes, self._losses)
        return self.program.add_columns(
            self._unit_cost[features] - sign * self._loss_cost * slopes,
            0.0,
            self._largest[features],
            self._rows_of_weights,
            np.concatenate([budgets, sign * entries], axis=1),
        )

    def _add_pieces(self, start: int) -> None:
        working_set, k = self.working_set, len(self.working_set.undecided) - start
        entries = working_set.entries[start:]
        columns = [
            working_set.offsets[start:, None].astype(np.int32),
            np.broadcast_to(np.append(self.plus, self.minus), (k, 2 * len(self.plus))),
        ]
        blocks = [working_set.offset_factors[start:, None], entries, -entries]
        second = working_set.second_offsets
        if second is not None:
            columns.append(second[0][start:, None].astype(np.int32))
            blocks.append(second[1][start:, None])
        if self._guest is not None:
            columns.append(np.full((k, 1), self.guest_column, dtype=np.int32))
            blocks.append(self._guest_sign * working_set.column(self._guest)[start:, None])
        rows = self.program.add_rows(
            working_set.target[start:], INFINITY, np.hstack(columns), np.hstack(blocks)
        )
        self.piece_rows = np.append(self.piece_rows, rows)
        self._rows_of_weights = np.append(self.budget_rows, self.piece_rows)
        cost = working_set.cost[start:]
        priced = self._losses != 0
        budgets = np.broadcast_to(self.budget_rows[priced], (k, int(priced.sum())))
        slack = self.program.add_columns(
            self._loss_cost * cost,
            0.0,
            np.where(working_set.is_hard[start:], 0.0, INFINITY),
            np.column_stack([budgets, rows]),
            np.column_stack([np.outer(cost, self._losses[priced]), np.ones(k)]),
        )
        self.slack_columns = np.append(self.slack_columns, slack)

    def invite(
        self, guest: Floats, factor: float, like: int = 0, instead_of: int | None = None
    ) -> None:
        """Add a column for the time being, with this factor in the objective.

        It costs what the column `like` does. Its weight has the factor's sign: nobody asks for
        less than nothing of a guest. It may take the place of a feature that is resident.
        """
        self._clear_costs()
        self._aside = instead_of
        self._limit_aside(0.0)
        sign = 1.0 if factor >= 0 else -1.0
        self._guest, self._guest_sign = guest, sign
        budgets = self._prices[:, like] - sign * self.working_set.slope(guest) * self._losses
        entries = np.concatenate([budgets, sign * self.working_set.column(guest)])
        self.guest_column = self.program.add_column(
            -abs(factor), float(self._largest[like]), self._rows_of_weights, entries
        )

    def _limit_aside(self, most: float) -> None:
        """Bound the weight of the feature in whose place the guest is, where that is resident."""
        where = -1 if self._aside is None else int(self.working_set.position[self._aside])
        if where >= 0:
            self.program.set_bounds((self.plus[where], self.minus[where]), 0.0, most)

    def dismiss(self, n_kept: int) -> None:
        """Remove the guest and all features but the first `n_kept`."""
        self._clear_costs()
        self._limit_aside(INFINITY if self._aside is None else float(self._largest[self._aside]))
        gone = np.array([self.guest_column], dtype=np.int32)
        if len(self.plus) > n_kept:
            gone = np.sort(np.concatenate([gone, self.plus[n_kept:], self.minus[n_kept:]]))
            self.plus, self.minus = self.plus[:n_kept], self.minus[:n_kept]
        self.program.delete_columns(gone)
        if gone[0] < self.program.n_columns:
            for name in ("plus", "minus", "slack_columns"):
                columns = getattr(self, name)
                setattr(self, name, columns - np.searchsorted(gone, columns).astype(np.int32))
        self.guest_column, self._guest = -1, None

    def set_limits(
        self, limits: ArrayLike, largest_offset: float, largest_free: float = 0.0
    ) -> None:
        """Change the budgets' limits and the bounds on offsets and on weights in no norm."""
        constants = self._losses * self.working_set.constant
        uppers = np.asarray(limits) - constants
        self.program.set_row_bounds(self.budget_rows, np.full(len(uppers), -INFINITY), uppers)
        self.program.set_bounds(self.offset_columns, -largest_offset, largest_offset)
        is_free = (self._prices == 0).all(axis=0)
        if (self._largest[is_free] != largest_free).any():
            self._largest[is_free] = largest_free
            free = is_free[self.working_set.features[: len(self.plus)]]
            columns = np.append(self.plus[free], self.minus[free])
            self.program.set_bounds(columns, 0.0, largest_free)

    def set_boxes(self, boxes: Boxes | None) -> None:
        """Keep the weights of some features, which are resident, within boxes."""
        if boxes is None:
            return
        for feature, low, high in zip(boxes.features, boxes.low, boxes.high, strict=True):
            where = self.working_set.position[feature]
            largest = float(self._largest[feature])
            for column, least, most in (
                (self.plus[where], max(low, 0.0), high),
                (self.minus[where], max(-high, 0.0), -low),
            ):
                # A box beyond all bounds is still a box: widened budgets can reach it.
                self.program.set_bounds([int(column)], least, max(min(most, largest), least))

    # Objectives

    def minimise_objective(self, by_weight: Floats, loss: float) -> None:
        """Make ``by_weight·|w| + loss·loss`` the cost."""
        self._unit_cost, self._loss_cost = by_weight, loss
        self._is_penalised = True
        working_set = self.working_set
        prices = by_weight[working_set.features]
        slopes = loss * working_set.feature_slope[working_set.features]
        columns = [self.plus, self.minus, self.offset_columns, self.slack_columns]
        costs = [prices - slopes, prices + slopes, -loss * working_set.offset_slope]
        costs.append(loss * working_set.cost)
        self._has_cost = np.concatenate(columns)
        self.program.set_costs(self._has_cost, np.concatenate(costs))

    def maximise_direction(
        self,
        features: Ints,
        factors: Floats,
        offsets: Floats | None = None,
        penalties: Floats | float = 0.0,
    ) -> None:
        """Make a function of resident weights, their sizes and offsets the objective."""
        columns, costs = [], []
        if len(features):
            where = self.working_set.position[features]
            columns += [self.plus[where], self.minus[where]]
            costs += [penalties - factors, penalties + factors]
        if offsets is not None:
            columns.append(self.offset_columns)
            costs.append(-offsets)
        if not columns:
            self._clear_costs()
            return
        joined = np.concatenate(columns)
        if self._is_penalised or not np.array_equal(joined, self._has_cost):
            self._clear_costs()  # else all old costs are replaced by new ones
        self._has_cost = joined
        self.program.set_costs(joined, np.concatenate(costs))

    def _clear_costs(self) -> None:
        if self._is_penalised:  # then columns added since have a cost too
            self._has_cost = np.arange(self.program.n_columns, dtype=np.int32)
            self._unit_cost, self._loss_cost = np.zeros(len(self._unit_cost)), 0.0
            self._is_penalised = False
        if len(self._has_cost):
            self.program.set_costs(self._has_cost, np.zeros(len(self._has_cost)))
            self._has_cost = self._has_cost[:0]

    # Bases

    def restore(self, snapshot: Snapshot) -> None:
        """Start from an earlier basis; the present guest takes the place of the one it had."""
        size = (self.program.n_columns, self.program.n_rows, len(self.plus))
        if self._restored is None or self._restored[:2] != (snapshot, size):
            self._restored = (snapshot, size, snapshot.in_terms_of(self))
        self.program.set_basis(self._restored[2])

    # Answers

    def solve(self, method: Method, *, cold: bool = False) -> bool:
        """Optimise from the present basis (or from none) and say whether an optimum was found."""
        return self.program.solve(method, cold=cold)

    def candidate(
        self,
        models: EquivalentModels,
        direction: Direction,
        excluded: int | Ints | None = None,
        scale: float = 1.0,
    ) -> Candidate:
        """What the present solution proposes for a direction; its costs were times `scale`."""
        values, duals = self.program.solution()
        duals = duals / scale
        n_budgets = len(self.budget_rows)
        n_fixed = n_budgets + len(self.order_rows)
        weights = np.zeros(len(self.working_set.position))
        weights[self.working_set.features] = values[self.plus] - values[self.minus]
        guest = 0.0 if self._guest is None else self._guest_sign * values[self.guest_column]
        return Candidate(
            models,
            self.working_set,
            direction,
            weights,
            values[self.offset_columns],
            float(guest),
            Multipliers(  # a cost is minimised, so that budgets' are negative
                pieces=np.maximum(duals[n_fixed:], 0.0),
                budgets=np.maximum(-duals[:n_budgets], 0.0),
                order=np.maximum(-duals[n_budgets:n_fixed], 0.0),
            ),
            excluded,
        )
