"""Chunks of dask arrays and frames: any chunks, the same rows; on dask's local schedulers."""

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from allrelevant.data.dask_rows import DaskRows, by_chunk, is_dask
from allrelevant.data.outside import rows_of

N = 60
random = np.random.default_rng(0)
X, y = random.normal(size=(N, 3)), random.choice(["u", "v"], N)
frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y)


@pytest.fixture(autouse=True, params=["sync", "threads"])
def scheduler(request):
    with dask.config.set(scheduler=request.param):
        yield


def everything(block, shared, own):
    return block.first, block.X, block.y, shared, own


def kept(array):
    """The same array with chunks whose sizes nobody knows."""
    return array[da.from_array(np.ones(N, dtype=bool), chunks=array.chunks[0])]


CHUNKS = {
    "equal": lambda: (da.from_array(X, chunks=(20, 3)), da.from_array(y, chunks=20)),
    "unequal": lambda: (da.from_array(X, chunks=((7, 50, 3), 3)), da.from_array(y, chunks=25)),
    "empty": lambda: (
        da.from_array(X, chunks=((0, 30, 0, 30), 3)),
        da.from_array(y, chunks=((0, 30, 0, 30),)),
    ),
    "columns split": lambda: (da.from_array(X, chunks=(20, 2)), da.from_array(y, chunks=20)),
    "sizes unknown": lambda: (
        kept(da.from_array(X, chunks=(20, 2))),
        kept(da.from_array(y, chunks=20)),
    ),
    "target in memory": lambda: (da.from_array(X, chunks=(25, 3)), y),
    "one column of targets": lambda: (
        da.from_array(X, chunks=(25, 3)),
        da.from_array(y[:, None], chunks=(25, 1)),
    ),
    "frames": lambda: (
        dd.from_pandas(frame[["a", "b", "c"]], npartitions=3),
        dd.from_pandas(frame["y"], npartitions=3),
    ),
}


@pytest.mark.parametrize("chunks", CHUNKS)
def test_rows_are_the_same_whatever_the_chunks(chunks):
    rows = rows_of(*CHUNKS[chunks]())
    assert (len(rows), rows.n_columns) == (N, 3)
    assert (rows.names is None) == (chunks != "frames")
    found = rows.visit(everything, "for all", list(range(len(rows.sizes))))
    assert [one[0] for one in found] == rows.firsts.tolist()
    np.testing.assert_array_equal(np.concatenate([one[1] for one in found]), X)
    assert np.concatenate([one[2].ravel() for one in found]).tolist() == y.tolist()
    assert [one[4] for one in found] == list(range(len(found)))
    assert {one[3] for one in found} == {"for all"}


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # dask's own, with pandas 3.1
def test_parquet_by_dask(tmp_path):
    for name, rows in (("a", frame[:25]), ("b", frame[25:])):
        rows.to_parquet(tmp_path / f"{name}.parquet", index=False)
    read = dd.read_parquet(tmp_path)
    rows = DaskRows(read[["a", "b", "c"]], read["y"])
    np.testing.assert_array_equal(np.concatenate([one[1] for one in rows.visit(everything)]), X)


def test_what_does_not_go_together_is_refused():
    array = da.from_array(X, chunks=(20, 3))
    with pytest.raises(ValueError, match="X has 60 rows, and y has 59"):
        DaskRows(array, y[1:])
    with pytest.raises(ValueError, match="X has 60 rows, and y has 59"):
        DaskRows(array, da.from_array(y[1:]))
    with pytest.raises(ValueError, match="X has 3 chunks and y has 2"):
        DaskRows(kept(array), kept(da.from_array(y, chunks=30)))
    short = da.from_array(y, chunks=20)
    with pytest.raises(ValueError, match="chunk 0 of X has 20 rows, and that of y has"):
        DaskRows(kept(array), short[da.from_array(np.arange(N) > 3, chunks=20)])
    with pytest.raises(ValueError, match="y is a dask array, but X is in memory"):
        rows_of(X, short)
    with pytest.raises(ValueError, match="has 1 dimensions"):
        DaskRows(short, short)
    text = dd.from_pandas(frame[["a", "y"]], npartitions=2)
    with pytest.raises(ValueError, match="Column 'y' does not hold numbers"):
        DaskRows(text, y).visit(everything)
    assert rows_of(X, y) is None


def test_rows_that_change_between_passes_are_noticed():
    sizes = iter([20, 20, 20, 19])
    parts = [dask.delayed(lambda: X[: next(sizes)], pure=False)() for _ in range(3)]
    made = [da.from_delayed(one, (20, 3), float) for one in parts]
    rows = DaskRows(da.concatenate(made), y)  # the sizes that it was told are measured
    with (
        dask.config.set(scheduler="sync"),
        pytest.raises(ValueError, match=r"now has 19, .* the same rows in every pass"),
    ):
        rows.visit(everything)


def test_functions_of_chunks_are_lazy():
    calls = []

    def doubled(chunk):
        calls.append(len(chunk))
        return 2.0 * np.asarray(chunk)[:, :1]

    array = da.from_array(X, chunks=((20, 0, 40), 2))
    assert is_dask(array)
    assert not is_dask(X)
    made = by_chunk(array, doubled, np.zeros((0, 1)))
    assert made.shape == (N, 1)
    assert not calls
    np.testing.assert_array_equal(made.compute(), 2.0 * X[:, :1])
    assert sorted(calls) == [20, 40]
