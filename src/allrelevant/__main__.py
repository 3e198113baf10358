"""``python -m allrelevant``: the command of the same name."""

from allrelevant.cli import run

if __name__ == "__main__":
    run()
