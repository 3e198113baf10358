"""Tables in all the ways people store them; one line where there is none."""

import codecs
import gzip

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant.tabular import TableError, read_table

FRAME = pd.DataFrame({"age": [31, 45, 62], "dose": [0.5, 1.25, 2.0], "name": ["a", "b c", "d"]})


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "txt.bz2", "tsv.xz"])
def test_any_delimiter_and_compression(tmp_path, delimiter, suffix):
    path = tmp_path / f"table.{suffix}"
    FRAME.to_csv(path, sep=delimiter, index=False)
    pd.testing.assert_frame_equal(read_table(path), FRAME)


def test_blanks_between_columns(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text("a  b c\n1  2 3\n4 5   6\n")
    assert read_table(path).to_numpy().tolist() == [[1, 2, 3], [4, 5, 6]]


def test_delimiters_within_quotes_do_not_count(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('a,b\n"x;y;z","1"\n"p;q;r","2"\n')
    assert list(read_table(path).columns) == ["a", "b"]


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " "])
def test_decimal_commas(tmp_path, delimiter):
    path = tmp_path / "table.csv"
    path.write_text("a;b\n1,5;x\n2,125;y\n".replace(";", delimiter))
    assert read_table(path)["a"].tolist() == [1.5, 2.125]


def test_what_may_be_thousands_is_not_taken_for_decimals(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("a\tb\n1,500\t1\n2,250\t2\n")
    assert read_table(path)["a"].tolist() == ["1,500", "2,250"]


@pytest.mark.parametrize("header", ["a,b,a", 'a,"b", a', "a\tb\ta", "a b a"])
def test_two_columns_of_one_name(tmp_path, header):
    path = tmp_path / "table.csv"
    between = next(sign for sign in ",\t " if sign in header)
    path.write_text(f"{header}\n" + f"{between.join('123')}\n" * 3)
    with pytest.raises(TableError, match="two columns called 'a': rename one"):
        read_table(path)


def test_two_columns_of_one_name_in_excel(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "t.xlsx"
    pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]).to_excel(path, index=False)
    with pytest.raises(TableError, match="two columns called 'a': rename one"):
        read_table(path)


def test_columns_without_a_name_are_not_twice_the_same(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(",,a.1,a\n1,2,3,4\n")
    assert list(read_table(path).columns) == ["Unnamed: 0", "Unnamed: 1", "a.1", "a"]


BYTES = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16": b"",
    "utf-32": b"",
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-be": codecs.BOM_UTF32_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
}


@pytest.mark.parametrize("encoding", BYTES)
def test_encodings(tmp_path, encoding):
    path = tmp_path / "table.csv"
    path.write_bytes(BYTES[encoding] + "größe,y\n1,2\n3,4\n".encode(encoding))
    found = read_table(path)
    assert found.to_dict("list") == {"größe": [1, 3], "y": [2, 4]}
    assert found.attrs["notes"] == []


def test_windows_encoding_is_said(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes("größe,y\n1,2\n3,4\n".encode("cp1252"))
    found = read_table(path)
    assert list(found.columns) == ["größe", "y"]
    assert found.attrs["notes"] == [f"{path} is not UTF-8: read as Windows-1252"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b\n1,2\n\x81\xff,3\n", "line 3 is neither UTF-8 nor Windows-1252"),
        (codecs.BOM_UTF16_LE + "a,b\n1,2\n".encode("utf-16-le") + b"x", "is not UTF-16"),
        (codecs.BOM_UTF32_LE + "a,b\n1,2\n".encode("utf-32-le") + b"x", "is not UTF-32"),
        ("a,b\n1,2\n".encode("utf-16-le"), "is not text"),
    ],
)
def test_broken_encodings_are_no_tables(tmp_path, content, said):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(TableError, match=said):
        read_table(path)


@pytest.mark.parametrize("kind", ["csv", "xlsx", "parquet"])
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("age\n(years)", "age (years)"),
        ("age  (years)", "age (years)"),
        ("\x1b[31mage", "\\x1b[31mage"),
        ("age\u202egnp", "age\\u202egnp"),
        ("\ufeffage", "\\ufeffage"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_names_are_one_line_and_hide_nothing(tmp_path, written, read, kind):
    if kind == "xlsx" and "\x1b" in written:
        pytest.skip("no spreadsheet holds it")
    path = tmp_path / f"table.{kind}"
    table = pd.DataFrame({"y": [1, 2], written: [3, 4]})
    write = {"csv": table.to_csv, "xlsx": table.to_excel, "parquet": table.to_parquet}[kind]
    write(path, index=False)
    assert list(read_table(path).columns) == ["y", read]


@pytest.mark.parametrize("other", ["a  b", "a\nb", " a b", "a\u00a0b"])
def test_names_that_differ_in_blanks_only_are_the_same(tmp_path, other):
    path = tmp_path / "table.csv"
    pd.DataFrame([[1, 2]], columns=["a b", other]).to_csv(path, index=False)
    with pytest.raises(TableError, match="two columns called 'a b': rename one"):
        read_table(path)


@pytest.mark.parametrize("pair", [("é", "e\u0301"), ("ab", "a\u200db")])
def test_names_that_look_the_same_are_refused(tmp_path, pair):
    path = tmp_path / "table.csv"
    pd.DataFrame([[1, 2]], columns=list(pair)).to_csv(path, index=False)
    with pytest.raises(TableError) as caught:
        read_table(path)
    assert f"{pair[0]!a} and {pair[1]!a}, which look the same" in str(caught.value)


@pytest.mark.slow
def test_lines_too_long_for_one_cell_are_cut_by_their_delimiter(tmp_path):
    """The module csv takes no cell of more than 131072 characters."""
    path = tmp_path / "table.csv"
    names = [f"a column with a long name, the {k}th".replace(",", "") for k in range(5000)]
    path.write_text(",".join(names) + "\n" + ",".join("1" * 5000) + "\n")
    assert read_table(path).shape == (1, 5000)


def test_a_question_mark_is_a_missing_value(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n?,3\n")
    assert np.isnan(read_table(path)["a"][1])


def test_parquet_and_excel(tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    FRAME.to_parquet(tmp_path / "t.parquet")
    FRAME.to_excel(tmp_path / "t.xlsx", index=False)
    for name in ("t.parquet", "t.xlsx"):
        found = read_table(tmp_path / name)
        assert found.to_dict("list") == FRAME.to_dict("list")


def test_a_missing_engine_names_the_extra(tmp_path, monkeypatch):
    def without(path):
        raise ImportError("no engine")

    monkeypatch.setattr(pd, "read_parquet", without)
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1")
    with pytest.raises(TableError, match=r"allrelevant\[files\]"):
        read_table(path)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "is empty"),
        ("header.csv", b"a,b\n", "no rows"),
        ("picture.csv", b"\x89PNG\x00\x00\x01", "is not text"),
        ("broken.csv.gz", b"no gzip at all", "cannot read"),
        ("cut.csv.gz", gzip.compress(b"a,b\n1,2\n" * 100, mtime=0)[:30], "cannot read"),
        (
            "ragged.csv",
            b"a,b\n1,2\n1,2,3,4\n",
            "ragged.csv, line 3: 4 cells where there should be 2",
        ),
        ("broken.xlsx", b"nothing", "cannot read"),
        ("broken.parquet", b"nothing", "cannot read"),
    ],
)
def test_unreadable_files_are_one_line(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TableError, match=said) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)


def test_no_file_and_a_folder(tmp_path):
    with pytest.raises(TableError, match="no file"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(TableError, match="folder"):
        read_table(tmp_path)


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_table_or_a_table_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("bytes") / "file.csv"
    path.write_bytes(content)
    outcome = "a table"
    try:
        assert len(read_table(path)) > 0
    except TableError as error:
        outcome = str(error)
    assert "\n" not in outcome
