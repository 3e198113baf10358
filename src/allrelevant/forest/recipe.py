"""What the thesis's program does, and what its text says: by name or point by point."""

from __future__ import annotations

from dataclasses import dataclass

from allrelevant.base.validation import check_number

LOSS_SHARE = 0.8  # of the columns a tree may use where scores are compared


@dataclass(frozen=True)
class SquamishRecipe:
    """What the program published with the thesis does, and its text does not say.

    Each default is what the program does. ``ForestRelevanceClassifier(method=...)`` takes a recipe
    in place of "squamish".

    Parameters
    ----------
    percentile : float
        The percentile of the shadows' importances that a feature has to exceed in Boruta.
    enough_trees : bool
        Whether Boruta's forests have more trees if there are more features.
    joined : bool
        Whether the minimal set is relevant, too, and not only what Boruta accepts.
    permuted : bool
        Whether a feature is shuffled to see what is lost, instead of being left out.
    one_seed : bool
        Whether all forests of the null distributions have one seed, and those compared with them
        another. Their spread is then that of the shuffled columns alone, and much smaller.
    common : bool
        Whether scores are compared with those of forests of all features, and not of the relevant
        ones, and a score above them tells as much as one below.
    minimal_share : float
        The share of the columns that a tree of the minimal set's forest may use.

    Examples
    --------
    >>> from allrelevant import ForestRelevanceClassifier, SquamishRecipe
    >>> model = ForestRelevanceClassifier(method=SquamishRecipe(percentile=100.0))
    """

    percentile: float = 70.0
    enough_trees: bool = True
    joined: bool = True
    permuted: bool = True
    one_seed: bool = True
    common: bool = True
    minimal_share: float = LOSS_SHARE

    def __post_init__(self) -> None:
        check_number("percentile", self.percentile, low=0.0, high=100.0)
        check_number("minimal_share", self.minimal_share, low=0.0, high=1.0)


PUBLISHED = SquamishRecipe()
AS_WRITTEN = SquamishRecipe(
    percentile=100.0,
    enough_trees=False,
    joined=False,
    permuted=False,
    one_seed=False,
    common=False,
    minimal_share=1.0,
)
RECIPES = {"squamish": PUBLISHED, "squamish-text": AS_WRITTEN}
