"""What the tests of commands have in common."""

from allrelevant.cli import main

COLUMNS = ["age", "height", "girth", "luck"]


def run(capsys, *arguments):
    """What a command prints about the patients; it must not fail."""
    assert main([*arguments, "--target", "ill", "-q"]) == 0
    return capsys.readouterr().out
