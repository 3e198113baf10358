"""Fits to chunks on a real cluster of two processes, whatever happens to it."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from outside_cases import FEW, TARGETS, X, estimator

from allrelevant import backends
from allrelevant.cli import main
from allrelevant.data import open_parquet
from allrelevant.linear.fit.outside import open as opening

pytestmark = pytest.mark.slow
y = TARGETS["classification"]


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    # Workers have little memory: only a chunk at a time is there.
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="600MiB", dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module", autouse=True)
def few_drawn():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "FEW", FEW)
        yield


@pytest.fixture(scope="module")
def here():
    return estimator("classification").fit(X, y)


def chunks(wait=0.0):
    """Chunks of several sizes, one of them empty; each takes a while."""
    sizes = (150, 0, 350, 400)
    table = da.from_array(X, chunks=(sizes, (4, 2)))
    slow = table.map_blocks(lambda block: time.sleep(wait) or block, dtype=float)
    return slow, da.from_array(y, chunks=(sizes,))


def assert_same(there, here):
    np.testing.assert_allclose(there.intervals_, here.intervals_, atol=1e-6)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-6)


def test_a_worker_that_is_killed_meanwhile_changes_nothing(client, here):
    (address, worker), *_ = client.run(os.getpid).items()

    def kill():
        until(lambda: client.processing()[address])
        os.kill(worker, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    assert_same(estimator("classification").fit(*chunks(wait=0.2)), here)
    killer.join()
    assert worker not in client.run(os.getpid).values()


def test_two_fits_at_once(client, here):
    found = {}

    def fit(k):
        found[k] = estimator("classification").fit(*chunks())

    threads = [threading.Thread(target=fit, args=(k,)) for k in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for k in range(2):
        assert_same(found[k], here)


SCRIPT = """
import sys, time
import dask.array as da, numpy as np
from distributed import Client
from allrelevant import RelevanceClassifier

def slow(block):
    time.sleep(0.5)
    return block

with Client(sys.argv[1]):
    X = da.random.default_rng(0).normal(size=(900, 3), chunks=(100, 3)).map_blocks(
        slow, dtype=float, meta=np.empty((0, 0)))
    RelevanceClassifier().fit(X, np.arange(900) % 2)
"""


def test_a_fit_that_is_interrupted_leaves_nothing_behind(client):
    command = [sys.executable, "-c", SCRIPT, client.scheduler.address]
    other = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until(lambda: any(client.processing().values()))
    other.send_signal(signal.SIGINT)
    assert other.wait(60) != 0
    until(lambda: not any([*client.processing().values(), *client.has_what().values()]))


def until(condition):
    """Wait for something that has to come."""
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("it did not come")


def test_ranges_of_chunks_are_found_where_the_chunks_are(client, here):
    there = estimator("classification").fit(*chunks())
    lazy = there.prediction_range(da.from_array(X[:6], chunks=(3, 6)))
    found, shift = lazy.compute(), there.offset_shift_ - here.offset_shift_
    known = here.prediction_range(X[:6])
    np.testing.assert_allclose(found.low - shift, known.low, atol=1e-5)
    np.testing.assert_allclose(found.high - shift, known.high, atol=1e-5)


def test_row_groups_are_read_by_workers(client, here, tmp_path, capsys):
    names = [f"x{k}" for k in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names).assign(y=y)
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=250)
    there = estimator("classification").fit(*open_parquet(tmp_path, "y", on_dask=True))
    assert_same(there, here)
    address = client.scheduler.address
    options = ["--probes", "6", "--tolerance", "0.02", "--json", "--dask", address]
    assert main(["fit", str(tmp_path), "-t", "y", *options]) == 0
    said = capsys.readouterr()
    assert address in said.err
    assert json.loads(said.out)["result"]["names"] == names


def test_workers_that_die_of_a_chunk_are_told_of(client):
    def deadly(block):
        os.kill(os.getpid(), signal.SIGKILL)

    table = da.from_array(X, chunks=(900, 6)).map_blocks(deadly, dtype=float, meta=np.empty((0, 0)))
    with pytest.raises(backends.local.WorkerLostError, match="make the chunks smaller"):
        estimator("classification").fit(table, y)


def test_features_on_the_cluster_and_data_in_memory(client, here):
    from joblib import parallel_config

    with parallel_config(backend="dask"):
        there = estimator("classification", n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(there.intervals_, here.intervals_)
