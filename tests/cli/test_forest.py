"""The command `forest` gives the data to the estimator for trees as they are."""

import json

import numpy as np
import pandas as pd
import pytest
from plots_fakes import make_result

import allrelevant
from allrelevant.cli import main
from allrelevant.datasets import make_classification


class Trees:
    """Stands in for the estimators, and remembers what it was given."""

    seen: dict = {}  # noqa: RUF012

    def __init__(self, **parameters):
        self.seen["parameters"] = parameters

    def fit(self, X, y):
        self.seen |= {"X": X, "y": y}
        self.result_ = make_result(1, 1, 1)
        return self


@pytest.fixture
def path(tmp_path, monkeypatch):
    for name in ("ForestRelevanceClassifier", "ForestRelevanceRegressor"):
        kind = type(name, (Trees,), {"seen": {}})
        monkeypatch.setattr(allrelevant, name, kind, raising=False)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "size": np.r_[np.nan, rng.normal(size=59)],
            "town": ["x", "y", "z"] * 20,
            "kind": ["a", "b", "c"] * 20,
            "grade": ["low", "medium", "high"] * 20,
            "price": rng.normal(size=60),
        }
    )
    file = tmp_path / "table.csv"
    table.to_csv(file, index=False)
    return str(file)


def test_many_classes_categories_and_gaps(path, capsys):
    assert main(["forest", path, "--target", "kind", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["result"]["names"] == ["x0", "x1", "x2"]
    assert "text with 3 distinct values" in err
    seen = allrelevant.ForestRelevanceClassifier.seen
    assert list(seen["X"].columns) == ["size", "town", "grade", "price"]
    assert isinstance(seen["X"]["town"].dtype, pd.CategoricalDtype)
    assert seen["X"]["size"].isna().sum() == 1
    assert "ordinal" not in seen["parameters"]


def test_ordered_classes(path):
    assert main(["forest", path, "--target", "grade", "-q"]) == 0
    parameters = allrelevant.ForestRelevanceClassifier.seen["parameters"]
    assert parameters["ordinal"] is True
    assert parameters["classes"] == ("low", "medium", "high")


def test_numbers(path, tmp_path, capsys):
    picture = tmp_path / "bars.png"
    assert main(["forest", path, "--target", "price", "--plot", str(picture)]) == 0
    assert len(allrelevant.ForestRelevanceRegressor.seen["y"]) == 60
    assert picture.read_bytes()[1:4] == b"PNG"
    assert capsys.readouterr().out.startswith("3 features")


@pytest.mark.parametrize(
    "extra",
    [
        ["--task", "reject"],
        ["--privileged", "size"],
        ["--tolerance", "0.1"],
        ["--by-column"],
        ["--fdr", "0.1"],
        ["--confidence", "0.99"],
        ["--probes", "auto"],
        ["--cv", "5"],
        ["--groups", "town"],
        ["--as-in", "thesis"],
        ["--budget", "joint"],
    ],
)
def test_what_forests_do_not_have(path, extra, capsys):
    assert main(["forest", path, "--target", "kind", *extra]) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("allrelevant: forest has no --")
    assert extra[0] in complaint


def test_classes_can_be_balanced(path, capsys):
    assert main(["forest", path, "--target", "kind", "--balanced"]) == 0
    assert allrelevant.ForestRelevanceClassifier.seen["parameters"]["class_weight"] == "balanced"
    assert main(["forest", path, "--target", "price", "--balanced"]) == 2
    complaint = capsys.readouterr().err.splitlines()[-1]
    assert "--class-weight balanced is for classes, and 'price' is read as numbers" in complaint


@pytest.mark.parametrize("weight", ["auto", "none"])
def test_otherwise_every_row_counts_alike(path, weight):
    assert main(["forest", path, "--target", "kind", "--class-weight", weight]) == 0
    assert allrelevant.ForestRelevanceClassifier.seen["parameters"]["class_weight"] is None


@pytest.mark.slow
def test_the_genuine_estimator_is_printed(tmp_path, capsys):
    X, y, _ = make_classification(120, n_strong=1, n_weak=0, n_irrelevant=1, random_state=0)
    file = tmp_path / "table.csv"
    pd.DataFrame(X, columns=["needed", "luck"]).assign(y=y).to_csv(file, index=False)
    report = tmp_path / "report.html"
    saved = tmp_path / "found.fit"
    asked = ["forest", str(file), "--target", "y", "-q", "--report", str(report)]
    assert main([*asked, "--save", str(saved)]) == 0
    text = report.read_text(encoding="utf-8")
    assert "Every good model needs this feature: needed." in text
    out = capsys.readouterr().out
    assert out.startswith("2 features: 1 strong")
    assert "needed" in out
    # What was saved is shown as it was, and has no rows for other questions.
    again = tmp_path / "again.html"
    page = tmp_path / "page.html"
    assert main(["forest", str(saved), "-q", "--report", str(again), "--page", str(page)]) == 0
    assert "Which features matter for y?" in page.read_text(encoding="utf-8")
    assert capsys.readouterr().out == out
    assert again.read_text(encoding="utf-8") == text
    assert main(["whatif", str(saved), "--forbid", "needed"]) == 2
    assert "is a saved forest, of which there are no rows" in capsys.readouterr().err
