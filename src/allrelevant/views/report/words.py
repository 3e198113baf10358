"""A result in plain words; pure functions of a `RelevanceResult`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from allrelevant.base.target_kinds import target_kinds
from allrelevant.results.classified import ClassifiedFeatures
from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import EITHER, scores
from allrelevant.views.report.phrases import (
    counted,
    direction,
    given_away,
    joined,
    number,
    plain_setting,
    readable_p,
    sentence,
)

__all__ = [
    "classes_off",
    "close_calls",
    "constraint_lines",
    "direction",
    "joined",
    "next_steps",
    "plain_setting",
    "plain_warnings",
    "quality",
    "question",
    "readable_p",
    "sentence",
    "verdict",
]

_SCORES = {
    "accuracy": "is right in {percent} of the cases it was not fitted on",
    "R²": "explains {percent} of the variance of cases it was not fitted on",
    "C-index": "tells in {percent} of the pairs of cases it was not fitted on whose time is longer",
}
_FURTHER_SCORES = {
    "balanced accuracy": "the share that is right of each class, averaged",
    "AUC": "how often it ranks a case of one class above a case of the other",
    "accuracy": "the share that is right",
}
_FEW_ROWS = 10  # with fewer, a score is chance
_CLOSE = 0.05  # of the noise threshold: nearer than this is a close call
_EXPLAINED = {
    "no learnable signal": "A model that ignores every feature predicts as well as any other. "
    "Either the features hold nothing about the target, or there are too few samples to see it.",
    "probes infeasible": "Some of the shuffled columns that measure the noise could not be used; "
    "the noise threshold rests on the others.",
    "probes could take the place": "The noise threshold was measured in another way than asked "
    "for, because too few shuffled columns could stand in for a feature.",
}


def question(result: RelevanceResult, target: str | None = None) -> str:
    """Return what was asked."""
    kind = target_kinds()[result.task]
    what = kind.aim if target is None else kind.aim_at.format(target)
    what = what.replace("the time time", "the time")  # as many a column is called
    return (
        f"Of all the models that {what} equally well: which features must they use, which can "
        "they use, and which need they not use?"
    )


def verdict(result: RelevanceResult, rows: int | None = None) -> list[str]:
    """Return the answer in a few sentences, the most important first."""
    sentences = _about_relevant(result) if result.support.any() else _about_nothing(result, rows)
    barred = result.forbidden
    if barred:
        them = "it" if len(barred) == 1 else "them"
        sentences.append(
            f"{counted(len(barred), 'feature')} {'is' if len(barred) == 1 else 'are'} forbidden, "
            f"so that no model uses {them}: {joined(barred, 8)}."
        )
    either = result.could_be_either
    if either.any():
        names = [result.names[j] for j in result.order if either[j]]
        sentences.append(f"Too close to call: {joined(names)} {EITHER} useful or noise.")
    return sentences


def _about_nothing(result: RelevanceResult, rows: int | None) -> list[str]:
    found = ["No feature was found to be of use."]
    if result.out_of_reach.all():
        return [
            *found,
            "No feature could have been: no possible weight exceeds the noise threshold.",
        ]
    if _is_few(rows):
        return [*found, "So few rows cannot tell a useful feature from a useless one."]
    which = "any feature that may be used" if result.forbidden else "any feature"
    return [
        *found,
        f"No good model gets more out of {which} than out of shuffled, meaningless columns.",
    ]


def _about_relevant(result: RelevanceResult) -> list[str]:
    strong = [result.names[j] for j in result.order if result.class_names[j] == "strong"]
    barred = result.forbidden
    n_weak, n_irrelevant = len(result.weak), len(result.irrelevant)
    which = f"{result.n_features - len(barred)} features{' that may be used' if barred else ''}"
    sentences = []
    if strong:
        noun = "this feature" if len(strong) == 1 else f"these {len(strong)} features"
        sentences.append(f"Every good model needs {noun}: {joined(strong, 8)}.")
    else:
        sentences.append("No single feature is indispensable.")
    if n_weak == 1 and not strong:
        sentences.append(
            f"One of the {which} can help, but it can be left out: others then do as well."
        )
    elif n_weak and not strong:
        sentences.append(
            f"{n_weak} of the {which} can help, but each of them can be left out, because "
            "others then carry the same information. They are useful as a group, not one by one."
        )
    elif n_weak:
        sentences.append(
            f"{counted(n_weak, 'more feature')} can help but "
            f"{'is' if n_weak == 1 else 'are'} replaceable: some good models use "
            f"{'it' if n_weak == 1 else 'them'}, others do without."
        )
    if n_irrelevant:
        sentences.append(
            f"{counted(n_irrelevant, 'feature')} need not be used: no good model gets more out of "
            f"{'it' if n_irrelevant == 1 else 'them'} than out of noise."
        )
    return sentences


def next_steps(result: RelevanceResult, rows: int | None = None) -> list[str]:
    """Return what a reader can do with the answer; nothing where that may be chance."""
    steps: list[str] = []
    if _is_few(rows) or result.out_of_reach.all():
        return steps
    if result.strong:
        steps.append(
            "Keep measuring the features every good model needs; without any one of them, "
            "predictions get worse."
        )
    if result.weak:
        steps.append(
            "Among the replaceable features you are free to choose: take those that are cheap, "
            "reliable or fair. Leaving out one does no harm; leaving out all that carry the same "
            "information does."
        )
        steps.append(
            f"Do not read meaning into the {'weight' if _is_linear(result) else 'importance'} that "
            "one fitted model gives a replaceable feature: another model, equally good, gives it a "
            "different one."
        )
    if result.irrelevant:
        steps.append("Features no better than noise can be dropped.")
    if result.could_be_either.any():
        steps.append(
            f"Leave open what {EITHER}: more rows, or more shuffled columns, may settle it."
        )
    return steps


def quality(result: RelevanceResult, rows: int | None = None) -> str:
    """Return how good a good model is, in a sentence.

    The score is the mean over the parts of a cross-validation. With a few rows a part is a single
    row or two, and the mean says nothing about further cases.
    """
    known = scores(result)
    if not known:
        return ""
    (name, (score, error)), *further = known.items()
    spread = "" if error is None else f" ± {error:.3f}"
    used = result.baseline.get("n_used")
    uses = f", and uses {used} of the {result.n_features} features" if used is not None else ""
    if _is_few(rows):
        return (
            f"With {counted(rows or 0, 'row')} nothing can be said about how well the best simple "
            f"model, to which all others are compared, predicts further cases."
        )
    if not _is_linear(result):
        return (
            f"A model of all features takes {score:.0%} off the loss of a constant prediction, on "
            "rows it was not fitted on."
            if score > 0
            else "A model of all features predicts no better than a constant."
        )
    meaning = _SCORES.get(name)
    said = (
        f", that is, it {meaning.format(percent=f'{score:.0%}')}"
        if meaning and score > 0
        else " (1 is perfect)"
    )
    if result.task == "ordinal":
        said = f", that is, on average it is {classes_off(result, score)}"
    return (
        f"The best simple model, to which all others are compared, has a cross-validated {name} "
        f"of {score:.3f}{spread}{said}{uses}.{_further(further)}" + given_away(used, score)
    )


def classes_off(result: RelevanceResult, score: float, error: float | None = None) -> str:
    """Return how far a model of ordered classes is off, which its score says on a scale to 1."""
    n_classes = result.baseline.get("n_classes")
    if n_classes is None:
        return f"off by {1.0 - score:.0%} of the way from the lowest class to the highest"
    spread = "" if error is None else f" ± {error * (n_classes - 1):.2f}"
    return f"{(1.0 - score) * (n_classes - 1):.2f}{spread} classes off"


def _further(known: Iterable[tuple[str, tuple[float, float | None]]]) -> str:
    """Name the other scores, with what they mean where that is short."""
    parts = []
    for name, (score, _) in known:
        meaning = f" ({_FURTHER_SCORES[name]})" if name in _FURTHER_SCORES else ""
        parts.append(f"its {name} is {score:.3f}{meaning}")
    return f" {sentence(joined(parts))}" if parts else ""


def has_weights_by_class(result: RelevanceResult) -> bool:
    """Return whether every feature has a weight for each class, and so no sign of its own."""
    return _is_linear(result) and result.has_weights_by_class


def close_calls(result: RelevanceResult) -> list[str]:
    """Return features whose class could be another had the noise been a little different."""
    if not _is_linear(result):  # forests have tests that tell which ones are
        return []
    low, limits = result.thresholds[0], np.abs(result.upper_thresholds)
    scale = np.where(np.isfinite(limits), limits, 0.0)
    margins = np.abs(result.margins)
    near = margins[:, 1] < _CLOSE * scale
    if len(result.p_values):  # then it is known better which ones are borderline
        near &= np.isnan(result.p_values)
    # The lower end decides between weak and strong, for features that are relevant at all.
    if np.isfinite(low) and low > 0:
        near |= (margins[:, 0] < _CLOSE * low) & (result.classes > 0)
    return [result.names[j] for j in result.order if near[j]]


def plain_warnings(result: RelevanceResult, rows: int | None = None) -> list[str]:
    """Return what the reader should know before trusting the numbers."""
    found = []
    if _is_few(rows):
        found.append(f"There are only {counted(rows or 0, 'row')}: all of this may be chance.")
    for warning in result.warnings:
        meaning = next((text for key, text in _EXPLAINED.items() if key in warning), None)
        found.append(f"{meaning} ({warning})" if meaning else sentence(warning))
    near = close_calls(result)
    if near:
        found.append(
            f"Close to the noise threshold: {joined(near)}. Other samples could have put "
            f"{'it' if len(near) == 1 else 'them'} on its other side."
        )
    if np.isinf(result.thresholds[1]):
        found.append("The noise threshold could not be measured, so no feature exceeds it.")
    return found


def constraint_lines(constraints: Mapping[str, Any] | None) -> list[str]:
    """Return the constraints of a what-if question, one sentence each."""
    given = {key: value for key, value in (constraints or {}).items() if value}
    lines = []
    if "forbid" in given:
        lines.append(f"No model may use {joined(map(str, given['forbid']), 20)}.")
    if "keep" in given:
        lines.append(f"Every model uses {joined(map(str, given['keep']), 20)}.")
    for name, (low, high) in dict(given.get("bounds", {})).items():
        lines.append(f"{name} has a relevance {_between(low, high)}.")
    return lines + [_sign_line(*one) for one in dict(given.get("signs", {})).items()]


def _between(low: float | None, high: float | None) -> str:
    if high is None or np.isinf(high):
        return f"of at least {number(low)}"
    return f"between {number(low)} and {number(high)}" if low else f"of at most {number(high)}"


def _sign_line(name: str, sign: Any) -> str:
    """A weight of one sign, or one that does not fall along some classes."""
    if isinstance(sign, Sequence):
        return f"The weight of {name} does not fall from {' to '.join(map(str, sign))}."
    return f"{name} has a {'positive' if sign > 0 else 'negative'} weight, or none."


def _is_linear(result: ClassifiedFeatures) -> bool:
    return isinstance(result, RelevanceResult)


def _is_few(rows: int | None) -> bool:
    return rows is not None and rows < _FEW_ROWS
