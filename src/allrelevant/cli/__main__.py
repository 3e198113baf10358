"""``python -m allrelevant.cli``."""

from allrelevant.cli.main import run

if __name__ == "__main__":
    run()
