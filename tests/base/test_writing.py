"""A file is whole or as it was before, and what was read is never written."""

import resource
import stat
from pathlib import Path

import pytest

from allrelevant.base.writing import refuse_overwriting, written_whole


def write(path, text="new"):
    with written_whole(path) as file:
        file.write_text(text)


def test_a_file_takes_its_place_whole(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("old")
    with written_whole(path) as file:
        assert file.parent == tmp_path, "another disk could not be moved from at once"
        assert file.suffix == ".html"
        file.write_text("ne")
        assert path.read_text() == "old"
        file.write_text("new")
    assert path.read_text() == "new"
    assert [file.name for file in tmp_path.iterdir()] == ["a.html"]


def test_what_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("old")
    with pytest.raises(TypeError):
        write(path, b"neither text nor whole")
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.html"]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.html"
    path.write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write(path, "x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.html"]


def test_rights_and_links_stay(tmp_path):
    path, link = tmp_path / "a.html", tmp_path / "link.html"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write(link)
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_rights(tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    write(tmp_path / "a.html")
    assert (tmp_path / "a.html").stat().st_mode == usual.stat().st_mode


def test_a_device_is_written_as_it_is():
    write("/dev/null")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("kind", ["itself", "relative", "link", "hard link", "through a folder"])
def test_an_input_by_any_name_is_refused(tmp_path, kind, monkeypatch):
    data = tmp_path / "data.csv"
    data.write_text("a,b\n")
    monkeypatch.chdir(tmp_path)
    other = tmp_path / "other.csv"
    (tmp_path / "folder").mkdir()
    if kind == "link":
        other.symlink_to(data)
    elif kind == "hard link":
        other.hardlink_to(data)
    elif kind == "relative":
        other = data.relative_to(tmp_path)
    else:
        other = data if kind == "itself" else tmp_path / "folder" / ".." / "data.csv"
    with pytest.raises(ValueError, match="is the file of DATA, which it would overwrite"):
        refuse_overwriting({"--report": other}, {"DATA": data})
    refuse_overwriting({"--report": tmp_path / "new.html", "--plot": None}, {"DATA": data})


def test_two_outputs_onto_one_file_are_refused(tmp_path):
    (tmp_path / "link.svg").symlink_to(tmp_path / "a.svg")
    with pytest.raises(ValueError, match=r"--plot: .* is what --report writes"):
        refuse_overwriting({"--report": tmp_path / "a.svg", "--plot": tmp_path / "link.svg"}, {})


def test_devices_are_written_twice(tmp_path):
    null = tmp_path / "null"
    null.symlink_to("/dev/null")
    refuse_overwriting({"--report": null, "--plot": null}, {})
    assert null.is_char_device()
