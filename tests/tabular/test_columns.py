"""Columns become numbers, and nothing happens to them unsaid."""

import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from allrelevant.tabular import TableError, prepare
from allrelevant.tabular.names import check_columns

N = 40


def frame(**columns):
    rng = np.random.default_rng(0)
    return pd.DataFrame({"y": np.arange(N) % 2, "a": rng.normal(size=N), **columns})


def test_numbers_and_booleans_stay():
    table = frame(flag=np.arange(N) % 3 == 0)
    found = prepare(table, "y")
    assert list(found.X.columns) == ["a", "flag"]
    assert set(found.X.dtypes) == {np.dtype("float64")}
    np.testing.assert_array_equal(found.X["flag"], table["flag"].astype(float))
    assert found.notes == []
    assert found.facts["rows"] == N
    assert found.facts["features"] == 2


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.full(N, 3), "constant"),
        (["same"] * N, "constant"),
        ([None] * N, "empty"),
        ([f"person {k}" for k in range(N)], "identifier"),
        (np.arange(100, 100 + N), "identifier"),
        (pd.date_range("2020-01-01", periods=N), "dates"),
        ([f"2024-{1 + k % 12:02}-03" for k in range(N)], "dates"),
        ([[1, 2]] * N, "lists"),
        ([f"town {k % 35}" for k in range(N)], "35 distinct values"),
    ],
)
def test_useless_columns_are_left_out_and_named(values, reason):
    found = prepare(frame(odd=values), "y")
    assert list(found.X.columns) == ["a"]
    assert any("'odd'" in note and reason in note for note in found.notes)


@pytest.mark.parametrize(
    "form",
    [
        "%Y-%m-%d",
        "%Y/%m/%d %H:%M",
        "%Y-%m-%dT%H:%M:%SZ",
        "%d.%m.%Y",
        "%m/%d/%Y",
        "%d.%m.%y",
        "%d %b %Y",
        "%B %d, %Y",
        "%d-%b-%Y",
    ],
)
def test_dates_as_text_are_dates(form):
    days = pd.date_range("2024-01-01", periods=N, freq="37D")
    table = frame(when=[None, *days.strftime(form)[1:]])
    assert any("'when' was left out: it holds dates" in note for note in prepare(table, "y").notes)
    assert "when" in prepare(table, "y", categorical=["when"]).categories.groups


@pytest.mark.parametrize("text", ["1.2.10", "2024-13-45", "12-34-56", "May", "12:30"])
def test_what_only_resembles_a_date_is_none(text):
    assert "odd" in prepare(frame(odd=[text, "other"] * (N // 2)), "y").X


def test_days_and_exact_decimals_as_parquet_has_them():
    days = [day.date() for day in pd.date_range("2024-01-01", periods=N)]
    found = prepare(frame(day=days, price=[Decimal(k) / 8 for k in range(N)]), "y")
    assert list(found.X.columns) == ["a", "price"]
    assert found.X["price"].iloc[-1] == (N - 1) / 8


def test_the_constant_is_shown_plainly():
    assert "column 'b' was left out: it is constant (7)" in prepare(frame(b=[7] * N), "y").notes


def test_a_target_of_lists_is_refused():
    with pytest.raises(TableError, match="'odd' holds lists"):
        prepare(frame(odd=[[1, 2]] * N), "odd")


# -- numbers with typing errors -------------------------------------------------------------------


@pytest.mark.parametrize("n_levels", [5, 35, N])
def test_cells_that_keep_a_column_from_being_numbers_are_named(n_levels):
    table = frame(dose=["n/k", *[str(k % n_levels / 4) for k in range(1, N - 1)], None])
    notes = [note for note in prepare(table, "y").notes if "'dose'" in note]
    assert "38 of 39 cells are numbers" in notes[0]  # the missing one does not count
    assert "but not 'n/k' in row 1 (rows below the header)" in notes[0]


def test_names_among_which_there_are_numbers_are_no_typing_errors():
    found = prepare(frame(room=["1", "2", "hall", "yard"] * (N // 4)), "y")
    assert found.notes == ["column 'room' is a category of 4 levels: 1, 2, hall, yard"]


def test_numbers_stored_as_text():
    table = frame(dose=[str(k % 7) for k in range(N)])
    assert any("--numeric dose uses them" in note for note in prepare(table, "y").notes)
    found = prepare(table, "y", numeric=["dose"])
    assert found.X["dose"].tolist() == [k % 7 for k in range(N)]
    assert found.code(table)["dose"].tolist() == found.X["dose"].tolist()


def test_numeric_names_the_cells_that_are_no_numbers():
    table = frame(dose=["1,5", "2", "n/k", *map(str, range(N - 3))])
    table["y"] = [None, *table["y"][1:]]
    with pytest.raises(TableError, match=r"^--numeric: column 'dose' .* 'n/k' in row 3 "):
        prepare(table, "y", numeric=["dose"])


def test_numeric_takes_yes_and_no_with_gaps():
    table = frame(flag=[None, True, False, True] * (N // 4))
    found = prepare(table, "y", numeric=["flag"], impute="median")
    assert found.X["flag"][:4].tolist() == [1, 1, 0, 1]


# -- more about columns ---------------------------------------------------------------------------


def test_a_column_called_id_is_left_out_unless_asked_for():
    table = frame(patient_id=np.random.default_rng(1).permutation(N) * 7)
    assert "patient_id" not in prepare(table, "y").X
    assert "patient_id" in prepare(table, "y", numeric=["patient_id"]).X
    assert "paid" in prepare(frame(paid=np.random.default_rng(1).permutation(N) * 7), "y").X


def test_two_levels_are_one_column_and_more_are_a_group():
    table = frame(sex=["m", "f"] * (N // 2), town=[f"t{k % 4}" for k in range(N)])
    found = prepare(table, "y")
    levels = [f"town=t{k}" for k in range(4)]
    assert list(found.X.columns) == ["a", "sex", "town"]
    assert found.features == {"a": ["a"], "sex": ["sex"], "town": levels}
    assert "column 'sex' is 1 for 'm' and 0 for 'f'" in found.notes
    assert (found.facts["features"], found.facts["columns used"]) == (3, 6)
    assert found.known("town", "--forbid") == ["town"]
    assert found.known("town=t1", "--forbid") == ["town=t1"]
    by_column = prepare(table, "y", by_column=True)
    assert list(by_column.X.columns) == ["a", "sex", *levels]
    np.testing.assert_array_equal(by_column.X["sex"], table["sex"] == "m")
    assert (by_column.X[levels].sum(axis=1) == 1).all()
    assert by_column.known("town", "--forbid") == levels
    assert by_column.features == {name: [name] for name in ("a", "sex", *levels)}
    pd.testing.assert_frame_equal(by_column.code(table), by_column.X)


@pytest.mark.parametrize("in_front", [False, True])
@pytest.mark.parametrize("cells", [[0.5, 1.5] * (N // 2), ["p", "q", "r", "p"] * (N // 4)])
def test_a_column_called_like_a_level_is_refused(cells, in_front):
    levels = ["t0", "t1", "t2", "t0"] * (N // 4)
    columns = {"town": levels, "town=t1": cells}
    table = frame(**dict(sorted(columns.items(), reverse=in_front)))
    with pytest.raises(TableError, match=r"both give a column called 'town=t1': rename or drop"):
        prepare(table, "y")
    assert "town=t1" in prepare(table, "y", drop=["town=t1"]).features["town"]


def test_names_that_no_feature_has():
    towns = [f"t{k % 4}" for k in range(N)]
    table = frame(town=towns, person=[f"p{k}" for k in range(N)], b=range(0, 2 * N, 2))
    found = prepare(table, "y", drop=["b"])
    for name, said in (
        ("twon", "there is no column 'twon'; did you mean 'town'?"),
        ("town=t", "did you mean 'town=t"),
        ("zzz", "there is no column 'zzz'; there are a, town, town=t0"),
        ("person", "column 'person' was left out: it is different in every row"),
        ("b", "column 'b' was left out: --drop"),
        ("y", "'y' is the target, not a feature"),
    ):
        with pytest.raises(TableError, match=re.escape(said)):
            found.known(name, "--forbid")


def test_numbers_can_be_categories():
    found = prepare(frame(code=np.arange(N) % 3), "y", categorical=["code"])
    assert found.features["code"] == ["code=0", "code=1", "code=2"]


def test_a_missing_level_is_a_level():
    found = prepare(frame(town=[None, "a", "b", "a"] * (N // 4)), "y")
    assert "town=(missing)" in found.features["town"]


def test_missing_numbers_need_a_decision():
    table = frame(b=[np.nan, 1.0, 2.0, 6.0] * (N // 4))
    with pytest.raises(TableError, match="missing in b: give --impute"):
        prepare(table, "y")
    assert prepare(table, "y", impute="mean").X["b"][0] == 3.0
    found = prepare(table, "y", impute="median")
    assert found.X["b"][0] == 2.0
    assert any("median" in note for note in found.notes)


def test_rows_without_a_target_are_left_out_and_counted():
    table = frame()
    table["y"] = table["y"].astype(float)
    table.loc[:0, "y"] = np.nan
    assert "1 row was left out for lack of a target" in prepare(table, "y").notes
    table.loc[:4, "y"] = np.nan
    found = prepare(table, "y")
    assert len(found.X) == len(found.y) == N - 5
    assert "5 rows were left out for lack of a target" in found.notes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"target": "Y"}, "--target: there is no column 'Y'; did you mean 'y'"),
        ({"target": "zzz"}, "there are y, a"),
        ({"drop": ["aa"]}, "--drop: there is no column 'aa'"),
        ({"categorical": ["q"]}, "--categorical"),
        ({"numeric": ["q"]}, "--numeric"),
        ({"drop": ["a"]}, "no column is left"),
        ({"drop": ["y"]}, "--drop: 'y' is the target"),
        ({"categorical": ["y"]}, "--categorical: 'y' is the target"),
    ],
)
def test_wrong_names_are_said(options, said):
    with pytest.raises(TableError, match=said):
        prepare(frame(), **({"target": "y"} | options))


def test_where_no_column_is_left_all_are_named_with_their_reasons():
    table = frame(b=[7] * N, c=[f"person {k}" for k in range(N)])
    said = r"\('b': it is constant \(7\); 'c': it is different in every row.*; 'a': --drop\)$"
    with pytest.raises(TableError, match=said):
        prepare(table, "y", drop=["a"])


def test_infinite_values_are_refused():
    with pytest.raises(TableError, match="'b' has infinite"):
        prepare(frame(b=np.r_[np.inf, np.arange(N - 1) * 0.5]), "y")


# -- other samples --------------------------------------------------------------------------------


def test_other_samples_are_coded_alike():
    table = frame(
        sex=["m", "f"] * (N // 2),
        town=["x", "y", "z", None] * (N // 4),
        b=[np.nan, 1.0, 2.0, 6.0] * (N // 4),
    )
    found = prepare(table, "y", impute="mean")
    assert (found.code(table) == found.X.astype({"sex": str, "town": str})).all(axis=None)
    new = pd.DataFrame({"a": [1], "sex": ["f"], "town": ["y"], "b": [np.nan]})
    assert found.code(new).iloc[0].to_dict() == {"a": 1, "sex": "f", "town": "y", "b": 3}
    coded = prepare(table, "y", impute="mean", by_column=True).code(new)
    assert coded.iloc[0].to_dict() == {
        "a": 1, "sex": 0, "town=(missing)": 0, "town=x": 0, "town=y": 1, "town=z": 0, "b": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sex", "town", "said"),
    [
        ("d", "x", r"column 'sex' has 'd' \(known: f, m\): correct"),
        ("f", "Paris", r"column 'town' has 'Paris' \(known: x, y\): correct"),
        (None, "x", r"column 'sex' has \(missing\)"),
        ("F", "z", r"'sex' has 'F' \(known: f, m\); column 'town' has 'z'"),
    ],
)
def test_levels_nobody_has_seen_are_refused(sex, town, said):
    found = prepare(frame(sex=["m", "f"] * (N // 2), town=["x", "x", "y", "y"] * (N // 4)), "y")
    new = pd.DataFrame({"a": [1, 1], "sex": ["f", sex], "town": ["x", town]})
    with pytest.raises(TableError, match=said):
        found.code(new)
    assert list(found.code(new, ["sex", "town"]).columns) == ["a"]


@pytest.mark.parametrize(
    ("new", "said"), [({"b": [1]}, "lack the column 'a'"), ({"a": ["word"]}, "no number")]
)
def test_other_samples_that_do_not_fit(new, said):
    with pytest.raises(TableError, match=said):
        prepare(frame(), "y").code(pd.DataFrame(new))


def test_trees_take_categories_and_gaps_as_they_are():
    table = frame(town=["x", "y", "z", None] * (N // 4), b=[np.nan, 1.0, 2.0, 6.0] * (N // 4))
    found = prepare(table, "y", for_trees=True)
    assert list(found.X.columns) == ["a", "town", "b"]
    assert isinstance(found.X["town"].dtype, pd.CategoricalDtype)
    assert found.X["b"].isna().sum() == N // 4


# -- many columns ---------------------------------------------------------------------------------


class Counted(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other):
        Counted.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.slow
def test_names_are_looked_up_and_not_compared_one_by_one():
    names = [Counted(f"c{k}") for k in range(3000)]
    check_columns([Counted(name) for name in names], names, "--drop")
    assert Counted.compared <= 3 * len(names)
    table = pd.DataFrame(np.eye(len(names))[:2], columns=list(map(str, names)))
    found = prepare(table.assign(y=[0, 1]), "y", categorical=["c0"])
    assert found.known("c1", "--forbid") == ["c1"]


# -- names and cells that are taken ---------------------------------------------------------------


def test_names_that_are_no_text():
    table = frame(**{"7": np.arange(N) % 5}).rename(columns={"7": 7})
    assert list(prepare(table, "y").X.columns) == ["a", "7"]


@pytest.mark.parametrize("target", ["a", "y"])
def test_two_columns_of_one_name(target):
    table = frame(b=1.0).rename(columns={"b": "a"})
    with pytest.raises(TableError, match="there are two columns called 'a': rename one"):
        prepare(table, target)


def test_a_level_that_is_called_like_the_missing_one():
    table = frame(town=["(missing)", "north", None, "south"] * (N // 4))
    with pytest.raises(TableError, match=r"column 'town' has empty cells and others that say"):
        prepare(table, "y")
    assert "town" in prepare(table.dropna(), "y").categories.levels


def test_complex_numbers_are_left_out():
    assert prepare(frame(z=np.arange(N) * 1j), "y").left_out == {"z": "it holds complex numbers"}


def test_an_infinite_target_is_refused():
    table = frame(z=np.where(np.arange(N) == 3, -np.inf, np.arange(N) % 3))
    with pytest.raises(TableError, match="target 'z' has infinite values"):
        prepare(table, "z")


@pytest.mark.parametrize("other", ["very  low", "very low ", "very\u200b low", "very\u00a0low"])
def test_words_that_look_the_same_are_said(other):
    table = frame(risk=["very low", other, "high", "low"] * (N // 4))
    notes = [note for note in prepare(table, "y").notes if "'risk'" in note]
    assert f"'very low' and {other!a} look the same" in notes[0] or (
        f"{other!a} and 'very low' look the same" in notes[0]
    )
    with pytest.raises(TableError, match="which look the same: write them in one way"):
        prepare(table, "risk")
