"""Long fits can be watched, short and silent ones stay silent."""

import io
import logging
import pickle

import numpy as np
import pytest
from estimator_cases import CASES, every_case
from sklearn.datasets import load_iris

from allrelevant import RelevanceClassifier
from allrelevant.base import progress


@pytest.fixture
def impatient(monkeypatch):
    """Every fit is slow enough to be worth a line."""
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)


# Nothing, unless asked for


@pytest.mark.slow
@every_case
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_nothing_is_printed_by_default(case, capfd, impatient):
    X, y = case.data()
    case.make(C="cv").fit(X, y).predict(X)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("verbose", [0, False])
def test_verbose_off_prints_nothing(verbose, capsys, impatient):
    case = CASES["classification"]
    case.make(verbose=verbose).fit(*case.data())
    assert capsys.readouterr() == ("", "")


def test_quick_fit_prints_nothing_even_when_verbose(capsys):
    case = CASES["classification"]
    case.make(verbose=1).fit(*case.data())
    assert capsys.readouterr() == ("", "")


# Printed


def n_folds_tried(case):
    """Where another thing than the loss decides, few samples are dealt into folds three times."""
    return 9 if case.is_ordinal or case.is_binary else 3


@pytest.mark.slow
@every_case
def test_slow_fit_tells_standard_error_how_far_it_is(case, capsys, impatient):
    X, y = case.data()
    case.make(verbose=1).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    n_folds = n_folds_tried(case)
    assert f"cross-validation: {n_folds} of {n_folds}, about 0 s left" in lines
    n_tasks = X.shape[1] + 5  # features and probes
    found = [line.split(",")[0] for line in lines if line.startswith("relevance intervals")]
    assert found[-1] == f"relevance intervals: {n_tasks} of {n_tasks}"
    counts = [int(line.split()[2]) for line in found]
    assert counts == sorted(set(counts))


@pytest.mark.slow
def test_parallel_fit_tells_how_far_it_is(capsys, impatient):
    case = CASES["classification"]
    X, y = case.data()
    case.make(verbose=1, n_jobs=2).fit(X, y)
    out, err = capsys.readouterr()
    assert out == ""
    assert "relevance intervals: 10 of 10, about 0 s left" in err.splitlines()


def test_lines_come_no_more_often_than_the_patience(monkeypatch, capsys):
    clock = iter(np.arange(0.0, 1000.0, 0.5))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    shown = progress.PrintedProgress()
    shown.stage("work", 40)
    for _ in range(40):
        shown.advance()
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 15
    assert lines[0].startswith("work: ")


def test_time_left_is_in_proportion_to_what_is_done(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    shown = progress.PrintedProgress()
    shown.stage("work", 10)
    now[0] += 8.0
    shown.advance(2)
    assert capsys.readouterr().err == "work: 2 of 10, about 32 s left\n"


def test_what_moves_within_a_task_is_shown_beside_it(capsys, impatient):
    shown = progress.PrintedProgress()
    shown.stage("values of C", 2)
    within = shown.within()
    assert list(within.each("probes", "ab")) == ["a", "b"]
    shown.advance()
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [
        "values of C: 0 of 2 (probes: 1 of 2)",
        "values of C: 0 of 2 (probes: 2 of 2)",
    ]
    assert lines[2].startswith("values of C: 1 of 2, about")
    elsewhere = pickle.loads(pickle.dumps(within))
    assert list(elsewhere.each("probes", "ab")) == ["a", "b"]
    assert capsys.readouterr().err == "", "another process shows nothing"


@pytest.mark.slow
def test_long_questions_move_within_their_tasks(capsys, impatient):
    case = CASES["classification"]
    model = case.make(verbose=1).fit(*case.data())
    capsys.readouterr()
    model.path_over_c(n_points=2)
    assert "values of C: 0 of 2 (cross-validation: 1 of 9)" in capsys.readouterr().err
    model.path_over_tolerance([0.5, 2.0])
    assert "tolerances: 0 of 2 (features: 1 of 4)" in capsys.readouterr().err
    model.what_if(forbid=[model.result_.weak[0]])
    assert "intervals: 1 of " in capsys.readouterr().err


@pytest.mark.slow
def test_surveys_of_several_classes_are_not_counted_as_features(capsys, impatient):
    X, y = load_iris(return_X_y=True)
    RelevanceClassifier(verbose=1, n_probes=60, random_state=0).fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    counts = [line.split(": ")[1].split(",")[0].split(" of ") for line in lines if " of " in line]
    assert len(counts) > 60
    assert all(int(done) <= int(total) for done, total in counts)


# On a terminal


def test_a_bar_says_what_moves_within_a_task(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    terminal = io.StringIO()
    bar = progress.BarProgress(terminal)
    bar.stage("values of C", 2)
    bar.show("probes: 1 of 9")
    assert terminal.getvalue().endswith("probes: 1 of 9")


def test_a_terminal_gets_a_bar_that_grows_and_vanishes(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    terminal = io.StringIO()
    bar = progress.BarProgress(terminal)
    bar.stage("relevance intervals", 3)
    for _ in range(3):
        bar.advance()
    bar.finish()
    frames = terminal.getvalue().split("\r\x1b[K")
    assert [frame.count("█") for frame in frames[1:3]] == [10, 20]
    assert all("relevance intervals" in frame for frame in frames[1:3])
    assert frames[-1] == "", "nothing stays on the line"


def test_a_bar_is_only_drawn_on_a_terminal(monkeypatch):
    estimator = CASES["classification"].make(verbose=1)
    assert type(progress.progress_of(estimator)) is progress.PrintedProgress
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True, raising=False)
    assert type(progress.progress_of(estimator)) is progress.BarProgress


@pytest.mark.slow
@every_case
def test_stages_are_logged(case, caplog):
    X, y = case.data()
    with caplog.at_level(logging.INFO, logger="allrelevant"):
        case.make().fit(X, y)
    messages = [record.getMessage() for record in caplog.records]
    assert {record.name.split(".")[0] for record in caplog.records} == {"allrelevant"}
    assert f"cross-validation: {n_folds_tried(case)} tasks" in messages
    assert "relevance intervals: 10 tasks" in messages
    assert any(message.startswith("cross-validation: done in ") for message in messages)
    assert any(message.startswith("relevance intervals: done in ") for message in messages)
    assert any(message.startswith("baseline: C=1,") for message in messages)


def test_library_leaves_logging_alone():
    logger = logging.getLogger("allrelevant")
    assert logger.level == logging.NOTSET
    assert [type(handler) for handler in logger.handlers] == [logging.NullHandler]


# Told to scikit-learn's callbacks


class Recorder:
    """A minimal callback of scikit-learn's FitCallback protocol."""

    def __init__(self, fail_at=None):
        self.calls = []
        self.fail_at = fail_at

    def _record(self, hook, context):
        self.calls.append((hook, context.task_name, context.max_subtasks))
        if (hook, context.task_name) == self.fail_at:
            raise RuntimeError("the callback failed")

    def setup(self, estimator, context):
        self._record("setup", context)

    def on_fit_task_begin(self, estimator, context):
        self._record("begin", context)

    def on_fit_task_end(self, estimator, context):
        self._record("end", context)

    def teardown(self, estimator, context):
        self._record("teardown", context)

    def count(self, hook, name):
        return sum(call[:2] == (hook, name) for call in self.calls)


needs_callbacks = pytest.mark.usefixtures("callbacks")


@pytest.fixture
def callbacks():
    pytest.importorskip("sklearn.callback")


@pytest.mark.slow
@every_case
@needs_callbacks
def test_callbacks_are_told_of_every_stage_and_task(case):
    X, y = case.data()
    recorder = Recorder()
    model = case.make().set_callbacks(recorder).fit(X, y)
    calls = recorder.calls
    assert calls[0] == ("setup", "fit", None)
    assert calls[-1] == ("teardown", "fit", None)
    assert calls[1] == ("begin", "fit", None)
    assert calls[-2] == ("end", "fit", None)
    stages = {"cross-validation": n_folds_tried(case), "relevance intervals": 10}
    for name, n_tasks in stages.items():
        assert ("begin", name, n_tasks) in calls
        assert recorder.count("begin", name) == recorder.count("end", name) == n_tasks + 1
    assert recorder.count("setup", "fit") == recorder.count("teardown", "fit") == 1
    assert model.result_ == case.make().fit(X, y).result_


@pytest.mark.slow
@needs_callbacks
def test_callbacks_are_told_in_a_parallel_fit():
    case = CASES["classification"]
    recorder = Recorder()
    case.make(n_jobs=2).set_callbacks(recorder).fit(*case.data())
    assert recorder.count("end", "relevance intervals") == 11


@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
@needs_callbacks
def test_callbacks_are_told_where_there_is_nothing_to_learn():
    case = CASES["classification"]
    recorder = Recorder()
    case.make(C=1e-9).set_callbacks(recorder).fit(*case.data())
    # Three folds, dealt three times as rows are few, and all of them together.
    assert recorder.count("begin", "cross-validation") == 10
    assert recorder.count("end", "cross-validation") == 10
    assert recorder.calls[-2:] == [("end", "fit", None), ("teardown", "fit", None)]


@needs_callbacks
def test_callback_that_fails_is_torn_down_and_its_error_seen():
    case = CASES["classification"]
    recorder = Recorder(fail_at=("end", "cross-validation"))
    with pytest.raises(RuntimeError, match="the callback failed"):
        case.make().set_callbacks(recorder).fit(*case.data())
    assert recorder.calls[-1] == ("teardown", "fit", None)


@needs_callbacks
def test_fit_with_bad_input_leaves_callbacks_usable():
    case = CASES["classification"]
    X, y = case.data()
    recorder = Recorder()
    model = case.make().set_callbacks(recorder)
    with pytest.raises(ValueError, match="None"):
        model.fit(X, None)
    model.fit(X, y)
    assert recorder.count("setup", "fit") == recorder.count("teardown", "fit") == 1


@pytest.mark.slow
@needs_callbacks
def test_callbacks_can_be_used_again_and_removed():
    case = CASES["classification"]
    X, y = case.data()
    recorder = Recorder()
    model = case.make().set_callbacks(recorder).fit(X, y).fit(X, y)
    assert recorder.count("teardown", "fit") == 2
    model.set_callbacks().fit(X, y)
    assert recorder.count("teardown", "fit") == 2
