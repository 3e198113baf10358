"""The result is plain data; everything it says follows from the classes of the halves."""

import pickle

import numpy as np
import pytest

from allrelevant import StabilityResult

HALVES = [[2, 1, 0, 0], [2, 0, 1, 0], [2, 1, 1, 0], [2, 1, 0, 1]]


def make(**changes):
    content = {
        "task": "classification",
        "names": ["age", "girth", "weight", "luck"],
        "classes": [2, 1, 1, 0],
        "halves": HALVES,
        "groups": {"size": ["girth", "weight"]},
    }
    return StabilityResult(**(content | changes))


def test_shares_by_hand():
    result = make()
    assert result.n_splits == 2
    assert result.frequencies.sum(axis=1) == pytest.approx(np.ones(4))
    assert result.frequencies[1].tolist() == [0.25, 0.75, 0.0]
    assert result.selected.tolist() == [1.0, 0.75, 0.5, 0.25]
    assert result.agreement.tolist() == [1.0, 0.75, 0.5, 0.75]
    assert result.n_selected == 2.5
    assert result.group_frequencies == {"size": 1.0}
    assert result.one_of(["weight", "luck"]) == 0.75
    assert result.members("size") == ("girth", "weight")
    assert result.often(0.75) == ("age", "girth")


def test_strong_alone_can_be_what_is_selected():
    result = make(select="strong")
    assert result.selected.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert result.index == pytest.approx(1.0)


def test_the_table_has_the_order_of_the_fit():
    frame = make(order=[0, 2, 1, 3]).to_frame(sort=True)
    assert frame["feature"].tolist() == ["age", "weight", "girth", "luck"]
    assert frame.index.tolist() == [0, 2, 1, 3]
    assert make().to_frame()["weak"].tolist() == [0.0, 0.75, 0.5, 0.25]
    assert make().order == (0, 1, 2, 3)


def test_json_and_pickle_keep_everything():
    result = make(settings={"n_splits": 2})
    for again in (StabilityResult.from_json(result.to_json()), pickle.loads(pickle.dumps(result))):
        assert again == result
        assert hash(again) == hash(result)
        assert again.groups == {"size": (1, 2)}
        assert not again.halves.flags.writeable
    assert make(halves=np.array(HALVES)[::-1]) != result


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"halves": HALVES[:3]}, "two halves for each split"),
        ({"halves": [[3, 0, 0, 0]] * 2}, "0 .irrelevant."),
        ({"classes": [0, 1]}, "'classes'"),
        ({"order": [0, 0, 1, 2]}, "every feature, once"),
        ({"select": "all"}, "'relevant' or 'strong'"),
        ({"groups": {"size": ["height"]}}, "'height'"),
        ({"groups": {"size": [4]}}, "position"),
        ({"groups": {"size": []}}, "no members"),
    ],
)
def test_what_makes_no_sense_is_refused(changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        make(**changes)


def test_names_that_occur_twice_are_told_apart_by_position():
    result = make(names=["a", "b", "b", "c"], groups={"b": [1, 2]})
    assert StabilityResult.from_json(result.to_json()).group_frequencies == {"b": 1.0}
    with pytest.raises(ValueError, match="'b'"):
        result.one_of(["b"])


def test_the_bound_is_given_only_where_it_says_something():
    few = np.zeros((4, 100), dtype=int)
    few[:, :10] = 2
    result = StabilityResult(
        task="regression", names=[f"x{k}" for k in range(100)], classes=few[0], halves=few
    )
    assert result.false_selections() == pytest.approx(1.25)
    assert "at most 1.2 are expected to be false" in repr(result)
    assert make().false_selections() is None
    assert "expected to be false" not in repr(make())
    with pytest.raises(ValueError, match=r"above 0\.5"):
        result.false_selections(0.5)


def test_text_says_what_was_found():
    text = repr(make())
    assert text.startswith("stability over 2 splits into halves: 4 fits of half the rows\n")
    assert "stability of the selected sets: 0.11 (95% interval " in text
    assert "same class as with all rows: 75%; selected by a half: 2.5 of 4 features" in text
    assert "age      strong          100%  ████████████████████" in text
    assert "girth    weak             75%  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒·····" in text
    assert "size: one of these 2 in 100% of the halves (each by itself in 50% to 75%)" in text


def test_every_bar_is_of_one_length():
    rng = np.random.default_rng(0)
    names = [f"x{k}" for k in range(30)]
    result = StabilityResult(
        task="regression", names=names, classes=np.zeros(30), halves=rng.integers(0, 3, (14, 30))
    )
    bars = [line[-20:] for line in repr(result).splitlines() if line.startswith("x")]
    assert len(bars) == 20
    assert all(set(bar) <= set("█▒·") for bar in bars)
    assert "... and 10 more features" in repr(result)


def test_without_an_index_it_is_said_why():
    assert "not defined, as every half selected no feature" in repr(make(halves=[[0] * 4] * 2))
    assert "not defined, as every half selected every feature" in repr(make(halves=[[1] * 4] * 2))


def test_html_escapes_names_and_draws_shares():
    html = make(names=["<b>", "girth", "weight", "luck"])._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<b>age" not in html
    assert '<rect x="0.0" y="1" width="180.0" height="10" fill="#0072B2"/>' in html
    assert '<rect x="0.0" y="1" width="135.0" height="10" fill="#E69F00"/>' in html
