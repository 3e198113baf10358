"""Questions on the command line give what the estimators' methods give."""

import io
import json
import re
import sys

import numpy as np
import pandas as pd
import pytest
from cli_cases import COLUMNS, run

from allrelevant import RelevanceClassifier
from allrelevant.cli import main
from allrelevant.datasets import make_classification


@pytest.mark.slow
def test_ranges_of_predictions(path, model, frame, capsys):
    table = pd.read_csv(io.StringIO(run(capsys, "predict-range", path)))
    ranges = model.prediction_range(frame[COLUMNS])
    np.testing.assert_allclose(table["low"], ranges.low, atol=1e-9)
    np.testing.assert_allclose(table["high"], ranges.high, atol=1e-9)
    assert table["settled"].tolist() == ranges.settled.tolist()
    assert set(table["labels"].astype(str)) <= {"0", "1", "0|1"}


@pytest.mark.slow
def test_unsettled_samples_of_another_file(path, model, frame, tmp_path, capsys):
    other = tmp_path / "new.csv"
    frame[COLUMNS[::-1]].head(30).to_csv(other, index=False)
    arguments = ["predict-range", path, "--samples", str(other), "--unsettled", "--json"]
    document = json.loads(run(capsys, *arguments))
    ranges = model.prediction_range(frame[COLUMNS].head(30))
    rows = [row["row"] for row in document["samples"]]
    assert rows == (np.flatnonzero(~ranges.settled) + 1).tolist(), "people count from 1"
    assert document["ambiguity"] == pytest.approx(ranges.ambiguity)


@pytest.mark.slow
def test_one_sample_explained(path, model, frame, capsys):
    found = model.explain(frame[COLUMNS], 4, forbid=["height"])
    text = run(capsys, "predict-range", path, "--explain", "5", "--forbid", "height")
    assert text.startswith(str(found)), "people count from 1"
    assert found.statements[-1] in text
    document = json.loads(run(capsys, "predict-range", path, "--explain", "5", "--json"))
    assert {row["feature"] for row in document["features"]} == set(COLUMNS)
    assert main(["predict-range", path, "-t", "ill", "-q", "--explain", "0"]) == 2
    assert "there is no row 0; rows go from 1 to" in capsys.readouterr().err


def test_unsettled_is_for_classes(path, capsys):
    assert main(["predict-range", path, "--target", "luck", "--unsettled"]) == 2
    assert "--unsettled is for classes" in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.slow
def test_ordered_classes_have_a_range_for_each_step(frame, tmp_path, capsys):
    table = tmp_path / "table.csv"
    frame.assign(ill=pd.qcut(frame["age"], 3, labels=False)).to_csv(table, index=False)
    document = json.loads(run(capsys, "predict-range", str(table), "--json"))
    keys = ["row", "low_1", "high_1", "low_2", "high_2", "settled", "labels"]
    assert list(document["samples"][0]) == keys


def test_samples_with_an_unknown_level(frame, tmp_path, capsys):
    table, new = tmp_path / "table.csv", tmp_path / "new.csv"
    frame.assign(sex=["m", "f"] * 40).to_csv(table, index=False)
    frame.assign(sex=["d", "f"] * 40).to_csv(new, index=False)
    assert main(["predict-range", str(table), "-t", "ill", "-q", "--samples", str(new)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "column 'sex' has 'd' (known: f, m)" in err.splitlines()[-1]


@pytest.mark.slow
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
        (["--keep", "agee"], "did you mean 'age'?"),
    ],
)
def test_wrong_constraints(path, arguments, said, capsys):
    assert main(["whatif", path, "--target", "ill", "-q", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("allrelevant: ")
    assert said in line


# -- what if, groups, report ----------------------------------------------------------------------


@pytest.mark.slow
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


def test_what_if_asks_for_a_column_of_a_category(frame, tmp_path, capsys):
    table = tmp_path / "table.csv"
    frame.assign(town=["x", "y", "z", "x"] * 20).to_csv(table, index=False)
    assert main(["whatif", str(table), "-t", "ill", "-q", "--keep", "town"]) == 2
    said = "--keep: 'town' is a category; name one of its columns: town=x, town=y, town=z"
    assert said in capsys.readouterr().err
    assert main(["whatif", str(table), "-t", "ill", "-q", "--bound", "town=0.1:0.2"]) == 2
    assert said.replace("keep", "bound") in capsys.readouterr().err
    bounded = ["--bound", "town=:0.02", "--json"]
    document = json.loads(run(capsys, "whatif", str(table), *bounded))
    assert document["constraints"]["bounds"] == {"town": [0.0, 0.02]}
    ends = dict(zip(document["result"]["names"], document["result"]["intervals"], strict=True))
    assert ends["town"][1] == pytest.approx(0.02, abs=1e-6)
    assert main(["whatif", str(table), "-t", "ill", "-q", "--forbid", "twon"]) == 2
    assert "did you mean 'town'?" in capsys.readouterr().err


@pytest.mark.slow
def test_what_if_the_impossible(path, capsys):
    assert main(["whatif", path, "--target", "ill", "-q", "--forbid", "age"]) == 2
    complaint = capsys.readouterr().err.strip().splitlines()[-1]
    assert complaint.startswith("allrelevant: ")
    assert "age" in complaint


@pytest.mark.slow
def test_fit_without_a_feature_is_that_what_if(path, model, capsys):
    document = json.loads(run(capsys, "fit", path, "--forbid", "height", "--json"))
    wanted = model.what_if(forbid=["height"])
    np.testing.assert_allclose(document["result"]["intervals"], wanted.intervals, atol=1e-6)


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_takes_the_place_of_features(path, model, capsys):
    names = ["--instead-of", "height,age"]
    document = json.loads(run(capsys, "groups", path, *names, "--json"))
    assert document["substitutes"]["age"] == {"is_replaceable": False, "stand_ins": []}
    wanted = list(model.substitutes("height").stand_ins)
    assert document["substitutes"]["height"] == {"is_replaceable": True, "stand_ins": wanted}
    assert wanted == ["girth"]
    assert "age is irreplaceable" in run(capsys, "groups", path, *names)


@pytest.mark.slow
def test_groups_and_ranges_under_constraints(path, model, frame, capsys):
    found = run(capsys, "groups", path, "--forbid", "height", "--instead-of", "girth")
    assert found.splitlines()[-1] == str(model.substitutes("girth", forbid=["height"]))
    table = pd.read_csv(io.StringIO(run(capsys, "predict-range", path, "--forbid", "height")))
    ranges = model.prediction_range(frame[COLUMNS], forbid=["height"])
    np.testing.assert_allclose(table["high"], ranges.high, atol=1e-9)


@pytest.mark.slow
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
        assert "Positive weights speak for “1”, negative ones against it." in page
    else:
        assert "No model may use height." in page


@pytest.mark.slow
def test_a_report_without_a_feature_is_not_about_models_with_it(
    path, model, frame, tmp_path, capsys
):
    file = tmp_path / "report.html"
    run(capsys, "fit", path, "--forbid", "height", "--report", str(file))
    page = file.read_text()
    assert "No model may use height." in page
    left = model.prediction_range(frame[COLUMNS], forbid=["height"])
    n_open = int((~left.settled).sum())
    assert f"For {n_open} of {len(left)} samples" in page
    assert "No two features were found" in page, "with height there are two"


@pytest.mark.slow
def test_a_report_says_what_equally_good_means_and_who_is_open(
    path, model, frame, tmp_path, capsys
):
    file = tmp_path / "report.html"
    run(capsys, "fit", path, "--report", str(file))
    page = file.read_text()
    scores = [
        model.witness(name, bound).score(frame[list(model.result_.names)], frame["ill"])
        for name in (*model.result_.strong, *model.result_.weak)
        for bound in ("min", "max")
    ]
    assert f"{min(scores):.3f} to {max(scores):.3f}" in page
    ranges = model.prediction_range(frame[list(model.result_.names)])
    first = int(np.flatnonzero(~ranges.settled)[0])
    assert f"<tr><td>{first + 1}</td>" in page
    assert "For a methods section" in page
    prices = dict(zip(model.result_.names, model.needed_up_to_, strict=True))
    assert all(f"<td>{price:.3g}</td>" in page for price in prices.values() if price > 0)


@pytest.mark.slow
def test_a_report_leaves_out_categories_as_a_whole(frame, tmp_path, capsys):
    """Either of two columns that say the same can be left out: a number, and a category."""
    table, file = tmp_path / "table.csv", tmp_path / "report.html"
    score = frame["age"] + frame["height"]
    levels = pd.qcut(score, 3, labels=["low", "middle", "high"])
    told = pd.DataFrame({"level": levels, "code": pd.factorize(levels, sort=True)[0]})
    told.assign(luck=frame["luck"], ill=score > score.median()).to_csv(table, index=False)
    run(capsys, "fit", str(table), "--report", str(file), "--tolerance", "0.3")
    (section,) = re.findall("If a feature is left out.*?</table>", file.read_text(), re.DOTALL)
    without = re.findall('<tr><td class="left">(.*?)</td>', section)
    assert sorted(without) == ["code", "level"]
    assert '<tr class="part"><td class="left" colspan="8">level=high</td>' in file.read_text()
    (tree,) = re.findall("What can stand in for what.*?</svg>", file.read_text(), re.DOTALL)
    (group,) = re.findall(r"<li>(.*?)</li>", tree)
    assert sorted(group.split(", ")) == ["code", "level"]


@pytest.mark.slow
def test_privileged_columns(path, capsys):
    assert main(["fit", path, "-t", "ill", "-q", "--privileged", "luck,girth", "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert err.splitlines()[0].startswith("warning: the privileged features explain")
    assert document["result"]["names"] == ["age", "height"]
    assert document["result"]["privileged_names"] == ["luck", "girth"]


@pytest.mark.slow
@pytest.mark.parametrize("on_screen", [True, False])
def test_a_screen_shows_a_warning_once_and_a_file_has_it(on_screen, path, capsys, monkeypatch):
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: on_screen)
    assert main(["fit", path, "-t", "ill", "-q", "--privileged", "luck,girth"]) == 0
    out, err = capsys.readouterr()
    said = "warning: the privileged features explain"
    assert err.count(said) == 1
    assert out.count(said) == (0 if on_screen else 1)


@pytest.mark.slow
def test_a_file_that_has_warnings_and_results_has_a_warning_once(path, tmp_path, monkeypatch):
    with (tmp_path / "both.txt").open("w+", encoding="utf-8") as both:
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, both)
        assert main(["fit", path, "-t", "ill", "-q", "--privileged", "luck,girth"]) == 0
        both.seek(0)
        assert both.read().count("warning: the privileged features explain") == 1


@pytest.mark.slow
def test_a_level_is_not_privileged_by_itself(frame, tmp_path, capsys):
    table = tmp_path / "table.csv"
    frame.assign(town=["x", "y", "z", "x"] * 20).to_csv(table, index=False)
    arguments = ["fit", str(table), "-t", "ill", "-q", "--privileged", "town=x"]
    assert main(arguments) == 2
    assert "--privileged: 'town=x' is a level of 'town'; name 'town'" in capsys.readouterr().err
    assert main([*arguments, "--by-column"]) == 0


@pytest.mark.slow
def test_explore_serves_the_fit(path, model, monkeypatch, capsys):
    served = []
    monkeypatch.setattr(
        "allrelevant.views.explorer.serve.serve", lambda s, **kw: served.append((s, kw))
    )
    run(capsys, "explore", path, "--port", "8123", "--no-browser")
    session, options = served[0]
    assert options == {"port": 8123, "open_browser": False}
    assert session.result.names == model.result_.names
    assert len(session.X) == 80


@pytest.mark.slow
@pytest.mark.parametrize("command", ["fit", "whatif"])
def test_a_category_is_one_feature_under_constraints_too(command, tmp_path, capsys):
    X, y, _ = make_classification(
        160, n_strong=1, n_weak=2, n_irrelevant=1, label_noise=0.1, random_state=0
    )
    frame = pd.DataFrame(X, columns=COLUMNS).assign(ill=y)
    file = tmp_path / "towns.csv"
    frame.assign(town=["Ulm", "Bonn", "Trier", "Kiel"] * 40).to_csv(file, index=False)
    for forbid, word in (("town", "forbidden"), ("luck", "irrelevant")):
        lines = run(capsys, command, str(file), "--forbid", forbid).splitlines()
        assert lines[0] == "5 features: 1 strong, 2 weak, 1 irrelevant, 1 forbidden"
        assert next(line.split()[1] for line in lines if line.startswith("town")) == word
        assert not any("Ulm" in line for line in lines)


@pytest.mark.slow
def test_a_category_that_cannot_be_spared_is_named_as_one(frame, tmp_path, capsys):
    table, file = frame[["luck", "ill"]].copy(), tmp_path / "sites.csv"
    sites = np.where(table["ill"], "north", "south")
    sites[::9] = "west"
    table.assign(site=sites).to_csv(file, index=False)
    assert main(["whatif", str(file), "--target", "ill", "-q", "--forbid", "site"]) == 2
    assert "forbid 'site'" in capsys.readouterr().err
    arguments = ["--target", "ill", "-q", "--by-column", "--forbid", "site"]
    assert main(["whatif", str(file), *arguments]) == 2
    assert "forbid 'site=" in capsys.readouterr().err


@pytest.mark.slow
def test_classes_can_be_balanced(path, frame, capsys):
    document = json.loads(run(capsys, "fit", path, "--balanced", "--json"))
    model = RelevanceClassifier(random_state=0, class_weight="balanced")
    expected = model.fit(frame[COLUMNS], frame["ill"]).intervals_
    np.testing.assert_allclose(document["result"]["intervals"], expected, atol=1e-9)
    assert document["result"]["settings"]["class_weight"] == "balanced"


@pytest.mark.slow
def test_two_of_three_classes_are_compared(tmp_path, capsys):
    X, y, _ = make_classification(
        60, n_strong=1, n_weak=2, n_irrelevant=1, n_classes=3, random_state=0
    )
    names = ["a", "b", "c", "d"]
    frame = pd.DataFrame(X, columns=names).assign(ill=np.array(["ant", "bee", "cat"])[y])
    path = tmp_path / "three.csv"
    frame.to_csv(path, index=False)
    how = [str(path), "--tolerance", "0.1", "--probes", "5"]
    model = RelevanceClassifier(tolerance=0.1, n_probes=5, random_state=0)
    model.fit(frame[names], frame["ill"])
    asked = ["--explain", "5", "--classes", "bee", "ant", "--json"]
    document = json.loads(run(capsys, "predict-range", *how, *asked))
    expected = model.explain(frame[names], 4, classes=("bee", "ant"))
    assert document["classes"] == ["bee", "ant"]
    assert document["statements"] == expected.statements
    (rising,) = (
        f"{one}<{other}"
        for one, other in (("ant", "cat"), ("cat", "ant"))
        if model.range_of({"a": 1.0}, classes=(one, other)).sign == 1
    )
    asked = ["--sign", f"a={rising}", "--bound", "b=:0.2", "--json"]
    document = json.loads(run(capsys, "whatif", *how, *asked))
    expected = model.what_if(signs={"a": rising.split("<")}, bounds={"b": (0, 0.2)})
    np.testing.assert_allclose(document["result"]["intervals"], expected.intervals, atol=1e-9)
    turned = "<".join(rising.split("<")[::-1])
    assert main(["whatif", *how, "--target", "ill", "--sign", f"a={turned}"]) == 2
    assert f"weight of 'a': {turned.replace('<', ' ≤ ')}" in capsys.readouterr().err
