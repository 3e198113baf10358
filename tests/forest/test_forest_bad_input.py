"""Bad input gets an error that says what is wrong and where."""

import numpy as np
import pandas as pd
import pytest
from forest_cases import NAMES, classifier, regressor, signal


@pytest.mark.parametrize(
    "parameters",
    [
        {"estimator": "boosting"},
        {"estimator": 3},
        {"method": "boruta"},
        {"alpha": 0.0},
        {"alpha_strong": 1.0},
        {"redundancy": 1.5},
        {"max_blocks": 1},
        {"max_blocks": 2.5},
        {"select": "weak"},
        {"n_jobs": 0},
        {"verbose": -1},
        {"random_state": "seed"},
        {"ordinal": "yes"},
        {"class_weight": "even"},
        {"classes": [0, 1]},
    ],
    ids=str,
)
def test_bad_parameters_are_named(parameters):
    X, y, _ = signal(30)
    with pytest.raises(ValueError, match=next(iter(parameters))):
        classifier(**parameters).fit(X, y)


def test_infinity_and_text_name_the_column():
    X, y, _ = signal(30)
    frame = pd.DataFrame(X, columns=NAMES)
    frame.loc[3, "twin"] = np.inf
    with pytest.raises(ValueError, match=r"infinity in column 'twin'"):
        classifier().fit(frame, y)
    frame["twin"] = [f"person {k}" for k in range(30)]
    with pytest.raises(ValueError, match=r"'twin' does not .* too many for a category"):
        classifier().fit(frame, y)
    with pytest.raises(ValueError, match=r"'x0' does not hold numbers"):
        classifier().fit(frame[["twin"]].to_numpy(), y)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, "y"),
        (np.zeros(30), "one class"),
        (np.linspace(0, 1, 30), "continuous"),
        (np.where(np.arange(30) == 3, np.nan, 1.0), "NaN"),
        (np.arange(29) % 2, "inconsistent"),
    ],
    ids=["none", "one-class", "numbers", "missing", "short"],
)
def test_bad_classes(y, words):
    X, _, _ = signal(30)
    with pytest.raises(ValueError, match=words):
        classifier().fit(X, y)


def test_bad_numbers():
    X, _, _ = signal(30)
    with pytest.raises(ValueError, match="NaN or infinity"):
        regressor().fit(X, np.full(30, np.inf))
    with pytest.raises(ValueError, match="must hold numbers"):
        regressor().fit(X, ["a"] * 30)


@pytest.mark.parametrize("weight", [-np.ones(30), np.zeros(30), np.ones(29)], ids=len)
def test_bad_weights(weight):
    X, y, _ = signal(30)
    with pytest.raises(ValueError, match=r"(?i)sample.weight"):
        classifier().fit(X, y, sample_weight=weight)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal")
def test_a_failing_fit_leaves_the_estimator_as_it_was():
    X, y, _ = signal(100)
    model = classifier(estimator="linear").fit(X, y)
    before = model.result_
    with pytest.raises(ValueError, match="one class"):
        model.fit(X, np.zeros(100))
    assert model.result_ is before
    with pytest.raises(ValueError, match=r"5 features.*expecting 6"):
        model.predict(X[:, :5])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal")
def test_progress_is_told_by_round(capsys, caplog):
    X, y, _ = signal(100)
    with caplog.at_level("INFO", logger="allrelevant"):
        classifier(estimator="linear").fit(X, y)
    assert "round 1 of at most 2" in caplog.text
    assert "features from features" in caplog.text
    assert capsys.readouterr() == ("", "")
