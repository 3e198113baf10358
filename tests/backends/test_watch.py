"""Workers end with the process they work for, even where that is killed."""

import os
import signal
import subprocess
import sys

import pytest
from processes import needs_proc, processes_of, started, wait_until, workers_of

from allrelevant.backends.watch import watch

pytestmark = [pytest.mark.slow, needs_proc]

WORK = """
import glob, os, sys, time
from allrelevant.backends import run
from allrelevant.backends.starting import at_once

class Sleep:
    def __call__(self, task):
        os.write(1, b"works\\n")  # at one go
        open(f"{sys.argv[0]}.{os.getpid()}", "w").close()
        time.sleep(task)
        while len(glob.glob(f"{sys.argv[0]}.*")) < 2:  # else one worker might do all of it
            time.sleep(0.01)
        return task

if __name__ == "__main__":
    with at_once():  # a task that is tried here would wait for the other for ever
        run(Sleep, [float(sys.argv[1])] * 2, 2)
    print("done", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "work.py"
    path.write_text(WORK)
    return str(path)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGABRT])
def test_busy_workers_of_a_process_that_is_gone(program, how):
    with started(program, "600") as process:
        assert [process.stdout.readline() for _ in range(2)] == 2 * ["works\n"]
        process.send_signal(how)
        process.wait(10)
        assert wait_until(lambda: not processes_of(process.pid), 5), processes_of(process.pid)


def test_workers_that_wait_for_work_of_a_process_that_is_gone(program):
    with started(program, "0") as process:
        assert [process.stdout.readline() for _ in range(3)] == ["works\n", "works\n", "done\n"]
        assert len(workers_of(process.pid)) == 2
        process.kill()
        process.wait(10)
        assert wait_until(lambda: not processes_of(process.pid), 5), processes_of(process.pid)


ORPHAN = """
import multiprocessing, os, sys, time
from allrelevant.backends.watch import watch

def work():
    watch(os.getpid())  # where it works itself, as with threads
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    multiprocessing.get_context("fork").Process(target=work).start()
    sys.stdin.read()
"""


def test_a_process_of_the_users_own_is_left_alone(tmp_path):
    """It may outlive its parent if it wants to, whatever it has computed."""
    path = tmp_path / "orphan.py"
    path.write_text(ORPHAN)
    with started(str(path)) as process:
        pid = int(process.stdout.readline())
        process.kill()
        process.wait(10)
        assert not wait_until(lambda: pid not in processes_of(process.pid), 2)


def test_nothing_is_watched_here():
    code = (
        "import os, threading; from allrelevant.backends.watch import watch;"
        "watch(os.getpid()); print(threading.active_count())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout == "1\n", done.stderr
    assert watch(os.getpid()) is None
