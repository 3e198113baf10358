"""Numbers about data and models, by names for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allrelevant.results.relevance import RelevanceResult
from allrelevant.results.render import scores

_APART = ("score", "score_name", "score_error", "scores")
_SAID = {
    "n_used": "features used",
    "norm": "total weight",
    "loss": "loss on these rows",
    "tolerance_norm": "total weight may be larger by",
    "tolerance_loss": "loss may be larger by",
    "largest_possible": "largest relevance there can be",
    "level": "largest p that counts",
    "fdr": "share of noise allowed",
    "second_test": "compared with noise by",
    "loss_name": "kind of loss",
    "n_classes": "classes",
    "cv_rows": "rows by which C was chosen",
    "kind": "kind of reference",
    "least_loss": "least loss of any model",
    "gamma": "price of privileged features",
    "privileged_norm": "total weight of privileged features",
}
_SHARES = ("tolerance_norm", "tolerance_loss", "fdr")


def baseline_facts(result: RelevanceResult) -> dict[str, str]:
    """Return the baseline's numbers, its scores first."""
    facts = {
        name: readable_number(score) + ("" if error is None else f" ± {error:.2g}")
        for name, (score, error) in scores(result).items()
    }
    rest = {key: value for key, value in result.baseline.items() if key not in _APART}
    for key in _SHARES:
        if rest.get(key) is not None:
            rest[key] = f"{100 * float(rest[key]):.3g} %"
    if "second_test" in rest:
        rest["second_test"] = (
            "upper ends, and a conditional test" if rest["second_test"] else "upper ends"
        )
    return facts | readable({_SAID.get(key, key): value for key, value in rest.items()})


def readable(values: Mapping[str, Any]) -> dict[str, str]:
    """Return numbers with four digits; what is not known is left out."""
    return {
        key.replace("_", " "): readable_number(value)
        for key, value in values.items()
        if value is not None
    }


def readable_number(value: Any) -> str:
    """Return a number with four digits, and anything else as it is."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
