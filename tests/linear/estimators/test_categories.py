"""Data frames with categories: one feature each, in fits, predictions, questions and pipelines."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from estimator_cases import CASES, every_case
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from allrelevant import RelevanceClassifier, column_groups_from
from allrelevant.tabular.transformers import encoded_categories

TOWNS = np.array(["Bonn", "Oslo", "Rome"])


def people(case):
    """Ages that matter, towns that may, and a word of two levels."""
    X, y = case.data()
    towns = TOWNS[np.arange(len(X)) * 7 % 3]
    words = np.where(X[:, 1] > 0, "yes", "no")
    return pd.DataFrame({"age": X[:, 0], "town": towns, "word": words, "luck": X[:, 3]}), y


def by_hand(frame):
    """The same as columns of numbers."""
    levels = {f"town={town}": (frame["town"] == town).astype(float) for town in TOWNS}
    word = (frame["word"] == "yes").astype(float)
    return pd.DataFrame({"age": frame["age"], **levels, "word": word, "luck": frame["luck"]})


GROUPS = {"town": [f"town={town}" for town in TOWNS]}


@pytest.mark.slow
@every_case
def test_a_category_is_what_its_columns_are_as_a_group(case):
    frame, y = people(case)
    model = case.make(tolerance="auto").fit(frame, y)
    same = case.make(tolerance="auto", column_groups=GROUPS).fit(by_hand(frame), y)
    assert model.result_.names == ("age", "town", "word", "luck")
    np.testing.assert_array_equal(model.result_.intervals, same.result_.intervals)
    assert model.result_.columns == same.result_.columns
    np.testing.assert_array_equal(model.coef_, same.coef_)
    np.testing.assert_array_equal(model.predict(frame), same.predict(by_hand(frame)))
    assert model.score(frame, y) == same.score(by_hand(frame), y)
    np.testing.assert_array_equal(model.transform(frame), same.transform(by_hand(frame)))
    assert model.feature_names_in_.tolist() == list(by_hand(frame).columns)


@pytest.mark.slow
@every_case
def test_weights_say_how_levels_differ_from_the_commonest(case):
    """As if that level had no column; else all of them could have any constant in common."""
    frame, y = people(case)
    model = case.make().fit(frame, y)
    commonest = f"town={frame['town'].value_counts().idxmax()}"
    others = [level for level in GROUPS["town"] if level != commonest]
    dropped = by_hand(frame).drop(columns=commonest)
    same = case.make(column_groups={"town": others}).fit(dropped, y)
    np.testing.assert_allclose(model.result_.intervals, same.result_.intervals, atol=1e-8)
    own = model.result_.columns["town"]
    assert own["intervals"][GROUPS["town"].index(commonest)] == (0.0, 0.0)


@pytest.fixture(scope="module")
def fitted():
    frame, y = people(CASES["classification"])
    return CASES["classification"].make(tolerance=0.3).fit(frame, y), frame, y


def test_questions_and_their_models_take_the_frame(fitted):
    model, frame, _ = fitted
    assert model.what_if(forbid=["town"]).forbidden == ("town",)
    witness = model.witness("town", "max")
    assert "town" in witness.features_
    used = witness.to_frame()
    assert set(used.loc[used["feature"] == "town", "column"]) <= set(GROUPS["town"])
    assert len(witness.predict(frame)) == len(frame)
    assert len(model.prediction_range(frame.head(5))) == 5
    for found in model.smallest_sets():
        assert set(found) <= set(frame.columns)


@pytest.mark.slow
def test_frames_of_every_kind_give_the_same(fitted):
    model, frame, y = fitted
    kinds = {"town": "category", "word": "string"}
    others = [frame.astype(kinds), pl.DataFrame(frame.to_dict("list"))]
    for other in [*others, pytest.importorskip("pyarrow").Table.from_pandas(frame)]:
        again = clone(model).fit(other, y)
        np.testing.assert_array_equal(again.result_.intervals, model.result_.intervals)
        np.testing.assert_array_equal(again.predict(other), model.predict(frame))


def test_columns_may_have_numbers_for_names(fitted):
    model, frame, y = fitted
    numbered = frame.set_axis(range(4), axis=1)
    again = clone(model).fit(numbered, y)
    assert again.result_.names == ("0", "1", "2", "3")
    assert again.result_.columns["1"]["names"] == ("1=Bonn", "1=Oslo", "1=Rome")
    np.testing.assert_array_equal(again.predict(numbered), model.predict(frame))
    with pytest.raises(ValueError, match="two columns have the same name, one as a number"):
        clone(model).fit(frame.set_axis([0, "town", "0", "luck"], axis=1), y)


def test_two_columns_of_one_name(fitted):
    model, frame, y = fitted
    with pytest.raises(ValueError, match="X has two columns called 'word': rename one"):
        clone(model).fit(frame.rename(columns={"luck": "word"}), y)


@pytest.mark.parametrize("names", [["age", "town"], ["age"]])
def test_yes_and_no_with_gaps_are_missing_numbers(fitted, names):
    model, frame, y = fitted
    gappy = pd.array([True, None] * (len(frame) // 2), dtype="boolean")
    with pytest.raises(ValueError, match="contains NaN in column 'smokes'"):
        clone(model).fit(frame[names].assign(smokes=gappy), y)


def test_levels_that_no_fit_has_seen(fitted):
    model, frame, _ = fitted
    new = frame.head(3).assign(town=["Paris", "Oslo", "Rome"])
    witness = model.witness("age")
    for ask in (model.predict, model.transform, model.prediction_range, witness.predict):
        with pytest.raises(ValueError, match=r"'town' has 'Paris' \(known: Bonn, Oslo, Rome\)"):
            ask(new)
    with pytest.raises(ValueError, match="the samples lack the column 'town'"):
        model.predict(frame.drop(columns="town"))
    few = frame[frame["town"] == "Oslo"]
    np.testing.assert_array_equal(model.predict(few), model.predict(frame)[few.index])


def test_columns_of_a_category_are_selected_together(fitted):
    model, frame, _ = fitted
    kept = model.get_support()
    assert len(set(kept[1:4])) == 1
    names = by_hand(frame).columns[kept]
    assert model.get_feature_names_out().tolist() == names.tolist()
    out = clone(model).set_output(transform="pandas").fit(frame, fitted[2]).transform(frame)
    assert out.columns.tolist() == names.tolist()


def test_it_is_remembered_in_storage(fitted):
    model, frame, _ = fitted
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    np.testing.assert_array_equal(
        again.witness("town").predict(frame), model.witness("town").predict(frame)
    )


def test_more_columns_can_belong_together():
    frame, y = people(CASES["classification"])
    model = CASES["classification"].make(column_groups={"both": ["word", "luck"]}).fit(frame, y)
    assert model.result_.names == ("age", "town", "both")


@pytest.mark.slow
def test_categories_can_be_members_of_groups():
    frame, y = people(CASES["classification"])
    make = CASES["classification"].make
    model = make(column_groups={"who": ["word", "town"]}).fit(frame, y)
    assert model.result_.names == ("age", "who", "luck")
    own = model.result_.columns["who"]
    assert set(own["names"]) == {*GROUPS["town"], "word"}
    assert own["intervals"].count((0.0, 0.0)) == 1, "the commonest town is the reference"
    same = make(column_groups={"town": tuple(GROUPS["town"])}).fit(frame, y)
    assert same.result_.names == ("age", "town", "word", "luck")
    with pytest.raises(ValueError, match="calls a group 'town', which is the name of a category"):
        make(column_groups={"town": ["age", "luck"]}).fit(frame, y)


# Pipelines


@pytest.mark.slow
def test_categories_that_pass_through_a_pipeline_need_nothing():
    frame, y = people(CASES["classification"])
    scale = ColumnTransformer(
        [("scale", StandardScaler(), ["age", "luck"])], remainder="passthrough"
    )
    scale.set_output(transform="pandas")
    pipeline = make_pipeline(scale, RelevanceClassifier(C=1.0, n_probes=5, random_state=0))
    pipeline.fit(frame, y)
    names = pipeline[-1].result_.names
    assert names == ("scale__age", "scale__luck", "remainder__town", "remainder__word")
    assert len(pipeline.predict(frame)) == len(frame)
    assert (cross_val_score(pipeline, frame, y, cv=3) > 0.5).all(), "also where it is cloned"


@pytest.mark.slow
@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_encoded_levels_are_one_feature_where_names_and_cells_leave_no_doubt(output):
    frame, y = people(CASES["classification"])
    encode = ColumnTransformer(
        [
            ("num", StandardScaler(), ["age", "luck"]),
            ("cat", OneHotEncoder(sparse_output=False), ["town", "word"]),
        ]
    ).set_output(transform=output)
    model = RelevanceClassifier(C=1.0, n_probes=5, random_state=0)
    pipeline = make_pipeline(encode, model).fit(frame, y)
    assert pipeline[-1].result_.names == ("num__age", "num__luck", "town", "word")
    assert len(pipeline.predict(frame[:5])) == 5
    told = clone(model).set_params(column_groups=column_groups_from(encode))
    assert told.fit(encode.transform(frame), y).result_.names == pipeline[-1].result_.names
    np.testing.assert_array_equal(told.result_.intervals, pipeline[-1].result_.intervals)
    alone = clone(model).set_params(column_groups={}).fit(encode.transform(frame), y)
    assert len(alone.result_.names) == 7


def test_names_alone_make_no_category():
    """Levels with the mark in their names, rows that have none, and columns that are numbers."""
    names = ["a__b_c", "a__b_c_d", "a__b_e", "a__flag_x", "a__flag_y", "a__size_x", "b_c", "b_d"]
    level, flag = np.arange(12) % 3, np.arange(12) % 5
    table = np.column_stack(
        [level[:, None] == [0, 1, 2], flag[:, None] == [0, 1], level, level == 0, level > 0]
    )
    found = encoded_categories(names, table.astype(float))
    assert found == {"b": ["a__b_c", "a__b_c_d", "a__b_e"]}
    clash = encoded_categories(
        ["b", "a__b_c", "a__b_d"], np.column_stack([level, level == 0, level > 0]) * 1.0
    )
    assert clash == {"a__b": ["a__b_c", "a__b_d"]}


# scikit-learn 1.6 tells whoever looks that the remainder will have names.
@pytest.mark.slow
@pytest.mark.filterwarnings(r"ignore:\s*The format of the columns of the 'remainder':FutureWarning")
@pytest.mark.parametrize("output", ["default", "pandas"])
def test_behind_an_encoder_it_takes_a_line(output):
    frame, y = people(CASES["classification"])
    encode = ColumnTransformer(
        [("hot", OneHotEncoder(sparse_output=False, drop="if_binary"), ["town", "word"])],
        remainder="passthrough",
    ).set_output(transform=output)
    model = RelevanceClassifier(
        C=1.0, n_probes=5, random_state=0, column_groups=column_groups_from(encode.fit(frame))
    )
    pipeline = make_pipeline(encode, model).fit(frame, y)
    result, known = pipeline[-1].result_, clone(model).set_params(column_groups=GROUPS)
    same = known.fit(by_hand(frame)[[*GROUPS["town"], "word", "age", "luck"]], y).result_
    assert result.names[0] == "town"
    assert len(result.names) == 4
    np.testing.assert_array_equal(result.intervals, same.intervals)
