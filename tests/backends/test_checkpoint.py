"""Fits that are ended before their time go on, and files that are not theirs are refused."""

import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from stopping import Stopping

from allrelevant import ForestRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from allrelevant.backends import local, using
from allrelevant.backends.checkpoint import Checkpoint, CheckpointError

RUN = {"the data": "a", "a parameter": "b"}


def data(n=80, d=8, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    return X, (X[:, 0] + X[:, 1] + 0.3 * random.normal(size=n) > 0).astype(int)


def answer(model):
    known = json.loads(model.result_.to_json())
    return json.dumps(known, sort_keys=True)


def squares(checkpoint, n, backend=None):
    return checkpoint.run(
        backend or local.run, lambda: lambda task: task**2, range(n), 1, lambda n: None, 4
    )


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 3, 40])
def test_what_is_done_is_not_done_again(tmp_path, most):
    X, y = data()
    model = RelevanceClassifier(n_probes=30, random_state=0)
    whole = Stopping()
    with using(whole):
        expected = answer(model.fit(X, y))
    model.set_params(checkpoint=tmp_path / "run.part")
    first, second = Stopping(most), Stopping()
    with using(first), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    with using(second):
        assert answer(model.fit(X, y)) == expected
    # What an unfinished batch had done is done anew.
    assert whole.done - most <= second.done <= whole.done
    assert (second.done < whole.done) == (most > 0)
    nothing = Stopping(0)
    with using(nothing):
        model.fit(X, y)
    assert answer(model) == expected


@pytest.mark.slow
def test_a_forest_goes_on(tmp_path):
    X, y = data(n=120, d=4)
    model = ForestRelevanceClassifier(estimator="linear", random_state=0)
    expected = answer(model.fit(X, y))
    model.set_params(checkpoint=tmp_path / "run.part")
    with using(Stopping(12)), pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert answer(model.fit(X, y)) == expected


KILLED = """
import sys
import numpy as np
from allrelevant import RelevanceRegressor
from allrelevant.backends.checkpoint import Checkpoint

keep = Checkpoint._keep

def and_say_so(*args):
    keep(*args)
    print("kept", flush=True)

Checkpoint._keep = and_say_so
X, y = np.load(sys.argv[1])["X"], np.load(sys.argv[1])["y"]
model = RelevanceRegressor(n_probes=60, epsilon=0.1, random_state=0, n_jobs=2)
model.set_params(checkpoint=sys.argv[2]).fit(X, y)
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_with_the_same_bits(tmp_path):
    """Killed by -9 in the middle of the probes, with two processes, and taken up by one."""
    X, _ = data(n=150, d=8)
    y = X[:, :3].sum(axis=1) + np.random.default_rng(1).normal(size=150)
    np.savez(tmp_path / "data.npz", X=X, y=y)
    file = tmp_path / "run.part"
    command = [sys.executable, "-c", KILLED, tmp_path / "data.npz", file]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as started:
        kept = [started.stdout.readline() for _ in range(5)]
        os.killpg(started.pid, signal.SIGKILL)
    assert kept == [b"kept\n"] * 5
    model = RelevanceRegressor(n_probes=60, epsilon=0.1, random_state=0)
    whole, rest = Stopping(), Stopping()
    with using(whole):
        expected = answer(model.fit(X, y))
    with using(rest):
        assert answer(model.set_params(checkpoint=file).fit(X, y)) == expected
    assert rest.done < whole.done


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"n_probes": 40}, "a parameter"),
        ({"random_state": 1}, "a parameter"),
        ({"n_jobs": 2}, None),
        ({"verbose": 0}, None),
    ],
)
def test_other_parameters_are_another_run(tmp_path, changed, what):
    X, y = data()
    model = RelevanceClassifier(n_probes=30, random_state=0, checkpoint=tmp_path / "run.part")
    model.fit(X, y)
    model.set_params(**changed)
    if what is None:
        model.fit(X, y)
        return
    with pytest.raises(CheckpointError, match=rf"run\.part .* another run: {what} differs"):
        model.fit(X, y)


@pytest.mark.slow
def test_other_data_and_another_kind_of_estimator_are_another_run(tmp_path):
    X, y = data()
    file = tmp_path / "run.part"
    RelevanceClassifier(n_probes=30, random_state=0, checkpoint=file).fit(X, y)
    for other in (X + 1e-9 * (np.arange(X.size).reshape(X.shape) == 17), X[:-1]):
        with pytest.raises(CheckpointError, match="another run: the data differs"):
            RelevanceClassifier(n_probes=30, random_state=0, checkpoint=file).fit(
                other, y[: len(other)]
            )
    with pytest.raises(CheckpointError, match="the kind of estimator differs"):
        RelevanceRegressor(n_probes=30, random_state=0, checkpoint=file).fit(X, y)


def test_a_run_that_could_not_go_on_is_refused(tmp_path):
    X, y = data()
    with pytest.raises(ValueError, match="with a checkpoint random_state must be a whole number"):
        RelevanceClassifier(checkpoint=tmp_path / "run.part").fit(X, y)
    with pytest.raises(ValueError, match="checkpoint must be the name of a file"):
        RelevanceClassifier(checkpoint=3, random_state=0).fit(X, y)
    with pytest.raises(CheckpointError, match="cannot hold a checkpoint"):
        Checkpoint(tmp_path / "nowhere" / "run.part", RUN)


def foreign(file):
    file.write_text("a,b\n1,2\n")


def another_database(file):
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE about (part TEXT, value TEXT)")


def empty(file):
    file.touch()


def cut(file):
    _written(file)
    file.write_bytes(file.read_bytes()[:-4096])


def half(file):
    _written(file)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 - 100])


def changed(file):
    _written(file)
    content = file.read_bytes()
    place = content.rindex(pickle.dumps([0, 16], protocol=5)[-8:])
    file.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])


def _written(file):
    checkpoint = Checkpoint(file, RUN)
    squares(checkpoint, 8)
    checkpoint.close()


@pytest.mark.parametrize("made", [foreign, another_database, empty, cut, half, changed])
def test_files_that_are_no_whole_checkpoints_are_refused_by_name(tmp_path, made):
    file = tmp_path / "run.part"
    made(file)
    before = file.read_bytes()
    with pytest.raises(CheckpointError, match=r"run\.part is not a checkpoint"):
        squares(Checkpoint(file, RUN), 8)
    assert file.read_bytes() == before


def test_a_file_is_used_by_one_run_at_a_time(tmp_path):
    first = Checkpoint(tmp_path / "run.part", RUN)
    with pytest.raises(CheckpointError, match="in use by another run"):
        Checkpoint(tmp_path / "run.part", RUN)
    first.close()
    Checkpoint(tmp_path / "run.part", RUN).close()


def test_other_tasks_in_their_place_are_refused(tmp_path):
    _written(tmp_path / "run.part")
    with pytest.raises(CheckpointError, match=r"8 in 4 tasks in the place of 9 in 4"):
        squares(Checkpoint(tmp_path / "run.part", RUN), 9)


def test_a_full_disk_does_not_end_the_work(tmp_path):
    checkpoint = Checkpoint(tmp_path / "run.part", RUN)
    checkpoint._database.execute("PRAGMA max_page_count = 1")
    with pytest.warns(UserWarning, match=r"run\.part could not be written .*full.*work goes on"):
        found = checkpoint.run(
            local.run, lambda: lambda task: np.zeros(10_000), range(2), 1, lambda n: None, 1
        )
    assert len(found) == 2


def test_nothing_is_run_that_a_file_holds(tmp_path):
    checkpoint = Checkpoint(tmp_path / "run.part", RUN)

    class Harm:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "harm"),)

    checkpoint._keep(0, 8, 4, {0: [Harm()]})
    with pytest.raises(CheckpointError, match=r"must not hold .*mkdir"):
        squares(checkpoint, 8)
    assert not (tmp_path / "harm").exists()
