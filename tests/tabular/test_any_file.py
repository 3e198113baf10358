"""Whatever a file holds, it is read to the last cell or refused in one line."""

import csv
import io
import re
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from allrelevant.base.names import visible
from allrelevant.cli import main
from allrelevant.tabular import TableError, prepare, read_table

MANY = settings(max_examples=150, deadline=None)
GAPS = ("", "?")
# What tables are made of, and what has gone wrong with them before.
ODD = ["", "?", "NA", "nan", "None", "null", "1", "01", "1.5", "1,5", "1e5", "1_0", "-inf", "TRUE"]
cells = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6),
    st.floats(allow_nan=False).map(str),
    st.integers().map(str),
)
pieces = st.sampled_from(
    [",", ";", "\t", "|", " ", '"', '""', "\n", "\r\n", "\r", "a", "b", "é", "\x1b", "\u2028", *ODD]
)


@st.composite
def tables(draw, delimiters=",;\t|"):
    """Rows of text, as somebody's program writes them, and the text it writes."""
    n_columns, n_rows = draw(st.integers(2, 5)), draw(st.integers(1, 8))
    names = [f"column {k}" for k in range(n_columns)]
    row = st.lists(cells, min_size=n_columns, max_size=n_columns)
    rows = draw(st.lists(row, min_size=n_rows, max_size=n_rows))
    delimiter = draw(st.sampled_from(delimiters))
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([names, *rows])
    return names, rows, file.getvalue()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("any") / "file.csv"


def attempt(function, *arguments, **more):
    """What comes of it, or None, and what a table is refused with; any other error is one."""
    try:
        return function(*arguments, **more), ""
    except TableError as error:
        return None, str(error)


def is_same(cell, read):
    """Whether what was read is what is written."""
    cell = cell.strip()
    if pd.isna(read):
        return cell in GAPS or cell.lower() in ("nan", "na")
    if isinstance(read, bool | np.bool_):
        return cell.lower() == str(read).lower()
    if isinstance(read, str):
        return cell == read
    if isinstance(read, int | np.integer):  # floats have too few digits for large ones
        return int(cell) == read
    return float(cell.replace(",", ".")) == read


@pytest.mark.slow
@MANY
@given(tables())
def test_every_cell_is_read_where_it_is_written(path, table):
    names, rows, text = table
    path.write_bytes(text.encode("utf-8"))
    found = read_table(path)
    assert list(found.columns) == names
    assert len(found) == len(rows), "no row is lost"
    for row, (_, read) in zip(rows, found.iterrows(), strict=True):
        assert all(map(is_same, row, read.tolist())), f"{row} was read as {read.tolist()}"


@pytest.mark.slow
@MANY
@given(tables(), st.data())
def test_a_cell_too_many_or_too_few_is_refused(path, table, data):
    names, rows, _ = table
    assume(len(rows) > 1)
    k = data.draw(st.integers(0, len(rows) - 1))
    changed = data.draw(st.sampled_from([rows[k][:-1], [*rows[k], "more"]]))
    assume(len(changed) > 1)
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([names, *rows[:k], changed, *rows[k + 1 :]])
    path.write_bytes(file.getvalue().encode("utf-8"))
    with pytest.raises(TableError, match=f"{len(changed)} cells where there should be"):
        read_table(path)


@pytest.mark.slow
@MANY
@given(st.one_of(st.lists(pieces, max_size=60).map("".join), st.text(max_size=60)))
def test_any_text_is_a_table_or_one_line(path, text):
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    found, said = attempt(read_table, path)
    assert "\n" not in said
    if found is None:
        return
    # No more names than the header holds, and no fewer rows than lines with anything on them,
    # but for those that quotation marks join.
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    filled = sum(bool(line.strip()) for line in lines) - 1
    assert len(found) >= filled or '"' in text
    assert all(visible(name) == name for name in found.columns)


@pytest.mark.slow
@MANY
@given(tables(","))
def test_rows_are_used_or_said_to_be_left_out(path, table):
    names, rows, text = table
    path.write_bytes(text.encode("utf-8"))
    found, said = attempt(prepare, read_table(path), names[0], for_trees=True)
    assert "\n" not in said
    if found is None:
        return
    n_left = len(rows) - len(found.y)
    said = [note for note in found.notes if "left out for lack of a target" in note]
    assert len(said) == (n_left > 0)
    assert not said or said[0].startswith(f"{n_left} row")
    assert len(found.X) == len(found.y)
    assert set(found.X.columns) | set(found.left_out) | {names[0]} == set(names), (
        "no column is lost unsaid"
    )


class EnoughError(ValueError):
    """As far as a table goes."""


@pytest.mark.slow
@MANY
@given(st.one_of(tables().map(lambda table: table[2]), st.lists(pieces, max_size=60).map("".join)))
def test_the_command_says_one_line(path, text):
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    out, err = io.StringIO(), io.StringIO()
    with (
        patch("allrelevant.cli.fit.fitted", side_effect=EnoughError("enough")),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        assert main(["fit", str(path), "-t", "column 0", "--impute", "mean"]) == 2
    assert not out.getvalue()
    assert err.getvalue().splitlines()[-1].startswith("allrelevant: ")
    assert "Traceback" not in err.getvalue()
    assert not {c for c in err.getvalue() if visible(c) != c} - {"\n"}


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["csv", "csv.gz", "xlsx", "parquet", "csv.xz"]))
def test_any_bytes_under_any_name(path, content, suffix):
    file = path.with_suffix(f".{suffix}")
    file.write_bytes(content)
    found, said = attempt(read_table, file)
    assert said or len(found) > 0
    assert "\n" not in said
