"""The tables of `benchmarks.scale`, and how they are fitted."""

from __future__ import annotations

from typing import NamedTuple

C_TIMES_ROWS = 307.0  # about what is chosen for the tall classes
FOLDS_AND_PROBES = 91  # programs of the published code beside three for each feature


class Case(NamedTuple):
    """A table, and how it is fitted: with defaults or as `how` says."""

    what: str
    rows: int
    columns: int
    how: str = ""  # "C given", "tolerance 0.001", "Parquet" or "the published way"

    @property
    def key(self) -> str:
        """What it is called."""
        return f"{self.what} {self.rows:,} × {self.columns:,}{self.how and ', '}{self.how}"


TALL = [Case("classes", n, 50) for n in (10**3, 10**4, 10**5, 10**6)]
GIVEN = [Case("classes", n, 50, "C given") for n in (10**4, 10**5, 10**6)]
NARROW = [Case("classes", n, 50, "tolerance 0.001") for n in (10**3, 10**4, 10**5)]
PARQUET = [Case("classes", n, 50, "Parquet") for n in (10**5, 10**6, 10**7)]
NUMBERS = [Case("numbers", n, 50) for n in (10**3, 10**4, 10**5)]
COLUMNS = [Case("classes", 10**4, d) for d in (15, 200)]
WIDE = [Case("wide", 200, d) for d in (1000, 2000, 5000, 20_000, 40_000)]
OMICS = [Case("wide", 150, 37_000)]
WIDE_NARROW = [Case("wide", 200, d, "tolerance 0.001") for d in (1000, 2000)]
TEXTS = [Case("text", 300, d) for d in (3000, 20_000)]
PUBLISHED = [Case("classes", n, 50, "the published way") for n in (10**3, 10**4)]
PUBLISHED += [Case("wide", 200, 1000, "the published way")]
CASES = [*TALL, *GIVEN, *NARROW, *NUMBERS, *COLUMNS, *WIDE, *OMICS, *WIDE_NARROW, *TEXTS]
CASES += [*PUBLISHED, *PARQUET]
