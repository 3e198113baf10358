"""From a file to what an estimator takes: reading, the kind of target, columns as numbers."""

from typing import TYPE_CHECKING

from allrelevant.base.lazy import lazily

# As in the package itself: pandas is imported when there is a table to read.
if TYPE_CHECKING:
    from allrelevant.tabular.columns import Prepared, prepare, row_names
    from allrelevant.tabular.errors import TableError
    from allrelevant.tabular.read import read_table
    from allrelevant.tabular.row_groups import RowGroups
    from allrelevant.tabular.target import Target, understand_target
else:
    _HOMES = {
        "allrelevant.tabular.columns": "Prepared prepare row_names",
        "allrelevant.tabular.errors": "TableError",
        "allrelevant.tabular.read": "read_table",
        "allrelevant.tabular.row_groups": "RowGroups",
        "allrelevant.tabular.target": "Target understand_target",
    }
    __getattr__, __dir__ = lazily(__name__, _HOMES)

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
