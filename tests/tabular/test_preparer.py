"""Tables made ready in pipelines, as the command line makes them ready."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from allrelevant import RelevanceClassifier, TablePreparer, column_groups_from
from allrelevant.tabular import TableError, prepare

pytestmark = pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")


# This check of scikit-learn 1.6 takes means of categories itself.
OLD = {"check_positive_only_tag_during_fit": "subtracts a mean from whole numbers"}


@parametrize_with_checks(
    [TablePreparer(), TablePreparer(encode=True, impute="none")],
    expected_failed_checks=lambda one: OLD if one.encode and sklearn.__version__ < "1.7" else {},
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def patients():
    random, n = np.random.default_rng(0), 60
    ward = random.choice(["north", "south", "east"], n)
    age = random.normal(50.0, 10.0, n)
    table = pd.DataFrame(
        {
            "id": np.arange(1, n + 1),
            "age": np.where(random.random(n) < 0.1, np.nan, age),
            "ward": pd.Series(ward, dtype=object).where(random.random(n) > 0.1),
            "sex": random.choice(["f", "m"], n),
            "clinic": "Oslo",
            "seen": pd.Series(pd.Timestamp("2024-01-31") + pd.to_timedelta(np.arange(n), "D")),
            "note": [f"person {k}" for k in range(n)],
        }
    )
    return table, ((age > 50) ^ (ward == "east")).astype(int)


def test_it_is_what_the_command_line_makes_of_the_table(patients):
    table, y = patients
    ready = prepare(table.assign(ill=y), "ill", impute="median")
    preparer = TablePreparer()
    pd.testing.assert_frame_equal(preparer.fit_transform(table), ready.X)
    assert preparer.left_out_.keys() == ready.left_out.keys() == {"id", "clinic", "seen", "note"}
    assert any("missing numbers in age" in note for note in preparer.notes_)
    by_column = prepare(table.assign(ill=y), "ill", impute="median", by_column=True)
    encoded = TablePreparer(encode=True).fit(table)
    found = encoded.transform(table[::-1])
    pd.testing.assert_frame_equal(found, by_column.X[::-1])
    assert encoded.get_feature_names_out().tolist() == list(by_column.X.columns)
    assert encoded.column_groups_ == by_column.categories.groups
    assert column_groups_from(encoded) == encoded.column_groups_


@pytest.mark.slow
def test_in_pipelines_with_any_estimator(patients):
    table, y = patients
    plain = make_pipeline(TablePreparer(encode=True), LogisticRegression()).fit(table, y)
    assert plain.predict(table).shape == y.shape
    ours = make_pipeline(TablePreparer(), RelevanceClassifier(C=0.5, n_probes=20, random_state=0))
    result = ours.fit(table, y)[-1].result_
    assert result.names == ("age", "ward", "sex")
    assert list(result.columns) == ["ward"]
    direct = clone(ours[-1]).fit(TablePreparer().fit_transform(table), y).result_
    np.testing.assert_array_equal(direct.intervals, result.intervals)
    groups = plain[0].column_groups_
    coded = clone(ours[-1]).set_params(column_groups=groups).fit(plain[0].transform(table), y)
    np.testing.assert_allclose(coded.result_.intervals, result.intervals, atol=1e-9)


@pytest.mark.parametrize("output", ["default", "pandas"])
def test_set_output_and_arrays(patients, output):
    preparer = TablePreparer().set_output(transform=output)
    X = np.array([[1.0, np.nan, 2.0], [2.0, 4.0, 2.0], [3.0, 8.0, 2.0]])
    found = preparer.fit_transform(X)
    assert isinstance(found, pd.DataFrame) == (output == "pandas")
    np.testing.assert_array_equal(found, [[1, 6], [2, 4], [3, 8]])
    assert preparer.get_feature_names_out().tolist() == ["x0", "x1"]
    assert preparer.left_out_ == {"x2": "it is constant (2.0)"}


def test_dates_as_days_and_as_parts(patients):
    table, _ = patients
    days = TablePreparer(dates="days").fit(table)
    assert days.transform(table)["seen"].iloc[:2].tolist() == [19753.0, 19754.0]
    text = table.assign(seen=table["seen"].dt.strftime("%Y-%m-%d").where(table.index > 0))
    filled = TablePreparer(dates="days").fit_transform(text)["seen"]
    assert filled[0] == filled[1:].median()
    parts = TablePreparer(dates="parts").fit(table)
    found = parts.transform(table)
    assert "seen_year" not in found  # it is constant
    assert found[["seen_month", "seen_weekday"]].iloc[0].tolist() == [1, 2]
    assert parts.column_groups_ == {"seen": ["seen_month", "seen_weekday"]}
    with pytest.raises(TableError, match="cannot be told apart"):
        TablePreparer(dates="days").fit(text.assign(seen="01/02/2024"))


@pytest.mark.parametrize(
    ("written", "month"),
    [
        (["01.03.2023", "02.04.2023"], 3),  # with dots days come first
        (["01/03/2023", "13/04/2023"], 3),  # 13 is no month
        (["01/03/2023", "2023-04-13", "13/04/2023"], 3),
        (["01/03/2023", "04/13/2023"], 1),
        (["1 Mar 2023", "2 April 2023"], 3),
    ],
)
def test_the_column_tells_whether_days_or_months_come_first(written, month):
    frame = pd.DataFrame({"seen": written, "age": range(len(written))})
    preparer = TablePreparer(dates="parts").fit(frame)
    assert preparer.transform(frame)["seen_month"].tolist() == [month, *[4] * (len(written) - 1)]
    alone = preparer.transform(frame.head(1))  # as the column of the fit said
    assert alone["seen_month"].tolist() == [month]


def test_days_before_months_and_after_them_are_refused():
    frame = pd.DataFrame({"seen": ["01/13/2023", "13/01/2023"], "age": [1, 2]})
    with pytest.raises(TableError, match="cannot be told apart"):
        TablePreparer(dates="days").fit(frame)


def test_errors_speak_of_parameters(patients):
    table, y = patients
    preparer = TablePreparer().fit(table)
    assert "numeric=['id'] uses it" in preparer.left_out_["id"]
    with pytest.raises(TableError, match="give impute='median'"):
        TablePreparer(impute="none").fit(table)
    with pytest.raises(TableError, match="numeric: there is no column 'agee'; did you mean 'age'"):
        TablePreparer(numeric=["agee"]).fit(table)
    with pytest.raises(TableError, match="hold values that the data do not"):
        preparer.transform(table.assign(ward="west"))
    with pytest.raises(ValueError, match="'a'"):
        TablePreparer().fit(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]))
    with pytest.raises(TableError, match="no column is left"):
        TablePreparer(drop=["age", "ward", "sex"]).fit(table)
    with pytest.raises(ValueError, match=r"TablePreparer\(dates='days'\)"):
        RelevanceClassifier().fit(table[["age"]].assign(seen=["2024-01-05"] * 60), y)


def test_missing_dates_are_named_as_the_table_has_them():
    days = [f"2024-{month:02d}-03" for month in range(1, 9)]
    frame = pd.DataFrame({"visit": [*days, None], "age": np.arange(9.0) ** 2})
    with pytest.raises(TableError, match="numbers are missing in visit: "):
        TablePreparer(dates="parts", impute="none").fit(frame)
    notes = TablePreparer(dates="parts", impute="median").fit(frame).notes_
    assert "missing numbers in visit were replaced by the column's median" in notes
