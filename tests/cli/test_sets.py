"""Sets of features on the command line are what the estimators' methods give."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from cli_cases import run

from allrelevant.cli import main
from allrelevant.linear.questions.sets.choice import OutOfTime


@pytest.mark.slow
def test_smallest_sets(path, model, tmp_path, capsys):
    document = json.loads(run(capsys, "sets", path, "-k", "3", "--json"))
    found = [one["features"] for one in document["sets"]]
    wanted = model.smallest_sets(3)
    assert found == [list(one.features) for one in wanted]
    assert document["is_complete"] is True
    assert document["is_exhaustive"] is wanted.is_exhaustive
    text = run(capsys, "sets", path, "-k", "3", "--checkpoint", str(tmp_path / "run.part"))
    assert len(text.splitlines()) == len(found)
    assert {file.name for file in tmp_path.iterdir()} == {"run.part", "run.part.sets"}


@pytest.mark.slow
def test_cheapest_set(path, model, tmp_path, capsys):
    costs = tmp_path / "costs.csv"
    costs.write_text("feature,cost\nheight,5\ngirth,0.5\n")
    document = json.loads(run(capsys, "sets", path, "--costs", str(costs), "--json"))
    wanted = model.cheapest_set({"height": 5, "girth": 0.5})
    assert document["sets"] == [
        {"features": list(wanted.features), "cost": wanted.cost, "gap": wanted.gap}
    ]
    table = str(tmp_path / "set.csv")
    text = run(capsys, "sets", path, "--costs", str(costs), "--out", table)
    assert f"cost {wanted.cost:g}: " in text
    pd.testing.assert_frame_equal(pd.read_csv(table), wanted.to_frame().reset_index(drop=True))


@pytest.mark.slow
def test_a_table_of_sets(path, model, tmp_path, capsys):
    table = str(tmp_path / "sets.csv")
    run(capsys, "sets", path, "--out", table)
    pd.testing.assert_frame_equal(pd.read_csv(table), model.smallest_sets().to_frame())


@pytest.mark.slow
@pytest.mark.parametrize("with_costs", [False, True])
def test_the_time_limit_is_said_even_to_the_quiet(path, tmp_path, with_costs, monkeypatch, capsys):
    def late(*_):
        raise OutOfTime

    monkeypatch.setattr("allrelevant.linear.questions.sets.hitting.SetSearch.next", late)
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


@pytest.mark.slow
def test_sets_without_a_forbidden_feature(path, model, capsys):
    document = json.loads(run(capsys, "sets", path, "--forbid", "height", "--json"))
    found = [one["features"] for one in document["sets"]]
    assert found == [list(one.features) for one in model.smallest_sets(10, forbid=["height"])]
    assert found
    assert not any("height" in names for names in found)


@pytest.mark.slow
def test_sets_under_constraints(path, model, capsys):
    asked = ["--bound", "luck=0.01:", "--one-of", "height,girth", "--one-of", "age"]
    document = json.loads(run(capsys, "sets", path, *asked, "--json"))
    lists = [["height", "girth"], ["age"]]
    wanted = model.smallest_sets(10, bounds={"luck": (0.01, np.inf)}, one_of=lists)
    assert [one["features"] for one in document["sets"]] == [list(one.features) for one in wanted]
    assert all("luck" in one["features"] for one in document["sets"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("feature,cost\nnobody,1\n", "no column 'nobody'"),
        ("feature,cost\nage,-1\n", "must be 0 or more"),
        ("feature,cost\nage,inf\n", "costs.csv: the cost of 'age' must be 0 or more"),
        (
            "feature,cost\nage,1\nluck,dear\n",
            "column 'cost' has cells that are not costs: 'dear' in row 2",
        ),
        ("feature,note,cost\nage,x,1\n", "one column of features and one of costs"),
        ("a,b\n1,2\n", "one column of features and one of costs"),
        ("feature,cost\nage,1\nluck,3\nage,2\n", "names the cost of 'age' twice"),
    ],
)
def test_bad_costs(path, tmp_path, content, said, capsys):
    costs = tmp_path / "costs.csv"
    costs.write_text(content)
    assert main(["sets", path, "--target", "ill", "--costs", str(costs)]) == 2
    assert said in capsys.readouterr().err


@pytest.fixture
def with_a_category(tmp_path):
    """Patients whose illness depends on age and on three of four wards."""
    rng = np.random.default_rng(0)
    ward = np.array(["east", "north", "south", "west"])[rng.integers(0, 4, 160)]
    age = rng.normal(size=160)
    tells = age + np.select([ward == "east", ward == "north", ward == "south"], [3.0, -3.0, 1.5])
    table = pd.DataFrame({"age": age, "ward": ward, "luck": rng.normal(size=160)})
    file = tmp_path / "wards.csv"
    table.assign(ill=(tells > 0).astype(int)).to_csv(file, index=False)
    return str(file)


@pytest.mark.slow
def test_a_category_is_paid_for_once(with_a_category, tmp_path, capsys):
    costs = tmp_path / "costs.csv"
    costs.write_text("feature,cost\nward,6\nage,2\n")
    arguments = ["sets", with_a_category, "--costs", str(costs), "--json"]
    document = json.loads(run(capsys, *arguments))
    (one,) = document["sets"]
    assert one["features"] == ["age", "ward"]
    assert one["cost"] == 8, "age and ward, once"
    assert document["costs"] == {"ward": 6, "age": 2}
    apart = json.loads(run(capsys, *arguments, "--by-column"))
    assert apart["costs"] == {f"ward={w}": 1.5 for w in ("east", "north", "south", "west")} | {
        "age": 2
    }
    n_wards = sum(name.startswith("ward=") for name in apart["sets"][0]["features"])
    assert apart["sets"][0]["cost"] == 2 + 1.5 * n_wards


@pytest.mark.slow
def test_a_category_counts_once_or_by_its_columns(with_a_category, capsys):
    assert run(capsys, "sets", with_a_category, "-k", "1") == "2 features: age, ward\n"
    assert re.match(r"\d features: age, ward=", run(capsys, "sets", with_a_category, "--by-column"))


@pytest.mark.slow
def test_what_takes_the_place_of_a_category(with_a_category, capsys):
    arguments = ["groups", with_a_category, "--instead-of", "ward,ward"]
    text = run(capsys, *arguments)
    assert text.splitlines()[-1] == "ward is irreplaceable: no equivalent model does without it"
    assert text.count("irreplaceable") == 1, "each is answered once"
    document = json.loads(run(capsys, *arguments, "--by-column", "--json"))
    assert set(document["substitutes"]) == {f"ward={w}" for w in ("east", "north", "south", "west")}


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ([], "'ward=east' is a level of a category, which is paid for once"),
        (["--by-column"], "names the cost of 'ward' twice, or of one of its columns"),
    ],
)
def test_a_category_and_its_columns_have_one_cost(
    with_a_category, tmp_path, extra, said, monkeypatch, capsys
):
    monkeypatch.setattr("allrelevant.cli.sets.fitted", None)  # said before a fit that may take long
    costs = tmp_path / "costs.csv"
    costs.write_text("feature,cost\nward=east,6\nward,2\n")
    assert main(["sets", with_a_category, "-t", "ill", "--costs", str(costs), *extra]) == 2
    assert said in capsys.readouterr().err
