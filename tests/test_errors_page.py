"""The catalogue of bad input: every entry is refused, in the words of docs/errors.md."""

import pytest
from catalogue import SECTIONS

from tools import errors


@pytest.fixture(scope="module")
def found():
    return errors.messages()


@pytest.mark.parametrize("section", SECTIONS)
def test_every_entry_is_refused_in_a_few_words(found, section):
    said = found[section]
    assert not [entry for entry, message in said.items() if not message]
    assert max(map(len, said.values())) < 400
    assert not [message for message in said.values() if "Traceback" in message]


def test_the_page_is_current(found):
    text = errors.PAGE.read_text(encoding="utf-8")
    assert text == errors.page(found), "make errors writes it anew"


def test_there_are_many(found):
    assert sum(map(len, found.values())) >= 150
    assert min(map(len, found.values())) >= 20
