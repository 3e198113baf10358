"""Work on this machine comes back in order, fails loudly, and leaves nothing behind."""

import os
import signal
import time
from functools import partial

import joblib
import numpy as np
import pytest
from joblib.parallel import ThreadingBackend
from processes import needs_proc, own_workers, processes_of, started, wait_until, workers_of
from threadpoolctl import threadpool_info, threadpool_limits

from allrelevant import RelevanceClassifier
from allrelevant.backends import run
from allrelevant.base.errors import WorkerLostError
from allrelevant.datasets import make_classification

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


class Die:
    """Is killed by the second task, as by a system that is out of memory."""

    def __call__(self, task):
        if task == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return task


class PlainThreads(ThreadingBackend):
    """A backend that gives all results at the end, as those of other packages may."""

    supports_return_generator = False


joblib.register_parallel_backend("plain", PlainThreads)


class Threads:
    def __call__(self, task):
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


class ThreadsLater(Threads):
    """Looks a moment later, each task at another time."""

    def __call__(self, task):
        time.sleep(0.01 * task)
        return super().__call__(task)


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


@pytest.mark.slow
def test_a_killed_worker_is_an_error_that_says_so_and_work_goes_on():
    with pytest.raises(WorkerLostError, match="one of 2 worker processes ended before"):
        run(Die, list(range(8)), 2)
    assert run(Die, [0, 2, 3], 2) == [0, 2, 3]


# joblib's settings


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["threading", "loky", "sequential", "plain"])
def test_every_backend_of_joblib_does_the_tasks(backend):
    told = []
    with joblib.parallel_config(backend=backend, n_jobs=2):
        results = run(partial(Scale, 3), list(range(7)), None, told.append)
    assert [value for value, _, _ in results] == [3 * task for task in range(7)]
    assert sum(told) == 7
    assert ({process for _, _, process in results} == {os.getpid()}) == (backend != "loky")


@pytest.mark.slow
def test_processes_that_would_wait_for_ever_are_not_used():
    """Where a worker is killed joblib's multiprocessing backend never comes back."""
    with (
        joblib.parallel_config(backend="multiprocessing", n_jobs=2),
        pytest.warns(match="'loky' is used instead"),
        pytest.raises(WorkerLostError),
    ):
        run(Die, list(range(8)))


@pytest.mark.parametrize("n_jobs", [2, 5])
def test_threads_of_joblib_have_one_thread_of_linear_algebra_each(n_jobs):
    """The setting is the whole process's: a thread that is done must not give it back."""
    with (
        threadpool_limits(2, user_api="blas"),
        joblib.parallel_config(backend="threading", n_jobs=n_jobs),
    ):
        found = run(ThreadsLater, list(range(10)))
        after = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
    assert {number for threads in found for number in threads} == {1}
    assert after == {2}


@pytest.mark.slow
def test_a_fit_gives_the_same_bits_with_threads_and_processes():
    X, y, _ = make_classification(60, n_strong=1, n_weak=2, n_irrelevant=2, random_state=0)
    fits = []
    for backend in ("threading", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            fits.append(RelevanceClassifier(random_state=0).fit(X, y))
    np.testing.assert_array_equal(fits[0].intervals_, fits[1].intervals_)
    np.testing.assert_array_equal(fits[0].p_values_, fits[1].p_values_)


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


@pytest.fixture
def slow_fit():
    with started("-c", SLOW_FIT) as process:
        yield process


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
