"""Estimators set as the papers have it: baseline, budgets, choice of C, and noise.

Our own defaults differ where that was found to work better. These are for comparing with what was
published. What a paper does not print is taken from the others, and said here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import allrelevant

if TYPE_CHECKING:
    from allrelevant.linear.estimators import (
        OrdinalRelevanceClassifier,
        RejectOptionRelevanceClassifier,
        RelevanceClassifier,
    )

__all__ = ["esann2017", "neurocomputing2020", "preset", "reject2017", "thesis"]

# Probes in the place of features, and the upper end of a prediction interval for one more of them.
_NOISE: dict[str, Any] = {"probes": "replace", "n_probes": 50, "confidence": 0.999}


def thesis(
    task: Literal["classification", "regression", "ordinal"] = "classification", **changes: Any
) -> Any:
    """The settings of the doctoral thesis of 2021, sections 2.3.2, 3.2.1 and 4.1.2.

    An ℓ1 baseline, whose norm is relaxed by 0.001 and whose loss is not; C by three folds and the
    F1 score weighed by the classes' sizes; 50 probes that replace features, and the 0.999 quantile.
    Ordered classes go by their own score and numbers by R². No grid of C is printed: ours is used.

    Parameters
    ----------
    task : {"classification", "regression", "ordinal"}
    **changes
        Parameters of the estimator that are to be others.

    Returns
    -------
    RelevanceClassifier, RelevanceRegressor or OrdinalRelevanceClassifier

    Examples
    --------
    >>> from allrelevant import papers
    >>> papers.thesis().tolerance
    (0.001, 0.0)
    """
    from allrelevant.base.validation import check_choice

    check_choice("task", task, ("classification", "regression", "ordinal"))
    common = _NOISE | {"tolerance": (0.001, 0.0), "budget": "split", "cv": 3, "rule": "best"}
    if task == "classification":
        own = {"loss": "hinge", "scoring": "f1_weighted", "class_weight": None}
        return allrelevant.RelevanceClassifier(**(common | own | changes))
    if task == "regression":
        plain = {"loss": "epsilon_insensitive", "scoring": "score"}
        return allrelevant.RelevanceRegressor(**(common | plain | changes))
    own = {"loss": "hinge", "scoring": "score", "class_weight": None}
    return allrelevant.OrdinalRelevanceClassifier(**(common | own | changes))


def esann2017(**changes: Any) -> RelevanceClassifier:
    """The settings of the paper on linear classification of 2017, Problems I and II.

    The baseline minimises ‖w‖₂ + C·loss; equivalent models have ``‖w‖₁ + C·loss`` of at most its
    own, with the same C, by five folds. Nothing is relaxed. Which score chose C, its grid, and
    where the cutoff lies are not printed: here accuracy, our grid, and noise as in the thesis.

    Parameters
    ----------
    **changes
        Parameters of the estimator that are to be others.

    Examples
    --------
    >>> from allrelevant import papers
    >>> papers.esann2017().baseline
    'l2'
    """
    own = {"baseline": "l2", "budget": "joint", "tolerance": 0.0, "cv": 5, "rule": "best"}
    choice = {"loss": "hinge", "scoring": "accuracy", "class_weight": None}
    return allrelevant.RelevanceClassifier(**(_NOISE | own | choice | changes))


def reject2017(**changes: Any) -> RejectOptionRelevanceClassifier:
    """The settings of the paper on the reject option of 2017.

    The baseline minimises ‖w‖₂² + mean loss; equivalent models have neither more ℓ1 norm nor more
    loss. Columns stay as they are. The paper has no classes; noise is as in the thesis.

    Parameters
    ----------
    **changes
        Parameters of the estimator that are to be others, such as `reject_cost`.

    Examples
    --------
    >>> from allrelevant import papers
    >>> papers.reject2017(reject_cost=0.1).C
    'mean'
    """
    own = {"baseline": "l2", "C": "mean", "budget": "split", "tolerance": 0.0}
    scale = {"standardize": False, "class_weight": None}
    return allrelevant.RejectOptionRelevanceClassifier(**(_NOISE | own | scale | changes))


def neurocomputing2020(
    order: Literal["explicit", "implicit"] = "explicit", **changes: Any
) -> OrdinalRelevanceClassifier:
    """The settings of the paper on ordered classes and privileged information of 2020.

    An ℓ1 baseline; equivalent models have ``‖w‖₁ + C·loss`` (and γ times the privileged norms) of
    at most 1 + δ times its own; C and γ by five folds. Slack functions of privileged features are
    summed over all classes. δ is not printed: here the thesis's 0.001.

    Parameters
    ----------
    order : {"explicit", "implicit"}
    **changes
        Parameters of the estimator that are to be others.

    Examples
    --------
    >>> from allrelevant import papers
    >>> papers.neurocomputing2020("implicit").order
    'implicit'
    """
    own = {"order": order, "budget": "joint", "tolerance": 0.001, "cv": 5, "rule": "best"}
    choice = {"loss": "hinge", "scoring": "score", "class_weight": None, "slacks": "all"}
    return allrelevant.OrdinalRelevanceClassifier(**(_NOISE | own | choice | changes))


# By name, the kinds of target that a paper has, and its settings for each.
_PRESETS: dict[str, dict[str, Callable[..., Any]]] = {
    "thesis": {
        task: lambda task=task, **changes: thesis(task, **changes)
        for task in ("classification", "regression", "ordinal")
    },
    "esann2017": {"classification": esann2017},
    "reject2017": {"reject": reject2017, "classification": reject2017},
    "neurocomputing2020": {"ordinal": neurocomputing2020},
}
NAMES = tuple(_PRESETS)


def preset(name: str, task: str, **changes: Any) -> Any:
    """The estimator that a paper has for a kind of target.

    Parameters
    ----------
    name : {"thesis", "esann2017", "reject2017", "neurocomputing2020"}
    task : str
        The kind of target.
    **changes
        Parameters of the estimator that are to be others.

    Examples
    --------
    >>> from allrelevant import papers
    >>> papers.preset("thesis", "regression", n_probes=100).n_probes
    100
    """
    from allrelevant.base.validation import check_choice

    check_choice("name", name, NAMES)
    if task not in _PRESETS[name]:
        known = " or ".join(map(repr, _PRESETS[name]))
        raise ValueError(f"{name} is for {known}, not for {task!r}.")
    return _PRESETS[name][task](**changes)
