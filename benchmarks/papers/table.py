"""What a table of a paper is: its rows, what is printed there, and how to measure the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Numbers = dict[str, float]
Measure = Callable[[str, str, int], Numbers | None]  # of a row, a variant and a seed
Cells = list[list[str]]  # the first row has the heads

PRESET, DEFAULT = "preset", "default"
RUN = "run"  # what the paper compares with, run here


@dataclass(frozen=True)
class Table:
    """One table of a paper.

    Parameters
    ----------
    key : str
        The name of its CSV file.
    title : str
    text : str
        What was measured, and how that differs from the paper's way.
    names : tuple of str
        What the numbers are called.
    printed : mapping from row to numbers
        As the paper has them; a number that is not legible there is left out.
    measure : callable
        Gives the numbers of a row for a variant and a seed; None where there is nothing to measure.
    published : mapping from row to numbers
        By the published code, where it was run.
    variants : tuple of str
    seeds : int
        How many the page has.
    verdict : str
        Where the columns differ, and why, if that is known.
    digits : int
        Behind the point.
    """

    key: str
    title: str
    text: str
    names: tuple[str, ...]
    printed: Mapping[str, Numbers]
    measure: Measure
    published: Mapping[str, Numbers] = field(default_factory=dict)
    variants: tuple[str, ...] = (PRESET, DEFAULT)
    seeds: int = 5
    verdict: str = ""
    digits: int = 2

    @property
    def measure_key(self) -> str:
        """What measures it: tables that share this share their measurements."""
        measure = self.measure
        name = getattr(measure, "__name__", type(measure).__name__)
        more = sorted(vars(measure).items()) if not hasattr(measure, "__name__") else []
        return " ".join([name, *(str(value) for _, value in more)])


@dataclass(frozen=True)
class Derived:
    """A table that follows from others: `make` gets the cells of all tables before it, by key."""

    key: str
    title: str
    text: str
    make: Callable[[Mapping[str, Cells]], Cells]
    verdict: str = ""


def columns(names: tuple[str, ...], rows: Mapping[str, tuple[float, ...]]) -> dict[str, Numbers]:
    """Rows of numbers under their names."""
    return {row: dict(zip(names, numbers, strict=True)) for row, numbers in rows.items()}
