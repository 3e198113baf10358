"""Every row is as wide as the header, or somebody is told; no cell moves to another column."""

import pandas as pd
import pytest

from allrelevant.tabular import TableError, prepare, read_table


def read(tmp_path, text, name="t.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_table(path)


@pytest.mark.parametrize("header", ["a,b,c", "a,b,c,", "a,b,c, ", "a,b,c,,"])
def test_a_comma_at_the_end_of_every_row_is_no_column(tmp_path, header):
    more = "," * max(1, header.count(",") - 2)
    found = read(tmp_path, f"{header}\n1,x,3{more}\n1,y,6{more}\n")
    assert found.to_dict("list") == {"a": [1, 1], "b": ["x", "y"], "c": [3, 6]}
    assert found.index.tolist() == [0, 1]
    assert found.attrs["notes"] == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"a" "b"\n"ann" 1 2\n"bob" 3 4\n', ["ann", "bob"]),
        ('"a" "b"\n"1" 1 2\n"2" 3 4\n', ["1", "2"]),
        ("a,b\nann,1,2\nbob,3,4\n", ["ann", "bob"]),
        ("a;b\nann;1;2\nbob;3;4\n", ["ann", "bob"]),
        ("a\tb\nann smith\t1\t2\nbob smith\t3\t4\n", ["ann smith", "bob smith"]),
    ],
)
def test_names_of_rows_as_r_writes_them_are_said(tmp_path, text, names):
    found = read(tmp_path, text)
    assert found.to_dict("list") == {"a": [1, 3], "b": [2, 4]}
    assert found.index.tolist() == names
    assert "the first ones were read as row names" in found.attrs["notes"][0]


def test_what_reading_says_is_among_the_notes(tmp_path):
    rows = "".join(f"p{k},{k % 7},{k % 2}\n" for k in range(30))
    notes = prepare(read(tmp_path, f"a,y\n{rows}"), "y").notes
    assert any("read as row names" in note for note in notes)


@pytest.mark.parametrize(
    "first",
    [["x", "x"], ["5.1", "4.9"], ["ann", "3"], ["ann", ""], ["2", "1"]],
    ids=["twice", "numbers", "a number", "empty", "not from 1"],
)
def test_a_name_that_the_header_lacks_is_no_index(tmp_path, first):
    with pytest.raises(TableError, match="header names 2 columns, but every row has 3 cells"):
        read(tmp_path, f"a,b\n{first[0]},1,2\n{first[1]},3,4\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b,c\n1,2,3\n1,2\n", "line 3: 2 cells where there should be 3"),
        ("a,b,c\n1,2,3\n\n\n1,2\n", "line 5: 2 cells where there should be 3"),
        ('a,b,c\n1,"2\n2",3\n1,2,3,4\n', "line 4: 4 cells where there should be 3"),
        ("a,b,c\n1,2,3,\n1,2,3\n", "line 2: 4 cells where there should be 3"),
        ("a;b;c\n1;2;3\n1;2;3\n1;2\n", "line 4: 2 cells where there should be 3"),
        ("a,b\n1,2,3,4\n1,2,3,4\n", "header names 2 columns, but every row has 4 cells"),
        ("a,b,c\n1,2\n3,4\n", "header names 3 columns, but every row has 2 cells"),
        ('a,b\n1,"2\n3,4\n', "below line 1: a quotation mark is opened and never closed"),
        ('a,b\n1,"2"x\n3,4\n', "below line 1: ',' expected after '\"'"),
    ],
)
def test_rows_of_another_width_are_named_by_their_line(tmp_path, text, said):
    with pytest.raises(TableError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)


def test_blank_lines_are_no_rows_however_many(tmp_path):
    found = read(tmp_path, "\n" * 80 + "a,b\n" + " \n" * 3 + "1,2\n\n3,4\n\n")
    assert found.to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_quotation_marks_between_blanks(tmp_path):
    found = read(tmp_path, '"a b"  "c"\n"x ""y"" z" 1\nw   2\n', "t.txt")
    assert found.to_dict("list") == {"a b": ['x "y" z', "w"], "c": [1, 2]}


def test_further_sheets_are_said_to_be_left(tmp_path):
    pytest.importorskip("openpyxl")
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        for name in ("first", "second"):
            pd.DataFrame({"a": [1, 2]}).to_excel(book, sheet_name=name, index=False)
    (note,) = read_table(tmp_path / "t.xlsx").attrs["notes"]
    assert "has 2 sheets: 'first', the first, was read" in note


def test_an_index_that_parquet_stores_is_said_to_be_no_column(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"patient": [3, 4], "a": [1.5, 2.5]})
    frame.set_index("patient").to_parquet(tmp_path / "t.parquet")
    (note,) = read_table(tmp_path / "t.parquet").attrs["notes"]
    assert "stores 'patient' as names of its rows: no column" in note
