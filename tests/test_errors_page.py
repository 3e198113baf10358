"""The catalogue of bad input: every entry is refused, in the words of docs/manual/errors.md."""

import pytest
import sklearn
from catalogue import SECTIONS
from sklearn.utils.fixes import parse_version

from tools import errors

# Everything that is said takes longer to provoke than all that is tested of it.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found():
    return errors.messages()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_entry_is_refused_in_a_few_words(found, section):
    said = found[section]
    assert not [entry for entry, message in said.items() if not message]
    assert max(map(len, said.values())) < 400
    assert not [message for message in said.values() if "Traceback" in message]


@pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.7"),
    reason="some of what is said is scikit-learn's, in the words of its newer versions",
)
def test_the_page_is_current(found):
    text = errors.PAGE.read_text(encoding="utf-8")
    assert text == errors.page(found), "make errors writes it anew"


def test_there_are_many(found):
    assert sum(map(len, found.values())) >= 150
    assert min(map(len, found.values())) >= 20
