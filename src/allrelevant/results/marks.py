"""What the marks in a table mean, in lines below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from allrelevant.results.classified import ClassifiedFeatures

EITHER = "could be either"  # relevant or not: said of borderline features in every view
#: Said of features that are relevant although they are below the noise threshold.
CONDITIONAL = "passes the conditional test"
_SHOWN = 5e-4  # what tables show as more than 0


def mark_of(result: ClassifiedFeatures, j: int) -> str:
    """The mark beside the class of a feature, where there is one."""
    return "?" if result.could_be_either[j] else "∗" if result.relevant_by_conditional[j] else ""


def lines_below(result: ClassifiedFeatures, n_shown: int) -> list[str]:
    """What a table's marks mean."""
    marked = _either_lines(result, n_shown) + _bound_lines(result) + _rest_lines(result)
    return marked + needed_noise_lines(result)


def needed_noise_lines(result: ClassifiedFeatures) -> list[str]:
    """Explain bars of irrelevant features of linear models that do not start at zero."""
    least = zip(result.class_names, result.intervals[:, 0], strict=True)
    needed = [j for j, (word, low) in enumerate(least) if word == "irrelevant" and low >= _SHOWN]
    names = [result.names[j] for j in needed]
    if not names or "norm" not in result.baseline or result.thresholds[0] > 0:
        return []
    listed = f"{', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"
    if result.out_of_reach[needed].all():
        return [f"{listed}: in every good model, but noise could have any effect of that size"]
    return [f"{listed}: in every good model, but so would noise be: irrelevant"]


def _either_lines(result: ClassifiedFeatures, n_shown: int) -> list[str]:
    """Say what the mark of a borderline feature means, where there are any."""
    either = result.could_be_either[result.order]
    n, n_seen = int(either.sum()), int(either[:n_shown].sum())
    if not n:
        return []
    which = "this feature" if n == 1 else f"these {n} features"
    if n_seen < n:
        where = f"{n_seen} of them shown" if n_seen else "not shown"
        which = f"{n} feature{'' if n == 1 else 's'} ({where})"
    return [f"? {EITHER}: with other probes {which} may pass the noise threshold or not"]


def _rest_lines(result: ClassifiedFeatures) -> list[str]:
    """Say why features below the noise threshold are relevant, where there are any."""
    names = [result.names[j] for j in result.order if result.relevant_by_conditional[j]]
    if not names:
        return []
    listed = f"{', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"
    verb = "passes" if len(names) == 1 else "pass"
    return [
        f"∗ {listed}: below the noise threshold, but {verb} the conditional test "
        "(residuals of a model of the other features)"
    ]


def _bound_lines(result: ClassifiedFeatures) -> list[str]:
    """Say what the mark of a bound means, where there are any."""
    n = int(result.only_bounded.sum())
    which = "of this feature is" if n == 1 else f"of these {n} features is"
    return [f"≤ a bound: the exact maximum {which} smaller, and was not computed"] if n else []


def least_end(result: ClassifiedFeatures, j: int) -> str:
    """Return the smallest relevance; what is needed is not said to need nothing."""
    low = float(result.intervals[j, 0])
    return "<.001" if 0.0 < low < _SHOWN and result.class_names[j] == "strong" else f"{low:.3f}"
