"""``python -m allrelevant.cli``."""

import sys

from allrelevant.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
