"""The catalogue of bad input: what is given, and what is said to it, in Python, commands and files.

Every entry is shown in ``docs/manual/errors.md`` as it stands here, with the message that it gets
now; ``tools/errors.py`` writes that page, and a test compares.
"""

from catalogue.commands import COMMANDS, complaint_of
from catalogue.files import FILES, refusal_of
from catalogue.page import PAGE, answer_to
from catalogue.python import PYTHON, error_of

__all__ = ["SECTIONS"]

# By the name of a section: its entries, and what gives the message of one.
SECTIONS = {
    "Files": (FILES, refusal_of),
    "The command line": (COMMANDS, complaint_of),
    "Python": (PYTHON, error_of),
    "The page": (PAGE, answer_to),
}
