"""Fill the template of the report and write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np

from allrelevant.base.target_kinds import estimator_class_for
from allrelevant.results.marks import needed_noise_lines
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import (
    STRONG,
    common_threshold,
    noise_label,
    own_noise,
)
from allrelevant.views.report import words
from allrelevant.views.report.bands import tolerance_bands
from allrelevant.views.report.environment import template_named
from allrelevant.views.report.facts import baseline_facts, readable, readable_number
from allrelevant.views.report.forest_methods import forest_methods, forest_references
from allrelevant.views.report.methods import equally_good, methods_text, references
from allrelevant.views.report.people import prediction_facts
from allrelevant.views.report.pictures import bar_chart, group_tree
from allrelevant.views.report.shapes import curve_pictures, shape_pictures
from allrelevant.views.report.stability import stability_section
from allrelevant.views.report.table import (
    instead_of,
    members_of_groups,
    n_listed,
    named_references,
    table_rows,
    tiles,
)


def render_report(
    result: RelevanceResult,
    *,
    title: str | None = None,
    target: str | None = None,
    positive: object = None,
    data: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
    groups: Any = None,
    substitutes: Mapping[str, Sequence[str] | None] | None = None,
    sets: Sequence[Sequence[str]] = (),
    predictions: Any = None,
    rows: Sequence[Any] | None = None,
    witnesses: Mapping[str, Any] | None = None,
    needed: Mapping[str, float] | None = None,
    tolerance_path: Any = None,
    shapes: Any = None,
    curves: Any = None,
    stability: Any = None,
    command: str | None = None,
    day: date | None = None,
) -> str:
    """Return the report as HTML; the parameters are those of `RelevanceResult.report`."""
    has_signs = isinstance(result, RelevanceResult)  # forests have no weights
    n_rows = (data or {}).get("rows")
    n_rows = n_rows if isinstance(n_rows, int) else None
    table = table_rows(result)
    about = target or "the target"
    if needed is None and has_signs:
        needed = dict(zip(result.names, result.needed_up_to.tolist(), strict=False))
    prices = {name: _tolerance(value) for name, value in (needed or {}).items()}
    bands = tolerance_bands(result, tolerance_path, needed) if has_signs else []
    relevant = len(result.strong) + len(result.weak)
    return template_named("template.html").render(
        title=title or f"Which features matter for {about}?",
        question=words.question(result, target),
        positive=positive,
        constraints=words.constraint_lines(getattr(result, "constraints", None)),
        verdict=words.verdict(result, n_rows),
        steps=words.next_steps(result, n_rows),
        quality=words.quality(result, n_rows),
        equally_good=equally_good(witnesses),
        methods=methods_text(result) if has_signs else forest_methods(result),
        references=references(result) if has_signs else forest_references(result),
        warnings=words.plain_warnings(result, n_rows),
        notes=[words.sentence(note) for note in notes],
        counts=tiles(result),
        data=readable(data or {}),
        chart=bar_chart(result, needed=prices),
        bands=bands,
        shapes=shape_pictures(shapes),
        curves=curve_pictures(curves),
        added_to=_added_to(result),
        basis=result.settings.get("basis") if has_signs else None,
        outcome=shapes[0].outcomes[0] if shapes and shapes[0].outcomes else "",
        bands_rest=f"{relevant - len(bands)} more features are relevant."
        if bands and relevant > len(bands)
        else "",
        signed=bar_chart(result, signed=True) if has_signs else None,
        by_class=words.has_weights_by_class(result),
        privileged=None if result.privileged is None else bar_chart(result.privileged),
        privileged_references=named_references(result.privileged),
        tree=None if groups is None else group_tree(result, groups),
        groups=members_of_groups(result, groups),
        unsure=", ".join(getattr(groups, "unsure", ())),
        substitutes=instead_of(result, substitutes or {}),
        n_weak=len(result.weak),
        sets=[list(names) for names in sets],
        predictions=prediction_facts(predictions, rows),
        stability=stability_section(stability, result.names),
        rows=table[: n_listed(result)],
        unlisted=[row["name"] for row in table[n_listed(result) :] if row["kind"] == "irrelevant"],
        compared=getattr(result, "before", None) is not None,
        baseline=baseline_facts(result),
        settings={key: words.plain_setting(value) for key, value in result.settings.items()},
        versions=dict(result.versions),
        work=readable(result.work),
        thresholds=[readable_number(value) for value in result.thresholds],
        lower=bool(result.thresholds[0] > 0),
        strong=STRONG,
        noise=noise_label(result),
        spread=_spread(result),
        marked=bool(result.relevant_by_conditional.any()),
        two_tests=bool(result.baseline.get("second_test")),
        noise_too=needed_noise_lines(result),
        explained=[result.names[j] for j in result.order if result.relevant_by_conditional[j]],
        needed=prices,
        tolerance=_known(result, "tolerance_norm", "{:.3g}"),
        sure=has_signs and len(result.p_values) > 0,
        level=_known(result, "level", "{:.2g}"),
        fdr=_known(result, "fdr", "{:.0%}"),
        kinds=set(result.class_names),
        either=bool(result.could_be_either.any()),
        bounded=bool(result.only_bounded.any()),
        several={
            name: own_noise(result, j)
            for j, name in enumerate(result.names)
            if name in result.columns and not result.only_conditional[j]
        },
        n_probes=len(result.probes),
        estimator=estimator_class_for(result.task).__name__ if has_signs else _forest(result),
        command=command,
        day=(day or date.today()).isoformat(),
    )


def _added_to(result: Any) -> str:
    """What it is that curves add to."""
    if words.has_weights_by_class(result):
        return "lead of one class over another"
    return "prediction" if result.task == "regression" else "score"


def _forest(result: RelevanceResult) -> str:
    kind = "Regressor" if result.task == "regression" else "Classifier"
    return f"ForestRelevance{kind}"


def _spread(result: RelevanceResult) -> tuple[str, str] | None:
    """The smallest and largest noise threshold, where features differ in it."""
    limits = result.single_thresholds
    if not len(limits) or common_threshold(limits) is not None:
        return None
    return f"{limits.min():.3g}", f"{limits.max():.3g}"


def _tolerance(value: float) -> str:
    """Up to which tolerance a feature is needed; nothing where the reference does without it."""
    if np.isinf(value):
        return "any"
    if value < 0.001:
        return "< 0.001" if value > 0 else ""
    return f"{value:.4f}" if value < 1.0 else f"{value:.3g}"


def _known(result: RelevanceResult, key: str, form: str) -> str:
    value = result.baseline.get(key)
    return form.format(value) if isinstance(value, int | float) else ""
