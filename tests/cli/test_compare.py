"""The command `compare` says what the function gives, of tables and of saved fits."""

import json

import pytest
from cli_cases import run

from allrelevant import Comparison
from allrelevant.cli import main


@pytest.fixture(scope="module")
def saved(model, path, tmp_path_factory):
    file = tmp_path_factory.mktemp("fits") / "patients.fit"
    assert main(["fit", path, "-t", "ill", "--save", str(file), "--quiet"]) == 0
    return str(file)


@pytest.mark.slow
def test_a_fit_and_itself_at_another_tolerance(path, saved, tmp_path, capsys):
    page, picture, table = (tmp_path / name for name in ("page.html", "plot.svg", "table.csv"))
    places = ["--report", str(page), "--plot", str(picture), "--out", str(table)]
    assert main(["compare", saved, saved, *places, "-q"]) == 0
    out = capsys.readouterr().out
    assert "No feature has another class." in out
    assert "What has changed for ill?" in page.read_text("utf-8")
    assert picture.stat().st_size > 1000
    assert table.read_text("utf-8").startswith("feature,before,after,change,beyond_noise")
    other = [path, "--other-tolerance", "30", "--json"]
    document = json.loads(run(capsys, "compare", saved, *other))
    found = Comparison.from_json(json.dumps(document["comparison"]))
    assert found.same_rows
    assert "age" in found.changed
    assert found.settings["tolerance"][1] == 30.0


def test_a_refusal_says_nothing_else_and_names_the_file(path, frame, tmp_path, capsys):
    doses, other = tmp_path / "doses.csv", tmp_path / "other.csv"
    frame.assign(ill=frame["age"]).to_csv(doses, index=False)
    assert main(["compare", path, str(doses), "-t", "ill"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert "only fits of the same kind can be compared" in said
    frame.drop(columns="ill").to_csv(other, index=False)
    assert main(["compare", path, str(other), "-t", "ill"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"allrelevant: {other}: --target: there is no column 'ill'")
