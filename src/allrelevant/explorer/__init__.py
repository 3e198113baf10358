"""The explorer: the bars as a local page, or in a notebook, that answers what-if questions."""

from allrelevant.explorer.session import Session

__all__ = ["Session"]
