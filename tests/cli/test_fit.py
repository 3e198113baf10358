"""The command `fit`: numbers to standard output, everything else to standard error."""

import json
import sys

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier, RelevanceResult
from allrelevant.cli import main
from allrelevant.datasets import make_classification


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    X, y, _ = make_classification(
        80, n_strong=1, n_weak=2, n_irrelevant=1, noise=0.1, random_state=0
    )
    frame = pd.DataFrame(X, columns=["age", "height", "girth", "luck"])
    frame["town"] = np.array(["x", "y", "z"])[np.arange(80) % 3]
    frame["person"] = [f"p{k}" for k in range(80)]
    frame["ill"] = np.where(y > 0, "yes", "no")
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    frame.to_csv(path, index=False, sep=";")
    return path


def test_table_to_stdout_and_remarks_to_stderr(table, capsys):
    assert main(["fit", str(table), "--target", "ill", "--drop", "town"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("4 features:")
    assert "age" in out
    assert "target 'ill' read as classes (it has two values: no, yes)" in err
    assert "a guess" in err
    assert "column 'person' was left out" in err
    assert "person" not in out


def test_quiet_says_nothing_of_two_values(table, capsys):
    assert main(["fit", str(table), "-t", "ill", "--drop", "town,person", "-q"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_quiet_says_that_numbers_were_taken_for_ordered_classes(table, tmp_path, capsys):
    stars = tmp_path / "stars.csv"
    frame = pd.read_csv(table, sep=";")
    frame.assign(ill=pd.qcut(frame["age"], 3, labels=[1, 2, 3])).to_csv(stars, index=False)
    options = ["-t", "ill", "--drop", "town,person", "--probes", "20", "-q"]
    assert main(["fit", str(stars), *options]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "read as ordered classes" in err
    assert main(["fit", str(stars), *options, "--task", "ordinal"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_json_is_the_result_of_the_estimator(table, capsys):
    assert main(["fit", str(table), "--target", "ill", "--drop", "town", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "allrelevant.command/1"
    assert document["command"] == "fit"
    assert document["target"] == {
        "name": "ill",
        "task": "classification",
        "guessed": True,
        "why": "it has two values: no, yes",
        "order": None,
        "positive": "yes",
    }
    assert document["data"]["rows"] == 80
    names = ["age", "height", "girth", "luck"]
    assert document["data"]["features"] == {name: [name] for name in names}
    result = RelevanceResult.from_json(json.dumps(document["result"]))
    frame = pd.read_csv(table, sep=";")
    direct = RelevanceClassifier(random_state=0).fit(frame[list(result.names)], frame["ill"])
    np.testing.assert_allclose(result.intervals, direct.result_.intervals, atol=1e-12)


@pytest.mark.slow
def test_a_category_is_one_feature_or_several_columns(table, capsys):
    assert main(["fit", str(table), "-t", "ill", "-q"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("5 features:")
    assert "town=x" not in out
    assert main(["fit", str(table), "-t", "ill", "-q", "--by-column"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("7 features:")
    assert "town=x" in out


@pytest.mark.slow
def test_plot_and_its_kind(table, tmp_path, capsys):
    picture = tmp_path / "bars.svg"
    assert main(["fit", str(table), "-t", "ill", "--drop", "town", "--plot", str(picture)]) == 0
    assert picture.read_text().lstrip().startswith("<?xml")
    assert f"picture written to {picture}" in capsys.readouterr().err


@pytest.mark.slow
def test_ordinal_target_with_its_order(table, tmp_path, capsys):
    frame = pd.read_csv(table, sep=";")[["age", "height", "luck"]]
    score = frame["age"] + frame["height"]
    frame["risk"] = pd.cut(score, 3, labels=["mild", "awful", "odd"]).astype(str)
    path = tmp_path / "risk.csv.gz"
    frame.to_csv(path, index=False)
    order = ["--order", "mild,awful,odd"]
    assert main(["fit", str(path), "-t", "risk", *order, "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert document["target"]["task"] == "ordinal"
    assert document["target"]["order"] == ["mild", "awful", "odd"]
    assert "ordered classes: mild < awful < odd" in err
    assert "a guess" not in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "ill", "--drop", "ill"], "--drop: 'ill' is the target"),
        (["--target", "sick"], "--target: there is no column 'sick'"),
        (["--target", "agee"], "did you mean 'age'"),
        (["--target", "ill", "--drop", "nothing"], "--drop: there is no column 'nothing'"),
        (["--target", "ill", "--task", "regression"], "holds no numbers"),
        (["--target", "person"], "80 distinct values"),
        (["--target", "town", "--task", "reject"], "3 classes"),
        (["--target", "ill", "--drop", "town", "--forbid", "aage"], "--forbid: there is no"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(table, arguments, said, capsys):
    assert main(["fit", str(table), "-q", *arguments]) == 2
    out, err = capsys.readouterr()
    complaint = err.strip().splitlines()[-1]
    assert complaint.startswith("allrelevant: ")
    assert said in complaint
    assert "Traceback" not in err
    assert out == ""


def test_files_that_are_none(tmp_path, capsys):
    assert main(["fit", str(tmp_path / "no.csv"), "-t", "y"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    assert main(["fit", str(empty), "-t", "y"]) == 2
    assert "is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit"],
        ["fit", "x.csv"],
        ["fit", "x.csv", "-t", "y", "--task", "guess"],
        ["fit", "x.csv", "-t", "y", "--tolerance", "-1"],
        ["fit", "x.csv", "-t", "y", "--tolerance", "much"],
        ["fit", "x.csv", "-t", "y", "--impute", "zero"],
        ["whatif", "x.csv"],
    ],
)
def test_wrong_calls_exit_with_2_and_one_line(arguments, capsys):
    assert main(arguments) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert complaint.startswith("allrelevant: ")
    assert f"(see {' '.join(['allrelevant', *arguments[:1]])} --help)" in complaint


def test_unknown_commands_and_options_are_one_line(capsys):
    assert main(["fitt"]) == 2
    assert main(["fit", "x.csv", "-t", "y", "--tasc", "auto"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "'fitt'" in lines[0]
    assert "(see allrelevant fit --help)" in lines[1]


@pytest.mark.parametrize(
    "command",
    [
        "fit",
        "whatif",
        "groups",
        "sets",
        "predict-range",
        "stability",
        "forest",
        "explore",
        "demo",
    ],
)
def test_help_of_every_command_has_examples(command, capsys):
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Example" in text
    assert f"allrelevant {command}" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--report", "no/such/folder.html"], "cannot write the report to"),
        (["--report", "."], "it is a folder"),
        (["--plot", "no/such/folder.png"], "cannot write the picture to"),
        (["--plot", "bars.docx"], "must end in .png, .svg or .pdf"),
        (["--plot", "bars"], "must end in .png, .svg or .pdf"),
    ],
)
def test_unwritable_files_are_one_line_before_any_work(table, arguments, said, capsys, monkeypatch):
    monkeypatch.setattr("allrelevant.cli.fit.prepared", None)
    assert main(["fit", str(table), "-t", "ill", *arguments]) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert complaint.count("\n") == 1


def test_files_that_may_not_be_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("os.access", lambda *_: False)
    file = str(tmp_path / "report.html")
    for command in ("fit", "whatif"):
        assert main([command, "x.csv", "-t", "y", "--forbid", "a", "--report", file]) == 2
        assert "permission denied" in capsys.readouterr().err


def test_names_may_hold_a_comma(tmp_path, capsys):
    frame = pd.DataFrame({"a,b": range(30), "c": [0.5, 1] * 15, "y": [0, 1, 1] * 10})
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    assert main(["fit", str(path), "-t", "y", "--drop", r"a\,b,q"]) == 2
    assert "no column 'q'" in capsys.readouterr().err
    assert main(["fit", str(path), "-t", "y", "--drop", "a,b"]) == 2
    assert r"a comma within a name takes a backslash: 'a\,b'" in capsys.readouterr().err


def test_whoever_closes_the_pipe_hears_no_complaint(table, monkeypatch, capsys):
    class Closed:
        def write(self, text):
            raise BrokenPipeError

        def flush(self):
            pass

        def isatty(self):
            return False

    monkeypatch.setattr(sys, "stdout", Closed())
    assert main(["fit", str(table), "-t", "ill", "--drop", "town", "-q"]) == 0
    assert "Traceback" not in capsys.readouterr().err
