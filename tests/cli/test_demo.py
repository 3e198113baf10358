import json
import subprocess
import sys

import pytest

from allrelevant import RelevanceResult, __version__
from allrelevant.cli import main
from allrelevant.cli.main import cli


@pytest.mark.slow
def test_demo_prints_the_table_and_writes_result_and_plot(tmp_path, capsys):
    assert main(["demo", "--quick", "--out", str(tmp_path / "new" / "folder")]) == 0
    printed = capsys.readouterr().out
    assert "30 features" in printed
    assert "worst perimeter" in printed
    folder = tmp_path / "new" / "folder"
    result = RelevanceResult.from_json((folder / "breast_cancer.json").read_text())
    assert result.n_features == 30
    assert (folder / "breast_cancer.png").read_bytes()[1:4] == b"PNG"
    assert (folder / "what_if.png").read_bytes()[1:4] == b"PNG"
    page = (folder / "breast_cancer.html").read_text()
    assert f"{len(result.weak)} of the 30 features can help" in page
    assert json.loads((folder / "breast_cancer.json").read_text())["names"][0] == "mean radius"


def test_demo_that_cannot_write_says_so_in_one_line(tmp_path, capsys):
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    assert main(["demo", "--out", str(taken)]) == 2
    complaint = capsys.readouterr().err.strip()
    assert str(taken) in complaint
    assert complaint.count("\n") == 0


def test_version(capsys):
    assert main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["no such command"], ["demo", "--unknown"]])
def test_wrong_call_exits_with_2(arguments, capsys):
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("allrelevant: No such ")


def test_the_help_says_of_every_command_what_it_is_for_in_one_line(capsys):
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in lines] == list(cli.commands)
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)
    assert lines[0].split()[0] == "fit"


def test_no_command_at_all_shows_the_help(capsys):
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err.lower()


@pytest.mark.slow
def test_the_package_runs_as_a_command():
    ran = subprocess.run(
        [sys.executable, "-m", "allrelevant", "--help"], capture_output=True, text=True, check=True
    )
    assert "explore" in ran.stdout
    assert ran.stderr == ""
