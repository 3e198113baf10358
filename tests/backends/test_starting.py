"""Processes are started where there is enough to do for them; answers are the same."""

import os
import time
from types import SimpleNamespace

import joblib
import pytest

from allrelevant.backends import local, starting

NOW = [0.0]  # what the clock here says


class Counting:
    """Knows how many tasks it has done; seconds pass by the clock alone."""

    def __init__(self):
        self.n_done = 0

    def __call__(self, seconds):
        self.n_done += 1
        NOW[0] += seconds
        return os.getpid(), self.n_done


@pytest.fixture
def start(monkeypatch):
    """Processes are thought to take some time, and none wait."""

    clock = SimpleNamespace(perf_counter=lambda: NOW[0], monotonic=time.monotonic)
    monkeypatch.setattr(starting, "time", clock)

    def take(seconds):
        monkeypatch.setattr(starting, "SECONDS", seconds)
        monkeypatch.setattr(starting, "processes", starting.Processes())

    return take


def done(tasks, n_batches=None):
    told = []
    found = local.run(Counting, tasks, 2, told.append, n_batches)
    assert sum(told) == len(tasks)
    assert min(told) >= 1
    here = [process == os.getpid() for process, _ in found]
    return here, [n_done for _, n_done in found]


def test_short_work_is_done_here(start):
    start(1.5)
    here, _ = done([0.0] * 20)
    assert all(here)


@pytest.mark.slow
def test_long_work_is_begun_here_and_shared(start):
    start(1.5)
    here, _ = done([0.5] * 12)
    assert here == [True] + [False] * 11


@pytest.mark.slow
def test_a_batch_that_is_given_away_is_done_anew_by_one_worker(start):
    start(1.5)
    here, order = done([0.5] * 12, n_batches=3)
    assert not any(here)
    assert order == [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3
    start(0.0)
    assert done([0.5] * 12, n_batches=3)[1] == order


@pytest.mark.slow
def test_processes_that_wait_are_used_at_once(start):
    start(1.5)
    done([0.5] * 12)
    here, _ = done([0.0] * 4)
    assert not any(here)


@pytest.mark.slow
def test_what_was_done_here_before_counts(start):
    start(1.5)
    work = [0.5] * 6
    assert all(done(work)[0])
    assert not all(done(work)[0])


def test_threads_do_not_have_to_be_started(start):
    start(1.5)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert done([0.0] * 4)[1] != [1, 2, 3, 4]
