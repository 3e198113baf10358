"""A table of patients, and its fit."""

import pandas as pd
import pytest
from cli_cases import COLUMNS

from allrelevant import RelevanceClassifier
from allrelevant.datasets import make_classification


@pytest.fixture(scope="session")
def frame():
    X, y, _ = make_classification(80, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    table = pd.DataFrame(X, columns=COLUMNS)
    table["ill"] = y
    return table


@pytest.fixture(scope="session")
def path(frame, tmp_path_factory):
    file = tmp_path_factory.mktemp("data") / "patients.csv"
    frame.to_csv(file, index=False)
    return str(file)


@pytest.fixture(scope="session")
def model(frame):
    return RelevanceClassifier(random_state=0).fit(frame[COLUMNS], frame["ill"])
