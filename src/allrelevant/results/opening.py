"""Views of an answer, found by name when they are opened: answers know none of them."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

_VIEWS = {
    "style": "allrelevant.results.styled:styled",
    "report": "allrelevant.views.report:render_report",
    "comparison": "allrelevant.views.report.comparison:render_comparison",
    "explorer": "allrelevant.views.explorer:explore",
    "forest page": "allrelevant.views.explorer.forest:render_forest_page",
}


def open_view(name: str, *args: Any, **kwargs: Any) -> Any:
    """Open a view; what it needs is imported now."""
    return resolve_name(_VIEWS[name])(*args, **kwargs)
