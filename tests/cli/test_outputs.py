"""What commands write never takes the place of what they read."""

import sys
from pathlib import Path

import pytest

from allrelevant import RelevanceClassifier
from allrelevant.cli import main


@pytest.fixture
def data(path, tmp_path):
    """Data of their own, since they are in danger."""
    file = tmp_path / "data.csv"
    file.write_bytes(Path(path).read_bytes())
    return file


def complaint(capsys, *arguments):
    assert main([*map(str, arguments), "-t", "ill", "-q"]) == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (["fit"], "--report"),
        (["fit"], "--plot"),
        (["whatif", "--forbid", "luck"], "--report"),
        (["stability"], "--report"),
        (["stability"], "--plot"),
        (["path"], "--plot"),
        (["forest"], "--plot"),
    ],
)
def test_no_output_goes_onto_the_data(data, command, option, capsys, monkeypatch):
    before = data.read_bytes()
    monkeypatch.chdir(data.parent)
    name, *more = command
    said = complaint(capsys, name, data, *more, option, "data.csv")
    assert f"{option}: data.csv is the file of DATA, which it would overwrite" in said
    assert data.read_bytes() == before


def test_report_and_picture_are_two_files(data, tmp_path, capsys):
    file = tmp_path / "out.svg"
    said = complaint(capsys, "fit", data, "--report", file, "--plot", file)
    assert "is what --report writes, which it would overwrite" in said
    assert not file.exists()


@pytest.mark.slow
def test_report_and_picture_are_written_whole(data, tmp_path, capsys, monkeypatch):
    """A failure on the way leaves neither half a file nor the one beside it."""
    from matplotlib.figure import Figure

    def full(self, path, **_):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    file = tmp_path / "out.png"
    monkeypatch.setattr(Figure, "savefig", full)
    said = complaint(capsys, "fit", data, "--plot", file)
    assert f"cannot write the picture to {file}: No space left on device" in said
    assert [one.name for one in tmp_path.iterdir()] == ["data.csv"]


def test_missing_packages_are_told_of_before_the_analysis(data, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    monkeypatch.setattr(RelevanceClassifier, "fit", lambda *_, **__: pytest.fail("it was fitted"))
    said = complaint(capsys, "fit", data, "--out", data.with_name("table.xlsx"))
    assert said.endswith(
        'writing .xlsx files needs more packages: pip install "allrelevant[files]"'
    )
