"""The command `stability` prints, draws and reports what the method gives."""

import json

import numpy as np
import pandas as pd
import pytest
from cli_cases import COLUMNS, run

from allrelevant import StabilityResult
from allrelevant.cli import main


@pytest.fixture(scope="module")
def answer(model):
    return model.stability(3)


@pytest.mark.slow
def test_the_table(path, answer, capsys):
    out = run(capsys, "stability", path, "--splits", "3")
    assert out == f"{answer}\n"
    assert out.startswith("stability over 3 splits into halves: 6 fits of half the rows")


@pytest.mark.slow
def test_json_has_the_numbers_and_the_result(path, answer, capsys):
    document = json.loads(run(capsys, "stability", path, "--splits", "3", "--json"))
    assert document["command"] == "stability"
    again = StabilityResult.from_json(json.dumps(document["result"]))
    assert np.array_equal(again.halves, answer.halves)
    assert document["index"] == pytest.approx(answer.index)
    rows = {row["feature"]: row for row in document["features"]}
    assert set(rows) == set(COLUMNS)
    assert rows["age"]["selected"] == answer.selected[0]
    assert [group["selected"] for group in document["groups"]] == list(
        answer.group_frequencies.values()
    )


@pytest.mark.slow
def test_picture_and_report(path, tmp_path, capsys):
    picture, report = tmp_path / "bars.png", tmp_path / "report.html"
    run(
        capsys,
        "stability", path, "--splits", "2", "--plot", str(picture), "--report", str(report),
    )  # fmt: skip
    assert picture.read_bytes()[1:4] == b"PNG"
    assert "Would half of the data have told the same?" in report.read_text(encoding="utf-8")


@pytest.mark.slow
def test_trees_take_categories(tmp_path, capsys):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"size": rng.normal(size=80), "town": ["x", "y", "z", "w"] * 20})
    table["y"] = np.where(table["size"] > 0, "yes", "no")
    file = tmp_path / "table.csv"
    table.to_csv(file, index=False)
    arguments = ["stability", str(file), "--target", "y", "--forest", "-q"]
    assert main([*arguments, "--splits", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["result"]["names"] == ["size", "town"]
    assert main([*arguments, "--report", str(tmp_path / "r.html")]) == 2
    assert "stability --forest has no --report" in capsys.readouterr().err
    assert main([*arguments, "--tolerance", "0.1"]) == 2
    assert "forest has no --tolerance" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("extra", "complaint"),
    [
        (["--splits", "0"], "0 is not in the range"),
        (["--plot", "bars.doc"], "must end in .png, .svg or .pdf"),
        (["--report", "nowhere/at/all.html"], "there is no folder"),
    ],
)
def test_what_cannot_be_is_said_before_the_fit(path, extra, complaint, capsys):
    assert main(["stability", path, "--target", "ill", "-q", *extra]) == 2
    assert complaint in capsys.readouterr().err
