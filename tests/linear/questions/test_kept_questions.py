"""Groups and feature sets that are ended before their time go on, to the same bits."""

import warnings

import numpy as np
import pytest
from stopping import Stopping

from allrelevant import RelevanceClassifier
from allrelevant.backends import using
from allrelevant.backends.checkpoint import CheckpointError


@pytest.fixture(scope="module")
def model():
    random = np.random.default_rng(0)
    hidden = random.normal(size=(90, 4))
    X = np.hstack([hidden + 0.3 * random.normal(size=hidden.shape) for _ in range(3)])
    y = (hidden.sum(axis=1) + 0.5 * random.normal(size=90) > 0).astype(int)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "no feature is strong")
        return RelevanceClassifier(C=0.3, tolerance=0.1, n_probes=20, random_state=0).fit(X, y)


QUESTIONS = {
    "groups": lambda model, file: model.groups(checkpoint=file),
    "sets": lambda model, file: model.smallest_sets(4, checkpoint=file),
    "cheapest": lambda model, file: model.cheapest_set({"x0": 3.0}, checkpoint=file),
}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_done_is_not_done_again(tmp_path, model, question):
    ask = QUESTIONS[question]
    whole = Stopping()
    with using(whole):
        expected = ask(model, tmp_path / "whole.part").to_json()
    assert repr(ask(model, None)) == repr(ask(model, tmp_path / "whole.part"))
    first, second, third = Stopping(2 * whole.done // 3), Stopping(), Stopping(0)
    with using(first), pytest.raises(KeyboardInterrupt):
        ask(model, tmp_path / "run.part")
    with using(second):
        assert ask(model, tmp_path / "run.part").to_json() == expected
    assert 0 < second.done < whole.done
    with using(third):
        assert ask(model, tmp_path / "run.part").to_json() == expected


def test_more_sets_are_asked_for_later(tmp_path, model):
    file = tmp_path / "run.part"
    few, counted = model.smallest_sets(2, checkpoint=file), Stopping()
    with using(counted):
        more = model.smallest_sets(4, checkpoint=file)
    assert {one.features for one in few} <= {one.features for one in more}
    assert counted.done > 0


def test_files_of_other_questions_are_refused(tmp_path, model):
    file = tmp_path / "run.part"
    model.groups(checkpoint=file)
    with pytest.raises(CheckpointError, match="the question differs"):
        model.smallest_sets(checkpoint=file)
    with pytest.raises(CheckpointError, match="the question differs"):
        model.groups(forbid=["x0"], checkpoint=file)
    with pytest.raises(ValueError, match="checkpoint must be the name of a file"):
        model.groups(checkpoint=3)
