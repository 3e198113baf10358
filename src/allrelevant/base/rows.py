"""Equal rows found."""

from __future__ import annotations

import sys

import numpy as np

from allrelevant.base.arrays import Floats, Ints

_TELLING = 3  # columns, one of which is most often the target


def distinct_rows(*blocks: Floats | Ints) -> tuple[Ints, Ints]:
    """The first of each kind of equal rows, and for every row the kind it is of.

    Rows are equal where they are in all blocks. The order of the kinds is that of their bytes: it
    depends on the data alone.
    """
    order = _order_by_bytes(blocks)
    if order is not None:
        kind = np.empty(len(order), dtype=np.intp)
        kind[order] = np.arange(len(order))
        return order, kind
    rows = np.ascontiguousarray(np.column_stack(blocks) + 0.0)  # + 0.0: no negative zeros
    items = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, kind = np.unique(items, return_index=True, return_inverse=True)
    return first, kind.ravel()


def _order_by_bytes(blocks: tuple[Floats | Ints, ...]) -> Ints | None:
    """Rows in the order of their bytes where the first columns tell all of them apart; else None.

    Bytes are compared from the first one on: as the numbers that they are when read in that order.
    So a table that is tall and has no equal rows is not copied.
    """
    columns = [one for block in blocks for one in block.reshape(len(block), -1).T[:_TELLING]]
    as_read = [(one + 0.0).view(np.uint64).byteswap() for one in columns[:_TELLING]]
    if sys.byteorder == "big":
        as_read = [one.byteswap() for one in as_read]
    order = np.lexsort(as_read[::-1])
    tied = np.ones(max(len(order) - 1, 0), dtype=bool)
    for one in as_read:
        tied &= one[order[1:]] == one[order[:-1]]
    return None if tied.any() else order
