"""Archives of JSON and arrays: what is written is read, and nothing else is."""

import io
import json
import pickle
import zipfile
from contextlib import nullcontext

import numpy as np
import pytest

from allrelevant.base.archive import ArchiveError, read_archive, write_archive

ARRAYS = [
    np.arange(6.0).reshape(2, 3),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.array(["a", "bcd"]),
    np.array(3),
    np.zeros((0, 4)),
    np.arange(12).reshape(3, 4)[:, ::2],
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "file"


def repacked(path, *members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, content in members:
            file.writestr(name, content)


def npy_of(array, **kwargs):
    content = io.BytesIO()
    np.lib.format.write_array(content, array, **kwargs)
    return content.getvalue()


def test_arrays_keep_bits_kind_and_order(path):
    write_archive(path, {"é": [1, None]}, ARRAYS)
    document, arrays = read_archive(path)
    assert document == {"é": [1, None]}
    for was, found in zip(ARRAYS, arrays, strict=True):
        assert found.dtype == was.dtype
        np.testing.assert_array_equal(found, was)
        assert found.flags.f_contiguous == (was.flags.f_contiguous or was.size < 2)
        assert found.flags.writeable


def test_the_same_content_is_the_same_file(path, tmp_path):
    write_archive(path, {"a": 1}, ARRAYS)
    write_archive(tmp_path / "other", {"a": 1}, ARRAYS)
    assert path.read_bytes() == (tmp_path / "other").read_bytes()


@pytest.mark.parametrize("where", [0.02, 0.3, 0.6, 0.9])
def test_a_changed_or_cut_file_is_refused(path, where):
    write_archive(path, {"a": "b" * 500}, [np.arange(100.0)])
    whole = path.read_bytes()
    k = int(where * len(whole))
    for content in (whole[:k], whole[:k] + bytes([whole[k] ^ 255]) + whole[k + 1 :]):
        path.write_bytes(content)
        with pytest.raises(ArchiveError, match=r"is damaged|not a file that allrelevant"):
            read_archive(path)


class Trap:
    def __reduce__(self):
        return exec, ("raise SystemExit('run')",)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([("other.txt", "{}")], "is not a file that allrelevant saved"),
        ([("document.json", "{}"), ("../../etc/x.npy", "")], "is not a file that allrelevant"),
        ([("document.json", "{}"), ("document.json", "{}")], "is not a file that allrelevant"),
        ([("document.json", "[]")], "is not a file that allrelevant saved"),
        ([("document.json", "{")], "is damaged"),
        ([("document.json", b"\xff")], "is damaged"),
        ([("document.json", "[" * 100_000)], "is damaged"),
        ([("document.json", "{}"), ("arrays/0.npy", "no array")], "is damaged"),
    ],
)
def test_what_is_none_of_ours_is_refused(path, members, said):
    with (
        pytest.warns(UserWarning, match="Duplicate")
        if members[1:] == members[:1]
        else nullcontext()
    ):
        repacked(path, *members)
    with pytest.raises(ArchiveError, match=said):
        read_archive(path)


def test_objects_are_not_read(path):
    trap = np.empty(1, dtype=object)
    trap[0] = Trap()
    repacked(path, ("document.json", "{}"), ("arrays/0.npy", npy_of(trap, allow_pickle=True)))
    with pytest.raises(ArchiveError, match="an array holds object"):
        read_archive(path)
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ArchiveError, match="is not a file that allrelevant saved"):
        read_archive(path)


def test_nothing_grows_when_it_is_read(path):
    bomb = json.dumps({"a": "0" * 1_000_000})
    repacked(path, ("document.json", bomb), compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(ArchiveError, match="must not be compressed"):
        read_archive(path)
    claim = npy_of(np.zeros(1)).replace(b"'shape': (1,)", b"'shape': (9**")
    large = npy_of(np.zeros(1)).replace(b"(1,), }            ", b"(9999999999999,), }")
    for content in (claim, large):
        repacked(path, ("document.json", "{}"), ("arrays/0.npy", content))
        with pytest.raises(ArchiveError, match="is damaged"):
            read_archive(path)


@pytest.mark.parametrize("n_bytes", [1, 37, 300])
def test_a_file_that_lacks_a_piece_of_its_middle_is_refused(path, n_bytes):
    write_archive(path, {"a": "b" * 500}, [np.arange(100.0)])
    content = path.read_bytes()
    path.write_bytes(content[:600] + content[600 + n_bytes :])
    with pytest.raises(ArchiveError, match="is damaged"):
        read_archive(path)


def test_what_the_system_says_of_a_file_is_passed_on(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_archive(tmp_path / "nowhere")
