"""Curves of three classes without an order, against full linear programs."""

import json
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from class_programs import programs_of
from click.testing import CliRunner

from allrelevant import InfeasibleError, RelevanceClassifier, load
from allrelevant.cli.main import cli
from allrelevant.views.explorer import Session

NAMES = ["wave", "bowl", "noise"]
CLASSES = np.array(["ant", "bee", "cat"])


def data(n=60):
    random = np.random.default_rng(5)
    X = pd.DataFrame(random.normal(size=(n, 3)), columns=NAMES)
    scores = np.column_stack([2 * np.sin(2 * X.wave), X.bowl**2 - 1, np.zeros(n)])
    return X, CLASSES[(scores + 0.3 * random.normal(size=(n, 3))).argmax(axis=1)]


@pytest.fixture(scope="module")
def model():
    how = {"C": 0.5, "tolerance": 0.1, "n_probes": 20, "random_state": 0}
    return RelevanceClassifier(basis="bins", **how).fit(*data())


@pytest.fixture(scope="module")
def programs(model):
    return programs_of(model)


@pytest.mark.slow
def test_a_curve_counts_by_the_piece_that_differs_most(model, programs):
    norm, features = model.result_.baseline["norm"], model.fitted_set_.features
    for j, name in enumerate(NAMES):
        own = features.columns_of(name)
        pairs = list(product(own, permutations(range(3), 2)))
        costs = [programs.difference(k, *pair) for k, pair in pairs]
        largest = max(-programs.least(-cost) for cost in costs)
        more = np.array([np.append(cost, -1.0) for cost in costs])
        smallest = programs.least(np.append(np.zeros(programs.size[3]), 1.0), more, extra=1)
        expected = np.array([smallest, largest]) / norm
        np.testing.assert_allclose(model.result_.intervals[j], expected, atol=1e-6)
        # The baseline is one of the models, and counts in the same way.
        assert smallest - 1e-6 <= norm * model.result_.weights[j] <= largest + 1e-6


@pytest.mark.slow
def test_bands_compare_two_classes(model, programs):
    X, _ = data()
    fitted = model.fitted_set_
    own = np.array(fitted.features.columns_of("bowl"))
    band = model.shape_range("bowl", classes=("ant", "bee"))
    assert band.classes == ("ant", "bee")
    rows = np.tile(X.mean().to_numpy(), (len(band.values), 1))
    rows[:, NAMES.index("bowl")] = band.values
    coded = fitted.scaling.apply(model.curves_.code(rows))
    mean = programs.X.mean(axis=0)  # no row is there twice
    for k in (0, 7, len(coded) - 1):
        cost = sum((coded[k, j] - mean[j]) * programs.difference(j, 1, 0) for j in own)
        np.testing.assert_allclose([band.low[k], band.high[k]], programs.ends(cost), atol=1e-6)


@pytest.mark.slow
def test_curves_find_what_lines_miss():
    X, y = data(200)
    quick = {"cv": 3, "n_probes": 30, "loss": "hinge", "random_state": 0}
    curves = RelevanceClassifier(basis="spline", **quick).fit(X, y)
    assert curves.support_.tolist() == [True, True, False]
    lines = RelevanceClassifier(**quick).fit(X, y)
    assert not lines.support_[1]
    assert curves.score(X, y) > lines.score(X, y) + 0.1


@pytest.mark.slow
def test_weights_that_do_not_fall_make_a_monotone_lead(model):
    rising = {"noise": ["ant", "bee"]}
    band = model.shape_range("noise", classes=("ant", "bee"))
    some = model.shape_range("noise", classes=("ant", "bee"), signs=rising)
    assert (band.low <= some.low + 1e-6).all()
    assert (some.high <= band.high + 1e-6).all()
    assert band.low[-1] < -1e-3 < -1e-6 <= some.low[-1]
    with pytest.raises(InfeasibleError, match="weight of 'wave': ant ≤ bee"):
        model.what_if(signs={"wave": ["ant", "bee"]})


@pytest.mark.slow
def test_a_saved_fit_has_the_same_curves(model, tmp_path):
    model.save(tmp_path / "fit.zip")
    again = load(tmp_path / "fit.zip")
    asked = {"feature": "bowl", "classes": ("ant", "cat")}
    np.testing.assert_array_equal(again.shape_range(**asked).high, model.shape_range(**asked).high)


@pytest.mark.slow
def test_a_report_draws_the_classes_that_are_farthest_apart(tmp_path):
    X, y = data(60)
    X.assign(kind=y).to_csv(tmp_path / "table.csv", index=False)
    page = tmp_path / "page.html"
    quick = ["--cv", "2", "--tolerance", "0.1", "--probes", "20"]
    told = ["fit", str(tmp_path / "table.csv"), "-t", "kind", "--basis", "bins", *quick]
    done = CliRunner().invoke(cli, [*told, "--report", str(page)])
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "What a feature adds to the lead of one class over another" in text
    assert "in the piece of its curve where that is largest" in text
    assert any(f"bowl: {b} rather than {a}: adds" in text for a, b in permutations(CLASSES, 2))


@pytest.mark.slow
def test_the_page_shows_curves_and_what_is_left_without_one(model):
    session = Session(model, data()[0], processes=False)
    start = json.loads(json.dumps(session.start(), allow_nan=False))
    assert [one["max"] for one in start["features"]] == model.result_.intervals[:, 1].tolist()
    *bars, end = session.ask({"constraints": {"forbid": ["noise"]}})
    left = model.what_if(forbid=["noise"])
    found = {bar["j"]: bar["max"] for bar in bars}
    assert [found[0], found[1]] == pytest.approx(left.intervals[:2, 1].tolist(), abs=1e-6)
    assert end == {"kind": "done"}
