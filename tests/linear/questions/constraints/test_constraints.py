"""What a request amounts to: boxes, branches, and what is refused."""

import numpy as np
import pytest

from allrelevant.linear.questions.constraints.constraints import Feature, branches
from allrelevant.linear.questions.constraints.requests import as_asked, parse_constraints

FEATURES = [
    Feature("age", (0,), norm=2.0, largest=3.0, threshold=0.1),
    Feature("dose", (1,), norm=2.0, largest=3.0, threshold=0.1),
    Feature("girth", (2,), norm=2.0, largest=3.0, threshold=0.1),
    Feature("rating", (3, 4), norm=5.0, largest=6.0, threshold=0.2),  # in two slack functions
]
MANY = [Feature(f"x{k}", (k,), 1.0, 1.0, 0.1) for k in range(12)]


def boxes_of(features=FEATURES, **asked):
    """Every branch as a mapping from places to ranges."""
    found = branches(parse_constraints(features, **asked))
    return [
        {int(k): (float(a), float(b)) for k, a, b in zip(f.features, f.low, f.high, strict=True)}
        for f in found
    ]


def test_nothing_asked_is_one_branch_without_boxes():
    assert boxes_of() == [{}]


def test_forbidden_weights_are_zero_and_not_minus_zero():
    ((low, high),) = boxes_of(forbid=["dose"])[0].values()
    assert (low, high) == (0.0, 0.0)
    assert not np.signbit([low, high]).any()


def test_forbidden_privileged_features_are_zero_in_every_function():
    assert boxes_of(forbid=["rating"]) == [{3: (0.0, 0.0), 4: (0.0, 0.0)}]


def test_bounds_are_shares_of_the_features_own_norm():
    assert boxes_of(bounds={"age": (0.0, 0.5)}) == [{0: (-1.0, 1.0)}]
    assert boxes_of(bounds={"rating": (0.0, 0.5)}) == [{3: (-2.5, 2.5), 4: (-2.5, 2.5)}]


def test_no_bound_reaches_farther_than_any_weight():
    assert boxes_of(bounds={"age": (0.0, np.inf)}) == [{0: (-3.0, 3.0)}]


def test_a_positive_lower_bound_is_met_on_either_side():
    found = boxes_of(bounds={"age": (0.25, 0.5)})
    assert sorted(b[0] for b in found) == [(-1.0, -0.5), (0.5, 1.0)]


def test_a_lower_bound_of_a_privileged_feature_is_met_by_one_of_its_functions():
    found = boxes_of(bounds={"rating": (0.1, 0.2)})
    assert len(found) == 4
    for boxes in found:
        assert sorted([boxes[3] == (-1.0, 1.0), boxes[4] == (-1.0, 1.0)]) == [False, True]


def test_kept_features_exceed_noise():
    assert sorted(b[1] for b in boxes_of(keep=["dose"])) == [(-3.0, -0.2), (0.2, 3.0)]


def test_signs():
    assert boxes_of(signs={"age": 1, "dose": -1}) == [{0: (0.0, 3.0), 1: (-3.0, 0.0)}]
    assert boxes_of(signs={"age": np.int64(1), "dose": -1.0}) == boxes_of(
        signs={"age": 1, "dose": -1}
    )


def test_a_sign_settles_a_lower_bound():
    assert boxes_of(keep=["age"], signs={"age": -1}) == [{0: (-3.0, -0.2)}]


def test_several_constraints_on_one_feature_all_hold():
    found = boxes_of(keep=["age"], bounds={"age": (0.0, 0.5)})
    assert sorted(b[0] for b in found) == [(-1.0, -0.2), (0.2, 1.0)]


@pytest.mark.parametrize(
    "asked",
    [
        {"forbid": ["age"], "keep": ["age"]},
        {"forbid": ["age"], "bounds": {"age": (0.2, 1.0)}},
        {"keep": ["age"], "bounds": {"age": (0.0, 0.05)}},
        {"forbid": ["rating"], "keep": ["rating"]},
    ],
)
def test_contradictions_leave_no_branch(asked):
    assert boxes_of(**asked) == []


def test_all_combinations_of_signs():
    found = boxes_of(keep=["age", "dose"], forbid=["girth"])
    sides = {(np.sign(b[0][0] + b[0][1]), np.sign(b[1][0] + b[1][1])) for b in found}
    assert len(found) == len(sides) == 4
    assert all(b[2] == (0.0, 0.0) for b in found)


def test_names_and_positions_are_the_same():
    assert boxes_of(forbid=[1], bounds={0: (0.1, 0.2)}) == boxes_of(
        forbid=["dose"], bounds={"age": (0.1, 0.2)}
    )
    assert boxes_of(forbid=[-1]) == boxes_of(forbid=["rating"])


def test_up_to_eight_features_may_have_a_lower_bound():
    assert len(boxes_of(MANY, keep=range(8))) == 256
    with pytest.raises(ValueError, match=r"9 features have a positive lower bound.* at most 8"):
        boxes_of(MANY, keep=range(9))


def test_features_whose_sign_is_settled_do_not_count():
    found = boxes_of(MANY, keep=range(10), signs={0: 1, 1: -1})
    assert len(found) == 256
    assert all(b[0] == (0.1, 1.0) and b[1] == (-1.0, -0.1) for b in found)


def test_two_lower_bounds_of_one_feature_count_once():
    both = boxes_of(MANY, keep=range(8), bounds=dict.fromkeys(range(8), (0.2, 1.0)))
    assert len(both) == 256


def test_privileged_features_with_two_functions_count_twice():
    several = [Feature(f"p{k}", (2 * k, 2 * k + 1), 1.0, 1.0, 0.1) for k in range(5)]
    assert len(boxes_of(several, keep=range(4))) == 256
    with pytest.raises(ValueError, match="5 features have a positive lower bound"):
        boxes_of(several, keep=range(5))


def test_what_is_asked_twice_is_said_once():
    found = parse_constraints(FEATURES, forbid=["age", 0, "dose"], keep=[2, "girth"])
    assert as_asked(found)["forbid"] == ["age", "dose"]
    assert as_asked(found)["keep"] == ["girth"]


def test_of_several_columns_all_can_be_forbidden_and_single_ones_bounded():
    about = {"norm": 2.0, "largest": 3.0, "threshold": 0.1}
    both = [Feature("both", (0, 2), **about)]
    parts = {name: Feature(name, (k,), **about) for name, k in (("x", 0), ("y", 2))}
    found = parse_constraints(both, parts, forbid=["both"])
    assert [constraint.text for constraint in found] == ["forbid 'both'"]
    (boxes,) = branches(found)
    assert boxes.features.tolist() == [0, 2]
    assert not boxes.low.any()
    assert not boxes.high.any()
    with pytest.raises(ValueError, match=r"'both', which has several columns: give .* 'x', 'y'"):
        parse_constraints(both, parts, keep=["both"])
    (found,) = parse_constraints(both, parts, keep=["y"])
    assert found.feature.places == (2,)
    with pytest.raises(ValueError, match="did you mean 'both'"):
        parse_constraints(both, parts, keep=["botch"])


def test_constraints_in_words():
    found = parse_constraints(
        FEATURES, forbid=[0], keep=["dose"], bounds={"girth": (0, 0.25)}, signs={"girth": -1}
    )
    assert [constraint.text for constraint in found] == [
        "forbid 'age'",
        "keep 'dose'",
        "0 ≤ relevance of 'girth' ≤ 0.25",
        "weight of 'girth' ≤ 0",
    ]
    assert as_asked(found) == {
        "forbid": ["age"],
        "keep": ["dose"],
        "bounds": {"girth": (0.0, 0.25)},
        "signs": {"girth": -1},
    }


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"forbid": "age"}, "forbid must be a list of features, got 'age'"),
        ({"keep": 3}, "keep must be a list of features, got 3"),
        ({"forbid": ["height"]}, "forbid names 'height', which is not a feature: .*'age'"),
        ({"keep": [7]}, "keep names position 7, but there are 4 features"),
        ({"bounds": [("age", (0, 1))]}, "bounds must map features to values"),
        ({"bounds": {"age": 0.5}}, r"bounds\['age'\] must be a pair .*, got 0.5"),
        ({"bounds": {"age": (0.1, 0.2, 0.3)}}, "must be a pair"),
        ({"bounds": {"age": ("low", "high")}}, "must be a pair"),
        ({"bounds": {"age": (0.5, 0.1)}}, "0 ≤ smallest ≤ largest, got .0.5, 0.1"),
        ({"bounds": {"age": (-0.5, 0.1)}}, "0 ≤ smallest ≤ largest"),
        ({"bounds": {"age": (0.0, np.nan)}}, "0 ≤ smallest ≤ largest"),
        ({"bounds": {"age": (np.inf, np.inf)}}, "0 ≤ smallest ≤ largest"),
        ({"bounds": {"age": (0, 1), 0: (0, 1)}}, "bounds names 'age' twice"),
        ({"signs": ["age"]}, "signs must map features to values"),
        ({"bounds": {"age": "01"}}, "must be a pair"),
        ({"bounds": {"age": ("0", "1")}}, "must be a pair"),
        ({"bounds": {"age": {0.1, 0.2}}}, "must be a pair"),
        ({"bounds": {"age": ((0.1, 0.2), 0.3)}}, "must be a pair"),
        ({"signs": {"age": True}}, r"must be \+1 or -1, got True"),
        ({"signs": {"age": 0}}, r"signs\['age'\] must be \+1 or -1, got 0"),
        ({"signs": {"age": "+"}}, r"must be \+1 or -1, got '\+'"),
        ({"signs": {"rating": 1}}, "'rating', which has a weight in every slack function"),
    ],
)
def test_bad_requests(asked, message):
    with pytest.raises(ValueError, match=message):
        parse_constraints(FEATURES, **asked)
