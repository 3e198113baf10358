"""How an answer was found, in the words of a methods section, with references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import scores
from allrelevant.views.report.words import has_weights_by_class

_BOUNDS = (
    "Göpfert C., Pfannschmidt L., Göpfert J. P., Hammer B. (2018). Interpretation of linear "
    "classifiers by means of feature relevance bounds. Neurocomputing 298, 69-79. "
    "doi:10.1016/j.neucom.2017.11.074"
)
THESIS = (
    "Pfannschmidt L. (2021). Relevance learning for redundant features. Doctoral thesis, "
    "Bielefeld University. doi:10.4119/unibi/2959861"
)
_RATE = (
    "Benjamini Y., Hochberg Y. (1995). Controlling the false discovery rate: a practical and "
    "powerful approach to multiple testing. Journal of the Royal Statistical Society B 57, 289-300."
)
_ORDERED = (
    "Pfannschmidt L., Jakob J., Hinder F., Biehl M., Tino P., Hammer B. (2020). Feature relevance "
    "determination for ordinal regression in the context of feature redundancies and privileged "
    "information. Neurocomputing. doi:10.1016/j.neucom.2019.12.133"
)
_MODELS = {
    "classification": "linear classifier",
    "reject": "linear classifier with a reject option",
    "ordinal": "linear model with ordered thresholds",
    "regression": "linear regression",
    "survival": "linear model of the logarithms of times",
}


def references(result: RelevanceResult) -> list[str]:
    """Return the publications that the text refers to, in the order of their numbers."""
    found = [_BOUNDS, THESIS]
    if result.baseline.get("fdr") is not None:
        found.append(_RATE)
    if result.task == "ordinal" or result.privileged is not None:
        found.append(_ORDERED)
    return found


def methods_text(result: RelevanceResult) -> str:
    """Return a paragraph for a methods section: what was fitted, compared and counted."""
    number = {one: k for k, one in enumerate(references(result), 1)}
    cited = f", {number[_ORDERED]}" if _ORDERED in number else ""
    version = result.versions.get("allrelevant", "")
    return " ".join(
        [
            f"Relevances of features were computed with allrelevant {version}".rstrip() + ".",
            _reference_model(result) + _beside(result),
            f"{_equals(result)} considered equally good [1{cited}].{_kept(result)}",
            f"For each feature the smallest and the largest {_size(result)} over all of these "
            "models was found by linear programming, as a share of the reference's norm.",
            "A feature is relevant if the largest exceeds that of permuted columns: strongly if "
            f"no equally good model does without it, weakly otherwise [2].{_noise(result, number)}",
        ]
    )


def _equals(result: RelevanceResult) -> str:
    known, settings = result.baseline, result.settings
    norm, loss = _share(known, "tolerance_norm"), _share(known, "tolerance_loss")
    joint = settings.get("budget") == "joint" or settings.get("tolerance") == "bootstrap"
    if joint and settings.get("budget") != "split":
        return (
            "All linear models whose L1 norm plus C times loss exceeds that of the reference by no "
            f"more than tolerances of {norm} of the norm and {loss} of the loss allow were"
        )
    return (
        "All linear models whose L1 norm and loss exceed those of the reference by at most "
        f"{norm} and {loss} were"
    )


def _kept(result: RelevanceResult) -> str:
    asked = getattr(result, "constraints", None) or {}
    return (
        " Of these, those that keep the constraints named were asked."
        if any(asked.values())
        else ""
    )


def _size(result: RelevanceResult) -> str:
    return "difference between two classes" if has_weights_by_class(result) else "absolute weight"


def _reference_model(result: RelevanceResult) -> str:
    known, kind = result.baseline, _MODELS.get(result.task, "linear model")
    scaled = "standardised " if result.settings.get("standardize") else ""
    if known.get("loss_name") is not None:
        kind += f" with the {known['loss_name']} loss"
    norm = {"l1": "sparse {} (L1 norm)", "l2": "{} of least Euclidean norm"}
    said = norm.get(str(result.settings.get("baseline", "l1")), "given {}").format(kind)
    text = f"A {said} of {scaled}{_terms(result)} served as reference"
    if known.get("C") is not None:
        text += f", with C = {known['C']:.3g}"
        folds = result.settings.get("cv")
        if result.settings.get("C") == "cv" and isinstance(folds, int):
            text += f", chosen by {folds}-fold cross-validation"
    for name, (score, error) in list(scores(result).items())[:1]:
        text += f" ({name} {score:.3f}{'' if error is None else f' ± {error:.3f}'})"
    return text + "."


def _terms(result: RelevanceResult) -> str:
    """What a model adds up."""
    basis = result.settings.get("basis")
    if not basis:
        return "features"
    known = {
        "spline": "piecewise linear functions of the features, with knots at their quintiles,",
        "bins": "step functions of the features, with steps at their quintiles,",
    }
    return known.get(str(basis), "functions of the features")


def _beside(result: RelevanceResult) -> str:
    """Features that are not single columns known at prediction."""
    said = ""
    if any(f"{name}=" in str(own["names"][0]) for name, own in result.columns.items()):
        how = "largest of" if result.has_weights_by_class else "sum over"
        said += f" Categories had a column for each level; their relevance is the {how} these."
    if result.privileged is not None:
        n = len(result.privileged_names)
        # Where they explain nothing the answer is the one without them, which has no price of them.
        told = result.baseline.get("gamma") is not None
        use = "modelled how far samples are off" if told else "explained nothing and were left out"
        said += f" {n} privileged feature{'' if n == 1 else 's'}, known in training only, {use}."
    return said


def _share(known: Mapping[str, Any], key: str) -> str:
    value = known.get(key)
    return "the tolerance" if value is None else f"{100 * float(value):.3g} %"


def _noise(result: RelevanceResult, number: Mapping[str, int]) -> str:
    n, fdr = len(result.probes), result.baseline.get("fdr")
    text = f" {n} permuted columns were put to the same test." if n else ""
    if result.baseline.get("second_test"):
        text += (
            " A feature is also relevant if it correlates with what a lasso of the other features "
            "leaves unexplained, more than permuted ones would; features that resemble it have no "
            "part in that lasso. Or it correlates with the target by itself, relevant features do "
            "not explain that, and its upper end exceeds those of most permuted columns."
        )
    if fdr is not None:
        text += f" The false discovery rate was limited to {fdr:.0%} [{number[_RATE]}]."
    return text


def equally_good(found: Mapping[str, Any] | None) -> str:
    """Return what counts as equally good in this case, by what some of these models score.

    `found` has the number of models `n`, the `name` of the score, its ends `low` and `high`, that
    of the `reference`, and for ordered classes their number `n_classes`.
    """
    if not found:
        return ""
    low, high, own = (float(found[key]) for key in ("low", "high", "reference"))
    who = f"We looked at {found['n']} models that use one feature as little or as much as possible."
    steps = found.get("n_classes")
    if steps:  # the score of ordered classes is 1 less the mean error, as a share of the longest
        near, far, own = ((1.0 - one) * (steps - 1) for one in (high, low, own))
        return (
            f"{who} Their predictions for these rows are {near:.2f} to {far:.2f} classes off on "
            f"average; those of the reference model {own:.2f}. Every class counts the same."
        )
    return (
        f"{who} Their {found['name']} on these rows is {low:.3f} to {high:.3f}; that of the "
        f"reference model is {own:.3f}."
    )
