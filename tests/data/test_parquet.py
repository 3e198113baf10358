"""Rows of Parquet files, visited block by block."""

import numpy as np
import pandas as pd
import pytest
from array_rows import ArrayRows

from allrelevant import RelevanceClassifier
from allrelevant.data import open_parquet, parquet

N = 500
random = np.random.default_rng(0)
frame = pd.DataFrame(random.normal(size=(N, 3)), columns=["a", "b", "c"]).assign(
    b=random.integers(5, size=N), c=random.random(N) < 0.5, y=random.choice(["u", "v"], N)
)


@pytest.fixture
def folder(tmp_path):
    """Three files: one of several row groups, one without rows, one below a folder."""
    frame[:230].to_parquet(tmp_path / "a.parquet", row_group_size=100, index=False)
    frame[:0].to_parquet(tmp_path / "b.parquet", index=False)
    (tmp_path / "more").mkdir()
    frame[230:].to_parquet(tmp_path / "more" / "c.parquet", index=False)
    return tmp_path


def everything(block, shared, own):
    return block, own


def test_blocks_are_the_rows_in_order(folder, monkeypatch):
    monkeypatch.setattr(parquet, "_VALUES", 3 * 70)
    rows, target = open_parquet(folder, "y")
    assert target is rows.target
    assert (len(rows), rows.n_columns, list(rows.names)) == (N, 3, ["a", "b", "c"])
    assert sum(rows.sizes) == N
    seen = rows.visit(everything, None, [f"for {k}" for k in range(len(rows.sizes))])
    blocks = [block for block, _ in seen]
    assert max(map(len, blocks)) <= 70
    assert [own for _, own in seen] == [f"for {block.part}" for block in blocks]
    np.testing.assert_array_equal(np.concatenate([b.numbers for b in blocks]), np.arange(N))
    values = np.concatenate([block.X for block in blocks])
    np.testing.assert_array_equal(values, frame[["a", "b", "c"]].to_numpy(float))
    assert np.concatenate([block.y for block in blocks]).tolist() == frame.y.tolist()
    assert rows.n_passes == 1
    assert rows.called(1) == f"row group 1 of {folder / 'a.parquet'}"


def test_files_can_be_named_in_several_ways(folder, monkeypatch):
    assert len(open_parquet(folder / "a.parquet", "y")[0]) == 230
    assert len(open_parquet(str(folder / "*.parquet"), "y")[0]) == 230
    both = open_parquet([folder / "a.parquet", folder / "more" / "c.parquet"], "y", drop=["b"])[0]
    assert (len(both), list(both.names)) == (N, ["a", "c"])
    monkeypatch.chdir(folder)
    assert len(open_parquet("*/*.parquet", "y")[0]) == 270


def test_a_column_with_gaps_is_named_with_its_row_group(folder):
    bad = frame.assign(a=frame.a.mask(frame.index == 150))
    bad.to_parquet(folder / "a.parquet", row_group_size=100)
    rows, target = open_parquet(folder / "a.parquet", "y", drop=[])
    message = "NaN or infinity in column 'a' of row group 1 of .*a.parquet"
    with pytest.raises(ValueError, match=message):
        RelevanceClassifier().fit(rows, target)


def test_what_cannot_be_opened_is_refused(folder):
    other = folder / "other.parquet"
    with pytest.raises(ValueError, match="there is no Parquet file"):
        open_parquet(folder / "nowhere*", "y")
    with pytest.raises(ValueError, match="has no column 'z'"):
        open_parquet(folder, "z")
    with pytest.raises(ValueError, match=r"'y' of .* holds .*string, not numbers"):
        open_parquet(folder, "a")
    with pytest.raises(ValueError, match="no column beside 'y'"):
        open_parquet(folder, "y", drop=["a", "b", "c"])
    frame[["b", "a", "c", "y"]].to_parquet(other)
    with pytest.raises(ValueError, match="has other columns than"):
        open_parquet(folder, "y")
    other.write_text("no table")
    with pytest.raises(ValueError, match=r"cannot read .* as Parquet"):
        open_parquet(other, "y")


def test_a_file_that_changes_meanwhile_is_noticed(folder):
    rows, target = open_parquet(folder, "y")
    frame[:40].to_parquet(folder / "more" / "c.parquet")
    with pytest.raises(ValueError, match="has changed since it was opened"):
        RelevanceClassifier().fit(rows, target)


def test_arrays_are_visited_in_the_same_way():
    rows = ArrayRows(frame[["a", "b"]].to_numpy(), frame.y.to_numpy(), size=200)
    blocks = [block for block, _ in rows.visit(everything)]
    assert [(block.first, len(block)) for block in blocks] == [(0, 200), (200, 200), (400, 100)]
    assert rows.called(2) == "rows 400 to 499"
