"""Questions on the command line give what the estimators' methods give."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from allrelevant import RelevanceClassifier
from allrelevant.cli import main
from allrelevant.datasets import make_classification
from allrelevant.questions.choice import OutOfTime

COLUMNS = ["age", "height", "girth", "luck"]


@pytest.fixture(scope="module")
def frame():
    X, y, _ = make_classification(80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
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
    wanted = model.smallest_sets(3)
    assert found == [list(one.features) for one in wanted]
    assert document["is_complete"] is True
    assert document["is_exhaustive"] is wanted.is_exhaustive
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


@pytest.mark.parametrize("with_costs", [False, True])
def test_the_time_limit_is_said_even_to_the_quiet(path, tmp_path, with_costs, monkeypatch, capsys):
    def late(*_):
        raise OutOfTime

    monkeypatch.setattr("allrelevant.questions.hitting.SetSearch.next", late)
    costs = tmp_path / "costs.csv"
    costs.write_text("feature,cost\nheight,5\n")
    extra = ["--costs", str(costs)] if with_costs else []
    assert main(["sets", path, "--target", "ill", "-q", "--json", *extra]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (document["is_complete"], document["is_exhaustive"]) == (False, False)
    assert len(document["sets"]) == 1
    assert err.splitlines()[-1].startswith("warning: the time limit")


def test_sets_where_no_feature_tells_anything(tmp_path, capsys):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc")).assign(ill=[0, 1, 1] * 20)
    table.to_csv(tmp_path / "noise.csv", index=False)
    assert "no feature is needed" in run(capsys, "sets", str(tmp_path / "noise.csv"))


def test_sets_without_a_forbidden_feature(path, model, capsys):
    document = json.loads(run(capsys, "sets", path, "--forbid", "height", "--json"))
    found = [one["features"] for one in document["sets"]]
    assert found == [list(one.features) for one in model.smallest_sets(10, forbid=["height"])]
    assert found
    assert not any("height" in names for names in found)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("feature,cost\nnobody,1\n", "no column 'nobody'"),
        ("feature,cost\nage,-1\n", "must be 0 or more"),
        ("a,b\n1,2\n", "one column of features and one of costs"),
        ("feature,cost\nage,1\nluck,3\nage,2\n", "names the cost of 'age' twice"),
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


def test_unsettled_is_for_classes(path, capsys):
    assert main(["predict-range", path, "--target", "luck", "--unsettled"]) == 2
    assert "--unsettled is for classes" in capsys.readouterr().err.splitlines()[-1]


def test_ordered_classes_have_a_range_for_each_step(frame, tmp_path, capsys):
    table = tmp_path / "table.csv"
    frame.assign(ill=pd.qcut(frame["age"], 3, labels=False)).to_csv(table, index=False)
    document = json.loads(run(capsys, "predict-range", str(table), "--json"))
    keys = ["row", "low_0", "high_0", "low_1", "high_1", "settled", "labels"]
    assert list(document["samples"][0]) == keys


def test_samples_with_an_unknown_level(frame, tmp_path, capsys):
    table, new = tmp_path / "table.csv", tmp_path / "new.csv"
    frame.assign(sex=["m", "f"] * 40).to_csv(table, index=False)
    frame.assign(sex=["d", "f"] * 40).to_csv(new, index=False)
    assert main(["predict-range", str(table), "-t", "ill", "-q", "--samples", str(new)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "column 'sex' has 'd' (known: f, m)" in err.splitlines()[-1]


def test_samples_need_no_privileged_columns(path, frame, tmp_path, capsys):
    new = tmp_path / "new.csv"
    frame[["age", "height", "girth"]].head(3).to_csv(new, index=False)
    out = run(capsys, "predict-range", path, "--privileged", "luck", "--samples", str(new))
    assert len(out.splitlines()) == 4


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
    assert main(["whatif", path, "--target", "ill", "-q", *arguments]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("allrelevant: ")
    assert said in lines[1]


# -- what if, groups, report ----------------------------------------------------------------------


def test_what_if(path, model, capsys):
    arguments = ["whatif", path, "--forbid", "height", "--bound", "age=0.1:", "--sign", "age=+"]
    wanted = model.what_if(forbid=["height"], bounds={"age": (0.1, np.inf)}, signs={"age": 1})
    document = json.loads(run(capsys, *arguments, "--json"))
    np.testing.assert_allclose(document["result"]["intervals"], wanted.intervals, atol=1e-6)
    before = document["before"]["intervals"]
    np.testing.assert_allclose(before, model.result_.intervals, atol=1e-6)
    assert document["constraints"]["forbid"] == ["height"]
    text = run(capsys, *arguments)
    assert "height: weak -> forbidden" in text
    assert "girth: weak -> strong" in text


def test_what_if_the_impossible(path, capsys):
    assert main(["whatif", path, "--target", "ill", "-q", "--forbid", "age"]) == 2
    complaint = capsys.readouterr().err.strip().splitlines()[-1]
    assert complaint.startswith("allrelevant: ")
    assert "age" in complaint


def test_fit_without_a_feature_is_that_what_if(path, model, capsys):
    document = json.loads(run(capsys, "fit", path, "--forbid", "height", "--json"))
    wanted = model.what_if(forbid=["height"])
    np.testing.assert_allclose(document["result"]["intervals"], wanted.intervals, atol=1e-6)


def test_groups(path, model, capsys):
    document = json.loads(run(capsys, "groups", path, "--json"))
    labels = dict(zip(model.result_.names, model.groups().labels, strict=True))
    for names in document["groups"]:
        assert len({labels[name] for name in names}) == 1
    assert {name for names in document["groups"] for name in names} == {
        *model.result_.strong,
        *model.result_.weak,
    }
    assert run(capsys, "groups", path, "--number", "1").splitlines() == [
        f"group 1: {', '.join(model.result_.names[j] for j in model.result_.order[:3])}"
    ]


def test_what_takes_the_place_of_features(path, model, capsys):
    names = ["--instead-of", "height,age"]
    document = json.loads(run(capsys, "groups", path, *names, "--json"))
    assert document["substitutes"]["age"] == {"is_replaceable": False, "stand_ins": []}
    wanted = list(model.substitutes("height").stand_ins)
    assert document["substitutes"]["height"] == {"is_replaceable": True, "stand_ins": wanted}
    assert wanted == ["girth"]
    assert "age is irreplaceable" in run(capsys, "groups", path, *names)


@pytest.mark.parametrize("command", ["fit", "whatif"])
def test_report(path, tmp_path, command, capsys):
    file = tmp_path / "report.html"
    extra = ["--forbid", "height"] if command == "whatif" else []
    run(capsys, command, path, *extra, "--report", str(file))
    page = file.read_text()
    assert "Which features matter for ill?" in page
    if command == "fit":
        assert "What can stand in for what" in page
        assert "Predictions that depend on the model" in page
    else:
        assert "No model may use height." in page


def test_privileged_columns(path, capsys):
    assert main(["fit", path, "-t", "ill", "-q", "--privileged", "luck,girth", "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert err.splitlines()[1].startswith("warning: the privileged features explain")
    assert document["result"]["names"] == ["age", "height"]
    assert document["result"]["privileged_names"] == ["luck", "girth"]


def test_explore_serves_the_fit(path, model, monkeypatch, capsys):
    served = []
    monkeypatch.setattr("allrelevant.explorer.serve.serve", lambda s, **kw: served.append((s, kw)))
    run(capsys, "explore", path, "--port", "8123", "--no-browser")
    session, options = served[0]
    assert options == {"port": 8123, "open_browser": False}
    assert session.result.names == model.result_.names
    assert len(session.X) == 80


@pytest.mark.parametrize("command", ["fit", "whatif"])
def test_a_category_is_one_feature_under_constraints_too(command, frame, tmp_path, capsys):
    file = tmp_path / "towns.csv"
    frame.assign(town=["Ulm", "Bonn", "Trier", "Kiel"] * 20).to_csv(file, index=False)
    for forbid, word in (("town", "forbidden"), ("luck", "irrelevant")):
        lines = run(capsys, command, str(file), "--forbid", forbid).splitlines()
        assert lines[0] == "5 features: 1 strong, 2 weak, 1 irrelevant, 1 forbidden"
        assert next(line.split()[1] for line in lines if line.startswith("town")) == word
        assert not any("Ulm" in line for line in lines)
