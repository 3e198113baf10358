"""How an answer was found, in the words of a methods section."""

from dataclasses import replace

from plots_fakes import make_result

from allrelevant import ForestRelevanceResult
from allrelevant.views.report.forest_methods import forest_methods, forest_references
from allrelevant.views.report.methods import equally_good, methods_text, references


def told(task="classification", settings=None, **baseline):
    known = {"C": 0.5, "tolerance_norm": 0.05, "tolerance_loss": 0.1} | baseline
    settings = {"C": "cv", "cv": 5, "standardize": True, "baseline": "l1"} | (settings or {})
    result = make_result(task=task, baseline=known, settings=settings)
    return methods_text(result), references(result)


def test_what_was_fitted_compared_and_counted():
    text, cited = told(fdr=0.1)
    assert "A sparse linear classifier (L1 norm) of standardised features" in text
    assert "C = 0.5, chosen by 5-fold cross-validation" in text
    assert "by at most 5 % and 10 % were considered equally good [1]" in text
    assert "limited to 10% [3]" in text
    assert len(cited) == 3
    assert "Benjamini" in cited[2]


def test_other_settings_are_told_otherwise():
    text, cited = told("ordinal", {"budget": "joint", "baseline": "l2", "C": 0.5})
    assert "of least Euclidean norm" in text
    assert "plus C times loss" in text
    assert "cross-validation" not in text
    assert "[1, 3]" in text
    assert "ordinal regression" in cited[2]
    assert "given linear" in told("regression", {"baseline": "somebody's"})[0]


def test_curves_and_privileged_features_are_told():
    assert "step functions of the features" in told("regression", {"basis": "bins"})[0]
    assert "of functions of the features" in told("regression", {"basis": "Spline()"})[0].replace(
        "standardised ", ""
    )
    result = make_result(
        privileged_names=["later", "much later"],
        privileged_intervals=[[0.0, 0.5]] * 2,
        privileged_classes=[1, 0],
        privileged_thresholds=[0.0, 0.2],
    )
    said = "2 privileged features, known in training only, "
    assert f"{said}explained nothing and were left out." in methods_text(result)
    with_price = replace(result, baseline=dict(result.baseline) | {"gamma": 0.3})
    assert f"{said}modelled how far samples are off." in methods_text(with_price)


def test_equally_good_in_words():
    known = {"n": 8, "name": "accuracy", "low": 0.9, "high": 0.95, "reference": 0.94}
    assert "Their accuracy on these rows is 0.900 to 0.950" in equally_good(known)
    assert "0.20 to 0.40 classes off on average" in equally_good(known | {"n_classes": 5})
    assert equally_good(None) == ""


def forest(**changes):
    content = {
        "task": "classification",
        "names": ["age", "day"],
        "intervals": [[0.3, 1.4], [0.0, 0.02]],
        "classes": [2, 0],
        "importances": [0.35, 0.0],
        "thresholds": [0.0, 0.03],
        "p_values": [[0.001, 0.0], [1.0, 0.4]],
        "predictability": [0.1, 0.2],
        "probes": [[0.0, 0.01]] * 40,
        "baseline": {"score_name": "share of the loss explained by trees", "score": 0.7},
        "settings": {"alpha": 0.05, "method": "contest"},
        "versions": {"allrelevant": "0", "lightgbm": "4"},
    }
    result = ForestRelevanceResult(**(content | changes))
    return forest_methods(result), forest_references(result)


def test_forests_have_a_methods_section_too():
    text, cited = forest()
    assert "Models (trees) [4] were fitted to parts of the rows; a model of all" in text
    assert "took 70% off the loss" in text
    assert "rise of the logarithmic loss" in text
    assert "permuted columns (40 of them) reach [2]" in text
    assert "at a level of 0.05 for all" in text
    assert ["thesis" in cited[0], "Boruta" in cited[1], "LightGBM" in cited[3]] == [True] * 3


def test_other_learners_and_the_algorithm_of_the_thesis_cite_what_they_use():
    known = {"score_name": "share of the loss explained by linear", "score": 0.7}
    text, cited = forest(task="regression", baseline=known)
    assert "Models (linear) were fitted" in text
    assert "squared loss" in text
    assert len(cited) == 3
    text, cited = forest(settings={"method": "squamish"}, baseline={})
    assert "by the algorithm of [1]" in text
    assert len(cited) == 2
    assert forest(baseline={})[0].count("Models were fitted to parts of the rows.") == 1
