"""The result of a what-if question."""

import json
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest
from constrained_models import fitted
from estimator_cases import CASES
from plots_fakes import make_result, make_what_if

from allrelevant.linear.questions import WhatIfResult

# The result


def test_a_result_under_constraints_is_a_result():
    model = fitted("classification")
    found = model.what_if(forbid=["day"], bounds={"dose": (0.0, 0.1)})
    assert found.before is model.result_
    np.testing.assert_allclose(found.change, found.intervals - model.intervals_)
    frame = found.to_frame(sort=True)
    assert list(frame.columns[-3:]) == ["min_before", "max_before", "class_before"]
    for k, row in frame.iterrows():
        assert row["feature"] == model.result_.names[k]
        assert row["max_before"] == model.intervals_[k, 1]
        assert row["max"] == found.intervals[k, 1]
    assert "5 features" in repr(found)


def test_what_is_far_from_noise_now_is_no_close_call():
    before = make_result(0, 2, 0, intervals=[[0, 0.1], [0, 0.4]], borderline=[True, False])
    same = make_what_if(before, forbid=())
    assert same.could_be_either.tolist() == [True, False]
    for high, either in ((0.085, True), (0.01, False), (0.3, False)):
        moved = replace(same, intervals=[[0, high], [0, 0.095]])
        assert moved.could_be_either.tolist() == [either, False]
        assert ("?" in repr(moved)) == either


def test_a_result_cannot_be_changed():
    found = fitted("classification").what_if(forbid=["day"])
    with pytest.raises(ValueError, match="read-only"):
        found.intervals[0, 0] = 1.0
    with pytest.raises(FrozenInstanceError):
        found.intervals = None
    with pytest.raises(TypeError):
        found.constraints["forbid"] = ()
    with pytest.raises(TypeError):
        found.constraints["bounds"]["age"] = (0.0, 1.0)


@pytest.mark.parametrize("name", ["classification", "privileged-regression"])
def test_json_and_pickle_bring_the_same_back(name):
    found = fitted(name).what_if(forbid=["girth"], bounds={"dose": (0.0, np.inf)})
    document = json.loads(found.to_json())
    assert document["format"] == "allrelevant.WhatIfResult/1"
    for again in (WhatIfResult.from_json(found.to_json()), pickle.loads(pickle.dumps(found))):
        assert again == found
        assert again.before == found.before
        np.testing.assert_array_equal(again.change, found.change)
        pd.testing.assert_frame_equal(again.to_frame(), found.to_frame())
        with pytest.raises(ValueError, match="has no models any more"):
            again.witness(0)


# What is forbidden is said to be that


def test_what_is_forbidden_is_not_called_irrelevant():
    model = fitted("classification")
    found = model.what_if(forbid=["room", 4])
    assert found.forbidden == ("room", "day")
    assert not {"room", "day"} & set(found.irrelevant)
    assert found.class_names[3:] == ("forbidden", "forbidden")
    assert found.classes[3:].tolist() == [0, 0], "numbers have three classes"
    assert found.order[-2:].tolist() == [3, 4]
    frame = found.to_frame(sort=True)
    assert frame["class"].tolist()[-2:] == ["forbidden", "forbidden"]
    assert frame["class_before"].tolist()[-2:] == list(model.result_.class_names[3:])
    lines = repr(found).splitlines()
    assert lines[0].endswith(", 2 forbidden")
    assert [line.split()[1] for line in lines if line.startswith(("room", "day"))] == [
        "forbidden",
        "forbidden",
    ]
    assert found._repr_html_().count("</span> forbidden") == 2
    assert "forbidden" not in repr(model.what_if(keep=["age"]))
    again = WhatIfResult.from_json(found.to_json())
    assert again == found
    assert repr(again) == repr(found)


def test_a_privileged_feature_that_is_forbidden_is_said_to_be():
    found = fitted("privileged-classification").what_if(forbid=["noise"])
    assert found.privileged.class_names == (found.privileged.class_names[0], "forbidden")
    frame = found.to_frame()
    assert frame["class"].tolist()[3:] == list(found.privileged.class_names)
    assert frame["class_before"].tolist()[4] != "forbidden"
    assert frame["max_before"].notna().all()
    assert "noise    forbidden" in repr(found)


def test_what_is_left_can_be_asked_on():
    model = fitted("classification")
    X = pd.DataFrame(CASES["classification"].data()[0][:4], columns=model.feature_names_in_)
    constraints = {"forbid": iter(["girth"]), "bounds": {"day": (0.0, 0.05)}}
    answer = model.what_if(**constraints)
    constraints["forbid"] = ["girth"]
    before, after = model.prediction_range(X, **constraints), answer.prediction_range(X)
    np.testing.assert_array_equal(after.low, before.low)
    np.testing.assert_array_equal(after.high, before.high)
    found = answer.range_of({"age": 1.0, "dose": -1.0})
    assert found.low == model.range_of({"age": 1.0, "dose": -1.0}, **constraints).low
    assert found.low >= model.range_of({"age": 1.0, "dose": -1.0}).low - 1e-9
    assert answer.range_of(scores={0: 1, 1: -1}, X=X).width >= 0
    with pytest.raises(ValueError, match="has no models any more"):
        WhatIfResult.from_json(answer.to_json()).prediction_range(X)
