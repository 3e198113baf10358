"""The command ``allrelevant``."""

from allrelevant.cli.main import main

__all__ = ["main"]
