"""Saved fits in place of data, and tables as files."""

import io
import json

import numpy as np
import pandas as pd
import pytest

from allrelevant import load
from allrelevant.cli import main
from allrelevant.datasets import make_classification, make_survival


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    X, y, _ = make_classification(
        80, n_strong=1, n_weak=2, n_irrelevant=1, noise=0.1, label_noise=0.1, random_state=0
    )
    frame = pd.DataFrame(X, columns=["age", "height", "girth", "=luck"])
    frame["town"] = np.array(["x", "y", "z"])[np.arange(80) % 3]
    frame["hint"] = X[:, 0] + np.random.default_rng(0).normal(size=80)
    frame["ill"] = np.where(y > 0, "yes", "no")
    path = tmp_path_factory.mktemp("data") / "patients.csv"
    frame.to_csv(path, index=False)
    return path


OPTIONS = ["--target", "ill", "--privileged", "hint", "--tolerance", "0.2"]


@pytest.fixture(scope="module")
def saved(table):
    path = table.with_suffix(".fit")
    assert main(["fit", str(table), *OPTIONS, "--save", str(path), "-q"]) == 0
    return path


def rounded(document):
    """The same without the last digits."""
    if isinstance(document, float):
        return round(document, 9)
    if isinstance(document, list):
        return [rounded(one) for one in document]
    if isinstance(document, dict):
        return {key: rounded(one) for key, one in document.items()}
    return document


def printed(capsys, *arguments):
    assert main([*map(str, arguments), "-q"]) == 0
    return capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        ["fit", "--json"],
        ["fit", "--forbid", "town"],
        ["whatif", "--forbid", "town=x,girth", "--json"],
        ["groups", "--instead-of", "girth", "--json"],
        ["sets", "--json"],
        ["predict-range", "--json"],
        ["predict-range", "--samples", "SAMPLES"],
        ["stability", "--splits", "1", "--json"],
    ],
    ids=lambda question: " ".join(question[:2]),
)
def test_a_saved_fit_answers_as_the_data_do(table, saved, capsys, question):
    command, *more = [str(table) if word == "SAMPLES" else word for word in question]
    from_data = printed(capsys, command, table, *OPTIONS, *more)
    from_file = printed(capsys, command, saved, *more)
    if "--json" in more:  # whether progress is shown is a setting, too
        from_data, from_file = rounded(json.loads(from_data)), rounded(json.loads(from_file))
    assert from_file == from_data


@pytest.mark.slow
def test_options_about_data_and_models_are_refused(saved, capsys):
    for option in (["--target", "ill"], ["--tolerance", "0.1"], ["--seed", "1"]):
        assert main(["fit", str(saved), *option]) == 2
        assert f"{option[0]}: {saved} is a saved fit" in capsys.readouterr().err


def test_a_file_that_was_cut_off_is_no_table(saved, tmp_path, capsys):
    path = tmp_path / "half.fit"
    path.write_bytes(saved.read_bytes()[:2000])
    assert main(["fit", str(path)]) == 2
    assert "half.fit is damaged: its end is missing" in capsys.readouterr().err


def test_files_from_python_lack_the_table_and_those_of_commands_are_read_there(saved, capsys):
    model = load(saved)
    assert model.result_.names[:2] == ("age", "height")
    path = saved.with_name("python.fit")
    model.save(path)
    assert main(["fit", str(path)]) == 2
    assert "was saved in Python" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "read"),
    [("csv", pd.read_csv), ("xlsx", pd.read_excel), ("parquet", pd.read_parquet)],
)
def test_tables_are_written_as_their_names_say(saved, tmp_path, ending, read):
    path = tmp_path / f"table.{ending}"
    assert main(["fit", str(saved), "--out", str(path), "-q"]) == 0
    expected = load(saved).result_.to_frame(sort=True).reset_index(drop=True)
    pd.testing.assert_frame_equal(read(path), expected, check_dtype=False)
    assert "=luck" in set(read(path)["feature"])  # no formula
    assert main(["predict-range", str(saved), "--out", str(path), "-q"]) == 0
    assert list(read(path).columns) == ["row", "low", "high", "settled", "labels"]


def test_the_price_of_doing_without_is_listed(saved, tmp_path, capsys):
    model = load(saved)
    text = printed(capsys, "fit", saved, "--needed")
    assert "needed up to a tolerance of (it is 0.2 here):\n  " in text
    assert "the baseline does without them" in text
    path = tmp_path / "table.csv"
    document = json.loads(printed(capsys, "fit", saved, "--needed", "--json", "--out", path))
    found = dict(zip(model.result_.names, model.needed_up_to_, strict=True))
    assert document["needed_up_to"] == pytest.approx(found)
    table = pd.read_csv(path)
    expected = table["feature"].map(found)
    np.testing.assert_allclose(table["needed_up_to"], expected)


@pytest.mark.slow
def test_the_report_of_a_saved_fit_is_that_of_the_data(table, saved, tmp_path, capsys):
    pages = {}
    for source, options in {table: OPTIONS, saved: []}.items():
        path = tmp_path / "report.html"
        printed(capsys, "fit", source, *options, "--report", path)
        pages[source] = path.read_text(encoding="utf-8").split("Settings and versions")[0]
    assert pages[saved] == pages[table]
    for said in ("If models may be worse", "Predictions that depend", "Their accuracy on these"):
        assert said in pages[saved]


@pytest.mark.slow
def test_times_are_saved_with_their_events(tmp_path, capsys):
    X, y, _ = make_survival(80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(time=y["time"], event=y["event"])
    data, file, page = (tmp_path / name for name in ("times.csv", "times.fit", "page.html"))
    frame.to_csv(data, index=False)
    printed(capsys, "fit", data, "-t", "time", "--event", "event", "--save", file)
    printed(capsys, "fit", file, "--report", page)
    assert "on these rows is" in page.read_text(encoding="utf-8")


@pytest.mark.slow
def test_dates_are_features_on_request_also_of_samples_and_in_files(table, tmp_path, capsys):
    frame = pd.read_csv(table)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(frame["age"].rank() * 5, "D")
    frame["seen"] = day.dt.strftime("%d.%m.%Y")
    data, file = tmp_path / "visits.csv", tmp_path / "visits.fit"
    frame.to_csv(data, index=False)
    options = ["-t", "ill", "--drop", "age,hint,town", "--probes", "20"]
    assert main(["fit", str(data), *options]) == 0
    assert "--dates days or --dates parts makes numbers of them" in capsys.readouterr().err
    options += ["--dates", "days"]
    assert main(["fit", str(data), *options, "--save", str(file), "--json"]) == 0
    out, err = capsys.readouterr()
    assert "column 'seen' holds dates: read as days since 1970" in err
    result = json.loads(out)["result"]
    assert result["classes"][result["names"].index("seen")] == 2
    samples = tmp_path / "samples.csv"
    frame.head(3).to_csv(samples, index=False)
    whole, few = (
        pd.read_csv(io.StringIO(printed(capsys, "predict-range", file, "--samples", one)))
        for one in (data, samples)
    )
    pd.testing.assert_frame_equal(whole.head(3), few)
    parts = [*options[:-1], "parts", "--json", "--save", str(file)]
    names = json.loads(printed(capsys, "fit", data, *parts))["result"]["names"]
    assert {"seen_month", "seen_weekday"} <= set(names)
    frame.drop(columns="seen").to_csv(samples, index=False)
    assert main(["predict-range", str(file), "--samples", str(samples)]) == 2
    assert "the samples lack the column 'seen'" in capsys.readouterr().err


def test_how_the_table_was_read_is_told_by_fit_and_counted_by_others(tmp_path, capsys):
    """Nobody wants to hear the same six lines before every answer."""
    X, y, _ = make_classification(60, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(
        town="x", code=[f"p{k}" for k in range(60)]
    )
    path, file = tmp_path / "table.csv", tmp_path / "table.fit"
    frame.assign(ill=y).to_csv(path, index=False)
    assert main(["fit", str(path), "-t", "ill", "--save", str(file)]) == 0
    assert "'town' was left out" in capsys.readouterr().err
    assert main(["fit", str(file)]) == 0
    assert "'town' was left out" in capsys.readouterr().err
    assert main(["whatif", str(file), "--keep", "a"]) == 0
    said = capsys.readouterr().err
    assert "'town' was left out" not in said
    assert f"2 notes on how its table was read: 'allrelevant fit {file}' has them" in said
