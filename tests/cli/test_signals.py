"""A command that is told to end, or is killed, leaves no process behind."""

import os
import signal
import time
from importlib import import_module

import pandas as pd
import pytest
from processes import needs_proc, processes_of, started, wait_until, workers_of

from allrelevant.datasets import make_classification

# The package's name for it is the function.
entry = import_module("allrelevant.cli.main")

pytestmark = [pytest.mark.slow, needs_proc]


@pytest.fixture(scope="module")
def slow_table(tmp_path_factory):
    X, y, _ = make_classification(
        2000, n_strong=20, n_weak=20, n_irrelevant=80, noise=0.5, label_noise=0.2, random_state=0
    )
    file = tmp_path_factory.mktemp("data") / "slow.csv"
    pd.DataFrame(X).add_prefix("c").assign(ill=y).to_csv(file, index=False)
    return str(file)


def fit_of(table):
    return started("-m", "allrelevant", "fit", table, "--target", "ill", "--jobs", "2")


def is_at_work(process):
    return wait_until(lambda: len(workers_of(process.pid)) >= 2, 60)


# SIGHUP is heard by the same handler as SIGTERM.
@pytest.mark.parametrize(("pause", "how"), [(0.0, "SIGTERM"), (2.0, "SIGHUP"), (1.0, "SIGINT")])
def test_a_signal_ends_all_and_is_the_exit_code(slow_table, pause, how):
    with fit_of(slow_table) as process:
        assert is_at_work(process), process.stderr.read()
        time.sleep(pause)
        number = getattr(signal, how)
        process.send_signal(number)
        assert process.wait(8) == 128 + number
        said = process.stderr.read()
        assert "Traceback" not in said
        assert ("interrupted" if how == "SIGINT" else f"ended by {how}") in said
        assert wait_until(lambda: not processes_of(process.pid), 5), processes_of(process.pid)


def test_a_killed_command_leaves_nothing(slow_table):
    """Also where its workers have only just been started, and wait for the rest of their work."""
    with fit_of(slow_table) as process:
        assert is_at_work(process), process.stderr.read()
        process.kill()
        process.wait(8)
        # What has just been started imports first, which takes long on a busy machine.
        assert wait_until(lambda: not processes_of(process.pid), 40), processes_of(process.pid)


# Programs that listen as the command does, and are ended soon where they do not hear.
LISTENS = "from allrelevant.cli import signals; signals._PATIENCE = 0.3; signals.end_on_signals();"


def test_a_closed_terminal_does_not_end_what_was_told_to_ignore_it(slow_table):
    code = (
        f"import signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); {LISTENS}"
        "signal.raise_signal(signal.SIGHUP); print('goes on', flush=True); sys.stdin.read()"
    )
    with started("-c", code) as process:
        assert process.stdout.readline() == "goes on\n"
        assert not wait_until(lambda: process.poll() is not None, 2)


def test_who_does_not_hear_is_ended_all_the_same():
    """Python runs no handler while a solver's own code runs, however long that is."""
    code = (
        f"import hashlib; {LISTENS}"
        "print('busy', flush=True); hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)"
    )
    with started("-c", code) as process:
        assert process.stdout.readline() == "busy\n"
        time.sleep(0.5)  # until it is in there
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 128 + signal.SIGTERM


def test_a_lost_worker_is_said_on_one_line(slow_table):
    with fit_of(slow_table) as process:
        assert is_at_work(process), process.stderr.read()
        time.sleep(2.0)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        assert process.wait(20) == 2
        said = process.stderr.read()
        assert "allrelevant: one of 2 worker processes ended before its work was done" in said
        assert "Traceback" not in said
        assert wait_until(lambda: not processes_of(process.pid), 5), processes_of(process.pid)


def test_an_interrupt_that_ends_in_another_error_is_an_interrupt_all_the_same(monkeypatch, capsys):
    """Workers that are interrupted while they start make joblib raise what it likes."""

    def cut_short(**_):
        raise RuntimeError("a pool that was never whole")

    monkeypatch.setattr(entry, "main", cut_short)
    with pytest.raises(RuntimeError):
        entry._until_ended()
    monkeypatch.setattr(entry, "heard", [signal.SIGINT])
    assert entry._until_ended() == 130
    assert capsys.readouterr().err == "allrelevant: interrupted\n"
    monkeypatch.setattr(entry, "main", lambda **_: 0)  # a page that was left
    assert entry._until_ended() == 0
