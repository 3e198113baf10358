"""Words are words, gaps are gaps, and numbers keep every digit."""

import numpy as np
import pandas as pd
import pytest

from allrelevant.cli import main
from allrelevant.tabular import TableError, prepare, read_table

WORDS = ["None", "NA", "null", "n/a", "N/A", "NULL", "nan", "NaN", "<NA>", "-"]


def read(tmp_path, *cells, kind="csv"):
    path = tmp_path / f"t.{kind}"
    if kind == "csv":
        path.write_text("a,b\n" + "".join(f"{cell},1\n" for cell in cells))
    else:
        pytest.importorskip("openpyxl")
        pd.DataFrame({"a": cells, "b": 1}).to_excel(path, index=False)
    return read_table(path)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("word", WORDS)
def test_a_word_among_words_is_a_word(tmp_path, word, kind):
    assert read(tmp_path, word, "Mild", "Severe", kind=kind)["a"].tolist()[0] == word
    assert read(tmp_path, word, word, kind=kind)["a"].tolist() == [word, word]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("gap", ["", "?", " ", " ? "])
@pytest.mark.parametrize("other", ["Mild", "1.5", "3", "True"])
def test_empty_cells_and_question_marks_are_gaps(tmp_path, gap, other, kind):
    found = read(tmp_path, gap, other, kind=kind)
    assert found["a"].isna().tolist() == [True, False]
    assert found.attrs["notes"] == []


@pytest.mark.parametrize("word", ["NaN", "nan", "NA"])
@pytest.mark.parametrize("other", ["1.5", "3"])
def test_words_for_a_gap_among_numbers_are_gaps_and_said(tmp_path, word, other):
    found = read(tmp_path, word, other)
    assert found["a"].isna().tolist() == [True, False]
    assert found.attrs["notes"] == [
        f"column 'a' holds numbers: {word} in it was read as a missing value",
    ]


@pytest.mark.parametrize("word", ["None", "null", "n/a", "-", "1_000", "0x1A", "1,5"])
def test_other_words_among_numbers_are_words(tmp_path, word):
    assert read(tmp_path, f'"{word}"', "1.5")["a"].tolist() == [word, "1.5"]


def test_blanks_around_a_word_make_no_other_word(tmp_path):
    assert read(tmp_path, "yes", "yes ", " yes", '"yes "')["a"].tolist() == ["yes"] * 4


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "2"], "int64"),
        (["1", "2.5"], "float64"),
        (["1e3", "-inf"], "float64"),
        (["True", "FALSE"], "bool"),
        (["", ""], "float64"),
    ],
)
def test_kinds_of_columns(tmp_path, cells, kind):
    assert read(tmp_path, *cells)["a"].dtype == np.dtype(kind)


def test_numbers_are_the_nearest_there_are(tmp_path):
    cells = ["0.1", "1.7976931348623157e308", "5e-324", "0.30000000000000004", "9007199254740993.0"]
    assert read(tmp_path, *cells)["a"].tolist() == [float(cell) for cell in cells]


def test_whole_numbers_too_long_to_be_told_apart_as_floats_are_words(tmp_path):
    cells = ["123456789012345678901", "123456789012345678902"]
    assert read(tmp_path, *cells)["a"].tolist() == cells
    assert read(tmp_path, "9223372036854775807", "1")["a"].tolist() == [2**63 - 1, 1]


def test_digits_that_begin_with_a_zero_are_codes(tmp_path):
    codes = ["01067", "99084", "", "80331"]
    found = read(tmp_path, *codes)
    assert found["a"].tolist()[::3] == ["01067", "80331"]
    assert found["a"].isna().tolist() == [False, False, True, False]
    assert found.attrs["notes"] == [
        "column 'a' has digits that begin with a zero: read as codes, not as numbers"
    ]
    assert read(tmp_path, "0", "00.5", "-01")["a"].tolist() == [0.0, 0.5, -1.0]
    assert read(tmp_path, "0", "10", "7")["a"].tolist() == [0, 10, 7]


def test_points_among_decimal_commas_are_not_decimals(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b\n1,5;1.234\n2,5;5.678\n3,5;7,5\n")
    assert read_table(path)["b"].tolist() == ["1.234", "5.678", "7,5"]


def test_empty_text_in_parquet_is_a_gap(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": ["x", "", None, "NA"], "b": [[1], [2], [3], [4]]})
    frame.to_parquet(tmp_path / "t.parquet")
    found = read_table(tmp_path / "t.parquet")
    assert found["a"].isna().tolist() == [False, True, True, False]
    assert [list(cell) for cell in found["b"]] == [[1], [2], [3], [4]]


def test_numbers_kept_as_text_in_a_spreadsheet(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "t.xlsx"
    pd.DataFrame({"a": ["1.5", 2, "NA"], "b": ["x", 2, 3]}).to_excel(path, index=False)
    found = read_table(path)
    np.testing.assert_array_equal(found["a"], [1.5, 2.0, np.nan])
    assert found["b"].tolist() == ["x", 2, 3]


# -- the order of classes -------------------------------------------------------------------------

LEVELS = ["None", "Mild", "Severe"]


@pytest.fixture
def graded(tmp_path):
    rng = np.random.default_rng(0)
    rank = rng.integers(0, 3, size=120)
    frame = pd.DataFrame({"dose": rank + rng.normal(scale=0.3, size=120)})
    path = tmp_path / "graded.csv"
    frame.assign(pain=[LEVELS[k] for k in rank]).to_csv(path, index=False)
    return path


def test_a_class_called_none_is_a_class(graded):
    found = prepare(read_table(graded), "pain", order=LEVELS)
    assert found.target.order == tuple(LEVELS)
    assert len(found.y) == 120
    assert not any("left out" in note for note in found.notes)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("Mild,Severe", "--order does not name all values of target 'pain': None missing"),
        ("None,Mild,Bad,Severe", "--order names Bad, which no row has: target 'pain' is"),
        ("None,Mild,Mild,Severe", "--order names a class twice"),
    ],
)
def test_an_order_names_the_levels_and_no_others(graded, order, said, capsys):
    assert main(["fit", str(graded), "-t", "pain", "--order", order]) == 2
    assert said in capsys.readouterr().err


def test_an_order_of_whole_numbers_with_gaps():
    frame = pd.DataFrame({"y": [1.0, 2.0, np.nan, 3.0] * 5, "a": range(20), "b": [1, 2] * 10})
    assert prepare(frame, "y", order=["3", "2", "1"]).target.order == (3.0, 2.0, 1.0)


def test_costs_without_a_header_are_refused(graded, tmp_path, capsys):
    costs = tmp_path / "costs.csv"
    costs.write_text("dose,3\n")
    with pytest.raises(TableError, match="no rows"):
        read_table(costs)
    costs.write_text("dose,3\nother,2\n")
    order = ",".join(LEVELS)
    assert main(["sets", str(graded), "-t", "pain", "--order", order, "--costs", str(costs)]) == 2
    assert "costs.csv has no header line" in capsys.readouterr().err
