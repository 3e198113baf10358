"""Targets that are times until an event, and quantiles of numbers."""

import json

import numpy as np
import pandas as pd
import pytest

from allrelevant import SurvivalRelevanceRegressor
from allrelevant.cli import main
from allrelevant.datasets import make_survival

QUICK = ["--probes", "5", "-q"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    X, y, _ = make_survival(80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    frame = pd.DataFrame(X, columns=["age", "height", "girth", "luck"])
    frame["days"], frame["died"] = y["time"], np.where(y["event"], "yes", "no")
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    frame.to_csv(path, index=False)
    return path, frame


@pytest.mark.slow
def test_times_until_an_event(table, capsys):
    path, frame = table
    assert main(["fit", str(path), "-t", "days", "--event", "died", "--json", *QUICK]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["target"]["task"] == "survival"
    y = np.column_stack([frame["days"], frame["died"] == "yes"])
    fitted = SurvivalRelevanceRegressor(n_probes=5, random_state=0).fit(frame.iloc[:, :4], y)
    found = np.array(document["result"]["intervals"])
    np.testing.assert_allclose(found, fitted.result_.intervals, atol=1e-5)


@pytest.mark.slow
def test_ranges_of_predictions_and_a_report(table, tmp_path, capsys):
    path, _ = table
    asked = [str(path), "-t", "days", "--event", "died", *QUICK]
    assert main(["predict-range", *asked]) == 0
    out, _ = capsys.readouterr()
    assert len(out.strip().splitlines()) == 81
    assert main(["fit", *asked, "--report", str(tmp_path / "report.html")]) == 0
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "predict the time" in text


@pytest.mark.slow
def test_a_quantile(table, capsys):
    path, _ = table
    asked = ["-t", "days", "--drop", "died", "--quantile", "0.9", "--json", *QUICK]
    assert main(["fit", str(path), *asked]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["result"]["settings"]["quantile"] == 0.9
    assert document["result"]["baseline"]["score_name"] == "D² of the pinball loss"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task", "survival"], "needs --event COL"),
        (["--event", "days"], "'days' is the target"),
        (["--event", "age"], "it has to be 1"),
        (["--event", "died", "--task", "regression"], "leave it or --task regression out"),
        (["--event", "died", "--quantile", "0.5"], "--quantile is for numbers"),
        (["--event", "died", "--privileged", "age"], "have no such columns"),
        (["--event", "deid"], "did you mean 'died'"),
    ],
)
def test_mistakes_are_said(table, arguments, said, capsys):
    assert main(["fit", str(table[0]), "-t", "days", *QUICK, *arguments]) == 2
    assert said in capsys.readouterr().err
    assert main(["forest", str(table[0]), "-t", "days", "--event", "died"]) == 2
    assert "forest has no --event" in capsys.readouterr().err
