"""Parquet files that are read block by block, by the command."""

import json

import numpy as np
import pandas as pd
import pytest
from outside_cases import FEW, TARGETS, X, estimator

from allrelevant.cli import main
from allrelevant.linear.fit.outside import open as opening

NAMES = [f"x{k}" for k in range(X.shape[1])]
frame = pd.DataFrame(X, columns=NAMES).assign(ill=TARGETS["classification"])
OPTIONS = ("-t", "ill", "--probes", "6", "--tolerance", "0.02")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("visits")
    frame[:500].to_parquet(place / "a.parquet", row_group_size=200, index=False)
    frame[500:].to_parquet(place / "b.parquet", index=False)
    return place


@pytest.fixture(autouse=True)
def few_drawn(monkeypatch):
    monkeypatch.setattr(opening, "FEW", FEW)


@pytest.mark.slow
def test_a_folder_of_files_is_one_table(folder, tmp_path, capsys):
    report = tmp_path / "report.html"
    pattern = str(folder / "*.parquet")
    assert main(["fit", pattern, *OPTIONS, "--json", "--report", str(report)]) == 0
    said = capsys.readouterr()
    assert "900 rows in 4 row groups, 6 columns" in said.err
    assert "target 'ill' read as classes" in said.err
    document = json.loads(said.out)
    assert document["data"]["rows"] == len(X)
    result = document["result"]
    assert result["names"] == NAMES
    here = estimator("classification", C=result["baseline"]["C"]).fit(frame[NAMES], frame["ill"])
    np.testing.assert_allclose(result["intervals"], here.intervals_, atol=1e-6)
    assert "x0" in report.read_text(encoding="utf-8")


@pytest.mark.slow
def test_constraints_tables_and_pictures(folder, tmp_path, capsys):
    out, plot = tmp_path / "table.csv", tmp_path / "bars.png"
    others = ["--forbid", "x3", "--out", str(out), "--plot", str(plot), "-q"]
    assert main(["fit", str(folder), *OPTIONS, *others]) == 0
    assert "1 forbidden" in capsys.readouterr().out
    assert len(pd.read_csv(out)) == len(NAMES)
    assert plot.stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--impute", "mean"], "--impute is for a table in memory"),
        (["--needed"], "--needed is for a table in memory"),
        (["--forbid", "nobody"], "--forbid: there is no feature called 'nobody'"),
        (["--task", "regression"], "holds no numbers"),
        (["--dask", "localhost:1"], "--dask: no scheduler answers at localhost:1"),
    ],
)
def test_what_cannot_be_done_is_refused(folder, capsys, options, message, monkeypatch):
    monkeypatch.setattr("allrelevant.cli.elsewhere._SECONDS", 0.2)
    assert main(["fit", str(folder), "-t", "ill", "-q", *options]) == 2
    assert message in capsys.readouterr().err
    assert main(["fit", str(folder)]) == 2
    assert "--target" in capsys.readouterr().err
