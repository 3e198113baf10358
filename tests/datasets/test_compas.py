"""The loader of the COMPAS data, on a small table of the same shape."""

import numpy as np
import pandas as pd
import pytest

from allrelevant.datasets import load_compas

ROWS = {
    "juv_fel_count": [0, 1, 0, 2],
    "juv_misd_count": [0, 0, 3, 0],
    "juv_other_count": [1, 0, 0, 0],
    "priors_count": [5, 0, 2, 1],
    "is_recid": [0, -1, 1, 1],
    "is_violent_recid": [0, 0, 1, 0],
    "race": ["Other", "Asian", "Other", "Hispanic"],
    "sex": ["Male", "Female", "Male", "Male"],
    "age_cat": ["25 - 45", "Less than 25", "25 - 45", "Greater than 45"],
    "c_charge_degree": ["F", "M", "F", "F"],
    "score_text": ["High", "Low", None, "Low"],
    "name": ["not", "to", "be", "used"],
}


@pytest.fixture
def path(tmp_path):
    where = tmp_path / "compas.csv.gz"
    pd.DataFrame(ROWS).to_csv(where, index=False)
    return where


def test_people_with_a_score_and_one_column_per_level(path):
    compas = load_compas(path)
    assert compas.target.tolist() == ["High", "Low", "Low"]
    assert compas.target.cat.ordered
    assert compas.target.cat.categories.tolist() == ["Low", "Medium", "High"]
    assert compas.column_groups["race"] == ["race: Asian", "race: Hispanic", "race: Other"]
    assert set(compas.column_groups) == {"race", "sex", "age_cat", "c_charge_degree"}
    for columns in compas.column_groups.values():
        np.testing.assert_array_equal(compas.data[columns].sum(axis=1), 1.0)
    assert compas.data["priors_count"].tolist() == [5.0, 0.0, 1.0]
    assert "name" not in compas.data
    assert {str(kind) for kind in compas.data.dtypes} == {"float64"}


def test_the_path_may_come_from_the_environment(path, monkeypatch):
    monkeypatch.setenv("ALLRELEVANT_COMPAS", str(path))
    pd.testing.assert_frame_equal(load_compas().data, load_compas(str(path)).data)


def test_a_missing_file_is_named_with_a_way_out(tmp_path, monkeypatch):
    monkeypatch.delenv("ALLRELEVANT_COMPAS", raising=False)
    with pytest.raises(FileNotFoundError, match=r"compas-scores.csv, but none was given.*set the"):
        load_compas()
    with pytest.raises(FileNotFoundError, match=r"there is none at '.*nowhere\.csv'"):
        load_compas(tmp_path / "nowhere.csv")


def test_missing_columns_are_named(tmp_path):
    where = tmp_path / "other.csv"
    pd.DataFrame(ROWS).drop(columns=["race", "sex"]).to_csv(where, index=False)
    with pytest.raises(ValueError, match="lacks the columns race, sex"):
        load_compas(where)
