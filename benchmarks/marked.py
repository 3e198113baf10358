"""The part of a page that a benchmark writes, between two marks."""

from __future__ import annotations

from pathlib import Path

RESULTS = Path(__file__).parent.parent / "docs" / "results"


def write_between(page: str, mark: str, text: str) -> None:
    """Put text into its place in a page of the results: after a mark, before the end of that."""
    path, begin, end = RESULTS / page, f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    before, found, rest = path.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"docs/results/{page} has no place marked {mark!r}")
    path.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def table_between(page: str, mark: str) -> list[list[str]]:
    """Cells of the table that a benchmark wrote there, its heads first, without bold type."""
    text = (RESULTS / page).read_text(encoding="utf-8")
    part = text.partition(f"<!-- {mark} -->")[2].partition(f"<!-- end of {mark} -->")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("*") for cell in row] for k, row in enumerate(rows) if k != 1]
