"""What a page, or somebody in its place, asks of the explorer in vain."""

import json

from explorer_fakes import FakeEstimator

from allrelevant.views.explorer import Session

# The question and what comes with it; "ask" is what the bars move by.
PAGE = [
    "nothing {}",
    'substitutes {"feature": "zebra"}',
    'substitutes {"feature": null}',
    'substitutes {"feature": 3}',
    'cheapest {"costs": 3}',
    'cheapest {"costs": {"zebra": 1}}',
    'cheapest {"costs": {"feature 1": -1}}',
    'cheapest {"costs": {"feature 1": "much"}}',
    'cheapest {"costs": {"feature 1": true}}',
    'cheapest {"constraints": 5}',
    'report {"constraints": []}',
    'ask {"constraints": 5}',
    'ask {"constraints": {"forbid": "feature 1"}}',
    'ask {"constraints": {"forbid": ["zebra"]}}',
    'ask {"constraints": {"forbid": [["feature 1"]]}}',
    'ask {"constraints": {"keep": {"feature 1": 1}}}',
    'ask {"constraints": {"keep": [null]}}',
    'ask {"constraints": {"forbid": ["feature 1"], "keep": ["feature 1"]}}',
    'ask {"constraints": {"bounds": ["feature 1"]}}',
    'ask {"constraints": {"bounds": {"feature 1": 0.5}}}',
    'ask {"constraints": {"bounds": {"feature 1": "01"}}}',
    'ask {"constraints": {"bounds": {"feature 1": [0, 1, 2]}}}',
    'ask {"constraints": {"bounds": {"feature 1": [1, 0]}}}',
    'ask {"constraints": {"bounds": {"feature 1": [-1, 0]}}}',
    'ask {"constraints": {"bounds": {"feature 1": ["a", 1]}}}',
    'ask {"constraints": {"bounds": {"zebra": [0, 1]}}}',
    'ask {"tolerance": 3}',
    'ask {"tolerance": "much"}',
    'ask {"order": 3, "constraints": {"keep": ["feature 1"]}}',
]
_KNOWN = []


def answer_to(question):
    """What the explorer says to a question that makes no sense."""
    if not _KNOWN:
        _KNOWN.append(Session(FakeEstimator(), processes=False))
    (session,) = _KNOWN
    name, _, body = question.partition(" ")
    try:
        if name == "ask":
            list(session.ask(json.loads(body)))
        else:
            session.answer(name, json.loads(body))
    except ValueError as error:
        return str(error)
    return None
