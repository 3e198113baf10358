"""Work on this machine comes back in order, fails loudly, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import joblib
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from allrelevant.backends import run

N_JOBS = pytest.mark.parametrize("n_jobs", [None, 1, 2])


class Scale:
    """A worker that knows how many tasks it has done, and in which process."""

    def __init__(self, factor):
        self.factor = factor
        self.n_done = 0

    def __call__(self, task):
        self.n_done += 1
        return task * self.factor, self.n_done, os.getpid()


class FailAt:
    def __init__(self, where):
        self.where = where

    def __call__(self, task):
        if task == self.where:
            raise LookupError(f"task {task} went wrong")
        return task


class SleepAfter:
    """Does the first task at once and then takes a minute for each."""

    def __call__(self, task):
        time.sleep(60.0 if task else 0.0)
        return task


class Threads:
    def __call__(self, task):
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@N_JOBS
@pytest.mark.parametrize("n_tasks", [1, 2, 7, 30])
def test_results_come_in_the_order_of_the_tasks(n_jobs, n_tasks):
    results = run(partial(Scale, 3), list(range(n_tasks)), n_jobs)
    assert [value for value, _, _ in results] == [3 * task for task in range(n_tasks)]


@N_JOBS
def test_no_tasks_no_results(n_jobs):
    assert run(partial(Scale, 3), [], n_jobs) == []


@N_JOBS
def test_advance_is_told_of_every_task(n_jobs):
    told = []
    run(partial(Scale, 3), list(range(9)), n_jobs, told.append)
    assert sum(told) == 9
    assert min(told) >= 1


def test_one_process_makes_one_worker_and_works_here():
    results = run(partial(Scale, 3), list(range(5)), 1)
    assert [n_done for _, n_done, _ in results] == [1, 2, 3, 4, 5]
    assert {process for _, _, process in results} == {os.getpid()}


def test_several_processes_work_elsewhere_and_workers_are_used_again():
    results = run(partial(Scale, 3), list(range(12)), 2)
    assert os.getpid() not in {process for _, _, process in results}
    assert max(n_done for _, n_done, _ in results) >= 3


def test_joblibs_own_setting_is_the_default():
    with joblib.parallel_config(n_jobs=2):
        results = run(partial(Scale, 3), list(range(6)))
    assert os.getpid() not in {process for _, _, process in results}


@pytest.mark.slow
@N_JOBS
def test_exceptions_reach_the_caller(n_jobs):
    with pytest.raises(LookupError, match="task 4 went wrong"):
        run(partial(FailAt, 4), list(range(8)), n_jobs)


@pytest.mark.slow
@N_JOBS
def test_work_goes_on_after_a_failure(n_jobs):
    with pytest.raises(LookupError):
        run(partial(FailAt, 0), list(range(8)), n_jobs)
    assert run(partial(FailAt, -1), list(range(8)), n_jobs) == list(range(8))


@N_JOBS
def test_linear_algebra_has_one_thread_while_working(n_jobs):
    with threadpool_limits(2, user_api="blas"):
        found = run(Threads, [0, 1, 2], n_jobs)
    for threads in found:
        assert threads == [1] * len(threads)
        assert threads, "numpy's BLAS should be seen"


def test_threads_are_given_back_afterwards():
    with threadpool_limits(2, user_api="blas"):
        before = threadpool_info()
        run(Threads, [0, 1], 1)
        with pytest.raises(LookupError):
            run(partial(FailAt, 0), [0], 1)
        assert threadpool_info() == before


# Ctrl-C

SLOW_FIT = """
import sys
from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification

X, y, _ = make_classification(
    4000, n_strong=20, n_weak=20, n_irrelevant=80, noise=0.5, label_noise=0.2, random_state=0)
model = RelevanceClassifier(C=0.01, tolerance=0.1, n_probes=200, n_jobs=2, random_state=0)
print("started", flush=True)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.stdin.read()
    raise
print("finished", flush=True)
"""


def processes(belongs):
    """Command lines of the living processes with such a parent and session."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            state, parent, _, session, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            if state != "Z" and belongs(int(parent), int(session)):
                found[int(folder.name)] = (folder / "cmdline").read_text().replace("\0", " ")
        except OSError:  # it has just ended
            continue
    return found


def processes_of(leader):
    found = processes(lambda parent, session: session == leader)
    return {pid: command for pid, command in found.items() if pid != leader}


def is_worker(command):
    return "popen_loky" in command


def workers_of(leader):
    return [pid for pid, command in processes_of(leader).items() if is_worker(command)]


def own_workers():
    found = processes(lambda parent, session: parent == os.getpid())
    return [pid for pid, command in found.items() if is_worker(command)]


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


@pytest.fixture
def slow_fit():
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_FIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        try:
            yield process
        finally:
            for pid in [*processes_of(process.pid), process.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.mark.slow
@needs_proc
def test_interrupt_between_two_results_stops_the_workers():
    def interrupt(n_done):
        assert own_workers()
        raise KeyboardInterrupt

    # The error holds on to the frames in which it was raised, and so to the work under way.
    with pytest.raises(KeyboardInterrupt) as caught:
        run(SleepAfter, list(range(4)), 2, interrupt)
    assert caught.tb is not None
    assert wait_until(lambda: not own_workers(), 10), "workers outlive the interrupted run"


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("whole_group", [True, False], ids=["terminal", "notebook"])
def test_interrupted_fit_leaves_no_workers_behind(slow_fit, whole_group):
    """Ctrl-C in a terminal reaches all processes, a notebook's stop button only the first."""
    session = slow_fit.pid
    assert slow_fit.stdout.readline() == "started\n"
    assert wait_until(lambda: len(workers_of(session)) >= 2, 30), "no workers were started"
    time.sleep(1.0)  # so that they have something to do
    if whole_group:
        os.killpg(session, signal.SIGINT)
    else:
        os.kill(session, signal.SIGINT)
    assert slow_fit.stdout.readline() == "interrupted\n"
    assert wait_until(lambda: not workers_of(session), 5), "workers outlive the interrupted fit"
    _, errors = slow_fit.communicate(timeout=20)
    assert slow_fit.returncode != 0
    assert "KeyboardInterrupt" in errors
    assert wait_until(lambda: not processes_of(session), 10), processes_of(session)
