"""A table of patients, and its fit."""

import pandas as pd
import pytest
from cli_cases import COLUMNS
from shared_fits import made_once

from allrelevant import (
    ForestRelevanceClassifier,
    OrdinalRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
)
from allrelevant.datasets import make_classification
from allrelevant.tabular import read_table


@pytest.fixture(autouse=True, scope="module")
def equal_fits_made_once():
    """Nearly all commands begin with the same fit of the same table."""
    with made_once(
        RelevanceClassifier,
        RelevanceRegressor,
        OrdinalRelevanceClassifier,
        ForestRelevanceClassifier,
    ):
        yield


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
def model(path):
    # Older pandas reads text to the last digit but one: enough to put ties in another order.
    table = read_table(path)
    return RelevanceClassifier(random_state=0).fit(table[COLUMNS], table["ill"])
