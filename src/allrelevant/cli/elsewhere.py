"""``allrelevant fit`` of Parquet files that are read block by block, here or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click
import pandas as pd

from allrelevant.cli.options import Request, say, say_target
from allrelevant.data.parquet import ParquetRows, open_parquet
from allrelevant.tabular.errors import TableError
from allrelevant.tabular.target import Target, understand_target

# Options that speak of tables in memory.
_IN_MEMORY = (
    *("event", "groups", "privileged", "categorical", "numeric", "by_column", "impute", "dates"),
    *("basis", "replace_probes", "baseline", "as_in"),
)
_SECONDS = 10  # that a scheduler has to answer


@dataclass(frozen=True, eq=False)
class RowsElsewhere:
    """Rows as a fit takes them, with what commands tell of a table."""

    X: ParquetRows
    target: Target
    notes: tuple[str, ...] = ()
    row_groups: None = None

    @property
    def features(self) -> dict[str, list[str]]:
        """The columns of each feature."""
        return {name: [name] for name in self.X.names}

    @property
    def facts(self) -> dict[str, object]:
        """Numbers about the rows."""
        return {"rows": len(self.X), "columns": self.X.n_columns}

    def known(self, feature: str, option: str) -> list[str]:
        """What an option names."""
        if feature not in self.X.names:
            raise TableError(f"{option}: there is no feature called {feature!r}")
        return [feature]

    def fit(self, request: Request, estimator: Any) -> Any:
        """Fit an estimator, and say how often the rows were read."""
        fitted = estimator.fit(self.X, self.X.target)
        say(request, f"{self.X.n_passes} passes over {len(self.X)} rows")
        return fitted


def prepared_elsewhere(request: Request, dask: str | None, others: Sequence[str]) -> RowsElsewhere:
    """Open the files, and say what the target was taken for; `others` are options beside."""
    if not request.target:
        raise click.MissingParameter(param_hint="'--target' / '-t'", param_type="option")
    given = [f"--{name.replace('_', '-')}" for name in _IN_MEMORY if name in request.given]
    for option in (*given, *others):
        raise TableError(
            f"{option} is for a table in memory, and {request.data} is read block by block: "
            "leave it out, or give one file"
        )
    click.get_current_context().with_resource(_cluster(request, dask))
    on_dask = dask is not None
    rows, _ = open_parquet(request.data, request.target, drop=request.drop, on_dask=on_dask)
    say(request, f"{len(rows)} rows in {len(rows.sizes)} row groups, {rows.n_columns} columns")
    column = pd.Series(rows.some_targets(), name=request.target)
    target = understand_target(column, request.task, request.order or None)
    say_target(request, target, guessed=target.guessed)
    return RowsElsewhere(rows, target)


@contextmanager
def _cluster(request: Request, address: str | None) -> Iterator[None]:
    """The cluster at an address; one of this machine's processors where that is "local"."""
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise TableError('--dask needs more packages: pip install "allrelevant[dask]"') from None
    try:
        if address == "local":
            client = Client(dashboard_address=":0")  # any port that is free
        else:
            client = Client(address, timeout=_SECONDS)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise TableError(f"--dask: no scheduler answers at {address}: {reason}") from None
    with client:
        say(request, f"dask: {client}")
        yield
