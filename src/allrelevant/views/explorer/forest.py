"""The page of a forest: one file with what was found, to sort, sift and look into."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from allrelevant.views.explorer.answers import finite
from allrelevant.views.explorer.features import scores_in_words
from allrelevant.views.report.environment import template_named
from allrelevant.views.report.shapes import shape_pictures


def render_forest_page(
    result: Any,
    *,
    shapes: Sequence[Any] = (),
    title: str | None = None,
    target: str | None = None,
) -> str:
    """The page as HTML; the parameters are those of `ForestRelevanceResult.page`."""
    title = title or f"Which features matter for {target or 'the target'}?"
    places = {name: j for j, name in enumerate(result.names)}
    pictures = [(places[one.name], one) for one in shape_pictures(shapes, None)]
    static = files("allrelevant.views.explorer") / "static"
    return template_named("forest_page.html").render(
        title=title,
        # Taken as they are; in the data no bracket is left that could end a script.
        style=(static / "explorer.css").read_text(encoding="utf-8"),
        script=(static / "forest.js").read_text(encoding="utf-8"),
        found=json.dumps(_found(result, title), allow_nan=False).replace("<", "\\u003c"),
        pictures=pictures,
        outcome=shapes[0].outcomes[0] if shapes and shapes[0].outcomes else "",
    )


def _found(result: Any, title: str) -> dict[str, Any]:
    """All that the script shows, as plain values."""
    d = result.n_features
    unknown = np.full((d, 2), np.nan)
    losses = result.losses if len(result.losses) else unknown
    columns = {
        "min": result.intervals[:, 0],
        "max": result.intervals[:, 1],
        "noise": result.upper_thresholds,
        "noise_at": result.drawn_thresholds,
        "importance": result.importances,
        "p_strong": result.p_values[:, 0],
        "p": result.p_values[:, 1],
        "predictability": result.predictability,
        "lost": losses[:, 0],
        "lost_limit": losses[:, 1],
    }
    either = result.could_be_either.tolist()
    words = zip(result.names, result.class_names, either, strict=True)
    features = [
        {"name": name, "class": kind, "borderline": open_}
        | {key: finite(float(values[j])) for key, values in columns.items()}
        for j, (name, kind, open_) in enumerate(words)
    ]
    groups = [
        {"features": list(group.features), "importance": finite(group.importance)}
        for group in result.groups
    ]
    return {
        "title": title,
        "quality": scores_in_words(result),
        "order": result.order.tolist(),
        "features": features,
        "groups": groups,
    }
