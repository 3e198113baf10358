"""Properties are tried on the same examples in every run: a failure stays one until it is mended.

``HYPOTHESIS_PROFILE=search make test`` looks for others.
"""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("search", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
