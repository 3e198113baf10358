"""Options that all fits share: what they ask of the estimators, and what they refuse."""

import json

import numpy as np
import pandas as pd
import pytest
from cli_cases import COLUMNS, run

from allrelevant import (
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    papers,
)
from allrelevant.backends.identity import settings_of
from allrelevant.cli import main
from allrelevant.datasets import make_classification


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    """Three rows of each patient, who differ in what no feature knows."""
    X, y, _ = make_classification(
        40, n_strong=1, n_weak=2, n_irrelevant=1, noise=0.2, random_state=0
    )
    table = pd.DataFrame(np.repeat(X, 3, axis=0), columns=COLUMNS)
    table += np.random.default_rng(0).normal(scale=0.05, size=table.shape)
    table = table.assign(patient=np.repeat([f"p{k}" for k in range(40)], 3), ill=np.repeat(y, 3))
    file = tmp_path_factory.mktemp("data") / "visits.csv"
    table.to_csv(file, index=False)
    return str(file), pd.read_csv(file)


def complaint(capsys, *arguments):
    """The one line that is said of what cannot be; nothing is printed."""
    assert main([*arguments, "--target", "ill", "-q"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    line = err.splitlines()[-1]
    assert line.startswith("allrelevant: ")
    return line


@pytest.fixture
def seen(monkeypatch):
    """What a fit is asked for; it ends there."""
    found = {}

    def fit(self, X, y, **more):
        found.update(more, X=X, settings=settings_of(self))
        raise ValueError("seen enough")

    monkeypatch.setattr(RelevanceClassifier, "fit", fit)
    return found


# -- rows that belong together --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
@pytest.mark.filterwarnings("ignore:each row is like the next one:UserWarning")
def test_groups_of_rows_are_those_of_the_estimator(visits, capsys):
    path, table = visits
    assert main(["fit", path, "-t", "ill", "--groups", "patient", "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    model = RelevanceClassifier(random_state=0)
    expected = model.fit(table[COLUMNS], table["ill"], groups=table["patient"])
    np.testing.assert_allclose(document["result"]["intervals"], expected.intervals_, atol=1e-9)
    without = RelevanceClassifier(random_state=0).fit(table[COLUMNS], table["ill"])
    assert np.abs(expected.intervals_ - without.intervals_).max() > 1e-4, "they must matter"
    assert list(document["data"]["features"]) == COLUMNS
    assert document["data"]["row_groups"] == {"column": "patient", "n": 40}
    assert "rows of the same 'patient' were kept together: 120 rows, 40 groups" in err


@pytest.mark.slow
def test_without_groups_the_document_says_so(path, capsys):
    assert json.loads(run(capsys, "fit", path, "--json"))["data"]["row_groups"] is None


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit"],
        ["whatif", "--forbid", "luck"],
        ["groups"],
        ["sets"],
        ["predict-range"],
        ["stability", "--splits", "1"],
        ["explore"],
        ["fit", "--privileged", "luck"],
    ],
)
def test_every_command_hands_groups_of_rows_to_the_fit(visits, arguments, seen, capsys):
    path, table = visits
    command, *more = arguments
    assert "seen enough" in complaint(capsys, command, path, "--groups", "patient", *more)
    assert pd.factorize(table["patient"])[0].tolist() == seen["groups"].tolist()
    assert "patient" not in seen["X"]


@pytest.mark.slow
def test_the_report_names_the_groups_of_rows(visits, tmp_path, capsys):
    file = tmp_path / "report.html"
    run(
        capsys,
        "whatif",
        visits[0],
        "--forbid",
        "luck",
        "--groups",
        "patient",
        "--report",
        str(file),
    )
    page = file.read_text(encoding="utf-8")
    assert "Rows of the same &#39;patient&#39; were kept together: 120 rows, 40 groups." in page


@pytest.mark.slow
def test_so_does_the_report_of_the_explorer(visits, monkeypatch, capsys):
    served = []
    monkeypatch.setattr("allrelevant.views.explorer.serve.serve", lambda s, **kw: served.append(s))
    run(capsys, "explore", visits[0], "--groups", "patient", "--no-browser")
    (session,) = served
    try:
        page = session.answer("report", {"constraints": {}})
    finally:
        session.close()
    assert "Rows of the same &#39;patient&#39; were kept together" in page


@pytest.mark.slow
def test_samples_need_no_groups(visits, tmp_path, capsys):
    path, table = visits
    new = tmp_path / "new.csv"
    table[COLUMNS].head(3).to_csv(new, index=False)
    out = run(capsys, "predict-range", path, "--groups", "patient", "--samples", str(new))
    assert len(out.splitlines()) == 4


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ["--groups", "pateint"],
            "--groups: there is no column 'pateint'; did you mean 'patient'?",
        ),
        (["--groups", "ill"], "--groups: 'ill' is the target"),
        (["--groups", "patient", "--drop", "patient"], "--drop: 'patient' is not a feature"),
        (
            ["--groups", "patient", "--forbid", "patient"],
            "--forbid: column 'patient' was left out: it says which rows belong together",
        ),
        (
            ["--groups", "patient", "--privileged", "patient"],
            "--privileged: column 'patient' was left out: it says which rows belong together",
        ),
    ],
)
def test_columns_that_cannot_be_groups(visits, more, said, capsys):
    assert said in complaint(capsys, "fit", visits[0], *more)


def test_groups_with_gaps(visits, tmp_path, capsys):
    file = tmp_path / "gaps.csv"
    visits[1].assign(patient=visits[1]["patient"].where(visits[1].index != 4)).to_csv(
        file, index=False
    )
    said = complaint(capsys, "fit", str(file), "--groups", "patient")
    assert "--groups: column 'patient' is empty in row 5 (rows below the header)" in said
    assert "a label of its own" in said


@pytest.mark.parametrize("arguments", [["forest"], ["stability", "--forest"]])
def test_trees_have_no_groups_of_rows(visits, arguments, capsys):
    command, *more = arguments
    said = complaint(capsys, command, visits[0], "--groups", "patient", *more)
    assert "forest has no --groups" in said
    assert "--drop patient" in said


def test_the_help_tells_groups_of_rows_from_groups_of_features(capsys):
    assert main(["groups", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Group FEATURES that carry the same information" in text
    assert "--groups COL Column that says which ROWS belong together" in text
    assert "How many groups of features" in text


# -- how models are chosen, and what noise is -----------------------------------------------------


def settings(capsys, *arguments):
    """The estimator's parameters, as the result of a command tells them."""
    return json.loads(run(capsys, *arguments, "--json"))["result"]["settings"]


def plain(model):
    """Parameters of an estimator as a result tells them; the command's are its own."""
    return settings_of(model.set_params(random_state=0))


@pytest.mark.slow
def test_defaults_are_those_of_the_estimators(path, frame, tmp_path, capsys):
    assert settings(capsys, "fit", path) == plain(RelevanceClassifier())
    file = tmp_path / "table.csv"
    frame.assign(ill=frame["age"] + frame["height"]).to_csv(file, index=False)
    assert settings(capsys, "fit", str(file)) == plain(RelevanceRegressor())
    frame.assign(ill=pd.qcut(frame["age"], 3, labels=False)).to_csv(file, index=False)
    assert settings(capsys, "fit", str(file)) == plain(OrdinalRelevanceClassifier())


@pytest.mark.parametrize(
    ("option", "parameter", "value"),
    [
        (["--fdr", "0.2"], "fdr", 0.2),
        (["--fdr", "none"], "fdr", None),
        (["--confidence", "0.99"], "confidence", 0.99),
        (["--probes", "30"], "n_probes", 30),
        (["--probes", "auto"], "n_probes", "auto"),
        (["--tolerance", "bootstrap"], "tolerance", "bootstrap"),
        (["--tolerance", "0.05"], "tolerance", 0.05),
        (["--cv", "3"], "cv", 3),
        (["--class-weight", "auto"], "class_weight", "auto"),
        (["--class-weight", "balanced"], "class_weight", "balanced"),
        (["--class-weight", "none"], "class_weight", None),
        (["--balanced"], "class_weight", "balanced"),
        (["--replace-probes"], "probes", "replace"),
        (["--budget", "joint"], "budget", "joint"),
        (["--baseline", "l2"], "baseline", "l2"),
        (["--balanced", "--class-weight", "balanced"], "class_weight", "balanced"),
    ],
)
def test_options_are_parameters_of_the_estimator(path, option, parameter, value, seen, capsys):
    assert "seen enough" in complaint(capsys, "fit", path, *option)
    assert seen["settings"] == plain(RelevanceClassifier()) | {parameter: value}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_settings_of_a_paper_and_what_changes_them(path, capsys):
    changed = {"n_probes": 20, "class_weight": "balanced", "tolerance": [0.001, 0.0]}
    expected = plain(papers.thesis()) | changed
    more = ["--probes", "20", "--balanced"]
    assert settings(capsys, "fit", path, "--as-in", "thesis", *more) == expected


@pytest.mark.slow
def test_options_change_the_answer(path, frame, capsys):
    """An option that only shows up among the settings would be none."""
    document = json.loads(
        run(capsys, "fit", path, "--confidence", "0.9", "--probes", "20", "--json")
    )
    result = document["result"]
    assert result["baseline"]["level"] == pytest.approx(0.1)
    assert result["work"]["probes_usable"] == 20
    model = RelevanceClassifier(random_state=0, tolerance="bootstrap", cv=3)
    expected = model.fit(frame[COLUMNS], frame["ill"]).intervals_
    document = json.loads(
        run(capsys, "fit", path, "--tolerance", "bootstrap", "--cv", "3", "--json")
    )
    np.testing.assert_allclose(document["result"]["intervals"], expected, atol=1e-9)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--fdr", "0"], "'--fdr': '0' must be 'none' or a number between 0 and 1"),
        (["--fdr", "1"], "'--fdr'"),
        (["--fdr", "nan"], "'--fdr'"),
        (["--fdr", "little"], "'--fdr': 'little' must be"),
        (["--confidence", "0.5"], "'--confidence': '0.5' must be a number between 0.5 and 1"),
        (["--confidence", "none"], "'--confidence'"),
        (["--probes", "1"], "'--probes': '1' must be 'auto' or a whole number of at least 2"),
        (["--probes", "2.5"], "'--probes'"),
        (["--tolerance", "-1"], "must be 'auto' or 'bootstrap' or a number of at least 0"),
        (["--tolerance", "inf"], "'--tolerance'"),
        (["--cv", "1"], "'--cv': 1 is not in the range x>=2"),
        (["--class-weight", "heavy"], "'--class-weight': 'heavy' is not one of"),
        (["--balanced", "--class-weight", "none"], "--class-weight is none: leave out one of them"),
        (["--confidence", "0.99", "--fdr", "0.1"], "--confidence and --fdr are two ways"),
    ],
)
def test_values_that_make_no_sense(path, more, said, capsys):
    line = complaint(capsys, "fit", path, *more)
    assert said in line
    assert "(see allrelevant fit --help)" in line


@pytest.mark.parametrize("weight", [["--class-weight", "none"], ["--balanced"]])
def test_numbers_have_no_class_weights(path, weight, capsys):
    assert main(["fit", path, "--target", "luck", "-q", *weight]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    word = "none" if "none" in weight else "balanced"
    assert f"--class-weight {word} is for classes, and 'luck' is read as numbers" in line


@pytest.mark.slow
def test_json_has_p_q_and_borderline_as_the_estimator_does(path, model, capsys):
    result = json.loads(run(capsys, "fit", path, "--json"))["result"]
    for key in ("p_values", "q_values"):
        np.testing.assert_allclose(result[key], getattr(model, f"{key}_"), rtol=1e-6)
    assert result["borderline"] == model.borderline_.tolist()


@pytest.mark.slow
def test_the_text_is_that_of_the_result(path, model, capsys):
    out = run(capsys, "fit", path)
    assert out == f"{model.result_}\n"
    assert "relevant where p is at most" in out
