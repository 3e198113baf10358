"""Work that is done stays done: results in a file, for a run that is ended before its time.

All work of a fit goes through :func:`allrelevant.backends.run`, call after call, and each call is
made of batches. A finished batch is written to an SQLite database, which a process that is killed
leaves whole; a run with the same data and parameters makes the same calls, and takes what is there.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

from joblib import effective_n_jobs

from allrelevant.backends.local import Result, Worker, batches_of
from allrelevant.backends.starting import at_once
from allrelevant.base.errors import warn_user

_APPLICATION = 0x414C5243  # "ALRC": tells our databases from others
_FORMAT = "allrelevant.checkpoint/1"
_BATCHES = 16  # of a call that does not say how many it wants
_TABLES = """
CREATE TABLE about (part TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE done (
    call INTEGER, batch INTEGER, tasks TEXT NOT NULL, results BLOB NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (call, batch)
);
"""
# Beside our own dataclasses: what arrays and numbers of numpy are made of.
_OF_NUMPY = {
    *(("numpy", name) for name in ("ndarray", "dtype")),
    *(
        (module, name)
        for module in ("numpy._core.multiarray", "numpy.core.multiarray")
        for name in ("_reconstruct", "scalar")
    ),
    *((module, "_frombuffer") for module in ("numpy._core.numeric", "numpy.core.numeric")),
}


class CheckpointError(ValueError):
    """A file is no checkpoint, not one of this run, or damaged."""


class Checkpoint:
    """A file with the batches that a run has finished.

    Parameters
    ----------
    path : path
        Made where there is none; refused where it is not a checkpoint of the same run.
    run : mapping of str to str
        What the run is: a digest of everything that it depends on, by what that is called.
    """

    def __init__(self, path: str | os.PathLike[str], run: Mapping[str, str]) -> None:
        self.path, self._n_calls = Path(path), 0
        is_new = not self.path.exists()
        try:
            self._database = sqlite3.connect(self.path, isolation_level=None, timeout=0.0)
        except sqlite3.Error as error:
            raise CheckpointError(f"{self.path} cannot hold a checkpoint: {error}") from error
        try:
            # Nobody else may read or write meanwhile.
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._database.execute("BEGIN EXCLUSIVE")
            if is_new:
                self._begin(run)
            else:
                self._go_on(run)
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            self.close()
            raise self._refusal(error) from error
        except CheckpointError:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def run(
        self,
        backend: Callable[..., list[Any]],
        make_worker: Callable[[], Worker[Result]],
        tasks: Sequence[Any],
        n_jobs: int | None,
        advance: Callable[[int], Any],
        n_batches: int | None,
    ) -> list[Result]:
        """Do what is not done yet, and give all results in order."""
        call, self._n_calls = self._n_calls, self._n_calls + 1
        batches = batches_of(len(tasks), n_batches or _BATCHES)
        found = self._known(call, len(tasks), len(batches))
        advance(sum(len(batches[k]) for k in found))
        waiting = [k for k in range(len(batches)) if k not in found]
        # What is done side by side is written together.
        n = max(effective_n_jobs(n_jobs), 1)
        for some in (waiting[first : first + n] for first in range(0, len(waiting), n)):
            parts = [[tasks[i] for i in batches[k]] for k in some]
            if len(parts) == 1:
                done = [backend(make_worker, parts[0], n_jobs, advance, 1)]
            else:
                make = partial(_WholeBatch, make_worker)
                done = backend(make, parts, n_jobs, lambda n: None, len(parts))
                advance(sum(map(len, parts)))
            new = dict(zip(some, done, strict=True))
            self._keep(call, len(tasks), len(batches), new)
            found |= new
        results = {
            i: result
            for k, batch in enumerate(batches)
            for i, result in zip(batch, found[k], strict=True)
        }
        return [results[i] for i in range(len(tasks))]

    def _begin(self, run: Mapping[str, str]) -> None:
        self._database.execute(f"PRAGMA application_id = {_APPLICATION}")
        for statement in _TABLES.split(";"):
            self._database.execute(statement)
        about = {"format": _FORMAT, **run}
        self._database.executemany("INSERT INTO about VALUES (?, ?)", about.items())

    def _go_on(self, run: Mapping[str, str]) -> None:
        if self._database.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise CheckpointError(
                f"{self.path} is not a checkpoint of allrelevant: name another file"
            )
        about = dict(self._database.execute("SELECT part, value FROM about"))
        for part, value in {"format": _FORMAT, **run}.items():
            if about.get(part) != value:
                raise CheckpointError(
                    f"{self.path} is a checkpoint of another run: {part} differs. Delete it to "
                    "begin anew, or name another file"
                )

    def _known(self, call: int, n_tasks: int, n_batches: int) -> dict[int, list[Any]]:
        """The batches of a call that are done."""
        asked = "SELECT batch, tasks, results, digest FROM done WHERE call = ?"
        try:
            rows = self._database.execute(asked, (call,)).fetchall()
        except sqlite3.Error as error:
            raise self._refusal(error) from error
        found = {}
        for batch, tasks, results, digest in rows:
            if tasks != f"{n_tasks} in {n_batches}":
                raise CheckpointError(
                    f"{self.path} is a checkpoint of another run: it has {tasks} tasks in the "
                    f"place of {n_tasks} in {n_batches}. Delete it to begin anew"
                )
            if hashlib.sha256(results).digest() != digest:
                raise self._refusal("what it holds is not what was written")
            found[batch] = _Reader(io.BytesIO(results)).load()
        return found

    def _keep(self, call: int, n_tasks: int, n_batches: int, new: Mapping[int, Any]) -> None:
        """Write batches; a fit goes on where that is not possible, and says so."""
        rows = []
        for batch, results in new.items():
            data = pickle.dumps(results, protocol=5)
            digest = hashlib.sha256(data).digest()
            rows.append((call, batch, f"{n_tasks} in {n_batches}", data, digest))
        try:
            self._database.execute("BEGIN")
            self._database.executemany("INSERT OR REPLACE INTO done VALUES (?, ?, ?, ?, ?)", rows)
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            warn_user(f"the checkpoint {self.path} could not be written ({error}); work goes on")

    def _refusal(self, reason: object) -> CheckpointError:
        if "locked" in str(reason):
            return CheckpointError(f"{self.path} is in use by another run")
        return CheckpointError(
            f"{self.path} is not a checkpoint, or a damaged one ({reason}): name another file"
        )


class _WholeBatch:
    """Does the tasks of a batch with one worker."""

    def __init__(self, make_worker: Callable[[], Worker[Any]]) -> None:
        self._make = make_worker

    def __call__(self, tasks: Sequence[Any]) -> list[Any]:
        worker = self._make()
        return [worker(task) for task in tasks]


class _Reader(pickle.Unpickler):
    """Reads results, and makes nothing but our own dataclasses and numpy's arrays."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of that name, where it is one of these."""
        if (module, name) in _OF_NUMPY:
            return super().find_class(module, name)
        if module.partition(".")[0] == "allrelevant":
            found = super().find_class(module, name)
            if isinstance(found, type) and is_dataclass(found):
                return found
        raise CheckpointError(f"a checkpoint must not hold {module}.{name}")


current: ContextVar[Checkpoint | None] = ContextVar("checkpoint", default=None)


@contextmanager
def kept_in(
    path: str | os.PathLike[str] | None, run: Callable[[], Mapping[str, str]]
) -> Iterator[None]:
    """Keep the work that is done meanwhile in a file, if there is one."""
    if path is None:
        yield
        return
    with closing(Checkpoint(path, run())) as checkpoint, at_once():
        before = current.set(checkpoint)
        try:
            yield
        finally:
            current.reset(before)
