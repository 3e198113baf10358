"""How tables look in notebooks: HTML that follows their theme, and the colours of the classes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

# Okabe and Ito's palette, which people with any colour vision can tell apart.
CLASS_COLORS = {
    "strong": "#0072B2",
    "weak": "#E69F00",
    "irrelevant": "#999999",
    "forbidden": "#C0392B",
}


def notebook_table(
    above: Sequence[str],
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    below: Sequence[str],
) -> str:
    """Return lines of text, the first of them bold, a table of cells in HTML, and lines below.

    No colour but that of cells: text and lines follow the notebook's light or dark theme.
    """
    cell = "text-align:left;padding:2px 10px 2px 0;"
    heads = "".join(f'<th style="{cell}">{title}</th>' for title in titles)
    lines = ["".join(f'<td style="{cell}">{value}</td>' for value in row) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        '<div style="color:inherit;font-size:90%;line-height:1.4">'
        f"<div><b>{escape(above[0])}</b></div>"
        + "".join(f"<div>{escape(line)}</div>" for line in above[1:])
        + '<table style="border-collapse:collapse;margin:6px 0;color:inherit">'
        + f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
        + "".join(f"<div>{escape(line)}</div>" for line in below)
        + "</div>"
    )


def class_cell(word: str) -> str:
    """Return a class with a dot of its colour, in HTML."""
    return f'<span style="color:{CLASS_COLORS[word]}">&#9679;</span> {word}'
