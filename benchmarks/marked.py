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
