"""A basis of a program that grows: where another solve can start from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from allrelevant.base.arrays import Ints
from allrelevant.linear.engine.simplex.highs import BASIC, LOWER, Basis, Codes, Columns, Ended

if TYPE_CHECKING:
    from allrelevant.linear.engine.simplex.reduced import ReducedProgram


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A basis, with what its columns and rows stand for; outlives changes of the program."""

    basis: Ended
    features: Ints
    plus_columns: Columns
    minus_columns: Columns
    offset_columns: Columns
    slack_columns: Columns
    piece_rows: Columns
    n_fixed_rows: int
    guest_column: int

    @classmethod
    def of(cls, reduced: ReducedProgram) -> Snapshot:
        """The present basis of a program."""
        return cls(
            basis=reduced.program.basis(),
            features=reduced.working_set.features.copy(),
            plus_columns=reduced.plus,
            minus_columns=reduced.minus,
            offset_columns=reduced.offset_columns,
            slack_columns=reduced.slack_columns,
            piece_rows=reduced.piece_rows,
            n_fixed_rows=len(reduced.budget_rows) + len(reduced.order_rows),
            guest_column=reduced.guest_column,
        )

    def in_terms_of(self, reduced: ReducedProgram) -> Basis:
        """The same basis for a program that has changed; its guest takes the place of another."""
        columns = np.full(reduced.program.n_columns, LOWER, dtype=np.int8)
        rows = np.full(reduced.program.n_rows, BASIC, dtype=np.int8)
        ended, n_pieces = self.basis, len(self.piece_rows)
        where = reduced.working_set.position[self.features]
        there = where >= 0
        columns[reduced.plus[where[there]]] = self.plus[there]
        columns[reduced.minus[where[there]]] = self.minus[there]
        columns[reduced.offset_columns] = ended.columns[self.offset_columns]
        columns[reduced.slack_columns[:n_pieces]] = ended.columns[self.slack_columns]
        rows[reduced.piece_rows[:n_pieces]] = ended.rows[self.piece_rows]
        rows[: self.n_fixed_rows] = ended.rows[: self.n_fixed_rows]
        if reduced.guest_column >= 0:
            columns[reduced.guest_column] = self.guest
        return Basis(columns, rows)

    @property
    def needed(self) -> Ints:
        """The features in the basis."""
        return self.features[(self.plus == BASIC) | (self.minus == BASIC)]

    @property
    def plus(self) -> Codes:
        """Codes of the weights' positive parts."""
        return self.basis.columns[self.plus_columns]

    @property
    def minus(self) -> Codes:
        """Codes of the weights' negative parts."""
        return self.basis.columns[self.minus_columns]

    @property
    def guest(self) -> int:
        """The code of the guest's column."""
        return LOWER if self.guest_column < 0 else int(self.basis.columns[self.guest_column])
