"""How a forest's answer was found, in the words of a methods section, with references."""

from __future__ import annotations

from typing import Any

from allrelevant.views.report.methods import THESIS

_SHADOWS = (
    "Kursa M. B., Rudnicki W. R. (2010). Feature selection with the Boruta package. Journal of "
    "Statistical Software 36 (11), 1-13. doi:10.18637/jss.v036.i11"
)
_CONDITIONAL = (
    "Candès E., Fan Y., Janson L., Lv J. (2018). Panning for gold: model-X knockoffs for high "
    "dimensional controlled variable selection. Journal of the Royal Statistical Society B 80, "
    "551-577."
)
_TREES = (
    "Ke G., Meng Q., Finley T., Wang T., Chen W., Ma W., Ye Q., Liu T.-Y. (2017). LightGBM: a "
    "highly efficient gradient boosting decision tree. Advances in Neural Information Processing "
    "Systems 30."
)
_BY_TREES = ("trees", "few trees", "forest", "linear and trees", "products and trees", "lightgbm")
_LOSSES = {"classification": "logarithmic", "ordinal": "squared", "regression": "squared"}


def forest_references(result: Any) -> list[str]:
    """Return the publications that the text refers to, in the order of their numbers."""
    found = [THESIS, _SHADOWS]
    if not _is_of_the_thesis(result):
        found.append(_CONDITIONAL)
        found += [_TREES] * _is_by_lightgbm(result)
    return found


def forest_methods(result: Any) -> str:
    """Return a paragraph for a methods section: what was fitted, compared and counted."""
    version = result.versions.get("allrelevant", "")
    begin = f"Relevances of features were computed with allrelevant {version}".rstrip()
    if _is_of_the_thesis(result):
        return (
            f"{begin}, by the algorithm of [1]: features that beat permuted columns more "
            "often than by chance [2] are relevant, strongly if forests without them "
            "fit worse than chance explains, and weakly otherwise."
        )
    n, level = len(result.probes), result.settings.get("alpha")
    beside = f" ({n} of them)" if n else ""
    at = "" if level is None else f", at a level of {level:g} for all features and tests together"
    return (
        f"{begin}. {_model(result)} Importance is the rise of the {_LOSSES[result.task]} loss on "
        "rows that were left out when a feature's values are permuted, in units of the loss of a "
        f"constant prediction. A feature is relevant if it exceeds what permuted columns{beside} "
        "reach [2], beside all features, beside one of each set of near copies, beside half of "
        f"these, or alone{at}. A relevant feature was then exchanged for values drawn from its "
        "distribution given the other relevant ones [3]: it is strongly relevant if the loss rises "
        "by this, and weakly if others can take its place [1]."
    )


def _model(result: Any) -> str:
    """What was fitted, and how good it is."""
    name, score = _learner(result), result.baseline.get("score")
    cited = " [4]" if _is_by_lightgbm(result) else ""
    what = f"Models ({name}){cited}" if name else "Models"
    good = (
        ""
        if score is None
        else f"; a model of all features took {score:.0%} off the loss of a constant prediction"
    )
    return f"{what} were fitted to parts of the rows{good}."


def _learner(result: Any) -> str:
    """The name of the learner, which that of the score ends with."""
    return str(result.baseline.get("score_name", "")).rpartition(" by ")[2]


def _is_by_lightgbm(result: Any) -> bool:
    return "lightgbm" in result.versions and _learner(result) in _BY_TREES


def _is_of_the_thesis(result: Any) -> bool:
    return str(result.settings.get("method")).casefold().startswith("squamish")
