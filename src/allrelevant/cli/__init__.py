"""The command ``allrelevant``."""

from allrelevant.cli.main import main, run

__all__ = ["main", "run"]
