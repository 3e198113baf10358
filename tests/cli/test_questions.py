"""Questions on the command line give what the estimators' methods give."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.cli import main
from allrelevant.datasets import make_classification

COLUMNS = ["age", "height", "girth", "luck"]


@pytest.fixture(scope="module")
def frame():
    X, y, _ = make_classification(
        80, n_strong=1, n_weak=2, n_irrelevant=1, noise=0.1, random_state=0
    )
    table = pd.DataFrame(X, columns=COLUMNS)
    table["ill"] = y
    return table


@pytest.fixture(scope="module")
def path(frame, tmp_path_factory):
    file = tmp_path_factory.mktemp("data") / "patients.csv"
    frame.to_csv(file, index=False)
    return str(file)


@pytest.fixture(scope="module")
def model(frame):
    return RelevanceClassifier(random_state=0).fit(frame[COLUMNS], frame["ill"])


def run(capsys, *arguments):
    assert main([*arguments, "--target", "ill", "-q"]) == 0
    return capsys.readouterr().out


def test_smallest_sets(path, model, capsys):
    document = json.loads(run(capsys, "sets", path, "-k", "3", "--json"))
    found = [one["features"] for one in document["sets"]]
    assert found == [list(one.features) for one in model.smallest_sets(3)]
    text = run(capsys, "sets", path, "-k", "3")
    assert len(text.splitlines()) == len(found)


def test_cheapest_set(path, model, tmp_path, capsys):
    costs = tmp_path / "costs.csv"
    costs.write_text("feature,cost\nheight,5\ngirth,0.5\n")
    document = json.loads(run(capsys, "sets", path, "--costs", str(costs), "--json"))
    wanted = model.cheapest_set({"height": 5, "girth": 0.5})
    assert document["sets"] == [
        {"features": list(wanted.features), "cost": wanted.cost, "gap": wanted.gap}
    ]
    assert f"cost {wanted.cost:g}: " in run(capsys, "sets", path, "--costs", str(costs))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("feature,cost\nnobody,1\n", "no column 'nobody'"),
        ("feature,cost\nage,-1\n", "must be 0 or more"),
        ("a,b\n1,2\n", "one column of features and one of costs"),
    ],
)
def test_bad_costs(path, tmp_path, content, said, capsys):
    costs = tmp_path / "costs.csv"
    costs.write_text(content)
    assert main(["sets", path, "--target", "ill", "--costs", str(costs)]) == 2
    assert said in capsys.readouterr().err


def test_ranges_of_predictions(path, model, frame, capsys):
    table = pd.read_csv(io.StringIO(run(capsys, "predict-range", path)))
    ranges = model.prediction_range(frame[COLUMNS])
    np.testing.assert_allclose(table["low"], ranges.low, atol=1e-9)
    np.testing.assert_allclose(table["high"], ranges.high, atol=1e-9)
    assert table["settled"].tolist() == ranges.settled.tolist()
    assert set(table["labels"].astype(str)) <= {"0", "1", "0|1"}


def test_unsettled_samples_of_another_file(path, model, frame, tmp_path, capsys):
    other = tmp_path / "new.csv"
    frame[COLUMNS[::-1]].head(30).to_csv(other, index=False)
    arguments = ["predict-range", path, "--samples", str(other), "--unsettled", "--json"]
    document = json.loads(run(capsys, *arguments))
    ranges = model.prediction_range(frame[COLUMNS].head(30))
    rows = [row["row"] for row in document["samples"]]
    assert rows == np.flatnonzero(~ranges.settled).tolist()
    assert document["ambiguity"] == pytest.approx(ranges.ambiguity)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "at least one of --forbid"),
        (["--bound", "age"], "--bound must be"),
        (["--bound", "age=2:1"], "--bound must be"),
        (["--bound", "age=-1:1"], "--bound must be"),
        (["--bound", "age=x:1"], "--bound must be"),
        (["--sign", "age=up"], "--sign must be"),
        (["--keep", "nobody"], "--keep: there is no column"),
    ],
)
def test_wrong_constraints(path, arguments, said, capsys):
    assert main(["whatif", path, "--target", "ill", *arguments]) == 2
    assert said in capsys.readouterr().err
