"""From a file to what an estimator takes: reading, the kind of target, columns as numbers."""

from allrelevant.tabular.columns import Prepared, prepare, row_names
from allrelevant.tabular.read import TableError, read_table
from allrelevant.tabular.row_groups import RowGroups
from allrelevant.tabular.target import Target, understand_target

__all__ = [
    "Prepared",
    "RowGroups",
    "TableError",
    "Target",
    "prepare",
    "read_table",
    "row_names",
    "understand_target",
]
